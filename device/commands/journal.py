"""`dicelight journal`: check, export and replay the journal of a night."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from device.errors import ConfigError
from device.table.codec import to_json
from device.table.events import Event
from device.table.journal import Journal
from device.table.state import state_hash
from device.table.table import read_night


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    actions = parser.add_subparsers(metavar="ACTION", required=True, dest="action")
    check = actions.add_parser("check", help="verify every event; exit 2 if damaged")
    export = actions.add_parser("export", help="print every event as JSON or CSV")
    replay = actions.add_parser("replay", help="fold all events to the state's hash")
    for action in (check, export, replay):
        action.add_argument("file", type=Path, metavar="FILE", help="a .journal file")
    export.add_argument(
        "--format",
        choices=("json", "csv"),
        default="json",
        help="json: one event a line; csv: one row an event",
    )
    export.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="instead of standard output"
    )
    replay.add_argument("--json", action="store_true", help="print the whole state")


def run(options: argparse.Namespace) -> int:
    """Do what was asked."""
    if options.action == "export":
        return _export(options)
    fold = read_night(options.file)
    if options.action == "check":
        sys.stdout.write(
            f"{options.file}: sound, {fold.seq} events of night {fold.night}\n"
        )
        return 0
    shown = state_hash(fold.state)
    if options.json:
        state = {"hash": shown, "seq": fold.seq, "state": to_json(fold.state)}
        sys.stdout.write(json.dumps(state, ensure_ascii=False) + "\n")
    else:
        sys.stdout.write(f"{shown}\n")
    return 0


def _export(options: argparse.Namespace) -> int:
    write = _write_csv if options.format == "csv" else _write_json
    if options.output is None:
        write(sys.stdout, _events(options.file))
        return 0
    events = list(_events(options.file))
    try:
        with options.output.open("w", encoding="utf-8", newline="") as file:
            write(file, iter(events))
    except OSError as error:
        raise ConfigError(f"{options.output}: {error.strerror}") from error
    return 0


def _events(path: Path) -> Iterator[Event]:
    journal = Journal(path, read_only=True)
    try:
        yield from journal.read()
    finally:
        journal.close()


def _write_json(file: TextIO, events: Iterator[Event]) -> None:
    for event in events:
        file.write(event.text() + "\n")


def _write_csv(file: TextIO, events: Iterator[Event]) -> None:
    rows = csv.writer(file)
    rows.writerow(["seq", "at_s", "night", "kind", "by", "command", "data"])
    for event in events:
        data = json.dumps(to_json(event.data), ensure_ascii=False, sort_keys=True)
        rows.writerow(
            [
                event.seq,
                event.at_s,
                event.night,
                event.kind,
                _cell(event.by),
                event.command,
                data,
            ]
        )


def _cell(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
