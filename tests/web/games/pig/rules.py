"""The one rule of Pig: a one loses the turn's points, anything else is added."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from device.rules.answer import Answer
from device.rules.fields import NAT, Reader, Record, Whole
from device.rules.step import step
from device.rules.tables import named_tables, row_of, whole_numbers

TEXTS: Final = {
    "pig_turn": "{die} added: {points} points",
    "pig_turn.lost": "A {die}: the turn's points are lost",
}


def numbers() -> Mapping[str, int]:
    """Return the game's numbers from its data file."""
    text = Path(__file__).with_name("pig.toml").read_text("utf-8")
    head = row_of(tomllib.loads(text), "pig.toml", {"format": int, "table": list})
    tables = named_tables(head, "pig.toml", ("pig",))
    return whole_numbers(tables, "pig", "pig.toml", ("loses_on", "goal"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Answer):
    """Points of a turn after a throw.

    Source: folk game.
    """

    points: int
    lost: bool


def turn(points: int, die: int) -> Turn:
    """Return the points of a turn after a throw.

    Source: folk game.
    """
    lost = die == numbers()["loses_on"]
    after = 0 if lost else points + die
    key = "pig_turn.lost" if lost else "pig_turn"
    params = {"die": die} if lost else {"die": die, "points": after}
    return Turn(points=after, lost=lost, steps=(step(key, **params),))


KINDS: Final[Mapping[str, Reader]] = {
    "turn": Record(turn, {"points": NAT, "die": Whole(1, 6)})
}
