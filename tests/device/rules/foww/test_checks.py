from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.rules.dice import SKILL_FACES
from tests.device.rules.foww.asking import ask, dice, fault

ratings = st.integers(-6, 14)
faces = st.sampled_from(SKILL_FACES)
accuracies = st.lists(st.sampled_from(["acc1", "acc2", "acc3", "dmg", ""]), max_size=4)


@pytest.mark.parametrize(
    ("given_", "change"),
    [
        ({}, 0),
        ({"bonus": -3}, -3),
        ({"specialisation": True}, 2),
        ({"quick_action": True}, -2),
        ({"attack": "throw", "cover": 3}, -6),
        ({"attack": "melee", "ranged_weapon_in_melee": True}, -2),
        ({"attack": "shoot", "into_melee": True}, 2),
        ({"attack": "melee", "target_stunned": True}, 2),
        ({"frozen": True}, -2),
        ({"injured_arm": True}, -2),
        ({"specialisation": True, "injured_arm": True, "frozen": True}, -2),
    ],
)
def test_modifiers_are_summed_and_applied_once(given_: dict, change: int) -> None:
    found = ask("rating", rating=5, **given_)
    assert found["modifier"] == change
    assert found["rating"] == 5 + change
    assert found["low_rating"] is (5 + change < 1)


@pytest.mark.parametrize(
    ("given_", "bonus"),
    [
        ({"attack": "shoot", "cover": 4}, 1),
        ({"attack": "shoot"}, 0),
        ({"attack": "melee", "ranged_weapon_in_melee": True}, 1),
        (
            {
                "attack": "melee",
                "ranged_weapon_in_melee": True,
                "charge_reaction": True,
            },
            0,
        ),
    ],
)
def test_any_cover_helps_the_target_once(given_: dict, bonus: int) -> None:
    assert ask("rating", rating=5, **given_)["target_armour_bonus"] == bonus


@pytest.mark.parametrize(
    ("field", "value", "attacks"),
    [
        ("cover", 1, ("none", "melee")),
        ("into_melee", True, ("none", "melee")),
        ("ranged_weapon_in_melee", True, ("none", "shoot", "throw")),
        ("target_stunned", True, ("none", "shoot", "throw")),
    ],
)
def test_a_circumstance_of_another_attack_is_refused(field, value, attacks) -> None:
    for attack in attacks:
        assert fault("rating", rating=5, attack=attack, **{field: value}) == field
        quiet = {field: type(value)(0)}
        assert ask("rating", rating=5, attack=attack, **quiet)["modifier"] == 0


def test_without_the_skill_nothing_else_matters() -> None:
    found = ask("rating", rating=None, attack="shoot", cover=2, bonus=4)
    del found["steps"], found["open"]
    assert found == {
        "can_attempt": False,
        "rating": None,
        "modifier": 0,
        "low_rating": False,
        "target_armour_bonus": 0,
    }


@given(ratings, faces, accuracies, st.integers(-3, 3))
def test_a_check_succeeds_exactly_by_the_rule(rating, face, icons, modifier) -> None:
    effects = dice("green", *icons)
    found = ask(
        "skill_check",
        rating=rating,
        skill=face,
        effects=effects,
        result_modifier=modifier,
    )
    fails = face.startswith("x")
    accuracy = -sum(int(i[3]) for i in icons if i.startswith("acc"))
    value = int(face) if face.isdigit() else 1
    assert found["accuracy"] == accuracy
    assert found["auto_fail"] is fails
    if fails:
        assert (found["base_result"], found["result"], found["margin"]) == (None,) * 3
        assert found["success"] is False
        return
    result = value + accuracy + modifier
    assert (found["base_result"], found["result"]) == (value, result)
    assert found["margin"] == result - rating
    expected = face == "crit" if rating < 1 else result <= rating
    assert found["success"] is expected


@given(ratings, faces, st.booleans())
def test_an_action_point_survives_a_failure_but_not_a_quick_action(
    rating: int, face: str, quick: bool
) -> None:
    found = ask("skill_check", rating=rating, skill=face, quick_action=quick)
    assert found["ap"] == int(face in ("ap", "x_ap") and not quick)
    assert found["crit_icons"] == int(face == "crit" and found["success"])


