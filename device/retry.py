"""Trying again, less and less often, until it works."""

from __future__ import annotations

from typing import Final

from device.ports import Clock
from device.units import Seconds

FIRST_S: Final[Seconds] = 0.5
"""A cable that slipped is back soon."""

LONGEST_S: Final[Seconds] = 10.0
"""Whoever plugs a camera in does not wait longer than this."""


class Backoff:
    """Says when the next try is due: at once, then 0.5 s, 1 s, ... 10 s later."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wait_s = 0.0
        self._due_s = clock.now_s()

    def is_due(self) -> bool:
        """Return whether it is time to try."""
        return self._clock.now_s() >= self._due_s

    def failed(self) -> None:
        """Wait longer before the next try."""
        self._wait_s = min(LONGEST_S, max(FIRST_S, 2 * self._wait_s))
        self._due_s = self._clock.now_s() + self._wait_s

    def worked(self) -> None:
        """Try at once after the next failure."""
        self._wait_s = 0.0
        self._due_s = self._clock.now_s()
