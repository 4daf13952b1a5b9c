"""Words that games add to those of `web.words`: keys of dice, faces and steps.

Each game's are in a module of its own that imports nothing but `web.language`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from web.games.foww import words as foww
from web.games.munchkin import words as munchkin
from web.games.special import words as special
from web.games.stalker import words as stalker

DICE: Final[Mapping[str, str]] = MappingProxyType({})
"""Names of dice, marked."""

FACES: Final[Mapping[str, str]] = MappingProxyType({})
"""Faces that are no number, marked."""

STEPS: Final[Mapping[str, str]] = MappingProxyType(
    {**foww.STEPS, **special.STEPS, **stalker.STEPS}
)
"""Keys that a step may carry as a parameter, marked."""

REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {**munchkin.REASONS, **special.REASONS, **stalker.REASONS}
)
"""Why a command of a game was refused, marked; by `TableError.reason`."""

FIELDS: Final[Mapping[str, str]] = MappingProxyType(
    {**munchkin.FIELDS, **special.FIELDS, **stalker.FIELDS}
)
"""What the inputs of games are called, marked."""
