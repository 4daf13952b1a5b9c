"""Marks the places in an image where a die may lie: the first, cheap look.

A small network answers for dice of one size; the image is shrunk so that dice have
about that size, or, where the scale is unknown, to every level of a pyramid.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.frame import Image
from vision.patches import plain_input, shrunk

MODELS = Path(__file__).parent / "models"

STRIDE = 4
"""The finder answers for cells of this many pixels."""

FOUND_RADII_PX = (6.0, 21.0)
"""Radii of dice that the finder is trained to see at one level."""

BEST_RADIUS_PX = 10.0
"""Where it sees best, and cheapest."""

RADIUS_UNIT_PX = 11.0
"""The finder answers the logarithm of the radius over this."""

USUAL_RADIUS_MM = 11.5
"""Circumscribed radius of a common die; from 8 to 16 mm there is one level's room."""

LEVEL_STEP = 2.0
"""From one level of the pyramid to the next; less than the span of radii."""

LARGEST_LEVEL_PX = 1000
"""Longer side of the finest level when the scale is unknown: dice down to 0.6 %."""

SMALLEST_LEVEL_PX = 24
"""Shorter side of the coarsest level: one die that fills the image."""

HEAT = 0.2
"""A mark below this is none; the pose network has the last word. Of 700 drawn dice of
known scale 12 had none, 23 with 0.3; it makes a tenth more marks."""

MOST_MARKS = 96
"""Of one image, the hottest first: a closer look at them takes 40 ms."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place where the finder sees a die.

    Attributes:
        xy_px: The die's middle, in pixels of the image.
        radius_px: Its circumscribed radius.
        heat: 0..1.
    """

    xy_px: tuple[float, float]
    radius_px: float
    heat: float


class Spotter:
    """Marks where dice may lie. One thread at a time may use it.

    Args:
        models: Folder of ``find.onnx``.
    """

    def __init__(self, models: Path = MODELS) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(models / "find.onnx"))

    def marks(self, image: Image, *, px_per_mm: float | None = None) -> list[Mark]:
        """Return the finder's marks, hottest first, neighbours of one die merged."""
        height, width = image.shape[:2]
        if px_per_mm is not None:
            scales = [BEST_RADIUS_PX / (USUAL_RADIUS_MM * px_per_mm)]
        else:
            scale = min(1.0, LARGEST_LEVEL_PX / max(height, width))
            scales = [scale]
            while scale * min(height, width) > SMALLEST_LEVEL_PX * LEVEL_STEP:
                scale /= LEVEL_STEP
                scales.append(scale)
        marks: list[Mark] = []
        level, done = image, 1.0
        for scale in sorted(scales, reverse=True):
            level = shrunk(level, scale / done)
            done = level.shape[1] / width
            marks += self._level(level, done)
        return merge(marks)[:MOST_MARKS]

    def _level(self, level: Image, scale: float) -> list[Mark]:
        """Return the marks in one level of the pyramid."""
        height, width = level.shape[:2]
        side = 2 * STRIDE
        room = [-height % side, -width % side]
        if min(height, width) < 6 * side:
            room = [
                r + max(0, 6 * side - s)
                for r, s in zip(room, (height, width), strict=True)
            ]
            room = [
                r + (-(s + r) % side)
                for r, s in zip(room, (height, width), strict=True)
            ]
        padded = cv2.copyMakeBorder(level, 0, room[0], 0, room[1], cv2.BORDER_REPLICATE)
        self._net.setInput(plain_input(np.asarray(padded, np.uint8)[None]))
        answer = np.asarray(self._net.forward())[0]
        heat = 1 / (1 + np.exp(-answer[0]))
        peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > HEAT)
        rows, columns = np.nonzero(peak)
        marks = []
        for i, j in zip(rows, columns, strict=True):
            x = (j + 0.5 + float(answer[2, i, j])) * STRIDE / scale
            y = (i + 0.5 + float(answer[3, i, j])) * STRIDE / scale
            radius = math.exp(min(2.0, float(answer[1, i, j]))) * RADIUS_UNIT_PX / scale
            if x < width / scale and y < height / scale:
                marks.append(Mark((x, y), radius, float(heat[i, j])))
        return marks


def merge(marks: Sequence[Mark]) -> list[Mark]:
    """Return the marks without the weaker of two of one size at one place."""
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda m: -m.heat):
        same = any(
            math.dist(mark.xy_px, other.xy_px)
            < 0.5 * max(mark.radius_px, other.radius_px)
            and 0.7 < mark.radius_px / other.radius_px < 1.45
            for other in kept
        )
        if not same:
            kept.append(mark)
    return kept
