"""A night's journal for other programs: JSON, one event a line, or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Final

from device.table.codec import to_json
from device.table.events import Event

COLUMNS: Final = ("seq", "at_s", "night", "kind", "by", "command", "data")
"""Of the CSV; `data` is the event's JSON."""


def json_lines(events: Iterable[Event]) -> Iterator[str]:
    """Yield each event as a line of JSON."""
    for event in events:
        yield event.text() + "\n"


def json_array(events: Iterable[Event]) -> Iterator[str]:
    """Yield the events as one JSON array, one event a line."""
    between = "[\n"
    for event in events:
        yield between + event.text()
        between = ",\n"
    yield "[]\n" if between == "[\n" else "\n]\n"


def csv_rows(events: Iterable[Event]) -> Iterator[str]:
    """Yield the events as CSV, the names of the columns first."""
    yield _row(COLUMNS)
    for event in events:
        data = json.dumps(to_json(event.data), ensure_ascii=False, sort_keys=True)
        yield _row(
            (
                event.seq,
                event.at_s,
                event.night,
                event.kind,
                _cell(event.by),
                event.command,
                data,
            )
        )


def _row(cells: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


def _cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
