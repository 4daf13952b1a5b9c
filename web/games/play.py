"""``/play``: the commands of the game in play, one route for all of them."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, abort, request, url_for
from werkzeug.wrappers import Response

from web.act import act
from web.games.forms import args_of
from web.games.own import remember
from web.games.registry import PAGES
from web.hub import current_snapshot

bp = Blueprint("play", __name__)

BACK: Final = {"now": "now.show", "rulers": "rulers.show"}
"""Screens that a browser without scripts goes back to; any other is Units."""


@bp.post("/play/<command>")
def play(command: str) -> Response:
    """Carry out a command of the game in play."""
    known = PAGES[current_snapshot().state.game].commands
    if command not in known:
        abort(404)
    where = request.form.get("model", "")
    anchor = (
        f"e-{where.replace(':', '-')}" if where.replace(":", "").isalnum() else None
    )
    back = BACK.get(request.form.get("back", ""), "units.show")
    response = act(command, args_of(known[command]), back=url_for(back, _anchor=anchor))
    if command.endswith("_own") or command.startswith("own_"):
        remember()
    return response


@bp.post("/play/throw/<check>")
def throw(check: str) -> Response:
    """Open a check that a button asks for, its arguments in hidden fields."""
    page = PAGES[current_snapshot().state.game]
    if check not in page.check_words:
        abort(404)
    given = {name: value for name, value in request.form.items() if name != "id"}
    args = {"check": check, **given}
    return act("open_check", args, back=url_for("now.show"))
