"""Level bars: how far each player has got, as a bar of steps along the ruler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from device.errors import BadInput
from device.units import Millimetres

MOST_BARS: Final = 12
MOST_STEPS: Final = 40
LONGEST_STEP_MM: Final[Millimetres] = 500.0

LIT_SHARE: Final = 0.6
"""So much of a step is lit: the dark rest lets steps be counted."""

LIGHTS: Final = ("ff6a00", "00d040", "0060ff", "ffd000", "ff1000", "ffffff")
"""Colours of the bars, in turn; their places tell them apart as well."""

REST_LIGHT: Final = "0a0a14"
"""Steps that are not reached: hardly more than dark, yet the whole bar is seen."""


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars one after the other.

    Attributes:
        steps: Of each bar, 1 to `MOST_STEPS`.
        step_mm: Length of a step.
        gap_mm: Dark between two bars.
        lit: Steps reached, one number a bar, 0 to `steps`.
    """

    steps: int
    step_mm: Millimetres
    gap_mm: Millimetres
    lit: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the bars as `parse_bars` takes them."""
        return {
            "steps": self.steps,
            "step_mm": self.step_mm,
            "gap_mm": self.gap_mm,
            "lit": list(self.lit),
        }

    def places(self) -> tuple[tuple[Millimetres, Millimetres, str], ...]:
        """Return every step as it is lit: from, to and colour, nearest first."""
        found = []
        for bar, reached in enumerate(self.lit):
            start_mm = bar * (self.steps * self.step_mm + self.gap_mm)
            for step in range(self.steps):
                from_mm = start_mm + step * self.step_mm
                colour = LIGHTS[bar % len(LIGHTS)] if step < reached else REST_LIGHT
                found.append((from_mm, from_mm + LIT_SHARE * self.step_mm, colour))
        return tuple(found)

    def spans_mm(self) -> tuple[tuple[Millimetres, Millimetres], ...]:
        """Return where each bar begins, and how far it is reached."""
        pitch_mm = self.steps * self.step_mm + self.gap_mm
        return tuple(
            (bar * pitch_mm, bar * pitch_mm + reached * self.step_mm)
            for bar, reached in enumerate(self.lit)
        )


def parse_bars(json: object) -> Bars:
    """Return the bars that a cue's JSON describes.

    Raises:
        BadInput: Anything else; `field` names the place, e.g. ``bars.lit[1]``.
    """
    if not isinstance(json, Mapping):
        raise BadInput("bars is an object", "bars")
    for key in json:
        if key not in ("steps", "step_mm", "gap_mm", "lit"):
            raise BadInput(f"unknown field {key!r}", f"bars.{key}")
    steps = _whole(json.get("steps"), "bars.steps", 1, MOST_STEPS)
    lit = json.get("lit")
    if not isinstance(lit, (list, tuple)) or not 1 <= len(lit) <= MOST_BARS:
        raise BadInput(f"lit is a list of 1 to {MOST_BARS} numbers", "bars.lit")
    return Bars(
        steps=steps,
        step_mm=_length(json.get("step_mm"), "bars.step_mm", 1.0),
        gap_mm=_length(json.get("gap_mm", 0), "bars.gap_mm", 0.0),
        lit=tuple(
            _whole(one, f"bars.lit[{at}]", 0, steps) for at, one in enumerate(lit)
        ),
    )


def _whole(value: object, field: str, low: int, high: int) -> int:
    if (
        isinstance(value, bool)
        or not isinstance(value, int)
        or not low <= value <= high
    ):
        raise BadInput(f"expected a whole number, {low} to {high}", field)
    return value


def _length(value: object, field: str, low: float) -> Millimetres:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise BadInput("expected a number of millimetres", field)
    if not low <= value <= LONGEST_STEP_MM:
        raise BadInput(f"expected {low:g} to {LONGEST_STEP_MM:g} mm", field)
    return float(value)
