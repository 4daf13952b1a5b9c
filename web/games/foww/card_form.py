"""The form of a card: what stands in its fields, and the card's table read back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from device.errors import BadInput
from device.rosters.reading import LIST_LENGTH, NAME_LETTERS, RATING
from web.games.foww.card_fields import CardField, CardKind, Group
from web.language import gettext
from web.language import marked as N_
from web.reasons import Refused

LONGEST_NUMBER: Final = 3
"""Digits, or a sign and digits: no card has more."""


def shown(table: Mapping[str, Any], one: CardField) -> str:
    """Return what a table says in a field, as typed into the form; "" for nothing."""
    value: Any = table
    parts = one.key.split(".")
    last = parts.pop() if one.kind == "word" else ""
    for part in parts:
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list | tuple) and part.isdecimal():
            value = value[int(part)] if int(part) < len(value) else None
    if last:
        return "yes" if last in (value or ()) else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def is_filled(table: Mapping[str, Any], group: Group) -> bool:
    """Say whether a table says anything in a group."""
    if group.rows:
        return bool(table.get(group.rows))
    return any(shown(table, one) for one in group.fields)


def read_table(kind: CardKind, form: Mapping[str, str]) -> dict[str, Any]:
    """Return the table that a form stands for; what is left empty says nothing.

    Raises:
        BadInput: It has no name.
        Refused: A field holds what its card cannot say.
    """
    table: dict[str, Any] = {}
    for group in kind.groups:
        if group.rows:
            table[group.rows] = _rows(group, form)
        else:
            _read_into(table, group.fields, form, "")
    if "name" not in table:
        raise BadInput("a card has a name", "card")
    return table


def _rows(group: Group, form: Mapping[str, str]) -> list[dict[str, Any]]:
    rows = []
    for number in range(LIST_LENGTH):
        prefix = f"{group.rows}.{number}."
        if not any(name.startswith(prefix) for name in form):
            break
        row: dict[str, Any] = {}
        _read_into(row, group.fields, form, prefix)
        if group.needed in row or (row and not group.needed):
            rows.append(row)
    return rows


def _read_into(
    table: dict[str, Any],
    fields: tuple[CardField, ...],
    form: Mapping[str, str],
    prefix: str,
) -> None:
    for one in fields:
        text = " ".join(form.get(prefix + one.key, "").split()).replace("−", "-")
        if not text:
            continue
        outer, _, inner = one.key.partition(".")
        value = _read(one, text, prefix + one.key)
        if one.kind == "word":
            table.setdefault(outer, []).append(inner)
        elif inner:
            table.setdefault(outer, {})[inner] = value
        else:
            table[outer] = value


def _read(one: CardField, text: str, name: str) -> Any:
    digits = text.removeprefix("-")
    is_number = digits.isascii() and digits.isdecimal() and len(text) <= LONGEST_NUMBER
    if one.kind == "whole" and is_number:
        if one.low <= int(text) <= one.high:
            return int(text)
    elif one.kind == "rating" and RATING.fullmatch(text.upper()):
        return text.upper()
    elif one.kind in ("yes", "tick", "word") and text in ("yes", "no"):
        return text == "yes"
    elif (one.kind == "choice" and text in one.choices) or (
        one.kind == "text" and len(text) <= NAME_LETTERS and text.isprintable()
    ):
        return text
    raise Refused(400, _fault(one), name)


def _fault(one: CardField) -> str:
    said = {
        "whole": N_("%(field)s: a whole number, %(low)d to %(high)d."),
        "rating": N_("%(field)s: a number, 3+1, - for none, or X."),
        "text": N_("%(field)s: a text of 80 letters at most."),
    }.get(one.kind, N_("%(field)s: one of the choices."))
    return gettext(said) % {
        "field": capital(gettext(one.label)),
        "low": one.low,
        "high": one.high,
    }


def capital(said: str) -> str:
    """Return a text with its first letter capital, as labels begin."""
    return said[:1].upper() + said[1:]
