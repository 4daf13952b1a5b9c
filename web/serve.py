"""A real threaded WSGI server inside our one process: cheroot, started and stopped."""

from __future__ import annotations

import errno
import logging
import socket
import threading
from typing import Any

from cheroot import wsgi
from cheroot.makefile import StreamReader, StreamWriter
from cheroot.server import HTTPConnection, HTTPRequest
from flask import Flask

from device.errors import ConfigError
from web.addresses import EVERYWHERE, url_of
from web.games.foww.units import UPLOAD_BYTES
from web.hub import Hub
from web.invitation import Invitation, invite

logger = logging.getLogger(__name__)

WORKERS = 8
"""Threads for everything but streams, each of which holds one of its own."""

HEADER_BYTES = 32 * 1024
SOCKET_TIMEOUT_S = 10
"""A phone that takes nothing for this long is gone."""

STOP_TIMEOUT_S = 3

KEPT_EACH = 6
"""Connections kept open for each phone: no browser opens more to one place. Fewer, and
every screen costs a new connection."""

WAITING_EACH = 2
"""Connections that may wait to be taken, for each phone. All come at once after a
restart, and one too many is tried again by its phone only a second later."""


class _Writer(StreamWriter):
    """Sends the head of an answer together with what comes next, in one packet.

    Sending is what an answer costs most: it wakes the phone up, twice for two packets.
    """

    _is_head = False
    _head = b""

    def expect_head(self) -> None:
        """Keep back what is written next."""
        self._is_head = True

    def write(self, b: Any) -> int:
        """Send, or keep back until the next time."""
        if self._is_head:
            self._is_head, self._head = False, b
            return len(b)
        head, self._head = self._head, b""
        # Cheroot declares no types.
        return int(super().write(head + b))  # type: ignore[no-untyped-call]

    def release(self) -> None:
        """Send what is still kept back: the answer is nothing but a head."""
        if self._head:
            self.write(b"")


class _Request(HTTPRequest):
    def send_headers(self) -> None:
        """Keep the head back for the first bytes of the body."""
        self.conn.wfile.expect_head()
        super().send_headers()

    def respond(self) -> None:
        """Answer, and leave nothing unsent."""
        super().respond()
        self.conn.wfile.release()


class _Connection(HTTPConnection):
    RequestHandlerClass = _Request

    def __init__(self, server: Any, sock: socket.socket, makefile: Any = None) -> None:
        super().__init__(server, sock, _make_file)


def _make_file(sock: socket.socket, mode: str = "r", bufsize: int = -1) -> Any:
    return (StreamReader if "r" in mode else _Writer)(sock, mode, bufsize)


class _Server(wsgi.Server):
    """Cheroot's server, its messages in our log."""

    ConnectionClass = _Connection

    def error_log(
        self, msg: str = "", level: int = logging.INFO, traceback: bool = False
    ) -> None:
        """Log what cheroot has to say; a phone that went away is no error of ours."""
        logger.log(min(level, logging.WARNING), "%s", msg, exc_info=traceback)


class Served:
    """The running server.

    Attributes:
        port: The real one, also where 0 was asked for.
    """

    def __init__(self, server: Any, hub: Hub) -> None:
        self.port: int = server.bind_addr[1]
        self._host: str = server.bind_addr[0]
        hub.port = self.port
        self._server = server
        self._hub = hub
        self._thread = threading.Thread(target=server.serve, name="web", daemon=True)
        self._thread.start()

    def invitation(self) -> Invitation:
        """Return how phones get here, for the terminal that started it."""
        everywhere = self._host in EVERYWHERE
        host = "localhost" if everywhere else url_of(self._host, self.port)[7:-1]
        return invite(self._hub.settings, self.port, self._hub.people.code, host=host)

    def close(self) -> None:
        """End the streams, finish what is being answered, stop; may be called twice."""
        self._hub.streams.close()
        self._server.stop()
        self._thread.join()


def serve(app: Flask, host: str, port: int, streams: int) -> Served:
    """Serve the page until `Served.close`; returns once the port is open.

    Args:
        app: From `create_app`.
        host: Address to listen on; ``0.0.0.0`` for every IPv4 interface.
        port: 0 for any that is free.
        streams: Event streams that may be open at once; each holds a thread.

    Raises:
        ConfigError: The port cannot be had; the text says why and what to do.
    """
    hub = app.extensions["dicelight"]
    assert isinstance(hub, Hub)
    server = _Server(
        (host, port),
        app,
        numthreads=streams + WORKERS,
        max=streams + WORKERS,
        server_name="dicelight",
        request_queue_size=WAITING_EACH * (streams + WORKERS),
        timeout=SOCKET_TIMEOUT_S,
        shutdown_timeout=STOP_TIMEOUT_S,
    )
    # Larger ones than a roster still get an answer that says so.
    server.max_request_body_size = 8 * UPLOAD_BYTES
    server.max_request_header_size = HEADER_BYTES
    server.keep_alive_conn_limit = KEPT_EACH * (streams + WORKERS)
    try:
        _try_port(host, port)
        server.prepare()
    except OSError as error:
        raise ConfigError(_why_not(host, port, error)) from error
    return Served(server, hub)


def _try_port(host: str, port: int) -> None:
    """Open and close the port: cheroot would hide the reason why it cannot.

    Raises:
        OSError: With the reason.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))


def _why_not(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken; stop the other program or choose another port"
    if error.errno == errno.EACCES:
        return f"port {port} is not permitted to this user; choose one above 1023"
    return f"cannot listen on {host} port {port}: {error.strerror or error}"
