"""Sends a command of this visitor to the table, once however often it arrives."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from flask import jsonify, redirect, request
from werkzeug.wrappers import Response

from device.errors import BadInput
from device.table.view import Command
from web.hub import hub
from web.language import marked as N_
from web.refusals import wants_json
from web.visitors import visitor

WHOLE = range(-999, 1_000_000)
"""Any number typed on the page lies in here."""


def act(
    name: str, args: Mapping[str, Any], *, back: str, content: str = ""
) -> Response:
    """Carry out a command and answer: JSON for our script, else the way back.

    Args:
        name: Of the command.
        args: Its arguments.
        back: Where a browser without scripts goes on.
        content: What was sent beside the form's fields: an uploaded file's digest.

    Raises:
        TableError: It does not fit what is true now.
        BadInput: It is not well formed.
    """
    who = visitor()
    assert who is not None  # checked before every request
    outcome = hub().companion.do(
        Command(name, args, by=who.name, id=command_id(who.id, name, content))
    )
    if wants_json():
        return jsonify(version=outcome.version)
    return redirect(back, 303)


def command_id(device: str, name: str, content: str = "") -> str:
    """Return the id of this command, "" where the form gave none.

    The form's own id is mixed with the device and with all that was sent: a repeat is
    the same, and no device can name another one's command. What the command works out
    from the table's state stays out of it: that may have changed through the first.
    """
    form_id = request.form.get("id", "")
    if not form_id:
        return ""
    text = json.dumps([device, name, sorted(request.form.items(multi=True)), content])
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def whole(field: str, default: int | None = None) -> int:
    """Return a whole number from the form.

    Raises:
        BadInput: Missing (and no default), not a whole number, or beyond reason.
    """
    text = request.form.get(field, "").strip().replace("−", "-")
    if not text and default is not None:
        return default
    try:
        value = int(text)
    except ValueError:
        raise BadInput(N_("Please type a whole number."), field) from None
    if value not in WHOLE:
        raise BadInput(N_("That number is out of range."), field)
    return value


def ticked(field: str) -> bool:
    """Say whether a box of the form is ticked."""
    return field in request.form


def text(field: str, longest: int = 64) -> str:
    """Return a short text from the form.

    Raises:
        BadInput: Missing or too long.
    """
    value = request.form.get(field, "")
    if not 1 <= len(value) <= longest:
        raise BadInput(N_("Something is missing in the form."), field)
    return value
