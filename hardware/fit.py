"""Set-up of a ruler: pitch and offset learned from LEDs whose place was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from device.errors import CalibrationError
from device.units import Millimetres
from hardware.pixels import Colours
from hardware.strips import Strip

PITCH_MM: Final = (0.5, 1000.0)
"""What a pitch can be, as in strip files."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A strip as measured.

    Attributes:
        strip: With its pitch, offset and direction learned.
        error_mm: Largest distance between a measured LED and where the strip now has
            it; 0 with only two points, which any line goes through.
    """

    strip: Strip
    error_mm: Millimetres


def walk(strip: Strip, led: int) -> Colours:
    """Return the picture with one LED lit in white, for finding it.

    Raises:
        ValueError: No such LED.
    """
    if not 0 <= led < strip.pixels:
        raise ValueError(f"strip {strip.name} has no LED {led}")
    colours = np.zeros((strip.pixels, 3), np.uint8)
    colours[led] = 255
    return colours


def fit_strip(strip: Strip, points: Sequence[tuple[int, Millimetres]]) -> Fit:
    """Return the strip as measured points have it; its gaps are kept.

    Args:
        strip: As configured.
        points: LED and where its centre is on the ruler, two or more, far apart.

    Raises:
        CalibrationError: Too few, no such LED, or no sensible pitch.
    """
    leds = [led for led, _ in points]
    if len(set(leds)) < 2 or not all(0 <= led < strip.pixels for led in leds):
        raise CalibrationError(
            f"strip {strip.name}: measure two or more LEDs of 0 to {strip.pixels - 1}"
        )
    measured_mm = np.array([at_mm for _, at_mm in points], np.float64)
    # Which way it runs decides on which side of a point its gaps count.
    ends = np.argmin(leds), np.argmax(leds)
    is_reversed = bool(measured_mm[ends[1]] < measured_mm[ends[0]])
    gaps_mm = np.zeros(strip.pixels)
    for gap in strip.gaps:
        gaps_mm[gap.after + 1 :] += gap.mm
    sign = -1.0 if is_reversed else 1.0
    straight_mm = measured_mm - sign * gaps_mm[leds]
    slope, first_mm = np.polyfit(np.array(leds, np.float64), straight_mm, 1)
    pitch_mm = float(sign * slope)
    if not PITCH_MM[0] <= pitch_mm <= PITCH_MM[1]:
        raise CalibrationError(
            f"strip {strip.name}: the points give a pitch of {abs(pitch_mm):.2f} mm; "
            "were two of them mixed up?"
        )
    learned = replace(
        strip, pitch_mm=pitch_mm, first_pixel_mm=float(first_mm), reversed=is_reversed
    )
    error_mm = float(np.abs(learned.positions_mm()[leds] - measured_mm).max())
    return Fit(learned, error_mm)
