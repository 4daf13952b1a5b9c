"""`dicelight roster`: check an army list, or import one from another program."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from device.errors import BadInput

if TYPE_CHECKING:
    from device.rosters.roster import Roster


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    actions = parser.add_subparsers(metavar="ACTION", required=True, dest="action")
    check = actions.add_parser("check", help="say everything that is wrong with a list")
    check.add_argument(
        "file", type=Path, metavar="FILE", help="a .toml, .ros or .rosz file"
    )
    bring = actions.add_parser(
        "import", help="turn a BattleScribe or New Recruit roster into TOML"
    )
    bring.add_argument("file", type=Path, metavar="FILE", help="a .ros or .rosz file")
    bring.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="TOML to write"
    )


def run(options: argparse.Namespace) -> int:
    """Check or import one file; every mistake is one line on stderr, exit 2."""
    from device.rosters.problems import RosterError

    try:
        roster = _read(options.file)
    except RosterError as error:
        for one in error.problems:
            print(f"dicelight: {options.file}: {one.english}", file=sys.stderr)
        return 2
    if options.action == "import":
        _write(options.output, roster)
    _tell(roster)
    return 0


def _read(path: Path) -> Roster:
    from device.config import state_folder
    from device.rosters.battlescribe import MOST_BYTES, import_roster, is_foreign
    from device.rosters.roster import parse_roster
    from device.rosters.store import known_cards

    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from error
    known = known_cards(state_folder(appliance=False))
    return (import_roster if is_foreign(data) else parse_roster)(data, known)


def _write(path: Path, roster: Roster) -> None:
    from device.durable import write_atomic
    from device.rosters.writing import roster_toml

    try:
        write_atomic(path, roster_toml(roster).encode())
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from error


def _tell(roster: Roster) -> None:
    print(roster.name or "unnamed army")
    for unit in roster.units:
        points = "" if unit.points is None else f", {unit.points} caps"
        print(f"  {unit.count} x {unit.card.name.any}{points}")
    for name in roster.missing:
        print(f"  values unknown: {name.any}")
