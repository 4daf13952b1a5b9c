"""The colour of a die as three numbers, and what a difference of colour means."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import crops
from vision.crops import View
from vision.frame import Image, Pose

Floats = NDArray[np.float32]

COLOUR_WEIGHT = 0.01
"""Likeness lost per unit of colour difference (CIE Lab) from a taught die."""

COLOUR_FREE = 6.0
"""Colour difference that other light makes: not held against a die. Nine in ten of
3,100 looks at drawn dice lay within 11, taught in one light alone within 12, and 98 in
100 within 21. In galleries of two dice with blank faces alike, beside strangers, 4,863
of 6,394 were right and 70 wrong; at half the weight beyond 12 4,759 and 101 (by the
side network of one stage before)."""


def body_tint(image: Image, pose: Pose) -> Floats:
    """Return ``(3,)`` float32 CIE Lab (L 0..100) of most of the die's visible side."""
    size = 24
    views = [View(0.0)]
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR).astype(np.uint8)
    patch = crops.crops(image, pose, 0.6, views, size)[0]
    lab = cv2.cvtColor(patch.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    ordered = np.sort(lab.reshape(-1, 3).T)
    half = size * size // 2
    tint: Floats = ordered[:, half - 1 : half + 1].mean(axis=1)
    return tint


def colour_cost(tint: Floats, taught: Floats) -> float:
    """Return the likeness that a colour difference costs, 0 within `COLOUR_FREE`.

    Args:
        tint: ``(3,)`` of the die asked about.
        taught: ``(n, 3)`` of a taught die's shots; the nearest one counts. Lightness
            counts a third: lamps change it most.
    """
    weights = np.array([0.33, 1.0, 1.0], np.float32)
    away = np.linalg.norm((taught - tint) * weights, axis=1).min()
    return COLOUR_WEIGHT * max(0.0, float(away) - COLOUR_FREE)
