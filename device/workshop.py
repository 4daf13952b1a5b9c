"""Set-up on the page: camera, rulers, storage, doctor and bundle, on the running table.

The page asks; what touches the camera is done in the tray's thread, what touches a
strip in the light's. A measurement changes nothing until a person keeps it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from device.companion import Companion
from device.doctor.finding import Finding
from device.errors import BadInput, CalibrationError, HardwareError, TableError
from device.picture import encode_jpeg
from device.table.view import Command
from device.units import Millimetres, Seconds
from vision.frame import Image
from vision.view import View, measure_view

MOST_POINTS: Final = 20
FARTHEST_MM: Final = 20_000

VIEW_S: Final[Seconds] = 1.0
"""A picture is judged so often at most: it takes some hundredths of a second, and
several phones may look."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One picture of the tray, judged.

    Attributes:
        number: Counts up from 1.
        taken_s: When, monotonic seconds.
        image: The picture.
        view: What was found in it.
    """

    number: int
    taken_s: Seconds
    image: Image
    view: View


@dataclass(frozen=True, slots=True)
class Storage:
    """What the table keeps on disk.

    Attributes:
        folder: Where.
        free_bytes: Left on that disk.
        nights: Journals.
        night_bytes: Their size.
        photos: Photographs of rolls.
        photo_bytes: Their size.
    """

    folder: str
    free_bytes: int
    nights: int
    night_bytes: int
    photos: int
    photo_bytes: int


@dataclass(frozen=True, slots=True)
class Learned:
    """A strip as measured.

    Attributes:
        pitch_mm: From LED to LED.
        first_pixel_mm: From the ruler's zero to LED 0.
        reversed: The LEDs run towards zero.
        error_mm: Largest distance of a measured LED from where it should be.
    """

    pitch_mm: Millimetres
    first_pixel_mm: Millimetres
    reversed: bool
    error_mm: Millimetres


@dataclass(frozen=True, slots=True)
class Walk:
    """A strip that is being measured: one LED is lit, a person says where it is.

    Attributes:
        strip: Its name.
        pixels: How many LEDs it has.
        led: Lit now.
        points: LED and where it was measured, in the order given.
        learned: What follows from them, None with too few, or none that fit.
        odd: The points do not make sense together.
    """

    strip: str
    pixels: int
    led: int
    points: tuple[tuple[int, Millimetres], ...] = ()
    learned: Learned | None = None
    odd: bool = False


@dataclass(frozen=True, slots=True)
class Safe:
    """Safe mode: the page alone, until somebody starts it all again.

    Attributes:
        reason: What the failing start said, one line.
        since_s: Since when, seconds since the epoch by the device's clock.
        leave: Has the device start again, all of it.
    """

    reason: str
    since_s: float
    leave: Callable[[], None]


class Strips(Protocol):
    """The rulers as set-up uses them."""

    def sizes(self) -> dict[str, int]:
        """Return the number of LEDs by the strip's name."""
        ...

    def point(self, name: str, led: int | None) -> None:
        """Light one LED alone, or with None what the table says."""
        ...

    def fit(self, name: str, points: Sequence[tuple[int, Millimetres]]) -> Learned:
        """Return the strip as measured; raises CalibrationError."""
        ...

    def keep(self, name: str, points: Sequence[tuple[int, Millimetres]]) -> None:
        """Use and remember the strip as measured.

        Raises:
            CalibrationError: The points do not fit.
            ConfigError: It cannot be remembered.
        """
        ...


@dataclass(frozen=True, slots=True)
class Backstage:
    """What the page may ask of the device itself.

    Attributes:
        doctor: Looks at everything.
        bundle: Returns the diagnostics bundle, a zip file.
        storage: Returns what is kept on disk.
        image: Returns the newest image of the tray, or None.
        bar_mm: What the printed 100 mm bar measures.
        tune: Sets the open camera by the frame and keeps that, in the tray's thread;
            returns False for a camera that cannot be set.
        in_tray: Has something done in the tray's thread.
        now_s: Monotonic seconds.
    """

    doctor: Callable[[], Sequence[Finding]]
    bundle: Callable[[], bytes]
    storage: Callable[[], Storage]
    image: Callable[[], Image | None]
    bar_mm: Millimetres
    tune: Callable[[], bool]
    in_tray: Callable[[Callable[[], None]], None]
    now_s: Callable[[], Seconds]


