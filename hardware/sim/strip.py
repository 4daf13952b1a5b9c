"""A strip that lights nothing and remembers everything."""

from __future__ import annotations

from collections import deque
from typing import Final

import numpy as np

from device.errors import HardwareClosed
from hardware.pixels import Colours, as_colours, checked_length
from hardware.sim.faults import StripFaults
from vision.frame import read_only

KEPT: Final = 1000
"""Shows remembered: half a minute of animation, 1 MB at 300 LEDs."""


class SimulatedStrip:
    """Records what it is shown; implements `device.ports.PixelStrip`.

    Args:
        name: As in the config.
        pixels: How many LEDs, 1 or more.
        faults: What goes wrong, and when.

    Attributes:
        shown: Read-only ``(pixels, 3)`` uint8 RGB arrays, oldest first, the last
            `KEPT` of them; closing adds a dark one.

    Raises:
        ValueError: `pixels` below 1.
        HardwareNotFound: Told to be missing.
    """

    simulated = True

    def __init__(
        self, name: str, pixels: int, *, faults: StripFaults | None = None
    ) -> None:
        self.name = name
        self.pixels = checked_length(pixels)
        self.faults = faults or StripFaults()
        self.faults.opening(name)
        self.shown: deque[Colours] = deque(maxlen=KEPT)
        self._count = 0
        self._closed = False

    def show(self, colours: Colours) -> None:
        """Remember `colours`; see `device.ports.PixelStrip`."""
        if self._closed:
            raise HardwareClosed(f"strip {self.name} is closed")
        checked = as_colours(colours, self.pixels)
        self._count += 1
        self.faults.showing(self.name, self._count)
        self.shown.append(read_only(checked.copy()))

    def close(self) -> None:
        """Turn all LEDs off; may be called twice."""
        if not self._closed:
            self._closed = True
            self.shown.append(read_only(np.zeros((self.pixels, 3), np.uint8)))
