"""``/api``: the same state and the same commands as JSON, for programs."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request

from device.errors import BadInput
from device.table.codec import to_json
from device.table.view import Command
from web.hub import hub
from web.language import marked as N_
from web.visitors import visitor

bp = Blueprint("api", __name__, url_prefix="/api")


@bp.get("/state")
def state() -> Response:
    """Return the whole snapshot."""
    return jsonify(to_json(hub().companion.snapshot()))


@bp.post("/commands")
def command() -> Response:
    """Carry out ``{"name", "args", "id"}``; an id is carried out once per device."""
    who = visitor()
    assert who is not None  # checked before every request
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        raise BadInput(N_("Expected a JSON object."), "")
    name, args, own_id = body.get("name"), body.get("args", {}), body.get("id", "")
    if not isinstance(name, str) or not 1 <= len(name) <= 64:
        raise BadInput(N_("Expected the name of a command."), "name")
    if not isinstance(args, dict):
        raise BadInput(N_("Expected a JSON object."), "args")
    if not isinstance(own_id, str) or len(own_id) > 64:
        raise BadInput(N_("Expected a text of at most 64 letters."), "id")
    outcome = hub().companion.do(
        Command(name, args, by=who.name, id=f"{who.id}:{own_id}" if own_id else "")
    )
    return jsonify(version=outcome.version, events=list(outcome.events))
