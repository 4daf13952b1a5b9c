from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.device.rules.foww.asking import ask, fault

small = st.integers(-3, 5)
columns = st.lists(st.fixed_dictionaries({"str": small, "end": small}), max_size=4)


@given(st.integers(1, 9), columns, st.integers(0, 5), columns)
def test_attributes_add_up_over_what_is_in_force(base, decaying, hidden, other) -> None:
    found = ask(
        "stats",
        base={"str": base, "per": 4},
        decaying=decaying,
        hidden=hidden,
        other=other,
    )
    total = base + sum(c["str"] for c in [*decaying[hidden:], *other])
    assert found["final"] == {"str": total, "per": 4}
    assert found["melee_strength_die"] is (total >= 7)


def test_broken_power_armour_adds_its_other_side() -> None:
    suit = {"bonus": {"str": 3, "end": 4}, "broken_bonus": {"str": 1}}
    whole = ask("stats", base={"str": 4, "end": 4}, power_armour=suit)
    assert whole["final"] == {"str": 7, "end": 8}
    broken = {**suit, "broken": True}
    after = ask("stats", base={"str": 4, "end": 4}, power_armour=broken)
    assert after["final"] == {"str": 5, "end": 4}
    lacks = {"bonus": {"str": 3}, "broken": True}
    field = fault("stats", base={"str": 4}, power_armour=lacks)
    assert field == "power_armour.broken_bonus"


CHEM = {"category": "chem", "consumable": True, "duration": "instant"}


def use(user: dict, owner: object = "self", **item: object) -> str | None:
    found = ask("item_use", user=user, item={**CHEM, **item}, owner=owner)
    assert found["allowed"] is (found["reason"] is None)
    return found["reason"]


@pytest.mark.parametrize("category", ["chem", "alcohol", "food", "power_armour"])
@pytest.mark.parametrize("kind", ["robot", "creature"])
def test_robots_and_creatures_use_neither_drugs_nor_food(kind, category) -> None:
    assert use({"type": kind}, category=category) == "type"
    assert use({"type": kind}, category="gear") is None
    assert use({"type": "super_mutant"}, category=category) is None


def test_a_dog_eats_and_uses_only_what_names_it() -> None:
    assert use({"type": "dog"}, category="food") is None
    assert use({"type": "dog"}, category="clothing") == "type"
    assert use({"type": "dog"}, category="clothing", dog_ok=True) is None


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ({"duration": "decaying"}, "unit_size"),
        ({"category": "power_armour", "consumable": False}, "unit_size"),
        ({"category": "slow_firing_weapon", "consumable": False}, "unit_size"),
        ({"category": "unique_weapon", "consumable": False}, "unit_size"),
        ({"category": "weapon", "consumable": False}, None),
        ({"duration": "fixed"}, None),
    ],
)
def test_some_items_are_only_for_units_of_one_model(item, reason) -> None:
    assert use({"type": "human", "unit_size": 2}, **item) == reason
    assert use({"type": "human", "unit_size": 1}, **item) is None


LENDER = {"distance": 100, "yellow": 101.6, "los": True}


@pytest.mark.parametrize(
    ("user", "owner", "item", "reason"),
    [
        ({}, LENDER, {}, None),
        ({}, LENDER, {"consumable": False}, "not_consumable"),
        ({"engaged": True}, LENDER, {"consumable": False}, "not_consumable"),
        ({"engaged": True}, {**LENDER, "engaged": True}, {}, "engaged"),
        ({}, {"engaged": True}, {}, "owner_engaged"),
        ({}, {**LENDER, "distance": 101.6}, {}, None),
        ({}, {**LENDER, "distance": 101.7, "los": False}, {}, "out_of_range"),
        ({}, {**LENDER, "los": False}, {}, "no_los"),
        ({"consumables_this_action": 1}, {"engaged": True}, {}, "one_per_action"),
        ({"engaged": True}, "self", {}, None),
    ],
)
def test_a_friend_may_lend_a_consumable(user, owner, item, reason) -> None:
    assert use({"type": "human", **user}, owner, **item) == reason


def test_an_owner_is_oneself_or_described() -> None:
    asked = {"user": {"type": "human"}, "item": CHEM}
    assert fault("item_use", **asked, owner="me") == "owner"
    assert fault("item_use", **asked, owner={}) == "owner.distance"
    assert fault("item_use", **asked, owner={"distance": 1}) == "owner.yellow"
    assert fault("item_use", **asked, owner={"near": 1}) == "owner.near"


def tick(event: str, die: list[str] | None = None, **item: object) -> dict:
    more = {} if die is None else {"blue_die": die}
    return ask("item_tick", event=event, item=item, **more)


def test_a_fixed_effect_counts_its_tokens_down() -> None:
    used = tick("use", duration="fixed", printed=1)
    assert (used["active"], used["tokens"]) == (True, 1)
    first = tick("activation", duration="fixed", tokens=1)
    assert (first["active"], first["tokens"]) == (True, 0)
    last = tick("activation", duration="fixed", tokens=0)
    assert (last["ended"], last["card"]) == (True, "discarded")


def test_a_decaying_effect_covers_a_column_each_time() -> None:
    item = {"duration": "decaying", "columns": [{"str": 2}, {"str": 1, "end": 1}]}
    used = tick("use", **item)
    assert (used["bonuses"], used["hidden"]) == ({"str": 3, "end": 1}, 0)
    first = tick("activation", **item)
    assert (first["bonuses"], first["hidden"]) == ({"str": 1, "end": 1}, 1)
    last = tick("activation", **item, hidden=1)
    assert (last["bonuses"], last["ended"], last["active"]) == ({}, True, False)