def test_icons_count_only_on_a_success() -> None:
    effects = dice("black", "dmg+dmg", "dmg+pen") + dice("blue", "star", "bottle+burst")
    counted = {"dmg": 3, "pen": 1, "bottle": 1, "star": 1, "burst": 1}
    hit = ask("skill_check", rating=5, skill="5", effects=effects)
    assert hit["icons"] == counted
    missed = ask("skill_check", rating=5, skill="6", effects=effects)
    assert missed["icons"] == dict.fromkeys(counted, 0)


def test_the_other_reading_of_a_low_rating_can_be_chosen() -> None:
    for face in ("ap", "crit"):
        found = ask("skill_check", rating=0, skill=face, low_rating_face="ap")
        assert found["success"] is (face == "ap")


@pytest.mark.parametrize(
    ("given_", "field"),
    [
        ({"rating": 5}, "skill"),
        ({"rating": 5, "skill": 4}, "skill"),
        ({"rating": 5, "skill": "1"}, "skill"),
        ({"rating": 5, "skill": None}, "skill"),
        ({"rating": "5", "skill": "4"}, "rating"),
        ({"rating": True, "skill": "4"}, "rating"),
        ({"skill": "4"}, "rating"),
        ({"rating": 5, "skill": "4", "quick_action": 0}, "quick_action"),
        ({"rating": 5, "skill": "4", "low_rating_face": "x"}, "low_rating_face"),
        ({"rating": 5, "skill": "4", "effects": {}}, "effects"),
        ({"rating": 5, "skill": "4", "effects": [{"die": "red"}]}, "effects[0].die"),
        (
            {"rating": 5, "skill": "4", "effects": dice("blue", "dmg+dmg+dmg")},
            "effects[0].icons",
        ),
        (
            {"rating": 5, "skill": "4", "effects": dice("blue", "dmg", "dmg+cog")},
            "effects[1].icons[1]",
        ),
    ],
)
def test_a_badly_asked_check_is_refused(given_: dict, field: str) -> None:
    assert fault("skill_check", **given_) == field


def test_four_dice_of_a_colour_are_allowed_five_are_not() -> None:
    four = [die for c in ("black", "green") for die in dice(c, *[""] * 4)]
    assert ask("skill_check", rating=5, skill="2", effects=four)["success"]
    five = [*four, *dice("green", "acc1")]
    assert fault("skill_check", rating=5, skill="2", effects=five) == "effects"


sides = st.fixed_dictionaries({"rating": st.none() | ratings, "skill": faces})


@given(sides, sides, st.sampled_from(["higher_rating", "attacker"]))
def test_only_a_success_wins_and_the_higher_one(a: dict, b: dict, tie: str) -> None:
    found = ask("opposed_check", a=a, b=b, tie=tie)
    alone = {name: ask("skill_check", **side) for name, side in (("a", a), ("b", b))}
    for name, check in alone.items():
        assert found[name] == {k: check[k] for k in ("success", "result")}
    winner = found["winner"]
    if winner is None:
        equal = found["by"] == "tie" and tie != "attacker"
        assert equal or not any(check["success"] for check in alone.values())
        return
    loser = "b" if winner == "a" else "a"
    assert alone[winner]["success"]
    if alone[loser]["success"]:
        results = alone[winner]["result"], alone[loser]["result"]
        assert results[0] >= results[1]
        if results[0] == results[1]:
            higher = {"a": a, "b": b}
            assert (
                winner == "a"
                if tie == "attacker"
                else (higher[winner]["rating"] > higher[loser]["rating"])
            )


def test_equal_results_and_ratings_are_left_to_the_players() -> None:
    side = {"rating": 5, "skill": "4"}
    found = ask("opposed_check", a=side, b=side)
    assert (found["winner"], found["by"], found["open"]) == (None, "tie", ["O4"])


def test_two_zeros_below_one_can_tie() -> None:
    crit = {"rating": 0, "skill": "crit"}
    assert ask("opposed_check", a=crit, b=crit)["by"] == "tie"
