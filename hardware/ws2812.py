"""WS2812B, SK6812 and their like ("NeoPixel"): one data line, over SPI's MOSI.

A bit for the LED is a pulse of about 0.4 us (zero) or 0.8 us (one) in 1.25 us. SPI
makes these pulses out of symbols of several SPI bits:

| SPI bits | clock | zero | one | bytes an LED | remark |
|---|---|---|---|---|---|
| 3 | 2.4 MHz | ``100`` | ``110`` | 9 | a gap between bytes may fall into a pulse |
| 8 | 6.4 MHz | ``11000000`` | ``11111000`` | 24 | one byte a pulse: gaps do no harm |

Three things go wrong with other drivers and are kept from happening here:

1. The first LED shows a wrong colour or all are shifted by one, where the line is
   high or the clock starts with a phantom bit: `LEAD` zero bytes go first.
2. Beyond the kernel's SPI buffer (4096 bytes) a picture is cut in two, and the pause
   shows the first half: opening refuses, with the line that changes it.
3. The colours are taken over only after a low line: `RESET_S` of zeros follow.

On a Pi 3, Zero 2 W and 4 the SPI clock follows the core clock, which must be fixed
(``core_freq``). Where there is a choice, APA102 is the better chip. rpi_ws281x needs
root and a table of known boards, Pi5Neo sleeps in each update and sends no lead.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import numpy as np
from numpy.typing import NDArray

from device.errors import HardwareClosed, HardwareFault, HardwareNotFound
from device.units import Seconds
from hardware.pixels import Colours, as_colours, checked_length, order_index
from hardware.spi import SpiBus, buffer_size, open_spi, spi_errors
from hardware.strips import Strip

LEAD: Final = 64
"""Zero bytes first."""

RESET_S: Final[Seconds] = 300e-6
"""Low time that ends a picture; newer WS2812B want 280 us."""

USUAL_ORDER: Final = "grb"
SYMBOLS: Final = {3: (0b100, 0b110), 8: (0b11000000, 0b11111000)}
SPEEDS_HZ: Final = {3: 2_400_000, 8: 6_400_000}


class Ws2812Encoder:
    """Makes the bytes of a picture by looking up all eight bits at once.

    Args:
        pixels: How many LEDs.
        order: Colour order on the wire.
        symbol_bits: SPI bits for each LED bit, 3 or 8.

    Raises:
        ValueError: No LED, no such order, or other symbols.
    """

    def __init__(
        self, pixels: int, order: str = USUAL_ORDER, symbol_bits: int = 3
    ) -> None:
        if symbol_bits not in SYMBOLS:
            raise ValueError(f"symbol_bits is 3 or 8, not {symbol_bits}")
        self._pixels = checked_length(pixels)
        self._order = list(order_index(order))
        self._table = _symbol_table(symbol_bits)
        reset = round(RESET_S * SPEEDS_HZ[symbol_bits] / 8) + 1
        data = 3 * symbol_bits * pixels
        self._buffer = np.zeros(LEAD + data + reset, np.uint8)
        self._data = self._buffer[LEAD : LEAD + data].reshape(pixels, 3, symbol_bits)

    @property
    def size(self) -> int:
        """Bytes of a picture."""
        return len(self._buffer)

    def encode(self, colours: Colours) -> NDArray[np.uint8]:
        """Return the bytes, valid until the next call.

        Args:
            colours: ``(pixels, 3)`` uint8 RGB.

        Raises:
            ValueError: Another shape or type.
        """
        ordered = as_colours(colours, self._pixels)[:, self._order]
        np.take(self._table, ordered, axis=0, out=self._data)
        return self._buffer


def _symbol_table(symbol_bits: int) -> NDArray[np.uint8]:
    """Return the symbols of every byte, ``(256, symbol_bits)`` uint8."""
    zero, one = SYMBOLS[symbol_bits]
    table = np.zeros((256, symbol_bits), np.uint8)
    for value in range(256):
        symbols = 0
        for bit in range(7, -1, -1):
            symbols = symbols << symbol_bits | (one if value >> bit & 1 else zero)
        table[value] = list(symbols.to_bytes(symbol_bits, "big"))
    return table


def symbol_bits_of(address: str) -> tuple[str, int]:
    """Return SPI address and symbol bits of ``"0.0"`` or ``"0.0/8"``.

    Raises:
        HardwareNotFound: Something else behind the slash.
    """
    bus, slash, bits = address.partition("/")
    if slash and bits != "8":
        raise HardwareNotFound(
            f"SPI address {address!r}: expected bus and device, e.g. 0.0"
        )
    return bus, 8 if slash else 3


def bytes_needed(strip: Strip) -> int:
    """Return the bytes of a strip's picture, all of them in one transfer."""
    _, bits = symbol_bits_of(strip.address)
    return Ws2812Encoder(strip.pixels, strip.order or USUAL_ORDER, bits).size


def speed_hz(strip: Strip) -> int:
    """Return the SPI clock that a strip's bits are timed by."""
    return SPEEDS_HZ[symbol_bits_of(strip.address)[1]]


def buffer_advice(needed: int) -> str:
    """Return what to do so that the kernel takes so many bytes at once."""
    size = 4096
    while size < needed:
        size *= 2
    return (
        f"Add spidev.bufsiz={size} to the one line of /boot/firmware/cmdline.txt "
        "and restart"
    )


class Ws2812Strip:
    """An unclocked strip on SPI's MOSI; implements `device.ports.PixelStrip`.

    Args:
        name: As in the config.
        pixels: How many LEDs, 1 or more.
        address: SPI bus and device, "" for 0.0 (MOSI GPIO10).
        order: Colour order on the wire, "" for the usual ``grb``.
        symbol_bits: 3, or 8 where the SPI controller pauses between bytes.
        bufsiz: Bytes that one transfer may have; None asks the kernel.

    Raises:
        ValueError: No LED, no such order, or other symbols.
        HardwareNotFound: No SPI here, not permitted, or its buffer is too small.
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
        symbol_bits: int = 3,
        bufsiz: int | None = None,
    ) -> None:
        self.name = name
        self.pixels = pixels
        self._encoder = Ws2812Encoder(pixels, order or USUAL_ORDER, symbol_bits)
        self._spi: SpiBus | None = open_spi(address, SPEEDS_HZ[symbol_bits])
        allowed = buffer_size() if bufsiz is None else bufsiz
        if self._encoder.size > allowed:
            self._spi.close()
            raise HardwareNotFound(self._too_long(allowed, symbol_bits))

    def _too_long(self, allowed: int, symbol_bits: int) -> str:
        overhead = self._encoder.size - 3 * symbol_bits * self.pixels
        fits = max(0, (allowed - overhead) // (3 * symbol_bits))
        return (
            f"strip {self.name}: {self.pixels} LEDs need {self._encoder.size} bytes "
            f"in one SPI transfer, the kernel takes {allowed} ({fits} LEDs). "
            + buffer_advice(self._encoder.size)
        )

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
