"""Live dice: what was read and tracked, as phones are told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from device.eyes import Tracked
from device.table.view import Live, LiveDie
from vision.frame import Detection


def all_old(live: Live) -> Live:
    """Return the live tray with no die of the throw at hand left in it."""
    return replace(live, dice=tuple(replace(die, fresh=False) for die in live.dice))


def live_die(tracked: Tracked, *, old: bool) -> LiveDie:
    """Return a die that was read and tracked, as phones are told of it."""
    detection = tracked.detection
    return LiveDie(
        id=detection.id,
        die=detection.die,
        face=detection.face,
        status=str(detection.status),
        confidence=round(detection.confidence, 4),
        box=_rounded(detection.box_xywh_px),
        fresh=tracked.fresh and not old,
        alternatives=tuple(
            (face, round(share, 4)) for face, share in detection.alternatives
        ),
    )


def _rounded(
    box: tuple[float, float, float, float],
) -> tuple[float, float, float, float]:
    """Return a box in tenths of a pixel: events are read by people as well."""
    x, y, w, h = (round(float(edge), 1) for edge in box)
    return (x, y, w, h)


def differs(die: LiveDie, detections: Sequence[Detection]) -> bool:
    """Return whether a second look sees another face where a die lies.

    A look that is only less sure does not withdraw a face: it agrees as far as it
    goes. No die where one was read, or another face or kind, does.
    """
    x, y = die.box[0] + die.box[2] / 2, die.box[1] + die.box[3] / 2
    for other in detections:
        left, top, width, height = other.box_xywh_px
        if left <= x <= left + width and top <= y <= top + height:
            return (other.die, other.face) != (die.die, die.face)
    return True
