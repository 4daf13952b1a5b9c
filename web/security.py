"""Only devices that joined may act, and no other site may act through them.

1. The ``Host`` must be a number or a name of ours (DNS rebinding needs a name).
2. A POST must come from our own page (``Origin``, else ``Referer``).
3. A POST needs a joined player; spectators and programs with a token look.
4. The API takes a token of the host's instead of a cookie, for reading only; so pages
   from elsewhere may read there too, if they show one.
5. Every answer forbids foreign scripts, frames and type sniffing.
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
from web.visitors import is_program, visitor

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

FOR_TOKENS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": "Authorization, Last-Event-ID",
    "Access-Control-Allow-Methods": "GET",
    "Access-Control-Max-Age": "600",
}
"""Of the API's answers. Cookies never come along from elsewhere, so what a foreign page
reads is what its token lets it read."""

OPEN_TO_ALL = frozenset({"static", "join", "language", "icon", "health", "api.openapi"})
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


def stranger() -> Refused:
    """Return the refusal for whoever has not joined and shows no token."""
    status = 401 if request.blueprint == "api" else 403
    return Refused(status, N_("Join the table first."))


def init_app(app: Flask, names: Iterable[str]) -> None:
    """Check every request, and add `HEADERS` to every answer."""
    allowed = known_names(names)

    @app.before_request
    def check() -> AnyResponse | None:
        host = host_name(request.headers.get("Host", ""))
        if not is_number(host) and host not in allowed:
            logger.warning("refused host %r from %s", host, request.remote_addr)
            raise Refused(400, N_("This page does not answer to that name."))
        if request.method == "OPTIONS" and request.blueprint == "api":
            return None  # a browser asks whether it may show its token
        if is_program():
            return check_program()
        return check_post() if request.method == "POST" else check_look()

    def check_program() -> AnyResponse | None:
        if visitor() is None:
            logger.warning("refused an unknown token from %s", request.remote_addr)
            raise Refused(401, N_("There is no such token."))
        if request.method not in ("GET", "HEAD"):
            logger.warning("refused a token that acts from %s", request.remote_addr)
            raise Refused(403, N_("A token only reads."))
        return None

    def check_post() -> AnyResponse | None:
        if not from_own_page():
            logger.warning("refused foreign post from %s", request.remote_addr)
            raise Refused(403, N_("This did not come from Dicelight's own page."))
        if request.blueprint in ACTS_WITHOUT_JOINING:
            return None
        who = visitor()
        if who is None:
            raise stranger()
        if not who.may_act:
            logger.warning("refused a spectator that acts: %s", request.path)
            raise Refused(403, N_("Spectators only look. Join as a player to act."))
        return None

    def check_look() -> AnyResponse | None:
        places = {request.blueprint or request.endpoint, request.endpoint}
        if None in places or places & OPEN_TO_ALL or visitor() is not None:
            return None
        if request.blueprint in FOR_PROGRAMS:
            raise stranger()
        return redirect(url_for("join.show"), 303)

    @app.after_request
    def add_headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
        if request.blueprint == "api":
            for name, value in FOR_TOKENS.items():
                response.headers.setdefault(name, value)
            if response.status_code == 401:
                response.headers.setdefault("WWW-Authenticate", "Bearer")
        return response
