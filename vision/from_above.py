"""A die's picture as if it were seen from straight above, wherever the camera hangs.

A camera that looks aslant sees what lies lower than the up face pushed aside. How low
each point of a solid lies is known, so it can be put back: shots of one face look alike
then from all over the tray. What the camera cannot see stays wrong, and so does the
ground beside the die, which is taken to lie `DEEPEST` below.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image, Pose, read_only
from vision.synth.solids import SHAPES, solid

Floats = NDArray[np.float32]

MAP_PX: Final = 129
REACH: Final = 2.0
"""Side of a map of depths in pixels, and half of it in radii."""

DEEPEST: Final = 0.8
"""No point is taken to lie farther below the up face, in radii."""

LEAST_RISE: Final = 0.05
"""Upward part of the normal of a face that is seen from above at all."""

LEAST_SLOPE: Final = 0.02
"""A die looked at less aslant is left as it is."""


def from_above(image: Image, pose: Pose) -> tuple[Image, Pose]:
    """Return a picture of a die as seen from straight above, and its pose there.

    Args:
        image: Of a die and what lies around it.
        pose: Of the die in it; a `Pose.slope` of (0, 0) leaves the picture as it is.

    Returns:
        Of the same size, the up face where it was.
    """
    right, down = pose.slope
    if math.hypot(right, down) < LEAST_SLOPE:
        return image, pose
    high, wide = image.shape[:2]
    (x, y), radius = pose.top_xy_px, pose.radius_px
    across, along = np.meshgrid(
        np.arange(wide, dtype=np.float32), np.arange(high, dtype=np.float32)
    )
    aside, below = (across - np.float32(x)), (along - np.float32(y))
    scale = (MAP_PX - 1) / (2 * REACH * radius)
    cos, sin = math.cos(pose.turn_rad) * scale, math.sin(pose.turn_rad) * scale
    middle = (MAP_PX - 1) / 2
    depth = cv2.remap(
        depths(pose.shape),
        np.asarray(cos * aside + sin * below + middle, np.float32),
        np.asarray(cos * below - sin * aside + middle, np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    moved = cv2.remap(
        image,
        np.asarray(across - right * radius * depth, np.float32),
        np.asarray(along - down * radius * depth, np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(moved, np.uint8), replace(pose, slope=(0.0, 0.0))


@lru_cache(maxsize=len(SHAPES))
def depths(shape: str) -> Floats:
    """Return ``(MAP_PX, MAP_PX)``: how far below its up face a die's surface lies.

    Args:
        shape: Of the die, its turn 0. The middle of the map is `Pose.top_xy_px`.

    Returns:
        In radii, from 0 to `DEEPEST`.
    """
    body = solid(shape)
    turned = body.rotation(0, 0.0)
    top = turned @ body.top_point(0)
    at = np.linspace(-REACH, REACH, MAP_PX)
    x, y = np.meshgrid(at + top[0], top[1] - at)
    height = np.full((MAP_PX, MAP_PX), top[2])
    for normal, distance in zip(body.normals @ turned.T, body.distances, strict=True):
        if normal[2] > LEAST_RISE:
            plane = (distance - normal[0] * x - normal[1] * y) / normal[2]
            height = np.minimum(height, plane)
    deep = np.clip(top[2] - height, 0.0, DEEPEST)
    return read_only(np.asarray(deep, np.float32))
