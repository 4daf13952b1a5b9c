"""The command `dicelight`: arguments in, calls one function, prints."""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Final, NoReturn

from device.errors import ConfigError, DicelightError

COMMANDS: Final = {
    "demo": "all of it on this computer, with a simulated tray",
    "run": "the appliance",
    "invite": "show how phones get to the page: QR code, address, code",
    "read": "read the dice in photographs",
    "teach": "add example faces to a dice set",
    "resolve": "ask the rules a question, JSON in and out",
    "ruler": "show which LEDs a cue lights",
    "calibrate": "learn where a strip's LEDs are from measured points",
    "mat": "make the printable frame for the tray",
    "camera": "is the picture good enough; sets focus, exposure and colour",
    "doctor": "what is connected, what is missing, what to do",
    "roster": "check an army list, or import one from another program",
    "journal": "check, export or replay the journal of a night",
    "bundle": "collect logs, versions and the doctor's report in a zip file",
    "bench": "measure this machine",
}
"""Commands with what they do; each is a module of `device.commands`."""

BAD_INPUT: Final = 2
"""Exit status of everything that was asked wrongly or cannot start."""


class Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line and exit with 2."""
        self.exit(BAD_INPUT, f"{self.prog}: {message} (see {self.prog} --help)\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: Arguments without the program's name; None takes the process's own.

    Returns:
        Exit status: 0 done, 1 the answer is "not well", 2 bad input or no start.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        try:
            options = _parser(arguments).parse_args(arguments)
            _set_up_logging(options.verbose)
            status: int = options.run(options)
        finally:
            sys.stdout.flush()  # here, also after --help, not when Python ends
        return status
    except ConfigError as error:
        for problem in error.problems:
            print(f"dicelight: {problem}", file=sys.stderr)
        return BAD_INPUT
    except DicelightError as error:
        print(f"dicelight: {error}", file=sys.stderr)
        return BAD_INPUT
    except PermissionError as error:
        # Mostly of the service's files, which are closed to everybody else.
        from device.commands.owner import with_sudo

        where = f"{error.filename}: " if error.filename else ""
        said = f"{where}{error.strerror or error}; type: {with_sudo()}"
        print(f"dicelight: {said}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): nobody is left to be told.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _parser(arguments: Sequence[str]) -> Parser:
    """Return the parser; only the command asked for is loaded, for a quick answer."""
    parser = Parser(
        prog="dicelight",
        description="Reads the real dice on a game table, resolves the check and "
        "lights the ranges.",
    )
    parser.add_argument("--version", action="version", version=our_version())
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="say more of what is going on"
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    asked = [name for name in arguments if name in COMMANDS][:1]
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary)
        if name in asked:
            module = importlib.import_module(f"device.commands.{name}")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser


def our_version() -> str:
    """Return the version that is installed."""
    try:
        return f"dicelight {version('dicelight')}"
    except PackageNotFoundError:
        return "dicelight (not installed)"


def _set_up_logging(verbose: bool) -> None:
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.INFO if verbose else logging.WARNING,
        format="%(levelname)s %(name)s: %(message)s",
        force=True,
    )


if __name__ == "__main__":
    sys.exit(main())
