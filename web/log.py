"""``/log``: everything that happened, in words, with what was put right later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any, Final

from flask import Blueprint, Response, render_template, request

from device.photos import small
from device.table.chronicle import chronicle
from device.table.codec import from_json
from device.table.events import Event
from device.table.export import csv_rows, json_array
from device.table.state import LogEntry, Roll
from web.hub import current_snapshot, hub
from web.language import marked as N_
from web.language import percent
from web.photo import photo_of, shown_part
from web.pictures import jpeg_size
from web.reasons import Refused
from web.report import night_words
from web.told import DEEDS, by_words, clock, deed_of, told

bp = Blueprint("log", __name__)

SHOWN = 100
"""Lines on the page, newest first."""

THROWS: Final = (
    "roll_read",
    "roll_confirmed",
    "roll_doubted",
    "throw_seen",
    "die_entered",
    "die_corrected",
)
"""Lines about dice."""

EXPORTS: Final = {
    "json": (json_array, "application/json"),
    "csv": (csv_rows, "text/csv; charset=utf-8"),
}

KEPT: Final = {"Cache-Control": "private, max-age=86400, immutable"}
"""A picture of a reading never changes."""


@bp.get("/log")
def show() -> str:
    """Show the newest lines.

    Query: ``before`` a line, for older ones; ``only=throws`` for the dice alone.
    """
    before = request.args.get("before", 0, type=int)
    only = request.args.get("only", "")
    log = current_snapshot().state.log
    entries = older(before) if before > 0 else log[: -SHOWN - 1 : -1]
    first = current_snapshot().state.undo_from
    steps = [entry.seq for entry in log if is_step(entry) and entry.seq >= first > 0]
    return render_template(
        "log.html",
        entries=[one for one in entries if only != "throws" or one.kind in THROWS],
        only=only,
        before=before,
        oldest=entries[-1].seq if entries else 0,
        undoable=frozenset(steps),
        nights=hub().companion.nights.names()[::-1],
        told=told,
        by_words=by_words,
        clock=clock,
        has_picture=has_picture,
        night_words=night_words,
    )


def older(before: int) -> tuple[LogEntry, ...]:
    """Return the lines before one, newest first, from the journal."""
    after = max(0, before - 1 - SHOWN)
    night = current_snapshot().state.night
    with closing(hub().companion.nights.read(night, after)) as events:
        lines = chronicle(events)
    return tuple(line for line in lines if line.seq < before)[::-1]


def is_step(entry: LogEntry) -> bool:
    """Say whether an entry is a step that still counts and undo could take back."""
    return deed_of(entry) in DEEDS and not entry.undone


def has_picture(entry: LogEntry) -> bool:
    """Say whether a photograph was taken of what a line tells."""
    return entry.kind in ("roll_read", "throw_seen") and bool(entry.params.get("photo"))


@bp.get("/log/<int:seq>")
def throw(seq: int) -> str:
    """Show one reading: its photograph, every die, and what was put right later."""
    night = current_snapshot().state.night
    event, roll = reading(night, seq)
    (entry,) = chronicle([event])
    return render_template(
        "log_throw.html",
        entry=entry,
        roll=roll,
        photo=photo_of(hub(), night, roll, seq),
        later=[one for one in since(seq) if one.params.get("roll") == roll.id],
        can_fix=roll.id in correctable(),
        told=told,
        by_words=by_words,
        clock=clock,
        percent=percent,
    )


@bp.get("/log/<int:seq>.jpg")
def picture(seq: int) -> Response:
    """Return the part of a photograph that holds the dice, small; 404 for none."""
    night = request.args.get("night") or current_snapshot().state.night
    _, roll = reading(night, seq)
    whole = hub().companion.roll_jpeg(roll.id, seq, night)
    size = jpeg_size(whole) if whole else None
    if whole is None or size is None:
        raise Refused(404, N_("No photograph was kept of this roll."))
    boxes = [die.box for die in roll.dice if die.box is not None]
    cut = small(whole, shown_part(boxes, size))
    if cut is None:
        raise Refused(404, N_("No photograph was kept of this roll."))
    return Response(cut, mimetype="image/jpeg", headers=KEPT)


@bp.get("/log/export.<kind>")
def export(kind: str) -> Response:
    """Return a night's journal as a file: every event, nothing left out.

    Query: ``night``, this one where it is left out.
    """
    if kind not in EXPORTS:
        raise Refused(404, N_("There is nothing here (yet)."))
    written, mimetype = EXPORTS[kind]
    night = request.args.get("night") or current_snapshot().state.night
    events = hub().companion.nights.read(night)
    name = f'attachment; filename="dicelight-{night}.{kind}"'
    return Response(
        _encoded(written(events)),
        mimetype=mimetype,
        headers={"Content-Disposition": name},
    )


def _encoded(lines: Iterable[str]) -> Iterator[bytes]:
    for line in lines:
        yield line.encode()


def reading(night: str, seq: int) -> tuple[Event, Roll]:
    """Return the event of a reading and its roll.

    Raises:
        Refused: There is none of that number (404).
        BadInput: There is no such night.
    """
    event = hub().companion.nights.event(night, seq)
    data: Any = event.data.get("roll") if event is not None else None
    if event is None or data is None:
        raise Refused(404, N_("There is no throw of that number in the log."))
    return event, from_json(Roll, data)


def since(seq: int) -> tuple[LogEntry, ...]:
    """Return the lines after one that a phone is sent, oldest first."""
    return tuple(one for one in current_snapshot().state.log if one.seq > seq)


def correctable() -> frozenset[str]:
    """Return the rolls whose dice can still be put right."""
    state = current_snapshot().state
    checks = (state.check, state.last.check if state.last else None)
    rolls = [check.roll for check in checks if check is not None]
    return frozenset(roll.id for roll in (*rolls, state.seen) if roll is not None)
