"""Two buttons with lamps, a buzzer and a light over the tray, on GPIO pins.

All of it is gpiozero: buttons close a pin to ground against the Pi's own pull-up,
lamps and buzzer take a few milliamperes from a pin through a resistor or transistor,
the tray light hangs on a MOSFET. Nothing is dimmed, so nothing bands in the camera.
On a laptop the same class runs on gpiozero's mock pins.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, fields
from typing import Any, Final

from device.errors import HardwareClosed, HardwareError, HardwareNotFound
from device.units import Seconds
from hardware.pins import default_factory, pin_errors, pin_problems

logger = logging.getLogger(__name__)

BOUNCE_S: Final[Seconds] = 0.03
"""How long a button's contacts may chatter; arcade buttons do for 5 to 20 ms."""

LONGEST_BUZZ_S: Final[Seconds] = 5.0
"""Longer is refused: nobody wants a table that howls because of a slip."""

CANCEL_S: Final[Seconds] = 1.0
"""Longest wait for the end of a buzz that is just being set."""

BUTTONS: Final = ("confirm", "undo")


@dataclass(frozen=True, slots=True)
class PanelPins:
    """BCM numbers of the panel's parts; None where a part is absent.

    The usual pins leave both I2C, UART and SPI0 free and lie side by side at the end
    of the header.
    """

    confirm_button: int | None = 5
    undo_button: int | None = 6
    confirm_lamp: int | None = 13
    undo_lamp: int | None = 19
    buzzer: int | None = 26
    tray_light: int | None = 12

    @classmethod
    def only(cls, pins: Mapping[str, int]) -> PanelPins:
        """Return pins by the names of the config, all other parts absent.

        Args:
            pins: BCM number by name, with or without ``_pin_bcm`` at its end.
        """
        parts = {name.removesuffix("_pin_bcm"): pin for name, pin in pins.items()}
        return cls(**{f.name: parts.get(f.name) for f in fields(cls)})

    def used(self) -> dict[str, int]:
        """Return the BCM number of each part that is there."""
        pins = {field.name: getattr(self, field.name) for field in fields(self)}
        return {use: pin for use, pin in pins.items() if pin is not None}

    def problems(self, reserved: Mapping[int, str] | None = None) -> list[str]:
        """Return wrong and clashing pins, one line each.

        Args:
            reserved: What else holds pins, e.g. `hardware.pins.SPI0`.
        """
        return pin_problems(self.used(), reserved or {})


NO_PANEL: Final = PanelPins(None, None, None, None, None, None)


class GpiozeroPanel:
    """The panel; implements `device.ports.Panel`.

    Args:
        pins: Which parts are there, and where.
        pin_factory: gpiozero's, None for the Pi's own.
        reserved: What else holds pins.

    Raises:
        HardwareNotFound: Pins that clash, are in use, or are not there; parts that
            had already been opened are closed.
    """

    def __init__(
        self,
        pins: PanelPins,
        *,
        pin_factory: Any = None,
        reserved: Mapping[int, str] | None = None,
    ) -> None:
        problems = pins.problems(reserved)
        if problems:
            raise HardwareNotFound(f"panel: {'; '.join(problems)}")
        used = pins.used()
        factory = pin_factory or (default_factory() if used else None)
        self.simulated = type(factory).__name__ == "MockFactory"
        self._parts: dict[str, Any] = {}
        self._closed = False
        self._quiet: threading.Timer | None = None
        with ExitStack() as opened:
            for use, pin in used.items():
                part = _open_part(use, pin, factory)
                self._parts[use] = opened.enter_context(part)
            self._stack = opened.pop_all()

    def listen(self, post: Callable[[str], None]) -> None:
        """Have button presses posted; see `device.ports.Panel`."""
        self._check_open()
        for name in BUTTONS:
            button = self._parts.get(f"{name}_button")
            if button is not None:
                button.when_pressed = _press(post, name)

    def lamp(self, name: str, lit: bool) -> None:
        """Set the lamp of button ``"confirm"`` or ``"undo"``.

        Raises:
            ValueError: No button is called so.
            HardwareFault: The pin failed.
            HardwareClosed: After `close()`.
        """
        if name not in BUTTONS:
            raise ValueError(f"lamps are {' and '.join(BUTTONS)}, not {name!r}")
        self._switch(f"{name}_lamp", lit)

    def buzz(self, seconds: Seconds) -> None:
        """Sound the buzzer, returning at once.

        gpiozero's own beep sets the pin in a thread of its own: what failed there would
        be told to nobody.

        Raises:
            ValueError: Not above 0 and at most `LONGEST_BUZZ_S`.
            HardwareFault: The pin failed.
            HardwareClosed: After `close()`.
        """
        if not 0 < seconds <= LONGEST_BUZZ_S:
            raise ValueError(f"a buzz lasts up to {LONGEST_BUZZ_S:g} s, not {seconds}")
        self._switch("buzzer", True)
        if "buzzer" in self._parts:
            self._cancel_quiet()
            self._quiet = threading.Timer(seconds, self._silence)
            self._quiet.daemon = True
            self._quiet.start()

    def tray_light(self, lit: bool) -> None:
        """Switch the light over the tray; see `device.ports.Panel`."""
        self._switch("tray_light", lit)

    def close(self) -> None:
        """Release all pins; may be called twice."""
        if not self._closed:
            self._closed = True
            self._cancel_quiet()
            self._parts.clear()
            self._stack.close()

    def _silence(self) -> None:
        """End a buzz; a pin that fails here fails at the next order too."""
        try:
            self._switch("buzzer", False)
        except HardwareError as error:
            logger.warning("%s", error)

    def _cancel_quiet(self) -> None:
        """Have no end of a buzz under way."""
        timer, self._quiet = self._quiet, None
        if timer is not None:
            timer.cancel()
            timer.join(CANCEL_S)

    def _switch(self, use: str, lit: bool) -> None:
        self._check_open()
        part = self._parts.get(use)
        if part is not None:
            with pin_errors(f"panel: {use}"):
                (part.on if lit else part.off)()

    def _check_open(self) -> None:
        if self._closed:
            raise HardwareClosed("the panel is closed")


def _press(post: Callable[[str], None], name: str) -> Callable[[], None]:
    """Return what posts this name; gpiozero looks for arguments, so it has none."""

    def pressed() -> None:
        post(name)

    return pressed


def _open_part(use: str, pin: int, factory: Any) -> Any:
    import gpiozero

    with pin_errors(f"panel: {use} on GPIO{pin}", opening=True):
        if use.endswith("_button"):
            return gpiozero.Button(
                pin, pull_up=True, bounce_time=BOUNCE_S, pin_factory=factory
            )
        if use == "buzzer":
            return gpiozero.Buzzer(pin, pin_factory=factory)
        return gpiozero.LED(pin, pin_factory=factory)
