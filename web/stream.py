"""``/stream``: server-sent events that tell every phone that something changed.

Each event carries the version as its id. It does not carry the screen: the phone
fetches the rendered screen it looks at, so one slow phone never holds back another,
and a phone that missed everything is right again after one event.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, request

from device.table.codec import to_json
from device.table.view import Snapshot
from web.feed import Ticket
from web.hub import Companion, hub
from web.language import marked as N_
from web.reasons import Refused
from web.visitors import visitor

bp = Blueprint("stream", __name__)

POLL_S = 0.5
"""How long one wait for news may hold a stream that has to end."""

RETRY_MS = 1500
"""After a cut, the browser tries again this soon."""

VERSION_LENGTH = 128


@dataclass(frozen=True, slots=True)
class ChangeEvent:
    """Data of the event ``change``: something is different now.

    Attributes:
        version: Of the snapshot that shows it.
        seq: Number of the last event; changes with the truth at the table.
        phase: Of the tray.
        check: Status of the open check, or "".
    """

    version: str
    seq: int
    phase: str
    check: str


@dataclass(frozen=True, slots=True)
class HeartbeatEvent:
    """Data of the event ``heartbeat``: still here, nothing new.

    Attributes:
        version: Of the snapshot that is still the newest.
    """

    version: str


@dataclass(frozen=True, slots=True)
class ByeEvent:
    """Data of the event ``bye``: the stream ends here.

    Attributes:
        gone: True where the device or the token was taken off the table.
    """

    gone: bool


def notice(snapshot: Snapshot) -> bytes:
    """Return the event that tells of a snapshot."""
    check = snapshot.state.check
    status = check.status if check else ""
    return _change(snapshot.version, snapshot.seq, snapshot.live.phase, status)


@lru_cache(maxsize=4)
def _change(version: str, seq: int, phase: str, check: str) -> bytes:
    """Return the event, encoded once for all streams."""
    told = ChangeEvent(version, seq, phase, check)
    return f"id: {version}\n".encode() + _event("change", told)


def heartbeat(version: str) -> bytes:
    """Return the event that says: still here, nothing new."""
    return _event("heartbeat", HeartbeatEvent(version))


def _event(kind: str, told: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps(to_json(told))}\n\n".encode()


def events(
    companion: Companion,
    ticket: Ticket,
    since: str,
    *,
    heartbeat_s: float,
    now_s: Callable[[], float],
    turn_s: Callable[[], float] = lambda: 0.0,
) -> Iterator[bytes]:
    """Yield events until the ticket ends.

    A phone that holds the current version gets a heartbeat at once, one that does
    not gets a notice; then news as it happens and heartbeats in between.

    Args:
        companion: Where news comes from.
        ticket: Ends the stream.
        since: Version that the phone holds, "" for none.
        heartbeat_s: Longest silence.
        now_s: Monotonic seconds.
        turn_s: Takes this phone's turn to be told and returns how long that is.
    """
    version = since
    silent_since = now_s()
    snapshot = companion.snapshot()
    start = notice(snapshot) if snapshot.version != since else heartbeat(version)
    yield f"retry: {RETRY_MS}\n".encode() + start
    version = snapshot.version
    while not ticket.ended.is_set():
        left_s = silent_since + heartbeat_s - now_s()
        if left_s <= 0:
            silent_since = now_s()
            yield heartbeat(version)
            continue
        snapshot = companion.wait_newer(version, min(POLL_S, left_s))
        if snapshot.version != version:
            if ticket.ended.wait(turn_s()):
                break
            snapshot = companion.snapshot()
            version = snapshot.version
            silent_since = now_s()
            yield notice(snapshot)
    yield _event("bye", ByeEvent(ticket.gone))


@bp.get("/stream")
def stream() -> Response:
    """Open a stream for the page."""
    return open_stream()


def open_stream() -> Response:
    """Open a stream for who asks.

    Raises:
        Refused: Beyond the budget (503); the page then asks now and then.
    """
    here = hub()
    who = visitor()
    assert who is not None  # checked before every request
    since = request.headers.get("Last-Event-ID") or request.args.get("since", "")
    ticket = here.streams.take(who)
    if ticket is None:
        raise Refused(
            503, N_("Too many screens are connected. This one asks now and then.")
        )
    response = Response(
        events(
            here.companion,
            ticket,
            since[:VERSION_LENGTH],
            heartbeat_s=here.settings.heartbeat_s,
            now_s=here.settings.now_s,
            turn_s=here.pace.wait_s,
        ),
        mimetype="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
    response.call_on_close(lambda: here.streams.give_back(ticket))
    return response
