"""Tokens of a model: how many may lie there, and what one more or less means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from device.errors import BadInput, TableError
from device.rules.foww.activation import condition_event
from device.rules.foww.damage import health_limit
from device.table.army import Model, Unit

CONDITIONS: Final = (
    "burning",
    "frozen",
    "poisoned",
    "stunned",
    "slowed",
    "injured_arm",
    "injured_leg",
)

COUNTS: Final = MappingProxyType(
    {
        "regular": 99,
        "radiation": 99,
        "reaction": 1,  # never two, §4.4 p.41
        "boost": 2,  # icons on one token, §2.10 p.21
        "charge_black": 1,
        "charge_green": 1,
    }
)
"""Tokens that are just counted, and how many there may be."""

BY_WEAPON: Final = ("critical", "loaded")
MOST_ITEMS: Final = 99
MOST_AP: Final = 20
"""More action points than any activation has brought yet."""

UNKNOWN_HEALTH: Final = 10_000
"""Stands in where nobody has said a model's health: it is never removed."""

REFUSALS: Final = MappingProxyType(
    {
        "token_limit": "no more of these tokens can lie there",
        "no_token": "there is no such token to take away",
        "luck_unknown": "nobody has said this unit's luck",
        "gauge_unknown": "nobody has said this weapon's critical rating",
        "not_active": "this model is not being activated",
        "model_removed": "this model is out of the battle",
        "immune": "this model is immune to that",
        "cannot_overwatch": "a frozen or stunned model takes no overwatch",
        "armour_unknown": "nobody has said what this power armour holds",
        "not_unready": "this model already has a token",
        "no_turn": "all models of this side have been activated",
        "not_ready": "only a ready model is activated",
        "another_active": "another model is being activated; end that first",
        "toss_needed": "a burning model tosses a luck token",
        "round_goes_on": "not every model has been activated yet",
        "no_damage": "there is no damage to give",
        "already_applied": "this damage was already given",
        "army_full": "no more models fit on this table",
    }
)
"""Why something is refused, by reason."""


def refuse(reason: str) -> TableError:
    """Return the error of a reason."""
    return TableError(REFUSALS[reason], reason)


def change_token(unit: Unit, model: Model, token: str, change: int) -> Model:
    """Return a model with one token more or less; removal follows from damage.

    Raises:
        BadInput: There is no such token.
        TableError: None is there, or no more may be. No override helps: such a
            token does not exist.
    """
    if token in CONDITIONS:
        return _change_condition(unit, model, token, change)
    count = count_of(unit, model, token)
    after = count + change
    if after < 0:
        raise refuse("no_token")
    if change > 0 and after > limit_of(unit, model, token):
        raise refuse("token_limit")
    return settled(unit, _put(unit, model, token, after))


def count_of(unit: Unit, model: Model, token: str) -> int:
    """Return how many tokens of a name lie beside a model.

    Raises:
        BadInput: There is no such token.
    """
    if token in CONDITIONS:
        return int(token in model.conditions)
    if token in COUNTS or token in ("luck", "ap", "power_armour"):
        return int(getattr(model, token))
    kind, index = _numbered(unit, token)
    return _numbers(model, kind)[index]


def limit_of(unit: Unit, model: Model, token: str) -> int:
    """Return how many tokens of a name a model may have now.

    Raises:
        BadInput: There is no such token.
        TableError: It depends on something nobody has said.
    """
    if token in CONDITIONS:
        return 1
    if token in COUNTS:
        return COUNTS[token]
    if token == "luck":
        return _said(unit.card.special.luck, "luck_unknown")
    if token == "ap":
        if not model.active:
            raise refuse("not_active")
        return MOST_AP
    if token == "power_armour":
        armour = unit.card.power_armour
        return _said(armour.endurance, "armour_unknown") if armour else 0
    kind, index = _numbered(unit, token)
    if kind == "item":
        return MOST_ITEMS
    weapon = unit.card.weapons[index]
    if kind == "loaded":
        return int(weapon.slow_fire)
    return _said(weapon.critical_rating, "gauge_unknown")


