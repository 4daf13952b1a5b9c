"""The tables and the drawing of BUILD.md, made from the code so that they stay true.

``python -m hardware.build_tables`` writes them anew; a test compares.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from device.units import Millimetres
from hardware import power
from hardware.panel import PanelPins
from hardware.pins import PHYSICAL
from hardware.rulers import CHANNEL_MA, IDLE_MA

FOLDER: Final = Path(__file__).parent

SPI_WIRES: Final = {10: "strip: data (DI)", 11: "strip: clock (CI), APA102 only"}

PART_WIRES: Final = {
    "confirm_button": "button \u201cconfirm\u201d, other contact to ground",
    "undo_button": "button \u201cundo\u201d, other contact to ground",
    "confirm_lamp": "lamp of \u201cconfirm\u201d, 470 ohm, to ground",
    "undo_lamp": "lamp of \u201cundo\u201d, 470 ohm, to ground",
    "buzzer": "active buzzer, through a transistor",
    "tray_light": "MOSFET of the tray light",
}

POWER_PINS: Final = {1: "3V3", 17: "3V3", 2: "5V", 4: "5V"}
GROUND_PINS: Final = (6, 9, 14, 20, 25, 30, 34, 39)

STRIPS: Final = ((60, 1), (60, 2), (144, 1), (144, 2))
"""LEDs a metre, and metres."""

LIMITS_MA: Final = (800, 2400, 4000, 8000)
FED_AT: Final = ("one end", "both ends", "both ends and the middle")
RUN_M: Final = 2
"""From the supply to the strip, at most."""

CAMERAS: Final = (
    ("Camera Module 3", 66.0, 41.0),
    ("Camera Module 3 Wide", 102.0, 67.0),
    ("Camera Module 2", 62.2, 48.8),
)
"""Fields of view in degrees, across and down, by Raspberry Pi's data sheets."""

VIEWS_MM: Final = ((300, 215), (420, 300))
"""What has to be in the picture: an A4 frame; four corners round a larger tray."""


def wiring_table(pins: PanelPins) -> str:
    """Return which wire goes to which pin, in the order of the header."""
    wires = SPI_WIRES | {pin: PART_WIRES[use] for use, pin in pins.used().items()}
    rows = [
        (str(PHYSICAL[bcm]), f"GPIO{bcm}", what)
        for bcm, what in sorted(wires.items(), key=lambda wire: PHYSICAL[wire[0]])
    ]
    return _table(("header pin", "BCM", "goes to"), rows)


def power_table() -> str:
    """Return what strips draw by our estimate, and where all white has to be fed."""
    rows = []
    for per_m, length_m in STRIPS:
        leds = per_m * length_m
        idle_a, channel_a = leds * IDLE_MA / 1000, leds * CHANNEL_MA / 1000
        white_a = idle_a + 3 * channel_a
        rows.append(
            (
                f"{length_m} m of {per_m} LEDs/m",
                f"{idle_a:.2f} A",
                f"{idle_a + channel_a:.2f} A",
                f"{white_a:.2f} A",
                FED_AT[power.feeds(white_a, length_m) - 1],
            )
        )
    heads = ("strip", "dark", "all red", "all white", "all white is fed at")
    return _table(heads, rows)


def supply_table() -> str:
    """Return supply, fuse and wire for some limits."""
    rows = []
    for limit_ma in LIMITS_MA:
        fuse_a = power.fuse_a(limit_ma)
        rows.append(
            (
                str(limit_ma),
                f"{power.STRIP_V:g} V, {power.supply_a(limit_ma):g} A",
                f"{fuse_a:g} A",
                f"{power.wire_mm2(fuse_a, RUN_M):g} mm2",
            )
        )
    wire = f"wire, runs up to {RUN_M} m"
    return _table(("`limit_ma`", "supply", "fuse", wire), rows)


def camera_height_mm(
    across_deg: float, down_deg: float, view_wh_mm: tuple[int, int]
) -> Millimetres:
    """Return how high the lens must be to have the view in the picture."""
    halves = ((view_wh_mm[0], across_deg), (view_wh_mm[1], down_deg))
    return max(side / 2 / math.tan(math.radians(deg) / 2) for side, deg in halves)


def height_table() -> str:
    """Return the height of the lens over the tray's floor, for each camera."""
    rows = [
        (
            name,
            *(
                f"{math.ceil(camera_height_mm(across, down, view) / 10) * 10} mm"
                for view in VIEWS_MM
            ),
        )
        for name, across, down in CAMERAS
    ]
    heads = [f"view {width} x {height} mm" for width, height in VIEWS_MM]
    return _table(("camera", *heads), rows)


def header_svg(pins: PanelPins) -> str:
    """Return the 40-pin header with all wires, seen from above, as SVG."""
    wires = {PHYSICAL[bcm]: f"GPIO{bcm} {what}" for bcm, what in SPI_WIRES.items()}
    for use, bcm in pins.used().items():
        wires[PHYSICAL[bcm]] = f"GPIO{bcm} {PART_WIRES[use]}"
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 500" '
        'font-family="sans-serif" font-size="13">',
        '<rect width="760" height="500" fill="white"/>',
        '<rect x="346" y="26" width="68" height="452" rx="6" fill="#333"/>',
        '<text x="380" y="18" text-anchor="middle">end with the SD card</text>',
    ]
    for number in range(1, 41):
        parts += _pin(number, wires.get(number, ""))
    return "\n".join([*parts, "</svg>", ""])


def _pin(number: int, wire: str) -> list[str]:
    """Return the drawing of one header pin; odd numbers are on the left."""
    is_left = number % 2 == 1
    x, y = (364 if is_left else 396), 42 + 22 * ((number - 1) // 2)
    text = wire or POWER_PINS.get(number, "")
    if number in GROUND_PINS:
        text = "ground"
    colour = "#ffb000" if wire else "#888"
    colour = "#fff" if number in GROUND_PINS else colour
    colour = "#d33" if number in POWER_PINS else colour
    end = 336 if is_left else 424
    anchor = "end" if is_left else "start"
    shown = [
        f'<circle cx="{x}" cy="{y}" r="8" fill="{colour}"/>',
        f'<text x="{x}" y="{y + 3}" font-size="9" text-anchor="middle">{number}</text>',
    ]
    if text:
        weight = ' font-weight="bold"' if wire else ' fill="#666"'
        shown.append(
            f'<text x="{end}" y="{y + 5}" text-anchor="{anchor}"{weight}>{text}</text>'
        )
    return shown


def filled(text: str) -> str:
    """Return BUILD.md with its tables made anew between their marks."""
    pins = PanelPins()
    tables = {
        "wiring": wiring_table(pins),
        "power": power_table(),
        "supply": supply_table(),
        "height": height_table(),
    }
    for name, table in tables.items():
        marks = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
        text = re.sub(marks, lambda m, t=table: m[1] + t + m[2], text, flags=re.S)  # type: ignore[misc]
    return text


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> None:
    """Write BUILD.md's tables and the drawing anew."""
    page = FOLDER / "BUILD.md"
    page.write_text(filled(page.read_text("utf-8")), "utf-8")
    (FOLDER / "wiring.svg").write_text(header_svg(PanelPins()), "utf-8")
    # Imported here, for it takes the cameras from this module.
    from hardware.tray_drawing import design, tray_svg

    usual = design(CAMERAS[0][0], VIEWS_MM[0])
    (FOLDER / "tray.svg").write_text(tray_svg(usual), "utf-8")


if __name__ == "__main__":
    main()
