"""`dicelight resolve`: the rules as JSON."""

from __future__ import annotations

import argparse
import sys

from device.commands.output import error_json, parse_object, print_json
from device.errors import BadInput


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = (
        "Reads one question as a JSON object from standard input and prints the "
        "answer. With --batch: JSON Lines in and out, each "
        '{"id", "game", "kind", "given"}.'
    )
    parser.add_argument("game", nargs="?", metavar="GAME", help="e.g. foww")
    parser.add_argument("kind", nargs="?", metavar="KIND", help="e.g. skill_check")
    parser.add_argument(
        "--batch", action="store_true", help="many questions, one a line"
    )


def run(options: argparse.Namespace) -> int:
    """Answer; 2 for a question that is not well formed."""
    from device.rules.resolve import resolve, resolve_batch

    if options.batch:
        if options.game is not None:
            raise BadInput("--batch takes game and kind from each line")
        for line in resolve_batch(_lines()):
            sys.stdout.write(line + "\n")
        return 0
    if options.kind is None:
        raise BadInput("resolve needs GAME and KIND, or --batch")
    try:
        given = parse_object(_text())
        print_json(resolve(options.game, options.kind, given))
    except BadInput as error:
        print_json(error_json(error))
        return 2
    return 0


def _text() -> str:
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        raise BadInput("standard input is not UTF-8") from error


def _lines() -> list[str]:
    # Not splitlines(): a JSON text may hold other line separators than \n.
    return [line for line in _text().split("\n") if line.strip()]
