"""Ports: what the companion expects of its hardware. The contract text lives here.

Real and simulated parts implement these alike; ``tests/hardware`` runs the same
contract tests on both.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame


class Clock(Protocol):
    """Time, so that tests need not wait."""

    def now_s(self) -> float:
        """Return monotonic seconds."""
        ...

    def wall_s(self) -> float:
        """Return seconds since the epoch (may jump on a Pi without network)."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait, at least this long."""
        ...


class Camera(Protocol):
    """Delivers frames, newest first in mind: a slow reader misses frames.

    Used from one thread. Opening happens in the constructor, which raises
    `HardwareNotFound` where there is no such camera.

    Attributes:
        name: For people, e.g. ``imx708`` or ``drawn tray``.
        id: Which of several it is, the same at every start; what set-up measures is
            kept for it.
        simulated: True where no real light fell on a sensor.
        size_wh_px: Of the frames' main image.
        notes: What is worth knowing of it though it works, one line each.
    """

    name: str
    id: str
    simulated: bool
    size_wh_px: tuple[int, int]
    notes: tuple[str, ...]

    def capture(self, timeout_s: float = 2.0) -> Frame:
        """Return the next frame not yet returned; blocks until there is one.

        Raises:
            HardwareFault: No frame within `timeout_s`, or the device failed.
            HardwareClosed: After `close()`.
        """
        ...

    def close(self) -> None:
        """Release the device; may be called twice."""
        ...


class PixelStrip(Protocol):
    """A row of LEDs whose colours are set all at once.

    Attributes:
        name: As in the config.
        pixels: How many LEDs, 1 or more.
        simulated: True where nothing lights up.
    """

    name: str
    pixels: int
    simulated: bool

    def show(self, colours: NDArray[np.uint8]) -> None:
        """Light the strip.

        Args:
            colours: ``(pixels, 3)`` uint8 RGB, linear duty 0..255, pixel 0 first.

        Raises:
            ValueError: Another shape or type.
            HardwareFault: The bus failed.
            HardwareClosed: After `close()`.
        """
        ...

    def close(self) -> None:
        """Turn all LEDs off and release the bus; may be called twice."""
        ...


@runtime_checkable
class FarStrip(Protocol):
    """A strip that may go and come back without any picture being sent meanwhile.

    Attributes:
        watch_s: How often to ask, seconds.
    """

    watch_s: float

    def still_shows(self) -> bool:
        """Return whether it shows what it was sent last.

        Raises:
            HardwareFault: It does not answer.
            HardwareClosed: After `close()`.
        """
        ...


class Panel(Protocol):
    """Two buttons with lamps, a buzzer, a light over the tray; any may be absent.

    Attributes:
        simulated: True where nothing can be pressed.
    """

    simulated: bool

    def listen(self, post: Callable[[str], None]) -> None:
        """Have button presses posted as ``"confirm"`` or ``"undo"``.

        `post` is called from the driver's thread and must only queue.
        """
        ...

    def lamp(self, name: str, lit: bool) -> None:
        """Set the lamp of ``"confirm"`` or ``"undo"``; absent lamps ignore it."""
        ...

    def buzz(self, seconds: float) -> None:
        """Sound the buzzer, returning at once; absent buzzers ignore it."""
        ...

    def tray_light(self, lit: bool) -> None:
        """Switch the light over the tray; absent lights ignore it."""
        ...

    def close(self) -> None:
        """Release all pins; may be called twice."""
        ...
