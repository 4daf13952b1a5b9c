"""Bench: the promised figures that this machine can show by itself. Only measured ones.

Each figure comes with how often it was measured; what cannot be measured here is
left out with the reason.
"""

from __future__ import annotations

import ctypes
import gc
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import numpy as np

from device.errors import DicelightError
from device.figures import Figure, figure_ms, times_ms
from device.kills import count_losses
from device.table.codec import to_json
from device.table.events import Draft
from device.table.state import Check, Roll, RolledDie, Want
from device.table.table import open_table
from device.units import Seconds

APPENDS: Final = 300
EVENTS: Final = 100_000
STARTS: Final = 5
WATCHES: Final = 120
WATCHED_HZ: Final = 30
ENCODES: Final = 200
THROWS: Final = 12
IDLES: Final = 5
IDLE_S: Final[Seconds] = 2.0
REST_S: Final[Seconds] = 12.0
"""A throw that has not become a roll by then is counted as missed."""


def measure(state: Path, kills: int = 0) -> Iterator[Figure]:
    """Yield the figures as they come, the slow ones last.

    Args:
        state: State folder; its disk is the one measured, its dice are used.
        kills: How often the running loop is to be killed.
    """
    with tempfile.TemporaryDirectory(dir=state, prefix="bench-") as name:
        folder = Path(name)
        yield from _encoding()
        yield measure_watching()
        yield _appending(folder / "append")
        yield _starting(folder / "start")
        yield from _seeing(state)
        yield from _serving(folder / "page", state)
        if kills:
            yield from _killing(folder / "kills", kills)


def _encoding() -> Iterator[Figure]:
    from device.bench_light import measure_light
    from device.data.load import bands
    from hardware.cues import parse_cue
    from hardware.rulers import light
    from hardware.strips import parse_strips

    yield from measure_light()
    strip = {
        "name": "r",
        "pixels": 300,
        "pitch_mm": 5,
        "first_pixel_mm": 2.5,
        "limit_ma": 3000,
    }
    strips, known = parse_strips([strip]), bands("foww")
    cue = parse_cue({"bands": ["yellow", "green", "black"]}, known)
    times = times_ms(lambda: light(cue, strips, known), ENCODES)
    yield figure_ms("cue to 300 pixels", times)


def measure_watching() -> Figure:
    """Measure what frames cost while a noisy tray lies still."""
    from vision.frame import Frame
    from vision.settle import Settle

    noise = np.random.default_rng(1)
    still = noise.integers(60, 120, (180, 320)).astype(np.float32)
    image = np.zeros((2, 2, 3), np.uint8)
    settle, frames = Settle(), []
    for number in range(WATCHES):
        grey = np.clip(still + noise.normal(0, 2, still.shape), 0, 255)
        seen = Frame(image, number / WATCHED_HZ, number, grey.astype(np.uint8))
        frames.append(seen)
    coming = iter(frames)
    each = figure_ms("", times_ms(lambda: settle.update(next(coming)), WATCHES))
    share = None if each.value is None else round(each.value * WATCHED_HZ / 10, 2)
    return Figure(
        f"watching motion, {WATCHED_HZ} frames/s",
        share,
        "% of a core",
        WATCHES,
        must=4.0,
        note=f"{each.value} ms a frame",
    )


def _appending(folder: Path) -> Figure:
    table = open_table(folder, game="foww", wall_s=time.time)
    try:
        times = times_ms(lambda: table.record([_usual_event(table.seq)]), APPENDS)
    finally:
        table.close()
    return figure_ms("journal: one event made durable", times)


def _starting(folder: Path) -> Figure:
    table = open_table(folder, game="foww", wall_s=time.time)
    while table.seq < EVENTS:
        table.record([_usual_event(table.seq + at) for at in range(1000)])
    table.close()
    size = table.path.stat().st_size
    times = []
    for _ in range(STARTS):
        began = time.perf_counter()
        again = open_table(folder, game="foww", wall_s=time.time)
        times.append(1000 * (time.perf_counter() - began))
        again.close()
    note = f"{size / 1e6:.0f} MB"
    return figure_ms(f"start with {EVENTS:,} events", times, must=1000.0, note=note)


