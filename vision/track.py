"""Which die is which from one reading to the next, and which of them are new.

Old dice stay in the tray while new ones are thrown. For each reading:

1. Has the camera itself moved? One shift that brings two or more dice onto dice with
   their faces is the camera's, not theirs.
2. Pair dice with those known: at their place; or a little off with face and turn
   unchanged; or, if accepted, pushed aside by a die that came in.
3. What is left has arrived, and is fresh. What is gone is remembered for a few
   readings, so that a hand over an old die does not make it new.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from vision.frame import KINDS, Detection, Reading, Status

STAYED_RADII = 0.35
"""Closer than this to its old place, a die has not moved; finding is good to 0.1."""

PUSHED_RADII = 2.0
"""Farther than this, a die was thrown, not pushed."""

TIPPED_RADII = 1.0
"""A pushed die that shows another face has moved less than this; else it was thrown."""

TURN_RAD = math.radians(12)
"""Turn that does not count, beside the face's own symmetry."""

REMEMBER = 3
"""Readings for which a die that is not seen is remembered."""

SYMMETRY = {"d4": 3, "d6": 4, "d8": 3, "d10": 1, "d%": 1, "d12": 5, "d20": 3, "coin": 0}
"""How many turns of an up face look the same; 0: all of them."""


@dataclass(frozen=True, slots=True)
class Tracked:
    """One die that lies in the tray.

    Attributes:
        detection: As read last, with its `id`; an accepted die keeps the face and the
            status that it was accepted with.
        fresh: True where it arrived or moved since the last accepted reading.
        knocked: True where a die that came in pushed it aside.
    """

    detection: Detection
    fresh: bool
    knocked: bool = False


@dataclass(slots=True)
class _Known:
    """A die seen before."""

    detection: Detection
    accepted: bool
    unseen: int = 0


class Tracker:
    """Follows dice through the readings of one camera, used from one thread."""

    def __init__(self) -> None:
        self._known: list[_Known] = []
        self._count = 0

    def update(self, reading: Reading) -> tuple[Tracked, ...]:
        """Take a reading; return its dice in the same order, with stable ids."""
        found = reading.detections
        shift = _camera_shift([known.detection for known in self._known], found)
        pairs, pushed = self._pair(found, shift)
        arrivals = len(found) - len(pairs) - len(pushed)
        if arrivals:
            pairs.update(pushed)
        else:
            pushed = {}  # nothing came in that could have pushed: they were thrown
        tracked = []
        known = []
        for index, detection in enumerate(found):
            old = pairs.get(index)
            if old is None:
                self._count += 1
                detection = replace(detection, id=f"die-{self._count}")
                known.append(_Known(detection, accepted=False))
                tracked.append(Tracked(detection, fresh=True))
                continue
            merged = _merge(old, detection)
            known.append(_Known(merged, old.accepted))
            tracked.append(Tracked(merged, not old.accepted, index in pushed))
        gone = [old for old in self._known if not any(old is p for p in pairs.values())]
        for old in gone:
            old.unseen += 1
            old.detection = _moved(old.detection, shift)
        remembered = [o for o in gone if o.accepted and o.unseen <= REMEMBER]
        self._known = known + remembered
        return tuple(tracked)

    def accept(self) -> None:
        """Mark all dice lying there as old: their faces now belong to a roll."""
        for known in self._known:
            known.accepted = True

    def clear(self) -> None:
        """Forget everything, e.g. where the camera was opened anew."""
        self._known = []

    def _pair(
        self, found: tuple[Detection, ...], shift: tuple[float, float]
    ) -> tuple[dict[int, _Known], dict[int, _Known]]:
        """Pair detections with known dice, nearest first.

        Returns:
            Dice that stayed, and accepted dice that may have been pushed.
        """
        choices = []
        for index, detection in enumerate(found):
            for old in self._known:
                if _is_kin(old.detection, detection):
                    away = _radii_between(old.detection, detection, shift)
                    choices.append((away, index, old))
        choices.sort(key=lambda choice: (choice[0], choice[1]))
        stayed: dict[int, _Known] = {}
        pushed: dict[int, _Known] = {}
        for wanted, taken in ((_has_stayed, stayed), (_may_be_pushed, pushed)):
            for away, index, old in choices:
                used = [*stayed.values(), *pushed.values()]
                if index in stayed or index in pushed or any(old is u for u in used):
                    continue
                if wanted(old, found[index], away, shift):
                    taken[index] = old
        return stayed, pushed


