from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.device.rules.asking import Game

GAME = Game("special")
ask, fault = GAME.ask, GAME.fault
d100 = st.integers(1, 100)


@given(st.integers(0, 120), d100, st.integers(-30, 30))
def test_a_check_succeeds_up_to_its_target(value, roll, modifier) -> None:
    found = ask("check", value=value, die=100, roll=roll, modifier=modifier)
    assert found["target"] == value + modifier
    assert found["margin"] == value + modifier - roll
    assert found["success"] is (roll <= value + modifier)


def test_a_die_shows_no_more_than_it_has() -> None:
    assert fault("check", value=5, die=10, roll=11) == "roll"
    assert fault("check", value=5, die=10, roll=0) == "roll"
    assert fault("check", value=5, die=6, roll=1) == "die"


def order(*fighters: tuple, **more: object) -> dict:
    listed = []
    for name, sequence, *roll in fighters:
        fighter = {"id": name, "sequence": sequence}
        listed.append({**fighter, **({"tie_roll": roll[0]} if roll else {})})
    return ask("order", fighters=listed, **more)


def test_ties_are_settled_by_unequal_rolls_only() -> None:
    assert order(("a", 9, 2), ("b", 9, 7), ("c", 12))["order"] == ["c", "b", "a"]
    for rolls in (((), (7,)), ((7,), (7,)), ((), ())):
        found = order(("a", 9, *rolls[0]), ("b", 9, *rolls[1]), ("c", 12))
        assert (found["order"], found["needs_roll"]) == (None, ["a", "b"])
    three = order(("a", 9, 3), ("b", 9, 3), ("c", 9, 8))
    assert three["needs_roll"] == ["a", "b"]


def test_who_starts_is_among_the_fighters() -> None:
    assert order(("a", 9), starter="a")["opening"] == "a"
    one = [{"id": "a", "sequence": 9}]
    assert fault("order", fighters=one, starter="z") == "starter"
    assert fault("order", fighters=one * 2) == "fighters[1].id"
    assert fault("order", fighters=[]) == "fighters"


@pytest.mark.parametrize(
    ("action", "cost"),
    [
        ({"do": "move", "hexes": 3}, 3),
        ({"do": "move", "hexes": 2, "terrain": "loose", "stance": "crawling"}, 32),
        ({"do": "move", "hexes": 2, "broken_legs": 1}, 4),
        ({"do": "move", "hexes": 1, "terrain": "water", "broken_legs": 2}, 6),
        ({"do": "equip", "items": 2}, 8),
        ({"do": "pick_up"}, 4),
        ({"do": "use"}, 3),
        ({"do": "stand_up"}, 4),
        ({"do": "treat"}, 10),
        ({"do": "stance", "from": "prone", "to": "standing"}, 4),
        ({"do": "stance", "from": "standing", "to": "prone"}, 2),
        ({"do": "stance", "from": "prone", "to": "crouching"}, 2),
        ({"do": "attack", "attack": "light", "cost": 5}, 5),
    ],
)
def test_what_an_action_costs(action: dict, cost: int) -> None:
    found = ask("ap", ap=40, actions=[action])
    assert (found["costs"], found["total"], found["left"]) == ([cost], cost, 40 - cost)
    assert (found["legal"], found["reasons"]) == (True, [])


@pytest.mark.parametrize("kind", ["unarmed", "cold", "light", "heavy", "thrown"])
def test_quick_hands_save_a_point(kind: str) -> None:
    shot = {"do": "attack", "attack": kind, "cost": 5}
    fast = ask("ap", ap=9, traits=["fast_shot"], actions=[shot])
    assert fast["costs"] == [4 if kind in ("light", "heavy") else 5]
    throw = ask("ap", ap=9, traits=["heavy_throw"], actions=[shot])
    assert throw["costs"] == [4 if kind == "thrown" else 5]


