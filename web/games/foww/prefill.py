"""What the form of a check starts with when a model acts or is hit: its card's values.

What nobody has said stays out: the form then shows what it always does, and the page
says which value is to be typed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from device.rosters.cards import ATTRIBUTES
from device.rules.dice import EFFECT_COLOURS
from device.table.army import Armies, Model, Unit
from device.table.cards import WeaponCard
from device.table.view import Snapshot
from web.games.foww import asks
from web.games.foww.tokens import card_name, model_name
from web.games.game import Query

ATTACK_OF: Final = MappingProxyType({"throw": "throw", "melee": "melee"})
"""Kind of attack by the weapon's skill; every other skill shoots."""


@dataclass(frozen=True, slots=True)
class Prefill:
    """Values for a form, and whose they are.

    Attributes:
        key: Tells forms of different models apart.
        who: The model, and its weapon, in words.
        values: As arguments of `open_check`.
        lacking: ``rating`` and ``damage``, where nobody has said them.
    """

    key: str
    who: str
    values: Mapping[str, Any]
    lacking: tuple[str, ...]


def prefill(
    armies: Armies, kind: str, query: Mapping[str, str], offer: Mapping[str, Any]
) -> Prefill | None:
    """Return what the address asks for: ``model``, and ``weapon`` for an attack.

    Args:
        armies: Both sides.
        kind: Of the check.
        query: Of the address.
        offer: What follows from the last result, for an armour check.
    """
    found = armies.find(query.get("model", ""))
    if found is None:
        return None
    if kind == "armour_check":
        return armour_values(*found, offer)
    place, reach = query.get("weapon", ""), query.get("range", "short")
    weapons = {str(at): card for at, card in enumerate(found[0].card.weapons)}
    if place not in weapons:
        return None
    return attack_values(*found, weapons[place], is_long=reach == "long")


def attack_form(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return what the form of a skill check starts with, beside what it always has."""
    return {
        "checks": asks,
        "colours": EFFECT_COLOURS,
        **_started("skill_check", snapshot, query),
    }


def armour_form(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return what the form of an armour check starts with."""
    return {"checks": asks, **_started("armour_check", snapshot, query)}


def _started(kind: str, snapshot: Snapshot, query: Query) -> dict[str, Any]:
    filled = _filled(kind, snapshot, query)
    return {"given": filled.values, "key": filled.key} if filled else {}


def intro(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return whose values the form starts with, and who may have been hit."""
    kind = query.get("open", "skill_check")
    armies = snapshot.state.armies
    return {
        "filled": _filled(kind, snapshot, query),
        "targets": targets(armies) if kind == "armour_check" else (),
    }


def _filled(kind: str, snapshot: Snapshot, query: Query) -> Prefill | None:
    offer = snapshot.state.offer
    fits = offer is not None and offer["check"] == kind
    return prefill(snapshot.state.armies, kind, query, offer if offer and fits else {})


def targets(armies: Armies) -> tuple[tuple[str, str], ...]:
    """Return every model that can be hit: its id and its name."""
    return tuple(
        (model.id, model_name(unit, model))
        for unit, model in armies.models()
        if not model.removed
    )


def attack_values(
    unit: Unit, model: Model, weapon: WeaponCard, *, is_long: bool
) -> Prefill:
    """Return the form of an attack with a weapon."""
    attack = ATTACK_OF.get(weapon.skill, "shoot")
    dice = weapon.long_dice if is_long else weapon.short_dice
    values: dict[str, Any] = {"attack": attack, "dice": dict(dice)}
    lacking = []
    rating = skill_rating(unit, weapon.skill)
    if rating is None:
        lacking.append("rating")
    else:
        values["rating"] = rating
    if weapon.damage:
        first = weapon.damage[0]
        values["weapon"] = {"damage": first.value, "type": first.type}
    else:
        lacking.append("damage")
    values |= {name: True for name in ("frozen", "injured_arm") if _has(model, name)}
    who = f"{model_name(unit, model)}, {card_name(weapon.name)}"
    at = unit.card.weapons.index(weapon)
    return Prefill(f"{model.id}-{at}-{is_long}", who, values, tuple(lacking))


def armour_values(unit: Unit, model: Model, offer: Mapping[str, Any]) -> Prefill:
    """Return the form of the armour check of a model that was hit."""
    kind = str(offer.get("type") or "physical")
    printed = _printed(unit, model, kind)
    rating = re.fullmatch(r"(\d+)(?:\+(\d+))?", printed)
    values: dict[str, Any] = dict(offer) | {"boost_icons": model.boost}
    lacking: tuple[str, ...] = ()
    if rating:
        values |= {"rating": int(rating[1]), "sturdy": int(rating[2] or 0)}
    elif printed == "-":
        values |= {"rating": 0, "sturdy": 0}
    else:  # not said, or an X that the rulebook does not explain
        lacking = ("rating",)
    return Prefill(model.id, model_name(unit, model), values, lacking)


def _printed(unit: Unit, model: Model, kind: str) -> str:
    """Return the armour rating as printed: power armour's in place of the unit's."""
    armour = unit.card.power_armour
    if armour is None:
        return str(getattr(unit.card.armour, kind))
    return str(getattr(armour.broken if model.broken else armour.armour, kind))


def skill_rating(unit: Unit, skill: str) -> int | None:
    """Return the attribute under which a skill's icon stands, None unknown."""
    for name, attribute in unit.card.skills:
        if name == skill and attribute in ATTRIBUTES:
            value: int | None = getattr(unit.card.special, ATTRIBUTES[attribute])
            return value
    return None


def _has(model: Model, condition: str) -> bool:
    return condition in model.conditions
