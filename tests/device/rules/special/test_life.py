from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.device.rules.asking import Game

GAME = Game("special")
ask, fault = GAME.ask, GAME.fault
WEAR = [0, 0, 0, 0, 5, 10, 20, 30, 40, 50, 60]


@pytest.mark.parametrize("boxes", range(11))
def test_weapons_and_armour_wear_to_ten_boxes(boxes: int) -> None:
    weapon = {"item": "weapon", "action": "use", "boxes": boxes}
    found = ask("condition", **weapon, failed_attacks=1, misuse=1)
    after = min(10, boxes + 2)
    assert found["boxes"] == after
    assert found["hit_penalty"] == (10 if after >= 8 else 0)
    assert found["broken"] is (after == 10)
    armour = {"item": "armour", "action": "use", "boxes": boxes}
    worn = ask("condition", **armour, damaging_hits=13)
    assert (worn["boxes"], worn["carry"]) == (after, 3)
    assert worn["modifier"] == WEAR[after]


@pytest.mark.parametrize(
    ("boxes", "roll", "second", "cleared"),
    [
        (5, 40, None, 2),
        (1, 40, None, 1),
        (5, 41, None, 0),
        (5, 41, 50, 1),
        (5, 41, 51, 0),
        (0, 41, 50, 0),
        (5, 40, 50, 2),
    ],
)
def test_a_weapon_is_repaired_by_either_skill(boxes, roll, second, cleared) -> None:
    asked = {"item": "weapon", "action": "repair", "boxes": boxes}
    more = {} if second is None else {"weapon_skill": 50, "weapon_roll": second}
    found = ask("condition", **asked, repair_skill=40, repair_roll=roll, **more)
    assert (found["success"], found["cleared"]) == (roll <= 40, cleared)
    assert (found["boxes"], found["hours"]) == (boxes - cleared, 1)


def test_armour_and_machines_are_repaired() -> None:
    armour = {"item": "armour", "action": "repair", "boxes": 6, "repair_skill": 40}
    assert ask("condition", **armour, repair_roll=40)["boxes"] == 4
    failed = ask("condition", **armour, repair_roll=41)
    assert (failed["cleared"], failed["hours"]) == (0, 4)
    machine = {"item": "machine", "action": "repair", "repair_skill": 40}
    fixed = ask("condition", **machine, repair_roll=1, dice=[1, 2, 3])
    assert (fixed["hp_restored"], fixed["hours"]) == (6, 3)
    assert ask("condition", **machine, repair_roll=41)["hp_restored"] == 0


@pytest.mark.parametrize(
    ("given_", "field"),
    [
        ({"item": "machine", "action": "use"}, "action"),
        ({"item": "shoe", "action": "use"}, "item"),
        ({"item": "weapon"}, "action"),
        ({"item": "weapon", "action": "use", "boxes": 11}, "boxes"),
        ({"item": "armour", "action": "use", "boxes": 1}, "damaging_hits"),
        (
            {
                "item": "machine",
                "action": "repair",
                "repair_skill": 40,
                "repair_roll": 1,
            },
            "dice",
        ),
        (
            {
                "item": "machine",
                "action": "repair",
                "repair_skill": 40,
                "repair_roll": 1,
                "dice": [1, 2],
            },
            "dice",
        ),
    ],
)
def test_what_a_condition_needs(given_: dict, field: str) -> None:
    assert fault("condition", **given_) == field


def test_fire_burns_each_round() -> None:
    found = ask("hazard", hazard="fire", dice=[6, 1, 3], extinguish=True)
    assert (found["damage"], found["rounds"], found["stand_up_ap"]) == (10, 3, 4)
    assert ask("hazard", hazard="fire", dice=[6])["stand_up_ap"] == 0
    assert fault("hazard", hazard="fire", dice=[]) == "dice"


@given(st.integers(0, 30), st.integers(0, 30))
def test_animal_poison_lasts_eighteen_hours(hours: int, saves: int) -> None:
    counted = min(hours, 18)
    asked = {"hazard": "animal_poison", "hours": hours, "saves": saves}
    if saves > counted:
        assert fault("hazard", **asked) == "saves"
        return
    found = ask("hazard", **asked)
    assert (found["damage"], found["active"]) == (counted - saves, hours < 18)


@pytest.mark.parametrize(
    ("kg", "chance"), [(0, 0), (0.3, 0), (0.4, 1), (4, 12), (33.4, 100)]
)
def test_a_heavy_weapon_knocks_down(kg: float, chance: int) -> None:
    for roll in (1, 12, 13, 100):
        found = ask("hazard", hazard="knockdown", weapon_kg=kg, roll=roll)
        assert (found["chance"], found["down"]) == (chance, roll <= chance)