def test_reasons_come_in_the_order_of_the_actions() -> None:
    hop = {"do": "move", "hexes": 1, "broken_legs": 2}
    aimed = {"do": "attack", "attack": "bow", "cost": 5, "aimed": True}
    found = ask("ap", ap=3, traits=["fast_shot"], actions=[hop, aimed, hop, aimed])
    assert found["reasons"] == [
        "fast_shot_no_aim",
        "two_broken_legs",
        "not_enough_ap",
    ]
    assert ask("ap", ap=9, actions=[hop])["legal"] is True
    knife = {**aimed, "attack": "cold"}
    assert ask("ap", ap=9, traits=["fast_shot"], actions=[knife])["legal"] is True


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({}, "actions[0].do"),
        ({"do": "fly"}, "actions[0].do"),
        ({"do": "move"}, "actions[0].hexes"),
        ({"do": "move", "hexes": 0}, "actions[0].hexes"),
        ({"do": "use", "items": 1}, "actions[0].items"),
        ({"do": "stance", "from": "prone", "to": "prone"}, "actions[0].to"),
        ({"do": "stance", "to": "prone"}, "actions[0].from"),
        ({"do": "attack", "attack": "light"}, "actions[0].cost"),
    ],
)
def test_a_badly_described_action_is_refused(action: dict, field: str) -> None:
    assert fault("ap", ap=5, actions=[action]) == field


@pytest.mark.parametrize(
    ("state", "base", "defends"),
    [
        ("normal", 6, True),
        ("crouching", 3, True),
        ("crawling", 1, True),
        ("using_skill", 0, False),
        ("down", 0, False),
        ("rolling", 0, False),
    ],
)
def test_armour_class_by_state(state: str, base: int, defends: bool) -> None:
    asked = {"agility": 6, "armour": 10, "state": state, "unspent_ap": 4}
    found = ask("armour_class", **asked, defending=True)
    assert (found["base"], found["total"]) == (base, base + 10 + 4 * defends)
    assert ask("armour_class", **asked)["total"] == base + 10
    assert ask("armour_class", **asked, kamikaze=True)["base"] == 0
    nimble = ask("armour_class", agility=2, state="crouching")
    assert nimble["base"] == 2


def hit(attack: str = "light", **more: object) -> dict:
    base = {"skill": 60, "perception": 5, "weapon_range": 50, "strength": 5}
    return ask("hit_chance", attack=attack, **base | more)


@pytest.mark.parametrize(
    ("attack", "given_", "part", "value"),
    [
        ("light", {"boxes": 7}, "condition", 0),
        ("light", {"boxes": 8}, "condition", -10),
        ("light", {"distance": 9}, "range", 0),
        ("light", {"distance": 12}, "range", -9),
        ("thrown", {"distance": 12, "strength": 3}, "range", -9 - 21),
        ("unarmed", {"distance": 12}, "range", 0),
        ("light", {"distance": 3, "blind": True}, "range", -6),
        ("light", {"light": "rain", "night": "new_moon"}, "light", -80),
        ("light", {"light": "rain", "night": "new_moon", "blind": True}, "light", -200),
        ("light", {"target_ac": 7}, "armour", -7),
        ("light", {"cover": 15}, "cover", -15),
        ("cold", {"cover": 15}, "cover", 0),
        ("light", {"aimed": "left_leg"}, "aimed", -20),
        ("cold", {"aimed": "right_arm"}, "aimed", -15),
        ("energy", {"aimed": "eyes"}, "aimed", -60),
        ("unarmed", {"aimed": "torso"}, "aimed", 0),
        ("light", {"stance": "crouching", "mounted": True}, "stance", 5),
        ("heavy", {"stance": "prone"}, "stance", 15),
        ("heavy", {"stance": "prone", "mounted": True}, "stance", 0),
        ("unarmed", {"stance": "prone"}, "stance", -50),
        ("cold", {"stance": "crouching"}, "stance", -20),
        ("bow", {"stance": "prone"}, "stance", 0),
        ("light", {"min_strength": 7}, "strength", -2),
        ("light", {"min_strength": 7, "strength_step": 10}, "strength", -20),
        ("light", {"min_strength": 4}, "strength", 0),
        ("light", {"one_hander": True, "hands": 1}, "trait", 20),
        ("light", {"one_hander": True, "hands": 2}, "trait", -40),
        ("light", {"bonus": 5, "penalty": 12}, "other", -7),
    ],
)
def test_each_part_of_the_chance_to_hit(attack, given_, part, value) -> None:
    found = hit(attack, **given_)
    assert found["parts"][part] == value
    assert found["raw"] == sum(found["parts"].values())


