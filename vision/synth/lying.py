"""Flat things that look most like dice: cards, coins, tokens, one at a time.

As `vision.synth.clutter`: painted over a ``(h, w, 3)`` float32 picture of screen
values, in place, sized by `unit`, the radius in px that a die would have there.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth import icons, marks
from vision.synth.ground import tint

Array: TypeAlias = NDArray[np.floating[Any]]

SMALL_PX = 192
"""Side of the square that a card or a disc is drawn in before it is laid down."""

CARD_MM = (63.0, 88.0)
DIE_RADIUS_MM = 11.5

PIPS = {
    1: ((0, 0),),
    2: ((0, -1), (0, 1)),
    3: ((0, -1), (0, 0), (0, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Places of the symbols on a playing card."""


def _lay(picture: Array, drawn: Array, cover: Array, corners: Array) -> None:
    """Lay a small square picture, with its cover, where its corners shall lie."""
    side = drawn.shape[0]
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
    place = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    size = (picture.shape[1], picture.shape[0])
    step = math.dist(corners[0], corners[1]) / side
    if step < 0.5:
        soft = 0.4 / step
        drawn = np.asarray(cv2.GaussianBlur(drawn, (0, 0), soft), np.float32)
    shown = cv2.warpPerspective(drawn.astype(np.float32), place, size)
    share = np.asarray(cv2.warpPerspective(cover.astype(np.float32), place, size))
    around = cv2.GaussianBlur(share, (0, 0), 3.0)
    picture *= (1 - 0.4 * np.asarray(around) * (1 - share))[..., None]
    picture += (np.asarray(shown) - picture) * share[..., None]


def _corners(rng: Random, picture: Array, wide: float, high: float) -> Array:
    """Return the corners, px, of a turned rectangle somewhere in the picture."""
    x = rng.uniform(0.2, 0.8) * picture.shape[1]
    y = rng.uniform(0.2, 0.8) * picture.shape[0]
    turn = rng.uniform(0, math.tau)
    cos, sin = math.cos(turn), math.sin(turn)
    half = np.array([[-wide, -high], [wide, -high], [wide, high], [-wide, high]]) / 2
    return np.asarray(half @ [[cos, sin], [-sin, cos]] + (x, y))


def _colour(rng: Random) -> Array:
    return tint(rng.random(), rng.uniform(0.2, 1), rng.uniform(0.15, 1))