def _usual_event(seq: int) -> Draft:
    """Return an event of the usual size: a check of five dice opened, with its roll."""
    dice = tuple(
        RolledDie(f"d{at}", "black", "dmg", box=(1.5, 2.5, 80.1, 80.2))
        for at in range(5)
    )
    check = Check(
        f"c{seq}",
        "skill_check",
        {"rating": 6, "dice": {"black": 5}},
        (Want("black", 5),),
        roll=Roll(f"r{seq}", dice),
    )
    return Draft("check_opened", {"check": to_json(check)})


def _seeing(state: Path) -> Iterator[Figure]:
    """Measure reading, and the whole way from rest to snapshot."""
    try:
        from device.bench_reading import measure_reading
        from device.data.load import load_dice_set
        from device.sight import demo_eyes
        from vision.reader import Reader

        eyes = demo_eyes(load_dice_set("demo"), state)
    except (DicelightError, ImportError) as error:
        yield Figure("reading five dice", None, "ms", 0, note=str(error))
        return
    yield from measure_reading(eyes.reader, Reader(), eyes.find_rig)
    del eyes  # the demonstration brings its own; a device holds one reader
    _give_back()
    yield from _running(state)


def _give_back() -> None:
    """Return what readings left to the system: it is not the demonstration's memory."""
    gc.collect()
    with suppress(OSError, AttributeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)


def _running(state: Path) -> Iterator[Figure]:
    """Run the demonstration: idle first, then throws, from rest to the snapshot."""
    from device.commands.demo import drawn_app

    with tempfile.TemporaryDirectory(dir=state, prefix="bench-rest-") as name:
        app, tray = drawn_app(Path(name), gallery_state=state)
        app.start()
        try:
            yield from _idling(app)
            times = [_one_throw(app, tray) for _ in range(THROWS)]
        finally:
            app.close()
    told = [spent for spent in times if spent is not None]
    missed = len(times) - len(told)
    note = f"{missed} of {THROWS} throws gave no roll" if missed else ""
    yield figure_ms("rest to snapshot, 50 frames/s", told, must=300.0, note=note)


def _idling(app: Any) -> Iterator[Figure]:
    """Measure this process while the tray rests and nobody looks."""
    _wait(app.companion, lambda seen: seen.live.phase in ("still", "empty"))
    time.sleep(1.0)
    shares = []
    for _ in range(IDLES):
        cpu, began = time.process_time(), time.perf_counter()
        time.sleep(IDLE_S)
        shares.append(100 * (time.process_time() - cpu) / (time.perf_counter() - began))
    share = round(statistics.median(shares), 2)
    yield Figure("idle, camera running", share, "% of a core", IDLES, must=8.0)
    resident = int(Path("/proc/self/statm").read_text().split()[1])
    megabytes = resident * os.sysconf("SC_PAGE_SIZE") / 1e6
    yield Figure("memory resident", round(megabytes, 1), "MB", 1, must=250.0)


def _one_throw(app: Any, tray: Any) -> float | None:
    """Return milliseconds from the dice lying still to the snapshot that shows them."""
    from device.table.view import Command

    companion = app.companion
    dice = {"black": 2, "green": 1, "yellow": 1}
    companion.do(
        Command("open_check", {"check": "skill_check", "rating": 6, "dice": dice})
    )
    _wait(companion, lambda seen: seen.live.phase in ("still", "empty"))
    time.sleep(0.3)
    companion.do(Command("throw"))
    rest_s = time.monotonic() + tray.rest_s
    seen = _wait(companion, lambda seen: seen.state.check.roll is not None)
    arrived_s = time.monotonic()
    companion.do(Command("close_check"))
    return 1000 * (arrived_s - rest_s) if seen else None


def _wait(companion: Any, met: Callable[[Any], bool]) -> bool:
    deadline = time.monotonic() + REST_S
    snapshot = companion.snapshot()
    while not met(snapshot):
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        snapshot = companion.wait_newer(snapshot.version, left)
    return True


def _serving(folder: Path, gallery_state: Path) -> Iterator[Figure]:
    """Measure the page under many phones."""
    from device.bench_page import page_figures

    folder.mkdir()
    yield from page_figures(folder, gallery_state)


def _killing(folder: Path, kills: int) -> Iterator[Figure]:
    tally = count_losses(folder, kills)
    note = f"{tally.told} events acknowledged, {tally.repairs} repairs at start"
    yield Figure("lost events", tally.lost, "events", tally.kills, must=0, note=note)
    yield Figure("differing states", tally.differing, "states", tally.kills, must=0)
