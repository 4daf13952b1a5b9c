"""``/setup``: which parts work, who is here, language."""

from __future__ import annotations

from flask import Blueprint, render_template

bp = Blueprint("setup", __name__)


@bp.get("/setup")
def show() -> str:
    """Show the parts with their state, and who has joined."""
    return render_template("setup.html")
