"""The light's threads: show the ruler's cue on the strips, and nothing in between.

One thread renders what is true; each strip has one of its own that opens and feeds it.
A strip that fails, or whose driver hangs, degrades alone: the others go on, the page
says which and why, and it is opened again by and by. Neither a reading nor a button
waits for any of these threads.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from device.board import Board
from device.dimming import Dimming
from device.errors import HardwareError
from device.parts import Parts, kind_of
from device.ports import Clock, FarStrip, PixelStrip
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

ALONE_MA: Final = 60
"""What one LED of the usual kinds draws in full white."""

HUNG_S: Final[Seconds] = 3.0
"""A strip's driver that has not come back for so long hangs; a WLED that is away is
given 2 s to answer."""

END_S: Final[Seconds] = 2.5
"""How long the end waits for a strip to go dark; then it is left behind."""


class Render(Protocol):
    """Turns a cue into light."""

    def __call__(
        self, game: str, cue: Mapping[str, JSON] | None, *, dim_near_tray: bool
    ) -> Sequence[tuple[Colours, int]]:
        """Return pixels and milliamperes, one pair a strip, in order.

        Args:
            game: Whose cue it is.
            cue: None for dark.
            dim_near_tray: Whether strips beside the tray are to be dim.
        """
        ...


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
        self._dimming = Dimming(clock)
        self._runs = [_Run(strip, parts, clock, self._tell) for strip in strips]
        self._shown: tuple[Mapping[str, JSON] | None, bool] = (None, False)
        self._pointed: tuple[str, int] | None = None
        self._begins = True
        self._threads: list[threading.Thread] = []
        self._also: Callable[[Snapshot], None] = lambda snapshot: None

    def also(self, show: Callable[[Snapshot], None]) -> None:
        """Have the panel's lamps follow the state as well."""
        self._also = show

    def point(self, name: str, led: int | None) -> None:
        """Light one LED of a strip alone, for measuring; None shows what is true."""
        self._pointed = None if led is None else (name, led)
        self._begins = True

    def remeasured(self, strips: Sequence[LitStrip]) -> None:
        """Take the strips' places anew: one has been measured."""
        for run, strip in zip(self._runs, strips, strict=True):
            run.remeasured(strip)
        self._begins = True

    def run(self, stop: threading.Event) -> None:
        """Follow the state until told to stop, then darken and close the strips."""
        self._threads = [
            threading.Thread(
                target=run.follow, args=(stop,), name=f"light {run.name}", daemon=True
            )
            for run in self._runs
        ]
        for thread in self._threads:
            thread.start()
        version = ""
        try:
            while not stop.is_set():
                self._follow()
                version = self._board.wait_newer(version, WAIT_S).version
                self._clock.sleep(FRAME_S)
        finally:
            stop.set()
            self.close()

    def step(self) -> None:
        """Show what is true now, in one thread; nothing where it is shown already."""
        self._follow()
        for run in self._runs:
            run.try_to_show()

    def close(self) -> None:
        """Darken and close all strips; may be called twice."""
        for run in self._runs:
            run.wake()
        for thread in self._threads:
            thread.join(END_S)
        for run in self._runs:
            run.close()

    def _follow(self) -> None:
        """Render what is true now, and look after the strips' threads."""
        snapshot = self._board.snapshot
        self._also(snapshot)
        dim = self._dimming.update(snapshot.live.phase)
        state = snapshot.state
        ruler = state.ruler
        wanted = (ruler.cue if ruler is not None else None, dim)
        begins, self._begins, pointed = self._begins, False, self._pointed
        if begins or wanted != self._shown:
            lights = self._render(state.game, wanted[0], dim_near_tray=dim)
            for run, (pixels, milliamps) in zip(self._runs, lights, strict=True):
                if pointed is not None and pointed[0] == run.name:
                    pixels, milliamps = _alone(pixels, pointed[1]), ALONE_MA
                run.wants(pixels, milliamps)
            self._shown = wanted
            self._tell()
        for run in self._runs:
            run.look_after()

    def _tell(self) -> None:
        """Have the page show what the strips do."""
        self._board.set_live(strips=tuple(run.view() for run in self._runs))


def _alone(pixels: Colours, led: int) -> Colours:
    """Return a dark strip with one LED lit in white."""
    dark = np.zeros_like(pixels)
    dark[led] = 255
    return dark


