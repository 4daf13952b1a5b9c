"""Finds pips by geometry alone: round spots in one of six patterns, at any turn.

A second witness beside the networks: it needs no pose but a place and a size, and says
which pattern lies there, where its middle is and how it is turned.

1. A small crop, in each of three colour channels, minus its own smooth ground: what
   stands out, light or dark, is thresholded and split into spots.
2. Spots of a pip's size and roundness are tried in pairs as the far ends of a pattern;
   each pattern that finds all its pips, much alike, is kept.
3. A pattern loses for pips left over inside the face, for being off the middle, and for
   an unusual spacing.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import crops
from vision.crops import View
from vision.frame import Image, Pose

SIDE_PX = 80
REACH = 1.15
"""Half width of the crop in radii of the die."""

SCALE = SIDE_PX / (2 * REACH)
"""Pixels of the crop per radius."""

PATTERNS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Places of the pips in units of the spacing; the first and the last are far ends."""

NARROW = 0.76
"""Many makers set the two rows of a six closer than its pips' far ends are apart."""

_VARIANTS = (
    *((face, np.array(PATTERNS[face], np.float64)) for face in range(2, 7)),
    (6, np.array(PATTERNS[6], np.float64) * (NARROW, 1.0)),
)

SPACING = (0.19, 0.42)
"""From the middle to a row of pips, in radii; 0.3 is usual."""

OFF_MIDDLE = 0.34
"""Of a pattern from the place asked about, in radii."""

SPOT_RADIUS = (0.05, 0.23)
"""Of a pip, in radii of the die."""

SPOTS = 12
"""Of one channel that are tried, the strongest."""

STEPS = (0.28, 0.5)
"""Thresholds, as parts of the strongest spot: glare must not hide pips."""

GROUND = 0.9
"""Side of the square whose median is the ground, in radii: three rows of two pips must
not be half of it."""

LEAST_CONTRAST = 9.0
"""Of a spot against its ground, in CIE Lab units of OpenCV's 8 bits."""


@dataclass(frozen=True, slots=True)
class PipFit:
    """A pattern of pips.

    Attributes:
        face: 1 to 6.
        pose: Of the die, its up face in the middle of the pattern.
        quality: Larger is better; above 0 it looks like the face of a die.
        left: Other spots like its pips inside the face; a clean fit has none.
    """

    face: int
    pose: Pose
    quality: float
    left: int


@dataclass(frozen=True, slots=True)
class _Spot:
    """A round spot; lengths in radii of the die, from the middle of the crop."""

    x: float
    y: float
    radius: float
    contrast: float
    stretch: float


def find_pips(
    image: Image, xy_px: tuple[float, float], radius_px: float
) -> tuple[PipFit, ...]:
    """Return the best pattern of each face that fits, best first.

    Args:
        image: ``(h, w, 3)`` BGR.
        xy_px: Where the middle of a die may be.
        radius_px: Of its circumscribed sphere, to about a quarter.
    """
    place = Pose("d6", xy_px, radius_px, 0.0, 1.0)
    patch = crops.crops(image, place, REACH, [View(0.0)], SIDE_PX)[0]
    best: dict[int, PipFit] = {}
    for spots in _channels(patch):
        for fit in _fits(spots):
            known = best.get(fit.face)
            if known is None or fit.quality > known.quality:
                best[fit.face] = fit
    found = sorted(best.values(), key=lambda fit: -fit.quality)
    return tuple(_placed(fit, place) for fit in found)


def _placed(fit: PipFit, place: Pose) -> PipFit:
    """Move a fit from the crop to the image."""
    (x, y), (dx, dy) = place.top_xy_px, fit.pose.top_xy_px
    r = place.radius_px
    turn = fit.pose.turn_rad % (math.pi / 2)
    pose = replace(place, top_xy_px=(x + dx * r, y + dy * r), turn_rad=turn)
    return replace(fit, pose=pose)


def _channels(patch: Image) -> list[list[_Spot]]:
    """Return the spots of each channel, polarity and threshold."""
    soft = cv2.GaussianBlur(patch, (0, 0), 0.8)
    lab = np.asarray(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB), np.uint8)
    kernel = round(SCALE * GROUND) | 1
    found = []
    for channel in range(3):
        plane = np.ascontiguousarray(lab[..., channel])
        ground = cv2.medianBlur(plane, kernel).astype(np.float32)
        standing = np.where(_INSIDE, plane.astype(np.float32) - ground, 0)
        for sign in (1, -1):
            above = np.asarray(standing * sign, np.float32)
            top = float(np.percentile(above[_INSIDE], 98.5))
            if top < LEAST_CONTRAST:
                continue
            found += [_spots(above, max(LEAST_CONTRAST, top * s)) for s in STEPS]
    return [spots for spots in found if spots]


