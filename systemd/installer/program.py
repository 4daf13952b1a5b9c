"""The two commands: arguments in, plan out, steps done one after another."""

from __future__ import annotations

import argparse
import fcntl
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from .actions import Plan, Refused
from .facts import Facts, gather
from .machine import CommandFailed, Machine
from .plan import RESTART, Options, plan_install, plan_roll_back
from .removal import plan_uninstall

BAD_INPUT: Final = 2
FAILED: Final = 1


def install(source: Path, arguments: Sequence[str]) -> int:
    """Install, update or roll back.

    Returns:
        Exit status: 0 done, 1 a step failed, 2 refused before the first step.
    """
    parser = argparse.ArgumentParser(
        prog="systemd/install",
        description="Installs Dicelight as a service on Debian or Raspberry Pi OS. "
        "Started again, it does only what is missing.",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--update", action="store_true", help="make this checkout the one that runs"
    )
    what.add_argument(
        "--roll-back", action="store_true", help="go back to the release before"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be done, do nothing"
    )
    parser.add_argument(
        "--no-start",
        action="store_true",
        help="leave the running system alone (image building, chroot)",
    )
    parser.add_argument(
        "--enable-spi",
        action="store_true",
        help="consent to SPI being switched on in the Pi's config.txt",
    )
    parser.add_argument(
        "--port",
        type=int,
        default=0,
        metavar="N",
        help="of the page, in the first configuration (default: 80, or 8080 where "
        "80 is taken)",
    )
    asked = parser.parse_args(arguments)
    options = Options(
        update=asked.update,
        dry_run=asked.dry_run,
        no_start=asked.no_start,
        enable_spi=asked.enable_spi,
        port=asked.port,
    )
    machine = Machine(source)

    def work() -> int:
        facts = gather(machine.root, source, machine)
        plan = (plan_roll_back if asked.roll_back else plan_install)(facts, options)
        try:
            return _carry_out(machine, plan, options)
        except CommandFailed as error:
            if error.words != RESTART.words or not asked.update:
                raise
            _say(str(error))
            return _take_back(machine, facts, options)

    return _guarded(work)


def uninstall(source: Path, arguments: Sequence[str]) -> int:
    """Remove everything but the data.

    Returns:
        Exit status as of `install`.
    """
    parser = argparse.ArgumentParser(
        prog="systemd/uninstall",
        description="Takes Dicelight off this machine. Games, photographs, taught "
        "dice and the configuration stay.",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be done, do nothing"
    )
    parser.add_argument(
        "--no-start", action="store_true", help="leave the running system alone"
    )
    parser.add_argument(
        "--purge", action="store_true", help="remove the data and configuration too"
    )
    asked = parser.parse_args(arguments)
    options = Options(dry_run=asked.dry_run, no_start=asked.no_start, purge=asked.purge)
    machine = Machine(source)

    def work() -> int:
        facts = gather(machine.root, source, machine)
        return _carry_out(machine, plan_uninstall(facts, options), options)

    return _guarded(work)


def _guarded(work: Callable[[], int]) -> int:
    """Run one command alone; every mistake becomes one plain line."""
    os.umask(0o022)
    # The folder of the releases may not be there yet; the root always is.
    lock = os.open("/", os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return work()
    except BlockingIOError:
        return _fail(["another install or uninstall is at work"], BAD_INPUT)
    except Refused as refused:
        return _fail(refused.problems, BAD_INPUT)
    except CommandFailed as error:
        return _fail([str(error)], FAILED)
    except OSError as error:
        return _fail([f"{error.filename or ''}: {error.strerror}"], FAILED)
    except KeyboardInterrupt:
        return _fail(["stopped; start it again to go on from here"], 130)
    finally:
        os.close(lock)


def _fail(problems: Sequence[str], status: int) -> int:
    for problem in problems:
        sys.stderr.write(f"dicelight: {problem}\n")
    return status


def _take_back(machine: Machine, before: Facts, options: Options) -> int:
    """Go back to the release that ran before an update that does not start."""
    facts = gather(machine.root, machine.source, machine)
    if not before.current or facts.current == before.current:
        return FAILED
    _say(f"the new release does not start; going back to release {before.current}")
    _carry_out(machine, plan_roll_back(facts, options, before.current), options)
    return FAILED


def _carry_out(machine: Machine, plan: Plan, options: Options) -> int:
    if not plan.actions:
        _say("all is as it should be; nothing to do")
    elif options.dry_run:
        _say("would do, in this order:")
    for action in plan.actions:
        _say(f"  {action}" if options.dry_run else str(action))
        if not options.dry_run:
            warning = machine.perform(action)
            if warning:
                _say(f"  warning: {warning}")
    for note in plan.notes:
        _say(note)
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