@pytest.mark.parametrize(
    ("given_", "resistance"),
    [
        ({"against": "poison"}, 25),
        ({"against": "poison", "recoveries": 3}, 31),
        ({"against": "poison", "fast_metabolism": True, "recoveries": 1}, 2),
        ({"against": "radiation", "recoveries": 3}, 10),
        ({"against": "radiation", "antirad": True}, 50),
        ({"against": "poison", "antirad": True}, 25),
    ],
)
def test_resistance(given_: dict, resistance: int) -> None:
    for roll in (resistance, resistance + 1):
        found = ask("resist", endurance=5, roll=roll, level=2, **given_)
        assert found["resistance"] == resistance
        assert found["resisted"] is (roll == resistance)
        poisoned = 2 + (roll > resistance)
        assert found["level"] == (poisoned if given_["against"] == "poison" else None)


@pytest.mark.parametrize(
    ("arms", "legs", "agility"),
    [(0, 0, 7), (0, 1, 3), (0, 2, 1), (1, 0, 6), (2, 1, 1), (1, 2, 1), (2, 0, 5)],
)
def test_broken_limbs(arms: int, legs: int, agility: int) -> None:
    found = ask("injury", agility=7, perception=6, broken_arms=arms, broken_legs=legs)
    assert (found["agility"], found["perception"]) == (agility, 6)
    assert found["ap_per_hex"] == (1, 2, None)[legs]
    assert found["max_hexes"] == (1 if legs == 2 else None)
    assert (found["two_handed"], found["weapons"]) == (arms == 0, arms < 2)
    assert found["recovery_hours"] == (48 if arms or legs else 0)
    blind = ask("injury", agility=1, perception=6, blind=True)
    assert (blind["perception"], blind["light_penalty"]) == (1, 200)
    assert blind["recovery_hours"] == 48


SIXES = {"st": 6, "pe": 6, "en": 6, "ag": 6}


@pytest.mark.parametrize(
    ("hours", "checks", "outcome", "special"),
    [
        (23, [], "none", [6, 6, 6, 6]),
        (24, [], "withdrawal", [6, 6, 5, 5]),
        (47, [], "withdrawal", [6, 6, 5, 5]),
        (48, [], "withdrawal", [5, 4, 4, 3]),
        (72, [], "unconscious", [5, 4, 4, 3]),
        (80, [1, 1, 1, 1, 0, 0, 0, 0], "unconscious", [5, 4, 4, 3]),
        (80, [1, 1, 1, 1, 1, 0, 0, 0, 0, 0], "recovered", [6, 6, 5, 6]),
        (80, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1], "dead", [5, 4, 4, 3]),
        (80, [1, 0, 0, 0, 0, 0, 0, 1], "dead", [5, 4, 4, 3]),
    ],
)
def test_withdrawal(hours, checks, outcome, special) -> None:
    asked = {"stage": "withdrawal", "special": SIXES, "hours": hours}
    found = ask("addiction", **asked, checks=[bool(check) for check in checks])
    assert found["outcome"] == outcome
    assert list(found["special"].values()) == special
    assert found["can_heal"] is (outcome in ("none", "recovered"))


def test_withdrawal_leaves_at_least_one_and_rolls_late() -> None:
    ones = dict.fromkeys(SIXES, 1)
    asked = {"stage": "withdrawal", "special": ones}
    assert ask("addiction", **asked, hours=50)["special"] == ones
    done = ask("addiction", **asked, hours=80, checks=[True] * 5)
    assert done["special"] == ones
    assert fault("addiction", **asked, hours=71, checks=[True]) == "checks"
    assert fault("addiction", **asked, hours=72, checks=[1]) == "checks[0]"
    assert ask("addiction", **asked, hours=71, checks=[])["outcome"] == "withdrawal"


def test_a_drug_addicts_up_to_its_strength() -> None:
    for roll, addicted in ((25, True), (26, False)):
        found = ask("addiction", stage="take", strength=30, modifier=-5, roll=roll)
        assert (found["chance"], found["addicted"]) == (25, addicted)
    assert fault("addiction", stage="take", strength=101, roll=1) == "strength"


def test_rest_heals_by_whole_times() -> None:
    rest = {"method": "rest", "heal_rate": 11}
    assert ask("healing", **rest, resting_hours=17, active_hours=23)["hp"] == 22
    assert ask("healing", **rest, resting_hours=6, active_hours=48)["hp"] == 33
    assert ask("healing", **rest, resting_hours=60, withdrawal=True)["hp"] == 0


