"""Where the camera stands over the tray, and how the tray looks with nothing in it.

Both are looked at anew now and then, for a camera may be knocked and the light of the
day changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from device.units import Seconds
from vision.arrivals import EmptyTray, renewed
from vision.frame import Image

if TYPE_CHECKING:
    from device.ports import Clock
    from vision.rig import Rig

AGAIN_S: Final[Seconds] = 5.0
"""How often a resting tray's frame is looked for again, and an empty tray learned."""

KNOCKED_MM: Final = 0.5
"""A frame found so far from where it was tells that the camera was knocked: 15 drawn
pictures of one place, with a sensor's noise, put it within 0.001 mm."""


class Place:
    """What is known of the camera's place. For one thread.

    Args:
        find_rig: Finds the printed frame, or None where it is not in view.
        clock: Tells the time.
    """

    def __init__(self, find_rig: Callable[[Image], Rig | None], clock: Clock) -> None:
        self._find_rig = find_rig
        self._clock = clock
        self.rig: Rig | None = None
        self.empty: EmptyTray | None = None
        self._found_s = self._learned_s = -AGAIN_S

    def forget(self) -> None:
        """Know nothing any more: another camera may stand there."""
        self.rig = self.empty = None

    def find(self, image: Image) -> None:
        """Look for the frame; where it lies elsewhere, the empty tray is forgotten."""
        self._found_s = self._clock.now_s()
        found = self._find_rig(image)
        if found is None:
            return
        if self.rig is not None and _knocked(self.rig, found):
            self.empty = None
        self.rig = found

    def find_again(self, image: Image) -> None:
        """Look for the frame if that is some time ago."""
        if self._clock.now_s() - self._found_s > AGAIN_S:
            self.find(image)

    def learn_empty(self, image: Image) -> None:
        """Remember how the tray looks with nothing in it.

        What has come but is no die may be a camera that was knocked.
        """
        self._learned_s = self._clock.now_s()
        if self.rig is None:
            return
        known, self.empty = self.empty, renewed(self.empty, image, self.rig)
        if known is not None and self.empty is known:
            self.find_again(image)
            self.empty = self.empty or renewed(None, image, self.rig)

    def learn_empty_again(self, image: Image) -> None:
        """Remember it if that is some time ago."""
        if self._clock.now_s() - self._learned_s > AGAIN_S:
            self.learn_empty(image)


def _knocked(before: Rig, now: Rig) -> bool:
    """True where the frame is not where it was."""
    if now.size_wh_px != before.size_wh_px or now.frame != before.frame:
        return True
    moved_px = np.abs(now.tray_outline_px - before.tray_outline_px).max()
    return bool(moved_px > KNOCKED_MM * now.px_per_mm)
