"""Icons as masks: the demonstration set's own, and endless random ones for training.

Coordinates of all shapes: x right, y down, the mask spans -1..1, an icon keeps within
a circle of `REACH`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
Points = Sequence[tuple[float, float]]

REACH = 0.72
"""Radius that an icon keeps within, over half the mask's side."""


class Pen:
    """Draws shapes in units of half the mask, at twice its resolution."""

    def __init__(self, size_px: int) -> None:
        self._half = float(size_px)
        self._page = np.zeros((2 * size_px, 2 * size_px), dtype=np.uint8)

    def _fixed(self, points: Points) -> NDArray[np.int32]:
        at = (np.array(points, dtype=np.float64) * REACH + 1) * self._half
        fixed: NDArray[np.int32] = np.round(at * 16).astype(np.int32)
        return fixed

    def fill(self, points: Points, ink: bool = True) -> None:
        """Fill a polygon, or cut it out."""
        value = (255,) if ink else (0,)
        cv2.fillPoly(self._page, [self._fixed(points)], value, cv2.LINE_AA, 4)

    def line(self, points: Points, width: float, ink: bool = True) -> None:
        """Draw a polyline; `width` is in half masks."""
        pen = max(1, round(width * REACH * self._half))
        value = (255,) if ink else (0,)
        cv2.polylines(
            self._page, [self._fixed(points)], False, value, pen, cv2.LINE_AA, 4
        )

    def disc(self, x: float, y: float, radius: float, ink: bool = True) -> None:
        """Fill a circle, or cut it out."""
        self.fill(circle(x, y, radius), ink)

    def mask(self) -> Mask:
        """Return what was drawn, at the size asked for."""
        size = int(self._half)
        out: Mask = cv2.resize(
            self._page, (size, size), interpolation=cv2.INTER_AREA
        ).astype(np.uint8)
        return out


def circle(x: float, y: float, radius: float, corners: int = 40) -> Points:
    """Return a circle as a polygon."""
    steps = [2 * math.pi * i / corners for i in range(corners)]
    return [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in steps]


def star(tips: int, outer: float, inner: float, turn: float = 0.0) -> Points:
    """Return a star as a polygon, one tip up where `turn` is 0."""
    points = []
    for i in range(2 * tips):
        radius = inner if i % 2 else outer
        angle = turn - math.pi / 2 + math.pi * i / tips
        points.append((radius * math.cos(angle), radius * math.sin(angle)))
    return points


def _damage(pen: Pen) -> None:
    pen.disc(0, 0.34, 0.62)
    pen.fill([(0, -1), (0.56, 0.1), (-0.56, 0.1)])
    pen.disc(-0.2, 0.42, 0.18, ink=False)


def _penetration(pen: Pen) -> None:
    pen.line([(-0.9, 0.28), (0.9, 0.28)], 0.26)
    pen.line([(0, 1), (0, -0.4)], 0.3)
    pen.fill([(0, -1), (0.52, -0.3), (-0.52, -0.3)])


def _chevrons(count: int) -> Callable[[Pen], None]:
    def draw(pen: Pen) -> None:
        step = 0.6
        for i in range(count):
            y = (i - (count - 1) / 2) * step
            pen.line([(-0.72, y + 0.22), (0, y - 0.3), (0.72, y + 0.22)], 0.27)

    return draw


def _bottle(pen: Pen) -> None:
    pen.fill([(-0.16, -1), (0.16, -1), (0.16, -0.5), (-0.16, -0.5)])
    pen.fill(
        [
            (-0.16, -0.55),
            (0.16, -0.55),
            (0.42, -0.1),
            (0.42, 1),
            (-0.42, 1),
            (-0.42, -0.1),
        ]
    )
    pen.fill([(-0.42, 0.2), (0.42, 0.2), (0.42, 0.55), (-0.42, 0.55)], ink=False)


def _burst(pen: Pen) -> None:
    pen.fill(star(8, 1.0, 0.5))
    pen.disc(0, 0, 0.3, ink=False)


