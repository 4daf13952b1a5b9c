"""Has everything in the tray stopped, and may this frame be read?

For each frame, on a small grey image (about 320 x 180):

1. Drop stale frames: numbers or exposure times that do not go forward.
2. Take the logarithm, so that light is a sum, and compare with the first frame of
   this rest. What a lamp, the mains or a slow cloud adds (one value a row, and
   anything smooth) is taken away; so is the sensor's noise, measured from the frame.
3. Where that does not match, ask whether the camera alone has moved a little
   (hand-held); a camera that is shaken counts as movement.
4. Still for `STILL_FRAMES` and `STILL_S`: resting. Then tell an empty tray (as
   learned) and a hand that stays (large, from the border) from dice at rest.
5. One rest gives one reading; the next needs a tray that has changed. A second look a
   little later may only withdraw.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from device.units import Pixels, Seconds
from vision.frame import Frame
from vision.light import Scene, small_light

STILL_FRAMES = 4
STILL_S: Seconds = 0.08
"""Still for both of these: a die balancing on an edge looks still for less."""

LOOK_AGAIN_S: Seconds = 0.2
"""From the reading to the second look (design: 150 to 250 ms)."""

SLACK_PX: Pixels = 0.12
"""Movement of an edge that does not count, in pixels of the small image."""

HELD_SLACK_PX: Pixels = 0.5
"""The same where the camera has moved: one shift does not tell all of it."""

HELD_REST_PX: Pixels = 0.9
"""Movement of an edge against the begin of the rest, where the camera has moved."""

HELD_SHIFT_PX: Pixels = 2.2
"""Fastest drift per frame of a hand-held camera, in pixels of the small image; a
rolling die is faster, and turns."""

STAND_S: Seconds = 0.5
"""So long without any drift: the camera is on a stand, and may not drift again."""

RENEW_S: Seconds = 1.0
"""A resting scene is compared with a frame no older than this."""

ARRIVAL_S: Seconds = 0.05
"""A hand takes at least this long to come in; a cut to another picture does not."""

HAND_FORGET_S: Seconds = 8.0
"""What has not moved a tenth of a millimetre for so long is no hand but a thing laid
down, or a hand that was there when the empty tray was learned and is gone."""


@dataclass(frozen=True, slots=True)
class Phase:
    """What the tray is doing, as of one frame.

    Attributes:
        name: ``moving``, ``settling`` (still, not yet long enough), ``still`` (at rest,
            dice or not), ``empty`` (at rest and as the empty tray), or ``hand`` (at
            rest, with something large reaching in).
        rest_since_s: Exposure time of the first frame of this rest, or None.
        read: True for the one frame of a rest that is to be read.
        look_again: True for one frame, `LOOK_AGAIN_S` after that: a reading that
            differs from the first withdraws to ``unsure``, and never corrects.
        shift_px: How far a hand-held camera has moved since the rest began, x and y,
            in parts of the image's width.
    """

    name: str
    rest_since_s: Seconds | None = None
    read: bool = False
    look_again: bool = False
    shift_px: tuple[float, float] = (0.0, 0.0)


class Settle:
    """Watches frames in the order of their exposure; knows no clock.

    Args:
        hand_held: True lets the camera drift, False does not. None lets it drift until
            it has once stood as still as only a stand is.
    """

    def __init__(self, *, hand_held: bool | None = None) -> None:
        self.hand_held = hand_held
        self._steady = False
        self._phase = Phase("moving")
        self._number = -1
        self._exposed_s = -np.inf
        self._before: Scene | None = None
        self._anchor: Scene | None = None
        self._anchor_s: Seconds = 0.0
        self._since_s: Seconds = 0.0
        self._stirred_s: Seconds = 0.0
        self._frames = 0
        self._shift = (0.0, 0.0)
        self._armed = True
        self._again_s: Seconds | None = None
        self._read: Scene | None = None
        self._empty: Scene | None = None
        self._rested = "still"

    def update(self, frame: Frame) -> Phase:
        """Take the next frame; answer what the tray is doing.

        A frame that is not newer than the last one changes nothing.
        """
        if frame.exposed_s <= self._exposed_s or frame.number <= self._number:
            self._phase = replace(self._phase, read=False, look_again=False)
            return self._phase
        self._number, self._exposed_s = frame.number, frame.exposed_s
        scene = Scene(small_light(frame))
        if not self._matches(scene):
            if self._phase.name not in ("moving", "settling"):
                self._stirred_s = frame.exposed_s
            self._anchor, self._anchor_s = scene, frame.exposed_s
            self._since_s, self._frames = frame.exposed_s, 0
            self._shift = (0.0, 0.0)
            self._armed, self._again_s = True, None
        self._frames += 1
        self._phase = self._judge(scene, frame.exposed_s)
        self._before = scene
        return self._phase

    def mark_empty(self) -> None:
        """Learn the empty tray: the frame last read held no die."""
        if self._read is not None:
            self._empty = self._read

    def rearm(self) -> None:
        """Have the next frame at rest read again, though nothing has changed."""
        self._armed, self._read = True, None

    def _matches(self, scene: Scene) -> bool:
        """True where nothing has moved since the rest began, save the camera."""
        anchor, before = self._anchor, self._before
        if anchor is None or before is None or anchor.size != scene.size:
            return False
        if not scene.differs(anchor, SLACK_PX) and self._shift == (0.0, 0.0):
            return True
        if not self._may_drift():
            return False
        step = scene.shift_from(before)
        if step is None or np.hypot(*step) > HELD_SHIFT_PX:
            return False
        if scene.differs(before, HELD_SLACK_PX, step):
            return False
        if self._frames > 1:
            moved = scene.shift_from(anchor)
            if moved is None or scene.differs(anchor, HELD_REST_PX, moved):
                return False
        width = scene.size[0]
        self._shift = (
            self._shift[0] + step[0] / width,
            self._shift[1] + step[1] / width,
        )
        return True

    def _judge(self, scene: Scene, now_s: Seconds) -> Phase:
        """Name the phase of a frame that rests or does not."""
        rested_s = now_s - self._since_s
        # A hair of tolerance: time stamps are sums of frame times.
        if self._frames < STILL_FRAMES or rested_s < STILL_S - 1e-6:
            name = "moving" if self._frames == 1 else "settling"
            return Phase(name, None if self._frames == 1 else self._since_s)
        if rested_s > STAND_S and self._shift == (0.0, 0.0):
            self._steady = True
        first = self._phase.name in ("moving", "settling")
        renew = now_s - self._anchor_s > RENEW_S
        if first or renew:
            self._rested = self._resting(scene, rested_s)
        if renew:
            self._anchor, self._anchor_s = scene, now_s
            if self._rested == "empty":
                self._empty = scene
        read = again = False
        if self._rested == "still" and self._armed:
            # The same tray as last read (a shadow passed): locked, nothing to read.
            self._armed = False
            if not self._same_as_read(scene):
                read, self._read = True, scene
                self._again_s = now_s + LOOK_AGAIN_S
        elif self._again_s is not None and now_s >= self._again_s:
            again, self._again_s = self._rested == "still", None
        return Phase(self._rested, self._since_s, read, again, self._shift)

    def _same_as_read(self, scene: Scene) -> bool:
        """True where the tray is as it was when last read."""
        if self._read is None:
            return False
        if not scene.differs(self._read, HELD_SLACK_PX):
            return True
        shift = scene.shift_from(self._read) if self._may_drift() else None
        return shift is not None and not scene.differs(self._read, HELD_SLACK_PX, shift)

    def _may_drift(self) -> bool:
        return not self._steady if self.hand_held is None else self.hand_held

    def _resting(self, scene: Scene, rested_s: Seconds) -> str:
        """Tell an empty tray, a hand, and anything else at rest."""
        if self._empty is not None and self._empty.size == scene.size:
            if not scene.differs(self._empty, HELD_SLACK_PX):
                return "empty"
            known: Scene | None = self._empty
        else:
            known = self._read
        if known is None or known.size != scene.size or rested_s > HAND_FORGET_S:
            return "still"
        if self._since_s - self._stirred_s < ARRIVAL_S:
            return "still"
        return "hand" if scene.has_hand(known) else "still"
