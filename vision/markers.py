"""The frame's markers in an image, and the homography they give.

The one-sheet frames have known places. Loose corner pieces have only a known size, so
there the homography is the one that makes every marker a square of that size; markers
far apart fix it well.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.sheet import (
    DICTIONARY,
    PAPERS,
    PATCH_LEVELS,
    PIECE_BORDER_MM,
    PIECE_MARKER_MM,
    Patch,
    piece_patches,
    sheet,
)

Points = NDArray[np.float64]

SEARCH_WIDTH_PX = 1280
"""Markers are searched in an image no wider than this, then refined in the full one."""

FIT_MM = 1.2
"""A marker corner farther than this from its fitted place condemns the rig."""


def apply(homography: Points, points: Points) -> Points:
    """Map ``(n, 2)`` points."""
    lifted = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:])


def inverse(matrix: Points) -> Points:
    """Return the homography the other way."""
    return np.asarray(np.linalg.inv(matrix), np.float64)


def _grey(image: Image) -> Image:
    if image.ndim == 2:
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def find_markers(image: Image) -> dict[int, Points]:
    """Return each marker seen once, id to its ``(4, 2)`` corners in pixels."""
    grey = _grey(image)
    shrink = max(1.0, grey.shape[1] / SEARCH_WIDTH_PX)
    small = grey
    if shrink > 1:
        size = (round(grey.shape[1] / shrink), round(grey.shape[0] / shrink))
        small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA))
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    corners, ids, _ = detector.detectMarkers(small)
    found: dict[int, Points] = {}
    twice: set[int] = set()
    for quad, marker in zip(corners, [] if ids is None else ids.ravel(), strict=True):
        number = int(marker)
        if number in found:
            twice.add(number)  # seen twice: one is a reflection or a second sheet
            continue
        ratio = np.array(grey.shape[::-1]) / np.array(small.shape[::-1])
        points = ((quad.reshape(4, 2) + 0.5) * ratio - 0.5).astype(np.float64)
        found[number] = _refine(grey, points)
    return {number: quad for number, quad in found.items() if number not in twice}


def _refine(grey: Image, quad: Points) -> Points:
    """Refine a marker's corners: a line through the steepest places of each side.

    `cv2.cornerSubPix` pulls blurred outer corners inwards, 0.3 px at a blur of one
    pixel; that is nearly one per cent of a corner piece's scale.
    """
    side = float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())
    reach = float(np.clip(side / 12, 2.0, 8.0))
    along, steps = np.linspace(0.12, 0.88, 24), np.arange(-reach, reach + 0.01, 0.5)
    lines = []
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        way = (end - start) / np.linalg.norm(end - start)
        out = np.array([way[1], -way[0]])
        base = start + along[:, None] * (end - start)
        spots = (base[:, None] + steps[:, None] * out).astype(np.float32)
        profile = cv2.remap(
            grey,
            spots[..., 0],
            spots[..., 1],
            cv2.INTER_LINEAR,
            None,
            cv2.BORDER_REPLICATE,
        ).astype(np.float64)
        rise = np.maximum(np.diff(profile, axis=1), 0)
        rise[rise < rise.max(axis=1, keepdims=True) * 0.25] = 0
        weight = rise.sum(axis=1)
        middles = (steps[:-1] + steps[1:]) / 2
        offset = (rise * middles).sum(axis=1) / np.maximum(weight, 1e-9)
        good = (weight > 0) & (np.abs(offset - np.median(offset)) < 1.0)
        if good.sum() < 6:
            return quad
        edge = (base + offset[:, None] * out)[good].astype(np.float32)
        vx, vy, x, y = np.ravel(cv2.fitLine(edge, cv2.DIST_HUBER, 0, 0.01, 0.01))
        lines.append(np.cross([x, y, 1.0], [x + vx, y + vy, 1.0]))
    corners = np.stack([np.cross(lines[i - 1], lines[i]) for i in range(4)])
    refined = np.asarray(corners[:, :2] / corners[:, 2:], np.float64)
    return refined if np.abs(refined - quad).max() < reach + 1 else quad


def fit_sheet(
    name: str, mine: dict[int, Points], scale: float
) -> tuple[Points, Points] | None:
    """Fit a one-sheet frame; return homography and tray outline in mm."""
    frame = sheet(name)
    seen = np.concatenate([mine[i] for i in mine])
    paper = np.concatenate([frame.markers[i].corners_mm for i in mine]) * scale
    found, _ = cv2.findHomography(seen, paper, 0)
    if found is None:
        return None
    homography = np.asarray(found, np.float64)
    if np.abs(apply(homography, seen) - paper).max() > FIT_MM:
        return None
    return homography, frame.tray_outline_mm * scale


INNER = (2, 3, 0, 1)
"""For each corner piece, which of its marker's corners points into the tray."""


