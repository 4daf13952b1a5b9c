"""The OpenAPI 3.1 document of ``/api/v1``, made from what `web.api` sends and reads."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from device.decisions import DECISIONS
from device.games.registry import GAMES
from device.table.view import Outcome, Snapshot
from web import api, stream
from web.refusals import Refusal
from web.schema import Schemas

VERSION: Final = "1.1.0"
"""Of the interface; its first number stands in the path."""

JSON_TYPE: Final = "application/json"
EVENTS_TYPE: Final = "text/event-stream"
PICTURE_TYPE: Final = "image/jpeg"

REASONS: Final = {
    400: "Not well formed; `field` says where.",
    401: "No token and no cookie of a device that joined, or not a valid one.",
    403: "A spectator or a token cannot act; or the request comes from another site.",
    404: "Nothing is there.",
    409: "Does not fit what is true at the table now.",
    413: "Too large.",
    415: "Not sent as JSON.",
    503: "Too many streams are open, or the disk refuses; try again in a moment.",
}


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that can be asked.

    Attributes:
        path: Under ``/api/v1``.
        view: The function that answers.
        answer: Dataclass of the answer, or None where it is no JSON.
        refusals: Statuses of refusals.
        media: Type of the answer.
        method: Of the request.
        body: Dataclass of the request's body, or None.
    """

    path: str
    view: Callable[..., Any]
    answer: type | None
    refusals: tuple[int, ...] = (400, 401)
    media: str = JSON_TYPE
    method: str = "get"
    body: type | None = None


OPERATIONS: Final = (
    Operation("/state", api.state, Snapshot),
    Operation("/prompt", api.prompt, api.PromptView),
    Operation("/rolls", api.rolls, api.RollsView, (400, 401, 503)),
    Operation("/rolls/{roll_id}/photo", api.photo, None, (400, 401, 404), PICTURE_TYPE),
    Operation("/ruler", api.ruler, api.RulerView),
    Operation("/stream", api.stream, None, (400, 401, 503), EVENTS_TYPE),
    Operation(
        "/commands",
        api.command,
        Outcome,
        (400, 401, 403, 409, 413, 503),
        method="post",
        body=api.CommandRequest,
    ),
)

EVENTS: Final = {
    "change": stream.ChangeEvent,
    "heartbeat": stream.HeartbeatEvent,
    "bye": stream.ByeEvent,
}
"""Events of the stream, with the dataclass of their data."""

ABOUT_EVENTS: Final = (
    "Server-sent events; the schema is that of each. The id of a change is its "
    "version; a stream that is opened again with it goes on from there. At least every "
    "15 s something is sent."
)

SINCE: Final = {
    "name": "since",
    "in": "query",
    "description": "Version that the caller holds; a Last-Event-ID goes before.",
    "schema": {"type": "string", "maxLength": stream.VERSION_LENGTH},
}

ROLL_ID: Final = {
    "name": "roll_id",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "minLength": 1},
}


BEFORE: Final = {
    "name": "before",
    "in": "query",
    "description": "Only rolls first told before this event: `next` of the page "
    "before. Left out, the newest.",
    "schema": {"type": "integer", "minimum": 1, "maximum": api.NEWEST},
}

LIMIT: Final = {
    "name": "limit",
    "in": "query",
    "description": "How many at most.",
    "schema": {
        "type": "integer",
        "minimum": 1,
        "maximum": api.MOST,
        "default": api.PAGE,
    },
}

READING: Final = {
    "name": "reading",
    "in": "query",
    "description": "Event of the reading it was taken of; left out, that which counts "
    "now, of a recent roll. The `photo` of a roll has it filled in.",
    "schema": {"type": "integer", "minimum": 1, "maximum": api.NEWEST},
}

PARAMETERS: Final[Mapping[str, list[dict[str, Any]]]] = {
    "/rolls": [BEFORE, LIMIT],
    "/rolls/{roll_id}/photo": [ROLL_ID, READING],
    "/stream": [SINCE],
}
"""By path."""


@cache
def document() -> dict[str, Any]:
    """Return the document; the same object every time."""
    schemas = Schemas()
    refusal = schemas.of(Refusal)
    paths: dict[str, Any] = {}
    for one in OPERATIONS:
        paths.setdefault(f"/api/v1{one.path}", {})[one.method] = _operation(
            one, schemas, refusal
        )
    command = schemas.found[api.CommandRequest.__name__]
    command["properties"]["name"]["enum"] = sorted(
        {
            "throw",
            *DECISIONS,
            *(name for game in GAMES.values() for name in game.commands),
        }
    )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Dicelight",
            "version": VERSION,
            "description": "What is true at the table, as JSON. "
            "The version of a snapshot changes with everything it shows.",
        },
        "servers": [{"url": "/"}],
        "security": [{"token": []}, {"device": []}],
        "paths": paths,
        "components": {
            "schemas": schemas.found,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "Made by the host on the page; reads only.",
                },
                "device": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "dicelight",
                    "description": "The cookie of a device that joined.",
                },
            },
        },
    }


def _operation(one: Operation, schemas: Schemas, refusal: Any) -> dict[str, Any]:
    words = inspect.cleandoc(one.view.__doc__ or "")
    made: dict[str, Any] = {
        "operationId": one.view.__name__,
        "summary": words.split("\n")[0],
        "responses": {"200": _answer(one, schemas)},
    }
    for status in one.refusals:
        made["responses"][str(status)] = {
            "description": REASONS[status],
            "content": {JSON_TYPE: {"schema": refusal}},
        }
    if one.body is not None:
        made["requestBody"] = {
            "required": True,
            "content": {JSON_TYPE: {"schema": schemas.of(one.body)}},
        }
        made["security"] = [{"device": []}]
    if one.path in PARAMETERS:
        made["parameters"] = PARAMETERS[one.path]
    if one.media == EVENTS_TYPE:
        made["description"] = ABOUT_EVENTS
    return made


def _answer(one: Operation, schemas: Schemas) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    if one.answer is not None:
        schema = schemas.of(one.answer)
    elif one.media == EVENTS_TYPE:
        schema = {"oneOf": [_event(name, schemas.of(EVENTS[name])) for name in EVENTS]}
    return {"description": "Done.", "content": {one.media: {"schema": schema}}}


def _event(name: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of one event of the stream; its data is JSON in a text."""
    text = {"type": "string", "contentMediaType": JSON_TYPE, "contentSchema": data}
    return {
        "type": "object",
        "properties": {
            "event": {"const": name},
            "data": text,
            "id": {"type": "string"},
            "retry": {"type": "integer"},
        },
        "required": ["event", "data"],
    }