def _cog(pen: Pen) -> None:
    for i in range(6):
        angle = math.pi * i / 6
        x, y = 0.98 * math.cos(angle), 0.98 * math.sin(angle)
        if i % 2 == 0:
            pen.line([(-x, -y), (x, y)], 0.34)
    pen.disc(0, 0, 0.68)
    pen.disc(0, 0, 0.3, ink=False)


def _bolt(pen: Pen) -> None:
    pen.fill(
        [(0.3, -1), (-0.6, 0.18), (-0.05, 0.18), (-0.3, 1), (0.6, -0.22), (0.06, -0.22)]
    )


def _cross(pen: Pen) -> None:
    pen.line([(-0.66, -0.66), (0.66, 0.66)], 0.36)
    pen.line([(-0.66, 0.66), (0.66, -0.66)], 0.36)


def _cross_in_cog(pen: Pen) -> None:
    pen.line([(-0.8, -0.86), (0.2, 0.14)], 0.3)
    pen.line([(-0.8, 0.14), (0.2, -0.86)], 0.3)
    pen.disc(0.48, 0.56, 0.4)
    pen.disc(0.48, 0.56, 0.17, ink=False)


def _clover(pen: Pen) -> None:
    for x, y in ((0, -0.52), (0.5, -0.02), (-0.5, -0.02)):
        pen.disc(x, y, 0.42)
    pen.line([(0, -0.1), (0, 0.5), (0.28, 0.92)], 0.2)


_ICONS: dict[str, Callable[[Pen], None]] = {
    "dmg": _damage,
    "pen": _penetration,
    "acc1": _chevrons(1),
    "acc2": _chevrons(2),
    "acc3": _chevrons(3),
    "bottle": _bottle,
    "star": lambda pen: pen.fill(star(5, 1.0, 0.42)),
    "burst": _burst,
    "ap": _cog,
    "crit": _bolt,
    "x": _cross,
    "x_ap": _cross_in_cog,
    "luck": _clover,
}

NAMES = tuple(_ICONS)
"""Icons of the demonstration set: ours, not those printed on any maker's dice."""


def icon(name: str, size_px: int = 128) -> Mask:
    """Draw an icon of `NAMES`; KeyError where there is none."""
    pen = Pen(size_px)
    _ICONS[name](pen)
    return pen.mask()


def side_by_side(
    parts: Sequence[Mask], scale: float = 0.62, turn_deg: float = 0.0
) -> Mask:
    """Return two small icons beside each other on one face.

    Args:
        parts: Two masks of one size.
        scale: Of each icon.
        turn_deg: Turns the pair as a whole, counter-clockwise.
    """
    size = parts[0].shape[0]
    out = np.zeros((size, size), dtype=np.uint8)
    for part, side in zip(parts, (-1, 1), strict=True):
        at = size / 2 + side * scale * REACH * size / 2 * 1.05
        place = np.array(
            [[scale, 0, at - scale * size / 2], [0, scale, size / 2 * (1 - scale)]]
        )
        small = cv2.warpAffine(part, place, (size, size), flags=cv2.INTER_AREA)
        out = np.maximum(out, small.astype(np.uint8))
    if turn_deg:
        middle = ((size - 1) / 2, (size - 1) / 2)
        spin = cv2.getRotationMatrix2D(middle, turn_deg, 1.0)
        out = cv2.warpAffine(out, spin, (size, size)).astype(np.uint8)
    return out


def random_icon(rng: random.Random, size_px: int = 64) -> Mask:
    """Draw an icon that nobody has seen: a few shapes added and cut out."""
    pen = Pen(size_px)
    for layer in range(rng.randint(1, 4)):
        _add_shape(pen, rng, ink=layer == 0 or rng.random() < 0.7)
    mask = pen.mask()
    if rng.random() < 0.4:
        mask = np.maximum(mask, mask[:, ::-1])
    share = float(mask.mean()) / 255
    return mask if 0.04 < share < 0.6 else random_icon(rng, size_px)


