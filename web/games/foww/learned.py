"""What players told the flows about cards, kept for later nights.

A flow that lacks a value asks for it and notes the answer on the sheet; here the notes
become cards again. A rating stays out: nobody said which attribute it stands under.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from device.rosters.cards import Cards
from device.table.cards import (
    ItemCard,
    PowerArmourCard,
    Ratings,
    UnitCard,
    WeaponCard,
    WeaponDamage,
)
from device.table.codec import JSON
from device.table.state import Content
from web.games.foww.known import find_or_blank, on_table

KNOWN: Final = "known"
"""Entry of the sheet with what the flows were told."""


def learned(content: Content) -> Cards:
    """Return the cards on the table that the flows have learned something about.

    Values that a card already says are left as they are.
    """
    here, found = on_table(content.armies), Cards()
    for fact, value in dict(content.sheet.get(KNOWN) or {}).items():
        for pattern, learn in FACTS.items():
            match = re.fullmatch(f"(.+):{pattern}", str(fact))
            if match:
                found += learn(here + found, match[1], match.groups()[1:], value)
                break
    return found


Learn = Callable[[Cards, str, tuple[str, ...], JSON], Cards]


def _range(cards: Cards, name: str, parts: tuple[str, ...], value: JSON) -> Cards:
    card = find_or_blank(cards.units, name, UnitCard)
    if parts[0] in dict(card.ranges):
        return Cards()
    ranges = tuple(sorted((*card.ranges, (parts[0], str(value)))))
    return Cards(units=(replace(card, ranges=ranges),))


def _health(cards: Cards, name: str, parts: tuple[str, ...], value: JSON) -> Cards:
    card = find_or_blank(cards.units, name, UnitCard)
    if card.health is not None:
        return Cards()
    return Cards(units=(replace(card, health=int(value)),))


def _armour(cards: Cards, name: str, parts: tuple[str, ...], value: JSON) -> Cards:
    card = find_or_blank(cards.units, name, UnitCard)
    return Cards(units=(replace(card, armour=_rated(card.armour, parts[0], value)),))


def _worn(cards: Cards, name: str, parts: tuple[str, ...], value: JSON) -> Cards:
    card = find_or_blank(cards.power_armour, name, PowerArmourCard)
    if parts[1] == "True":
        card = replace(card, broken=_rated(card.broken, parts[0], value))
    else:
        card = replace(card, armour=_rated(card.armour, parts[0], value))
    return Cards(power_armour=(card,))


def _rated(ratings: Ratings, kind: str, value: JSON) -> Ratings:
    """Return ratings with one said; an X that nobody can compute stays an X."""
    if getattr(ratings, kind):
        return ratings
    change: dict[str, str] = {kind: str(value)}
    return replace(ratings, **change)


def _endurance(cards: Cards, name: str, parts: tuple[str, ...], value: JSON) -> Cards:
    card = find_or_blank(cards.power_armour, name, PowerArmourCard)
    return Cards(power_armour=(replace(card, endurance=int(value)),))


def _duration(cards: Cards, name: str, parts: tuple[str, ...], value: JSON) -> Cards:
    card = find_or_blank(cards.items, name, ItemCard)
    return Cards(items=(replace(card, duration=str(value)),))


def _heals(cards: Cards, name: str, parts: tuple[str, ...], value: JSON) -> Cards:
    card = find_or_blank(cards.items, name, ItemCard)
    return Cards(items=(replace(card, heals=int(value)),))


def _weapon(cards: Cards, name: str, parts: tuple[str, ...], value: JSON) -> Cards:
    card, told = find_or_blank(cards.weapons, name, WeaponCard), dict(value or {})
    changes: dict[str, Any] = {
        field: str(told[field])
        for field in ("skill", "short", "long")
        if told.get(field) and not getattr(card, field)
    }
    if told.get("damage") and not card.damage:
        pairs: Mapping[str, int] = told["damage"]
        changes["damage"] = tuple(WeaponDamage(*pair) for pair in pairs.items())
    put: Callable[..., WeaponCard] = replace
    return Cards(weapons=(put(card, **changes),)) if changes else Cards()


_KIND: Final = "(physical|energy|radiation)"

FACTS: Final[Mapping[str, Learn]] = MappingProxyType(
    {
        "range:([a-z_]+)": _range,
        "health": _health,
        f"armour:{_KIND}:(True|False)": _worn,
        f"armour:{_KIND}": _armour,
        "endurance": _endurance,
        "duration": _duration,
        "heals": _heals,
        "weapon": _weapon,
    }
)
"""How the flows name what they were told, behind the card's name."""
