"""Reads the shipped tables; the rules themselves never open a file."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from device.errors import UnknownTable
from device.rules.dice import DiceSet, dice_set
from device.rules.ranges import RangeBand, range_bands

DICE_SETS = ("demo", "foww", "munchkin", "special", "stalker")
"""Names of the shipped dice sets."""


@cache
def table(name: str) -> dict[str, Any]:
    """Return one shipped document, e.g. `bands`; treat it as read-only.

    Raises:
        UnknownTable: There is no such file, or it is not TOML.
    """
    try:
        text = resources.files(__package__).joinpath(f"{name}.toml").read_text("utf-8")
    except FileNotFoundError as error:
        raise UnknownTable(f"there is no data file {name}.toml") from error
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UnknownTable(f"{name}.toml is not well-formed: {error}") from error


@cache
def load_dice_set(name: str) -> DiceSet:
    """Return a shipped dice set: `demo` (ours), or a game's own.

    Raises:
        UnknownTable: No such set, or its file is ill-formed.
    """
    if name not in DICE_SETS:
        raise UnknownTable(f"no dice set {name!r}; there are {', '.join(DICE_SETS)}")
    file_name = f"dice_{name}"
    return dice_set(table(file_name), f"{file_name}.toml")


@cache
def bands(game: str) -> tuple[RangeBand, ...]:
    """Return a game's range bands, short to long; none where it has no distances.

    Raises:
        UnknownTable: The file is ill-formed.
    """
    return range_bands(table("bands"), game)
