"""Tokens as the page shows them: name, drawing, count, whether more may lie there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from device.errors import TableError
from device.games.foww.tokens import count_of, limit_of, token_names
from device.table.army import TABLE_TOKENS, Armies, Model, Unit
from web.games.foww import tokens

ALWAYS: Final = ("regular", "radiation", "reaction")
"""Tokens that are offered at a glance; the others once they lie there."""


CARRIED: Final = ("item", "loaded")
"""Tokens that say what a model has, not how it fares."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token as shown.

    Attributes:
        key: As commands name it.
        kind: What it is drawn by.
        label: Its name in words.
        count: How many lie there.
        full: No more may lie there.
    """

    key: str
    kind: str
    label: str
    count: int
    full: bool


def model_tokens(unit: Unit, model: Model) -> tuple[Token, ...]:
    """Return every token that a model may have."""
    return tuple(
        Token(
            key=key,
            kind=tokens.kind_of(key),
            label=tokens.token_words(key, tokens.carried_name(unit, key)),
            count=count_of(unit, model, key),
            full=_is_full(unit, model, key),
        )
        for key in token_names(unit)
    )


def _is_full(unit: Unit, model: Model, key: str) -> bool:
    try:
        return count_of(unit, model, key) >= limit_of(unit, model, key)
    except TableError:  # nobody has said the limit, or none may be there now
        return True


def brief(unit: Unit, model: Model) -> tuple[Token, ...]:
    """Return the tokens that tell how a model fares: what it only carries stays out."""
    shown = model_tokens(unit, model)
    return tuple(one for one in shown if one.count and one.kind not in CARRIED)


def table_tokens(armies: Armies) -> tuple[Token, ...]:
    """Return the tokens that lie on the table."""
    return tuple(
        Token(key, key, tokens.token_words(key), getattr(armies, key), False)
        for key in TABLE_TOKENS
    )


def at_a_glance(shown: Iterable[Token]) -> tuple[Token, ...]:
    """Return the tokens worth showing before anybody asks."""
    return tuple(one for one in shown if one.count or one.key in ALWAYS)
