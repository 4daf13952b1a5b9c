from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.device.rules.foww.asking import ask, fault

ACTIONS = ("move", "charge", "attack", "overwatch", "noncombat", "other_action")
SEES = {
    "type": "model",
    "reaction_tokens": 1,
    "awareness": 100,
    "distance": 100,
    "los": True,
}


def trigger(kind: str, event: dict | None = None, **observer: object) -> dict:
    return ask(
        "overwatch_trigger",
        event={"kind": kind, **(event or {})},
        observer={**SEES, **observer},
    )


@pytest.mark.parametrize(
    ("kind", "limit"),
    [
        ("move", 200),
        ("charge", 200),
        ("attack", 200),
        ("noncombat", 100),
        ("other_action", 100),
        ("hit_on_friend", 100),
    ],
)
def test_movement_and_attacks_are_noticed_twice_as_far(kind: str, limit: int) -> None:
    assert trigger(kind)["max_distance"] == limit
    assert trigger(kind, distance=limit)["provocation"] is True
    assert trigger(kind, distance=limit + 0.5)["provocation"] is False


@pytest.mark.parametrize("kind", ["overwatch", "unused_action", "free_attack"])
def test_some_things_never_provoke_a_model(kind: str) -> None:
    found = trigger(kind, distance=0)
    assert (found["provocation"], found["reaction"]) == (False, "none")


@pytest.mark.parametrize("kind", [*ACTIONS, "unused_action"])
def test_every_action_provokes_a_turret_in_two_lengths(kind: str) -> None:
    assert trigger(kind, type="turret", distance=200)["can_react"] is True
    assert trigger(kind, type="turret", distance=201)["can_react"] is False


@pytest.mark.parametrize("kind", ["hit_on_self", "hit_on_friend", "free_attack"])
def test_being_hit_does_not_provoke_a_turret(kind: str) -> None:
    assert trigger(kind, type="turret", distance=0)["provocation"] is False


@pytest.mark.parametrize(
    ("kind", "noticed"),
    [
        ("attack", True),
        ("hit_on_self", True),
        ("move", False),
        ("noncombat", False),
        ("hit_on_friend", False),
    ],
)
def test_line_of_sight_is_needed_but_for_attacks_and_own_hits(kind, noticed) -> None:
    assert trigger(kind, los=False, distance=50)["provocation"] is noticed


def test_an_own_hit_provokes_at_any_distance() -> None:
    assert trigger("hit_on_self", los=False, distance=9999)["provocation"] is True


@pytest.mark.parametrize(
    ("observer", "reaction"),
    [
        ({}, "any"),
        ({"reaction_tokens": 0}, "none"),
        ({"engaged": True, "engaged_with_provoker": True}, "any"),
        ({"engaged": True}, "none"),
        ({"engaged": True, "took_damage": True}, "move_only"),
        ({"took_damage": True}, "any"),
        ({"type": "turret", "engaged": True}, "random_engaged"),
        (
            {"type": "turret", "engaged": True, "engaged_with_provoker": True},
            "any",
        ),
    ],
)
def test_how_a_model_may_react(observer: dict, reaction: str) -> None:
    found = trigger("attack", **observer)
    assert (found["reaction"], found["can_react"]) == (reaction, reaction != "none")
    assert found["provocation"] is True


@pytest.mark.parametrize("won", [True, False])
@pytest.mark.parametrize("own", [True, False])
def test_a_won_battle_cry_does_not_provoke_its_target(won: bool, own: bool) -> None:
    event = {"battle_cry_won": won, "charge_target_is_observer": own}
    assert trigger("charge", event)["provocation"] is not (won and own)


def test_what_matters_of_an_observer_must_be_known() -> None:
    event = {"kind": "move"}
    seen = {"type": "model", "awareness": 100}
    for lacks in ("distance", "reaction_tokens"):
        observer = {k: v for k, v in SEES.items() if k != lacks}
        asked = {"event": event, "observer": observer}
        assert fault("overwatch_trigger", **asked) == f"observer.{lacks}"
    quiet = ask("overwatch_trigger", event={"kind": "overwatch"}, observer=seen)
    assert quiet["provocation"] is False


conditions = st.lists(
    st.sampled_from(["burning", "poisoned", "frozen", "stunned", "slowed"]),
    unique=True,
)


