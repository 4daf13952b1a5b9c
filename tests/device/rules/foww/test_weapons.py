from __future__ import annotations

import pytest

from tests.device.rules.foww.asking import ask, dice, fault

BANDS = [
    {"from": 1, "to": 2, "range": "orange"},
    {"from": 3, "to": 4, "range": "red"},
    {"from": 5, "to": None, "range": "yellow"},
]


@pytest.mark.parametrize(
    ("skill", "margin", "range_"),
    [
        ("4", None, None),
        ("5", 1, "orange"),
        ("6", 2, "orange"),
        ("7", 3, "red"),
        ("8", 4, "red"),
        ("9", 5, "yellow"),
        ("10", 6, "yellow"),
        ("x", None, "red"),
        ("x_ap", None, "red"),
    ],
)
def test_scatter_is_read_from_the_miss_and_an_x_goes_furthest(skill, margin, range_):
    found = ask("scatter", rating=4, skill=skill, bands=BANDS)
    assert found["margin"] == margin
    assert found["range"] == range_
    assert found["scatters"] is (range_ is not None)
    assert found["line_from"] == ("shooter" if range_ else None)


def test_a_miss_outside_the_table_has_no_distance() -> None:
    found = ask("scatter", rating=1, skill="10", bands=BANDS[:2])
    assert (found["scatters"], found["range"]) == (True, None)
    low = ask(
        "scatter", rating=0, skill="2", bands=BANDS, effects=dice("green", "acc3")
    )
    assert (low["margin"], low["range"], low["hit"]) == (-1, None, False)


def test_only_the_scatter_icon_scatters_and_a_grenade_flies_from_the_target() -> None:
    still = ask("scatter", rating=4, skill="6", bands=BANDS, scatter_icon=False)
    assert (still["scatters"], still["margin"], still["line_from"]) == (False, 2, None)
    grenade = ask("scatter", rating=4, skill="6", bands=BANDS, grenade=True)
    assert grenade["line_from"] == "target"


def test_a_band_of_the_scatter_table_does_not_end_before_it_begins() -> None:
    bands = [{"from": 3, "to": 2, "range": "red"}]
    assert fault("scatter", rating=4, skill="6", bands=bands) == "bands[0].to"
    bad = [{"from": 3, "to": 4, "range": "white"}]
    assert fault("scatter", rating=4, skill="6", bands=bad) == "bands[0].range"


def area(**model: object) -> dict:
    full = {"id": "m", "pos": [30, 40], "base": 32, **model}
    return ask("area_effect", centre=[0, 0], diameter=68, damage=2, models=[full])


def test_a_base_that_just_touches_the_area_is_in_it() -> None:
    assert area()["affected"] == ["m"]  # 50 mm away; 34 + 16
    assert area(base=31.9)["affected"] == []


@pytest.mark.parametrize(
    ("between", "affected", "bonus"),
    [(None, ["m"], {"m": 0}), ("cover", ["m"], {"m": 1}), ("blocking", [], {})],
)
def test_objects_between_shield_or_cover(between, affected, bonus) -> None:
    found = area(between=between)
    assert (found["affected"], found["armour_bonus"]) == (affected, bonus)


def test_the_target_takes_more() -> None:
    models = [{"id": name, "pos": [-1.5, 0], "base": 32} for name in "tu"]
    found = ask(
        "area_effect",
        centre=[0, 0],
        diameter=102,
        damage=2,
        target="t",
        target_damage=3,
        models=models,
    )
    assert found["damage"] == {"t": 5, "u": 2}
    asked = {"diameter": 102, "damage": 2, "models": []}
    assert fault("area_effect", centre=[0], **asked) == "centre"
    assert fault("area_effect", centre=[0, "x"], **asked) == "centre[1]"


