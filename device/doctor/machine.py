"""The doctor looks at the machine: board, power, heat, storage, clock, the service."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from device.ailing import WORST_FIRST
from device.doctor.finding import Finding
from device.safemode import FAILED_STARTS, MARK
from device.units import Seconds
from hardware.board import read_model, read_power

PROBE_BYTES: Final = 1 << 20
SLOW_S: Final[Seconds] = 1.0
"""A healthy card keeps a megabyte in a tenth of that."""

SYNCHRONISED: Final = "run/systemd/timesync/synchronized"
FIRST_YEAR: Final = 2025
"""A clock before this year has never been set."""


def look(state: Path, root: Path) -> Iterator[Finding]:
    """Look at all of it.

    Args:
        state: State folder.
        root: Where the system's files lie.
    """
    model = read_model(root)
    yield Finding("board", "ok", model or "not a Raspberry Pi")
    yield from _power(root)
    if state.is_dir():
        yield _storage(state)
        yield from _starts(state)
    yield _clock(root)


def _power(root: Path) -> Iterator[Finding]:
    power = read_power(root)
    if power is None:
        return
    now = [name for name in WORST_FIRST if name in power.now]
    before = [name for name in WORST_FIRST if name in power.before - power.now]
    if now:
        yield Finding("power", "note", ", ".join(now), WORST_FIRST[now[0]])
    elif before:
        found = f"well now; since the start: {', '.join(before)}"
        yield Finding("power", "note", found, WORST_FIRST[before[0]])
    else:
        yield Finding("power", "ok", "no under-voltage, no throttling")


def _storage(state: Path) -> Finding:
    """Write, read back and time a megabyte: worn cards forget or take for ever."""
    probe = state / ".probe"
    data = os.urandom(PROBE_BYTES)
    began_s = time.monotonic()
    try:
        with probe.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        took_s = time.monotonic() - began_s
        same = probe.read_bytes() == data
    except OSError as error:
        return Finding(
            "storage",
            "missing",
            f"{state} takes no megabyte: {error.strerror}",
            "is the disk full, or the card read-only because it is worn out?",
        )
    finally:
        probe.unlink(missing_ok=True)
    if not same:
        return Finding(
            "storage",
            "missing",
            "what was written was not what was read",
            "the card is dying: copy /var/lib/dicelight off it and replace it",
        )
    slow = took_s > SLOW_S
    return Finding(
        "storage",
        "note" if slow else "ok",
        f"one megabyte kept in {took_s * 1000:.0f} ms",
        "a slow or worn card: rolls may take long to be taken" if slow else "",
    )


def _starts(state: Path) -> Iterator[Finding]:
    try:
        mark = json.loads((state / MARK).read_text(encoding="utf-8"))
        failed, reason = int(mark["failed"]), str(mark["reason"])
    except FileNotFoundError:
        return
    except (OSError, ValueError, KeyError, TypeError):
        yield Finding("starts", "note", f"{state / MARK} cannot be read", "remove it")
        return
    if failed >= FAILED_STARTS:
        yield Finding(
            "starts",
            "note",
            f"{failed} starts in a row failed: {reason or 'without a word'}",
            "the next start is in safe mode, the page alone; mend what it names",
        )


def _clock(root: Path) -> Finding:
    shown = time.strftime("%Y-%m-%d %H:%M %Z")
    if time.localtime().tm_year < FIRST_YEAR:
        return Finding(
            "clock",
            "note",
            f"{shown}: never set",
            "connect a network once, or a clock module; only times in the log suffer",
        )
    known = (root / SYNCHRONISED).exists()
    return Finding(
        "clock", "ok", shown + (", set from the network" if known else ", set by hand")
    )
