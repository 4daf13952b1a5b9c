"""``/log``: everything that happened, in words, with what was put right later."""

from __future__ import annotations

import time

from flask import Blueprint, render_template

from device.table.fold import UNDO_DEPTH
from device.table.state import LogEntry
from web.hub import current_snapshot
from web.told import DEEDS, by_words, told

bp = Blueprint("log", __name__)

SHOWN = 100
"""Lines on the page, newest first."""


def clock(at_s: float) -> str:
    """Return a time of day by the device's clock, ``21:07``."""
    return time.strftime("%H:%M", time.localtime(at_s))


@bp.get("/log")
def show() -> str:
    """Show the newest lines."""
    entries = current_snapshot().state.log[: -SHOWN - 1 : -1]
    steps = [entry.seq for entry in entries if is_step(entry)]
    return render_template(
        "log.html",
        entries=entries,
        undoable=frozenset(steps[:UNDO_DEPTH]),
        told=told,
        by_words=by_words,
        clock=clock,
    )


def is_step(entry: LogEntry) -> bool:
    """Say whether an entry is a step that still counts and undo could take back."""
    return entry.kind in DEEDS and not entry.undone
