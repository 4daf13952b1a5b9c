"""What the finder and the pose network are shown of an image.

All networks are shown pictures `in_blocks`.
"""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

Array: TypeAlias = NDArray[np.floating[Any]]

CROP_PX = 64
CROP_REACH = 1.4
"""Half width of a square crop, in radii of the die."""

RINGS, ANGLES = 28, 96
"""Samples of the unrolled crop: outwards, and round."""

POLAR_REACH = 1.25
"""Radius of the unrolled crop, in radii of the die."""

LEAST_SPREAD = 6.0
"""Added to a crop's standard deviation, of 0..255: a blank crop must not blow up."""


def shrunk(image: Image, scale: float) -> Image:
    """Return the image made smaller by `scale`, in steps that cost little."""
    height, width = image.shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if size == (width, height):
        return image
    # Area averaging by whole factors is fast in OpenCV, by others slow: halve first,
    # without the last row and column where their number is odd.
    while scale < 0.5:
        half = (image.shape[1] // 2, image.shape[0] // 2)
        even = image[: 2 * half[1], : 2 * half[0]]
        image = np.asarray(cv2.resize(even, half, interpolation=cv2.INTER_AREA))
        scale *= 2
    how = cv2.INTER_AREA if scale < 0.75 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)


def cut_crop(
    image: Image, xy_px: tuple[float, float], radius_px: float, size_px: int = CROP_PX
) -> Image:
    """Return the square crop round a die that the pose network looks at.

    Args:
        image: BGR.
        xy_px: Middle of the crop.
        radius_px: Of the die; the crop reaches `CROP_REACH` of it each way.
        size_px: Side of the crop.
    """
    x, y = xy_px
    source, factor = image, 1.0
    half = size_px / (2 * CROP_REACH)
    shrink = math.floor(radius_px / half + 0.35)
    if shrink > 1:
        # Shrink the surroundings first: sampling alone would skip pixels.
        reach = math.ceil(radius_px * CROP_REACH / shrink + 2) * shrink
        x0, y0 = math.floor(x) - reach, math.floor(y) - reach
        source = _padded(image, x0, y0, 2 * reach)
        small = 2 * reach // shrink
        source = np.asarray(
            cv2.resize(source, (small, small), interpolation=cv2.INTER_AREA), np.uint8
        )
        factor, x, y = 1.0 / shrink, (x - x0) / shrink, (y - y0) / shrink
    step = radius_px * factor * 2 * CROP_REACH / size_px
    # Pixel centres lie at +0.5, OpenCV counts them from 0.
    offset = 0.5 * step - CROP_REACH * radius_px * factor - 0.5
    matrix = np.array([[step, 0, x + offset], [0, step, y + offset]])
    return np.asarray(
        cv2.warpAffine(
            source, matrix, (size_px, size_px),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )  # fmt: skip


def _padded(image: Image, x0: int, y0: int, size: int) -> Image:
    """Return a square of the image, its edge repeated where it ends."""
    height, width = image.shape[:2]
    left, top = min(max(0, x0), width - 1), min(max(0, y0), height - 1)
    right, bottom = min(max(1, x0 + size), width), min(max(1, y0 + size), height)
    part = image[top : max(bottom, top + 1), left : max(right, left + 1)]
    before_x, before_y = left - x0, top - y0
    after_x = size - before_x - part.shape[1]
    after_y = size - before_y - part.shape[0]
    if before_x == before_y == after_x == after_y == 0:
        return part
    return np.asarray(
        cv2.copyMakeBorder(
            part, max(0, before_y), max(0, after_y), max(0, before_x), max(0, after_x),
            cv2.BORDER_REPLICATE,
        )[max(0, -before_y) :, max(0, -before_x) :][:size, :size],
        np.uint8,
    )  # fmt: skip


def _polar_grid() -> tuple[Array, Array]:
    """Return where the polar crop's samples lie, in radii right and down."""
    turns = (np.arange(ANGLES) + 0.5) * math.tau / ANGLES
    reach = (np.arange(RINGS) + 0.5) / RINGS * POLAR_REACH
    right = np.outer(reach, np.sin(turns)).astype(np.float32)
    return right, -np.outer(reach, np.cos(turns)).astype(np.float32)


_RIGHT, _DOWN = _polar_grid()


def unrolled(
    crop: Image, shift: tuple[float, float] = (0.0, 0.0), scale: float = 1.0
) -> Image:
    """Return a square crop unrolled round its middle.

    Turning the die then only moves the picture sideways, which is what a convolution
    is blind to.

    Args:
        crop: From `cut_crop`.
        shift: Of the middle, right and down, in the crop's radii.
        scale: Of the radius, over the crop's.

    Returns:
        ``(RINGS, ANGLES, 3)``: rows from the middle outwards, columns clockwise from
        image up.
    """
    size = crop.shape[0]
    unit = size / (2 * CROP_REACH)
    x = (_RIGHT * np.float32(scale) + np.float32(shift[0])) * unit + (size - 1) / 2
    y = (_DOWN * np.float32(scale) + np.float32(shift[1])) * unit + (size - 1) / 2
    return np.asarray(
        cv2.remap(
            crop,
            x.astype(np.float32),
            y.astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )


def in_blocks(images: NDArray[Any]) -> NDArray[Any]:
    """Return pictures as networks are shown them: blocks of 2 x 2 pixels.

    A network's first look, 6 x 6 pixels at every other one, is one of 3 x 3 blocks
    then, and for that OpenCV knows a way twice as quick.

    Args:
        images: ``(n, h, w, channels)``, h and w even.

    Returns:
        ``(n, 4 * channels, h / 2, w / 2)`` of the same type; of each channel the
        pixels at the upper left, upper right, lower left and lower right.
    """
    count, high, wide, channels = images.shape
    blocks = images.reshape(count, high // 2, 2, wide // 2, 2, channels)
    apart = np.ascontiguousarray(blocks.transpose(0, 5, 2, 4, 1, 3))
    return apart.reshape(count, 4 * channels, high // 2, wide // 2)


def plain_input(images: NDArray[Any]) -> Array:
    """Return ``(n, h, w, 3)`` pictures `in_blocks`, from about -2 to 2, float32."""
    level: Array = in_blocks(images).astype(np.float32)
    level -= 128
    level *= np.float32(1 / 64)
    return level


def levelled(images: NDArray[Any], least: float) -> Array:
    """Return pictures, of each its own mean and spread taken out.

    Args:
        images: ``(n, ...)``.
        least: Added to the spread.
    """
    flat = images.reshape(len(images), -1).astype(np.float32)
    flat -= flat.mean(axis=1, keepdims=True)
    power = np.einsum("np,np->n", flat, flat) / np.float32(flat.shape[1])
    flat /= (np.sqrt(power) + np.float32(least))[:, None]
    return flat.reshape(images.shape)


def pose_input(images: NDArray[Any], views: Array) -> Array:
    """Return unrolled crops as the pose network's input.

    Args:
        images: ``(n, RINGS, ANGLES, 3)`` BGR, from `unrolled`.
        views: ``(n, 3)``: slope of the line of sight, right and down on the image,
            and whether it is known (1) or not (0, and then the slopes are 0).

    Returns:
        ``(n, 24, RINGS / 2, ANGLES / 2)`` float32, `in_blocks`: the crop with its own
        mean and spread taken out; the slope outwards and clockwise at each angle;
        known or not.
    """
    crops = levelled(in_blocks(images), LEAST_SPREAD)
    turns = ((np.arange(ANGLES) + 0.5) * math.tau / ANGLES).astype(np.float32)
    slope = views.astype(np.float32) * np.float32(2)
    sin, cos = np.sin(turns), np.cos(turns)
    outwards = slope[:, :1] * sin - slope[:, 1:2] * cos
    clockwise = slope[:, :1] * cos + slope[:, 1:2] * sin
    known = np.repeat(views[:, 2:3].astype(np.float32), ANGLES, axis=1)
    planes = np.stack([outwards, clockwise, known], axis=2)
    wide = np.broadcast_to(planes[:, None], (len(images), 2, ANGLES, 3))
    rows = np.broadcast_to(in_blocks(wide), (len(images), 12, RINGS // 2, ANGLES // 2))
    return np.concatenate([crops, rows], axis=1)
