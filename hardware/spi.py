"""The SPI bus as the strip drivers use it: opened, explained, written to.

Both strip chips listen only: MOSI and, for clocked LEDs, SCLK. Mode 0, most
significant bit first, 8 bits a word; chip select is driven but not wired.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from device.errors import HardwareFault, HardwareNotFound

BUFSIZ_PATH: Final = Path("/sys/module/spidev/parameters/bufsiz")
"""Where the kernel says how many bytes one transfer may have."""

BUFSIZ_DEFAULT: Final = 4096
"""What the kernel takes where nothing is said."""


class SpiBus(Protocol):
    """What of `spidev.SpiDev` is used."""

    max_speed_hz: int
    mode: int

    def open(self, bus: int, device: int) -> None:
        """Open ``/dev/spidev<bus>.<device>``."""
        ...

    def writebytes2(self, values: NDArray[np.uint8]) -> None:
        """Write; more than the kernel's buffer goes out in several transfers."""
        ...

    def close(self) -> None:
        """Release the bus."""
        ...


def parse_address(address: str) -> tuple[int, int]:
    """Return bus and device of an address like ``"0.0"``; "" is 0.0.

    Raises:
        HardwareNotFound: Not such an address.
    """
    match = re.fullmatch(r"(?:/dev/spidev)?(\d{1,2})\.(\d{1,2})", address or "0.0")
    if match is None:
        raise HardwareNotFound(
            f"SPI address {address!r}: expected bus and device, e.g. 0.0"
        )
    return int(match[1]), int(match[2])


def open_spi(address: str, speed_hz: int) -> SpiBus:
    """Return an open bus.

    Args:
        address: See `parse_address`.
        speed_hz: Of the clock; the kernel takes the nearest below that it can make.

    Raises:
        HardwareNotFound: No spidev, no such device or no permission, with what to do.
        HardwareFault: It is there and does not open.
    """
    bus, device = parse_address(address)
    name = f"/dev/spidev{bus}.{device}"
    try:
        import spidev
    except ImportError as error:
        raise HardwareNotFound(
            "python3-spidev is not installed: sudo apt install python3-spidev"
        ) from error
    spi: SpiBus = spidev.SpiDev()
    try:
        spi.open(bus, device)
        spi.mode = 0
        spi.max_speed_hz = speed_hz
    except FileNotFoundError as error:
        raise HardwareNotFound(
            f"there is no {name}: switch SPI on (sudo raspi-config nonint do_spi 0) "
            "and restart"
        ) from error
    except PermissionError as error:
        raise HardwareNotFound(
            f"no permission for {name}: sudo usermod -aG spi USER, then log in again"
        ) from error
    except OSError as error:
        spi.close()
        raise HardwareFault(f"{name} does not open: {error}") from error
    return spi


def buffer_size(path: Path = BUFSIZ_PATH) -> int:
    """Return how many bytes one SPI transfer may have on this machine."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return BUFSIZ_DEFAULT


@contextmanager
def spi_errors(name: str) -> Iterator[None]:
    """Translate what a transfer may raise.

    Raises:
        HardwareFault: The bus failed.
    """
    try:
        yield
    except OSError as error:
        raise HardwareFault(f"strip {name}: the SPI bus failed: {error}") from error