class Workshop:
    """Set-up; any thread.

    Attributes:
        walk: The strip that is being measured, or None.
        tuning: How setting the camera goes: ``""``, ``running``, ``done``, ``fixed``
            (it cannot be set) or ``failed``.
        safe: Why this is the page alone; None where all of it was started.

    Args:
        companion: The table.
        backstage: The device.
        strips: The rulers.
    """

    def __init__(
        self, companion: Companion, backstage: Backstage, strips: Strips
    ) -> None:
        self.backstage = backstage
        self.strips = strips
        self.walk: Walk | None = None
        self.tuning = ""
        self.safe: Safe | None = None
        self._companion = companion
        self._lock = threading.Lock()
        self._looking = threading.Lock()
        self._look: Look | None = None
        companion.offer(
            {
                "walk_start": self._start,
                "walk_step": self._step,
                "walk_point": self._point,
                "walk_undo": self._undo,
                "walk_keep": self._keep,
                "walk_cancel": self._cancel,
                "camera_tune": self._tune,
                "leave_safe_mode": self._leave,
            }
        )
        companion.workshop = self

    def look(self) -> Look | None:
        """Return how good the picture is now; None without one."""
        image, now_s = self.backstage.image(), self.backstage.now_s()
        if image is None:
            return None
        with self._looking:
            last = self._look
            if last is None or now_s - last.taken_s > VIEW_S:
                found = measure_view(image, bar_mm=self.backstage.bar_mm)
                last = Look(last.number + 1 if last else 1, now_s, image, found)
                self._look = last
            return last

    def looked_jpeg(self) -> bytes | None:
        """Return the picture that was judged last; None before the first."""
        last = self._look
        return None if last is None else encode_jpeg(last.image)

    def _leave(self, command: Command) -> None:
        """Start again with everything."""
        if self.safe is None:
            raise TableError("this is not safe mode", "not_safe")
        self.safe.leave()

    # --- The camera ----------------------------------------------------------------

    def _tune(self, command: Command) -> None:
        if self.tuning == "running":
            raise TableError("the camera is being set already", "tuning_on")
        self.tuning = "running"
        self.backstage.in_tray(self._tune_now)

    def _tune_now(self) -> None:
        try:
            self.tuning = "done" if self.backstage.tune() else "fixed"
        except HardwareError:
            self.tuning = "failed"
            raise
        finally:
            if self.tuning == "running":
                self.tuning = "failed"
            self._companion.nudge()

    # --- The rulers ----------------------------------------------------------------

    def _start(self, command: Command) -> None:
        name = command.args.get("strip")
        sizes = self.strips.sizes()
        if not isinstance(name, str) or name not in sizes:
            raise BadInput("expected the name of a strip", "strip")
        with self._lock:
            if self.walk is not None and self.walk.strip != name:
                self.strips.point(self.walk.strip, None)
            self.walk = Walk(name, sizes[name], 0)
            self.strips.point(name, 0)

    def _step(self, command: Command) -> None:
        """Light another LED: ``led``."""
        with self._lock:
            walk = self._walk()
            led = command.args.get("led")
            if type(led) is not int or not 0 <= led < walk.pixels:
                raise BadInput(f"expected an LED, 0 to {walk.pixels - 1}", "led")
            self.walk = replace(walk, led=led)
            self.strips.point(walk.strip, led)

    def _point(self, command: Command) -> None:
        """Say where the lit LED is: ``at_mm`` on the ruler; then light the next."""
        with self._lock:
            walk = self._walk()
            at_mm = command.args.get("at_mm")
            if type(at_mm) not in (int, float) or not abs(at_mm or 0) <= FARTHEST_MM:
                raise BadInput("expected millimetres", "at_mm")
            others = [one for one in walk.points if one[0] != walk.led]
            points = (*others, (walk.led, float(at_mm or 0)))[-MOST_POINTS:]
            self._measured(points, _next(walk.pixels, points))

    def _undo(self, command: Command) -> None:
        """Take the last point back."""
        with self._lock:
            walk = self._walk()
            if not walk.points:
                raise TableError("there is nothing to undo", "nothing_to_undo")
            self._measured(walk.points[:-1], walk.points[-1][0])

    def _keep(self, command: Command) -> None:
        with self._lock:
            walk = self._walk()
            if walk.learned is None:
                raise TableError("the strip is not measured yet", "not_measured")
            self.strips.keep(walk.strip, walk.points)
            self._end()

    def _cancel(self, command: Command) -> None:
        with self._lock:
            self._walk()
            self._end()

    def _measured(self, points: tuple[tuple[int, Millimetres], ...], led: int) -> None:
        walk = self._walk()
        learned, odd = None, False
        if len(points) > 1:
            try:
                learned = self.strips.fit(walk.strip, points)
            except CalibrationError:
                odd = True
        self.walk = replace(walk, points=points, learned=learned, odd=odd, led=led)
        self.strips.point(walk.strip, led)

    def _walk(self) -> Walk:
        if self.walk is None:
            raise TableError("no strip is being measured", "no_walk")
        return self.walk

    def _end(self) -> None:
        walk = self._walk()
        self.walk = None
        self.strips.point(walk.strip, None)


def _next(pixels: int, points: Sequence[tuple[int, Millimetres]]) -> int:
    """Return the LED that is worth measuring next: the ends, the middle, between."""
    known = {led for led, _ in points}
    last = pixels - 1
    wanted = (0, last, last // 2, last // 4, last * 3 // 4)
    return next((led for led in wanted if led not in known), last)
