"""A WLED controller (ESP32) on the network, by its realtime UDP protocol.

Opening asks ``http://HOST/json/info`` whether there is a WLED with enough LEDs.
Pictures then go out as DRGB (up to 490 LEDs) or DNRGB packets (489 each, with the
index of the first), port 21324; WLED itself knows the colour order of its strip.

UDP answers nothing, and a still picture is sent only once by its caller, so each is
sent `COPIES` times. A controller that went away, or was switched off and on again and
shows its own effects, is noticed by asking for its info page now and then, which says
whether it is "live": `still_shows`, and the caller opens or shows again. Byte 1 of a
packet is how long WLED waits for the next picture before it goes back to its own
effects: for ever while open, one second once closed.

Formats: WLED's documentation, "UDP realtime".
"""

from __future__ import annotations

import http.client
import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import numpy as np

from device.errors import HardwareClosed, HardwareFault, HardwareNotFound
from device.units import Seconds
from hardware.pixels import Colours, as_colours, checked_length

UDP_PORT: Final = 21324
HTTP_PORT: Final = 80
TIMEOUT_S: Final[Seconds] = 2.0
WATCH_S: Final[Seconds] = 5.0
"""How often it is asked for its page, a kilobyte."""

MOST_MISSED: Final = 2
"""Questions in a row without an answer: it serves its page between its other work."""

COPIES: Final = 2
DRGB: Final = 2
DRGB_MOST: Final = 490
DNRGB: Final = 4
DNRGB_MOST: Final = 489
FOR_EVER: Final = 255
MOST_INFO: Final = 65_536
"""Bytes read of the controller's answer; a real one has about a thousand."""


def packets(colours: Colours, hold: int = FOR_EVER) -> tuple[bytes, ...]:
    """Return the UDP packets of one picture.

    Args:
        colours: ``(n, 3)`` uint8 RGB.
        hold: Seconds that WLED shows it, 255 for ever.
    """
    if len(colours) <= DRGB_MOST:
        return (bytes((DRGB, hold)) + colours.tobytes(),)
    return tuple(
        bytes((DNRGB, hold, start >> 8, start & 255))
        + colours[start : start + DNRGB_MOST].tobytes()
        for start in range(0, len(colours), DNRGB_MOST)
    )


class WledStrip:
    """A strip behind a WLED controller; implements `device.ports.PixelStrip`.

    Args:
        name: As in the config.
        pixels: How many LEDs, 1 or more.
        address: Host name or number of the controller.
        udp_port: Of its realtime protocol.
        http_port: Of its page.
        timeout_s: How long opening waits for an answer.

    Raises:
        ValueError: No LED.
        HardwareNotFound: No such host, no WLED, or too few LEDs there.
        HardwareFault: It does not answer in time.
    """

    simulated = False
    watch_s = WATCH_S

    def __init__(
        self,
        name: str,
        pixels: int,
        *,
        address: str,
        udp_port: int = UDP_PORT,
        http_port: int = HTTP_PORT,
        timeout_s: Seconds = TIMEOUT_S,
    ) -> None:
        self.name = name
        self.pixels = checked_length(pixels)
        self._address = address
        self._page = (http_port, timeout_s)
        self._missed = 0
        count = count_leds(name, address, http_port, timeout_s)
        if count < pixels:
            raise HardwareNotFound(
                f"strip {name}: the WLED at {address} is set to {count} LEDs, the "
                f"config says {pixels}"
            )
        with _errors(name, address):
            family, kind, proto, _, where = socket.getaddrinfo(
                address, udp_port, type=socket.SOCK_DGRAM
            )[0]
            self._socket: socket.socket | None = socket.socket(family, kind, proto)
            self._socket.settimeout(timeout_s)
            self._socket.connect(where)

    def show(self, colours: Colours) -> None:
        """Light the strip; see `device.ports.PixelStrip`."""
        self._send(as_colours(colours, self.pixels), FOR_EVER)

    def still_shows(self) -> bool:
        """Ask whether it is still live; see `device.ports.FarStrip`."""
        if self._socket is None:
            raise HardwareClosed(f"strip {self.name} is closed")
        try:
            info = _info(self.name, self._address, *self._page)
        except HardwareFault:
            self._missed += 1
            if self._missed >= MOST_MISSED:
                raise
            return True
        self._missed = 0
        return not isinstance(info, dict) or info.get("live") is not False

    def close(self) -> None:
        """Turn all LEDs off and let WLED go its own way; may be called twice."""
        if self._socket is None:
            return
        with suppress(HardwareFault):
            self._send(np.zeros((self.pixels, 3), np.uint8), 1)
        self._socket.close()
        self._socket = None

    def _send(self, colours: Colours, hold: int) -> None:
        if self._socket is None:
            raise HardwareClosed(f"strip {self.name} is closed")
        with _errors(self.name, self._address):
            for _ in range(COPIES):
                for packet in packets(colours, hold):
                    self._socket.send(packet)


def count_leds(
    name: str, address: str, port: int = HTTP_PORT, timeout_s: Seconds = TIMEOUT_S
) -> int:
    """Return how many LEDs a WLED is set to; lights nothing.

    Args:
        name: Of the strip, for messages.
        address: Host name or number.
        port: Of its page.
        timeout_s: How long to wait for an answer.

    Raises:
        HardwareNotFound: No host, or one that is no WLED.
        HardwareFault: It does not answer in time.
    """
    if not re.fullmatch(r"[A-Za-z0-9.:_-]{1,253}", address):
        raise HardwareNotFound(
            f"strip {name}: address is the host of a WLED, not {address!r}"
        )
    try:
        return int(_info(name, address, port, timeout_s)["leds"]["count"])
    except (ValueError, KeyError, TypeError) as error:
        raise HardwareNotFound(
            f"strip {name}: {address} answers, but is no WLED"
        ) from error


def _info(name: str, address: str, port: int, timeout_s: Seconds) -> Any:
    """Return what the controller's info page says, None where that is no JSON."""
    page = http.client.HTTPConnection(address, port, timeout=timeout_s)
    try:
        with _errors(name, address):
            page.request("GET", "/json/info")
            answer = page.getresponse().read(MOST_INFO)
    finally:
        page.close()
    try:
        return json.loads(answer)
    except ValueError:
        return None


@contextmanager
def _errors(name: str, address: str) -> Iterator[None]:
    """Translate what the network may raise."""
    try:
        yield
    except socket.gaierror as error:
        raise HardwareNotFound(
            f"strip {name}: no host {address} on this network"
        ) from error
    except (OSError, http.client.HTTPException) as error:
        raise HardwareFault(
            f"strip {name}: the WLED at {address} is gone: "
            f"{error or type(error).__name__}"
        ) from error
