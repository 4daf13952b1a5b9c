"""What dice are thrown on: felt, cloth, wood, paper, cork, printed mats, bare boxes.

All return ``(h, w, 3)`` float32 screen values, 0..1, BGR.
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.floating[Any]]


def tint(hue: float, saturation: float, value: float) -> Array:
    """Return one colour, ``(3,)`` BGR screen values, of a hue in 0..1."""
    return np.array(colorsys.hsv_to_rgb(hue % 1, saturation, value)[::-1], np.float32)


def noise(
    rng: Random, size_wh: tuple[int, int], cells: float, *, lean: float = 1
) -> Array:
    """Return smooth noise, ``(h, w)`` float32, about 0 +- 0.3.

    Args:
        rng: Source of chance.
        size_wh: Of the result, px.
        cells: How many bumps lie across the image's width.
        lean: > 1 stretches the bumps sideways.
    """
    width, height = size_wh
    across = max(2, min(width, round(cells / lean)))
    down = max(2, min(height, round(cells * height / width)))
    seed = rng.getrandbits(32)
    small = (
        np.random.default_rng(seed).standard_normal((down, across), np.float32) * 0.3
    )
    return np.asarray(cv2.resize(small, size_wh, interpolation=cv2.INTER_LINEAR))


def _shades(colour: Array, wave: Array) -> Array:
    """Return the colour made lighter and darker by the wave."""
    return np.asarray(colour * np.clip(1 + wave, 0.05, 3)[..., None], np.float32)


def plain(rng: Random, size_wh: tuple[int, int]) -> Array:
    """Draw a bare box, a light box, a black floor."""
    pick = rng.random()
    if pick < 0.3:
        colour = tint(rng.random(), rng.uniform(0, 0.3), rng.uniform(0.02, 0.2))
    elif pick < 0.65:
        colour = tint(rng.random(), rng.uniform(0, 0.2), rng.uniform(0.7, 1))
    else:
        colour = tint(rng.random(), rng.uniform(0, 1), rng.uniform(0.2, 0.9))
    return _shades(colour, noise(rng, size_wh, 3) * rng.uniform(0, 0.15))


def felt(rng: Random, size_wh: tuple[int, int], colour: Array | None = None) -> Array:
    """Draw felt: short fibres on a soft unevenness."""
    if colour is None:
        colour = tint(rng.random(), rng.uniform(0.3, 1), rng.uniform(0.12, 0.7))
    width = size_wh[0]
    strength = rng.uniform(0.2, 0.6)
    wave = noise(rng, size_wh, width / rng.uniform(1, 2.5)) * strength
    return _shades(colour, wave + noise(rng, size_wh, 6) * 0.15)


def cloth(rng: Random, size_wh: tuple[int, int]) -> Array:
    """Draw a woven cloth or a carpet."""
    width, height = size_wh
    y, x = np.mgrid[:height, :width].astype(np.float32)
    pitch, turn = rng.uniform(2.2, 9), rng.uniform(0, math.pi)
    a = (x * math.cos(turn) + y * math.sin(turn)) * math.tau / pitch
    b = (y * math.cos(turn) - x * math.sin(turn)) * math.tau / pitch
    weave = np.sin(a) * np.sin(b) * rng.uniform(0.05, 0.25)
    colour = tint(rng.random(), rng.uniform(0, 0.8), rng.uniform(0.15, 0.9))
    return _shades(colour, weave + noise(rng, size_wh, width / 2) * 0.2)


def wood(rng: Random, size_wh: tuple[int, int]) -> Array:
    """Draw a table top or a floor of boards."""
    width, height = size_wh
    fine = noise(rng, size_wh, width / 2, lean=rng.uniform(15, 40))
    broad = noise(rng, size_wh, rng.uniform(8, 40), lean=rng.uniform(4, 12))
    rings = np.sin(broad * rng.uniform(8, 30)) * 0.12
    hue = rng.uniform(0.04, 0.11)
    colour = tint(hue, rng.uniform(0.3, 0.75), rng.uniform(0.2, 0.9))
    image = _shades(colour, rings + fine * 0.35 + broad * 0.2)
    if rng.random() < 0.4:
        for _ in range(rng.randint(1, 4)):
            y = rng.randrange(height)
            image[y : y + rng.randint(1, 3)] *= rng.uniform(0.3, 0.7)
    if rng.random() < 0.5:
        image = np.ascontiguousarray(np.rot90(image))
        image = np.asarray(cv2.resize(image, size_wh))
    return image


def cork(rng: Random, size_wh: tuple[int, int]) -> Array:
    """Draw cork, terrazzo, gravel: blotches with hard edges."""
    width = size_wh[0]
    blotch = noise(rng, size_wh, width / rng.uniform(4, 14))
    step = np.tanh(blotch * 12) * rng.uniform(0.08, 0.3)
    grain = noise(rng, size_wh, width / 1.5) * 0.3
    hue, full = rng.uniform(0.05, 0.12), rng.uniform(0.1, 0.65)
    return _shades(tint(hue, full, rng.uniform(0.3, 0.85)), step + grain)


def paper(rng: Random, size_wh: tuple[int, int]) -> Array:
    """Draw paper or cardboard, blank, ruled or squared."""
    colour = tint(rng.uniform(0.05, 0.2), rng.uniform(0, 0.35), rng.uniform(0.6, 1))
    image = _shades(colour, noise(rng, size_wh, size_wh[0] / 2) * rng.uniform(0, 0.15))
    if rng.random() < 0.4:
        pitch, ink = rng.randint(8, 40), tint(rng.random(), 0.5, rng.uniform(0.2, 0.8))
        image[:: max(8, pitch)] = ink
        if rng.random() < 0.5:
            image[:, :: max(8, pitch)] = ink
    return image


def mat(rng: Random, size_wh: tuple[int, int]) -> Array:
    """Draw a printed mat: grids of squares or hexes, rings, stripes, blots."""
    base = felt(rng, size_wh) if rng.random() < 0.5 else plain(rng, size_wh)
    width, height = size_wh
    thick, pitch = rng.randint(1, 3), rng.uniform(14, 80)
    lines = np.zeros((height, width), np.uint8)
    for _ in range(rng.randint(1, 2)):
        kind = rng.choice(("squares", "hexes", "rings", "stripes", "blots"))
        if kind == "squares":
            for k in range(int(max(width, height) / pitch) + 1):
                at = round(k * pitch)
                cv2.line(lines, (at, 0), (at, height), (255,), thick)
                cv2.line(lines, (0, at), (width, at), (255,), thick)
        elif kind == "hexes":
            _hexes(lines, pitch / 2, thick)
        elif kind == "rings":
            middle = (rng.randrange(width), rng.randrange(height))
            for k in range(1, rng.randint(2, 8)):
                cv2.circle(lines, middle, round(k * pitch), (255,), thick, cv2.LINE_AA)
        elif kind == "stripes":
            y, x = np.mgrid[:height, :width]
            turn = rng.uniform(0, math.pi)
            wave = np.sin((x * math.cos(turn) + y * math.sin(turn)) * math.tau / pitch)
            lines |= (wave > rng.uniform(-0.5, 0.8)).astype(np.uint8) * 255
        else:
            lines |= (noise(rng, size_wh, width / pitch) > 0.25).astype(np.uint8) * 255
    cover = (lines.astype(np.float32) / 255 * rng.uniform(0.2, 1))[..., None]
    ink = tint(rng.random(), rng.uniform(0, 1), rng.uniform(0, 1))
    return np.asarray(base * (1 - cover) + ink * cover, np.float32)


def _hexes(lines: NDArray[np.uint8], side: float, thick: int) -> None:
    """Draw a hexagon grid."""
    height, width = lines.shape
    corners = [(math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6)]
    for column in range(int(width / side / 1.5) + 2):
        for row in range(int(height / side / 1.7) + 2):
            x = column * side * 1.5
            y = (row + (column % 2) / 2) * side * math.sqrt(3)
            ring = [(round(x + a * side), round(y + b * side)) for a, b in corners]
            cv2.polylines(lines, [np.array(ring)], True, (255,), thick, cv2.LINE_AA)


GROUNDS: tuple[tuple[Callable[[Random, tuple[int, int]], Array], float], ...] = (
    (plain, 22),
    (felt, 22),
    (wood, 18),
    (paper, 12),
    (cloth, 10),
    (mat, 10),
    (cork, 8),
)


def random_ground(rng: Random, size_wh: tuple[int, int]) -> Array:
    """Return something to throw dice on, unevenly lit."""
    draw = rng.choices([g for g, _ in GROUNDS], [weight for _, weight in GROUNDS])[0]
    image = draw(rng, size_wh)
    if rng.random() < 0.6:
        image = image * (1 + noise(rng, size_wh, 2) * rng.uniform(0, 0.8))[..., None]
    return np.clip(image, 0, 1).astype(np.float32)
