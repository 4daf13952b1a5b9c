"""The numbers of STALKER: ZONA as values, read from its data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from device.errors import UnknownTable
from device.rules.tables import named_tables, row_of, rows_of, whole_numbers

ARMOURS = ("none", "light", "medium")
"""Personal armour, the column of a weapon's damage (F2)."""

_TABLES = {
    "movement": ("slow_skill_max", "slow_inches", "normal_inches"),
    "fast_inches": ("0", "1", "2"),
    "terrain_cost": None,
    "crossing_inches": ("hilly", "building"),
    "group": ("distance_inches",),
    "sight_inches": ("night", "woods", "woods_night", "weather", "weather_night"),
    "sight": ("cover_pieces_that_stop_a_shot",),
    "shooting": ("first_hit_from", "later_miss_to"),
    "setup": ("depth_inches", "markers"),
}


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon card.

    Attributes:
        range: Distance with an acceptable chance to hit, inches.
        rate: Most dice of one shooting.
        damage: By armour; None where it has no effect.
        suppression: Suppression rating.

    Source: STALKER: ZONA, ВООРУЖЕНИЕ (F3).
    """

    range: Fraction
    rate: int
    damage: Mapping[str, int | None]
    suppression: int


@dataclass(frozen=True, slots=True)
class Zona:
    """Every table of the game.

    Attributes:
        tables: Whole numbers by table and key.
        weapons: Cards by key; None for one whose numbers nobody has stated.

    Source: STALKER: ZONA; the format of `device/data/stalker.toml`.
    """

    tables: Mapping[str, Mapping[str, int]]
    weapons: Mapping[str, Weapon | None]

    def number(self, table: str, key: str) -> int:
        """Return one number.

        Raises:
            UnknownTable: There is no such number.
        """
        try:
            return self.tables[table][key]
        except KeyError as error:
            raise UnknownTable(f"no {key!r} in table {table!r}") from error


def zona(document: Mapping[str, Any]) -> Zona:
    """Return the game's tables from its document.

    Raises:
        UnknownTable: Something is missing, unknown or ill-formed.

    Source: house rule; the format of `device/data/stalker.toml`.
    """
    where = "stalker.toml"
    columns = {"format": int, "missing": list, "table": list, "weapon": list}
    head = row_of(document, where, columns)
    tables = named_tables(head, where, tuple(_TABLES))
    weapons = {}
    for number, row in enumerate(rows_of(head, "weapon", where), 1):
        key, weapon = _weapon(row, f"{where}: weapon {number}")
        weapons[key] = weapon
    return Zona(
        {name: whole_numbers(tables, name, where, _TABLES[name]) for name in tables},
        weapons,
    )


def _weapon(row: Mapping[str, Any], where: str) -> tuple[str, Weapon | None]:
    numbers = {"range": int, "rate": int, "damage": dict, "suppression": int}
    row = row_of(
        row,
        where,
        {"key": str, "ru": str, "source": str, "verified": bool},
        {"melee": bool, **numbers},
    )
    if not set(numbers) & set(row):
        return row["key"], None
    for name in numbers:
        if name not in row:
            raise UnknownTable(f"{where}: {name!r} is missing beside other numbers")
    damage = row_of(row["damage"], f"{where}: damage", dict.fromkeys(ARMOURS, int))
    card = Weapon(Fraction(row["range"]), row["rate"], dict(damage), row["suppression"])
    return row["key"], card
