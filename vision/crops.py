"""Square crops of one die: centred on its up face, scaled by its radius, turned.

Both face networks see a die only through this module, in training as in use, so what
a crop is stands here once: how wide for which shape, which turns a mark may have, how
colours are levelled.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image, Pose
from vision.from_above import from_above
from vision.patches import in_blocks

Floats = NDArray[np.float32]

NUMERAL_PX = 48
"""Side of a crop of the up face; a numeral is then about 22 px high."""

SIDE_PX = 64
"""Side of a crop of the whole visible side."""

NUMERAL_HALF_WIDTH = {
    "d4": 0.60,
    "d6": 0.78,
    "d8": 0.68,
    "d10": 0.66,
    "d12": 0.69,
    "d20": 0.50,
    "coin": 0.80,
}
"""Half width in radii of the crop of the up face: the mark fills 40-55 % of it."""

SIDE_HALF_WIDTH = 1.0
"""Half width in radii of the crop of the whole visible side."""

SIDE_CIRCLE = 0.92
"""Part of the side crop that is looked at: a circle; beyond it lies the tray."""

TURNS = {"d4": 6, "d6": 4, "d8": 6, "d10": 4, "d12": 10, "d20": 6, "coin": 24}
"""Ways a mark may point, evenly spaced from `Pose.turn_rad`: to a corner and to an
edge, for makers differ; on a d6 to its edges; on a d10 to either tip, the tens often
to a side; a coin has no corners at all."""

MIN_SPREAD = 0.03
"""Added to a crop's standard deviation, of 0..1: a blank crop must not blow up."""

GRAIN = 0.03
"""Added to the spread of colours each way, of 0..1: noise must not be stretched."""

RIM = 6
"""A sixth of a crop along its border may show other faces or the ground."""


@dataclass(frozen=True, slots=True)
class View:
    """One way of cropping the same die.

    Attributes:
        turn_rad: Direction, clockwise from image up, that is up in the crop.
        shift: Centre of the crop from `Pose.top_xy_px`, in radii, x right and y down
            in the crop.
        scale: The crop is wider by this factor.
    """

    turn_rad: float
    shift: tuple[float, float] = (0.0, 0.0)
    scale: float = 1.0


def crop(
    image: Image,
    pose: Pose,
    half_width: float,
    turn_rad: float,
    size_px: int,
    shift: tuple[float, float] = (0.0, 0.0),
) -> Image:
    """Return one square crop, ``(size_px, size_px)`` with the channels of `image`.

    Args:
        image: BGR or grey, the one that `pose` was found in.
        pose: Where the die lies.
        half_width: Half the crop's side in radii.
        turn_rad: Direction, clockwise from image up, that is up in the crop.
        size_px: Side of the crop.
        shift: Of the centre, in radii, x right and y down in the crop.
    """
    one: Image = crops(image, pose, half_width, [View(turn_rad, shift)], size_px)[0]
    return one


