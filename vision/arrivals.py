"""What has come into the tray since it was empty: places where a die may lie.

The finder knows dice by their looks, and on a busy mat or a ground of their own colour
it overlooks some. Where the empty tray is known, whatever is as large as a die and was
not there before is one more place for the pose network to look at. Of 1,061 drawn dice
of all kinds there is such a place at 1,054, and 2 are elsewhere; of 1,419 the finder by
itself overlooked 31, with them 12.

1. Take the logarithm of a small colour image, so that light is a sum, and what it was
   when the tray was empty away from it.
2. Take away what lamps, shadows and the camera's own exposure add: anything smooth.
3. What is left, by more than noise and a slight move of the camera make, has changed;
   each compact spot of a die's size is an arrival. A hand, or a scene that has changed
   as a whole, is none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.markers import Points
from vision.rig import Rig
from vision.spots import USUAL_RADIUS_MM, Mark

Light = NDArray[np.float32]

RADIUS_PX = 7.0
"""Of a usual die in the small image."""

SIZES = (0.55, 1.8)
"""Radii of what may be a die, over a usual one's: 13 to 41 mm across."""

REACH = 1.05
"""Radius of a die over that of a disc as large as what is seen of it: for the middle
half of drawn dice this gives 0.88 to 1.02 of their radius, for cubes less."""

MARGIN_MM = 15.0
"""The image is watched so far round the tray's outline: dice lean over its rim."""

COMPACT = 0.5
"""Part of its circle that a spot fills at least: a cube fills 0.64, a d8 seen aslant
0.5 to 0.6, a pencil less."""

DARK = 4.0
"""Added to levels before the logarithm, which has no value at black."""

FLOOR = 0.06
"""Smallest change that counts, in the logarithm: 6 % of the light."""

LEVELS = 3.0
SIGMAS = 6.0
NOISE_MAX = 4.0
"""Smallest change in grey levels, in spreads of the noise, and the most noise that is
believed: more is a move of the whole image."""

SLACK_PX = 0.3
"""Move of an edge, in pixels of the small image, that does not count."""

SMOOTH_RADII = 6.0
SMOOTH_MOST = 0.15
"""Change wider than that, in radii of a usual die, is light; nowhere is more of it
believed than this, lest a die is taken for light."""

FEW = 7
"""Every so many rows and columns are enough for a median."""

CHANGED_MOST = 0.35
"""Where more of the image than this has changed, the camera has moved, or another tray
stands there."""

ARRIVED = 0.35
"""Heat of the marks: the pose network's word counts as it does for the finder's."""

_LOG = np.log(np.arange(256, dtype=np.float32) + np.float32(DARK))
_HOLES = np.ones((3, 3), np.uint8)
_SPECKS = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """What is otherwise in an image of the tray than when it was empty.

    Attributes:
        marks: Where something of a die's size has come, in pixels of the image.
        where: ``(h, w)`` of 0 and 1 in the small image.
        corner_px: Its corner in the image.
        scale: Its pixels over those of the image.
    """

    marks: list[Mark]
    where: NDArray[np.uint8]
    corner_px: tuple[int, int]
    scale: float

    def share(self, xy_px: tuple[float, float], radius_px: float) -> float:
        """Return how much of the disc round a place is otherwise, 0..1.

        All of it where the tray is not watched.
        """
        x, y = (
            (part - low + 0.5) * self.scale - 0.5
            for part, low in zip(xy_px, self.corner_px, strict=True)
        )
        reach = radius_px * self.scale
        top, left = max(0, round(y - reach)), max(0, round(x - reach))
        bottom, far = max(top, round(y + reach) + 1), max(left, round(x + reach) + 1)
        near = self.where[top:bottom, left:far]
        down, right = np.ogrid[: near.shape[0], : near.shape[1]]
        inside = np.hypot(right + left - x, down + top - y) <= reach
        return float(near[inside].mean()) if inside.any() else 1.0