@given(st.integers(1, 8), st.booleans(), st.integers(0, 5), conditions)
def test_burning_and_poison_hurt_first(health, hero, regular, on_model) -> None:
    found = ask(
        "activation_start",
        health=health,
        hero=hero,
        regular=regular,
        radiation=1,
        conditions=on_model,
        luck_token="luck",
        vats=True,
        blue_die=["bottle", "star"],
        reaction_tokens=2,
        slow_fire="loaded",
    )
    damage = ("burning" in on_model) + ("poisoned" in on_model)
    removed = regular + damage + 1 >= health + hero
    assert (found["damage"], found["regular"]) == (damage, regular + damage)
    assert found["removed"] is removed
    kept = set(on_model) if removed else set(on_model) - {"burning"}
    assert found["conditions"] == sorted(kept)
    assert found["ap"] == (0 if removed else 1)
    assert (found["reaction_tokens"], found["slow_fire"]) == (0, "loaded")


def test_a_burning_model_tosses_unless_it_is_removed() -> None:
    start = {"health": 3, "radiation": 0, "conditions": ["burning", "poisoned"]}
    assert fault("activation_start", regular=0, **start) == "luck_token"
    removed = ask("activation_start", regular=1, vats=True, **start)
    assert removed["removed"] is True
    asked = {"health": 3, "regular": 0, "radiation": 0, "vats": True}
    assert fault("activation_start", **asked) == "blue_die"


def test_an_activation_ends_thawed_and_without_action_points() -> None:
    found = ask(
        "activation_end",
        conditions=["stunned", "frozen", "burning"],
        ap=2,
        ready="ready",
    )
    assert found["conditions"] == ["burning", "stunned"]
    assert (found["ap"], found["ready"]) == (0, "activated")


@pytest.mark.parametrize(
    ("before", "event", "after"),
    [
        ("", {"event": "gain", "condition": "stunned"}, "stunned"),
        ("frozen", {"event": "gain", "condition": "burning"}, "burning"),
        ("burning", {"event": "gain", "condition": "frozen"}, "frozen"),
        ("burning", {"event": "gain", "condition": "burning"}, "burning"),
        ("", {"event": "gain", "condition": "injured_leg"}, "injured_leg slowed"),
        ("", {"event": "gain", "condition": "poisoned", "robot": True}, ""),
        (
            "burning",
            {"event": "gain", "condition": "frozen", "immune": ["frozen"]},
            "burning",
        ),
        ("injured_leg slowed", {"event": "cure", "item": "stimpak"}, ""),
        ("injured_leg slowed", {"event": "cure", "item": "antidote"}, None),
        ("slowed", {"event": "cure", "item": "stimpak"}, None),
        ("poisoned burning", {"event": "cure", "item": "antidote"}, "burning"),
        (
            "injured_arm",
            {"event": "cure", "item": "robot_repair_kit", "robot": True},
            "",
        ),
        ("injured_arm", {"event": "cure", "item": "robot_repair_kit"}, None),
        ("stunned burning", {"event": "action", "action": "unstun"}, "burning"),
        (
            "burning",
            {"event": "action", "action": "extinguish", "rating": 4, "skill": "4"},
            "",
        ),
        (
            "burning stunned",
            {"event": "action", "action": "extinguish", "rating": 4, "skill": "4"},
            None,
        ),
        ("frozen", {"event": "action", "action": "extinguish", "rating": 4}, None),
    ],
)
def test_conditions_come_and_go(before: str, event: dict, after: str | None) -> None:
    expected = sorted((before if after is None else after).split())
    found = ask("condition", conditions=before.split(), **event)
    assert found["conditions"] == expected
    assert found["changed"] is (expected != sorted(before.split()))
    penalty = -2 * (("frozen" in expected) + ("injured_arm" in expected))
    assert found["rating_modifier"] == penalty
    assert found["can_overwatch"] is not bool({"frozen", "stunned"} & set(expected))
    only = "unstun_only" if "stunned" in expected else "any"
    assert found["actions"] == only


