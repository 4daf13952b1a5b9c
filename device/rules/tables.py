"""Strict reading of rows of rulebook data: every mistake has a clear message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


def named_tables(
    document: Mapping[str, Any], where: str, names: Sequence[str]
) -> dict[str, Mapping[str, Any]]:
    """Return the named tables of a game's document: the values of each by key.

    Args:
        document: A TOML document with one `table` row each: `name`, `values`,
            `source`, `verified`.
        where: Name of the document, for messages.
        names: The tables that the game needs; exactly these must be there.

    Raises:
        UnknownTable: A table missing, unknown, twice or ill-formed.

    Source: house rule; the format of `device/data/*.toml`.
    """
    found: dict[str, Mapping[str, Any]] = {}
    columns: Columns = {"name": str, "values": dict, "source": str, "verified": bool}
    for number, row in enumerate(rows_of(document, "table", where), 1):
        row = row_of(row, f"{where}: table {number}", columns)
        if row["name"] in found:
            raise UnknownTable(f"{where}: two tables named {row['name']!r}")
        found[row["name"]] = row["values"]
    for name in found:
        if name not in names:
            raise UnknownTable(f"{where}: unknown table {name!r}")
    for name in names:
        if name not in found:
            raise UnknownTable(f"{where}: table {name!r} is missing")
    return found


def whole_numbers(
    tables: Mapping[str, Mapping[str, Any]],
    name: str,
    where: str,
    keys: Sequence[str] | None = None,
) -> dict[str, int]:
    """Return a table whose values are whole numbers.

    Args:
        tables: The document's tables by name.
        name: Which one.
        where: Name of the document, for messages.
        keys: Its keys; exactly these must be there. None for any.

    Raises:
        UnknownTable: A value is no whole number, or a key is missing or unknown.

    Source: house rule.
    """
    values = tables[name]
    for key, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int):
            raise UnknownTable(f"{where}: {name}.{key} is no whole number: {value!r}")
    if keys is not None and set(values) != set(keys):
        wrong = ", ".join(sorted(set(values) ^ set(keys)))
        raise UnknownTable(f"{where}: table {name!r} has missing or unknown: {wrong}")
    return dict(values)
