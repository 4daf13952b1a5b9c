"""Bench of the light: encoding, thirty pictures a second, and a still picture."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

import numpy as np

from device.board import Board
from device.figures import Figure, figure_ms, times_ms
from device.fitting import render_of
from device.light import Light, LitStrip
from device.parts import Parts
from device.table.codec import freeze
from device.table.state import Content, Cue, TableState
from device.units import Seconds
from hardware.apa102 import Apa102Encoder
from hardware.clock import SystemClock
from hardware.strips import Strip, parse_strips
from hardware.ws2812 import Ws2812Encoder

LEDS: Final = 300
ENCODES: Final = 200
RATE_HZ: Final = 30
MOVING_S: Final[Seconds] = 4.0
STILL_S: Final[Seconds] = 4.0

STRIP: Final = {
    "name": "bench",
    "pixels": LEDS,
    "pitch_mm": 5,
    "first_pixel_mm": 2.5,
    "limit_ma": 3000,
}


class _Wire:
    """A strip whose bytes are made as for a real one, and go nowhere."""

    simulated = True

    def __init__(self, strip: Strip) -> None:
        self.name, self.pixels = strip.name, strip.pixels
        self.pictures = 0
        self._encoder = Apa102Encoder(strip.pixels)

    def show(self, colours: Any) -> None:
        self._encoder.encode(colours)
        self.pictures += 1

    def close(self) -> None:
        """Nothing to let go of."""


def measure_light() -> Iterator[Figure]:
    """Yield what the light costs; nothing else may run in this process meanwhile."""
    colours = np.full((LEDS, 3), 90, np.uint8)
    for name, encode in (
        ("APA102", Apa102Encoder(LEDS).encode),
        ("WS2812", Ws2812Encoder(LEDS).encode),
    ):
        times = times_ms(partial(encode, colours), ENCODES)
        yield figure_ms(f"encode {LEDS} LEDs, {name}", times, must=1.0)
    yield from _running()


def _running() -> Iterator[Figure]:
    strips = parse_strips([STRIP])
    wire = _Wire(strips[0])
    board = Board(TableState(), 0)
    clock = SystemClock()
    lit = LitStrip("bench", strips[0].pitch_mm, strips[0].first_pixel_mm, lambda: wire)
    light = Light(board, Parts(board, clock.wall_s), [lit], render_of(strips), clock)
    stop = threading.Event()
    thread = threading.Thread(target=light.run, args=(stop,), daemon=True)
    thread.start()
    try:
        time.sleep(0.5)
        count, spent, lasted = _spent(lambda: _move(board), wire)
        share = 100 * spent / lasted
        note = f"{count / lasted:.0f} pictures a second were shown"
        yield Figure(
            f"{LEDS} LEDs at {RATE_HZ} pictures/s, one core",
            round(share, 2),
            "%",
            count,
            must=3.0,
            note=note,
        )
        time.sleep(0.5)
        count, spent, lasted = _spent(lambda: time.sleep(STILL_S), wire)
        share = 100 * spent / lasted
        yield Figure("a still picture, one core", round(share, 2), "%", 1, must=0.2)
        yield Figure("a still picture, sent again", count, "times", 1, must=0)
    finally:
        stop.set()
        thread.join()


def _spent(work: Any, wire: _Wire) -> tuple[int, float, float]:
    """Return pictures shown, seconds of processor time, seconds passed.

    The time of the light's threads: what this one spends on publishing is left out.
    """
    shown, cpu, began = wire.pictures, _others_s(), time.perf_counter()
    work()
    lasted = time.perf_counter() - began
    return wire.pictures - shown, _others_s() - cpu, lasted


def _others_s() -> float:
    """Return seconds of processor time of all threads but this one."""
    return time.process_time() - time.thread_time()


def _move(board: Board) -> None:
    """Change the ruler thirty times a second."""
    end_s = time.perf_counter() + MOVING_S
    number = 0
    while time.perf_counter() < end_s:
        number += 1
        cue = Cue(freeze({"length_mm": 100 + 7 * (number % 100)}))
        state = TableState(content=Content(ruler=cue))
        board.publish_state(state, board.snapshot.seq + 1)
        time.sleep(1 / RATE_HZ)
