"""Limits: at most so many times a minute for each key."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

WINDOW_S = 60.0
KEYS_KEPT = 1024
"""Keys remembered by one limit; the oldest is forgotten first."""


class Rate:
    """At most so many times a minute for each key; safe from several threads.

    Args:
        per_minute: How often.
        now_s: Monotonic seconds.
    """

    def __init__(self, per_minute: int, now_s: Callable[[], float]) -> None:
        self._per_minute = per_minute
        self._now_s = now_s
        self._lock = threading.Lock()
        self._times: dict[str, deque[float]] = {}

    def allow(self, key: str) -> bool:
        """Count one more try; False where the minute is full."""
        with self._lock:
            times = self._recent(key)
            if len(times) >= self._per_minute:
                return False
            times.append(self._now_s())
            while len(self._times) > KEYS_KEPT:
                self._times.pop(next(iter(self._times)))
            return True

    def is_full(self, key: str) -> bool:
        """Say whether the minute is full, without counting a try."""
        with self._lock:
            return len(self._recent(key)) >= self._per_minute

    def _recent(self, key: str) -> deque[float]:
        now = self._now_s()
        times = self._times.setdefault(key, deque())
        while times and now - times[0] >= WINDOW_S:
            times.popleft()
        return times
