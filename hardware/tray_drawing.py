"""The tray with its lamp ring and camera arm, drawn to scale from the camera's view.

    python -m hardware.tray_drawing --camera "Camera Module 2" --view 420x300 -o FILE

1. The lens is as high as the view needs, and a tenth more for dice that stand up.
2. The ring of lamps lies low and so far out that the top of a die, which may be a
   mirror, never shows a lamp to the lens: a ray from the lamp that leaves the die's top
   towards the lens would have to meet it outside the view.
3. The arm stands behind the tray, outside the view's cone.

All lengths are millimetres; one unit of the drawing is one millimetre.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from device.units import Millimetres
from hardware.build_tables import CAMERAS, camera_height_mm

SPARE: Final = 1.1
"""Over the least height."""

WALL_MM: Final[Millimetres] = 30.0
LAMP_MM: Final[Millimetres] = 60.0
"""Height of the lamps over the floor."""

DIE_MM: Final[Millimetres] = 20.0
"""The tallest die: its top is the mirror."""

ARM_MM: Final[Millimetres] = 40.0
"""From the view's edge to the post."""

MARGIN: Final = 90
SMALLEST, LARGEST = 100.0, 1000.0


@dataclass(frozen=True, slots=True)
class Tray:
    """The measures that follow from camera and view.

    Attributes:
        camera: Its name.
        view_wh_mm: What has to be in the picture.
        lens_mm: Height of the lens over the floor.
        ring_wh_mm: Inner width and depth of the ring of lamps.
        post_mm: From the middle of the tray to the post of the arm.
    """

    camera: str
    view_wh_mm: tuple[float, float]
    lens_mm: Millimetres
    ring_wh_mm: tuple[float, float]
    post_mm: Millimetres


def design(camera: str, view_wh_mm: tuple[float, float]) -> Tray:
    """Return the measures for a camera and what it has to see.

    Args:
        camera: One of `hardware.build_tables.CAMERAS`.
        view_wh_mm: Width and depth of frame and tray, 100 to 1000 mm each.

    Raises:
        ValueError: No such camera, or no such view.
    """
    fields = {name: (across, down) for name, across, down in CAMERAS}
    if camera not in fields:
        raise ValueError(f"no camera {camera!r}; there are {', '.join(fields)}")
    if not all(SMALLEST <= side <= LARGEST for side in view_wh_mm):
        raise ValueError(f"a view is {SMALLEST:g} to {LARGEST:g} mm each way")
    across, down = fields[camera]
    whole = (round(view_wh_mm[0]), round(view_wh_mm[1]))
    lens = _round_up(SPARE * camera_height_mm(across, down, whole), 10)
    wide, deep = (
        _round_up(2 * least_lamp_mm(side / 2, lens), 10) for side in view_wh_mm
    )
    return Tray(camera, view_wh_mm, lens, (wide, deep), deep / 2 + ARM_MM)


def least_lamp_mm(half_mm: Millimetres, lens_mm: Millimetres) -> Millimetres:
    """Return how far from the middle a lamp must be not to be mirrored into the lens.

    The mirror is a die's top; angles of incidence and reflection are equal, so the
    lamp's distance from the mirrored place is to the place's distance from the middle
    as the lamp's height over the mirror is to the lens's.

    Args:
        half_mm: From the middle to the view's edge, where a die may lie.
        lens_mm: Height of the lens over the floor.
    """
    return half_mm * (1 + (LAMP_MM - DIE_MM) / (lens_mm - DIE_MM))


def tray_svg(tray: Tray) -> str:
    """Return side view and top view, dimensioned."""
    wide, deep = tray.ring_wh_mm
    side_w = wide + 2 * MARGIN
    top_w = wide + 2 * MARGIN
    height = max(tray.lens_mm + 60, deep + ARM_MM + 40) + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side_w + top_w:g} '
        f'{height:g}" font-family="sans-serif" font-size="12">',
        f'<rect width="{side_w + top_w:g}" height="{height:g}" fill="white"/>',
        *_side(tray, side_w / 2, height - MARGIN),
        *_top(tray, side_w + top_w / 2, height / 2 + ARM_MM / 2),
        f'<text x="{MARGIN / 2:g}" y="24" font-size="14" font-weight="bold">'
        f"{tray.camera}, view {_size(tray.view_wh_mm)} mm, all lengths in mm</text>",
        "</svg>",
        "",
    ]
    return "\n".join(parts)


# --- Inside ------------------------------------------------------------------------


