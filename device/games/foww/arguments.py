"""Arguments of commands about the armies, checked one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from device.errors import BadInput
from device.games.foww.tokens import refuse
from device.rules.dice import LUCK_SIDES
from device.rules.foww.attacks import Damage
from device.table.army import Armies, Model, Unit
from device.table.codec import JSON

Args: TypeAlias = Mapping[str, JSON]

DAMAGE_TYPES: Final = ("physical", "energy", "radiation")
MOST_DAMAGE: Final = 99
MOST_PARTS: Final = 10
"""Kinds of damage in one blow."""


def allowed(args: Args, reason: str) -> dict[str, JSON]:
    """Return what the log adds where a person overrides the rules.

    Raises:
        TableError: The rules refuse, and nobody overrides them.
    """
    override = args.get("override", False)
    if not isinstance(override, bool):
        raise BadInput("expected true or false", "override")
    if reason and not override:
        raise refuse(reason)
    return {"override": reason} if reason else {}


def find_unit(armies: Armies, args: Args) -> Unit:
    """Return the unit that ``unit`` names.

    Raises:
        BadInput: There is none.
    """
    wanted = text(args, "unit")
    for unit in armies.units:
        if unit.id == wanted:
            return unit
    raise BadInput(f"there is no unit {wanted!r}", "unit")


def find_model(armies: Armies, args: Args) -> tuple[Unit, Model]:
    """Return the model that ``model`` names, with its unit.

    Raises:
        BadInput: There is none.
    """
    wanted = text(args, "model")
    found = armies.find(wanted)
    if found is None:
        raise BadInput(f"there is no model {wanted!r}", "model")
    return found


def damage_parts(args: Args) -> list[Damage]:
    """Return ``damage``: a list of types and amounts.

    Raises:
        BadInput: It is not.
    """
    given = args.get("damage")
    if not isinstance(given, list | tuple) or not 1 <= len(given) <= MOST_PARTS:
        raise BadInput("expected a list of damage", "damage")
    parts = []
    for at, one in enumerate(given):
        field = f"damage[{at}]"
        if not isinstance(one, Mapping) or set(one) != {"type", "amount"}:
            raise BadInput("expected type and amount", field)
        kind = choice(one, "type", DAMAGE_TYPES)
        parts.append(Damage(kind, whole(one, "amount", 0, MOST_DAMAGE)))
    return parts


def luck_side(args: Args) -> str | None:
    """Return the side of a tossed luck token, None where none was tossed."""
    if args.get("luck_token") is None:
        return None
    return choice(args, "luck_token", LUCK_SIDES)


def choice(args: Args, name: str, known: Sequence[str]) -> str:
    """Return one of the known words.

    Raises:
        BadInput: It is none of them.
    """
    value = args.get(name)
    if not isinstance(value, str) or value not in known:
        raise BadInput(f"expected one of {', '.join(known)}", name)
    return value


def text(args: Args, name: str) -> str:
    """Return a text that is not empty.

    Raises:
        BadInput: It is none.
    """
    value = args.get(name)
    if not isinstance(value, str) or not value:
        raise BadInput("expected a text", name)
    return value


def whole(args: Args, name: str, low: int, high: int) -> int:
    """Return a whole number within limits.

    Raises:
        BadInput: It is none.
    """
    value = args.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput("expected a whole number", name)
    if not low <= value <= high:
        raise BadInput(f"expected a whole number, {low} to {high}", name)
    return value
