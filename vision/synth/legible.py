"""Says of a drawn die whether a person could read its up face.

Dice that nobody could read are counted apart, never as mistakes. What counts is the
picture as the camera gives it: glare, blur, noise and a body's own speckles hide ink
as well as a faint colour does.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

BARE, INK = 1, 2
"""Values of a map of the up face: its body, its ink; elsewhere 0."""

AROUND = 0.35
"""The body is looked at as far from the ink as this share of the ink's height."""

PLAIN = 2.0
"""Ink whose colours lie this many spreads from the body's stands out plainly."""


def contrast(image: Image, up: NDArray[np.uint8]) -> float:
    """Return 0..1: how far the ink stands out; below about 0.1 nobody reads it.

    The difference of ink and body in the channel that tells them best, less where
    the colours of both spread so far that they mix: by the square of their distance
    in spreads (Fisher's linear discriminant) over `PLAIN`.

    Args:
        image: ``(h, w, 3)`` uint8.
        up: ``(h, w)`` uint8, what of the up face is seen at each pixel.

    Returns:
        0 where there is no ink.
    """
    ink = up == INK
    if ink.sum() < 3:
        return 0.0
    rows = np.flatnonzero(ink.any(axis=1))
    reach = 2 * math.ceil(AROUND * (rows[-1] - rows[0] + 1)) + 1
    near = cv2.dilate(ink.astype(np.uint8), np.ones((reach, reach), np.uint8))
    bare = (up == BARE) & (near > 0)
    if bare.sum() < 3:
        return 0.0
    marks, body = (image[where].astype(np.float64) / 255 for where in (ink, bare))
    gap = marks.mean(axis=0) - body.mean(axis=0)
    spread = np.cov(marks.T) + np.cov(body.T)
    spread = spread / 2 + np.eye(3) * 1e-4
    apart = math.sqrt(float(gap @ np.linalg.solve(spread, gap)))
    return float(np.abs(gap).max() * min(1.0, apart / PLAIN) ** 2)