def test_the_chance_is_nothing_out_of_range_and_never_below() -> None:
    near = hit(distance=59)
    assert (near["max_range"], near["in_range"]) == (59, True)
    far = hit(distance=60, skill=300)
    assert (far["in_range"], far["chance"], far["can_decline"]) == (False, 0, True)
    assert hit("cold", distance=2)["in_range"] is False
    assert hit(blind=True)["max_range"] == 51
    low = hit(skill=0, target_ac=5)
    assert (low["raw"], low["chance"], low["can_decline"]) == (-5, 0, True)


@pytest.mark.parametrize(
    ("given_", "field"),
    [
        ({"attack": "thrown"}, "strength"),
        ({"attack": "light", "min_strength": 3}, "strength"),
        ({"attack": "light", "one_hander": True}, "hands"),
        ({"attack": "laser"}, "attack"),
        ({"attack": "light", "aimed": "leg"}, "aimed"),
        ({"attack": "light", "cover": 101}, "cover"),
        ({"attack": "light", "hands": True}, "hands"),
    ],
)
def test_what_a_chance_to_hit_needs(given_: dict, field: str) -> None:
    assert fault("hit_chance", skill=50, perception=5, **given_) == field
    lacks = {"attack": "light", "skill": 50}
    assert fault("hit_chance", **lacks) == "perception"


@given(st.integers(0, 120), d100, st.integers(0, 20), st.integers(2, 98))
def test_the_roll_to_hit(chance: int, roll: int, luck: int, jinx: int) -> None:
    found = ask(
        "attack",
        chance=chance,
        roll=roll,
        crit_chance=luck,
        aimed="left_arm",
        boxes=9,
        critical_from=jinx,
    )
    assert found["crit_threshold"] == luck + 10
    if roll >= 98 or (roll > chance and roll >= jinx):
        expected = "critical_failure"
    elif roll > chance:
        expected = "miss"
    else:
        expected = "critical_hit" if roll <= luck + 10 else "hit"
    assert found["outcome"] == expected
    failed = expected in ("miss", "critical_failure")
    assert (found["boxes"], found["broken"]) == (9 + failed, failed)