def soft_refusal(unit: Unit, model: Model, token: str, change: int) -> str:
    """Return why the rules would not put this token down, "" where they would."""
    if change > 0 and token == "poisoned" and unit.card.robot:
        return "immune"
    if change > 0 and token == "reaction" and _cannot_overwatch(model):
        return "cannot_overwatch"
    if model.removed and token not in ("regular", "radiation"):
        return "model_removed"
    return ""


def settled(unit: Unit, model: Model) -> Model:
    """Return a model with what follows from its tokens: broken, removed."""
    armour = unit.card.power_armour
    broken = model.broken
    if armour is not None and armour.endurance is not None:
        broken = model.power_armour >= armour.endurance
    removed = model.removed
    if unit.card.health is not None:
        limit = health_limit(unit.card.health, unit.card.hero)
        removed = model.regular + model.radiation >= limit
    if removed:
        model = replace(model, active=False, ap=0)
    return replace(model, broken=broken, removed=removed)


def health_of(unit: Unit) -> int:
    """Return a unit's health for the rules."""
    return UNKNOWN_HEALTH if unit.card.health is None else unit.card.health


def token_names(unit: Unit) -> tuple[str, ...]:
    """Return every token that a unit's models may have, in the page's order."""
    card = unit.card
    names = ["regular", "radiation", "reaction", *CONDITIONS]
    names += [f"critical:{at}" for at in range(len(card.weapons))]
    names += [f"loaded:{at}" for at, one in enumerate(card.weapons) if one.slow_fire]
    names += [f"item:{at}" for at in range(len(card.items))]
    names += ["luck", "ap", "boost", "charge_black", "charge_green"]
    return (*names, "power_armour") if card.power_armour else tuple(names)


def _change_condition(unit: Unit, model: Model, name: str, change: int) -> Model:
    has = name in model.conditions
    if change > 0:
        if has:
            raise refuse("token_limit")
        gained = condition_event("gain", model.conditions, name)
        return replace(model, conditions=gained.conditions)
    if not has:
        raise refuse("no_token")
    kept = tuple(one for one in model.conditions if one != name)
    return replace(model, conditions=kept)


def _cannot_overwatch(model: Model) -> bool:
    return bool({"frozen", "stunned"} & set(model.conditions))


def _said(value: int | None, reason: str) -> int:
    if value is None:
        raise refuse(reason)
    return value


def _numbered(unit: Unit, token: str) -> tuple[str, int]:
    """Return a weapon's or item's token as kind and place, ``critical:0``."""
    kind, _, place = token.partition(":")
    lengths: Mapping[str, int] = {
        "critical": len(unit.card.weapons),
        "loaded": len(unit.card.weapons),
        "item": len(unit.card.items),
    }
    is_place = place.isascii() and place.isdecimal() and len(place) <= 3
    if kind not in lengths or not is_place or int(place) >= lengths[kind]:
        raise BadInput(f"there is no token {token!r} here", "token")
    return kind, int(place)


_PLACES: Final = MappingProxyType(
    {"critical": "criticals", "loaded": "loaded", "item": "items"}
)


def _numbers(model: Model, kind: str) -> tuple[int, ...]:
    numbers: tuple[int, ...] = getattr(model, _PLACES[kind])
    return numbers


def _put(unit: Unit, model: Model, token: str, count: int) -> Model:
    if ":" not in token:
        put: Callable[..., Model] = replace
        return put(model, **{token: count})
    kind, index = _numbered(unit, token)
    numbers = list(_numbers(model, kind))
    numbers[index] = count
    change: dict[str, tuple[int, ...]] = {_PLACES[kind]: tuple(numbers)}
    return _replaced(model, change)


def _replaced(model: Model, change: Mapping[str, tuple[int, ...]]) -> Model:
    put: Callable[..., Model] = replace
    return put(model, **change)
