"""Rosters as TOML: values, mistakes, cards that are remembered."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.cli import main
from device.rosters.cards import Cards, find_card
from device.rosters.problems import RosterError
from device.rosters.roster import MOST_BYTES, parse_cards, parse_roster
from device.rosters.store import (
    FILE,
    STARTERS,
    known_cards,
    remember_cards,
    shipped_cards,
    starter,
)
from device.rosters.writing import cards_toml, roster_toml

EXAMPLE = resources.files("device.data").joinpath("roster.toml.example").read_bytes()


def problems(text: str) -> list[str]:
    with pytest.raises(RosterError) as caught:
        parse_roster(text.encode(), shipped_cards())
    return [one.english for one in caught.value.problems]


def test_the_documented_example_is_a_roster() -> None:
    roster = parse_roster(EXAMPLE, Cards())
    assert [(unit.card.name.any, unit.count) for unit in roster.units] == [
        ("Paladin", 1),
        ("Рыцарь-патрульный", 3),
    ]
    paladin = roster.units[0].card
    assert paladin.special.perception == 7 and paladin.armour.physical == "3"
    assert paladin.power_armour is not None and paladin.power_armour.endurance == 4
    assert [(one.item.name.en, one.count) for one in paladin.items] == [
        ("Comfort grip", 1),
        ("Stimpak", 2),
    ]
    assert [name.any for name in roster.missing] == [
        "Comfort grip",
        "Рыцарь-патрульный",
    ]


def test_weapons_and_items_carry_what_their_cards_say() -> None:
    cards = parse_roster(EXAMPLE, Cards()).cards
    rifle, grenade = cards.weapons[0], cards.weapons[1]
    assert [(one.does, one.bottle, one.limit) for one in rifle.effects] == [
        ("ignore_armour", 1, None),
        ("burning", 2, 1),
        ("stunned", 0, None),
    ]
    assert [(row.least, row.most, row.range) for row in grenade.scatter] == [
        (1, 2, "orange"),
        (3, None, "yellow"),
    ]
    buffout = find_card(cards.items, "Buffout")
    assert buffout is not None
    assert buffout.columns == ((("str", 2),), (("str", 1), ("end", 1)), (("end", 2),))
    assert parse_cards(cards_toml(cards).encode()) == cards


def test_new_facts_are_checked_like_the_old_ones() -> None:
    text = """
        format = 1
        [[unit]]
        name = "Paladin"
        ranges = { move = "rde", hop = "red" }
        ap_use = ["move", "sleep"]
        abilities = ["fly"]
        [[weapon]]
        name = "Gun"
        effects = [{ does = "burning" }, { does = "melting", cost = { star = 1 } }, 3]
        scatter = [{ range = "red", form = 1 }]
        [[item]]
        name = "Pill"
        columns = [{ str = 1, luck = 2 }]
    """
    found = "\n".join(problems(text))
    for one in (
        "ranges: move has rde; did you mean red?",
        "hop is none of",
        "ap_use is none of",
        "abilities is none of",
        "effects 1: cost is missing",
        "effects 2: does is none of",
        "effects should be a table",
        "scatter 1: unknown field form; did you mean from?",
        "columns 1: unknown field luck; did you mean luc?",
    ):
        assert one in found, found


def test_every_mistake_is_reported_at_once() -> None:
    text = """
        format = 2
        [[unit]]
        name = "Paladin"
        healht = 5
        count = 0
        special = { str = "six" }
        armour = { physical = "3+" }
        skills = { rifle = "pre" }
        [[weapon]]
        damage = { fire = 2 }
        colour = "red"
    """
    assert sorted(problems(text)) == [
        "format: expected 1",
        'unit 1 (Paladin): armour: physical should be a rating: 3, "3+1", "-" or "X"',
        "unit 1 (Paladin): count should be a whole number, 1 to 20",
        "unit 1 (Paladin): skills: rifle has pre; did you mean per?",
        "unit 1 (Paladin): special: str should be a whole number, 0 to 20",
        "unit 1 (Paladin): unknown field healht; did you mean health?",
        "weapon 1: damage: fire is none of physical, energy, radiation",
        "weapon 1: name is missing",
        "weapon 1: unknown field colour",
    ]


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"format = ", "not_toml"),
        (b"\xff\xfe", "not_text"),
        (b"#" * (MOST_BYTES + 1), "too_large"),
        (b"format = 1", "no_units"),
        (b"a = " + b"[" * 5000, "not_toml"),
    ],
    ids=["toml", "text", "large", "empty", "nested"],
)
def test_a_file_that_is_no_roster_is_refused_in_one_line(data: bytes, key: str) -> None:
    with pytest.raises(RosterError) as caught:
        parse_roster(data, Cards())
    assert [one.key for one in caught.value.problems] == [key]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name", ["Knight Patrol", "рыцарь патрульный", "KNIGHT-PATROL"]
)
def test_a_unit_is_known_by_its_name_in_either_language(name: str) -> None:
    text = f'format = 1\n[[unit]]\nname = "{name}"\nhealth = 6\n'
    card = parse_roster(text.encode(), shipped_cards()).units[0].card
    assert card.special.perception == 5 and card.health == 6
    assert card.verified is False


@given(
    st.lists(
        st.tuples(st.integers(0, 5000), st.sampled_from(' "[]{}=,#a1-\n\\XЖ\0')),
        max_size=6,
    )
)
@settings(max_examples=200, deadline=None)
def test_whatever_is_typed_into_a_roster_it_is_read_or_refused(
    changes: list[tuple[int, str]],
) -> None:
    text = list(EXAMPLE.decode())
    for at, letter in changes:
        text[at % len(text)] = letter
    try:
        roster = parse_roster("".join(text).encode(), shipped_cards())
    except RosterError as error:
        assert error.problems and "\n" not in str(error)
        return
    again = parse_roster(roster_toml(roster).encode(), Cards())
    assert again.units == roster.units


def test_an_unknown_unit_is_kept_and_listed() -> None:
    roster = parse_roster(
        b'format = 1\n[[unit]]\nname = "Ghoul"\nweapons = ["Shovel"]\n', shipped_cards()
    )
    assert [name.any for name in roster.missing] == ["Ghoul", "Shovel"]
    assert roster.units[0].card.special.strength is None


@pytest.mark.parametrize("name", STARTERS)
def test_starter_armies_hold_only_what_the_sources_state(name: str) -> None:
    roster = starter(name)
    assert roster.units and not roster.missing
    for unit in roster.units:
        assert unit.card.source.startswith("rulebook §")
        assert not unit.card.verified
        assert unit.card.health is None  # on no page of the rulebook
    assert find_card(shipped_cards().items, "Стимулятор") is not None


def test_what_is_written_reads_back_the_same() -> None:
    for roster in (parse_roster(EXAMPLE, Cards()), *map(starter, STARTERS)):
        again = parse_roster(roster_toml(roster).encode(), Cards())
        assert again.units == roster.units and again.name == roster.name
    cards = shipped_cards()
    assert parse_cards(cards_toml(cards).encode()) == cards


def test_cards_entered_earlier_are_known_later(tmp_path: Path) -> None:
    text = b'format = 1\n[[unit]]\nname = "Paladin"\nhealth = 5\n'
    remember_cards(tmp_path, parse_roster(text, known_cards(tmp_path)).cards)
    bare = 'format = 1\n[[unit]]\nname = "Паладин"\n'.encode()
    card = parse_roster(bare, known_cards(tmp_path)).units[0].card
    assert card.health == 5 and card.special.agility == 7
    empty = b'format = 1\n[[unit]]\nname = "Ghoul"\n[[weapon]]\nname = "Laser rifle"\n'
    remember_cards(tmp_path, parse_roster(empty, known_cards(tmp_path)).cards)
    rifle = find_card(known_cards(tmp_path).weapons, "laser rifle")
    assert rifle is not None and rifle.source  # a bare name hides no value
    (tmp_path / FILE).write_text("broken =")
    assert known_cards(tmp_path) == shipped_cards()


def test_the_command_checks_and_imports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DICELIGHT_STATE", str(tmp_path))
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('format = 1\n[[unit]]\nnam = "x"\n')
    assert main(["roster", "check", str(wrong)]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2 and all(str(wrong) in line for line in said)
    good = tmp_path / "good.toml"
    good.write_bytes(EXAMPLE)
    assert main(["roster", "check", str(good)]) == 0
    assert "values unknown: Comfort grip" not in capsys.readouterr().out
    assert main(["roster", "check", str(tmp_path / "none.toml")]) == 2
