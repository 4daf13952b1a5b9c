"""What a rule answers: a frozen value with its explanation, and its JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from typing import Any

from device.rules.step import Step
from device.rules.texts import english


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Base of every answer.

    Attributes:
        steps: What was applied, in order.
        open: Ids of the open points whose reading influenced the answer.

    Source: the resolvers' contracts, section 1 (always present).
    """

    steps: tuple[Step, ...] = ()
    open: tuple[str, ...] = ()


_EXPLAINS = ("steps", "open")


def as_json(value: Any) -> Any:
    """Return a value of the rules as JSON values.

    A field named like a Python keyword loses its underscore (`in_` becomes `in`).

    Source: house rule; the contracts' output fields.
    """
    if isinstance(value, Step):
        return {
            "rule": value.rule,
            "key": value.key,
            "text": english(value),
            "params": dict(value.params),
        }
    if is_dataclass(value) and not isinstance(value, type):
        # the answer first, its explanation after it
        names = sorted((f.name for f in fields(value)), key=_EXPLAINS.__contains__)
        return {name.rstrip("_"): as_json(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {key: as_json(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [as_json(item) for item in value]
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else float(value)
    return value