def _numeral(rng: Random, size_px: int) -> NDArray[np.uint8]:
    """Return the mask of a numeral up to 20."""
    mask = np.zeros((128, 128), np.uint8)
    word = str(rng.randint(1, 20))
    scale, thick = (3.6, rng.randint(6, 13)) if len(word) == 1 else (2.6, 9)
    (wide, high), _ = cv2.getTextSize(word, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    at = (64 - wide // 2, 64 + high // 2)
    font = rng.choice((cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX))
    cv2.putText(mask, word, at, font, scale, (255,), thick, cv2.LINE_AA)
    small = cv2.resize(mask, (size_px, size_px), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def _stamp(
    drawn: Array, mask: NDArray[np.uint8], xy: tuple[int, int], ink: Any
) -> None:
    """Print a mask in the middle of a place."""
    size = mask.shape[0]
    x, y = xy[0] - size // 2, xy[1] - size // 2
    part = drawn[y : y + size, x : x + size]
    part += (np.asarray(ink, np.float32) - part) * (mask / np.float32(255))[..., None]


def playing_card(rng: Random, picture: Array, unit: float) -> None:
    """Lay a playing card: symbols or pips in rows, a numeral in two corners."""
    side = SMALL_PX
    paper = rng.uniform(0.8, 1) * np.ones(3) if rng.random() < 0.7 else _colour(rng)
    drawn = np.empty((side, side, 3), np.float32)
    drawn[:] = paper
    ink = _colour(rng) if rng.random() < 0.5 else np.full(3, rng.uniform(0, 0.15))
    count = rng.randint(1, 6)
    style = rng.choice(("pips", "icons", "numeral"))
    if style == "numeral":
        _stamp(drawn, _numeral(rng, rng.choice((80, 120))), (side // 2, side // 2), ink)
    else:
        size = rng.randrange(22, 40)
        icon = icons.random_icon(rng, size)
        if style == "pips":
            icon = np.zeros((size, size), np.uint8)
            cv2.circle(icon, (size // 2, size // 2), size // 2 - 2, (255,), -1, 16)
        for a, b in PIPS[count]:
            _stamp(drawn, icon, (side // 2 + 42 * a, side // 2 + 56 * b), ink)
    small = _numeral(rng, 34)
    _stamp(drawn, small, (22, 24), ink)
    _stamp(drawn, np.ascontiguousarray(small[::-1, ::-1]), (side - 22, side - 24), ink)
    scale = unit / DIE_RADIUS_MM * rng.uniform(0.62, 1.05)
    corners = _corners(rng, picture, CARD_MM[0] * scale, CARD_MM[1] * scale)
    _lay(picture, drawn, np.ones((side, side), np.float32), corners)


def pip_tile(rng: Random, picture: Array, unit: float) -> None:
    """Lay a tile as large as a die's face with pips or a numeral printed on it."""
    side = SMALL_PX
    drawn = np.empty((side, side, 3), np.float32)
    drawn[:] = _colour(rng) if rng.random() < 0.6 else rng.uniform(0.7, 1)
    ink = np.full(3, rng.choice((0.05, 0.95)), np.float32)
    if rng.random() < 0.5:
        mask = marks.pips(rng.randint(1, 6), None, side)
    else:
        mask = _numeral(rng, 128)
    _stamp(drawn, mask, (side // 2, side // 2), ink)
    wide = unit * rng.uniform(1.1, 2.2)
    corners = _corners(rng, picture, wide, wide * rng.choice((1, 1, 1.4)))
    _lay(picture, drawn, np.ones((side, side), np.float32), corners)


def coin(rng: Random, picture: Array, unit: float) -> None:
    """Lay a metal coin: a rim, a worn relief, a large numeral or a head."""
    metal = rng.choice(((0.35, 0.6, 0.75), (0.7, 0.72, 0.74), (0.3, 0.45, 0.65)))
    _disc(rng, picture, unit * rng.uniform(0.7, 1.3), np.array(metal), relief=True)


def token(rng: Random, picture: Array, unit: float) -> None:
    """Lay a cardboard token: one colour, a border, an icon or a numeral."""
    _disc(rng, picture, unit * rng.uniform(0.6, 1.5), _colour(rng), relief=False)


def _disc(
    rng: Random, picture: Array, radius: float, body: Array, *, relief: bool
) -> None:
    """Lay a printed or struck disc."""
    side = SMALL_PX
    middle = (side // 2, side // 2)
    drawn = np.empty((side, side, 3), np.float32)
    drawn[:] = body
    if rng.random() < 0.5:
        mask = _numeral(rng, rng.choice((90, 120)))
    else:
        mask = icons.random_icon(rng, rng.choice((90, 120)))
    if relief:
        light = np.asarray(cv2.GaussianBlur(mask, (0, 0), 2), np.float32) / 255
        edge = cv2.Sobel(light, cv2.CV_32F, 1, 1, ksize=5)
        edge = edge / (np.abs(edge).max() + 1e-6) * rng.uniform(0.2, 0.6)
        size = mask.shape[0]
        at = side // 2 - size // 2
        drawn[at : at + size, at : at + size] *= 1 + edge[..., None]
    else:
        dark = float(body.mean()) > 0.5
        _stamp(drawn, mask, middle, np.full(3, 0.08 if dark else 0.92))
    ring = np.zeros((side, side), np.float32)
    cv2.circle(ring, middle, side // 2 - 8, (1,), 6, cv2.LINE_AA)
    drawn *= (1 + ring * rng.uniform(-0.4, 0.4))[..., None]
    cover = np.zeros((side, side), np.float32)
    cv2.circle(cover, middle, side // 2 - 2, (1,), -1, cv2.LINE_AA)
    corners = _corners(rng, picture, 2 * radius, 2 * radius)
    _lay(picture, np.clip(drawn, 0, 1), cover, corners)