@pytest.mark.parametrize("armed", [True, False])
@pytest.mark.parametrize("model", ["enemy", "friendly"])
@pytest.mark.parametrize("event", ["ends_action_inside", "passes_through", "outside"])
def test_only_enemies_set_an_armed_mine_off(armed, model, event) -> None:
    found = ask("mine", step="event", armed=armed, model=model, event=event)
    expected = armed and model == "enemy" and event != "outside"
    assert found["triggers"] is expected


def test_a_mine_is_placed_unarmed_and_armed_in_the_next_turn() -> None:
    placed = ask("mine", step="place")
    assert (placed["allowed"], placed["armed"], placed["provocation"]) == (
        True,
        False,
        True,
    )
    assert ask("mine", step="place", engaged=True)["provocation"] is False
    assert ask("mine", step="owner_turn")["armed"] is True
    assert fault("mine", step="event", armed=True) == "model"
    assert fault("mine", step="event", armed=True, model="enemy") == "event"
    assert fault("mine") == "step"


@pytest.mark.parametrize(
    ("given_", "reason", "after"),
    [
        ({}, "no_skill", None),
        ({"has_skill": True}, None, None),
        ({"slow_fire": "unloaded"}, "no_skill", "unloaded"),
        ({"has_skill": True, "slow_fire": "unloaded"}, "unloaded", "unloaded"),
        ({"has_skill": True, "slow_fire": "loaded"}, None, "unloaded"),
        (
            {
                "has_skill": True,
                "slow_fire": "loaded",
                "heavy": True,
                "heavy_used_this_activation": True,
            },
            "heavy_used",
            "loaded",
        ),
        ({"has_skill": True, "heavy_used_this_activation": True}, None, None),
        ({"has_skill": True, "charges_needed": 1}, "not_charged", None),
        ({"has_skill": True, "charges": 4, "charges_needed": 3}, None, None),
    ],
)
def test_a_weapon_may_be_used_or_says_why_not(given_, reason, after) -> None:
    found = ask("weapon_use", **given_)
    assert (found["allowed"], found["reason"]) == (reason is None, reason)
    assert found["slow_fire"] == after


def shots(text: str) -> list[dict]:
    """Shots written as `a4 ax`: target, then face; the rating is 5."""
    return [
        {"target": shot[0], "rating": 5, "skill": shot[1:]} for shot in text.split()
    ]


@pytest.mark.parametrize(
    ("fired", "bonus"),
    [
        ("a4 a4 a4", [0, 1, 2]),
        ("a4 a9 a4 a4", [0, 0, 0, 1]),
        ("a4 b4 a4", [0, 0, 0]),
        ("a4 a4 b4 b4", [0, 1, 0, 1]),
        ("a4 bx a4", [0, 0, 0]),
    ],
)
def test_hits_in_a_row_on_one_target_penetrate_more(fired, bonus) -> None:
    found = ask("rapid_fire", max_shots=5, shots=shots(fired))
    assert [shot["bonus_penetration"] for shot in found["shots"]] == bonus


def test_a_burst_has_one_action_point_and_one_critical_point() -> None:
    fired = shots("aap bap ccrit ax_ap")
    found = ask("rapid_fire", max_shots=4, shots=fired, has_critical=True)
    assert (found["ap"], found["crit_points"]) == (1, 1)
    quick = ask("rapid_fire", max_shots=4, shots=fired, quick_action=True)
    assert (quick["ap"], quick["crit_points"]) == (0, 0)
    missed = ask("rapid_fire", max_shots=1, shots=shots("a9"), has_critical=True)
    assert missed["crit_points"] == 0


def test_penetration_icons_add_to_the_row_and_a_miss_has_neither() -> None:
    fired = [
        {**shot, "effects": dice("yellow", "pen+pen")} for shot in shots("a4 a4 a9")
    ]
    found = ask("rapid_fire", max_shots=3, shots=fired)
    assert [shot["penetration"] for shot in found["shots"]] == [2, 3, 0]
    assert fault("rapid_fire", max_shots=2, shots=fired) == "shots"
