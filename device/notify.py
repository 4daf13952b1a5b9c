"""Tells systemd that the service is up and alive; silent without systemd."""

from __future__ import annotations

import logging
import os
import socket

logger = logging.getLogger(__name__)


def notify(message: str) -> None:
    """Send one line to systemd, ``READY=1`` or ``WATCHDOG=1`` (sd_notify(3)).

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
