"""``/setup``: which parts work, who is here, how to invite, language."""

from __future__ import annotations

from flask import Blueprint, render_template

from web.hub import hub
from web.join import invitation

bp = Blueprint("setup", __name__)


@bp.get("/setup")
def show() -> str:
    """Show the parts with their state, the people and the QR code."""
    return render_template(
        "setup.html", present=hub().streams.present(), **invitation()
    )