def _add_shape(pen: Pen, rng: random.Random, ink: bool) -> None:
    """Add one random shape: stroke, disc, arc, polygon, star or ring."""

    def point(reach: float) -> tuple[float, float]:
        return rng.uniform(-reach, reach), rng.uniform(-reach, reach)

    kind = rng.choice(("stroke", "disc", "arc", "polygon", "star", "ring"))
    if kind == "stroke":
        pen.line(
            [point(0.9) for _ in range(rng.randint(2, 4))], rng.uniform(0.1, 0.4), ink
        )
    elif kind == "disc":
        pen.disc(*point(0.5), rng.uniform(0.15, 0.6), ink)
    elif kind == "arc":
        start, sweep = rng.uniform(0, 6.28), rng.uniform(1.5, 5)
        radius, (x, y) = rng.uniform(0.3, 0.8), point(0.25)
        angles = [start + sweep * i / 24 for i in range(25)]
        arc = [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles]
        pen.line(arc, rng.uniform(0.1, 0.32), ink)
    elif kind == "polygon":
        corners, turn = rng.randint(3, 7), rng.uniform(0, 6.28)
        equal = rng.uniform(0.4, 0.95) if rng.random() < 0.5 else None
        angles = [turn + 2 * math.pi * i / corners for i in range(corners)]
        radii = [equal or rng.uniform(0.3, 1.0) for _ in angles]
        around = zip(radii, angles, strict=True)
        pen.fill([(r * math.cos(a), r * math.sin(a)) for r, a in around], ink)
    elif kind == "star":
        outer = rng.uniform(0.5, 1.0)
        tips, turn = rng.randint(3, 9), rng.choice((0.0, rng.uniform(0, 6.28)))
        pen.fill(star(tips, outer, outer * rng.uniform(0.3, 0.75), turn), ink)
    else:
        x, y = point(0.15)
        radius = rng.uniform(0.4, 0.95)
        pen.line([*circle(x, y, radius), (x + radius, y)], rng.uniform(0.08, 0.3), ink)


def emblem(rng: random.Random, size_px: int = 64) -> Mask:
    """Draw what makers put in place of a number: wings, a skull, a crest."""
    pen = Pen(size_px)
    kind = rng.choice(("wings", "skull", "crest", "crest"))
    if kind == "wings":
        for row in range(rng.randint(3, 5)):
            y = -0.5 + row * rng.uniform(0.2, 0.28)
            reach = 1.0 - row * rng.uniform(0.1, 0.2)
            for side in (-1, 1):
                tip = (side * reach, y - rng.uniform(0.05, 0.3))
                pen.line([(side * 0.12, y + 0.15), tip], rng.uniform(0.12, 0.2))
        pen.line([(0, -0.6), (0, 0.7)], rng.uniform(0.15, 0.35))
        pen.disc(0, rng.uniform(-0.7, -0.3), rng.uniform(0.15, 0.25))
        return pen.mask()
    if kind == "skull":
        wide = rng.uniform(0.55, 0.75)
        pen.disc(0, -0.2, wide)
        pen.fill([(-0.4, 0.1), (0.4, 0.1), (0.34, 0.85), (-0.34, 0.85)])
        for side in (-1, 1):
            pen.disc(side * wide * 0.45, -0.1, rng.uniform(0.14, 0.22), ink=False)
            pen.line([(side * 0.12, 0.55), (side * 0.12, 0.9)], 0.07, ink=False)
        pen.fill([(0, 0.1), (0.12, 0.35), (-0.12, 0.35)], ink=False)
        return pen.mask()
    if rng.random() < 0.6:
        pen.line([*circle(0, 0, 0.92), (0.92, 0)], rng.uniform(0.06, 0.16))
    inner = random_icon(rng, size_px)
    return np.maximum(pen.mask(), np.maximum(inner, inner[:, ::-1]))
