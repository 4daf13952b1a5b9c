"""Flat printed things about as large as a die: tiles, small cards, dominoes.

What `vision.tiles` is trained to tell from cubes. The cards and tiles of
`vision.synth.lying`, by which false rolls are counted, are drawn by other code.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth import icons, marks, strokes
from vision.synth.ground import noise, tint

Array: TypeAlias = NDArray[np.floating[Any]]
Mask: TypeAlias = NDArray[np.uint8]

UNIT_PX = 72
"""Pixels of the drawing per side of a die's face."""

MARGIN_PX = 9
"""Room round the drawing for its blurred edge."""

CUBE_SIDE = 2 / math.sqrt(3)
"""Side of a cube's face in radii of the die."""


def printed(rng: Random, picture: Array, unit: float) -> None:
    """Lay a tile, a card or a domino somewhere, in place.

    Args:
        rng: Source of chance.
        picture: ``(h, w, 3)`` float32 screen values.
        unit: Radius in px that a die would have there.
    """
    length = rng.choice((1.0, 1.0, rng.uniform(1.1, 1.6), 2.0))
    wide, high = UNIT_PX, round(UNIT_PX * length)
    drawn, ink = _body(rng, wide, high), _ink(rng)
    if length == 2 or (length > 1.4 and rng.random() < 0.3):
        _domino(rng, drawn, ink)
    else:
        _print(drawn, _mark(rng), (wide // 2, high // 2), ink)
        _trimmings(rng, drawn, ink)
    cover = _cover(rng, wide, high)
    size = unit * CUBE_SIDE * math.exp(rng.uniform(-0.15, 0.3))
    if rng.random() < 0.2:
        size *= rng.uniform(1.2, 2)
    _lay(rng, picture, drawn, cover, size / UNIT_PX)


def _body(rng: Random, wide: int, high: int) -> Array:
    """Return a bare tile: one colour, a little grain, light that falls off a little."""
    drawn = np.empty((high, wide, 3), np.float32)
    colour = tint(rng.random(), rng.uniform(0.1, 1), rng.uniform(0.12, 1))
    drawn[:] = rng.uniform(0.75, 1) if rng.random() < 0.35 else colour
    if rng.random() < 0.3:
        grain = noise(rng, (wide, high), rng.uniform(3, 40))
        drawn *= (1 + grain * rng.uniform(0.02, 0.25))[..., None]
    if rng.random() < 0.3:
        slope, turn = rng.uniform(0, 0.12), rng.uniform(0, math.tau)
        y, x = np.mgrid[:high, :wide].astype(np.float32) / wide - 0.5
        lit = 1 + slope * (x * math.cos(turn) + y * math.sin(turn))
        drawn *= lit[..., None].astype(np.float32)
    return drawn


def _ink(rng: Random) -> Array:
    if rng.random() < 0.7:
        return np.full(3, rng.choice((0.05, 0.95)), np.float32)
    return tint(rng.random(), rng.uniform(0.3, 1), rng.uniform(0.1, 1))


def _mark(rng: Random) -> Mask:
    """Return what is printed in the middle, ``(UNIT_PX, UNIT_PX)``."""
    sort = rng.choice(("pips", "pips", "stroke", "plain", "icon"))
    if sort == "pips":
        style = marks.pip_style(rng) if rng.random() < 0.6 else None
        return marks.pips(rng.randint(1, 6), style, UNIT_PX)
    if sort == "icon":
        return icons.random_icon(rng, UNIT_PX)
    word = str(rng.randint(1, 20) if rng.random() < 0.4 else rng.randint(1, 9))
    if sort == "stroke":
        return marks.numeral(word, strokes.stroke_style(rng), UNIT_PX)
    mask = np.zeros((UNIT_PX, UNIT_PX), np.uint8)
    font = rng.choice((cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX))
    scale, thick = rng.uniform(1, 1.9) / len(word) ** 0.5, rng.randint(2, 7)
    (wide, high), _ = cv2.getTextSize(word, font, scale, thick)
    at = ((UNIT_PX - wide) // 2, (UNIT_PX + high) // 2)
    cv2.putText(mask, word, at, font, scale, (255,), thick, cv2.LINE_AA)
    return mask


def _print(drawn: Array, mask: Mask, xy: tuple[int, int], ink: Array) -> None:
    """Print a square mask in the middle of a place."""
    side = mask.shape[0]
    x, y = xy[0] - side // 2, xy[1] - side // 2
    part = drawn[y : y + side, x : x + side]
    part += (ink - part) * (mask / np.float32(255))[..., None]


def _domino(rng: Random, drawn: Array, ink: Array) -> None:
    """Print two marks, one over the other, mostly with a line between them."""
    high, wide = drawn.shape[:2]
    share = min(1.0, high / (2 * UNIT_PX))
    side = int(UNIT_PX * share)
    for row in (0, 1):
        small = cv2.resize(_mark(rng), (side, side), interpolation=cv2.INTER_AREA)
        middle = (wide // 2, high // 4 + row * (high // 2))
        _print(drawn, np.asarray(small, np.uint8), middle, ink)
    if rng.random() < 0.7:
        start, end = (wide // 10, high // 2), (wide - wide // 10, high // 2)
        shade = [float(v) for v in ink]
        cv2.line(drawn, start, end, shade, rng.randint(1, 3), cv2.LINE_AA)


def _trimmings(rng: Random, drawn: Array, ink: Array) -> None:
    """Print a border, or small numerals in two corners, or neither."""
    high, wide = drawn.shape[:2]
    if rng.random() < 0.2:
        room = rng.randint(0, 6)
        last = (wide - 1 - room, high - 1 - room)
        shade = [float(v) for v in ink]
        cv2.rectangle(drawn, (room, room), last, shade, rng.randint(1, 4))
    if rng.random() < 0.25:
        side = rng.randint(12, 20)
        small = cv2.resize(_mark(rng), (side, side), interpolation=cv2.INTER_AREA)
        mask = np.asarray(small, np.uint8)
        _print(drawn, mask, (side // 2 + 2, side // 2 + 2), ink)
        turned = np.ascontiguousarray(mask[::-1, ::-1])
        _print(drawn, turned, (wide - side // 2 - 3, high - side // 2 - 3), ink)


def _cover(rng: Random, wide: int, high: int) -> Array:
    """Return where the tile is, 0..1: corners sharp, or a little rounded."""
    radius = 0 if rng.random() < 0.65 else round(UNIT_PX * rng.uniform(0.03, 0.14))
    cover = np.ones((high, wide), np.float32)
    if radius:
        cover[:] = 0
        box = (
            (radius, 0, wide - 2 * radius, high),
            (0, radius, wide, high - 2 * radius),
        )
        for x, y, w, h in box:
            cover[y : y + h, x : x + w] = 1
        for x in (radius, wide - 1 - radius):
            for y in (radius, high - 1 - radius):
                cv2.circle(cover, (x, y), radius, (1.0,), -1, cv2.LINE_AA)
    return cover


def _lay(rng: Random, picture: Array, drawn: Array, cover: Array, scale: float) -> None:
    """Lay it down: a narrow shadow, sometimes the edge of a thick card, the print."""
    room = (MARGIN_PX,) * 4
    around = (cv2.BORDER_REPLICATE, cv2.BORDER_CONSTANT)
    drawn, cover = (
        np.asarray(cv2.copyMakeBorder(part, *room, border), np.float32)
        for part, border in zip((drawn, cover), around, strict=True)
    )
    high, wide = drawn.shape[:2]
    # Shrinking without this would leave saws for edges, by which to know a tile.
    soft = max(0.3, 0.4 / scale)
    drawn = np.asarray(cv2.GaussianBlur(drawn, (0, 0), soft), np.float32)
    cover = np.asarray(cv2.GaussianBlur(cover, (0, 0), soft), np.float32)
    turn = rng.uniform(0, math.tau)
    cos, sin = math.cos(turn) * scale, math.sin(turn) * scale
    at = np.array([rng.uniform(0.15, 0.85) * s for s in picture.shape[1::-1]])
    axes = np.array([[cos, -sin], [sin, cos]])
    first = at - axes @ (np.array([wide - 1, high - 1]) / 2)
    size = (picture.shape[1], picture.shape[0])
    side = UNIT_PX * scale

    def lie(what: Array, away: tuple[float, float] = (0.0, 0.0)) -> Array:
        matrix = np.concatenate([axes, (first + away)[:, None]], axis=1)
        border = cv2.BORDER_REPLICATE if what.ndim == 3 else cv2.BORDER_CONSTANT
        return np.asarray(cv2.warpAffine(what, matrix, size, borderMode=border))

    lamp, far = rng.uniform(0, math.tau), side * rng.uniform(0, 0.1)
    away = (far * math.cos(lamp), far * math.sin(lamp))
    fall = max(0.5, side * rng.uniform(0.02, 0.12))
    shadow = cv2.GaussianBlur(lie(cover, away), (0, 0), fall)
    picture *= (1 - rng.uniform(0, 0.6) * np.asarray(shadow))[..., None]
    if rng.random() < 0.3:
        far = side * rng.uniform(0.02, 0.07)
        edge = lie(cover, (far * math.cos(lamp), far * math.sin(lamp)))
        body = drawn[high // 4, wide // 4] * np.float32(rng.uniform(0.4, 1.1))
        picture += (np.minimum(body, 1) - picture) * edge[..., None]
    share = lie(cover)
    picture += (lie(drawn) - picture) * share[..., None]
    np.clip(picture, 0, 1, out=picture)
