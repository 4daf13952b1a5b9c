"""GPIO pins by BCM number: which may be used, who has them, what went wrong.

gpiozero's own choice of a back end tries several and warns its way down to ones that
no longer work (its issues 1120, 1172); here it is lgpio or a clear sentence.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from device.errors import HardwareFault, HardwareNotFound

PINS: Final = range(2, 28)
"""BCM numbers on the 40-pin header that are free to use; 0 and 1 belong to HATs."""

PHYSICAL: Final = {
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32,
    13: 33, 14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15,
    23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip
"""Number of the header pin for each BCM number."""

SPI0: Final = {10: "SPI0 MOSI", 11: "SPI0 SCLK", 8: "SPI0 CE0"}
"""Pins that a strip on SPI 0.0 takes; SPI drives CE0 whether wired or not."""


CHIP: Final = Path("/dev/gpiochip4")
NEWER_CHIP: Final = Path("/dev/gpiochip0")


def pin_problems(pins: Mapping[str, int], reserved: Mapping[int, str]) -> list[str]:
    """Return what is wrong with a choice of pins, one line each, none if nothing.

    Args:
        pins: BCM number by what uses it, e.g. ``{"confirm_button": 17}``.
        reserved: What else holds a pin, e.g. `SPI0` where a strip is on SPI.
    """
    problems = []
    holders: dict[int, str] = dict(reserved)
    for use, pin in pins.items():
        if isinstance(pin, bool) or not isinstance(pin, int) or pin not in PINS:
            problems.append(
                f"{use}: {pin!r} is no usable pin; BCM numbers are "
                f"{PINS.start} to {PINS.stop - 1}"
            )
        elif pin in holders:
            problems.append(f"{use}: GPIO{pin} is already taken by {holders[pin]}")
        else:
            holders[pin] = use
    return problems


def default_factory() -> Any:
    """Return gpiozero's lgpio back end.

    Raises:
        HardwareNotFound: No gpiozero, no lgpio, no GPIO here, not permitted, or a
            board that gpiozero does not know.
    """
    try:
        import gpiozero
        from gpiozero.pins.lgpio import LGPIOFactory
    except ImportError as error:
        raise HardwareNotFound(
            f"{error.name or 'gpiozero'} is not installed: "
            "sudo apt install python3-gpiozero python3-lgpio"
        ) from error
    except OSError as error:
        raise HardwareNotFound(
            "lgpio cannot keep its pipe in the folder this runs in "
            f"({error.strerror}): run it from one that may be written"
        ) from error
    try:
        return _opened(LGPIOFactory)
    except gpiozero.PinUnknownPi as error:
        raise HardwareNotFound(
            "gpiozero does not know this board: sudo apt update && sudo apt full-"
            f"upgrade brings a newer one ({error})"
        ) from error
    except (gpiozero.GPIOZeroError, OSError, *_vendor_errors()) as error:
        raise HardwareNotFound(
            f"no GPIO pins here ({error}): is this a Raspberry Pi, is the user in "
            "the group gpio, and is python3-lgpio from apt, not from pip?"
        ) from error


@contextmanager
def pin_errors(what: str, *, opening: bool = False) -> Iterator[None]:
    """Translate what gpiozero and its back end may raise.

    Args:
        what: For the message, e.g. ``confirm_button on GPIO17``.
        opening: Whether the part is being opened.

    Raises:
        HardwareNotFound: While opening: no such pin, in use, or unable.
        HardwareFault: It worked and stopped.
    """
    import gpiozero

    try:
        yield
    except (gpiozero.GPIOZeroError, OSError, *_vendor_errors()) as error:
        kind = HardwareNotFound if opening else HardwareFault
        raise kind(f"{what}: {error}") from error


def _opened(factory: Any) -> Any:
    """Return gpiozero's factory on the chip of the header.

    A Pi 5's header is gpiochip4 up to kernel 6.6.45 and gpiochip0 since; older gpiozero
    knows the first only (its issues 1166, 840).
    """
    try:
        return factory()
    except _vendor_errors():
        if CHIP.exists() or not NEWER_CHIP.exists():
            raise
    return factory(chip=0)


def _vendor_errors() -> tuple[type[Exception], ...]:
    """Return lgpio's own error where lgpio is loaded; it derives from nothing else."""
    lgpio = sys.modules.get("lgpio")
    error = getattr(lgpio, "error", None)
    return (error,) if isinstance(error, type) else ()