class EmptyTray:
    """The tray as it was when nothing lay in it.

    Args:
        image: ``(h, w, 3)`` uint8 BGR, as the camera gives it.
        px_per_mm: Scale on the tray's floor, see `vision.rig.Rig`.
        outline_px: ``(n, 2)`` corners of the tray in the image; None for all of it.
    """

    def __init__(
        self, image: Image, px_per_mm: float, outline_px: Points | None = None
    ) -> None:
        self._size = image.shape
        self._box = _box(image, px_per_mm, outline_px)
        self._scale = min(1.0, RADIUS_PX / (USUAL_RADIUS_MM * px_per_mm))
        tray = self._small(image)
        self._level = tray + np.float32(DARK)
        self._light = cv2.LUT(tray, _LOG)
        slope = cv2.morphologyEx(self._light, cv2.MORPH_GRADIENT, _HOLES)
        self._slack = np.asarray(slope * np.float32(SLACK_PX / 2), np.float32)
        self._least = self._limit(LEVELS)
        self._radius_px = USUAL_RADIUS_MM * px_per_mm * self._scale

    def arrivals(self, image: Image) -> list[Mark]:
        """Return where something of a die's size has come, in pixels of the image.

        None where the image has another size or shows another scene.
        """
        changes = self.changes(image)
        return [] if changes is None else changes.marks

    def changes(self, image: Image) -> Changes | None:
        """Return what is otherwise than when the tray was empty.

        None where the image has another size or shows another scene.
        """
        if image.shape != self._size:
            return None
        changed = self._changed(self._small(image))
        if changed.mean() > CHANGED_MOST:
            return None
        whole = np.asarray(cv2.morphologyEx(changed, cv2.MORPH_CLOSE, _HOLES), np.uint8)
        spots = cv2.morphologyEx(whole, cv2.MORPH_OPEN, _SPECKS)
        outlines, _ = cv2.findContours(spots, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        marks = [self._mark(np.asarray(outline)) for outline in outlines]
        found = [mark for mark in marks if mark is not None]
        return Changes(found, whole, self._box[:2], self._scale)

    def _small(self, image: Image) -> Image:
        """Return the tray made small, smoothed 3 x 3."""
        left, top, right, bottom = self._box
        tray = image[top:bottom, left:right]
        width, height = (round(side * self._scale) for side in tray.shape[1::-1])
        small = cv2.resize(tray, (max(1, width), max(1, height)))
        return np.asarray(cv2.blur(small, (3, 3)), np.uint8)

    def _changed(self, tray: Image) -> NDArray[np.uint8]:
        """Return 1 where more has changed than light, noise and slack make."""
        change = cv2.LUT(tray, _LOG) - self._light
        change -= np.median(change[::FEW, ::FEW].reshape(-1, 3), axis=0)
        wide = 2 * round(SMOOTH_RADII * self._radius_px / 2) + 1
        little = np.clip(change, -SMOOTH_MOST, SMOOTH_MOST)
        change -= cv2.blur(little, (wide, wide))
        np.abs(change, out=change)
        few = change[::FEW, ::FEW] * self._level[::FEW, ::FEW]
        levels = SIGMAS * min(1.4826 * float(np.median(few)), NOISE_MAX)
        change -= self._least if levels <= LEVELS else self._limit(levels)
        blue, green, red = cv2.split(change)
        over = cv2.max(cv2.max(blue, green), red)
        return np.asarray(over > 0, np.uint8)

    def _limit(self, levels: float) -> Light:
        """Return the change that noise of so many grey levels and slack make."""
        least = np.maximum(np.float32(levels) / self._level, np.float32(FLOOR))
        return np.asarray(least + self._slack, np.float32)

    def _mark(self, outline: NDArray[np.int32]) -> Mark | None:
        """Return the mark of a compact spot of a die's size."""
        hull = cv2.convexHull(outline)
        area = cv2.contourArea(hull)
        radius = math.sqrt(area / math.pi)
        low, high = (size * self._radius_px for size in SIZES)
        _, reach = cv2.minEnclosingCircle(hull)
        if not low <= radius <= high or area < COMPACT * math.pi * reach**2:
            return None
        moments = cv2.moments(hull)
        x, y = (moments[key] / moments["m00"] for key in ("m10", "m01"))
        # Pixel centres lie at +0.5 of the small image, OpenCV counts them from 0.
        x, y = ((part + 0.5) / self._scale - 0.5 for part in (x, y))
        at = (x + self._box[0], y + self._box[1])
        return Mark(at, REACH * radius / self._scale, ARRIVED)


def _box(
    image: Image, px_per_mm: float, outline_px: Points | None
) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of the part of the image that is watched."""
    height, width = image.shape[:2]
    if outline_px is None:
        return (0, 0, width, height)
    margin = MARGIN_MM * px_per_mm
    last = (width - 1, height - 1)
    left, top = np.clip(outline_px.min(axis=0) - margin, 0, last).astype(int).tolist()
    right, bottom = (outline_px.max(axis=0) + margin).astype(int).tolist()
    return (left, top, max(right, left + 1), max(bottom, top + 1))


def renewed(known: EmptyTray | None, image: Image, rig: Rig) -> EmptyTray:
    """Return the empty tray as of an image in which no die was read.

    What is known stays where something has come that was not read: a die overlooked
    must not become a part of the tray.

    Args:
        known: As it was before, if it is known.
        image: BGR.
        rig: Where the camera stands.
    """
    if known is not None and known.arrivals(image):
        return known
    return EmptyTray(image, rig.px_per_mm, rig.tray_outline_px)
