"""The rules as JSON: one question, one answer, the same for every game.

Nothing is kept between calls, and every roll or toss is in the question.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from device.errors import BadInput, RulesError
from device.rules.answer import Answer, as_json
from device.rules.fields import Reader
from device.rules.foww import resolve as foww
from device.rules.munchkin import resolve as munchkin
from device.rules.special import resolve as special
from device.rules.stalker import resolve as stalker

GAMES: Final[Mapping[str, Mapping[str, Reader]]] = {
    "foww": foww.KINDS,
    "munchkin": munchkin.KINDS,
    "special": special.KINDS,
    "stalker": stalker.KINDS,
}
"""Reader of each kind of question, by game."""


def resolve(game: str, kind: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer to a question as JSON values.

    "Not allowed by the rules" is an answer; a badly asked question is an error.

    Args:
        game: A key of `GAMES`.
        kind: A kind of that game.
        given: The question, as JSON values.

    Returns:
        The kind's output fields, `steps` (each `rule`, `key`, `text`, `params`) and
        `open`.

    Raises:
        BadInput: Not a well-formed question; `field` is the path of the fault.

    Source: the resolvers' contracts, section 1.
    """
    if not isinstance(game, str) or game not in GAMES:
        raise BadInput(f"unknown game {game!r}; known: {', '.join(GAMES)}", "game")
    kinds = GAMES[game]
    if not isinstance(kind, str) or kind not in kinds:
        raise BadInput(f"unknown kind {kind!r}; known: {', '.join(kinds)}", "kind")
    if not isinstance(given, Mapping):
        raise BadInput("the question must be a JSON object", "")
    try:
        answer = kinds[kind].read(given, "")
    except BadInput:
        raise
    except RulesError as error:
        raise BadInput(str(error), error.field) from error
    if not isinstance(answer, Answer):
        raise TypeError(f"{game} {kind} made no answer but {type(answer).__name__}")
    found: dict[str, Any] = as_json(answer)
    return found


def resolve_text(game: str, kind: str, text: str) -> dict[str, Any]:
    """Return the answer to a question written as one JSON object.

    Raises:
        BadInput: Not JSON or not an object (`field` is ""), or badly asked.

    Source: the resolvers' contracts, section 1.
    """
    return resolve(game, kind, parse_object(text))


def resolve_batch(lines: Iterable[str]) -> Iterator[str]:
    """Yield one line of JSON for each question, in order; empty lines are passed over.

    Args:
        lines: JSON Lines, each `{"id", "game", "kind", "given"}`.

    Yields:
        `{"id", "result"}` or `{"id", "error": {"field", "message"}}`.

    Raises:
        BadInput: After the last line, if a line was no JSON object with an `id`; that
            line was answered with the id null.

    Source: the resolvers' contracts, section 1.
    """
    unreadable = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        identity, answer = _answer_line(line)
        if identity is None:
            unreadable.append(number)
        yield json.dumps({"id": identity, **answer}, ensure_ascii=False)
    if unreadable:
        raise BadInput(
            f"line {unreadable[0]} is not a JSON object with an id"
            + (f" ({len(unreadable)} such lines)" if len(unreadable) > 1 else ""),
            "id",
        )


def _answer_line(line: str) -> tuple[str | int | float | None, dict[str, Any]]:
    try:
        asked = parse_object(line)
    except BadInput as error:
        return None, as_error(error)
    identity = asked.get("id")
    if isinstance(identity, bool) or not isinstance(identity, (str, int, float)):
        return None, as_error(BadInput("'id' is missing or no text or number", "id"))
    try:
        for name in ("game", "kind", "given"):
            if name not in asked:
                raise BadInput(f"{name!r} is missing", name)
        found = resolve(asked["game"], asked["kind"], asked["given"])
    except BadInput as error:
        return identity, as_error(error)
    return identity, {"result": found}


def as_error(error: RulesError) -> dict[str, Any]:
    """Return the JSON form of a badly asked question.

    Source: the resolvers' contracts, section 1.
    """
    return {"error": {"field": error.field, "message": str(error)}}


def parse_object(text: str) -> dict[str, Any]:
    """Return the JSON object that a text holds.

    Raises:
        BadInput: Not JSON, or not an object; `field` is "".

    Source: the resolvers' contracts, section 1.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"not JSON: {error}", "") from error
    if not isinstance(value, dict):
        raise BadInput("the question must be a JSON object", "")
    return value