def crops(
    image: Image,
    pose: Pose,
    half_width: float,
    views: Sequence[View],
    size_px: int,
) -> Image:
    """Return ``(len(views), size_px, size_px[, 3])`` crops of one die.

    Beyond the image's border its last pixels are repeated. A die much larger than the
    crop is made smaller first, by area, so that thin strokes are not lost.
    """
    step = 2 * half_width * pose.radius_px / size_px
    farthest = max(math.hypot(*view.shift) for view in views)
    widest = max(view.scale for view in views)
    reach = (half_width * widest * math.sqrt(2) + farthest) * pose.radius_px + 2
    patch, offset, shrink = _patch(image, pose.top_xy_px, reach, step)
    out = np.empty((len(views), size_px, size_px, *image.shape[2:]), dtype=np.uint8)
    x, y = (np.array(pose.top_xy_px) - offset) * shrink
    # Pixel centres: crop pixel 31.5 of 64 is the centre, image pixel k spans
    # k-0.5 .. k+0.5; shrinking by area moves centres by half a pixel.
    x, y = float(x) + (shrink - 1) / 2, float(y) + (shrink - 1) / 2
    for at, view in enumerate(views):
        cv2.warpAffine(
            patch,
            _placed(view, (x, y), pose.radius_px * shrink, step * shrink, size_px),
            (size_px, size_px),
            dst=out[at],
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return out


def _placed(
    view: View,
    xy_px: tuple[float, float],
    radius_px: float,
    step: float,
    size_px: int,
) -> NDArray[np.float64]:
    """Return ``(2, 3)`` from the crop's pixels to those of the image.

    Args:
        view: Way of cropping.
        xy_px: The die's middle in the image.
        radius_px: Its radius there.
        step: Pixels of the image per pixel of the crop, before the view's scale.
        size_px: Side of the crop.
    """
    sin, cos = math.sin(view.turn_rad), math.cos(view.turn_rad)
    right, down = (radius_px * part for part in view.shift)
    along, across = cos * step * view.scale, sin * step * view.scale
    middle = (size_px - 1) / 2
    left = xy_px[0] + cos * right - sin * down - (along - across) * middle
    top = xy_px[1] + sin * right + cos * down - (across + along) * middle
    return np.array([[along, -across, left], [across, along, top]])


def _patch(
    image: Image, centre_px: tuple[float, float], reach_px: float, step: float
) -> tuple[Image, NDArray[np.float64], float]:
    """Return the part of the image round a die, its corner, and how much it shrank.

    Args:
        image: The whole image.
        centre_px: Middle of the part.
        reach_px: Half its side.
        step: Image pixels per crop pixel; above 1.5 the part is shrunk.
    """
    high, wide = image.shape[:2]
    x, y = centre_px
    x0 = min(max(0, math.floor(x - reach_px)), wide - 1)
    y0 = min(max(0, math.floor(y - reach_px)), high - 1)
    x1 = max(x0 + 1, min(wide, math.ceil(x + reach_px) + 1))
    y1 = max(y0 + 1, min(high, math.ceil(y + reach_px) + 1))
    patch = image[y0:y1, x0:x1]
    corner = np.array([x0, y0], dtype=np.float64)
    if step <= 1.5:
        return patch, corner, 1.0
    shrink = 1 / step
    size = (max(1, round((x1 - x0) * shrink)), max(1, round((y1 - y0) * shrink)))
    # Sizes are whole pixels; the error of at most half a pixel over the part's whole
    # side is far below what the readers bear.
    small = cv2.resize(patch, size, interpolation=cv2.INTER_AREA)
    return small.astype(np.uint8), corner, shrink


def side_patch(image: Image, pose: Pose) -> tuple[Image, Pose]:
    """Return the part of the image that side crops need, and the pose in it.

    In BGR, and as seen `from_above` where it is known how the camera looked at it.
    """
    high, wide = image.shape[:2]
    x, y = pose.top_xy_px
    reach = pose.radius_px * (SIDE_HALF_WIDTH * math.sqrt(2) + 0.4) + 3
    x0 = min(max(0, math.floor(x - reach)), wide - 1)
    y0 = min(max(0, math.floor(y - reach)), high - 1)
    x1, y1 = max(x0 + 1, math.ceil(x + reach)), max(y0 + 1, math.ceil(y + reach))
    part = image[y0:y1, x0:x1]
    if part.ndim == 2:
        part = cv2.cvtColor(part, cv2.COLOR_GRAY2BGR).astype(np.uint8)
    return from_above(part, replace(pose, top_xy_px=(x - x0, y - y0)))


def turns(pose: Pose) -> tuple[float, ...]:
    """Return the directions that this die's mark may point to, most usual first.

    Usual: to a corner of the triangle or pentagon, to an edge of the square, to a tip
    of the kite.
    """
    count = TURNS[pose.shape]
    step = math.tau / count
    order = [*range(0, count, 2), *range(1, count, 2)]
    if pose.shape in ("d6", "coin"):
        order = list(range(count))
    return tuple(pose.turn_rad + step * k for k in order)


def numeral_input(crops_px: Image) -> Floats:
    """Return ``(n, 24, size / 2, size / 2)`` float32, for the numeral network.

    Blue, green and red twice, `in_blocks`. First as they are, with mean 0 and a spread
    of about 1 over each crop, all together. Then whitened: stretched until the colours
    of the crop's middle spread by one every way. There red ink on a black body stands
    out as white does, whatever mirrors in its polish.

    Args:
        crops_px: ``(n, size, size, 3)`` uint8 BGR.
    """
    count, size = crops_px.shape[:2]
    level = np.empty((count, 3, size * size), np.float32)
    planes = in_blocks(crops_px).reshape(count, 3, -1)
    np.multiply(planes, np.float32(1 / 255), out=level)
    both = np.empty((count, 6, size * size), np.float32)
    plain, white = both[:, :3], both[:, 3:]
    np.subtract(level, level.mean(axis=(1, 2), keepdims=True), out=plain)
    power = np.einsum("ncp,ncp->n", plain, plain) / np.float32(3 * size * size)
    plain *= (1 / (np.sqrt(power) + np.float32(MIN_SPREAD)))[:, None, None]
    half, rim = size // 2, size // (2 * RIM)
    middle = level.reshape(count, 3, 4, half, half)[..., rim:-rim, rim:-rim]
    centre, stretch = _whitening(middle.reshape(count, 3, -1))
    np.matmul(stretch, level, out=white)
    white -= stretch @ centre
    return both.reshape(count, 24, half, half)


def _whitening(colours: Floats) -> tuple[Floats, Floats]:
    """Return the mean of colours and what stretches them to a spread of one each way.

    Args:
        colours: ``(n, 3, m)``.

    Returns:
        ``(n, 3, 1)`` and ``(n, 3, 3)``, which leaves grey grey and blue blue.
    """
    mean = colours.mean(axis=2, keepdims=True)
    spread = colours @ colours.transpose(0, 2, 1) / np.float32(colours.shape[2])
    spread -= mean @ mean.transpose(0, 2, 1)
    powers, ways = np.linalg.eigh(spread + np.eye(3, dtype=np.float32) * GRAIN**2)
    stretch = ways / np.sqrt(powers)[:, None] @ ways.transpose(0, 2, 1)
    return mean, np.asarray(stretch, np.float32)


@lru_cache(maxsize=2)
def side_mask(size_px: int = SIDE_PX) -> Floats:
    """Return the circle of the side crop, ``(size_px, size_px)`` of 0 and 1."""
    at = (np.arange(size_px) + 0.5) / size_px * 2 - 1
    inside = np.hypot(at[:, None], at[None, :]) < SIDE_CIRCLE
    return inside.astype(np.float32)


def standardised_side(crops_px: Image) -> Floats:
    """Return ``(n, 12, size / 2, size / 2)`` float32, for the side network.

    Args:
        crops_px: ``(n, size, size, 3)`` uint8 BGR.

    They are `in_blocks`. Within the circle each channel has mean 0 and all together a
    spread of about 1, so the body's colour is gone and how the marks differ from it
    stays; 0 outside, clipped at 4.
    """
    count, size = len(crops_px), crops_px.shape[1]
    mask = in_blocks(side_mask(size)[None, :, :, None]).reshape(-1)
    inside = float(mask.sum())
    # Channels first and flat: the sums below are products of matrices.
    level = in_blocks(crops_px).reshape(count, 3, -1).astype(np.float32)
    level -= (level @ (mask / inside))[..., None]
    level *= mask
    power = np.einsum("ncp,ncp->n", level, level) / (3 * inside)
    level /= (np.sqrt(power) + 0.02 * 255)[:, None, None]
    np.clip(level, -4, 4, out=level)
    return level.reshape(count, 12, size // 2, size // 2)