@pytest.mark.parametrize(
    ("given_", "allowed", "hp"),
    [
        ({"uses_today": 0, "heal_die": 7}, True, 7),
        ({"uses_today": 4, "heal_die": 7}, False, 0),
        ({"uses_today": 0, "in_combat": True, "heal_die": 7}, False, 0),
        ({"uses_today": 3, "in_combat": True, "target_unconscious": True}, True, 1),
        ({"uses_today": 0, "roll": 61}, True, 0),
    ],
)
def test_medicine(given_: dict, allowed: bool, hp: int) -> None:
    found = ask("healing", **{"method": "medicine", "skill": 60, "roll": 60} | given_)
    assert (found["allowed"], found["hp"]) == (allowed, hp)
    assert found["success"] is (hp > 0)
    assert found["uses_today"] == given_["uses_today"] + allowed


def test_a_success_of_medicine_needs_its_die() -> None:
    asked = {"method": "medicine", "skill": 60, "uses_today": 0}
    assert fault("healing", **asked, roll=60) == "heal_die"
    assert fault("healing", method="prayer") == "method"


@pytest.mark.parametrize(
    ("stage", "good", "bad", "seconds", "secret"),
    [
        ("detect", "noticed", "unnoticed", None, True),
        ("disarm", "disarmed", "not_disarmed", 10, False),
        ("set", "set", "faulty", None, True),
        ("avoid", "avoided", "triggered", None, False),
    ],
)
def test_traps(stage, good, bad, seconds, secret) -> None:
    for roll, result in ((6, good), (7, bad)):
        found = ask("trap", stage=stage, value=6, die=10, roll=roll)
        assert (found["result"], found["success"]) == (result, result == good)
        assert (found["seconds"], found["secret"]) == (seconds, secret)
    assert fault("trap", stage=stage, value=6, die=10, roll=11) == "roll"


def test_sneaking_noticing_and_stealing() -> None:
    for light, factor in (("normal", 8), ("shadow", 5), ("dark", 2)):
        asked = {"action": "detect", "perception": 6, "light": light}
        found = ask("stealth", **asked, roll=6 * factor)
        assert (found["chance"], found["success"]) == (6 * factor, True)
    sneak = ask("stealth", action="sneak", skill=30, modifier=-5, roll=26)
    assert (sneak["chance"], sneak["success"]) == (25, False)
    helped = ask("stealth", action="sneak", skill=30, sneaking=True, roll=31)
    assert helped["chance"] == 30
    for roll, success in ((70, True), (71, False)):
        asked = {"action": "steal", "skill": 30, "sneaking": True}
        theft = ask("stealth", **asked, roll=roll)
        assert (theft["success"], theft["noticed"]) == (success, not success)


@pytest.mark.parametrize(
    ("roll", "success", "broken"),
    [(95, True, False), (94, True, False), (97, False, True)],
)
def test_a_lock_breaks_only_on_a_bad_failure(roll, success, broken) -> None:
    found = ask("lockpick", skill=90, modifier=6, roll=roll)
    assert (found["success"], found["lock_broken"]) == (success, broken)
    assert (found["chance"], found["minutes"]) == (96, 1)
    assert ask("lockpick", skill=50, roll=94)["lock_broken"] is False


def test_swimming() -> None:
    asked = {"topic": "swim", "strength": 5, "minutes": 25, "mode": "float"}
    safe = ask("travel", **asked, load_kg=50, free_hands=1)
    assert (safe["sinks"], safe["can_swim"], safe["checks"]) == (False, True, 2)
    assert ask("travel", **asked, load_kg=50, free_hands=0)["can_swim"] is False
    assert ask("travel", **asked, load_kg=50.01, free_hands=2)["sinks"] is True
    swims = {**asked, "mode": "swim"}
    assert ask("travel", **swims, load_kg=0, free_hands=2)["checks"] == 25


def test_ratings_and_money() -> None:
    for ap, attacks in ((1, 10), (3, 3), (4, 2), (6, 1), (10, 1)):
        found = ask("gear", topic="rating", min=2, max=9, ap=ap)
        assert (found["attacks"], found["low"]) == (attacks, 2 * attacks)
        assert found["high"] == 9 * attacks
    assert fault("gear", topic="rating", min=3, max=2, ap=4) == "max"
    assert ask("gear", topic="money", trade=20, base=0)["money"] == 60
