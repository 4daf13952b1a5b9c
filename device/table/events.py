"""Events: what happened, self-contained, as versioned JSON.

An event carries the table's and the night's id, so that it makes sense away from
the journal as well; nobody outside `device.table` knows how events are stored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from device.errors import JournalDamaged, JournalError
from device.table.codec import JSON, canonical, freeze, from_json
from device.table.state import EMPTY

EVENT_VERSION: Final = 1
"""Goes up when a reader of version 1 would misunderstand an event."""

KINDS: Final = (
    "night_started",
    "state_restored",
    "check_opened",
    "check_closed",
    "roll_read",
    "roll_confirmed",
    "roll_doubted",
    "die_entered",
    "die_corrected",
    "throw_seen",
    "ruler_lit",
    "ruler_off",
    "unit_added",
    "unit_removed",
    "health_set",
    "cards_set",
    "unit_edited",
    "token_changed",
    "table_token_changed",
    "damage_taken",
    "result_applied",
    "healed",
    "readied",
    "activated",
    "activation_ended",
    "round_ended",
    "game_chosen",
    "sheet_changed",
    "undone",
    "redone",
)
"""Every kind of event, in version 1."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An event before it has a number.

    Attributes:
        kind: One of `KINDS`.
        data: Plain JSON; all that the reducers need. Any event may carry ``sheet``,
            ``{"set": {id: object}, "drop": [id]}``, ``cue``, what the ruler shows from
            now on, and ``next``, the check that is open from now on (None: the one
            that waits is closed).
    """

    kind: str
    data: Mapping[str, JSON] = field(default_factory=lambda: EMPTY)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at a table.

    Attributes:
        v: `EVENT_VERSION` it was written with.
        table: Id of the device's table.
        night: Id of the game night.
        seq: Counts up by one within the night, from 1.
        kind: One of `KINDS`.
        data: Plain JSON.
        at_s: Seconds since the epoch, by the device's clock (which may be wrong).
        by: Player, ``camera``, ``panel`` or "".
        command: Id of the command that caused it, or "".
    """

    v: int
    table: str
    night: str
    seq: int
    kind: str
    data: Mapping[str, JSON]
    at_s: float
    by: str = ""
    command: str = ""

    def text(self) -> str:
        """Return the event as one line of canonical JSON."""
        return canonical(self)


def parse_event(text: str) -> Event:
    """Return the event that `Event.text` wrote.

    Raises:
        JournalDamaged: Not an event.
        JournalError: One of a later version than we understand.
    """
    try:
        event = from_json(Event, json.loads(text))
    except (ValueError, TypeError, AttributeError) as error:
        raise JournalDamaged(f"not an event: {text[:60]!r}") from error
    if event.v > EVENT_VERSION:
        raise JournalError(
            f"event {event.seq} has version {event.v}, this program knows "
            f"{EVENT_VERSION}: update Dicelight to read this night"
        )
    return event


def make_event(
    draft: Draft,
    *,
    table: str,
    night: str,
    seq: int,
    at_s: float,
    by: str,
    command: str,
) -> Event:
    """Return a draft as the event it becomes, its data made immutable."""
    return Event(
        v=EVENT_VERSION,
        table=table,
        night=night,
        seq=seq,
        kind=draft.kind,
        data=freeze(draft.data),
        at_s=at_s,
        by=by,
        command=command,
    )
