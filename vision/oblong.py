"""Says how much longer than wide a thing is that looks like a die's square face.

The face's own colour is followed outwards from its middle to all four sides, as far as
it goes. Of two opposite ways the shorter counts: a cube's side, seen a little in the
same colour, makes it seem longer one way only; a card goes on both ways.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import crops
from vision.crops import View
from vision.frame import Image, Pose

CROP_PX = 72
HALF_WIDTH = 1.8
"""Side of the crop, and half of it in radii."""

HALF_SIDE_PX = CROP_PX / 2 / HALF_WIDTH / math.sqrt(3)
"""From the middle of a cube's face to its side, for the radius is to its corners."""

BAND = 0.45
"""Half the width of the strip that is followed, in half sides."""

OWN = (0.72, 0.92)
"""There the strip bears no mark and has not ended: the face's own colour."""

FIRST = 0.8
"""The face ends no nearer than this, in half sides."""

LEAST_STEP = 14.0
STEP_SHARE = 0.5
"""A strip ends where it differs by so many grey levels in a channel, and by this share
of the greatest difference beyond the face's side."""

ENDLESS = 9.9
"""Half sides, where a strip does not end in the crop."""


def oblong(image: Image, pose: Pose) -> float:
    """Return how many times longer than wide the face at `pose` is, at least 1.

    Args:
        image: BGR.
        pose: Of a d6, or of what was taken for one.
    """
    (crop,) = crops.crops(image, pose, HALF_WIDTH, [View(pose.turn_rad)], CROP_PX)
    smooth = cv2.GaussianBlur(crop.astype(np.float32), (0, 0), 1.0)
    turned = (np.rot90(smooth, quarter) for quarter in range(4))
    right, up, left, down = (_reach(np.asarray(one)) for one in turned)
    across, along = min(right, left), min(up, down)
    return max(across, along) / min(across, along)


def _reach(crop: NDArray[np.float32]) -> float:
    """Return how far the face goes to the right of a crop's middle, in half sides."""
    middle = (CROP_PX - 1) / 2
    half = round(BAND * HALF_SIDE_PX)
    rows = slice(round(middle) - half, round(middle) + half + 1)
    strip = np.median(crop[rows, round(middle) :], axis=0)
    near, far = (int(edge * HALF_SIDE_PX) for edge in OWN)
    away = np.abs(strip - strip[near : far + 1].mean(axis=0)).max(axis=1)
    step = max(LEAST_STEP, STEP_SHARE * float(away[int(HALF_SIDE_PX) :].max()))
    first = int(FIRST * HALF_SIDE_PX)
    ends = np.flatnonzero(away[first:] > step)
    return float(ends[0] + first) / HALF_SIDE_PX if len(ends) else ENDLESS
