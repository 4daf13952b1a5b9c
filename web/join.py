"""``/join``: a phone becomes a player's or a spectator's."""

from __future__ import annotations

import segno
from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from web.addresses import join_url
from web.hub import hub
from web.language import marked as N_
from web.reasons import Refused
from web.visitors import join, leave

bp = Blueprint("join", __name__)


def invitation() -> dict[str, str]:
    """Return the address for other phones and its QR code as an SVG.

    The code carries the address by number: many phones do not know ``.local``.
    """
    here = hub().settings
    url = join_url(request.headers.get("Host", ""), here.addresses(), here.port)
    drawn = segno.make(url, error="m", micro=False).svg_inline(
        scale=4, border=2, dark="#14120e", light="#ffffff", omitsize=True
    )
    return {"url": url, "qr": str(drawn)}


@bp.get("/join")
def show() -> str:
    """Ask for a name and a role; show how other phones get here."""
    return render_template("join.html", **invitation())


@bp.post("/join")
def enter() -> Response:
    """Let this device in."""
    here = hub()
    if not here.joins.allow(request.remote_addr or ""):
        raise Refused(429, N_("Too many tries. Please wait a minute."))
    join(request.form.get("name", ""), request.form.get("role", ""))
    return redirect(url_for("now.show"), 303)


@bp.post("/leave")
def depart() -> Response:
    """Forget this device."""
    leave()
    return redirect(url_for("join.show"), 303)
