"""Reducers: ``state = fold(events)``, pure.

Undo is an event like any other: ``undone`` names the events it takes back, newest
first, and the content before the oldest of them becomes true again. ``redone``
names what it brings back. Anything else that happens makes redo impossible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from device.errors import JournalDamaged
from device.table.army import Armies, Model, Unit
from device.table.codec import JSON, freeze, from_json
from device.table.events import Event
from device.table.state import (
    EMPTY,
    Applied,
    Check,
    Content,
    Cue,
    Finished,
    LogEntry,
    Roll,
    TableState,
)

UNDO_DEPTH: Final = 64
"""Steps kept for undo and redo, each a few kilobytes in every saved fold. What lies
below them the journal still knows: see `steps_below`."""

LOG_LENGTH: Final = 200
"""Entries a phone is sent. The journal holds all; a page must not grow all night."""


@dataclass(frozen=True, slots=True)
class Step:
    """One event that can be taken back or brought again.

    Attributes:
        seq: Its number.
        content: What was true before it (to undo), or after it (to redo).
    """

    seq: int
    content: Content


@dataclass(frozen=True, slots=True)
class Fold:
    """Everything the next event is applied to.

    Attributes:
        seq: Last event in it; 0 for none.
        table: Id of the table.
        night: Id of the night.
        content: True now.
        log: Newest last, `LOG_LENGTH` at most.
        past: Steps that undo takes back, last one first to go.
        future: Steps that redo brings again, last one first to come.
        below: How many steps under `past` could be taken back as well.
    """

    seq: int = 0
    table: str = ""
    night: str = ""
    content: Content = field(default_factory=Content)
    log: tuple[LogEntry, ...] = ()
    past: tuple[Step, ...] = ()
    future: tuple[Step, ...] = ()
    below: int = 0

    @property
    def state(self) -> TableState:
        """What is published of it."""
        return TableState(
            night=self.night,
            content=self.content,
            log=self.log,
            can_undo=bool(self.past) or self.below > 0,
            undo_from=self.past[0].seq if self.past else 0,
            can_redo=bool(self.future),
        )


def apply(fold: Fold, event: Event) -> Fold:
    """Return the fold with one more event in it.

    Raises:
        JournalDamaged: The event does not fit: a gap in the numbers, an unknown kind,
            data that its reducer cannot read.
    """
    if event.seq != fold.seq + 1 and event.kind != "state_restored":
        raise JournalDamaged(f"event {event.seq} follows event {fold.seq}: a gap")
    try:
        if event.kind in _FRAMES:
            after = _FRAMES[event.kind](fold, event)
        elif event.kind in _REDUCERS:
            after = _step(fold, event)
        else:
            raise JournalDamaged(f"event {event.seq}: unknown kind {event.kind!r}")
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise JournalDamaged(
            f"event {event.seq} ({event.kind}) is malformed"
        ) from error
    return replace(after, seq=event.seq, log=_logged(after.log, event))


def fold_events(events: Iterable[Event], start: Fold | None = None) -> Fold:
    """Return all events folded, from nothing or from an earlier fold."""
    fold = start or Fold()
    for event in events:
        fold = apply(fold, event)
    return fold


def _step(fold: Fold, event: Event) -> Fold:
    """Apply an event that undo can take back."""
    content = _beside(_REDUCERS[event.kind](fold.content, event.data), event.data)
    fold = _remembering(fold, Step(event.seq, fold.content))
    return replace(fold, content=content, future=())


def _remembering(fold: Fold, step: Step) -> Fold:
    """Return the fold with one more step to take back."""
    past = (*fold.past, step)
    over = max(0, len(past) - UNDO_DEPTH)
    return replace(fold, past=past[over:], below=fold.below + over)


def steps_below(events: Sequence[Event], kept: int) -> tuple[Step, ...]:
    """Return steps under those that a fold keeps, each with what was true before it.

    Args:
        events: All of a night.
        kept: Number of steps in the fold's `past`.

    Returns:
        `UNDO_DEPTH` at most, last one first to be taken back.
    """
    done: list[int] = []
    undone: list[int] = []
    for event in events:
        if event.kind == "undone":
            undone += (done.pop() for _ in event.data["seqs"])
        elif event.kind == "redone":
            done += (undone.pop() for _ in event.data["seqs"])
        elif event.kind in _FRAMES:
            done, undone = [], []  # nothing before it can be taken back
        else:
            done.append(event.seq)
            undone.clear()
    wanted = frozenset(done[: len(done) - kept][-UNDO_DEPTH:])
    found: list[Step] = []
    fold = Fold()
    for event in events:
        if event.seq in wanted:
            found.append(Step(event.seq, fold.content))
        if len(found) == len(wanted):
            break
        fold = apply(fold, event)
    return tuple(found)


def _beside(content: Content, data: Mapping[str, JSON]) -> Content:
    """Apply what any event may carry: a change of the sheet, a cue, the next check."""
    if (change := data.get("sheet")) is not None:
        dropped = {*change["drop"], *change["set"]}
        kept = {key: one for key, one in content.sheet.items() if key not in dropped}
        content = replace(content, sheet=freeze(kept | dict(change["set"])))
    if (cue := data.get("cue")) is not None:
        lit = None if cue.get("off") is True else Cue(freeze(cue))
        content = replace(content, ruler=lit)
    return _followed(content, data) if "next" in data else content


def _followed(content: Content, data: Mapping[str, JSON]) -> Content:
    """Open the check that follows, or close the one that waits for nothing now."""
    done = content.check is not None and content.check.status == "resolved"
    if data["next"] is None and done:
        return content
    check = from_json(Check, data["next"]) if data["next"] is not None else None
    last = _finished(content) if done else content.last
    return replace(content, check=check, result=None, offer=None, last=last)


# --- Events about the night itself -------------------------------------------------


def _night_started(fold: Fold, event: Event) -> Fold:
    content = Content(game=str(event.data["game"]))
    return Fold(table=event.table, night=event.night, content=content)


def _state_restored(fold: Fold, event: Event) -> Fold:
    """Take over a whole fold that was saved beside a journal now damaged."""
    return replace(from_json(Fold, event.data["fold"]), below=0)


def _undone(fold: Fold, event: Event) -> Fold:
    past, future, content, below = fold.past, fold.future, fold.content, fold.below
    for seq in event.data["seqs"]:
        future = (*future, Step(seq, content))[-UNDO_DEPTH:]
        if not past and "content" in event.data:  # a step from below those kept
            content, below = from_json(Content, event.data["content"]), below - 1
            continue
        if past[-1].seq != seq:
            raise ValueError(f"{seq} is not the newest step")
        content = past[-1].content
        past = past[:-1]
    log = _marked(fold.log, event.data["seqs"], undone=True)
    fold = replace(fold, past=past, future=future, content=content, below=below)
    return replace(fold, log=log)


def _redone(fold: Fold, event: Event) -> Fold:
    for seq in event.data["seqs"]:
        future = fold.future
        if future[-1].seq != seq:
            raise ValueError(f"{seq} is not the next step to redo")
        fold = _remembering(fold, Step(seq, fold.content))
        fold = replace(fold, content=future[-1].content, future=future[:-1])
    return replace(fold, log=_marked(fold.log, event.data["seqs"], undone=False))


_FRAMES: Final[dict[str, Callable[[Fold, Event], Fold]]] = {
    "night_started": _night_started,
    "state_restored": _state_restored,
    "undone": _undone,
    "redone": _redone,
}


# --- Events that change the content ------------------------------------------------

Reducer: TypeAlias = Callable[[Content, Mapping[str, JSON]], Content]


def _check_opened(content: Content, data: Mapping[str, JSON]) -> Content:
    return replace(
        content,
        check=from_json(Check, data["check"]),
        result=freeze(data.get("result")),
        offer=freeze(data.get("offer")),
        last=_finished(content),
    )


def _check_closed(content: Content, data: Mapping[str, JSON]) -> Content:
    return replace(
        content, check=None, result=None, offer=None, last=_finished(content)
    )


def _finished(content: Content) -> Finished | None:
    if content.check is None:
        return content.last
    return Finished(content.check, content.result)


def _roll_set(content: Content, data: Mapping[str, JSON]) -> Content:
    """Give a check its roll, the rules' result and what follows from it."""
    roll = from_json(Roll, data["roll"])
    check, last = content.check, content.last
    if check is not None and check.id == data["check"]:
        check = replace(check, roll=roll, status=str(data["status"]))
        return replace(
            content,
            check=check,
            result=freeze(data.get("result")),
            offer=freeze(data.get("offer")),
        )
    if last is not None and last.check.id == data["check"]:
        done = replace(last.check, roll=roll, status=str(data["status"]))
        return replace(content, last=Finished(done, freeze(data.get("result"))))
    if data["check"] == "":
        return replace(content, seen=roll)
    raise ValueError(f"no check {data['check']!r}")


