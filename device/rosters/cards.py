"""Known cards, found by name in either language, and how they are read from TOML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from device.rosters.reading import Fields
from device.table.cards import (
    CardName,
    Carried,
    ItemCard,
    PowerArmourCard,
    Special,
    UnitCard,
    WeaponCard,
    WeaponDamage,
)

ATTRIBUTES: Final = {
    "str": "strength",
    "per": "perception",
    "end": "endurance",
    "cha": "charisma",
    "int": "intelligence",
    "agi": "agility",
    "luc": "luck",
}
"""Short names, as printed and as in TOML, to the fields of `Special`."""

DAMAGE_TYPES: Final = ("physical", "energy", "radiation")
COLOURS: Final = ("black", "yellow", "green", "blue")
MOST: Final = 20
"""No number on a card of this game is larger."""

Card = TypeVar("Card", bound=WeaponCard | ItemCard | PowerArmourCard | UnitCard)


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards that values can be taken from; of two with one name the later counts."""

    units: tuple[UnitCard, ...] = ()
    weapons: tuple[WeaponCard, ...] = ()
    items: tuple[ItemCard, ...] = ()
    power_armour: tuple[PowerArmourCard, ...] = ()

    def __add__(self, other: Cards) -> Cards:
        return Cards(
            _merged(self.units, other.units),
            _merged(self.weapons, other.weapons),
            _merged(self.items, other.items),
            _merged(self.power_armour, other.power_armour),
        )


def normal(name: str) -> str:
    """Return a name as it is compared: letters and digits, American as British."""
    text = name.casefold().replace("ё", "е").replace("armour", "armor")
    return "".join(re.findall(r"[a-zа-я0-9]+", text))


def find_card(cards: Iterable[Card], name: CardName | str) -> Card | None:
    """Return the card of a name in either language, or None."""
    sought = CardName(name, name) if isinstance(name, str) else name
    wanted = {normal(sought.en), normal(sought.ru)} - {""}
    found = None
    for card in cards:
        if {normal(card.name.en), normal(card.name.ru)} & wanted:
            found = card
    return found


def _merged(old: tuple[Card, ...], new: tuple[Card, ...]) -> tuple[Card, ...]:
    kept = tuple(card for card in old if find_card(new, card.name) is None)
    return (*kept, *new)


# --- From TOML ---------------------------------------------------------------------


def read_weapon(fields: Fields) -> WeaponCard:
    """Return a ``[[weapon]]``."""
    card = WeaponCard(
        name=fields.name(),
        skill=fields.text("skill"),
        damage=tuple(
            WeaponDamage(kind, value) for kind, value in fields.pairs("damage", _damage)
        ),
        short_dice=fields.pairs("short_dice", _dice),
        long_dice=fields.pairs("long_dice", _dice),
        critical_rating=fields.whole("critical_rating", 1, MOST),
        slow_fire=bool(fields.yes("slow_fire")),
        source=fields.text("source"),
        verified=bool(fields.yes("verified")),
    )
    fields.done()
    return card


def _damage(inner: Fields, kind: str) -> int | None:
    value = inner.whole(kind, 0, MOST)
    if kind not in DAMAGE_TYPES:
        inner.wrong_choice(kind, kind, DAMAGE_TYPES)
        return None
    return value


def _dice(inner: Fields, colour: str) -> int | None:
    value = inner.whole(colour, 0, 4)
    if colour not in COLOURS:
        inner.wrong_choice(colour, colour, COLOURS)
        return None
    return value


def read_item(fields: Fields) -> ItemCard:
    """Return an ``[[item]]``."""
    card = ItemCard(
        name=fields.name(),
        consumable=fields.yes("consumable"),
        source=fields.text("source"),
        verified=bool(fields.yes("verified")),
    )
    fields.done()
    return card


def read_power_armour(fields: Fields) -> PowerArmourCard:
    """Return a ``[[power_armour]]``."""
    card = PowerArmourCard(
        name=fields.name(),
        endurance=fields.whole("endurance", 1, MOST),
        strength=fields.whole("strength", 0, MOST),
        armour=fields.ratings("armour"),
        broken=fields.ratings("broken"),
        source=fields.text("source"),
        verified=bool(fields.yes("verified")),
    )
    fields.done()
    return card


def read_unit(fields: Fields, known: Cards) -> UnitCard:
    """Return a ``[[unit]]`` without ``count`` and ``points``, which are the roster's.

    Args:
        fields: Its table; the caller ends it.
        known: Cards that the names of weapons, items and power armour refer to.
    """
    special = fields.table("special")
    found = {ATTRIBUTES[short]: special.whole(short, 0, MOST) for short in ATTRIBUTES}
    special.done()
    return UnitCard(
        name=fields.name(),
        faction=fields.text("faction"),
        special=Special(**found),
        health=fields.whole("health", 1, MOST),
        armour=fields.ratings("armour"),
        skills=fields.pairs("skills", lambda inner, key: inner.choice(key, SHORT)),
        unique=fields.yes("unique"),
        hero=bool(fields.yes("hero")),
        robot=bool(fields.yes("robot")),
        weapons=_weapons(fields, known),
        items=_items(fields, known),
        power_armour=_power_armour(fields, known),
        source=fields.text("source"),
        verified=bool(fields.yes("verified")),
    )


SHORT: Final = tuple(ATTRIBUTES)


def _weapons(fields: Fields, known: Cards) -> tuple[WeaponCard, ...]:
    found = []
    for entry in fields.list("weapons"):
        name = _named(fields, "weapons", entry)
        card = find_card(known.weapons, name) if name.any else None
        found.append(card or WeaponCard(name))
    return tuple(found)


def _items(fields: Fields, known: Cards) -> tuple[Carried, ...]:
    found = []
    for entry in fields.list("items"):
        count = 1
        if isinstance(entry, Mapping):
            inner = Fields(entry, f"{fields.where}: items", fields.problems)
            name, count = inner.name(), inner.whole("count", 1, 99) or 1
            inner.done()
        else:
            name = _named(fields, "items", entry)
        card = find_card(known.items, name) if name.any else None
        found.append(Carried(card or ItemCard(name), count))
    return tuple(found)


def _power_armour(fields: Fields, known: Cards) -> PowerArmourCard | None:
    if fields.raw("power_armour") is None:
        return None
    name = fields.name("power_armour")
    card = find_card(known.power_armour, name) if name.any else None
    return card or PowerArmourCard(name)


def _named(fields: Fields, field: str, entry: Any) -> CardName:
    return Fields({field: entry}, fields.where, fields.problems).name(field)
