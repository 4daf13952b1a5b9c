"""Checks and opens parts by the names that the config gives them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from device.errors import ConfigError, HardwareNotFound
from device.ports import Camera, Clock, Panel, PixelStrip
from hardware import segments, spi
from hardware.apa102 import Apa102Strip
from hardware.panel import GpiozeroPanel, PanelPins
from hardware.picamera2 import Picamera2Camera, find_camera
from hardware.pins import SPI0, pin_problems
from hardware.segments import SegmentStrip
from hardware.settings import CameraSettings
from hardware.sim.camera import DrawnCamera, Scene
from hardware.sim.faults import CameraFaults, StripFaults
from hardware.sim.replay import ReplayCamera
from hardware.sim.strip import SimulatedStrip
from hardware.strips import Strip, parse_strips
from hardware.v4l2 import V4L2Camera, find_webcam
from hardware.wled import WledStrip
from hardware.ws2812 import Ws2812Strip, symbol_bits_of

CAMERAS: Final = ("picamera2", "v4l2", "replay", "drawn")
PANELS: Final = ("gpiozero", "simulated")


def open_camera(
    kind: str,
    clock: Clock,
    settings: CameraSettings | None = None,
    *,
    source: str | Path = "",
    tray: Scene | None = None,
    faults: CameraFaults | None = None,
) -> Camera:
    """Return an open camera.

    Args:
        kind: One of `CAMERAS`.
        clock: Paces simulated cameras, and dates frames.
        settings: What to ask for.
        source: For ``picamera2`` its number, for ``v4l2`` number, device or name,
            for ``replay`` a folder, an image or a video.
        tray: What ``drawn`` looks at.
        faults: Of a simulated camera.

    Raises:
        HardwareNotFound: No such kind or camera.
        HardwareFault: It is there and does not open.
    """
    asked = settings or CameraSettings()
    if kind == "picamera2":
        return Picamera2Camera(clock, asked, index=_number(source))
    if kind == "v4l2":
        return V4L2Camera(str(source), clock, asked)
    if kind == "replay":
        if not str(source):
            raise HardwareNotFound("replay takes a folder, an image or a video")
        return ReplayCamera(source, clock, faults=faults)
    if kind == "drawn":
        if tray is None:
            raise HardwareNotFound("a drawn camera takes a tray to look at")
        return DrawnCamera(tray, clock, asked.rate_hz, faults=faults)
    raise HardwareNotFound(f"no camera {kind!r}; there are {', '.join(CAMERAS)}")


def know_camera(kind: str, source: str | Path = "") -> tuple[str, str] | None:
    """Return the id and the name that a camera will have, without opening it.

    Args:
        kind: One of `CAMERAS`.
        source: As for `open_camera`.

    Returns:
        None for kinds that cannot be set: exposure and focus mean nothing to them.

    Raises:
        HardwareNotFound: No such camera.
        HardwareFault: It cannot be asked.
    """
    if kind == "picamera2":
        return find_camera(_number(source))
    if kind == "v4l2":
        found = find_webcam(str(source))
        return found.id, found.name
    return None


def open_strip(
    strip: Strip, *, pin_factory: Any = None, faults: StripFaults | None = None
) -> PixelStrip:
    """Return an open strip.

    Args:
        strip: Its driver is one of `hardware.strips.DRIVERS`. The address of
            ``ws2812`` may end in ``/8`` for 8-bit symbols.
        pin_factory: gpiozero's, None for the Pi's own.
        faults: Of a simulated strip.

    Raises:
        HardwareNotFound: No such driver or strip, or not permitted.
        HardwareFault: It is there and does not open.
    """
    name, pixels, address = strip.name, strip.pixels, strip.address
    if strip.driver == "apa102":
        return Apa102Strip(name, pixels, address=address, order=strip.order)
    if strip.driver == "ws2812":
        bus, symbol_bits = symbol_bits_of(address)
        return Ws2812Strip(
            name, pixels, address=bus, order=strip.order, symbol_bits=symbol_bits
        )
    if strip.driver == "wled":
        return WledStrip(name, pixels, address=address)
    if strip.driver == "segments":
        return SegmentStrip(name, pixels, address=address, pin_factory=pin_factory)
    if strip.driver == "simulated":
        return SimulatedStrip(name, pixels, faults=faults)
    raise HardwareNotFound(f"strip {name}: no driver {strip.driver!r}")


def open_panel(
    kind: str,
    pins: PanelPins,
    *,
    pin_factory: Any = None,
    reserved: Mapping[int, str] | None = None,
) -> Panel:
    """Return an open panel.

    Args:
        kind: One of `PANELS`; ``simulated`` runs on gpiozero's mock pins.
        pins: Which parts are there, and where.
        pin_factory: gpiozero's, None for the Pi's own or fresh mock pins.
        reserved: What else holds pins, e.g. `hardware.pins.SPI0` beside a strip.

    Raises:
        HardwareNotFound: No such kind, no GPIO, or pins that clash.
    """
    if kind not in PANELS:
        raise HardwareNotFound(f"no panel {kind!r}; there are {', '.join(PANELS)}")
    factory = pin_factory
    if kind == "simulated" and factory is None:
        from gpiozero.pins.mock import MockFactory

        factory = MockFactory()
    return GpiozeroPanel(pins, pin_factory=factory, reserved=reserved)


def find_problems(strips: Sequence[Any], pins: Mapping[str, int]) -> list[str]:
    """Return what is wrong with the hardware in a config, one line each.

    Args:
        strips: The ``[[strip]]`` tables as read.
        pins: BCM number of each part of the panel, by its name in the config.
    """
    try:
        parsed = parse_strips(list(strips))
    except ConfigError as error:
        return [*error.problems, *pin_problems(pins, {})]
    problems: list[str] = []
    taken: dict[int, str] = {}
    for strip in parsed:
        used = _pins_of(strip, problems)
        clash = {n: taken[pin] for n, pin in used.items() if pin in taken}
        for holder in sorted(set(clash.values())):
            problems.append(f"strip {strip.name}: its pins are taken by {holder}")
        taken |= {pin: f"strip {strip.name}" for pin in used.values()}
    return problems + pin_problems(pins, taken)


def _number(source: str | Path) -> int:
    """Return which of Picamera2's cameras is meant; the first where none is named."""
    number = str(source) or "0"
    if not re.fullmatch(r"\d", number):
        raise HardwareNotFound(f"picamera2 takes a camera's number, not {number!r}")
    return int(number)


def _pins_of(strip: Strip, problems: list[str]) -> dict[str, int]:
    """Return the pins that a strip takes; an address that is none is a problem."""
    try:
        if strip.driver == "segments":
            numbers, _ = segments.parse_address(strip.address)
            found = {
                f"strip {strip.name}, pin {i}": pin for i, pin in enumerate(numbers, 1)
            }
            problems += pin_problems(found, {})
            return found
        if strip.driver in ("apa102", "ws2812"):
            bus, _ = spi.parse_address(strip.address.removesuffix("/8"))
            return {name: pin for pin, name in SPI0.items()} if bus == 0 else {}
    except HardwareNotFound as error:
        problems.append(f"strip {strip.name}: {error}")
    return {}