@pytest.mark.parametrize(
    ("icon", "die", "addicted"),
    [
        ("star", ["star"], True),
        ("star", ["bottle", "star"], True),
        ("bottle", ["star", "bottle"], False),
        ("bottle", ["bottle", "bottle"], True),
        ("burst", ["star"], False),
        ("star", [], False),
    ],
)
def test_addiction_is_rolled_for_when_the_effect_ends(icon, die, addicted) -> None:
    ended = tick("use", die, duration="instant", addiction=icon)
    assert (ended["addiction_check"], ended["addicted"]) == (True, addicted)
    assert ended["card"] == ("addiction" if addicted else "discarded")
    going = tick("use", duration="fixed", addiction=icon)
    assert (going["addiction_check"], going["addicted"]) == (False, None)


@pytest.mark.parametrize(
    ("face", "draw"),
    [
        ("letter", []),
        ("blank", []),
        ("item", ["item"]),
        ("hazard_item", ["hazard", "item"]),
        ("hazard", ["hazard"]),
    ],
)
def test_a_token_without_a_check_is_resolved_at_once(face: str, draw: list) -> None:
    found = ask("search_token", face=face)
    assert (found["draw"], found["token_stays"]) == (draw, False)
    assert (found["needs_check"], found["success"]) == (None, None)
    for hindrance in ({"engaged": True}, {"contact": False}):
        kept = ask("search_token", face=face, **hindrance)
        assert (kept["can_interact"], kept["draw"]) == (False, [])
        assert kept["token_stays"] is True


@pytest.mark.parametrize(
    ("face", "check", "success", "draw", "stays", "locked"),
    [
        ("lock", None, None, [], True, False),
        ("lock", {"rating": 5, "skill": "5"}, True, ["item"], False, False),
        ("search", {"rating": 5, "skill": "x"}, False, [], True, False),
        ("computers", {"rating": 5, "skill": "x_ap"}, False, [], True, True),
        ("computers", {"rating": 5, "skill": "9"}, False, [], True, False),
        ("computers", {"rating": None}, False, [], True, False),
        ("computers", {"rating": None, "skill": "x"}, False, [], True, False),
        (
            "trapped_lock",
            {"rating": 5, "skill": "x"},
            False,
            ["hazard", "item"],
            False,
            False,
        ),
        ("trapped_lock", {"rating": 5, "skill": "2"}, True, ["item"], False, False),
        ("trapped_lock", {"rating": None}, False, [], True, False),
        ("trapped_lock", None, None, [], True, False),
    ],
)
def test_a_token_with_a_check(face, check, success, draw, stays, locked) -> None:
    more = {} if check is None else {"check": check}
    found = ask("search_token", face=face, **more)
    assert (found["success"], found["draw"]) == (success, draw)
    assert (found["token_stays"], found["locked_out"]) == (stays, locked)


def test_some_are_never_locked_out() -> None:
    check = {"rating": 5, "skill": "x"}
    found = ask("search_token", face="computers", check=check, never_locked_out=True)
    assert found["locked_out"] is False
    assert fault("search_token", face="lock", check={"rating": 5}) == "check.skill"
    assert fault("search_token", face="lock", check={"skill": "4"}) == "check.rating"


def test_investigation_needs_range_and_sight_but_not_twice() -> None:
    markers = [
        {"id": "near", "distance": 100, "los": True},
        {"id": "far", "distance": 100.1, "los": True},
        {"id": "unseen", "distance": 1},
        {"id": "known", "seen_before": True},
    ]
    found = ask("investigation", awareness=100, markers=markers)
    assert found["viewable"] == ["near", "known"]
    moving = ask("investigation", moving=True, markers=markers)
    assert moving["viewable"] == []
    assert fault("investigation", markers=markers) == "awareness"
    lost = [{"id": "lost"}]
    field = fault("investigation", awareness=1, markers=lost)
    assert field == "markers[0].distance"


NEAR = {"distance": 100, "presence": 100, "los": True}


@pytest.mark.parametrize(
    ("given_", "reason"),
    [
        ({"ability": "leader", "same_faction": True}, None),
        ({"ability": "leader"}, "faction"),
        ({"ability": "leader", "same_faction": True, "radius": True, **NEAR}, None),
        (
            {
                "ability": "leader",
                "same_faction": True,
                "radius": True,
                **NEAR,
                "distance": 100.5,
                "los": False,
            },
            "range",
        ),
        ({"ability": "dog_handler", "target_type": "human"}, "faction"),
        (
            {"ability": "dog_handler", "same_faction": True, "target_type": "human"},
            "not_dog",
        ),
        (
            {
                "ability": "dog_handler",
                "same_faction": True,
                "target_type": "dog",
                "phase": "reaction",
                "already_used": True,
            },
            "reaction",
        ),
        (
            {
                "ability": "dog_handler",
                "same_faction": True,
                "target_type": "dog",
                "already_used": True,
            },
            "already_used",
        ),
    ],
)
def test_an_ability_reaches_or_says_why_not(given_: dict, reason: str | None) -> None:
    found = ask("aura", **given_)
    assert (found["applies"], found["reason"]) == (reason is None, reason)
    assert (found["hero"], found["search_rating"]) == (False, None)


def test_a_dog_searches_with_its_perception() -> None:
    asked = {"ability": "dog_handler", "same_faction": True, "target_type": "dog"}
    found = ask("aura", **asked, **NEAR, per=7)
    assert (found["applies"], found["hero"], found["search_rating"]) == (True, False, 7)
    assert ask("aura", **asked, **NEAR, per=7, handler_hero=True)["hero"] is True
    assert fault("aura", **asked, **NEAR) == "per"
    assert fault("aura", **asked, presence=1) == "distance"
    blind = ask("aura", **asked, distance=1, presence=1)
    assert blind["reason"] == "los"
