"""Arguments of commands and checks, read one by one with the field at fault named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from device.errors import BadInput, TableError
from device.table.codec import JSON

Args: TypeAlias = Mapping[str, JSON]

LONGEST_NAME: Final = 40
"""Letters of a name; longer ones do not fit on a phone."""

MOST: Final = 1_000_000
"""No counter of a game comes near it."""


def choice(args: Args, name: str, known: Sequence[str], default: str = "") -> str:
    """Return one of the known words.

    Raises:
        BadInput: It is none of them.
    """
    value = args.get(name, default)
    if not isinstance(value, str) or value not in known:
        raise BadInput(f"expected one of {', '.join(known)}", name)
    return value


def named(args: Args, name: str = "name", default: str | None = None) -> str:
    """Return a short text, trimmed.

    Raises:
        BadInput: It is none, empty (without a default) or too long.
    """
    value = args.get(name, default)
    if not isinstance(value, str):
        raise BadInput("expected a text", name)
    value = " ".join(value.split())
    if (not value and default is None) or len(value) > LONGEST_NAME:
        raise BadInput(f"expected a text of 1 to {LONGEST_NAME} letters", name)
    return value


def whole(
    args: Args,
    name: str,
    low: int = -MOST,
    high: int = MOST,
    default: int | None = None,
) -> int:
    """Return a whole number within limits.

    Raises:
        BadInput: It is none, or missing without a default.
    """
    value = args.get(name)
    if value is None and default is not None:
        return default
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput("expected a whole number", name)
    if not low <= value <= high:
        raise BadInput(f"expected a whole number, {low} to {high}", name)
    return value


def whole_or_none(
    args: Args, name: str, low: int = -MOST, high: int = MOST
) -> int | None:
    """Return a whole number within limits, or None where it is not given.

    Raises:
        BadInput: It is something else.
    """
    return None if args.get(name) is None else whole(args, name, low, high)


def flag(args: Args, name: str, default: bool = False) -> bool:
    """Return true or false.

    Raises:
        BadInput: It is neither.
    """
    value = args.get(name, default)
    if not isinstance(value, bool):
        raise BadInput("expected true or false", name)
    return value


def objects(args: Args, name: str, most: int = 99) -> tuple[Args, ...]:
    """Return a list of objects.

    Raises:
        BadInput: It is none, or too long; `field` names the element at fault.
    """
    value = args.get(name)
    if not isinstance(value, list | tuple) or len(value) > most:
        raise BadInput(f"expected a list of at most {most}", name)
    for at, one in enumerate(value):
        if not isinstance(one, Mapping):
            raise BadInput("expected an object", f"{name}[{at}]")
    return tuple(value)


def refuse_unknown(args: Args, known: Sequence[str]) -> None:
    """Refuse arguments that a check does not take.

    Raises:
        BadInput: There is one.
    """
    for name in args:
        if name not in known:
            raise BadInput("this check does not take such an argument", name)


def refuse(reason: str) -> TableError:
    """Return the error of a command that does not fit what is true now.

    Args:
        reason: Key of the page's sentence.
    """
    return TableError(reason.replace("_", " "), reason)
