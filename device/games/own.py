"""Tables that a game's text lacks, as the players fill them in themselves.

Rows lie on the sheet, under ``own``, so that they count at once and undo knows them;
as a file (TOML) they are kept for other nights and given to other tables.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from device.errors import BadInput
from device.games.game import Deed, sheet_draft
from device.games.given import Args, choice, objects, refuse, whole
from device.table.codec import JSON, to_json
from device.table.events import Draft
from device.table.state import Content

OWN: Final = "own"
FORMAT: Final = 1
MOST_ROWS: Final = 200

Row: TypeAlias = dict[str, JSON]
RowReader: TypeAlias = Callable[[Args], Row]
"""Checks what a player typed and returns the row; raises BadInput."""

Readers: TypeAlias = Mapping[str, RowReader]


def rows_of(content: Content, table: str) -> tuple[Mapping[str, Any], ...]:
    """Return the rows that the players have given a table."""
    found: tuple[Mapping[str, Any], ...] = content.sheet.get(OWN, {}).get(table, ())
    return found


def own_commands(
    readers: Readers, fields: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[Deed, tuple[str, ...]]]:
    """Return a game's commands about its players' own tables.

    Args:
        readers: One for each table.
        fields: Names of a row's fields, by table.
    """
    added = {
        f"own_{table}": (_adder(table, read), fields[table])
        for table, read in readers.items()
    }
    return {
        **added,
        "drop_own": (_dropper(readers), ("table", "at")),
        "load_own": (_loader(readers), ("tables",)),
    }


def _adder(table: str, read: RowReader) -> Deed:
    def add(content: Content, seq: int, args: Args) -> Sequence[Draft]:
        row = read(args)
        rows = _without(rows_of(content, table), row)
        if len(rows) >= MOST_ROWS:
            raise refuse("token_limit")
        return [_changed(content, "own.row", table, [*rows, row], name=_name(row))]

    return add


def _dropper(readers: Readers) -> Deed:
    def drop(content: Content, seq: int, args: Args) -> Sequence[Draft]:
        table = choice(args, "table", tuple(readers))
        rows = list(rows_of(content, table))
        if not rows:
            raise BadInput("this table has no rows", "table")
        gone = rows.pop(whole(args, "at", 0, len(rows) - 1))
        return [_changed(content, "own.gone", table, rows, name=_name(gone))]

    return drop


def _loader(readers: Readers) -> Deed:
    def load(content: Content, seq: int, args: Args) -> Sequence[Draft]:
        tables = args.get("tables")
        if not isinstance(tables, Mapping) or not tables:
            raise BadInput("expected tables", "tables")
        after = dict(to_json(content.sheet.get(OWN, {})))
        count = 0
        for table in tables:
            if table not in readers:
                raise BadInput(f"there is no table {table!r}", f"tables.{table}")
            rows = list(rows_of(content, table))
            for at, given in enumerate(objects(tables, table, MOST_ROWS)):
                row = _read(readers[table], given, f"tables.{table}[{at}]")
                rows = [*_without(rows, row), row]
                count += 1
            after[table] = to_json(rows)
        return [sheet_draft("own.loaded", {OWN: after}, count=count)]

    return load


def _read(read: RowReader, given: Args, where: str) -> Row:
    try:
        return read(given)
    except BadInput as error:
        raise BadInput(str(error), f"{where}.{error.field}") from error


def _without(rows: Sequence[Mapping[str, Any]], row: Row) -> list[Mapping[str, Any]]:
    """Return rows without the one that a new row of its name replaces."""
    return [one for one in rows if _name(one) != _name(row)]


def _name(row: Mapping[str, Any]) -> str:
    return str(row.get("name", ""))


def _changed(
    content: Content, said: str, table: str, rows: Sequence[JSON], **params: JSON
) -> Draft:
    after = dict(to_json(content.sheet.get(OWN, {}))) | {table: to_json(rows)}
    return sheet_draft(said, {OWN: after}, table=table, **params)


# --- As a file ---------------------------------------------------------------------


def own_toml(game: str, tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Return the players' tables as a file."""
    lines = [
        "# Tables that players have filled in, for Dicelight.",
        f"format = {FORMAT}",
        f'game = "{game}"',
    ]
    for table, rows in tables.items():
        for row in rows:
            lines += ["", f"[[{table}]]"]
            lines += [
                f"{name} = {json.dumps(to_json(value), ensure_ascii=False)}"
                for name, value in row.items()
                if value is not None
            ]
    return "\n".join(lines) + "\n"


def parse_own(text: str, game: str) -> dict[str, list[Row]]:
    """Return the tables of such a file, their rows not checked yet.

    Raises:
        BadInput: It is no such file, or one for another game.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"not a TOML file: {error}", "file") from error
    if document.pop("format", None) != FORMAT:
        raise BadInput(f"expected format = {FORMAT}", "file.format")
    if document.pop("game", None) != game:
        raise BadInput(f"these tables are not for {game}", "file.game")
    for name, rows in document.items():
        if not isinstance(rows, list) or not all(isinstance(one, dict) for one in rows):
            raise BadInput("expected rows", f"file.{name}")
    return document
