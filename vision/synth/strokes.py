"""Our own numerals: random skeleton fonts, drawn with a round or flat pen.

A digit is a few control polygons in a box one high and `StrokeStyle.width` wide;
cutting their corners again and again turns them into curves, not cutting them leaves
an angular digit. A style is drawn once per die, so all its faces match.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image8 = NDArray[np.uint8]
Polyline = NDArray[np.float64]
"""``(n, 2)`` points, x right, y down."""

INK = (255,)

SMOOTH_ROUNDS = 4
"""Corner cuts after which a polygon looks like a curve at any size we draw."""


@dataclass(frozen=True, slots=True)
class StrokeStyle:
    """One random font.

    Attributes:
        width: Width of a digit over its height.
        weight: Thickness of the pen over the height of a digit.
        pen_aspect: Height of the pen over its width; 1 is round.
        cut: Share of an edge that each corner cut takes; small is squarish.
        rounds: Corner cuts; 0 leaves digits angular.
        gap: Space between two digits over their height.
        waist: Height at which 3, 6, 8, 9 are tied, from the top, for a 3.
        shear: Slant to the right over the height.
        one: ``bar``, ``flag``, ``serif``.
        two: ``hook``, ``flat``.
        three: ``round``, ``flat``.
        four: ``closed``, ``open``, ``slanted``.
        six: ``curled``, ``straight``, ``bent`` (a nine is a six turned over).
        seven: ``plain``, ``barred``, ``curved``, ``serif``.
        oval: Loops are ovals; else they keep straight sides.
        ends: True rounds the ends of strokes, False cuts them square.
    """

    width: float
    weight: float
    pen_aspect: float
    cut: float
    rounds: int
    gap: float
    waist: float
    shear: float
    one: str
    two: str
    three: str
    four: str
    six: str
    seven: str
    oval: bool
    ends: bool


def stroke_style(rng: random.Random) -> StrokeStyle:
    """Return a random style; the ranges span what dice makers print."""
    angular = rng.random() < 0.15
    return StrokeStyle(
        width=rng.uniform(0.42, 0.74),
        weight=rng.uniform(0.07, 0.22),
        pen_aspect=rng.choice((1.0, 1.0, 1.0, rng.uniform(0.55, 1.5))),
        cut=rng.choice((0.25, 0.25, 0.25, rng.uniform(0.1, 0.2))),
        rounds=rng.choice((0, 1)) if angular else SMOOTH_ROUNDS,
        gap=rng.uniform(0.08, 0.22),
        waist=rng.uniform(0.42, 0.54),
        shear=rng.choice((0.0, rng.uniform(-0.06, 0.2))),
        one=rng.choice(("bar", "flag", "flag", "serif")),
        two=rng.choice(("hook", "hook", "flat")),
        three=rng.choice(("round", "round", "flat")),
        four=rng.choice(("closed", "closed", "open", "slanted")),
        six=rng.choice(("curled", "curled", "straight", "bent")),
        seven=rng.choice(("plain", "plain", "barred", "curved", "serif")),
        oval=rng.random() < 0.6,
        ends=rng.random() < 0.7,
    )


HOUSE_STYLE = StrokeStyle(
    width=0.56,
    weight=0.15,
    pen_aspect=1.0,
    cut=0.25,
    rounds=SMOOTH_ROUNDS,
    gap=0.14,
    waist=0.47,
    shear=0.0,
    one="flag",
    two="hook",
    three="round",
    four="closed",
    six="curled",
    seven="plain",
    oval=True,
    ends=True,
)
"""The numerals of the demonstration set."""


def cut_corners(
    points: NDArray[np.float64], style: StrokeStyle, closed: bool = False
) -> Polyline:
    """Return the polygon with its corners cut `style.rounds` times, ends kept."""
    line = points
    for _ in range(style.rounds):
        after = np.roll(line, -1, axis=0) if closed else line[1:]
        before = line if closed else line[:-1]
        near = before + (after - before) * style.cut
        far = after - (after - before) * style.cut
        cut = np.stack([near, far], axis=1).reshape(-1, 2)
        line = cut if closed else np.concatenate([line[:1], cut[1:-1], line[-1:]])
    return np.concatenate([line, line[:1]]) if closed else line


class Skeleton:
    """Collects the polylines of one digit, in units of its box."""

    def __init__(self, style: StrokeStyle) -> None:
        self.style = style
        self.lines: list[Polyline] = []

    def straight(self, *points: tuple[float, float]) -> None:
        """Add a polyline with sharp corners."""
        self.lines.append(np.array(points, dtype=np.float64))

    def curve(self, *points: tuple[float, float], closed: bool = False) -> None:
        """Add a polygon whose corners are cut by the style."""
        self.lines.append(
            cut_corners(np.array(points, dtype=np.float64), self.style, closed)
        )

    def loop(self, x0: float, y0: float, x1: float, y1: float) -> None:
        """Add a closed loop that touches the box."""
        corners = [(x1, y0), (x1, y1), (x0, y1), (x0, y0)]
        if not self.style.oval:
            middle = (x0 + x1) / 2
            corners = [(middle, y0), *corners[:2], (middle, y1), *corners[2:]]
        self.curve(*corners, closed=True)


def _zero(s: Skeleton) -> float:
    s.loop(0, 0, 1, 1)
    return 1.0


def _one(s: Skeleton) -> float:
    x = 0.5
    s.straight((x, 0), (x, 1))
    if s.style.one != "bar":
        s.straight((x, 0), (x - 0.45, 0.22))
    if s.style.one == "serif":
        s.straight((x - 0.4, 1), (x + 0.4, 1))
    return 0.62


def _two(s: Skeleton) -> float:
    if s.style.two == "hook":
        s.curve((0.02, 0.28), (0, 0), (1, 0), (1, 0.46), (0.45, 0.66), (0, 1))
    else:
        s.curve((0.05, 0.1), (0.1, 0), (1, 0), (1, 0.5), (0, 0.55), (0, 1))
    s.straight((0, 1), (1, 1))
    return 1.0


def _three(s: Skeleton) -> float:
    m = s.style.waist
    if s.style.three == "round":
        s.curve((0.03, 0.2), (0.08, 0), (0.95, 0), (0.95, m), (0.35, m))
        s.curve((0.35, m), (1, m), (1, 1), (0, 1), (0, 0.78))
    else:
        s.straight((0.05, 0), (0.95, 0), (0.42, m * 0.85))
        s.curve((0.42, m * 0.85), (1, m * 0.85), (1, 1), (0, 1), (0, 0.8))
    return 1.0


def _four(s: Skeleton) -> float:
    y = 0.7
    if s.style.four == "closed":
        s.straight((0.74, 1), (0.74, 0), (0, y), (1, y))
    elif s.style.four == "open":
        s.straight((0.12, 0), (0.02, y), (1, y))
        s.straight((0.74, 0.3), (0.74, 1))
    else:
        s.straight((0.42, 0), (0, y), (1, y))
        s.straight((0.78, 0.38), (0.66, 1))
    return 1.0


def _five(s: Skeleton) -> float:
    s.straight((0.95, 0), (0.12, 0), (0.06, 0.46))
    s.curve((0.06, 0.46), (0.3, 0.35), (1, 0.35), (1, 1), (0, 1), (0, 0.8))
    return 1.0


def _six(s: Skeleton) -> float:
    top = 0.82 - s.style.waist
    middle = (1 + top) / 2
    s.loop(0, top, 1, 1)
    if s.style.six == "curled":
        s.curve((0, middle), (0, 0), (0.8, 0), (0.95, 0.18))
    elif s.style.six == "straight":
        s.straight((0.04, middle - 0.12), (0.62, 0))
    else:
        s.curve((0, middle), (0, 0.35), (0.62, 0))
    return 1.0


def _seven(s: Skeleton) -> float:
    if s.style.seven == "curved":
        s.straight((0, 0), (1, 0))
        s.curve((1, 0), (0.95, 0.1), (0.4, 0.4), (0.36, 1))
    else:
        s.straight((0, 0), (1, 0), (0.3, 1))
    if s.style.seven == "barred":
        s.straight((0.25, 0.52), (0.88, 0.52))
    if s.style.seven == "serif":
        s.straight((0, 0), (0, 0.16))
    return 1.0


def _eight(s: Skeleton) -> float:
    m = s.style.waist
    s.loop(0.08, 0, 0.92, m)
    s.loop(0, m, 1, 1)
    return 1.0


def _nine(s: Skeleton) -> float:
    width = _six(s)
    s.lines[:] = [np.array([1.0, 1.0]) - line for line in s.lines]
    return width


_DIGITS: dict[str, Callable[[Skeleton], float]] = dict(
    zip(
        "0123456789",
        (_zero, _one, _two, _three, _four, _five, _six, _seven, _eight, _nine),
        strict=True,
    )
)


def lay_out(text: str, style: StrokeStyle) -> tuple[list[Polyline], float]:
    """Return the strokes of a string of digits and its width, in digit heights."""
    lines: list[Polyline] = []
    x = 0.0
    for digit in text:
        skeleton = Skeleton(style)
        share = _DIGITS[digit](skeleton)
        shift = x - (1 - share) / 2 * style.width
        for line in skeleton.lines:
            lines.append(line * [style.width, 1.0] + [shift, 0.0])
        x += share * style.width + style.gap + style.weight
    return lines, x - style.gap - style.weight


def draw_strokes(text: str, style: StrokeStyle, size_px: int, height: float) -> Image8:
    """Draw digits as white on black, centred, before any mark.

    Args:
        text: Digits only.
        size_px: Side of the square result.
        style: The font.
        height: Height of a digit over `size_px`; less where the text is too wide.

    Returns:
        ``(size_px, size_px)`` uint8, 255 is ink.
    """
    lines, width = lay_out(text, style)
    wide = width + style.weight + abs(style.shear)
    skeleton_high = height * size_px * (1 - style.weight)
    scale = min(skeleton_high, size_px * 0.92 / wide)
    # Drawn with a round pen on a stretched canvas: squeezed back, the pen is oval.
    high = max(4, round(2 * size_px / style.pen_aspect))
    canvas = np.zeros((high, 2 * size_px), dtype=np.uint8)
    pen = max(1, round(2 * scale * style.weight / style.pen_aspect**0.5))
    for line in lines:
        x = (line[:, 0] - width / 2 - style.shear * (line[:, 1] - 0.5)) * scale
        y = (line[:, 1] - 0.5) * scale / style.pen_aspect
        points = np.stack([2 * x + size_px, 2 * y + high / 2], axis=1)
        cv2.polylines(
            canvas,
            [np.round(points * 16).astype(np.int32)],
            False,
            INK,
            pen,
            cv2.LINE_AA,
            4,
        )
    if not style.ends:
        # Opening with a square shaves the round ends to flat ones.
        side = max(1, pen // 2) | 1
        flat = np.ones((side, side), np.uint8)
        canvas = cv2.morphologyEx(canvas, cv2.MORPH_OPEN, flat).astype(np.uint8)
    mask = cv2.resize(canvas, (size_px, size_px), interpolation=cv2.INTER_AREA)
    return mask.astype(np.uint8)
