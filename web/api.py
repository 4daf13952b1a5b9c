"""``/api/v1``: the same state and the same commands as JSON, for programs.

A program shows a token that the host made (``Authorization: Bearer ...``) and reads; a
joined device shows its cookie, and a player's may send commands. The description in
``openapi.json`` is made from the dataclasses that are sent and read here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint, Response, jsonify, request, url_for

from device.table.codec import JSON, to_json
from device.table.state import Check, Cue, Roll, Want
from device.table.view import Command, Message, StripView
from web.hub import current_snapshot, hub
from web.language import marked as N_
from web.reasons import Refused
from web.schema import Received, limits, parse
from web.stream import open_stream
from web.visitors import visitor

bp = Blueprint("api", __name__, url_prefix="/api/v1")


@dataclass(frozen=True, slots=True)
class PromptView:
    """What is asked of the players now.

    Attributes:
        version: Of the snapshot this is taken from.
        seq: Number of the last event.
        check: The open or resolved check, or null.
        missing: Dice that it still waits for.
        message: What to tell the players, or null.
    """

    version: str
    seq: int
    check: Check | None
    missing: tuple[Want, ...]
    message: Message | None


@dataclass(frozen=True, slots=True)
class RollView:
    """A roll, with what it was for and what came of it.

    Attributes:
        roll: Its dice.
        check: Id of its check, "" for a throw that none had asked for.
        kind: Kind of the check, or "".
        status: Status of the check, or "".
        result: What the rules made of it, or null.
        photo: Path of its photograph, or null.
    """

    roll: Roll
    check: str
    kind: str
    status: str
    result: Mapping[str, JSON] | None
    photo: str | None


@dataclass(frozen=True, slots=True)
class RollsView:
    """The rolls that can still be put right.

    Attributes:
        version: Of the snapshot this is taken from.
        seq: Number of the last event.
        night: Id of the game night; ids of rolls are unique within it.
        rolls: Of the open check, of the check before, of the last throw that no
            check had asked for; as far as there are any.
    """

    version: str
    seq: int
    night: str
    rolls: tuple[RollView, ...]


@dataclass(frozen=True, slots=True)
class RulerView:
    """What the rulers show.

    Attributes:
        version: Of the snapshot this is taken from.
        seq: Number of the last event.
        cue: What is lit, or null.
        strips: Every strip, true to scale.
    """

    version: str
    seq: int
    cue: Cue | None
    strips: tuple[StripView, ...]


@dataclass(frozen=True, slots=True)
class CommandRequest(Received):
    """Something a player asks for.

    Attributes:
        name: Of the command.
        args: Its arguments.
        id: Chosen by the sender; the same id of one device is carried out once. "" for
            none.
    """

    name: str = field(metadata=limits(least=1, most=64))
    args: Mapping[str, JSON] = field(default_factory=dict)
    id: str = field(default="", metadata=limits(most=64))


@bp.get("/openapi.json")
def openapi() -> Response:
    """Return the description of this interface."""
    from web.openapi import document

    return jsonify(document())


@bp.get("/state")
def state() -> Response:
    """Return the whole snapshot."""
    return jsonify(to_json(current_snapshot()))


@bp.get("/prompt")
def prompt() -> Response:
    """Return what is asked of the players now."""
    now = current_snapshot()
    check, live = now.state.check, now.live
    view = PromptView(now.version, now.seq, check, live.missing, live.message)
    return jsonify(to_json(view))


@bp.get("/rolls")
def rolls() -> Response:
    """Return the rolls that can still be put right, newest check first."""
    now = current_snapshot()
    state = now.state
    found = [_of_check(state.check, state.result)]
    if state.last is not None:
        found.append(_of_check(state.last.check, state.last.result))
    if state.seen is not None:
        found.append(RollView(state.seen, "", "", "", None, _photo(state.seen)))
    known = tuple(one for one in found if one is not None)
    return jsonify(to_json(RollsView(now.version, now.seq, state.night, known)))


@bp.get("/rolls/<roll_id>/photo")
def photo(roll_id: str) -> Response:
    """Return the photograph that was kept of a roll of this night."""
    picture = hub().companion.roll_jpeg(roll_id)
    if picture is None:
        raise Refused(404, N_("No photograph was kept of this roll."), "roll_id")
    return Response(picture, mimetype="image/jpeg")


@bp.get("/ruler")
def ruler() -> Response:
    """Return what the rulers show."""
    now = current_snapshot()
    view = RulerView(now.version, now.seq, now.state.ruler, now.live.strips)
    return jsonify(to_json(view))


@bp.get("/stream")
def stream() -> Response:
    """Tell of every change as it happens (server-sent events)."""
    return open_stream()


@bp.post("/commands")
def command() -> Response:
    """Carry out a command of a player, once for each id."""
    who = visitor()
    assert who is not None  # checked before every request
    asked = parse(CommandRequest, request.get_json(silent=True))
    own_id = f"{who.id}:{asked.id}" if asked.id else ""
    outcome = hub().companion.do(Command(asked.name, asked.args, who.name, own_id))
    return jsonify(to_json(outcome))


def _of_check(check: Check | None, result: Mapping[str, Any] | None) -> RollView | None:
    if check is None or check.roll is None:
        return None
    roll = check.roll
    return RollView(roll, check.id, check.kind, check.status, result, _photo(roll))


def _photo(roll: Roll) -> str | None:
    return url_for("api.photo", roll_id=roll.id) if roll.photo else None
