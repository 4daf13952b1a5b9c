"""What every route shares: the companion, the settings, the people, the streams."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from flask import current_app, g

from device.faces import FaceBook
from device.ledger import Ledger
from device.lessons import Lessons
from device.nights import Nights
from device.rollbook import RollBook
from device.rules.dice import DiceSet
from device.table.view import Command, Live, Outcome, Person, Snapshot
from device.workshop import Workshop
from web.feed import APART_S, AT_ONCE, Pace, Streams
from web.people import People
from web.rate import Rate
from web.settings import WebSettings


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

    @property
    def dice(self) -> DiceSet:
        """The dice in play, with the faces that players counted."""
        ...

    @property
    def faces(self) -> FaceBook:
        """What players know of the dice."""
        ...

    @property
    def lessons(self) -> Lessons | None:
        """Who teaches dice, or None where nobody can."""
        ...

    @property
    def workshop(self) -> Workshop | None:
        """Who sets the device up, or None where nobody can."""
        ...

    @property
    def ledger(self) -> Ledger:
        """Counts of all dice over the nights."""
        ...

    @property
    def rolls(self) -> RollBook:
        """Every roll of a night."""
        ...

    def roll_jpeg(self, roll_id: str, seq: int = 0, night: str = "") -> bytes | None:
        """Return the photograph kept of a reading of a roll, or None."""
        ...

    def reading_of(self, roll_id: str) -> int:
        """Return the event that tells how a roll was read; 0 for none."""
        ...

    def set_live(self, change: Callable[[Live], Live]) -> None:
        """Publish a change of what is not journaled: who is at the table."""
        ...


class Hub:
    """What every route shares.

    Attributes:
        companion: Truth, and the only way to change it.
        settings: As given to `create_app`.
        people: Who joined.
        port: Where the page is really served; set once that is known.
        streams: The open event streams.
        pace: When each of them is told of a change.
        joins: Limit on joining, for each address.
        wrong_codes: Limit on wrong codes, for each address.
        wrong_in_all: Limit on wrong codes, over all addresses.
    """

    TOKEN_SHOWN_S = 120.0
    """A new token stays on its host's page for so long, whatever else happens there."""

    def __init__(self, companion: Companion, settings: WebSettings) -> None:
        self.companion = companion
        self.settings = settings
        self.people = People(settings.state, settings.new_code)
        self.port = settings.port
        self.streams = Streams(settings.streams)
        self.pace = Pace(AT_ONCE, APART_S, settings.now_s)
        self.joins = Rate(settings.joins_per_minute, settings.now_s)
        self.wrong_codes = Rate(settings.wrong_codes_per_minute, settings.now_s)
        self.wrong_in_all = Rate(settings.wrong_codes_in_all, settings.now_s)
        self._started_s = settings.now_s()
        self._seen_s: dict[str, float] = {}
        self._fresh_token = ("", "", 0.0)
        self.people.on_change(self._publish_people)
        self._publish_people()

    def seen(self, visitor_id: str) -> None:
        """Note that a device has asked for something."""
        self._seen_s[visitor_id] = self.settings.now_s()

    def absent_s(self, visitor_id: str) -> float:
        """Return for how long nothing was heard of a device; 0 while it listens."""
        if any(one.id == visitor_id for one in self.streams.present()):
            return 0.0
        last_s = self._seen_s.get(visitor_id, self._started_s)
        return self.settings.now_s() - last_s

    def dismiss(self, visitor_id: str, how: Callable[[str], None]) -> None:
        """Take a device off the table: `how` forgets it, its streams end."""
        how(visitor_id)
        self._seen_s.pop(visitor_id, None)
        self.streams.end(visitor_id)

    def show_token(self, visitor_id: str, token: str) -> None:
        """Have a new token shown to the device that made it, for a while."""
        self._fresh_token = (visitor_id, token, self.settings.now_s())

    def fresh_token(self, visitor_id: str) -> str:
        """Return the token that a device has just made, or ""."""
        owner, token, made_s = self._fresh_token
        recent = self.settings.now_s() - made_s < self.TOKEN_SHOWN_S
        return token if owner == visitor_id and recent else ""

    def _publish_people(self) -> None:
        people = tuple(
            Person(one.name, one.role.value, one.side, one.is_host)
            for one in self.people.everyone()
        )
        self.companion.set_live(lambda live: replace(live, people=people))


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
