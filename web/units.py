"""``/units``: who plays, and every token one tap away, as the game shows it."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from web.games.registry import PAGES
from web.hub import current_snapshot

bp = Blueprint("units", __name__)


@bp.get("/units")
def show() -> str:
    """Show the units of the game in play."""
    snapshot = current_snapshot()
    shown = PAGES[snapshot.state.game].units
    return render_template(shown.template, **shown.view(snapshot, request.args))
