"""The light's thread: shows the ruler's cue on the strips, and nothing in between.

A strip that fails degrades alone: the others go on, the page says which and why, and
it is opened again by and by.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from device.board import Board
from device.errors import HardwareError
from device.parts import Parts
from device.ports import Clock, PixelStrip
from device.retry import Backoff
from device.table.codec import JSON
from device.table.view import Snapshot, StripView
from device.units import Seconds

logger = logging.getLogger(__name__)

FRAME_S: Final[Seconds] = 1 / 30
"""Shortest time between two pictures on a strip."""

WAIT_S: Final[Seconds] = 0.5
"""How long to sleep at most while nothing changes; also how soon a failed strip is
tried again."""

Colours: TypeAlias = NDArray[np.uint8]

Render: TypeAlias = Callable[
    [str, Mapping[str, JSON] | None], Sequence[tuple[Colours, int]]
]
"""A game's cue, or None for dark, to pixels and milliamperes, one pair a strip, in
order."""


@dataclass(frozen=True, slots=True)
class LitStrip:
    """A strip of the ruler, as far as the light's thread needs it.

    Attributes:
        name: As in the config.
        pitch_mm: From LED to LED.
        first_pixel_mm: From the ruler's zero to LED 0.
        open: Opens the strip; raises HardwareError.
    """

    name: str
    pitch_mm: float
    first_pixel_mm: float
    open: Callable[[], PixelStrip]


class Light:
    """Keeps the strips in step with the state.

    Args:
        board: What is true; here the strips' pixels are published as well.
        parts: Where a failing strip is said.
        strips: In the order of `render`.
        render: Turns a cue into pixels.
        clock: Time.
    """

    def __init__(
        self,
        board: Board,
        parts: Parts,
        strips: Sequence[LitStrip],
        render: Render,
        clock: Clock,
    ) -> None:
        self._board = board
        self._render = render
        self._clock = clock
        self._runs = [_Run(strip, parts, clock) for strip in strips]
        self._shown: Mapping[str, JSON] | None = None
        self._begins = True
        self._also: Callable[[Snapshot], None] = lambda snapshot: None

    def also(self, show: Callable[[Snapshot], None]) -> None:
        """Have the panel's lamps follow the state as well."""
        self._also = show

    def run(self, stop: threading.Event) -> None:
        """Follow the state until told to stop, then darken and close the strips."""
        version = ""
        try:
            while not stop.is_set():
                self.step()
                version = self._board.wait_newer(version, WAIT_S).version
                self._clock.sleep(FRAME_S)
        finally:
            self.close()

    def step(self) -> None:
        """Show what is true now; does nothing where it is shown already."""
        self._also(self._board.snapshot)
        state = self._board.snapshot.state
        ruler = state.ruler
        cue = ruler.cue if ruler is not None else None
        if self._begins or cue != self._shown:
            lights = self._render(state.game, cue)
            for run, (pixels, milliamps) in zip(self._runs, lights, strict=True):
                run.wants(pixels, milliamps)
            self._shown, self._begins = cue, False
            self._board.set_live(strips=tuple(run.view() for run in self._runs))
        changed = [run.simulated for run in self._runs]
        for run in self._runs:
            run.try_to_show()
        if changed != [run.simulated for run in self._runs]:
            self._board.set_live(strips=tuple(run.view() for run in self._runs))

    def close(self) -> None:
        """Darken and close all strips; may be called twice."""
        for run in self._runs:
            run.close()


class _Run:
    """One strip with what it shall show and what it shows."""

    def __init__(self, strip: LitStrip, parts: Parts, clock: Clock) -> None:
        self.simulated = False
        self._strip = strip
        self._parts = parts
        self._backoff = Backoff(clock)
        self._open: PixelStrip | None = None
        self._wanted: Colours = np.zeros((0, 3), np.uint8)
        self._milliamps = 0
        self._done = False

    def wants(self, pixels: Colours, milliamps: int) -> None:
        """Take the pixels to show."""
        self._wanted, self._milliamps, self._done = pixels, milliamps, False

    def try_to_show(self) -> None:
        """Show them, where that is not done and the strip is there."""
        if self._done or not self._backoff.is_due():
            return
        try:
            if self._open is None:
                self._open = self._strip.open()
                self.simulated = self._open.simulated
            self._open.show(self._wanted)
        except HardwareError as error:
            logger.warning("strip %s: %s", self._strip.name, error)
            self._parts.fails(f"strip:{self._strip.name}", str(error))
            self._backoff.failed()
            self.close()
            return
        self._backoff.worked()
        self._done = True
        self._parts.works(
            f"strip:{self._strip.name}",
            simulated=self.simulated,
            label=self._strip.name,
        )

    def view(self) -> StripView:
        """Return what it shall show, for the page."""
        digits = np.ascontiguousarray(self._wanted).tobytes().hex()
        return StripView(
            name=self._strip.name,
            pixels=tuple(digits[at : at + 6] for at in range(0, len(digits), 6)),
            pitch_mm=self._strip.pitch_mm,
            first_pixel_mm=self._strip.first_pixel_mm,
            milliamps=self._milliamps,
            simulated=self.simulated,
        )

    def close(self) -> None:
        """Close the strip, which darkens it."""
        if self._open is not None:
            try:
                self._open.close()
            except HardwareError as error:
                logger.info("closing strip %s: %s", self._strip.name, error)
            self._open = None
