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
    ScatterRow,
    Special,
    UnitCard,
    WeaponCard,
    WeaponDamage,
    WeaponEffect,
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
ICONS: Final = ("bottle", "star", "burst")
RULERS: Final = ("orange", "yellow", "red", "green", "blue", "black")
"""Short to long (rulebook 2PB-002-111 §2.2 p.9)."""

RANGES: Final = ("move", "charge", "throw", "awareness", "presence", "battle_cry")
"""Lengths that a unit card may name."""

AP_USES: Final = ("move", "attack", "noncombat", "overwatch")
ABILITIES: Final = (
    "cannot_climb",
    "charge_unseen",
    "critical",
    "freedom",
    "immune_battle_cry",
    "never_locked_out",
    "vats",
)
"""Rules of a unit's own that change a computation; a hero card brings ``critical`` and
``vats`` by itself."""

CONDITIONS: Final = (
    "burning",
    "frozen",
    "injured_arm",
    "injured_leg",
    "poisoned",
    "slowed",
    "stunned",
)
EFFECTS: Final = (
    "damage",
    "penetration",
    "ignore_armour",
    "push_back",
    *CONDITIONS,
)
"""What a special effect may do."""

KINDS: Final = ("human", "super_mutant", "creature", "dog", "turret")
CATEGORIES: Final = (
    "chem",
    "alcohol",
    "food",
    "clothing",
    "gear",
    "armour",
    "mod",
    "junk",
)
DURATIONS: Final = ("instant", "fixed", "decaying")
CURES: Final = ("stimpak", "robot_repair_kit", "antidote")
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
        damage=_damages(fields, "damage"),
        target_damage=_damages(fields, "target_damage"),
        short=fields.choice("short", RULERS),
        long=fields.choice("long", RULERS),
        short_dice=fields.pairs("short_dice", _dice),
        long_dice=fields.pairs("long_dice", _dice),
        critical_rating=fields.whole("critical_rating", 1, MOST),
        critical_damage=_damages(fields, "critical_damage"),
        critical_dice=fields.pairs("critical_dice", _dice),
        effects=tuple(map(_effect, fields.tables("effects"))),
        area=fields.choice("area", RULERS),
        scatter=tuple(map(_scatter, fields.tables("scatter"))),
        grenade=bool(fields.yes("grenade")),
        mine=bool(fields.yes("mine")),
        slow_fire=bool(fields.yes("slow_fire")),
        rapid=fields.whole("rapid", 0, MOST) or 0,
        rapid_range=fields.choice("rapid_range", RULERS),
        charges=fields.whole("charges", 0, MOST) or 0,
        no_melee=bool(fields.yes("no_melee")),
        source=fields.text("source"),
        verified=bool(fields.yes("verified")),
    )
    fields.done()
    return card


def _effect(fields: Fields) -> WeaponEffect:
    cost = fields.table("cost")
    prices = {icon: cost.whole(icon, 0, MOST) or 0 for icon in ICONS}
    cost.done()
    if not any(prices.values()):
        fields.fault("missing", "cost")
    amount = fields.whole("amount", 0, MOST)
    effect = WeaponEffect(
        does=fields.choice("does", EFFECTS),
        amount=1 if amount is None else amount,
        range=fields.choice("range", RULERS),
        limit=fields.whole("limit", 1, MOST),
        critical=bool(fields.yes("critical")),
        when_damaged=bool(fields.yes("when_damaged")),
        **prices,
    )
    fields.done()
    return effect


def _scatter(fields: Fields) -> ScatterRow:
    least = fields.whole("from", 0, MOST)
    row = ScatterRow(
        least=least or 0,
        most=fields.whole("to", 0, MOST),
        range=fields.choice("range", RULERS),
    )
    fields.done()
    return row


def _damages(fields: Fields, field: str) -> tuple[WeaponDamage, ...]:
    return tuple(
        WeaponDamage(kind, value) for kind, value in fields.pairs(field, _damage)
    )


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
        category=fields.choice("category", CATEGORIES),
        duration=fields.choice("duration", DURATIONS),
        tokens=fields.whole("tokens", 0, MOST),
        columns=tuple(map(_column, fields.tables("columns"))),
        addiction=fields.choice("addiction", ICONS),
        addicted=fields.pairs("addicted", _change),
        heals=fields.whole("heals", 0, MOST),
        heals_radiation=fields.whole("heals_radiation", 0, MOST) or 0,
        cures=fields.choice("cures", CURES),
        boost=fields.whole("boost", 0, 2) or 0,
        dogs=bool(fields.yes("dogs")),
        source=fields.text("source"),
        verified=bool(fields.yes("verified")),
    )
    fields.done()
    return card


def _column(fields: Fields) -> tuple[tuple[str, int], ...]:
    found = [(key, fields.whole(key, -MOST, MOST)) for key in ATTRIBUTES]
    fields.done()
    return tuple((key, change) for key, change in found if change is not None)


def _change(inner: Fields, attribute: str) -> int | None:
    change = inner.whole(attribute, -MOST, MOST)
    if attribute not in ATTRIBUTES:
        inner.wrong_choice(attribute, attribute, tuple(ATTRIBUTES))
        return None
    return change


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
        ranges=fields.pairs("ranges", _ruler),
        ap_use=fields.choices("ap_use", AP_USES),
        abilities=fields.choices("abilities", ABILITIES),
        immune=fields.choices("immune", CONDITIONS),
        kind=fields.choice("kind", KINDS),
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


def _ruler(inner: Fields, what: str) -> str:
    ruler = inner.choice(what, RULERS)
    if what not in RANGES:
        inner.wrong_choice(what, what, RANGES)
        return ""
    return ruler


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