@given(st.integers(0, 130), st.lists(st.integers(0, 9), min_size=3, max_size=12))
def test_grouped_bursts_round_to_tens(chance: int, rolls: list[int]) -> None:
    for mounted in (False, True):
        found = ask(
            "burst", mode="grouped", chance=chance, rolls=rolls, mounted=mounted
        )
        up = mounted or len(rolls) <= 5
        rounded = -(-chance // 10) * 10 if up else chance // 10 * 10
        assert found["rounded"] == rounded
        assert found["per_bullet"] == [r > 0 and 10 * r <= rounded for r in rolls]
        assert (found["critical"], found["fumbles"]) == (None, None)


@given(st.integers(0, 130), st.lists(d100, min_size=3, max_size=9))
def test_plain_bursts_roll_for_every_bullet(chance: int, rolls: list[int]) -> None:
    found = ask("burst", mode="single", chance=chance, rolls=rolls, crit_chance=7)
    hits = [roll <= chance and roll < 98 for roll in rolls]
    assert (found["rounded"], found["per_bullet"]) == (None, hits)
    assert found["hits"] + found["misses"] == len(rolls)
    assert found["knockdown_check"] is (any(hits) and 2 * sum(hits) >= len(rolls))
    assert found["fumbles"] == sum(roll >= 98 for roll in rolls)
    pairs = zip(rolls, hits, strict=True)
    assert found["critical"] is any(hit and roll <= 7 for roll, hit in pairs)
    without = ask("burst", mode="single", chance=chance, rolls=rolls)
    assert without["critical"] is None


FUMBLES = [
    "ammo",
    "jam",
    "ap_lost",
    "dropped",
    "stupor",
    "hit_other",
    "hit_self",
    "fall",
]


@pytest.mark.parametrize("roll", range(1, 11))
def test_fumbles(roll: int) -> None:
    found = ask("fumble", roll=roll, damage=7)
    names = [*FUMBLES, "weapon_destroyed", "heart_attack"]
    assert found["effect"] == names[roll - 1]
    assert found["ap_lost"] is (roll in (3, 8))
    assert found["down"] is (roll in (8, 10))
    assert found["turns_lost"] == {2: 1, 5: 2}.get(roll, 0)
    assert found["self_damage"] == (3 if roll == 7 else None)
    assert ask("fumble", roll=roll)["self_damage"] is None


@pytest.mark.parametrize(
    ("given_", "dt", "dr", "per_hit"),
    [
        ({"rolls": [10, 3]}, 0, 0, [10, 3]),
        ({"rolls": [10, 3], "dt": 4, "dr": 50}, 4, 50, [3, 0]),
        ({"rolls": [20], "dt": 5, "dr": 30, "armour_boxes": 4}, 4.75, 28.5, [10]),
        ({"rolls": [20], "dt": 5, "dr": 30, "armour_boxes": 10}, 2, 12, [15]),
        ({"rolls": [20], "dt": 5, "dr": 30, "ignore_armour": True}, 0, 0, [20]),
        ({"rolls": [10], "finesse": True}, 0, 0, [7]),
        ({"rolls": [10], "dt": 4, "multiplier": 1.5}, 4, 0, [11]),
        (
            {"rolls": [10], "dt": 4, "multiplier": 1.5, "multiplier_stage": "after"},
            4,
            0,
            [9],
        ),
        ({"rolls": [10], "dt": 4, "grouped_hits": 3}, 4, 0, [26]),
        ({"rolls": [10], "multiplier": 0.7}, 0, 0, [7]),
        ({"rolls": [0], "dt": 4}, 4, 0, [0]),
    ],
)
def test_damage_through_armour_is_exact(given_, dt, dr, per_hit) -> None:
    found = ask("damage", **given_)
    assert (found["dt"], found["dr"]) == (dt, dr)
    assert (found["per_hit"], found["total"]) == (per_hit, sum(per_hit))


def test_tenths_do_not_get_lost() -> None:
    # 70 percent of 10 is 7, which binary fractions miss by a hair
    for roll in range(0, 200, 10):
        found = ask("damage", rolls=[roll], multiplier=0.7)
        assert found["total"] == roll * 7 // 10
    assert fault("damage", rolls=[1, 2], grouped_hits=2) == "rolls"
    assert fault("damage", rolls=[1], multiplier=0) == "multiplier"
    assert fault("damage", rolls=[]) == "rolls"


CRITICALS = [
    "severed_arm",
    "severed_leg",
    "triple",
    "double",
    "one_and_half",
    "unconscious",
    "ignore_armour",
    "blind",
    "knocked_down",
    "death",
]


@pytest.mark.parametrize("roll", range(1, 11))
def test_criticals_by_the_die(roll: int) -> None:
    found = ask("critical", roll=roll)
    assert found["effect"] == CRITICALS[roll - 1]
    assert found["damage_percent"] == {3: 300, 4: 200, 5: 150}.get(roll, 100)
    assert found["unconscious"] is (roll == 6)
    assert found["rounds_die"] == ("1d4" if roll == 6 else None)
    assert found["ignore_armour"] is (roll == 7)
    assert found["blind"] is (roll == 8)
    assert found["down"] is (roll == 9)
    assert found["dead"] is (roll == 10)
    assert found["limb"] == {1: "arm", 2: "leg"}.get(roll)


@pytest.mark.parametrize(
    ("aimed", "effect", "percent", "limb"),
    [
        ("eyes", "blind", 100, None),
        ("left_arm", "broken_arm", 100, "arm"),
        ("right_leg", "broken_leg", 100, "leg"),
        ("torso", "double", 200, None),
        ("groin", "double_unconscious", 200, None),
        ("head", "unstated", 100, None),
    ],
)
def test_criticals_by_location(aimed, effect, percent, limb) -> None:
    found = ask("critical", aimed=aimed)
    assert (found["effect"], found["damage_percent"]) == (effect, percent)
    assert (found["limb"], found["unconscious"]) == (limb, aimed == "groin")
    heavy = ask("critical", aimed=aimed, heavy_handed=True)
    assert heavy["damage_percent"] * 10 == percent * 7


def test_a_critical_is_aimed_or_rolled() -> None:
    assert fault("critical") == "roll"
    assert fault("critical", aimed="head", roll=3) == "roll"


def test_all_combinations_of_light_add_up() -> None:
    lights = {"clear": 0, "few_clouds": -5, "dark_cave": -200, "storm": -150}
    nights = {"none": 0, "full_moon": -10, "half_moon": -20, "new_moon": -40}
    for light, night in itertools.product(lights, nights):
        found = hit(light=light, night=night)
        assert found["parts"]["light"] == lights[light] + nights[night]
