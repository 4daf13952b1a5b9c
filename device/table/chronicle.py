"""The whole log of a night, which is longer than what every phone is sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from device.table.events import Event
from device.table.fold import log_entry
from device.table.state import LogEntry


def chronicle(events: Iterable[Event]) -> tuple[LogEntry, ...]:
    """Return a line for every event, those taken back marked as such.

    Args:
        events: In order, up to the last of the night; they may begin anywhere.
    """
    lines: dict[int, LogEntry] = {}
    for event in events:
        lines[event.seq] = log_entry(event)
        if event.kind in ("undone", "redone"):
            undone = event.kind == "undone"
            for seq in event.data["seqs"]:
                if seq in lines:
                    lines[seq] = replace(lines[seq], undone=undone)
    return tuple(lines.values())
