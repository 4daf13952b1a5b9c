"""`dicelight journal`: check, export and replay the journal of a night."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from device.errors import ConfigError
from device.table.codec import to_json
from device.table.events import Event
from device.table.export import csv_rows, json_lines
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
    written = csv_rows if options.format == "csv" else json_lines
    if options.output is None:
        sys.stdout.writelines(written(_events(options.file)))
        return 0
    lines = list(written(_events(options.file)))
    try:
        with options.output.open("w", encoding="utf-8", newline="") as file:
            file.writelines(lines)
    except OSError as error:
        raise ConfigError(f"{options.output}: {error.strerror}") from error
    return 0


def _events(path: Path) -> Iterator[Event]:
    journal = Journal(path, read_only=True)
    try:
        yield from journal.read()
    finally:
        journal.close()
