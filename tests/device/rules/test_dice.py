from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.data.load import load_dice_set
from device.errors import UnknownFace, UnknownTable
from device.rules.dice import (
    ARMOUR_FACES,
    EFFECT_COLOURS,
    EFFECT_ICONS,
    SIDES,
    SKILL_FACES,
    Die,
    dice_set,
    face_chances,
    face_icons,
    face_key,
)

DEMO = load_dice_set("demo")
FOWW = load_dice_set("foww")
icon_lists = st.lists(st.sampled_from(EFFECT_ICONS), max_size=2)


def sides_with(die: Die, *icons: str) -> int:
    return sum(bool(set(icons) & set(face_icons(side))) for side in die.sides)


@given(icon_lists)
def test_an_effect_face_survives_the_way_to_its_key_and_back(icons: list[str]) -> None:
    assert face_icons(face_key(icons)) == tuple(sorted(icons))


@pytest.mark.parametrize("key", ["cog", "dmg+cog", "dmg+dmg+dmg", "dmg+bottle", ""])
def test_a_face_that_no_effect_die_can_have_is_refused(key: str) -> None:
    with pytest.raises(UnknownFace):
        face_icons(key)


@pytest.mark.parametrize("name", ["demo", "foww"])
def test_both_sets_hold_the_same_dice(name: str) -> None:
    dice = load_dice_set(name).dice
    assert [(d.name, d.shape) for d in dice] == [
        ("skill", "d20"),
        ("armour", "d12"),
        *((colour, "d12") for colour in EFFECT_COLOURS),
        ("luck", "coin"),
    ]


@pytest.mark.parametrize("die", DEMO.dice, ids=lambda die: die.name)
def test_every_side_of_a_demonstration_die_is_named(die: Die) -> None:
    assert len(die.sides) == SIDES[die.shape]
    assert sum(face.count or 0 for face in die.faces) == len(die.sides)
    assert all(die.face(side).key == side for side in die.sides)


def test_the_demonstration_set_says_what_it_is() -> None:
    assert DEMO.note == "demonstration, not the printed dice"
    assert not any(die.verified for die in DEMO.dice)


def test_the_demonstration_skill_die_keeps_the_known_totals() -> None:
    sides = DEMO.die("skill").sides
    assert set(sides) == set(SKILL_FACES)
    assert sum(side in ("x", "x_ap") for side in sides) == 3
    assert sides.count("x_ap") == 1
    assert sum(side in ("ap", "crit") for side in sides) == 5


@pytest.mark.parametrize("name", ["demo", "foww"])
def test_the_armour_die_has_four_three_three_and_two_faces(name: str) -> None:
    sides = load_dice_set(name).die("armour").sides
    assert [sides.count(face) for face in ARMOUR_FACES] == [4, 3, 3, 2]


@pytest.mark.parametrize(
    ("colour", "damage", "damage_or_penetration"),
    [("black", 6, 7), ("yellow", 1, 7), ("green", 2, 4)],
)
def test_the_demonstration_effect_dice_keep_the_known_totals(
    colour: str, damage: int, damage_or_penetration: int
) -> None:
    die = DEMO.die(colour)
    assert sides_with(die, "dmg") == damage
    assert sides_with(die, "dmg", "pen") == damage_or_penetration


def test_the_demonstration_green_die_shows_every_accuracy() -> None:
    die = DEMO.die("green")
    assert all(sides_with(die, icon) for icon in ("acc1", "acc2", "acc3"))


def test_the_demonstration_blue_die_has_stars_on_four_sides_and_no_blank() -> None:
    die = DEMO.die("blue")
    assert sides_with(die, "star") == 4
    assert "bottle+star" in die.sides
    assert "blank" not in die.sides


def test_what_nobody_has_counted_is_absent_from_the_printed_set() -> None:
    assert FOWW.die("skill").sides == ()
    assert FOWW.die("skill").face("7").count is None
    assert FOWW.die("skill").face("x_ap").count == 1
    assert not any(FOWW.die(colour).sides for colour in EFFECT_COLOURS)


def test_an_unlisted_face_of_an_uncounted_effect_die_can_be_taught() -> None:
    face = FOWW.die("green").face("acc2+bottle")
    assert face.icons == ("acc2", "bottle")
    assert face.count is None


@pytest.mark.parametrize(
    ("name", "face"), [("skill", "1"), ("skill", "11"), ("armour", "5"), ("luck", "x")]
)
@pytest.mark.parametrize("dice", [DEMO, FOWW], ids=lambda dice: dice.name)
def test_an_impossible_face_is_refused(dice, name: str, face: str) -> None:
    with pytest.raises(UnknownFace, match=name):
        dice.die(name).face(face)


def test_a_counted_effect_die_refuses_a_face_that_it_does_not_have() -> None:
    with pytest.raises(UnknownFace, match="blue"):
        DEMO.die("blue").face("blank")


def test_an_unknown_die_or_set_is_named() -> None:
    with pytest.raises(UnknownTable, match="purple"):
        DEMO.die("purple")
    with pytest.raises(UnknownTable, match="nobody"):
        load_dice_set("nobody")


def test_the_chances_of_a_verified_die_are_exact() -> None:
    chances = {face.key: chance for face, chance in face_chances(FOWW.die("armour"))}
    assert chances == {
        "1": Fraction(1, 3),
        "2": Fraction(1, 4),
        "3": Fraction(1, 4),
        "4": Fraction(1, 6),
    }


@pytest.mark.parametrize(
    "die",
    [die for dice in (DEMO, FOWW) for die in dice.dice if not die.verified],
    ids=lambda die: die.name,
)
def test_a_die_that_nobody_verified_has_no_odds(die: Die) -> None:
    with pytest.raises(UnknownTable, match="not verified"):
        face_chances(die)


def set_of(**changes: object) -> dict[str, object]:
    die = {
        "name": "armour",
        "shape": "d4",
        "colour": "red",
        "sides": ["1", "2", "3", "4"],
        "source": "a test",
        "verified": True,
    }
    row = {**die, **changes}
    kept = {k: v for k, v in row.items() if v is not None}
    return {"format": 1, "name": "test", "note": "", "die": [kept]}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"source": None}, "'source' is missing"),
        ({"verified": "yes"}, "'verified' has the wrong type"),
        ({"sides": ["1", "2"]}, "lists 2"),
        ({"sides": ["1", "2", "3", "9"]}, "no face '9'"),
        ({"sides": [1, 2, 3, 4]}, "a face is a text"),
        ({"sides": None}, "verified, but its sides are not listed"),
        ({"shape": "d7"}, "unknown shape 'd7'"),
        ({"color": "red"}, "unknown entry 'color'"),
        ({"name": "black", "sides": ["cog", "", "", ""]}, "unknown icon 'cog'"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_mistake_in_a_dice_table_is_named(changes: dict, says: str) -> None:
    with pytest.raises((UnknownTable, UnknownFace), match=says):
        dice_set(set_of(**changes), "test.toml")


def test_two_dice_of_one_name_are_refused() -> None:
    table = set_of()
    table["die"] = [*table["die"], *table["die"]]  # type: ignore[misc]
    with pytest.raises(UnknownTable, match="two dice of one name"):
        dice_set(table, "test.toml")