def _ruler_lit(content: Content, data: Mapping[str, JSON]) -> Content:
    return replace(content, ruler=Cue(freeze(data["cue"])))


def _ruler_off(content: Content, data: Mapping[str, JSON]) -> Content:
    return replace(content, ruler=None)


def _unit_added(content: Content, data: Mapping[str, JSON]) -> Content:
    new = tuple(from_json(Unit, unit) for unit in data["units"])
    armies = content.armies
    return _armies(content, replace(armies, units=(*armies.units, *new)))


def _unit_removed(content: Content, data: Mapping[str, JSON]) -> Content:
    armies = content.armies
    left = tuple(unit for unit in armies.units if unit.id != data["unit"])
    if len(left) == len(armies.units):
        raise ValueError(f"no unit {data['unit']!r}")
    return _armies(content, replace(armies, units=left))


def _health_set(content: Content, data: Mapping[str, JSON]) -> Content:
    changed = from_json(Unit, data["unit"])
    return _armies(content, content.armies.with_unit(changed))


def _units_set(content: Content, data: Mapping[str, JSON]) -> Content:
    """Put units with changed cards or equipment in place of what they were."""
    armies = content.armies
    for unit in data["units"]:
        armies = armies.with_unit(from_json(Unit, unit))
    return _armies(content, armies)


