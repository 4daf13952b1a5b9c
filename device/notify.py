"""Tells systemd how the service fares (sd_notify(3)); silent without systemd.

Ready is said once the page answers and the tray's loop turns; the watchdog is fed
only while it turns. So a start that hangs, and a loop that hangs later, end in a
restart instead of in silence.
"""

from __future__ import annotations

import http.client
import logging
import os
import socket
from collections.abc import Callable
from typing import Final

from device.ports import Clock
from device.units import Seconds

logger = logging.getLogger(__name__)

HELD_S: Final[Seconds] = 20.0
"""A start that was ready and alive for so long has not failed."""

ANSWER_S: Final[Seconds] = 2.0
"""The page answers itself within milliseconds; later is no answer."""

ANY_ADDRESS: Final = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}
"""Where to ask a page that listens everywhere."""


def notify(message: str) -> None:
    """Send lines to systemd, e.g. ``READY=1`` or ``STATUS=...``.

    Does nothing where ``$NOTIFY_SOCKET`` is not set.
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):
        address = "\0" + address[1:]
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.connect(address)
            sender.sendall(message.encode())
    except OSError as error:
        logger.warning("systemd was not told %s: %s", message, error)


def page_answers(host: str, port: int) -> bool:
    """Ask the page for itself, as a phone would; any answer but an error will do.

    Args:
        host: Address that it listens on.
        port: Its port.
    """
    asked = http.client.HTTPConnection(
        ANY_ADDRESS.get(host, host), port, timeout=ANSWER_S
    )
    try:
        asked.request("GET", "/")
        return asked.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        asked.close()


class Herald:
    """Says how the service fares; `tick` is called about once a second.

    Args:
        clock: Time.
        answers: Whether the page answers; asked until it does.
        alive: Whether the tray's loop turns.
        status: One line for ``systemctl status``.
        held: Called once, when the service was ready and alive for `HELD_S`.
        send: Takes what systemd is told.
    """

    def __init__(
        self,
        clock: Clock,
        *,
        answers: Callable[[], bool],
        alive: Callable[[], bool],
        status: Callable[[], str],
        held: Callable[[], None] = lambda: None,
        send: Callable[[str], None] = notify,
    ) -> None:
        self._clock = clock
        self._answers = answers
        self._alive = alive
        self._status = status
        self._held = held
        self._send = send
        self._ready_s: Seconds | None = None
        self._is_held = False
        self._was_alive = True
        self._said = ""

    def tick(self) -> None:
        """Look, and tell."""
        alive = self._alive()
        if alive != self._was_alive:
            self._was_alive = alive
            logger.log(
                logging.WARNING if alive else logging.ERROR,
                "the tray's loop %s",
                "turns again" if alive else "hangs",
            )
        self._say(self._status() if alive else "the tray's loop hangs")
        if not alive:
            return
        self._send("WATCHDOG=1")
        now_s = self._clock.now_s()
        if self._ready_s is None:
            if self._answers():
                self._ready_s = now_s
                self._send("READY=1")
        elif not self._is_held and now_s - self._ready_s >= HELD_S:
            self._is_held = True
            self._held()

    def stop(self) -> None:
        """Say that the service ends because it was told to."""
        self._send("STOPPING=1")

    def _say(self, status: str) -> None:
        if status != self._said:
            self._said = status
            self._send(f"STATUS={status}")
