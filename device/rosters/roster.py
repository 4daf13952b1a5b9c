"""A roster: one army as TOML, with the cards that it brings along.

The format is documented in ``device/data/roster.toml.example``. A unit may be as short
as its name: what it leaves out is taken from the known card of that name.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from device.rosters.cards import (
    Cards,
    find_card,
    read_item,
    read_power_armour,
    read_unit,
    read_weapon,
)
from device.rosters.problems import Problem, RosterError, problem
from device.rosters.reading import Fields
from device.table.cards import (
    CardName,
    ItemCard,
    PowerArmourCard,
    Special,
    UnitCard,
    WeaponCard,
)

MOST_BYTES: Final = 256 << 10
"""Sixty units with every value come to 40 KiB."""

MOST_MODELS: Final = 20
"""Of one unit; the largest unit of the game has far fewer."""


@dataclass(frozen=True, slots=True)
class RosterUnit:
    """One unit of a roster.

    Attributes:
        card: With all values that are known.
        count: Models.
        points: Caps of the whole unit, None unknown.
    """

    card: UnitCard
    count: int = 1
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Roster:
    """One army.

    Attributes:
        name: As its player calls it.
        units: In the file's order.
        cards: Cards that the file brings along, its units included.
    """

    name: str
    units: tuple[RosterUnit, ...]
    cards: Cards

    @property
    def missing(self) -> tuple[CardName, ...]:
        """Cards of which nothing is known but the name, each once."""
        names = [name for unit in self.units for name in unknown(unit.card)]
        return tuple(dict.fromkeys(names))


def parse_roster(data: bytes, known: Cards) -> Roster:
    """Return the roster in a TOML file.

    Args:
        data: The file.
        known: Cards that values are taken from; the file's own come first.

    Raises:
        RosterError: Every mistake in it at once.
    """
    table = _toml(data)
    problems: list[Problem] = []
    top = Fields(table, "roster", problems)
    roster = _roster(top, known)
    if not roster.units and not problems:
        problems.append(problem("no_units"))
    if problems:
        raise RosterError(problems)
    return roster


def parse_cards(data: bytes) -> Cards:
    """Return the cards in a TOML file, which need not name an army.

    Raises:
        RosterError: Every mistake in it at once.
    """
    table = _toml(data)
    problems: list[Problem] = []
    cards = _roster(Fields(table, "cards", problems), Cards()).cards
    if problems:
        raise RosterError(problems)
    return cards


def _toml(data: bytes) -> dict[str, Any]:
    if len(data) > MOST_BYTES:
        raise RosterError(problem("too_large", most=MOST_BYTES >> 10))
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RosterError(problem("not_text")) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = re.search(r"line (\d+)", str(error))
        raise RosterError(problem("not_toml", line=line[1] if line else "1")) from error


def _roster(top: Fields, known: Cards) -> Roster:
    if top.raw("format") != 1:
        top.problems.append(problem("format"))
    name = top.text("name")
    own = Cards(
        weapons=tuple(map(read_weapon, _tables(top, "weapon"))),
        items=tuple(map(read_item, _tables(top, "item"))),
        power_armour=tuple(map(read_power_armour, _tables(top, "power_armour"))),
    )
    every = known + own
    units = tuple(_unit(one, every) for one in _tables(top, "unit"))
    top.done()
    cards = own + Cards(units=tuple(unit.card for unit in units))
    return Roster(name, units, cards)


def _tables(top: Fields, field: str) -> list[Fields]:
    return [
        Fields(table, f"{field} {number}{_called(table)}", top.problems)
        for number, table in enumerate(top.list(field), 1)
    ]


def _called(table: Any) -> str:
    name = table.get("name") if isinstance(table, dict) else None
    if isinstance(name, dict):
        name = name.get("en") or name.get("ru")
    return f" ({name})" if isinstance(name, str) and len(name) <= 80 else ""


def _unit(fields: Fields, known: Cards) -> RosterUnit:
    card = read_unit(fields, known)
    count = fields.whole("count", 1, MOST_MODELS) or 1
    points = fields.whole("points", 0, 9999)
    fields.done()
    full = filled(card, find_card(known.units, card.name) if card.name.any else None)
    return RosterUnit(full, count, points)


def filled(card: UnitCard, known: UnitCard | None) -> UnitCard:
    """Return a card with what it lacks taken from the known card of its name."""
    if known is None:
        return card
    blank = UnitCard(card.name)
    changes: dict[str, Any] = {}
    for one in fields(UnitCard):
        if getattr(card, one.name) == getattr(blank, one.name):
            changes[one.name] = getattr(known, one.name)
    # Equipment is the army list's: a unit named without any carries none.
    for carried in ("weapons", "items", "power_armour"):
        changes.pop(carried, None)
    changes["name"] = CardName(
        card.name.en or known.name.en, card.name.ru or known.name.ru
    )
    if not says_nothing(card):
        changes["verified"] = card.verified
    changes["special"] = _filled_special(card.special, known.special)
    return replace(card, **changes)


def _filled_special(own: Special, known: Special) -> Special:
    names = [one.name for one in fields(Special)]
    values = {name: getattr(own, name) for name in names}
    return Special(
        **{
            name: getattr(known, name) if value is None else value
            for name, value in values.items()
        }
    )


def unknown(card: UnitCard) -> tuple[CardName, ...]:
    """Return the cards of a unit, its own included, of which only the name is known."""
    names = [card.name] if says_nothing(card) else []
    names += [one.name for one in card.weapons if one == WeaponCard(one.name)]
    items = [one.item for one in card.items]
    names += [one.name for one in items if one == ItemCard(one.name)]
    armour = card.power_armour
    if armour is not None and armour == PowerArmourCard(armour.name):
        names.append(armour.name)
    return tuple(names)


def says_nothing(card: UnitCard) -> bool:
    """Say whether nothing is known of a unit but its name, faction and equipment."""
    bare = UnitCard(
        card.name,
        faction=card.faction,
        weapons=card.weapons,
        items=card.items,
        power_armour=card.power_armour,
        source=card.source,
        hero=card.hero,
    )
    return card == bare