def _models_set(content: Content, data: Mapping[str, JSON]) -> Content:
    """Give models their tokens, as the rules have worked them out."""
    armies = content.armies
    for model in data.get("models", ()):
        armies = armies.with_model(from_json(Model, model))
    armies = replace(armies, **data.get("table", {}))
    content = _armies(content, armies)
    if "applied" not in data:
        return content
    applied = tuple(from_json(Applied, one) for one in data["applied"])
    return replace(content, applied=applied)


def _rolled(content: Content, data: Mapping[str, JSON]) -> Content:
    """Give a check its roll, and models the tokens that follow from it."""
    return _models_set(_roll_set(content, data), data)


def _game_chosen(content: Content, data: Mapping[str, JSON]) -> Content:
    """Go to the table of a game, keeping the one that was left."""
    game = str(data["game"])
    others = [one for one in content.parked if one.game not in (game, content.game)]
    if content.game != game:
        others.append(replace(content, parked=(), ruler=None))
    known = [one for one in content.parked if one.game == game]
    opened = known[0] if known and not data["fresh"] else Content(game=game)
    return replace(opened, parked=tuple(others))


def _armies(content: Content, armies: Armies) -> Content:
    return replace(content, armies=armies)


_REDUCERS: Final[dict[str, Reducer]] = {
    "check_opened": _check_opened,
    "check_closed": _check_closed,
    "roll_read": _rolled,
    "roll_confirmed": _rolled,
    "roll_doubted": _roll_set,
    "die_entered": _rolled,
    "die_corrected": _rolled,
    "throw_seen": _roll_set,
    "ruler_lit": _ruler_lit,
    "ruler_off": _ruler_off,
    "unit_added": _unit_added,
    "unit_removed": _unit_removed,
    "health_set": _health_set,
    "cards_set": _units_set,
    "unit_edited": _units_set,
    "token_changed": _models_set,
    "table_token_changed": _models_set,
    "damage_taken": _models_set,
    "result_applied": _models_set,
    "healed": _models_set,
    "readied": _models_set,
    "activated": _models_set,
    "activation_ended": _models_set,
    "round_ended": _models_set,
    "sheet_changed": _models_set,
    "game_chosen": _game_chosen,
}


# --- The log -----------------------------------------------------------------------


def log_entry(event: Event) -> LogEntry:
    """Return the line of the log that tells of an event."""
    return LogEntry(
        seq=event.seq,
        at_s=event.at_s,
        by=event.by,
        kind=event.kind,
        params=event.data.get("log", EMPTY),
        amended=bool(event.data.get("amends", False)),
    )


def _logged(log: tuple[LogEntry, ...], event: Event) -> tuple[LogEntry, ...]:
    return (*log, log_entry(event))[-LOG_LENGTH:]


def _marked(
    log: tuple[LogEntry, ...], seqs: Iterable[int], *, undone: bool
) -> tuple[LogEntry, ...]:
    named = set(seqs)
    return tuple(
        replace(entry, undone=undone) if entry.seq in named else entry for entry in log
    )