class _Run:
    """One strip with what it shall show and what it shows.

    Args:
        strip: Which.
        parts: Where its faults are said.
        clock: Time.
        changed: Called when it turns out to be simulated or real.
    """

    def __init__(
        self,
        strip: LitStrip,
        parts: Parts,
        clock: Clock,
        changed: Callable[[], None],
    ) -> None:
        self.name = strip.name
        self._simulated = False
        self._strip = strip
        self._parts = parts
        self._clock = clock
        self._changed = changed
        self._backoff = Backoff(clock)
        self._open: PixelStrip | None = None
        self._wanted: tuple[Colours, int] = (np.zeros((0, 3), np.uint8), 0)
        self._shown: Colours | None = None
        self._busy_since_s: Seconds | None = None
        self._is_hung = False
        self._asked_s: Seconds = 0.0
        self._wake = threading.Event()

    # --- Any thread ----------------------------------------------------------------

    def wants(self, pixels: Colours, milliamps: int) -> None:
        """Take the pixels to show; those that show nothing new cost nothing."""
        before, _ = self._wanted
        same = before.shape == pixels.shape and bool((before == pixels).all())
        self._wanted = (before if same else pixels, milliamps)
        self.wake()

    def remeasured(self, strip: LitStrip) -> None:
        """Take the strip's place anew; it stays open."""
        self._strip = strip

    def wake(self) -> None:
        """Have its thread look."""
        self._wake.set()

    def look_after(self) -> None:
        """Say so where its driver hangs; call once a second or more often."""
        since_s = self._busy_since_s
        if since_s is None or self._is_hung:
            return
        if self._clock.now_s() - since_s > HUNG_S:
            self._is_hung = True
            self._parts.fails(self._part, "its driver does not answer", kind="hung")

    def view(self) -> StripView:
        """Return what it shall show, for the page."""
        pixels, milliamps = self._wanted
        digits = np.ascontiguousarray(pixels).tobytes().hex()
        return StripView(
            name=self._strip.name,
            pixels=tuple(digits[at : at + 6] for at in range(0, len(digits), 6)),
            pitch_mm=self._strip.pitch_mm,
            first_pixel_mm=self._strip.first_pixel_mm,
            milliamps=milliamps,
            simulated=self._simulated,
        )

    def close(self) -> None:
        """Close the strip, which darkens it; one whose driver hangs is left alone."""
        if self._open is None or self._busy_since_s is not None:
            return
        try:
            self._open.close()
        except HardwareError as error:
            logger.info("closing strip %s: %s", self.name, error)
        self._open = None

    # --- Its own thread ------------------------------------------------------------

    def follow(self, stop: threading.Event) -> None:
        """Show what is wanted until told to stop, then close the strip."""
        try:
            while not stop.is_set():
                self.try_to_show()
                self._wake.wait(WAIT_S)
                self._wake.clear()
        finally:
            self.close()

    def try_to_show(self) -> None:
        """Show what is wanted, where that is not done and the strip is there."""
        pixels, _ = self._wanted
        if not len(pixels) or not self._backoff.is_due():
            return
        if self._shown is pixels and not self._is_to_be_asked():
            return
        self._busy_since_s = self._asked_s = self._clock.now_s()
        try:
            if self._open is None:
                self._open = self._strip.open()
            if self._shown is pixels and self._still_shows():
                self._busy_since_s = None
                self._is_hung = False
                return
            self._open.show(pixels)
        except HardwareError as error:
            self._busy_since_s = None
            self._failed(error)
            return
        self._busy_since_s = None
        self._is_hung = False
        self._backoff.worked()
        self._shown = pixels
        simulated = self._open.simulated
        self._parts.works(self._part, simulated=simulated, label=self.name)
        if simulated != self._simulated:
            self._simulated = simulated
            self._changed()

    def _is_to_be_asked(self) -> bool:
        """Return whether a strip that is far away was not asked for a while."""
        strip = self._open
        return isinstance(strip, FarStrip) and (
            self._clock.now_s() - self._asked_s >= strip.watch_s
        )

    def _still_shows(self) -> bool:
        return not isinstance(self._open, FarStrip) or self._open.still_shows()

    def _failed(self, error: HardwareError) -> None:
        logger.warning("strip %s: %s", self.name, error)
        self._is_hung = False
        self._parts.fails(self._part, str(error), kind=kind_of(error))
        self._backoff.failed()
        self._shown = None
        self.close()

    @property
    def _part(self) -> str:
        return f"strip:{self.name}"
