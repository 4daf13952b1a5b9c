"""The body colour of a die, by name."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.frame import Image, Pose

COLOURS = (
    "white",
    "grey",
    "black",
    "red",
    "orange",
    "yellow",
    "green",
    "turquoise",
    "blue",
    "purple",
    "pink",
    "brown",
)
"""Names that `body_colour` gives."""

REACH = {
    "d4": 0.35, "d6": 0.5, "d8": 0.45, "d10": 0.5, "d12": 0.6, "d20": 0.65, "coin": 0.8,
}  # fmt: skip
"""Half width in radii of the square looked at: the body, not what lies beside it."""

BLACK_BELOW = 62
"""Screen value of the brightest channel under which a colour is black to an eye."""

GREY_BELOW = 52
"""OpenCV saturation (0..255) under which a colour is none."""

WHITE_ABOVE = 165

STEP = 32
CELLS = np.arange(512).reshape(8, 8, 8)
"""Numbers of the cells that colours are counted in: each `STEP` of each channel."""

BESIDE = np.stack(
    [np.roll(CELLS, way, axis).ravel() for axis in range(3) for way in (-1, 0, 1)]
)
"""``(9, 512)``: what counts for each cell: it three times, and the six beside it."""

HUES = (
    (8, "red"),
    (21, "orange"),
    (34, "yellow"),
    (80, "green"),
    (98, "turquoise"),
    (128, "blue"),
    (150, "purple"),
    (171, "pink"),
    (181, "red"),
)
"""OpenCV hues (0..180) below which a name holds."""

FEW_PX = 12
"""Rows and columns to each side that are enough to tell a die's colour by."""


def body_colour(image: Image, pose: Pose) -> str:
    """Return the colour, of `COLOURS`, that most of a die's up side has.

    Args:
        image: BGR, white-balanced if it can be.
        pose: Where the die lies.
    """
    reach = max(2, math.ceil(REACH[pose.shape] * pose.radius_px))
    x, y = (round(v) for v in pose.top_xy_px)
    few = max(1, reach // FEW_PX)
    patch = image[
        max(0, y - reach) : y + reach + 1 : few, max(0, x - reach) : x + reach + 1 : few
    ]
    if not patch.size:
        return "grey"
    # The ink is the minority on every face; a die's most common colour is its body.
    steps = CELLS.shape
    counts = cv2.calcHist([patch], [0, 1, 2], None, [*steps], [0, 256] * 3)
    best = counts.ravel()[BESIDE].sum(axis=0).argmax()
    low = np.array(np.unravel_index(best, steps)) * STEP
    common = cv2.inRange(patch, low, low + (STEP - 1))
    middle = cv2.mean(patch, common if cv2.countNonZero(common) else None)[:3]
    return name_of(np.rint(middle).astype(np.uint8))


def name_of(bgr: Image) -> str:
    """Return the name of one colour, ``(3,)`` uint8."""
    spot = np.asarray(bgr, np.uint8).reshape(1, 1, 3)
    hue, full, value = (int(v) for v in cv2.cvtColor(spot, cv2.COLOR_BGR2HSV)[0, 0])
    if value < BLACK_BELOW:
        return "black"
    if full < GREY_BELOW or (full < 2 * GREY_BELOW and value < 1.6 * BLACK_BELOW):
        return "white" if value > WHITE_ABOVE else "grey"
    name = next(name for edge, name in HUES if hue < edge)
    if name in ("red", "orange") and full < 200 and value < 160 and hue >= 4:
        return "brown"
    if name == "red" and full < 120 and value > 180:
        return "pink"
    return name
