"""Words that games add to those of `web.words`: keys of dice, faces and steps.

Each game's are in a module of its own that imports nothing but `web.language`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from web.games.foww import words as foww

DICE: Final[Mapping[str, str]] = MappingProxyType({})
"""Names of dice, marked."""

FACES: Final[Mapping[str, str]] = MappingProxyType({})
"""Faces that are no number, marked."""

STEPS: Final[Mapping[str, str]] = MappingProxyType({**foww.STEPS})
"""Keys that a step may carry as a parameter, marked."""
