"""Only devices that joined may act, and no other site may act through them.

1. The ``Host`` must be a number or a name of ours (DNS rebinding needs a name).
2. A POST must come from our own page (``Origin``, else ``Referer``).
3. A POST needs a joined player; spectators look.
4. Every answer forbids foreign scripts, frames and type sniffing.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from flask import Flask, Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from web.addresses import host_name, is_number
from web.language import marked as N_
from web.reasons import Refused
from web.visitors import visitor

logger = logging.getLogger(__name__)

BODY_BYTES = 64 * 1024
"""The largest form of the page is under 4 KB."""

FORM_PARTS = 200

HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

OPEN_TO_ALL = frozenset({"static", "join", "language", "icon", "health"})
"""Endpoints (or their blueprints) that a device needs before it has joined."""

ACTS_WITHOUT_JOINING = frozenset({"join", "language"})
"""Blueprints whose POST is not a command to the table."""

FOR_PROGRAMS = frozenset({"api", "stream", "pictures"})
"""Blueprints that nobody visits by hand: refused instead of led to the joining page."""


def known_names(names: Iterable[str]) -> frozenset[str]:
    """Return our host names: configured ones, ``localhost`` and this machine's own."""
    machine = socket.gethostname().lower()
    return frozenset(
        {"localhost", machine, f"{machine}.local"} | {name.lower() for name in names}
    )


def from_own_page() -> bool:
    """Say whether this request's ``Origin``, or else ``Referer``, is our own page."""
    source = request.headers.get("Origin") or request.headers.get("Referer", "")
    parts = urlsplit(source)
    return parts.scheme in ("http", "https") and parts.netloc.lower() == (
        request.headers.get("Host", "").lower()
    )


def init_app(app: Flask, names: Iterable[str]) -> None:
    """Check every request, and add `HEADERS` to every answer."""
    allowed = known_names(names)

    @app.before_request
    def check() -> AnyResponse | None:
        host = host_name(request.headers.get("Host", ""))
        if not is_number(host) and host not in allowed:
            logger.warning("refused host %r from %s", host, request.remote_addr)
            raise Refused(400, N_("This page does not answer to that name."))
        return check_post() if request.method == "POST" else check_look()

    def check_post() -> AnyResponse | None:
        if not from_own_page():
            logger.warning("refused foreign post from %s", request.remote_addr)
            raise Refused(403, N_("This did not come from Dicelight's own page."))
        if request.blueprint in ACTS_WITHOUT_JOINING:
            return None
        who = visitor()
        if who is None:
            raise Refused(403, N_("Join the table first."))
        if not who.may_act:
            raise Refused(403, N_("Spectators only look. Join as a player to act."))
        return None

    def check_look() -> AnyResponse | None:
        place = request.blueprint or request.endpoint
        if place is None or place in OPEN_TO_ALL or visitor() is not None:
            return None
        if request.blueprint in FOR_PROGRAMS:
            raise Refused(403, N_("Join the table first."))
        return redirect(url_for("join.show"), 303)

    @app.after_request
    def add_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        return response