def _side(tray: Tray, x: float, floor: float) -> list[str]:
    half, lens = tray.view_wh_mm[0] / 2, floor - tray.lens_mm
    ring = tray.ring_wh_mm[0] / 2
    lamp = floor - LAMP_MM
    return [
        _line(x - ring - 20, floor, x + ring + 20, floor, "#333", 2),
        *(
            _line(x + s * half, floor, x + s * half, floor - WALL_MM, "#333", 3)
            for s in (-1, 1)
        ),
        *(_line(x, lens, x + s * half, floor, "#09f", 1, "5 4") for s in (-1, 1)),
        f'<rect x="{x - 14:g}" y="{lens - 12:g}" width="28" height="12" fill="#333"/>',
        *(
            f'<circle cx="{x + s * ring:g}" cy="{lamp:g}" r="5" fill="#ffb000" '
            'stroke="#333"/>'
            for s in (-1, 1)
        ),
        _text(x, lens - 20, "lens, straight down"),
        _text(x + ring, lamp - 12, "lamp"),
        *_across(x - half, x + half, floor + 24, f"{2 * half:g} view"),
        *_across(x - ring, x + ring, floor + 52, f"{2 * ring:g} ring"),
        *_upright(x - ring - 46, floor, lens, f"{tray.lens_mm:g}"),
        *_upright(x + ring + 34, floor, lamp, f"{LAMP_MM:g}"),
        _text(x, floor + 80, f"from the side; walls {WALL_MM:g} high"),
    ]


def _top(tray: Tray, x: float, y: float) -> list[str]:
    (wide, deep), (view_w, view_d) = tray.ring_wh_mm, tray.view_wh_mm
    post = y - tray.post_mm
    return [
        _box(x, y, wide, deep, "#ffb000", 8),
        _box(x, y, view_w, view_d, "#333", 2),
        _line(x, post, x, y, "#333", 8),
        f'<circle cx="{x:g}" cy="{post:g}" r="10" fill="#333"/>',
        f'<rect x="{x - 14:g}" y="{y - 14:g}" width="28" height="28" fill="#333"/>',
        _text(x, post - 18, "post of the arm"),
        _text(x, y + 34, "camera"),
        *_across(x - view_w / 2, x + view_w / 2, y + view_d / 2 - 12, f"{view_w:g}"),
        *_across(x - wide / 2, x + wide / 2, y + deep / 2 + 26, f"{wide:g} ring"),
        *_upright(x + wide / 2 + 46, y + deep / 2, y - deep / 2, f"{deep:g}"),
        *_upright(x - view_w / 2 + 40, y + view_d / 2, y - view_d / 2, f"{view_d:g}"),
        *_upright(x - wide / 2 - 40, y, post, f"{tray.post_mm:g}"),
        _text(x, y + deep / 2 + 56, "from above; frame and tray lie in the black line"),
    ]


def _across(x0: float, x1: float, y: float, text: str) -> list[str]:
    return [
        _line(x0, y, x1, y, "#666", 1),
        *(_line(x, y - 5, x, y + 5, "#666", 1) for x in (x0, x1)),
        _text((x0 + x1) / 2, y - 4, text),
    ]


def _upright(x: float, y0: float, y1: float, text: str) -> list[str]:
    return [
        _line(x, y0, x, y1, "#666", 1),
        *(_line(x - 5, y, x + 5, y, "#666", 1) for y in (y0, y1)),
        f'<text x="{x - 6:g}" y="{(y0 + y1) / 2:g}" text-anchor="end">{text}</text>',
    ]


def _line(
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    colour: str,
    width: float,
    dash: str = "",
) -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{x0:g}" y1="{y0:g}" x2="{x1:g}" y2="{y1:g}" stroke="{colour}" '
        f'stroke-width="{width:g}"{dashed}/>'
    )


def _box(x: float, y: float, w: float, h: float, colour: str, width: float) -> str:
    return (
        f'<rect x="{x - w / 2:g}" y="{y - h / 2:g}" width="{w:g}" height="{h:g}" '
        f'fill="none" stroke="{colour}" stroke-width="{width:g}"/>'
    )


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="middle">{text}</text>'


def _size(wh: tuple[float, float]) -> str:
    return f"{wh[0]:g} x {wh[1]:g}"


def _round_up(value: float, step: int) -> float:
    return float(math.ceil(value / step - 1e-9) * step)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw the tray for a camera and a view; 2 for a slip."""
    parser = argparse.ArgumentParser(prog="python -m hardware.tray_drawing")
    parser.add_argument("--camera", default=CAMERAS[0][0], metavar="NAME")
    parser.add_argument("--view", default="300x215", metavar="WIDTHxDEPTH")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE")
    asked = parser.parse_args(arguments)
    try:
        wide, deep = (float(side) for side in asked.view.lower().split("x"))
        tray = design(asked.camera, (wide, deep))
        asked.output.write_text(tray_svg(tray), encoding="utf-8")
    except (ValueError, OSError) as error:
        sys.stderr.write(f"tray_drawing: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