def _has_stayed(
    old: _Known, new: Detection, away: float, shift: tuple[float, float]
) -> bool:
    """True where a die lies as before.

    Another face and another turn at its place is another throw that ended there: dice
    gather along the tray's edge. So is a die at the place of one that was out of sight,
    unless nothing about it has changed.
    """
    same = _same_face(old.detection, new)
    turned = not _same_turn(old.detection, new)
    if old.unseen:
        return away <= STAYED_RADII and same and not turned
    if away <= STAYED_RADII and (same or (shift == (0.0, 0.0) and not turned)):
        return True
    return same and away <= PUSHED_RADII and not turned


def _may_be_pushed(
    old: _Known, new: Detection, away: float, shift: tuple[float, float]
) -> bool:
    """True where an accepted die may have been pushed to a new place."""
    if not old.accepted or old.unseen:
        return False
    reach = PUSHED_RADII if _same_face(old.detection, new) else TIPPED_RADII
    return away <= reach


def _merge(old: _Known, new: Detection) -> Detection:
    """Return the newest place, and the face that counts."""
    before = old.detection
    if not old.accepted:
        return replace(new, id=before.id)
    return replace(
        new,
        id=before.id,
        die=before.die,
        face=before.face,
        confidence=before.confidence,
        status=before.status,
        alternatives=before.alternatives,
    )


def _camera_shift(
    old: list[Detection], new: tuple[Detection, ...]
) -> tuple[float, float]:
    """Return the shift that the camera's own motion gave all dice, in pixels."""

    def support(shift: tuple[float, float]) -> int:
        return sum(
            any(
                _is_kin(one, two)
                and _same_face(one, two)
                and _radii_between(one, two, shift) <= STAYED_RADII
                for two in new
            )
            for one in old
        )

    best, most = (0.0, 0.0), max(1, support((0.0, 0.0)))
    for one in old:
        for two in new:
            if _is_kin(one, two) and _same_face(one, two):
                (x1, y1), (x2, y2) = _place(one), _place(two)
                shift = (x2 - x1, y2 - y1)
                count = support(shift)
                if count > most:
                    best, most = shift, count
    return best


def _is_kin(one: Detection, two: Detection) -> bool:
    """True where two detections may be the same die."""
    taught = one.die not in KINDS and two.die not in KINDS
    if taught and one.die != two.die and one.status == two.status == Status.OK:
        return False  # both are vouched for, as dice of different names
    shapes = [d.pose.shape if d.pose else d.die for d in (one, two)]
    if shapes[0] != shapes[1]:
        return False
    return not one.colour or not two.colour or one.colour == two.colour


def _same_face(one: Detection, two: Detection) -> bool:
    """True where the faces agree; a face nobody vouches for agrees with its offers."""
    if one.face == two.face:
        return True
    sure, other = (one, two) if one.status is Status.OK else (two, one)
    if other.status is Status.OK:
        return False
    return sure.face in [face for face, _ in other.alternatives] or other.face is None


def _same_turn(one: Detection, two: Detection) -> bool:
    """True where the up face is turned the same way, its symmetry considered."""
    if one.pose is None or two.pose is None:
        return True
    symmetry = SYMMETRY.get(one.pose.shape, 1)
    if symmetry == 0:
        return True
    step = 2 * math.pi / symmetry
    off = (one.pose.turn_rad - two.pose.turn_rad) % step
    return min(off, step - off) <= TURN_RAD


def _place(detection: Detection) -> tuple[float, float]:
    if detection.pose is not None:
        return detection.pose.top_xy_px
    x, y, w, h = detection.box_xywh_px
    return (x + w / 2, y + h / 2)


def _radius(detection: Detection) -> float:
    if detection.pose is not None:
        return detection.pose.radius_px
    return max(detection.box_xywh_px[2:]) / 2


def _radii_between(old: Detection, new: Detection, shift: tuple[float, float]) -> float:
    """Return how far a die moved beside the camera's shift, in its own radii."""
    (x1, y1), (x2, y2) = _place(old), _place(new)
    away = math.hypot(x2 - x1 - shift[0], y2 - y1 - shift[1])
    return away / max(_radius(old), 1.0)


def _moved(detection: Detection, shift: tuple[float, float]) -> Detection:
    """Return a detection moved along with the camera's shift."""
    if shift == (0.0, 0.0):
        return detection
    x, y, w, h = detection.box_xywh_px
    pose = detection.pose
    if pose is not None:
        top = (pose.top_xy_px[0] + shift[0], pose.top_xy_px[1] + shift[1])
        pose = replace(pose, top_xy_px=top)
    return replace(detection, box_xywh_px=(x + shift[0], y + shift[1], w, h), pose=pose)
