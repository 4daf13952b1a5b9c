"""Every roll of a night as it stands, newest first, a page at a time.

Only an index is held: which events tell of a roll, which of them were taken back. It
grows with the journal, of which each event is read once; a page reads its own rolls.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field

from device.nights import Nights
from device.report import READINGS
from device.table.codec import JSON, freeze, from_json
from device.table.events import Event
from device.table.state import Roll


@dataclass(frozen=True, slots=True)
class Played:
    """A roll of a night as it stands.

    Attributes:
        seq: Event that told of it first.
        at_s: Of that event, seconds since the epoch by the device's clock.
        roll: Its dice, put right where somebody did.
        check: Id of its check, "" for a throw that none had asked for.
        kind: Kind of that check, "" where there is none or its opening is lost.
        by: Who opened that check, for people; "" likewise.
        status: Status of that check with this roll, or "".
        result: What the rules made of it, or None.
        amended: Something was put right or doubted after it was first told.
        undone: It was taken back as a whole; then it shows what it was before.
        reading: Event under which its photograph was kept, 0 for none.
    """

    seq: int
    at_s: float
    roll: Roll
    check: str
    kind: str
    by: str
    status: str
    result: Mapping[str, JSON] | None
    amended: bool
    undone: bool
    reading: int


@dataclass(frozen=True, slots=True)
class Page:
    """Some rolls of a night.

    Attributes:
        rolls: Newest first.
        next: `before` of the page that follows, None where none does.
        complete: False where events of the night were lost by damage, so that rolls
            may be missing.
    """

    rolls: tuple[Played, ...]
    next: int | None
    complete: bool


@dataclass(slots=True)
class Telling:
    """An event that tells of a roll."""

    seq: int
    amends: bool
    is_reading: bool


@dataclass(slots=True)
class Index:
    """Which events tell of which roll, up to one of them.

    Attributes:
        upto: Last event in it.
        rolls: Events by roll, in the order in which the rolls were first told.
        undone: Events taken back.
        checks: Kind of each check and who opened it, by id.
        complete: Nothing of the night was lost.
    """

    upto: int = 0
    rolls: dict[str, list[Telling]] = field(default_factory=dict)
    undone: set[int] = field(default_factory=set)
    checks: dict[str, tuple[str, str]] = field(default_factory=dict)
    complete: bool = True

    def add(self, event: Event) -> None:
        """Take one more event in."""
        self.upto = event.seq
        data = event.data
        if event.kind == "undone":
            self.undone.update(data["seqs"])
        elif event.kind == "redone":
            self.undone.difference_update(data["seqs"])
        elif event.kind == "state_restored":
            self.complete = False
        for opened in (data.get("check"), data.get("next")):
            if isinstance(opened, Mapping):
                self.checks[str(opened["id"])] = (str(opened["kind"]), event.by)
        if isinstance(roll := data.get("roll"), Mapping):
            amends = bool(data.get("amends", False))
            told = Telling(event.seq, amends, event.kind in READINGS)
            self.rolls.setdefault(str(roll["id"]), []).append(told)

    def standing(self, roll: str) -> list[Telling]:
        """Return what still counts of a roll, all of it where nothing does."""
        told = self.rolls[roll]
        return [one for one in told if one.seq not in self.undone] or told


class RollBook:
    """Rolls of the nights; safe from any thread.

    Args:
        nights: The journals.
    """

    def __init__(self, nights: Nights) -> None:
        self._nights = nights
        self._lock = threading.Lock()
        self._night, self._index = "", Index()

    def page(self, night: str, seq: int, *, before: int, most: int) -> Page:
        """Return rolls of a night, newest first.

        Args:
            night: Its id.
            seq: Last event known of; no later one is waited for.
            before: Only rolls first told before this event.
            most: How many at most, >= 1.

        Raises:
            BadInput: There is no such night.
            JournalError: The journal cannot be read.
        """
        with self._lock:
            index = self._caught_up(night, seq)
            older = [roll for roll, told in index.rolls.items() if told[0].seq < before]
            chosen = older[-most:][::-1]
            firsts = [index.rolls[roll][0].seq for roll in chosen]
            lasts = [index.standing(roll)[-1].seq for roll in chosen]
            events = self._nights.events(night, {*firsts, *lasts})
            rolls = tuple(
                _played(index, events[first], events[last])
                for first, last in zip(firsts, lasts, strict=True)
            )
            follows = firsts[-1] if len(older) > most else None
            return Page(rolls, follows, index.complete)

    def _caught_up(self, night: str, seq: int) -> Index:
        if night != self._night:
            self._night, self._index = night, Index()
        if self._index.upto < seq:
            with closing(self._nights.read(night, self._index.upto)) as events:
                _add_all(self._index, events)
        return self._index


def _add_all(index: Index, events: Iterable[Event]) -> None:
    for event in events:
        index.add(event)


def _played(index: Index, first: Event, last: Event) -> Played:
    data = last.data
    told = index.standing(str(data["roll"]["id"]))
    check = str(data.get("check") or "")
    kind, by = index.checks.get(check, ("", ""))
    return Played(
        seq=first.seq,
        at_s=first.at_s,
        roll=from_json(Roll, data["roll"]),
        check=check,
        kind=kind,
        by=by,
        status=str(data.get("status") or "") if check else "",
        result=freeze(data.get("result")),
        amended=any(one.amends for one in told),
        undone=last.seq in index.undone,
        reading=max((one.seq for one in told if one.is_reading), default=0),
    )
