"""Bench of the page: a hundred phones at once, told of changes and fetching them."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from device.figures import Figure, figure_ms
from device.table.view import Command
from device.units import Seconds

PHONES: Final = 100
CHANGES: Final = 40
BETWEEN_S: Final[Seconds] = 0.5
SETTLE_S: Final[Seconds] = 1.0
"""After the last phone has joined, until the first change."""


def page_figures(state: Path, gallery_state: Path) -> Iterator[Figure]:
    """Run the demonstration with a hundred phones.

    Args:
        state: Empty state folder.
        gallery_state: Where the learnt dice lie.
    """
    from device.commands.demo import demo_config, drawn_app

    plain = demo_config("127.0.0.1", 0)
    server = replace(plain.server, streams=PHONES)
    app, _ = drawn_app(
        state, config=replace(plain, server=server), gallery_state=gallery_state
    )
    with closing(app):
        app.start()
        yield from with_phones(app.companion, state, PHONES, CHANGES)


def with_phones(
    companion: Any, state: Path, phones: int, changes: int
) -> Iterator[Figure]:
    """Measure how a page fares with many phones.

    Args:
        companion: What is shown and changed.
        state: Folder for the page's key.
        phones: How many listen.
        changes: How often the table changes.
    """
    from web import WebSettings, create_app, keep_secret
    from web.serve import serve

    settings = WebSettings(
        secret=keep_secret(state), streams=phones, joins_per_minute=10 * phones
    )
    page = serve(
        create_app(companion, settings=settings), "127.0.0.1", 0, settings.streams
    )
    with closing(page):
        before = _resident_bytes()
        child = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "device.phones",
                str(page.port),
                page.invitation().code,
                str(phones),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert child.stdin is not None and child.stdout is not None
        with child:
            child.stdout.readline()
            time.sleep(SETTLE_S)
            grown = _resident_bytes() - before
            began = [_change(companion, number) for number in range(changes)]
            child.stdin.close()
            times = json.loads(child.stdout.read())
    yield Figure(
        "memory for each stream",
        round(max(0, grown) / phones / 1024, 1),
        "KB",
        phones,
        note=f"{phones} streams",
    )
    yield from _judged(times, began, phones)


def _change(companion: Any, number: int) -> tuple[int, float]:
    """Change the table once; return the event's number and when it began."""
    began = time.monotonic()
    band = ("red", "yellow", "green")[number % 3]
    outcome = companion.do(Command("light_ruler", {"cue": {"band": band}}))
    time.sleep(BETWEEN_S)
    return outcome.events[-1], began


def _judged(
    times: dict[str, Any], began: list[tuple[int, float]], phones: int
) -> Iterator[Figure]:
    """Yield what the phones saw."""
    told, shown = [], []
    for seq, at_s in began:
        told += [1000 * (one - at_s) for one in times["told"].get(str(seq), ())]
        shown += [1000 * (one - at_s) for one in times["shown"].get(str(seq), ())]
    lost = len(began) * phones - len(told)
    note = f"{phones} phones, {lost} never told"
    yield figure_ms("change told to every phone", told, must_p95=250.0, note=note)
    unseen = len(began) * phones - len(shown)
    note = f"{phones} phones, {unseen} never shown"
    yield figure_ms("change shown on every phone", shown, note=note)
    yield figure_ms("ordinary request meanwhile", times["asked_ms"], must_p95=100.0)


def _resident_bytes() -> int:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
