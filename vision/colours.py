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


def body_colour(image: Image, pose: Pose) -> str:
    """Return the colour, of `COLOURS`, that most of a die's up side has.

    Args:
        image: BGR, white-balanced if it can be.
        pose: Where the die lies.
    """
    reach = max(2, math.ceil(REACH[pose.shape] * pose.radius_px))
    x, y = (round(v) for v in pose.top_xy_px)
    patch = image[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]
    if not patch.size:
        return "grey"
    # The ink is the minority on every face; a die's most common colour is its body.
    pixels = patch.reshape(-1, 3)
    bins = (pixels >> 5).astype(np.int32) @ np.array([64, 8, 1])
    near = np.bincount(bins, minlength=512).astype(np.float32).reshape(8, 8, 8)
    smooth = sum(np.roll(near, step, axis) for axis in range(3) for step in (-1, 0, 1))
    common = pixels[bins == int(np.asarray(smooth).reshape(-1).argmax())]
    typical = np.median(common if len(common) else pixels, axis=0)
    return name_of(typical.astype(np.uint8))


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
