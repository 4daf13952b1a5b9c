"""What feeds a strip: supply, fuse, wire, where to feed it, and its data's voltage.

Sources: resistivity of copper at 20 degrees; blade fuses as sold (ISO 8820-3);
cross-sections as sold (IEC 60228); the data sheets of WS2812B and APA102 (a high input
is 0.7 of the supply's voltage and more); Raspberry Pi's documentation of GPIO. The
copper of a strip is computed from a usual one's, 2 rails 4 mm wide and 0.07 mm thick:
unverified for any one maker's.
"""

from __future__ import annotations

from typing import Final

from device.units import Millimetres

STRIP_V: Final = 5.0
PI_HIGH_V: Final = 3.3
"""What a pin gives for a one."""

INPUT_HIGH: Final = 0.7
"""Of the supply's voltage: what an LED's chip is sure to take for a one."""

LIMIT_SHARE: Final = 0.8
"""Of what a supply can give: it stays cool and its voltage firm."""

FUSES_A: Final = (1.0, 2.0, 3.0, 5.0, 7.5, 10.0, 15.0, 20.0)
WIRES_MM2: Final = (0.5, 0.75, 1.0, 1.5, 2.5)

OHM_MM2_PER_M: Final = 0.0178
"""Copper."""

DROP_V: Final = 0.5
"""What may be lost on the way: blue and green fade first, the far end turns red."""

RAIL_MM2: Final = 4.0 * 0.07
STRIP_OHM_PER_M: Final = 2 * OHM_MM2_PER_M / RAIL_MM2


def supply_a(limit_ma: float) -> float:
    """Return what the supply must be able to give."""
    return round(limit_ma / 1000 / LIMIT_SHARE, 2)


def fuse_a(limit_ma: float) -> float:
    """Return the fuse: the next size above the limit.

    Raises:
        ValueError: No fuse is so large: feed it in parts, each with its own.
    """
    for size in FUSES_A:
        if size > limit_ma / 1000:
            return size
    raise ValueError(f"{limit_ma:g} mA need more than one fuse of {FUSES_A[-1]:g} A")


def wire_mm2(current_a: float, run_m: float) -> float:
    """Return the cross-section that loses at most `DROP_V` there and back.

    Raises:
        ValueError: None is so thick: a shorter run, or several.
    """
    needed = 2 * run_m * current_a * OHM_MM2_PER_M / DROP_V
    for size in WIRES_MM2:
        if size >= needed:
            return size
    raise ValueError(f"{current_a:g} A over {run_m:g} m need {needed:.1f} mm2")


def strip_drop_v(current_a: float, length_m: float) -> float:
    """Return what a strip fed at one end loses to its far end, evenly lit."""
    return current_a * STRIP_OHM_PER_M * length_m / 2


def feeds(current_a: float, length_m: float) -> int:
    """Return at how many places, ends first, a strip has to be fed.

    Each place more, evenly laid, halves current and length of the stretches between.

    Raises:
        ValueError: More than three: cut the strip.
    """
    lost_v = strip_drop_v(current_a, length_m)
    for places in range(1, 4):
        if lost_v / 4 ** (places - 1) <= DROP_V:
            return places
    raise ValueError(f"{current_a:g} A over {length_m:g} m: make it two strips")


def needs_shifter(strip_v: float = STRIP_V) -> bool:
    """Return whether a pin's one is too low for a strip on this supply."""
    return INPUT_HIGH * strip_v > PI_HIGH_V


def longest_short_fall_mm(leds_per_m: float) -> Millimetres:
    """Return how far short of its range the light may end: one pitch."""
    return 1000 / leds_per_m
