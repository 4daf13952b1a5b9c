"""Forms as arguments of commands: one reader for each field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from flask import request

from device.errors import BadInput
from web.act import whole
from web.language import marked as N_

Reader: TypeAlias = Callable[[str], Any]
"""From a field's name to its value in this request; None leaves it out."""

Fields: TypeAlias = Mapping[str, Reader]

LONGEST: Final = 400
"""Letters of a text; what is shorter by the rules of a game, the game says."""

MOST: Final = 60
"""Boxes ticked in one list."""


def said(name: str) -> str | None:
    """Return a text; left out where the form has none."""
    value = request.form.get(name)
    if value is not None and len(value) > LONGEST:
        raise BadInput(N_("That text is too long."), name)
    return value


def filled(name: str) -> str | None:
    """Return a text; left out where it is empty."""
    return said(name) or None


def number(name: str) -> int | None:
    """Return a whole number; left out where the form has none."""
    return whole(name) if request.form.get(name, "").strip() else None


def cleared(name: str) -> int | None:
    """Return a whole number, or None for an empty field."""
    return number(name)


def decimal(name: str) -> int | float | None:
    """Return a number as typed, with a comma or a point; left out where empty."""
    typed = request.form.get(name, "").strip().replace(",", ".")
    if not typed:
        return None
    try:
        value = float(typed)
    except ValueError:
        raise BadInput(N_("Please type a number."), name) from None
    return int(value) if value == int(value) else value


def tick(name: str) -> bool:
    """Return whether a box is ticked."""
    return name in request.form


def ticked_only(name: str) -> bool | None:
    """Return true for a ticked box; left out where it is not."""
    return True if name in request.form else None


def switch(name: str) -> bool | None:
    """Return what a button says: ``1`` or ``0``; left out where it is neither."""
    return {"1": True, "0": False}.get(request.form.get(name, ""))


def several(name: str) -> list[str]:
    """Return every value ticked in a list."""
    return request.form.getlist(name)[:MOST]


def args_of(fields: Fields) -> dict[str, Any]:
    """Return the arguments that a form stands for.

    Raises:
        BadInput: A field is wrong.
    """
    values = {name: read(name) for name, read in fields.items()}
    return {
        name: value
        for name, value in values.items()
        if value is not None or fields[name] is cleared
    }


def check_args(fields: Fields) -> Callable[[Mapping[str, str]], dict[str, Any]]:
    """Return how the form of a check becomes arguments of `open_check`."""
    return lambda form: {"check": form.get("check", ""), **args_of(fields)}
