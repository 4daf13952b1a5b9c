"""``/flow``: what players answer to the guided flows."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, request, url_for
from werkzeug.wrappers import Response

from device.rosters.store import remember_cards
from web.act import act, text, ticked, whole
from web.games.foww.learned import KNOWN, learned
from web.hub import current_snapshot, hub

bp = Blueprint("flow", __name__, url_prefix="/flow")

LONGEST_KEY = 80


def _free(args: dict[str, Any]) -> dict[str, Any]:
    return args | {"override": True} if ticked("override") else args


def _act(name: str, args: dict[str, Any]) -> Response:
    """Act, and keep for later nights what the table has learned about cards."""
    before = current_snapshot().state.content
    response = act(name, args, back=url_for("now.show"))
    after = hub().companion.snapshot().state.content
    folder = hub().settings.state
    if folder is not None and after.sheet.get(KNOWN) != before.sheet.get(KNOWN):
        remember_cards(folder, learned(after))
    return response


@bp.post("/begin")
def begin() -> Response:
    """Begin a flow."""
    args: dict[str, Any] = {"kind": text("kind")}
    if request.form.get("model"):
        args["model"] = text("model")
    if ticked("quick"):
        args["quick"] = True
    return _act("flow_begin", _free(args))


@bp.post("/choose")
def choose() -> Response:
    """Answer with one choice, with any number of them, or with a number."""
    if "number" in request.form:
        return _act("flow_choose", {"number": whole("number")})
    if ticked("several"):
        chosen = request.form.getlist("choose")
        return _act("flow_choose", _free({"choose": chosen}))
    return _act("flow_choose", _free({"choose": text("choose", LONGEST_KEY)}))


@bp.post("/skip")
def skip() -> Response:
    """Answer as somebody who does not want it."""
    return _act("flow_skip", {})


@bp.post("/back")
def back() -> Response:
    """Take back the last answer."""
    return _act("flow_back", {})


@bp.post("/resume")
def resume() -> Response:
    """Ask for the dice again."""
    return _act("flow_resume", {})


@bp.post("/leave")
def leave() -> Response:
    """Leave the flow; the rest is done by hand."""
    return _act("flow_cancel", {})
