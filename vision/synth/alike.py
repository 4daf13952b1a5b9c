"""Which marks can be told apart: no maker puts two alike on faces that differ."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
Floats = NDArray[np.float32]

SMALL_PX = 48
"""Marks are compared at this size."""

TURNS = 12
"""Ways that one of them is turned."""

COVERED = 0.95
"""Two marks of which each covers so much of the other are alike; of two random icons
one pair in 300 is, so that one d6 in twenty would bear one."""

_MARGIN = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
"""An edge one pixel off, of `SMALL_PX`, cannot be seen on a die."""


def told_apart(masks: Iterable[Mask], count: int) -> list[Mask]:
    """Return the first `count` masks none of which looks like another.

    Args:
        masks: Square, one size.
        count: How many.

    Raises:
        ValueError: There are not so many.
    """
    kept: list[Mask] = []
    seen: list[tuple[Floats, Floats]] = []
    for mask in masks:
        if len(kept) == count:
            break
        turned = _small([_turned(mask, turn) for turn in range(TURNS)])
        if not any(_alike(turned, other) for other in seen):
            kept.append(mask)
            seen.append((turned[0][:1], turned[1][:1]))
    if len(kept) < count:
        raise ValueError(f"{len(kept)} marks that can be told apart, {count} wanted")
    return kept


def _turned(mask: Mask, turn: int) -> Mask:
    middle = (mask.shape[0] - 1) / 2
    ways = cv2.getRotationMatrix2D((middle, middle), 360 * turn / TURNS, 1.0)
    return np.asarray(cv2.warpAffine(mask, ways, mask.shape[::-1]), np.uint8)


def _small(masks: list[Mask]) -> tuple[Floats, Floats]:
    """Return ``(n, SMALL_PX ** 2)`` of 0 and 1 twice: ink, and ink with its margin."""
    size = (SMALL_PX, SMALL_PX)
    ink = [cv2.resize(m, size, interpolation=cv2.INTER_AREA) > 127 for m in masks]
    flat = [one.astype(np.uint8) for one in ink]
    wide = [cv2.dilate(one, _MARGIN) for one in flat]
    return (
        np.array(flat, np.float32).reshape(len(masks), -1),
        np.array(wide, np.float32).reshape(len(masks), -1),
    )


def _alike(turned: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> bool:
    """True where at one of its turns a mark covers another and is covered by it."""
    (ink, wide), (own, own_wide) = turned, other
    covered = (ink @ own_wide.T)[:, 0] / np.maximum(ink.sum(axis=1), 1)
    covers = (wide @ own.T)[:, 0] / max(float(own.sum()), 1.0)
    return bool((np.minimum(covered, covers) > COVERED).any())
