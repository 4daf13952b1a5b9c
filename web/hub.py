"""What every route shares: the companion, the settings, the stream budget."""

from __future__ import annotations

from typing import Protocol

from flask import current_app, g

from device.nights import Nights
from device.table.view import Command, Outcome, Snapshot
from web.feed import Streams
from web.settings import WebSettings
from web.visitors import Rate


class Companion(Protocol):
    """The companion as the page sees it; `device.companion` is the real one."""

    def snapshot(self) -> Snapshot:
        """Return what is true now; immutable and cheap."""
        ...

    def wait_newer(self, version: str, timeout_s: float) -> Snapshot:
        """Return the next snapshot of another version, or the same after a while."""
        ...

    def do(self, command: Command) -> Outcome:
        """Carry out a command once, durably.

        Raises:
            TableError: It does not fit what is true now (409).
            BadInput: It is not well formed (400).
        """
        ...

    def tray_jpeg(self) -> bytes | None:
        """Return the newest picture of the tray, or None before the first."""
        ...

    @property
    def nights(self) -> Nights:
        """The journals of this table."""
        ...

    def roll_jpeg(self, roll_id: str, seq: int = 0, night: str = "") -> bytes | None:
        """Return the photograph kept of a reading of a roll, or None."""
        ...

    def reading_of(self, roll_id: str) -> int:
        """Return the event that tells how a roll was read; 0 for none."""
        ...


class Hub:
    """What every route shares.

    Attributes:
        companion: Truth, and the only way to change it.
        settings: As given to `create_app`.
        streams: The open event streams.
        joins: Limit on joining, for each address.
    """

    def __init__(self, companion: Companion, settings: WebSettings) -> None:
        self.companion = companion
        self.settings = settings
        self.streams = Streams(settings.streams)
        self.joins = Rate(settings.joins_per_minute, settings.now_s)


def current_snapshot() -> Snapshot:
    """Return the snapshot of this request: all of one screen is of one moment.

    A screen that carried a later version than its content would miss the change in
    between for good.
    """
    if "snapshot" not in g:
        g.snapshot = hub().companion.snapshot()
    found = g.snapshot
    assert isinstance(found, Snapshot)
    return found


def hub() -> Hub:
    """Return the hub that this request belongs to."""
    found = current_app.extensions["dicelight"]
    assert isinstance(found, Hub)
    return found