def _spots(above: NDArray[np.float32], least: float) -> list[_Spot]:
    """Return the round spots of a pip's size, strongest first."""
    mask = (above > least).astype(np.uint8)
    count, labels, stats, middles = cv2.connectedComponentsWithStats(
        mask, connectivity=4
    )
    spots = []
    centre = (SIDE_PX - 1) / 2
    for label in range(1, count):
        _, _, wide, high, area = (int(v) for v in stats[label])
        radius = math.sqrt(area / math.pi) / SCALE
        stretch = max(wide, high) / min(wide, high)
        full = area / (math.pi / 4 * wide * high)
        if not SPOT_RADIUS[0] < radius < SPOT_RADIUS[1]:
            continue
        if stretch > 2.4 or full < 0.6:
            continue
        x, y = (float(v - centre) / SCALE for v in middles[label])
        contrast = float(above[labels == label].mean())
        spots.append(_Spot(x, y, radius, contrast, stretch))
    spots.sort(key=lambda spot: -spot.contrast * spot.radius)
    return spots[:SPOTS]


def _fits(spots: list[_Spot]) -> list[PipFit]:
    """Return every pattern that finds all its pips among the spots."""
    places = np.array([(spot.x, spot.y) for spot in spots])
    radii = np.array([spot.radius for spot in spots])
    fits = []
    for index, spot in enumerate(spots):
        if math.hypot(spot.x, spot.y) < OFF_MIDDLE:
            frame = (spot.x, spot.y, 0.0, 0.3)
            fit = _judge(1, frame, spots, places, np.array([index]))
            fits.append(fit)
    for one, two in itertools.permutations(range(len(spots)), 2):
        if max(radii[one], radii[two]) > 1.7 * min(radii[one], radii[two]):
            continue
        middle = (places[one] + places[two]) / 2
        if math.hypot(*middle) > OFF_MIDDLE:
            continue
        way = places[two] - places[one]
        for face, pattern in _VARIANTS:
            across = pattern[-1] - pattern[0]
            spacing = float(np.hypot(*way) / np.hypot(*across))
            if not SPACING[0] < spacing < SPACING[1]:
                continue
            turn = math.atan2(way[1], way[0]) - math.atan2(across[1], across[0])
            frame = (float(middle[0]), float(middle[1]), turn, spacing)
            taken = _taken(pattern, frame, places)
            if taken is not None and np.ptp(radii[taken]) < 0.55 * radii[taken].max():
                fits.append(_judge(face, frame, spots, places, taken))
    return fits


Square = tuple[float, float, float, float]
"""Middle x and y, turn and spacing of a pattern."""


def _taken(
    pattern: NDArray[np.float64], frame: Square, places: NDArray[np.float64]
) -> NDArray[np.int64] | None:
    """Return which spots are the pattern's pips, or None where one is missing."""
    x, y, turn, spacing = frame
    cos, sin = math.cos(turn), math.sin(turn)
    wanted = pattern @ [[cos, sin], [-sin, cos]] * spacing + (x, y)
    away = np.hypot(*(wanted[:, None] - places[None]).transpose(2, 0, 1))
    nearest = away.argmin(axis=1)
    if len(set(nearest)) < len(wanted) or away.min(axis=1).max() > 0.3 * spacing + 0.02:
        return None
    return np.asarray(nearest, np.int64)


def _judge(
    face: int,
    frame: Square,
    spots: list[_Spot],
    places: NDArray[np.float64],
    taken: NDArray[np.int64],
) -> PipFit:
    """Return the pattern with its quality."""
    x, y, turn, spacing = frame
    mine = [spots[i] for i in taken]
    radius = sum(spot.radius for spot in mine) / len(mine)
    contrast = sum(spot.contrast for spot in mine) / len(mine)
    cos, sin = math.cos(turn), math.sin(turn)
    own = (places - (x, y)) @ [[cos, -sin], [sin, cos]]
    within = (
        np.hypot(own[:, 0], own[:, 1]) < 0.5
        if face == 1
        else np.abs(own).max(axis=1) < max(1.55 * spacing, 0.42)
    )
    left = sum(
        bool(within[i])
        and i not in taken
        and spot.radius > 0.5 * radius
        and spot.contrast > 0.5 * contrast
        for i, spot in enumerate(spots)
    )
    stretch = sum(spot.stretch for spot in mine) / len(mine) - 1
    quality = (
        face
        - 2.5 * left
        - 2 * math.hypot(x, y)
        - 0.8 * stretch
        - 5 * abs(spacing - 0.3) * (face > 1)
    )
    pose = Pose("d6", (x, y), 1.0, turn, 1.0)
    return PipFit(face, pose, quality, left)


_AXIS = (np.arange(SIDE_PX) - (SIDE_PX - 1) / 2) / SCALE
_INSIDE = np.hypot(_AXIS[:, None], _AXIS[None, :]) < 0.95
