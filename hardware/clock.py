"""The machine's own clock."""

from __future__ import annotations

import time

from device.units import Seconds


class SystemClock:
    """Real time; implements `device.ports.Clock`, safe from any thread."""

    def now_s(self) -> Seconds:
        """Return monotonic seconds (CLOCK_MONOTONIC: the camera's time base)."""
        return time.monotonic()

    def wall_s(self) -> Seconds:
        """Return seconds since the epoch; jumps when a Pi first meets a network."""
        return time.time()

    def sleep(self, seconds: Seconds) -> None:
        """Wait, at least this long; nothing at all for zero and below."""
        if seconds > 0:
            time.sleep(seconds)
