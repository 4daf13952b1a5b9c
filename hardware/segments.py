"""Pieces of plain LED strip, each colour switched by a MOSFET on a GPIO pin.

The simplest ruler: pieces of equal length laid end to end (two inches each fits all
of FOWW's bands), each one "pixel" of the ruler. A piece of one colour has one
channel, a piece of RGB strip three; a single RGB strip is one piece.

On the Pi gpiozero's PWM is made by software, 100 Hz: a camera sees bands unless its
exposure is a multiple of 10 ms. Plain on/off has no bands and is the default; colours
are then mixed of what is more than a quarter of the brightest channel.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from device.errors import HardwareClosed, HardwareNotFound
from hardware.pins import default_factory, pin_errors, pin_problems
from hardware.pixels import Colours, as_colours

PWM_HZ: Final = 100
"""What gpiozero's lgpio back end does best; see above for exposures."""

ON_SHARE: Final = 0.25
"""Of the brightest channel; below it a channel stays off without PWM."""


def parse_address(address: str) -> tuple[tuple[int, ...], bool]:
    """Return the pins and whether to dim, of ``"17 27 22"`` or ``"17 27 22 pwm"``.

    Raises:
        HardwareNotFound: Not such an address.
    """
    words = [word for word in re.split(r"[,\s]+", address.strip()) if word]
    pwm = bool(words) and words[-1] == "pwm"
    numbers = words[:-1] if pwm else words
    if not numbers or not all(re.fullmatch(r"\d{1,2}", word) for word in numbers):
        raise HardwareNotFound(
            f"address {address!r}: expected BCM pin numbers, e.g. '17 27 22', "
            "and 'pwm' to dim"
        )
    return tuple(int(number) for number in numbers), pwm


class SegmentStrip:
    """Switched pieces of strip; implements `device.ports.PixelStrip`.

    Args:
        name: As in the config.
        pixels: How many pieces, 1 or more.
        address: Pins in the order of the pieces, one each or three (red, green, blue).
        pin_factory: gpiozero's, None for the Pi's own.

    Raises:
        HardwareNotFound: Pins that do not fit, are taken, or are not there.
    """

    def __init__(
        self, name: str, pixels: int, *, address: str, pin_factory: Any = None
    ) -> None:
        self.name = name
        self.pixels = pixels
        pins, self._pwm = parse_address(address)
        if pixels < 1 or len(pins) not in (pixels, 3 * pixels):
            raise HardwareNotFound(
                f"strip {name}: {pixels} pieces take {pixels} or {3 * pixels} pins, "
                f"not {len(pins)}"
            )
        problems = pin_problems({f"pin {i}": p for i, p in enumerate(pins, 1)}, {})
        if problems:
            raise HardwareNotFound(f"strip {name}: {'; '.join(problems)}")
        factory = pin_factory or default_factory()
        self.simulated = type(factory).__name__ == "MockFactory"
        self._stack = ExitStack()
        self._channels: list[Any] | None = []
        with ExitStack() as opened:
            for pin in pins:
                self._channels.append(opened.enter_context(self._channel(pin, factory)))
            self._stack = opened.pop_all()

    def show(self, colours: Colours) -> None:
        """Light the pieces; see `device.ports.PixelStrip`."""
        if self._channels is None:
            raise HardwareClosed(f"strip {self.name} is closed")
        duty = self._duty(as_colours(colours, self.pixels))
        with pin_errors(f"strip {self.name}"):
            for channel, value in zip(self._channels, duty, strict=True):
                channel.value = float(value)

    def close(self) -> None:
        """Switch all off and release the pins; may be called twice."""
        if self._channels is not None:
            self._channels = None
            self._stack.close()

    def _channel(self, pin: int, factory: Any) -> Any:
        import gpiozero

        with pin_errors(f"strip {self.name} on GPIO{pin}", opening=True):
            if self._pwm:
                return gpiozero.PWMLED(pin, frequency=PWM_HZ, pin_factory=factory)
            return gpiozero.LED(pin, pin_factory=factory)

    def _duty(self, colours: Colours) -> NDArray[np.float64]:
        """Return 0..1 for each channel."""
        assert self._channels is not None
        shares = colours / 255
        if len(self._channels) == self.pixels:
            shares = shares.max(axis=1, keepdims=True)
        if not self._pwm:
            brightest = shares.max(axis=1, keepdims=True)
            shares = (shares > ON_SHARE * brightest).astype(np.float64)
        return np.asarray(shares.ravel(), np.float64)
