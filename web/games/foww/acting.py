"""``/flow``: what players answer to the guided flows."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, request, url_for
from werkzeug.wrappers import Response

from web.act import act, text, ticked, whole

bp = Blueprint("flow", __name__, url_prefix="/flow")

LONGEST_KEY = 80


def _free(args: dict[str, Any]) -> dict[str, Any]:
    return args | {"override": True} if ticked("override") else args


def _act(name: str, args: dict[str, Any]) -> Response:
    return act(name, args, back=url_for("now.show"))


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