@pytest.mark.parametrize(
    ("given_", "field"),
    [
        ({"event": "gain"}, "condition"),
        ({"event": "cure"}, "item"),
        ({"event": "action"}, "action"),
        ({"event": "action", "action": "extinguish"}, "rating"),
        (
            {
                "event": "action",
                "action": "extinguish",
                "rating": 4,
                "conditions": ["burning"],
            },
            "skill",
        ),
        ({"event": "gain", "condition": "poisoned", "immune": ["x"]}, "immune[0]"),
    ],
)
def test_each_event_says_what_it_lacks(given_: dict, field: str) -> None:
    assert fault("condition", **given_) == field


@pytest.mark.parametrize(
    ("action", "icon", "modifier", "steps"),
    [
        ("move", "move", 0, 1),
        ("charge", "move", 0, 1),
        ("shoot", "attack", -2, 0),
        ("melee", "attack", -2, 0),
        ("throw", "attack", -2, 0),
        ("heavy", "attack", -2, 0),
        ("computers", "noncombat", -2, 0),
        ("presence", "noncombat", -2, 0),
        ("overwatch", "overwatch", 0, 0),
    ],
)
def test_an_action_point_buys_a_quick_action(action, icon, modifier, steps) -> None:
    found = ask("spend_ap", ap=2, icons=[icon], used=[], action=action)
    assert (found["allowed"], found["icon"], found["ap_left"]) == (True, icon, 1)
    assert (found["rating_modifier"], found["range_steps"]) == (modifier, steps)
    assert ask("spend_ap", ap=0, action=action)["reason"] == "no_icon"
    used = ask("spend_ap", ap=0, icons=[icon], used=[icon], action=action)
    assert (used["reason"], used["ap_left"]) == ("icon_used", 0)
    assert ask("spend_ap", ap=0, icons=[icon], action=action)["reason"] == "no_ap"


def models(states: str) -> list[dict]:
    """Models a, b, ... in the states u(nready), r(eady), x (activated)."""
    names = {"u": "unready", "r": "ready", "x": "activated"}
    return [
        {"id": chr(97 + n), "state": names[state]} for n, state in enumerate(states)
    ]


@pytest.mark.parametrize(
    ("states", "ready", "activate", "reason", "after"),
    [
        ("uu", "a", False, None, "ru"),
        ("uu", "a", True, None, "xu"),
        ("ru", "b", True, None, "xx"),
        ("ru", "b", False, "must_activate", "ru"),
        ("uu", None, True, "must_ready", "uu"),
        ("ru", "a", True, "not_unready", "ru"),
        ("xu", "a", True, "not_unready", "xu"),
        ("xx", None, True, "no_turn", "xx"),
        ("rx", None, True, None, "xx"),
        ("rx", None, False, "must_activate", "rx"),
        ("", None, True, "no_turn", ""),
    ],
)
def test_a_turn_readies_one_model_and_then_none_or_all_act(
    states, ready, activate, reason, after
) -> None:
    found = ask(
        "round", step="turn", models=models(states), ready=ready, activate=activate
    )
    assert (found["allowed"], found["reason"]) == (reason is None, reason)
    assert found["models"] == models(after)
    acted = [
        m["id"]
        for m, s, t in zip(models(states), states, after, strict=True)
        if t == "x" != s
    ]
    assert found["activated"] == acted


def test_a_turn_is_about_own_models_each_once() -> None:
    asked = {"step": "turn", "models": models("u")}
    assert fault("round", **asked, ready="z") == "ready"
    twice = [*models("u"), *models("u")]
    assert fault("round", step="turn", models=twice) == "models[1].id"


@pytest.mark.parametrize(
    ("number", "a", "b", "holder", "expected"),
    [
        (1, 2, 3, None, "a"),
        (1, 3, 3, "a", "random"),
        (2, 3, 3, "a", "b"),
        (2, 3, 3, "b", "a"),
        (5, 4, 3, "a", "b"),
        (2, 3, 3, None, "random"),
    ],
)
def test_fewer_models_have_the_advantage(number, a, b, holder, expected) -> None:
    counts = {"a": a, "b": b}
    found = ask("round", step="advantage", round=number, counts=counts, holder=holder)
    assert found["holder"] == expected


def test_a_round_is_over_when_all_are_activated() -> None:
    assert ask("round", step="end", models=models("xx"))["round_over"] is True
    assert ask("round", step="end", models=models("xr"))["round_over"] is False
