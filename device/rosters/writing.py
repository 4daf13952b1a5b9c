"""Writes rosters and cards as TOML that `parse_roster` reads again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from device.rosters.cards import ATTRIBUTES, ICONS, Cards
from device.rosters.roster import Roster
from device.table.cards import (
    CardName,
    Carried,
    ItemCard,
    PowerArmourCard,
    Ratings,
    ScatterRow,
    UnitCard,
    WeaponCard,
    WeaponDamage,
    WeaponEffect,
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


def card_table(card: UnitCard | WeaponCard | ItemCard | PowerArmourCard) -> Any:
    """Return one card as its TOML table, fields that say nothing left out or None."""
    if isinstance(card, UnitCard):
        return _unit(card)
    if isinstance(card, WeaponCard):
        return _weapon(card)
    return _item(card) if isinstance(card, ItemCard) else _power_armour(card)


def table_toml(kind: str, table: Mapping[str, Any]) -> str:
    """Return one card, given as its TOML table, as a file of cards.

    Args:
        kind: ``unit``, ``weapon``, ``item`` or ``power_armour``.
        table: As `card_table` returns it.
    """
    parts = ("format = 1", "\n".join((f"[[{kind}]]", *_lines(table))))
    return "\n\n".join(parts) + "\n"


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
        "ranges": dict(card.ranges),
        "ap_use": list(card.ap_use),
        "abilities": list(card.abilities),
        "immune": list(card.immune),
        "kind": card.kind,
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
        "damage": _damage(card.damage),
        "target_damage": _damage(card.target_damage),
        "short": card.short,
        "long": card.long,
        "short_dice": dict(card.short_dice),
        "long_dice": dict(card.long_dice),
        "critical_rating": card.critical_rating,
        "critical_damage": _damage(card.critical_damage),
        "critical_dice": dict(card.critical_dice),
        "effects": [_effect(one) for one in card.effects],
        "area": card.area,
        "scatter": [_scatter(one) for one in card.scatter],
        "grenade": card.grenade or None,
        "mine": card.mine or None,
        "slow_fire": card.slow_fire or None,
        "rapid": card.rapid or None,
        "rapid_range": card.rapid_range,
        "charges": card.charges or None,
        "no_melee": card.no_melee or None,
        **_source(card),
    }


def _damage(damage: Iterable[WeaponDamage]) -> dict[str, int]:
    return {one.type: one.value for one in damage}


def _effect(one: WeaponEffect) -> dict[str, Any]:
    table = {
        "does": one.does,
        "amount": one.amount if one.amount != 1 else None,
        "range": one.range,
        "cost": {icon: count for icon in ICONS if (count := getattr(one, icon))},
        "limit": one.limit,
        "critical": one.critical or None,
        "when_damaged": one.when_damaged or None,
    }
    return {key: value for key, value in table.items() if value not in (None, "", {})}


def _scatter(one: ScatterRow) -> dict[str, Any]:
    table = {"from": one.least, "to": one.most, "range": one.range}
    return {key: value for key, value in table.items() if value is not None}


def _item(card: ItemCard) -> dict[str, Any]:
    table = {
        "name": _name(card.name),
        "consumable": card.consumable,
        "category": card.category,
        "duration": card.duration,
        "tokens": card.tokens,
        "columns": [dict(column) for column in card.columns],
        "addiction": card.addiction,
        "addicted": dict(card.addicted),
        "heals": card.heals,
        "heals_radiation": card.heals_radiation or None,
        "cures": card.cures,
        "boost": card.boost or None,
        "dogs": card.dogs or None,
    }
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
