"""The numbers of Munchkin Fallout as a value, and setting up (ПОДГОТОВКА К ИГРЕ)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from device.errors import UnknownTable
from device.rules.answer import Answer
from device.rules.step import step
from device.rules.tables import named_tables, row_of, whole_numbers

_TABLES = {
    "setup": ("doors", "treasures", "perks", "start_doors", "start_treasures"),
    "level": ("min", "winning"),
    "limits": ("hand", "big", "head", "armour", "feet", "hands"),
    "sale": ("caps_per_level",),
    "monster": ("treasures_min",),
    "irradiation": ("step", "death_at"),
}


@dataclass(frozen=True, slots=True)
class Numbers:
    """Every number of the game, by table and key.

    Source: Munchkin Fallout 0.9.84; the format of `device/data/munchkin.toml`.
    """

    tables: Mapping[str, Mapping[str, int]]

    def number(self, table: str, key: str) -> int:
        """Return one number.

        Raises:
            UnknownTable: There is no such number.
        """
        try:
            return self.tables[table][key]
        except KeyError as error:
            raise UnknownTable(f"no {key!r} in table {table!r}") from error


def numbers(document: Mapping[str, Any]) -> Numbers:
    """Return the game's numbers from its document.

    Raises:
        UnknownTable: Something is missing, unknown or ill-formed.

    Source: house rule; the format of `device/data/munchkin.toml`.
    """
    where = "munchkin.toml"
    columns = {"format": int, "missing": list, "table": list}
    head = row_of(document, where, columns)
    tables = named_tables(head, where, tuple(_TABLES))
    return Numbers(
        {name: whole_numbers(tables, name, where, _TABLES[name]) for name in tables}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup(Answer):
    """What is dealt at the start.

    Source: Munchkin Fallout 0.9.84, ПОДГОТОВКА К ИГРЕ (P1 to P3).
    """

    doors_each: int
    treasures_each: int
    doors_left: int
    treasures_left: int
    perks_left: int


def setup(numbers: Numbers, players: int) -> Setup:
    """Return the cards that each player gets and that stay in the decks.

    Source: Munchkin Fallout 0.9.84, ПОДГОТОВКА К ИГРЕ (P1 to P3).
    """
    doors = numbers.number("setup", "start_doors")
    treasures = numbers.number("setup", "start_treasures")
    return Setup(
        doors_each=doors,
        treasures_each=treasures,
        doors_left=numbers.number("setup", "doors") - doors * players,
        treasures_left=numbers.number("setup", "treasures") - treasures * players,
        perks_left=numbers.number("setup", "perks"),
        steps=(step("munchkin_setup", doors=doors, treasures=treasures),),
    )
