"""``/api/v1``: the same state and the same commands as JSON, for programs.

A program shows a token that the host made (``Authorization: Bearer ...``) and reads; a
joined device shows its cookie, and a player's may send commands. The description in
``openapi.json`` is made from the dataclasses that are sent and read here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from flask import Blueprint, Response, jsonify, request, url_for

from device.errors import BadInput
from device.rollbook import Played
from device.table.codec import JSON, to_json
from device.table.state import Check, Cue, Roll, Want
from device.table.view import Command, Message, StripView
from web.hub import current_snapshot, hub
from web.language import marked as N_
from web.log import correctable
from web.reasons import Refused
from web.schema import Received, limits, parse
from web.stream import open_stream
from web.visitors import visitor

bp = Blueprint("api", __name__, url_prefix="/api/v1")

PAGE: Final = 20
"""Rolls told at once where the caller does not say how many."""

MOST: Final = 100
"""Rolls told at once: a few hundred kilobytes with all their steps."""

NEWEST: Final = 999_999_999
"""No night has so many events."""


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
    """A roll as it stands, with what it was for and what came of it.

    Attributes:
        seq: Number of the event that told of it first.
        at_s: When that was, seconds since the epoch by the device's clock.
        roll: Its dice; one that was put right says what it was before.
        check: Id of its check, "" for a throw that none had asked for.
        kind: Kind of the check, or "".
        by: Who opened the check, or "".
        status: Status of the check with this roll, or "".
        result: What the rules made of it, or null.
        amended: Something of it was put right or doubted later.
        undone: It was taken back; what stands here is what it had been.
        can_correct: Its dice can still be put right.
        photo: Path of its photograph, or null where none was taken. The device keeps
            a limited number: the path of an old one may answer 404.
    """

    seq: int
    at_s: float
    roll: Roll
    check: str
    kind: str
    by: str
    status: str
    result: Mapping[str, JSON] | None
    amended: bool
    undone: bool
    can_correct: bool
    photo: str | None


@dataclass(frozen=True, slots=True)
class RollsView:
    """The rolls of this night, newest first, a page of them.

    Attributes:
        version: Of a snapshot that the page is no older than.
        seq: Number of that snapshot's last event.
        night: Id of the game night; ids of rolls are unique within it.
        rolls: Everything that was rolled, taken back or not.
        next: Give it as `before` for the page that follows; null on the last one.
        complete: False where a part of the night's journal was lost by damage, and
            rolls with it.
    """

    version: str
    seq: int
    night: str
    rolls: tuple[RollView, ...]
    next: int | None
    complete: bool


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
    """Return the rolls of this night, newest first, a page at a time."""
    now = current_snapshot()
    before = query_number("before", NEWEST, NEWEST)
    most = query_number("limit", PAGE, MOST)
    night, book = now.state.night, hub().companion.rolls
    page = book.page(night, now.seq, before=before, most=most)
    fixable = correctable()
    known = tuple(_view(one, one.roll.id in fixable) for one in page.rolls)
    view = RollsView(now.version, now.seq, night, known, page.next, page.complete)
    return jsonify(to_json(view))


@bp.get("/rolls/<roll_id>/photo")
def photo(roll_id: str) -> Response:
    """Return the photograph that was kept of a roll of this night."""
    reading = query_number("reading", 0, NEWEST)
    picture = hub().companion.roll_jpeg(roll_id, reading)
    if picture is None:
        raise Refused(404, N_("No photograph was kept of this roll."), "roll_id")
    return Response(picture, mimetype="image/jpeg")


def query_number(name: str, default: int, most: int) -> int:
    """Return a whole number above 0 from the address.

    Args:
        name: Of the parameter.
        default: What it is where it is left out.
        most: The greatest that is taken.

    Raises:
        BadInput: It is something else.
    """
    given = request.args.get(name)
    if given is None:
        return default
    digits = given if re.fullmatch("[0-9]{1,9}", given) else "0"
    if not 1 <= int(digits) <= most:
        raise BadInput(N_("That number is out of range."), name)
    return int(digits)


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


def _view(one: Played, can_correct: bool) -> RollView:
    path = url_for("api.photo", roll_id=one.roll.id, reading=one.reading)
    return RollView(
        seq=one.seq,
        at_s=one.at_s,
        roll=one.roll,
        check=one.check,
        kind=one.kind,
        by=one.by,
        status=one.status,
        result=one.result,
        amended=one.amended,
        undone=one.undone,
        can_correct=can_correct,
        photo=path if one.roll.photo and one.reading else None,
    )
