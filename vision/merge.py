"""Detections put together: each die once, in reading order, from several images."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.frame import Detection, Pose, Status

SAME_DIE = 0.62
"""Two finds whose tops are nearer than this share of the larger radius are one."""

OFFERED = 5
"""Faces offered at most."""


def once(dice: Sequence[Detection]) -> list[Detection]:
    """Return each die once, as it was read best."""
    kept: list[tuple[Detection, Pose]] = []
    for die in sorted(dice, key=lambda d: -d.confidence):
        pose = die.pose
        if pose is not None and all(
            math.dist(pose.top_xy_px, other.top_xy_px)
            > SAME_DIE * max(pose.radius_px, other.radius_px)
            for _, other in kept
        ):
            kept.append((die, pose))
    return [die for die, _ in kept]


def in_reading_order(dice: Sequence[Detection]) -> tuple[Detection, ...]:
    """Sort left to right and top to bottom, in rows of about a die's height."""
    if not dice:
        return ()
    height = float(np.median([die.box_xywh_px[3] for die in dice]))
    rows: list[list[Detection]] = []
    for die in sorted(dice, key=lambda d: d.box_xywh_px[1]):
        if rows and die.box_xywh_px[1] - rows[-1][0].box_xywh_px[1] < height * 0.7:
            rows[-1].append(die)
        else:
            rows.append([die])
    return tuple(
        die for row in rows for die in sorted(row, key=lambda d: d.box_xywh_px[0])
    )


def same_place(die: Detection, others: Sequence[Detection]) -> Detection | None:
    """Return the detection of the same die in another image, or None."""
    x, y, w, h = die.box_xywh_px

    def away(other: Detection) -> float:
        a, b, c, d = other.box_xywh_px
        return math.hypot(a + c / 2 - x - w / 2, b + d / 2 - y - h / 2)

    nearest = min(others, key=away, default=None)
    return nearest if nearest is not None and away(nearest) < 0.3 * w else None


def agreed(die: Detection, others: Sequence[Detection | None]) -> Detection:
    """Return a die with the faces of several images taken together."""
    seen = [die, *(other for other in others if other is not None)]
    sure = [one for one in seen if one.status is Status.OK]
    faces = {(one.die, one.face) for one in sure}
    best = max(sure or seen, key=lambda one: one.confidence)
    against = [one for one in seen if one.status is not Status.OK]
    cocked = sum(one.status is Status.COCKED for one in seen) * 2 > len(seen)
    told_otherwise = any(
        one.face not in (None, best.face) and one.confidence > 0.5 for one in against
    )
    if cocked:
        status = Status.COCKED
    elif len(faces) == 1 and len(seen) == len(others) + 1 and not told_otherwise:
        status = Status.OK
    else:
        status = Status.UNSURE
    totals: dict[str, float] = {}
    for one in seen:
        for face, share in one.alternatives:
            totals[face] = totals.get(face, 0.0) + share / len(seen)
    offers = sorted(totals.items(), key=lambda item: -item[1])[:OFFERED]
    up, confidence = best.face, best.confidence
    if status is not Status.OK and offers:
        up, confidence = offers[0]
    return replace(
        best,
        face=up,
        confidence=confidence,
        status=status,
        box_xywh_px=die.box_xywh_px,
        alternatives=tuple(offers),
    )
