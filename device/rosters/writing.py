"""Writes rosters and cards as TOML that `parse_roster` reads again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from device.rosters.cards import ATTRIBUTES, Cards
from device.rosters.roster import Roster
from device.table.cards import (
    CardName,
    Carried,
    ItemCard,
    PowerArmourCard,
    Ratings,
    UnitCard,
    WeaponCard,
)


def roster_toml(roster: Roster) -> str:
    """Return a roster as TOML, with every card that its units carry."""
    carried = Cards()
    for unit in roster.units:
        armour = unit.card.power_armour
        carried += Cards(
            weapons=unit.card.weapons,
            items=tuple(one.item for one in unit.card.items),
            power_armour=(armour,) if armour else (),
        )
    head: dict[str, Any] = {"format": 1}
    if roster.name:
        head["name"] = roster.name
    units = [
        {**_unit(one.card), "count": one.count, "points": one.points}
        for one in roster.units
    ]
    return _document(head, carried, units)


def cards_toml(cards: Cards) -> str:
    """Return cards as TOML."""
    return _document({"format": 1}, cards, [_unit(card) for card in cards.units])


def _document(
    head: Mapping[str, Any], cards: Cards, units: Iterable[Mapping[str, Any]]
) -> str:
    parts = ["\n".join(_lines(head))]
    for kind, tables in (
        ("unit", units),
        ("weapon", map(_weapon, cards.weapons)),
        ("item", map(_item, cards.items)),
        ("power_armour", map(_power_armour, cards.power_armour)),
    ):
        parts += ["\n".join((f"[[{kind}]]", *_lines(table))) for table in tables]
    return "\n\n".join(parts) + "\n"


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [
        f"{key} = {_value(value)}"
        for key, value in table.items()
        if value is not None and value not in ("", [], {})
    ]


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    # TOML's basic strings are JSON's, but for the delete character.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    is_bare = key.isascii() and key.replace("_", "").isalnum()
    return key if is_bare else _value(key)


def _name(name: CardName) -> Any:
    if name.en and name.ru:
        return {"en": name.en, "ru": name.ru}
    return {"en": name.en} if name.en else {"ru": name.ru}


def _ratings(ratings: Ratings) -> dict[str, str]:
    values = {
        "physical": ratings.physical,
        "energy": ratings.energy,
        "radiation": ratings.radiation,
    }
    return {key: value for key, value in values.items() if value}


def _source(card: UnitCard | WeaponCard | ItemCard | PowerArmourCard) -> dict[str, Any]:
    return {"source": card.source, "verified": card.verified or None}


def _unit(card: UnitCard) -> dict[str, Any]:
    special = {
        short: getattr(card.special, field)
        for short, field in ATTRIBUTES.items()
        if getattr(card.special, field) is not None
    }
    armour = card.power_armour
    return {
        "name": _name(card.name),
        "faction": card.faction,
        "special": special,
        "health": card.health,
        "armour": _ratings(card.armour),
        "skills": dict(card.skills),
        "unique": card.unique,
        "hero": card.hero or None,
        "robot": card.robot or None,
        "weapons": [one.name.any for one in card.weapons],
        "items": [_carried(one) for one in card.items],
        "power_armour": armour.name.any if armour else None,
        **_source(card),
    }


def _carried(one: Carried) -> Any:
    if one.count == 1:
        return one.item.name.any
    return {"name": one.item.name.any, "count": one.count}


def _weapon(card: WeaponCard) -> dict[str, Any]:
    return {
        "name": _name(card.name),
        "skill": card.skill,
        "damage": {one.type: one.value for one in card.damage},
        "short_dice": dict(card.short_dice),
        "long_dice": dict(card.long_dice),
        "critical_rating": card.critical_rating,
        "slow_fire": card.slow_fire or None,
        **_source(card),
    }


def _item(card: ItemCard) -> dict[str, Any]:
    table = {"name": _name(card.name), "consumable": card.consumable}
    return table | _source(card)


def _power_armour(card: PowerArmourCard) -> dict[str, Any]:
    return {
        "name": _name(card.name),
        "endurance": card.endurance,
        "strength": card.strength,
        "armour": _ratings(card.armour),
        "broken": _ratings(card.broken),
        **_source(card),
    }
