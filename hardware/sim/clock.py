"""A clock that moves only when somebody waits on it or pushes it."""

from __future__ import annotations

import threading

from device.units import Seconds


class ManualClock:
    """Time for tests; implements `device.ports.Clock`.

    Waiting moves the time at once. Safe from several threads, but as each waiting
    thread moves the time for all, one thread should do the waiting.

    Args:
        now_s: Monotonic seconds to start from.
        wall_s: Seconds since the epoch to start from.
    """

    def __init__(self, now_s: Seconds = 100.0, wall_s: Seconds = 1.7e9) -> None:
        self._lock = threading.Lock()
        self._now_s = now_s
        self._wall_s = wall_s

    def now_s(self) -> Seconds:
        """Return monotonic seconds."""
        with self._lock:
            return self._now_s

    def wall_s(self) -> Seconds:
        """Return seconds since the epoch."""
        with self._lock:
            return self._wall_s

    def sleep(self, seconds: Seconds) -> None:
        """Let this much time pass, at once; nothing for zero and below."""
        self.advance(max(0.0, seconds))

    def advance(self, seconds: Seconds) -> None:
        """Move both clocks on.

        Raises:
            ValueError: `seconds` is negative; monotonic time never goes back.
        """
        if seconds < 0:
            raise ValueError(f"time does not go back: {seconds}")
        with self._lock:
            self._now_s += seconds
            self._wall_s += seconds

    def jump_wall(self, seconds: Seconds) -> None:
        """Set the wall clock on or back alone, as a network does after boot."""
        with self._lock:
            self._wall_s += seconds
