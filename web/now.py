"""``/now``: what is asked, which dice, the tray, the result; putting it right."""

from __future__ import annotations

from flask import Blueprint, render_template, request, url_for
from werkzeug.wrappers import Response

from device.errors import BadInput, TableError
from device.table.codec import to_json
from web import screens
from web.act import act, text, whole
from web.games.registry import PAGES
from web.hub import current_snapshot, hub
from web.language import marked as N_

bp = Blueprint("now", __name__)


@bp.get("/now")
def show() -> str:
    """Show the table as it is now.

    Query: ``open`` shows the form of a new check, with the values of ``model`` (and
    its ``weapon`` at ``range``) where they are given, ``type`` the faces to type in,
    ``die`` (and ``roll``) the faces of a die to put right.
    """
    view = screens.now(hub(), current_snapshot(), request.args)
    return render_template("now.html", **view)


@bp.post("/now/open")
def open_check() -> Response:
    """Open a check."""
    asks = PAGES[current_snapshot().state.game].asks
    kind = request.form.get("check", "")
    if kind not in asks:
        raise BadInput(N_("Please choose a kind of check."), "check")
    return act("open_check", asks[kind].args(request.form), back=url_for(".show"))


@bp.post("/now/follow")
def follow() -> Response:
    """Open the check that follows from the result, just as it follows."""
    offer = current_snapshot().state.offer
    if offer is None:
        raise TableError("nothing follows from the result", "nothing_follows")
    return act("open_check", to_json(offer), back=url_for(".show"))


@bp.post("/now/close")
def close_check() -> Response:
    """Close the check, resolved or not."""
    return act("close_check", {}, back=url_for(".show"))


@bp.post("/now/throw")
def throw() -> Response:
    """Throw the dice of the check into a simulated tray."""
    return act("throw", {}, back=url_for(".show"))


@bp.post("/now/enter")
def enter_die() -> Response:
    """Take a face typed in by hand."""
    args = {"die": text("die"), "face": text("face")}
    return act("enter_die", args, back=url_for(".show", type=1))


@bp.post("/now/correct")
def correct_die() -> Response:
    """Put one die right."""
    args = {"roll": text("roll"), "die": text("die"), "face": text("face")}
    return act("correct_die", args, back=url_for(".show"))


@bp.post("/now/confirm")
def confirm() -> Response:
    """Accept the doubtful dice as read, or the dice lying there."""
    return act("confirm", {}, back=url_for(".show"))


@bp.post("/undo")
def undo() -> Response:
    """Take back the last step, or all steps down to one of the log."""
    args = {"seq": whole("seq")} if request.form.get("seq") else {}
    back = "log.show" if args else "now.show"
    return act("undo", args, back=url_for(back))


@bp.post("/redo")
def redo() -> Response:
    """Bring back what was undone."""
    return act("redo", {}, back=url_for(".show"))
