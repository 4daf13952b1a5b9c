"""Starting, saying where the page is, and stopping: for `demo` and `run`."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Protocol


class Serving(Protocol):
    """A built app."""

    port: int

    def start(self) -> None:
        """Start its threads."""
        ...

    def serve_until_stopped(self, held: Callable[[], None]) -> None:
        """Wait; call `held` once the start has proven itself."""
        ...

    def stop(self) -> None:
        """End the wait."""
        ...

    def close(self) -> None:
        """Take it apart."""
        ...


def serve_app(
    build: Callable[[], Serving], what: str, held: Callable[[], None] = lambda: None
) -> int:
    """Build, start, print the address with its QR code, and wait for a signal."""
    app = build()

    def stop(number: int, frame: FrameType | None) -> None:
        app.stop()

    old = {name: signal.signal(name, stop) for name in (signal.SIGTERM, signal.SIGINT)}
    try:
        app.start()
        _print_address(app.port, what)
        app.serve_until_stopped(held)
    finally:
        app.close()
        for name, handler in old.items():
            signal.signal(name, handler)
    return 0


def _print_address(port: int, what: str) -> None:
    import segno

    from web.addresses import join_url, own_addresses

    addresses = own_addresses()
    url = join_url("", addresses, port)
    sys.stdout.write(f"Dicelight is at {url} ({what})\n")
    if sys.stdout.isatty() or addresses:
        segno.make(url, error="m", micro=False).terminal(
            out=sys.stdout, border=1, compact=True
        )
    sys.stdout.write("Ctrl-C stops it; the night goes on at the next start.\n")
    sys.stdout.flush()
