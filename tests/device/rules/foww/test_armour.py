from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.device.rules.foww.asking import ask, fault

BASE = {"card": "unit", "physical": 3, "energy": "2+1", "radiation": "-"}
small = st.integers(0, 6)


def rating(against: list[str], **more: object) -> tuple:
    found = ask("armour_rating", **{"against": against, "base": BASE, **more})
    return found["rating"], found["sturdy"], found["type"], found["source"]


def test_each_type_has_its_own_rating() -> None:
    assert rating(["physical"]) == (3, 0, "physical", "base")
    assert rating(["energy"]) == (2, 1, "energy", "base")
    assert rating(["radiation"]) == (0, 0, "radiation", "base")
    assert rating(["energy"], base={"card": "bare"}) == (0, 0, "energy", "base")
    nothing = {"card": "bare", "energy": None}
    assert rating(["energy"], base=nothing) == (0, 0, "energy", "base")


def test_one_card_of_each_type_modifies() -> None:
    cards = [
        {"card_type": "clothing", "physical": 1},
        {"card_type": "mod", "physical": 1, "energy": 1},
    ]
    assert rating(["physical"], modifiers=cards)[0] == 5
    assert rating(["energy"], modifiers=cards)[:2] == (3, 1)
    twice = [cards[0], cards[0]]
    asked = {"against": ["physical"], "base": BASE}
    assert fault("armour_rating", **asked, modifiers=twice) == "modifiers"
    assert fault("armour_rating", **asked, power_armour_mods=twice) == (
        "power_armour_mods"
    )


def test_power_armour_replaces_and_only_its_mods_add() -> None:
    found = rating(
        ["physical"],
        base={"card": "unit", "physical": 9},
        modifiers=[{"card_type": "clothing", "physical": 9}],
        power_armour={"card": "T-60", "physical": "3+1"},
        power_armour_mods=[{"card_type": "mod", "physical": 1}],
    )
    assert found == (4, 1, "physical", "power_armour")
    alone = {"against": ["energy"], "power_armour": {"card": "T-60", "energy": 4}}
    assert ask("armour_rating", **alone)["rating"] == 4


def test_the_worse_of_several_ratings_counts() -> None:
    assert rating(["physical", "energy"], worse=True)[:3] == (2, 1, "energy")
    assert rating(["physical", "radiation"], worse=True)[2] == "radiation"
    even = {"card": "unit", "physical": "2+1", "energy": 2}
    assert rating(["physical", "energy"], worse=True, base=even)[1:3] == (0, "energy")


@pytest.mark.parametrize(
    ("given_", "field"),
    [
        ({"base": BASE}, "against"),
        ({"against": [], "base": BASE}, "against"),
        ({"against": ["physical", "energy"], "base": BASE}, "against"),
        ({"against": ["physical"]}, "base"),
        ({"against": ["physical"], "base": {"physical": 1}}, "base.card"),
        ({"against": ["physical"], "base": {"card": "u", "fire": 1}}, "base.fire"),
        (
            {"against": ["physical"], "base": {"card": "u", "energy": "2+"}},
            "base.energy",
        ),
        (
            {"against": ["physical"], "base": {"card": "u", "energy": 1.5}},
            "base.energy",
        ),
    ],
)
def test_a_badly_asked_rating_is_refused(given_: dict, field: str) -> None:
    assert fault("armour_rating", **given_) == field


@given(small, small, small, small, small, small, st.sampled_from("1234"), st.data())
def test_the_check_stops_what_the_rule_says(
    amount, armour, sturdy, cover, penetration, boost, die, data
) -> None:
    ignored = data.draw(st.integers(0, amount))
    found = ask(
        "armour_check",
        amount=amount,
        rating=armour,
        sturdy=sturdy,
        cover=cover,
        penetration=penetration,
        boost_icons=boost,
        ignore_armour=ignored,
        die=die,
    )
    effective = max(0, armour + (cover > 0) - penetration)
    block = int(die) if int(die) <= effective else 0
    always = max(sturdy, 1 if boost else 0)
    assert found["effective_rating"] == effective
    assert found["check_needed"] is (effective > 0)
    assert (found["die_block"], found["sturdy_used"]) == (block, always)
    assert found["blocked"] == min(amount - ignored, block + always)
    assert found["blocked"] + found["taken"] == amount
    assert found["taken"] >= ignored
    assert found["boost_icons_left"] == max(0, boost - 1)


def test_the_die_is_needed_only_where_a_check_is() -> None:
    assert fault("armour_check", amount=2, rating=1) == "die"
    found = ask("armour_check", amount=2, rating=1, penetration=1)
    assert (found["check_needed"], found["taken"]) == (False, 2)


def test_no_more_points_ignore_armour_than_there_are() -> None:
    asked = {"amount": 2, "rating": 0, "ignore_armour": 3}
    assert fault("armour_check", **asked) == "ignore_armour"
