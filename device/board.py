"""The board: the newest snapshot, and everybody who waits for the next one."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from device.table.state import TableState
from device.table.view import Live, Snapshot


class Board:
    """Publishes snapshots; safe from any thread.

    Args:
        state: True at the beginning.
        seq: Number of its last event.
    """

    def __init__(self, state: TableState, seq: int) -> None:
        self._changed = threading.Condition()
        # A phone may hold a version from before a restart: it must not match.
        self._run = uuid.uuid4().hex[:8]
        self._count = 0
        self._snapshot = Snapshot(self._next_version(seq), seq, state, Live())

    @property
    def snapshot(self) -> Snapshot:
        """The newest."""
        return self._snapshot

    def publish_state(self, state: TableState, seq: int) -> Snapshot:
        """Publish what is true now; an older state than the last is left out."""
        with self._changed:
            if seq > self._snapshot.seq:
                self._publish(replace(self._snapshot, state=state, seq=seq))
            return self._snapshot

    def change_live(self, change: Callable[[Live], Live]) -> None:
        """Publish a changed live tray; nothing happens where nothing changed."""
        with self._changed:
            live = change(self._snapshot.live)
            if live != self._snapshot.live:
                self._publish(replace(self._snapshot, live=live))

    def set_live(self, **fields: Any) -> None:
        """Publish some fields of the live tray."""
        self.change_live(lambda live: replace(live, **fields))

    def wait_newer(self, version: str, timeout_s: float) -> Snapshot:
        """Return the first snapshot that is not of this version.

        Args:
            version: What the caller has seen.
            timeout_s: Then the newest is returned, be it the same.
        """
        deadline = time.monotonic() + timeout_s
        with self._changed:
            while self._snapshot.version == version:
                left = deadline - time.monotonic()
                if left <= 0 or not self._changed.wait(left):
                    break
            return self._snapshot

    def _publish(self, snapshot: Snapshot) -> None:
        self._snapshot = replace(snapshot, version=self._next_version(snapshot.seq))
        self._changed.notify_all()

    def _next_version(self, seq: int) -> str:
        self._count += 1
        return f"{self._run}-{seq}-{self._count}"
