from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.device.rules.asking import Game

GAME = Game("special")
ask, fault = GAME.ask, GAME.fault
KEYS = ("st", "pe", "en", "ch", "in", "ag", "lk")
FIVES = dict.fromkeys(KEYS, 5)
stats = st.fixed_dictionaries({key: st.integers(1, 10) for key in KEYS})


@given(stats)
def test_derived_numbers_without_traits(s: dict) -> None:
    found = ask("character", special=s)
    assert found["special"] == found["special_now"] == s
    assert found["ap"] == 5 + s["ag"] // 2
    assert found["carry_kg"] == 6 + 10 * s["st"]
    assert found["sequence"] == s["ag"] + s["st"]
    assert found["heal_rate"] == s["en"] + 6
    assert found["throw_range"] == s["st"] + 6
    assert (found["crit_chance"], found["damage_resistance"]) == (s["lk"], 0)
    assert found["armour_class"] == s["ag"]
    assert found["hp"] == 15 + s["st"] + 2 * s["en"]
    assert found["skill_points"] == 5 + 2 * s["in"]
    assert found["poison_resistance"] == 5 * s["en"]
    assert found["radiation_resistance"] == 2 * s["en"]
    assert found["melee_damage"] == max(1, s["st"] - 5)


@pytest.mark.parametrize(
    ("trait", "changed"),
    [
        ("fast_metabolism", {"heal_rate": 13, "poison_resistance": 0}),
        ("bruiser", {"ap": 5, "carry_kg": 76, "melee_damage": 2}),
        ("small_frame", {"ap": 8, "carry_kg": 75, "armour_class": 6}),
        ("finesse", {"crit_chance": 15}),
        ("kamikaze", {"armour_class": 0, "sequence": 15}),
        ("heavy_handed", {"melee_damage": 5}),
        ("heavy_throw", {"throw_range": 11}),
        ("gifted", {"hp": 33, "skill_points": 12, "crit_chance": 6}),
        ("one_hander", {"ap": 7}),
    ],
)
def test_what_a_trait_changes(trait: str, changed: dict) -> None:
    found = ask("character", special=FIVES, traits=[trait])
    assert {key: found[key] for key in changed} == changed


def test_lasting_stats_stay_within_one_and_ten() -> None:
    tens = dict.fromkeys(KEYS, 10)
    assert ask("character", special=tens, traits=["gifted"])["special"] == tens
    ones = {**FIVES, "pe": 1}
    found = ask("character", special=ones, traits=["technomage"])
    assert found["special"]["pe"] == 1
    both = ask("character", special=ones, traits=["gifted", "technomage"])
    assert both["special"]["pe"] == 1


@pytest.mark.parametrize(
    ("time", "change"),
    [("06:00", 1), ("06:01", -1), ("18:00", -1), ("18:01", 1), ("00:00", 1)],
)
def test_a_night_person_wakes_in_the_evening(time: str, change: int) -> None:
    found = ask("character", special=FIVES, traits=["night_person"], time=time)
    assert found["special"] == FIVES
    assert found["special_now"] == {**FIVES, "pe": 5 + change, "in": 5 + change}
    assert ask("character", special=FIVES, time=time)["special_now"] == FIVES


def test_sex_appeal_works_both_ways() -> None:
    for partner, charm in (("opposite", 6), ("same", 4)):
        asked = {"special": FIVES, "traits": ["sex_appeal"], "partner": partner}
        assert ask("character", **asked)["special_now"]["ch"] == charm
    full = {**FIVES, "ch": 10}
    asked = {"special": full, "traits": ["sex_appeal"], "partner": "opposite"}
    assert ask("character", **asked)["special_now"]["ch"] == 10


@pytest.mark.parametrize(
    ("given_", "field"),
    [
        ({"traits": ["bruiser", "gifted", "jinxed"]}, "traits"),
        ({"traits": ["bruiser", "bruiser"]}, "traits[1]"),
        ({"traits": ["bruiser", "brave"]}, "traits[1]"),
        ({"time": "24:00"}, "time"),
        ({"time": "6:00"}, "time"),
        ({"time": "06:60"}, "time"),
        ({"partner": "none"}, "partner"),
        ({"special": {**FIVES, "in": 0}}, "special.in"),
        ({"special": {**FIVES, "xx": 1}}, "special.xx"),
    ],
)
def test_a_badly_described_character_is_refused(given_: dict, field: str) -> None:
    assert fault("character", **{"special": FIVES, **given_}) == field


def test_skills_of_an_average_character() -> None:
    assert ask("skills", special=FIVES)["skills"] == {
        "energy": 10,
        "firearms": 10,
        "archery": 15,
        "cold": 40,
        "unarmed": 50,
        "throwing": 20,
        "lockpick": 20,
        "medicine": 20,
        "repair": 15,
        "science": 20,
        "stealth": 15,
        "performance": 20,
        "trade": 20,
        "survival": 20,
        "animals": 15,
        "riding": 10,
        "driving": 20,
    }


def test_traits_change_skills_but_not_below_zero() -> None:
    ones = dict.fromkeys(KEYS, 1)
    gifted = ask("skills", special=ones, traits=["gifted"])["skills"]
    assert (gifted["energy"], gifted["cold"], gifted["repair"]) == (0, 18, 0)
    techno = ask("skills", special=FIVES, traits=["technomage"])["skills"]
    assert (techno["science"], techno["repair"]) == (35, 30)
    assert techno["lockpick"] == 34  # Perception is one less


@pytest.mark.parametrize(
    ("xp", "level", "following"),
    [
        (0, 1, 1000),
        (999, 1, 1000),
        (1000, 2, 3000),
        (209_999, 20, 210_000),
        (210_000, 21, 250_000),
        (249_999, 21, 250_000),
        (250_000, 22, 290_000),
        (1_010_000, 41, 1_050_000),
    ],
)
def test_levels_by_experience(xp: int, level: int, following: int) -> None:
    found = ask("level", xp=xp, endurance=5, intelligence=6)
    assert (found["level"], found["next_xp"]) == (level, following)
    assert found["perk"] is (level % 2 == 0)
    assert (found["hp_gain"], found["skill_points"]) == (5, 17)


@given(st.integers(0, 10**12))
def test_experience_lies_between_two_levels(xp: int) -> None:
    found = ask("level", xp=xp, endurance=1, intelligence=1, gifted=True)
    assert xp < found["next_xp"]
    assert found["skill_points"] == 2
    again = ask("level", xp=found["next_xp"], endurance=1, intelligence=1)
    assert again["level"] == found["level"] + 1


def price(value: int) -> int:
    steps = ((100, 1), (125, 2), (150, 3), (175, 4), (200, 5))
    return next((cost for up_to, cost in steps if value <= up_to), 6)


@given(st.integers(0, 300), st.integers(0, 300))
def test_each_percent_is_paid_by_the_value_before_it(a: int, b: int) -> None:
    low, high = sorted((a, b))
    found = ask("skill_cost", **{"from": low, "to": high})
    assert found["cost"] == sum(price(value) for value in range(low, high))
    if low < high:
        assert fault("skill_cost", **{"from": high, "to": low}) == "to"