def fit_pieces(mine: dict[int, Points], scale: float) -> tuple[Points, Points] | None:
    """Fit loose corner pieces: every marker must become a square of its size."""
    side = PIECE_MARKER_MM * scale
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]])
    nearest = max(mine.values(), key=lambda quad: float(np.ptp(quad, axis=0).sum()))
    first, _ = cv2.findHomography(nearest, square, 0)
    if first is None:
        return None
    fitted = _square_up(np.asarray(first, np.float64), list(mine.values()), side)
    if fitted is None:
        return None
    # The tray's corner lies outside the marker's inner corner by the white border.
    inner: dict[int, Points] = {}
    for index, quad in mine.items():
        flat = apply(fitted, quad)
        corner, across = flat[INNER[index]], flat[(INNER[index] + 2) % 4]
        inner[index] = corner + (corner - across) * (PIECE_BORDER_MM / PIECE_MARKER_MM)
    for index in range(4):
        if index not in inner:
            left, opposite, right = (inner[(index + step) % 4] for step in (1, 2, 3))
            inner[index] = left + right - opposite
    axis = inner[1] - inner[0]
    turn = -math.atan2(axis[1], axis[0])
    cos, sin = math.cos(turn), math.sin(turn)
    rotate = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]])
    start = rotate[:2, :2] @ inner[0]
    rotate[:2, 2] = -start
    outline = apply(rotate, np.stack([inner[i] for i in range(4)]))
    return rotate @ fitted, outline


def _square_up(
    homography: Points, quads: list[Points], side_mm: float
) -> Points | None:
    """Refine a homography until all quads are squares of one size (Gauss-Newton)."""
    pixels = np.concatenate(quads)
    centre, spread = pixels.mean(axis=0), pixels.std()
    ease = np.array(
        [
            [1 / spread, 0, -centre[0] / spread],
            [0, 1 / spread, -centre[1] / spread],
            [0, 0, 1],
        ]
    )
    eased = apply(ease, pixels)
    start = homography @ np.linalg.inv(ease)
    values = (start / start[2, 2]).ravel()[:8]
    diagonal = side_mm * math.sqrt(2)
    wanted = np.tile([side_mm] * 4 + [diagonal] * 2, len(quads))

    def misfit(at: Points) -> Points:
        flat = apply(np.append(at, 1.0).reshape(3, 3), eased).reshape(-1, 4, 2)
        sides = np.linalg.norm(flat - np.roll(flat, -1, axis=1), axis=2)
        across = np.linalg.norm(flat[:, :2] - flat[:, 2:], axis=2)
        return np.asarray(np.column_stack([sides, across]).ravel() - wanted)

    for _ in range(50):
        now = misfit(values)
        steps = 1e-6 * np.maximum(np.abs(values), 1e-2)
        slope = np.stack(
            [
                (misfit(values + np.eye(8)[i] * steps[i]) - now) / steps[i]
                for i in range(8)
            ],
            axis=1,
        )
        # Three of the eight are free (where the plane's axes lie): damp, do not invert.
        damping = np.diag(1e-4 * np.maximum((slope**2).sum(axis=0), 1e-6))
        move = np.linalg.solve(slope.T @ slope + damping, -slope.T @ now)
        values = values + move
        if not np.isfinite(values).all():
            return None
        if np.abs(move).max() < 1e-9:
            break
    if np.abs(misfit(values)).max() > FIT_MM:
        return None
    return np.asarray(np.append(values, 1.0).reshape(3, 3) @ ease, np.float64)


def patch_places(
    name: str, mine: dict[int, Points], homography: Points, scale: float
) -> dict[float, Points]:
    """Return the sample places in image pixels, lightness of a patch to ``(n, 2)``."""
    grid = np.stack(np.meshgrid([0.3, 0.5, 0.7], [0.3, 0.5, 0.7]), axis=-1).reshape(
        -1, 2
    )

    def places(patch: Patch) -> Points:
        corner = np.array([patch.x_mm, patch.y_mm])
        return np.asarray(corner + grid * [patch.width_mm, patch.height_mm])

    spots: dict[float, list[Points]] = {level: [] for level in PATCH_LEVELS}
    if name in PAPERS:
        back = inverse(homography)
        for patch in sheet(name).patches:
            spots[patch.level].append(apply(back, places(patch) * scale))
    else:
        near, far = PIECE_BORDER_MM, PIECE_BORDER_MM + PIECE_MARKER_MM
        own = np.array([[near, near], [far, near], [far, far], [near, far]])
        for quad in mine.values():
            to_image, _ = cv2.findHomography(own, quad, 0)
            for patch in piece_patches():
                spots[patch.level].append(apply(np.asarray(to_image), places(patch)))
    return {level: np.concatenate(some) for level, some in spots.items()}
