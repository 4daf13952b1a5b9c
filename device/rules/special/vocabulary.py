"""Readers of the words that questions about S.P.E.C.I.A.L. share."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from device.data.load import table
from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.fields import (
    INT,
    NAT,
    TEXT,
    ListOf,
    Optional,
    Reader,
    Record,
    Whole,
    one_of,
)
from device.rules.special.character import TRAITS, Stats, check_traits
from device.rules.special.charts import AREA_OF, ATTACKS, Charts, charts

STAT = Whole(1, 10)
SKILL = Whole(0, 300)
D10 = Whole(1, 10)
D100 = Whole(1, 100)
DIE = one_of(10, 100)
BOXES = Whole(0, 10)
LIMBS = Optional(Whole(0, 2), 0)
ZERO = Optional(NAT, 0)
CHANGE = Optional(INT, 0)
LOCATION = Optional(one_of(*AREA_OF))
ATTACK = one_of(*ATTACKS)
TRAIT_LIST = Optional(ListOf(one_of(*TRAITS), check=check_traits), ())
STATS = Record(Stats, {field.name.rstrip("_"): STAT for field in fields(Stats)})


@cache
def shipped_charts() -> Charts:
    """Return the shipped tables of the game.

    Source: house rule.
    """
    return charts(table("special"))


def with_charts(rule: Callable[..., Answer], /, **fields: Reader) -> Record:
    """Return the reader of a question whose rule needs the game's tables.

    Source: house rule.
    """
    return Record(lambda **given: rule(shipped_charts(), **given), fields)


@dataclass(frozen=True, slots=True)
class TimeReader:
    """Reads a time of day, `HH:MM`.

    Source: the resolver's contract, section 3.1.
    """

    def read(self, value: Any, path: str) -> str:
        """Return the time as it is written."""
        text = TEXT.read(value, path)
        if re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", text) is None:
            raise BadInput(f"expected a time from 00:00 to 23:59, not {text!r}", path)
        return text
