"""``/game``: which game is played, and what becomes of the table of another one."""

from __future__ import annotations

from flask import Blueprint, render_template, url_for
from werkzeug.wrappers import Response

from device.table.state import Content, TableState
from web.act import act, text, ticked
from web.games.registry import PAGES
from web.hub import current_snapshot

bp = Blueprint("game", __name__)


def is_untouched(state: TableState) -> bool:
    """Say whether nothing lies on the table and no other table is kept."""
    return state.content == Content(game=state.game) and len(state.log) < 2


def kept(state: TableState) -> tuple[str, ...]:
    """Return the games whose tables of this night are kept aside."""
    return tuple(one.game for one in state.content.parked)


@bp.get("/game")
def show() -> str:
    """Show the games, and which of them has a table tonight."""
    state = current_snapshot().state
    return render_template("game.html", pages=PAGES, kept=kept(state))


@bp.post("/game")
def choose() -> Response:
    """Open the table of a game; with ``fresh`` an empty one."""
    args = {"game": text("game")} | ({"fresh": True} if ticked("fresh") else {})
    return act("choose_game", args, back=url_for("now.show"))
