"""Strict reading of rows of rulebook data: every mistake has a clear message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from device.errors import UnknownTable

Columns: TypeAlias = Mapping[str, type | tuple[type, ...]]


def row_of(
    row: object, where: str, required: Columns, optional: Columns | None = None
) -> Mapping[str, Any]:
    """Return the row after checking its columns and their types.

    Args:
        row: One table of a TOML document.
        where: What the row is, for the message.
        required: Column names with the type of their values.
        optional: Columns that may be absent (then they are absent in the result).

    Raises:
        UnknownTable: Not a table; a column missing, unknown or of the wrong type.

    Source: house rule; style.md section 6 (a number nobody has found is absent).
    """
    if not isinstance(row, Mapping):
        raise UnknownTable(f"{where}: expected a table, found {row!r}")
    columns = {**required, **(optional or {})}
    for name in required:
        if name not in row:
            raise UnknownTable(f"{where}: {name!r} is missing")
    for name, value in row.items():
        if name not in columns:
            known = ", ".join(columns)
            raise UnknownTable(f"{where}: unknown entry {name!r}; known are {known}")
        wanted = columns[name]
        is_bool = isinstance(value, bool)
        if not isinstance(value, wanted) or (is_bool and wanted is not bool):
            raise UnknownTable(f"{where}: {name!r} has the wrong type: {value!r}")
    return row


def rows_of(table: Mapping[str, Any], name: str, where: str) -> tuple[Any, ...]:
    """Return the rows of a list in a table; none where the list is absent.

    Raises:
        UnknownTable: The entry is no list.

    Source: house rule.
    """
    rows = table.get(name, [])
    if not isinstance(rows, list):
        raise UnknownTable(f"{where}: {name!r} must be a list of tables")
    return tuple(rows)
