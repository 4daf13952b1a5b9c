from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.device.rules.foww.asking import ask, fault

COLOURS = ("black", "yellow", "green", "blue")
pools = st.dictionaries(st.sampled_from(COLOURS), st.integers(0, 9))


@given(st.lists(pools, max_size=4))
def test_no_colour_passes_four_and_none_takes_from_another(dice: list[dict]) -> None:
    sources = [{"name": "a source", "dice": one} for one in dice]
    found = ask("dice_pool", sources=sources)
    for colour in COLOURS:
        wanted = sum(one.get(colour, 0) for one in dice)
        assert found["pool"][colour] == min(wanted, 4)
        assert found["pool"][colour] + found["discarded"][colour] == wanted
    assert found["total"] == sum(found["pool"].values())


@pytest.mark.parametrize(
    ("melee", "pool"),
    [
        ({"strength": 7}, {"black": 1}),
        ({"strength": 6}, {}),
        ({"strength": 12, "close_combat_weapon": False}, {}),
        ({"target_outnumbered": True}, {"green": 1}),
        (
            {"charge_tokens": ["black", "green"], "target_is_charge_target": True},
            {"black": 1, "green": 1},
        ),
        ({"charge_tokens": ["black", "green"]}, {}),
    ],
)
def test_close_combat_adds_its_dice(melee: dict, pool: dict) -> None:
    found = ask("dice_pool", sources=[], melee=melee)
    assert {c: n for c, n in found["pool"].items() if n} == pool
    assert found["charge_tokens_left"] == []


def test_a_pool_has_no_armour_dice() -> None:
    sources = [{"name": "a", "dice": {"red": 1}}]
    assert fault("dice_pool", sources=sources) == "sources[0].dice.red"
    assert fault("dice_pool", melee={"charge_tokens": ["blue"]}) == (
        "melee.charge_tokens[0]"
    )


EFFECTS = [
    {"id": "burn", "cost": {"bottle": 2}},
    {"id": "slow", "cost": {"star": 1}, "limit": 1},
    {"id": "crit", "cost": {"burst": 1}, "critical_only": True},
]


@pytest.mark.parametrize(
    ("spend", "reason", "left"),
    [
        ([], None, [4, 2, 1]),
        ([("burn", 2), ("slow", 1)], None, [0, 1, 1]),
        ([("burn", 3)], "icons", [4, 2, 1]),
        ([("burn", 1), ("burn", 1), ("burn", 1)], "icons", [4, 2, 1]),
        ([("slow", 1), ("slow", 1)], "limit", [4, 2, 1]),
        ([("slow", 5)], "limit", [4, 2, 1]),
        ([("crit", 1), ("slow", 5)], "critical_only", [4, 2, 1]),
        ([("burn", 3), ("crit", 1)], "icons", [4, 2, 1]),
        ([("slow", 2), ("burn", 9)], "limit", [4, 2, 1]),
    ],
)
def test_icons_pay_in_order_or_nothing_is_paid(spend, reason, left) -> None:
    found = ask(
        "spend_icons",
        icons={"bottle": 4, "star": 2, "burst": 1},
        effects=EFFECTS,
        spend=[{"id": name, "times": times} for name, times in spend],
    )
    assert (found["allowed"], found["reason"]) == (reason is None, reason)
    assert list(found["left"].values()) == left
    assert found["max_uses"] == {"burn": 2, "slow": 1, "crit": 0}


def test_a_miss_pays_for_nothing() -> None:
    found = ask(
        "spend_icons",
        icons={"bottle": 4},
        effects=EFFECTS,
        spend=[{"id": "crit", "times": 1}],
        hit=False,
    )
    assert (found["reason"], found["left"]["bottle"]) == ("missed", 4)
    assert set(found["max_uses"].values()) == {0}


def test_what_is_spent_must_be_offered_once_and_have_a_price() -> None:
    spend = [{"id": "burn", "times": 1}, {"id": "other", "times": 1}]
    asked = {"icons": {}, "effects": EFFECTS}
    assert fault("spend_icons", **asked, spend=spend) == "spend[1].id"
    twice = [EFFECTS[0], EFFECTS[1], EFFECTS[0]]
    assert fault("spend_icons", icons={}, effects=twice) == "effects[2].id"
    free = [{"id": "free", "cost": {}}]
    assert fault("spend_icons", icons={}, effects=free) == "effects[0].cost"
