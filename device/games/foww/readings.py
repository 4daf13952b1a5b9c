"""Unclear places of the rulebook: how each is read, and what a table may choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from device.data.load import table
from device.errors import UnknownTable
from device.rules.tables import row_of, rows_of

FILE: Final = "readings_foww"
_ROW: Final = {
    "id": str,
    "place": str,
    "reading": str,
    "source": str,
    "verified": bool,
}


@dataclass(frozen=True, slots=True)
class Point:
    """An open point of the rulebook.

    Attributes:
        id: As the rules name it: ``O20``.
        place: Section and page.
        reading: The one used where the table has not chosen.
        readings: What a table may choose among; empty where the reading is fixed.
        source: What is damaged or unclear.
        verified: Somebody compared the reading with a clean copy.
    """

    id: str
    place: str
    reading: str
    readings: tuple[str, ...]
    source: str
    verified: bool


@cache
def points() -> Mapping[str, Point]:
    """Return every open point by its id.

    Raises:
        UnknownTable: The data is ill-formed.
    """
    found = {}
    for number, row in enumerate(rows_of(table(FILE), "point", FILE), 1):
        where = f"{FILE}: point {number}"
        checked = row_of(row, where, _ROW, {"readings": list})
        readings = tuple(checked.get("readings", ()))
        if readings and checked["reading"] not in readings:
            raise UnknownTable(
                f"{where}: {checked['reading']!r} is none of its readings"
            )
        if checked["id"] in found:
            raise UnknownTable(f"{where}: there are two of {checked['id']}")
        found[checked["id"]] = Point(
            checked["id"],
            checked["place"],
            checked["reading"],
            readings,
            checked["source"],
            checked["verified"],
        )
    return MappingProxyType(found)


def choosable() -> tuple[Point, ...]:
    """Return the points whose reading a table may choose."""
    return tuple(point for point in points().values() if point.readings)
