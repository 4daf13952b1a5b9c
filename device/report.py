"""A battle report: what a night came to, from its journal. Pure.

What was taken back is left out; a roll stands as it was put right in the end, with
what the camera had read beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from device.table.army import Armies
from device.table.chronicle import chronicle
from device.table.codec import JSON, freeze, from_json
from device.table.events import Event
from device.table.fold import fold_events
from device.table.state import Check, LogEntry, Roll

LEFT_OUT: Final = (
    "night_started",
    "check_closed",
    "ruler_lit",
    "ruler_off",
    "undone",
    "redone",
)
"""Events that are no part of the battle."""

READINGS: Final = ("roll_read", "throw_seen")


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened.

    Attributes:
        entry: As the log tells it: the check's opening for a check.
        check: The check with its roll as it stands, where it is one.
        result: What the rules said of it in the end, or None.
        roll: Its dice, or those of a throw without a check.
        photo: Event under which the roll's photograph is kept; 0 for none.
    """

    entry: LogEntry
    check: Check | None = None
    result: Mapping[str, JSON] | None = None
    roll: Roll | None = None
    photo: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """A night.

    Attributes:
        night: Its id.
        game: Key of the game.
        lines: What happened, in order.
        armies: How both sides stand at its end.
        checks: Checks that came to a result.
        corrected: Dice that people put right.
    """

    night: str
    game: str
    lines: tuple[Line, ...]
    armies: Armies
    checks: int
    corrected: int


def make_report(events: Callable[[], Iterable[Event]]) -> Report:
    """Return the report of a night.

    Args:
        events: Reads its journal from the first event; called three times, so that a
            long night need not be held at once.

    Raises:
        JournalError: The journal is damaged.
    """
    fold = fold_events(events())
    gone = {entry.seq for entry in chronicle(events()) if entry.undone}
    lines = _lines(chronicle_of(events(), gone))
    dice = [die for line in lines if line.roll for die in line.roll.dice]
    return Report(
        night=fold.night,
        game=fold.content.game,
        lines=lines,
        armies=fold.content.armies,
        checks=sum(line.result is not None for line in lines),
        corrected=sum(die.corrected_from is not None for die in dice),
    )


def chronicle_of(events: Iterable[Event], gone: set[int]) -> Iterable[Event]:
    """Yield the events that still count and are told in a report."""
    for event in events:
        if event.seq not in gone and event.kind not in LEFT_OUT:
            yield event


def _lines(events: Iterable[Event]) -> tuple[Line, ...]:
    lines: list[Line] = []
    places: dict[str, int] = {}
    for event in events:
        (entry,) = chronicle([event])
        data = event.data
        if event.kind == "check_opened":
            check = from_json(Check, data["check"])
            places[check.id] = len(lines)
            lines.append(Line(entry, check, freeze(data.get("result"))))
        elif "roll" in data and data.get("check") in places:
            at = places[data["check"]]
            lines[at] = _with_roll(lines[at], event)
        elif "roll" in data and data["roll"]["id"] in places:
            at = places[data["roll"]["id"]]
            lines[at] = replace(lines[at], roll=from_json(Roll, data["roll"]))
        elif event.kind == "throw_seen":
            roll = from_json(Roll, data["roll"])
            places[roll.id] = len(lines)
            lines.append(Line(entry, roll=roll, photo=_photo(event, roll)))
        elif "roll" not in data:
            lines.append(Line(entry))
    return tuple(lines)


def _with_roll(line: Line, event: Event) -> Line:
    assert line.check is not None
    roll = from_json(Roll, event.data["roll"])
    check = replace(line.check, roll=roll, status=str(event.data["status"]))
    return replace(
        line,
        check=check,
        result=freeze(event.data.get("result")),
        roll=roll,
        photo=_photo(event, roll) or line.photo,
    )


def _photo(event: Event, roll: Roll) -> int:
    return event.seq if roll.photo and event.kind in READINGS else 0
