"""Makes more of the finder's and the pose network's crops: moved, cut, recoloured."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from vision.frame import Image
from vision.patches import ANGLES, CROP_PX, CROP_REACH, RINGS, unrolled
from vision.synth.solids import SHAPES
from vision.train.find_data import Crops

ALONE = 0.12
"""Share of dice that fill their picture: beyond its border there is nothing."""


def unroll(parts: Sequence[Crops], chance: np.random.Generator) -> Crops:
    """Return crops unrolled, from a middle and a radius a little off, and mirrored.

    The middle is drawn from the way between the die's middle, where the finder sees
    it, and the top, where the second look is centred.
    """
    names = Crops.__slots__
    crops = Crops(*(np.concatenate([getattr(p, n) for p in parts]) for n in names))
    count = len(crops.images)
    places, views, turns = crops.places.copy(), crops.views.copy(), crops.turns.copy()
    images = np.zeros((count, RINGS, ANGLES, 3), np.uint8)
    die = crops.shapes < len(SHAPES)
    way = chance.random((count, 1)) ** 0.5 * (chance.random((count, 1)) < 0.6)
    # A finder's error stays where the first look is; the second is nearer.
    rough = np.where(way > 0, 0.045, 0.0) + 0.01
    shifts = way * places[:, 2:4] + chance.normal(0, 1, (count, 2)) * rough
    keep = np.where(way > 0, 0.7, 0.0) * places[:, 4:5]
    growths = keep + chance.normal(0, 0.035, (count, 1))
    shifts, growths = shifts * die[:, None], growths * die[:, None]
    alone = die[:, None] & (chance.random((count, 1)) < ALONE)
    for k in range(count):
        shift = (float(shifts[k, 0]), float(shifts[k, 1]))
        crop = crops.images[k]
        if alone[k]:
            crop = cropped(crop, places[k, :2], float(places[k, 4]), chance)
        images[k] = unrolled(crop, shift, math.exp(float(growths[k, 0])))
    places[:, :4] = (places[:, :4] - np.tile(shifts, 2)) / np.exp(growths)
    places[:, 4:5] -= growths
    mirrored = chance.random(count) < 0.5
    images[mirrored] = images[mirrored, :, ::-1]
    places[mirrored, 0] *= -1
    places[mirrored, 2] *= -1
    views[mirrored, 0] *= -1
    turns[mirrored, 1] *= -1
    return Crops(images, crops.shapes, places, turns, crops.flats, views)


def cropped(
    crop: Image, middle: np.ndarray, growth: float, chance: np.random.Generator
) -> Image:
    """Return a crop as if the photograph had been cut close round its die.

    Args:
        crop: ``(CROP_PX, CROP_PX, 3)``.
        middle: Of the die in the crop, in the crop's radii right and down.
        growth: ln of the die's radius over the crop's.
        chance: Of the four sides.
    """
    unit = CROP_PX / (2 * CROP_REACH)
    reach = math.exp(growth) * chance.uniform(0.92, 1.3, 4)
    low = np.floor((CROP_REACH + middle - reach[:2]) * unit)
    high = np.ceil((CROP_REACH + middle + reach[2:]) * unit)
    low, high = np.clip(low, 0, CROP_PX - 2), np.clip(high, 2, CROP_PX)
    at = np.arange(CROP_PX)
    columns = np.clip(at, low[0], high[0] - 1).astype(int)
    rows = np.clip(at, low[1], high[1] - 1).astype(int)
    return crop[rows][:, columns]


def recolour(images: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """Return a batch as float32 with other colours, gains and a little noise."""
    count = len(images)
    out = images.astype(np.float32)
    for k in range(count):
        if chance.random() < 0.3:
            out[k] = out[k][..., chance.permutation(3)]
        if chance.random() < 0.1:
            out[k] = out[k].mean(-1, keepdims=True)
        if chance.random() < 0.06:
            out[k] = 255 - out[k]
    gain = np.exp(chance.normal(0, 0.15, (count, 1, 1, 3))).astype(np.float32)
    shift = chance.normal(0, 8, (count, 1, 1, 1)).astype(np.float32)
    return np.clip(out * gain + shift, 0, 255)
