"""APA102, SK9822 and their like ("DotStar"): LEDs with a clock line, over SPI.

Bytes of one picture:

1. 32 zero bits: start.
2. For each LED ``111`` and 5 bits of brightness, then blue, green, red.
3. 32 zero bits: SK9822 takes the colours over only when these have passed.
4. At least half a clock bit for each LED, as each passes data on half a bit late.

The brightness field stays at 31: below it APA102 dims by a second, slow PWM
(some 580 Hz) that bands in a camera; at 31 only the colours' PWM of about 19 kHz is
left. Dimming is done in the colours. With a clock there is no timing to keep, so a
gap between transfers does no harm and no ``core_freq`` line is needed; nothing here
needs root. 300 LEDs are 1,246 bytes, 2.5 ms on the wire at 4 MHz.

Written by hand as the common libraries either dim by the brightness field or go
through a pixel at a time; the whole encoder is one array assignment.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from device.errors import HardwareClosed, HardwareFault
from hardware.pixels import Colours, as_colours, checked_length, order_index
from hardware.spi import SpiBus, open_spi, spi_errors

SPEED_HZ: Final = 4_000_000
"""Well below what the chips take (data sheets: 15 MHz and more), kind to long wires."""

START: Final = 4
LATCH: Final = 4
HEADER: Final = 0xE0 | 31
USUAL_ORDER: Final = "bgr"


class Apa102Encoder:
    """Makes the bytes of a picture; reuses one buffer.

    Args:
        pixels: How many LEDs.
        order: Colour order on the wire.

    Raises:
        ValueError: No LED, or no such order.
    """

    def __init__(self, pixels: int, order: str = USUAL_ORDER) -> None:
        self._pixels = checked_length(pixels)
        self._order = list(order_index(order))
        clocks = -(-pixels // 16)
        self._buffer = np.zeros(START + 4 * pixels + LATCH + clocks, np.uint8)
        self._leds = self._buffer[START : START + 4 * pixels].reshape(pixels, 4)
        self._leds[:, 0] = HEADER

    def encode(self, colours: Colours) -> NDArray[np.uint8]:
        """Return the bytes, valid until the next call.

        Args:
            colours: ``(pixels, 3)`` uint8 RGB.

        Raises:
            ValueError: Another shape or type.
        """
        self._leds[:, 1:] = as_colours(colours, self._pixels)[:, self._order]
        return self._buffer


class Apa102Strip:
    """A clocked strip on an SPI bus; implements `device.ports.PixelStrip`.

    Args:
        name: As in the config.
        pixels: How many LEDs, 1 or more.
        address: SPI bus and device, "" for 0.0 (MOSI GPIO10, SCLK GPIO11).
        order: Colour order on the wire, "" for the usual ``bgr``.
        speed_hz: SPI clock.

    Raises:
        ValueError: No LED, or no such order.
        HardwareNotFound: No SPI here, or not permitted.
        HardwareFault: It does not open.
    """

    simulated = False

    def __init__(
        self,
        name: str,
        pixels: int,
        *,
        address: str = "",
        order: str = "",
        speed_hz: int = SPEED_HZ,
    ) -> None:
        self.name = name
        self.pixels = pixels
        self._encoder = Apa102Encoder(pixels, order or USUAL_ORDER)
        self._spi: SpiBus | None = open_spi(address, speed_hz)

    def show(self, colours: Colours) -> None:
        """Light the strip; see `device.ports.PixelStrip`."""
        if self._spi is None:
            raise HardwareClosed(f"strip {self.name} is closed")
        data = self._encoder.encode(colours)
        with spi_errors(self.name):
            self._spi.writebytes2(data)

    def close(self) -> None:
        """Turn all LEDs off and release the bus; may be called twice."""
        if self._spi is None:
            return
        with suppress(HardwareFault):
            self.show(np.zeros((self.pixels, 3), np.uint8))
        self._spi.close()
        self._spi = None
