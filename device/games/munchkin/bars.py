"""Everybody's level as a bar of ten steps along the ruler."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from device.games.game import DARK
from device.games.munchkin.sheet import Player
from device.table.codec import JSON

STEPS: Final = 10
"""The winning level (V4)."""

RULER_MM: Final = 960
"""All bars together; the usual ruler is a metre long."""

GAP_MM: Final = 20
"""Dark between two bars: three LEDs of the usual strip."""

LONGEST_STEP_MM: Final = 30
"""Two players need no longer bars than three."""


def level_bars(everybody: Sequence[Player]) -> dict[str, JSON]:
    """Return the cue that shows everybody's level, in the order of joining."""
    if not everybody:
        return dict(DARK)
    step_mm = (RULER_MM // len(everybody) - GAP_MM) // STEPS
    lit = [player.level for player in everybody]
    return {
        "bars": {
            "steps": STEPS,
            "step_mm": min(step_mm, LONGEST_STEP_MM),
            "gap_mm": GAP_MM,
            "lit": lit,
        }
    }
