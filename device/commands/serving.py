"""Starting, saying where the page is, and stopping: for `demo` and `run`."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from web.invitation import Invitation


AGAIN: Final = 75
"""Exit status (`EX_TEMPFAIL`) that asks for another start; the unit names it."""


class Serving(Protocol):
    """A built app.

    Attributes:
        invitation: Returns how phones get to its page.
    """

    invitation: Callable[[], Invitation]

    @property
    def again(self) -> bool:
        """Whether it stopped to be started anew."""
        ...

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
    build: Callable[[], Serving],
    what: str,
    held: Callable[[], None] = lambda: None,
    *,
    show_code: bool = True,
) -> int:
    """Build, start, print the address with its QR code, and wait for a signal.

    Args:
        build: Builds the app.
        what: What it runs on, in words.
        held: Called once the start has proven itself.
        show_code: False where strangers may read what is printed.

    Returns:
        The exit status: 0, or `AGAIN`.
    """
    app = build()

    def stop(number: int, frame: FrameType | None) -> None:
        app.stop()

    old = {name: signal.signal(name, stop) for name in (signal.SIGTERM, signal.SIGINT)}
    try:
        app.start()
        _print_address(app.invitation(), what, show_code=show_code)
        app.serve_until_stopped(held)
    finally:
        app.close()
        for name, handler in old.items():
            signal.signal(name, handler)
    return AGAIN if app.again else 0


def _print_address(invitation: Invitation, what: str, *, show_code: bool) -> None:
    if show_code:
        sys.stdout.write(f"Dicelight is at {invitation.join_url} ({what})\n")
        print_invitation(invitation)
    else:
        sys.stdout.write(f"Dicelight is at {invitation.url} ({what})\n")
        sys.stdout.write("`dicelight invite` shows the code for joining.\n")
    sys.stdout.write("Ctrl-C stops it; the night goes on at the next start.\n")
    sys.stdout.flush()


def print_invitation(invitation: Invitation) -> None:
    """Print how phones get to the page: QR codes, addresses, the code."""
    import segno

    from web.invitation import wifi_text

    if invitation.hotspot is not None:
        sys.stdout.write(f"First join the network {invitation.hotspot.name}:\n")
        _print_qr(segno.make(wifi_text(invitation.hotspot), error="m", micro=False))
        sys.stdout.write("Then open the page:\n")
    _print_qr(segno.make(invitation.join_url, error="m", micro=False))
    typed = " or ".join((invitation.url, *invitation.others))
    sys.stdout.write(f"By hand: {typed} and the code {invitation.spaced_code}.\n")


def _print_qr(code: Any) -> None:
    code.terminal(out=sys.stdout, border=1, compact=True)
