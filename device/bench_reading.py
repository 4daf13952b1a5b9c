"""What reading costs: time by the number of dice, taught or not, and memory.

The frames are drawn: the printed frame, the tray and the dice in it, with a sensor's
noise, as large as the camera's main stream. One thread reads them.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from device.data.load import load_dice_set
from device.demo import PX_PER_MM, drawn_dice
from device.figures import Figure, figure_ms, times_ms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.frame import Image
    from vision.gallery import Gallery
    from vision.synth.tray import DrawnTray

MAIN_WH_PX: Final = (2304, 1296)
"""Of the camera's main stream."""

READINGS: Final = 15
REPEATS: Final = 3
FIVE_TAUGHT: Final = ("skill", "black", "black", "green", "yellow")
UNTAUGHT: Final = (
    ("white d20", "d20", "white", 20),
    ("blue d20", "d20", "blue", 20),
    ("red d12", "d12", "red", 12),
    ("black d8", "d8", "black", 8),
    ("yellow d6", "d6", "yellow", 6),
)
MANY: Final = (2, 4)
"""Times five dice for the reading of many."""

PEAK_S: Final = 60.0


def measure_reading(
    reader: Any, untaught: Any, find_rig: Any, readings: int = READINGS
) -> Iterator[Figure]:
    """Yield what reading costs.

    Args:
        reader: Knows the demonstration's dice.
        untaught: Knows none.
        find_rig: Finds the printed frame.
        readings: Throws for each figure.
    """
    from vision.synth.numbering import as_usual
    from vision.synth.tray import DrawnDie, DrawnTray

    def tray(dice: Sequence[DrawnDie]) -> DrawnTray:
        return DrawnTray(dice, MAIN_WH_PX, PX_PER_MM, random.Random(1))

    taught = tray(drawn_dice(load_dice_set("demo")))
    times, note = _readings(taught, FIVE_TAUGHT, reader, find_rig, readings)
    yield figure_ms("reading five taught dice", times, must=25.0, note=note)
    plain = tray(
        [
            DrawnDie(name, shape, colour, as_usual(shape, _numbers(count)))
            for name, shape, colour, count in UNTAUGHT
        ]
    )
    names = tuple(name for name, *_ in UNTAUGHT)
    times, note = _readings(plain, names, untaught, find_rig, readings)
    yield figure_ms("reading five untaught dice", times, must=25.0, note=note)
    one, note = _readings(plain, names[:1], untaught, find_rig, readings)
    yield figure_ms("reading one untaught die", one, note=note)
    first = statistics.median(one)
    for times_five in MANY:
        many, note = _readings(plain, names * times_five, untaught, find_rig, readings)
        count = times_five * len(names)
        further = (statistics.median(many) - first) / (count - 1)
        yield figure_ms(
            f"reading {count} untaught dice",
            many,
            must=round(count * first, 1),
            note=f"linear growth from one die, {further:.1f} ms for each more; {note}",
        )
    frames = [_photograph(*one, 1) for one in ((plain, names), (taught, FIVE_TAUGHT))]
    yield _peak(frames, reader.gallery)


def _numbers(count: int) -> list[str]:
    return [str(number) for number in range(1, 1 + count)]


def _readings(
    tray: DrawnTray, names: Sequence[str], reader: Any, find_rig: Any, readings: int
) -> tuple[list[float], str]:
    """Return milliseconds of each reading, and the processor's time as a note.

    The empty tray is known, as it is at the table.
    """
    from vision.arrivals import renewed

    bare = _photograph(tray, (), readings)
    times: list[float] = []
    began_s = time.process_time()
    spent_s = 0.0
    for seed in range(readings):
        image = _photograph(tray, names, seed)
        rig = find_rig(image)
        empty = renewed(None, bare, rig)
        reader.read(image, rig=rig, empty=empty)
        began_s = time.process_time()
        times += times_ms(partial(reader.read, image, rig=rig, empty=empty), REPEATS)
        spent_s += time.process_time() - began_s
    return times, f"processor {1000 * spent_s / len(times):.1f} ms"


def _photograph(tray: DrawnTray, names: Sequence[str], seed: int) -> Image:
    """Throw the dice into the empty tray; return what a camera sees."""
    tray.clear()
    tray.throw(names, seed)
    noise = np.random.default_rng(seed).normal(0, 2.0, (*MAIN_WH_PX[::-1], 1))
    noisy = tray.image(tray.rest_s) + noise
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def _peak(frames: Sequence[Image], gallery: Gallery) -> Figure:
    """Measure the memory of a process that reads these frames with that gallery."""
    name = "memory of the reader at its peak"
    with tempfile.TemporaryDirectory() as folder:
        taught = Path(folder) / "taught.npz"
        gallery.save(taught)
        paths = [Path(folder) / f"{number}.npy" for number in range(len(frames))]
        for path, frame in zip(paths, frames, strict=True):
            np.save(path, frame)
        done = subprocess.run(
            [sys.executable, "-m", "vision.peak", str(taught), *map(str, paths)],
            capture_output=True,
            text=True,
            timeout=PEAK_S,
            check=False,
        )
    if done.returncode:
        return Figure(name, None, "MB", 0, note=done.stderr.strip()[-200:])
    told = json.loads(done.stdout)
    note = f"above {told['imports_mb']:.0f} MB of Python with cv2 and numpy"
    return Figure(name, round(told["reader_mb"], 1), "MB", 1, must=120.0, note=note)
