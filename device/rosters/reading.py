"""Reads fields out of TOML tables and collects every mistake."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from device.rosters.problems import Problem, problem
from device.table.cards import CardName, Ratings

NAME_LETTERS: Final = 80
"""Longer names are no names; they would not fit on a phone either."""

LIST_LENGTH: Final = 100
"""Entries of any list; a large army has forty models."""

RATING: Final = re.compile(r"-|X|\d{1,2}(\+\d)?")


class Fields:
    """One TOML table, read field by field.

    Args:
        table: As parsed.
        where: What a person calls it: ``unit 2 (Paladin)``.
        problems: Gets every mistake.
    """

    def __init__(self, table: Any, where: str, problems: list[Problem]) -> None:
        self.where = where
        self.problems = problems
        self._table: Mapping[str, Any] = table if isinstance(table, Mapping) else {}
        self._known: list[str] = []

    def fault(self, key: str, field: str, **params: object) -> None:
        """Note a mistake in a field."""
        self.problems.append(problem(key, where=self.where, field=field, **params))

    def raw(self, field: str) -> Any:
        """Return what stands there; None where nothing does."""
        self._known.append(field)
        return self._table.get(field)

    def text(self, field: str, *, needed: bool = False) -> str:
        """Return a short text, "" where it is missing."""
        value = self.raw(field)
        if value is None:
            if needed:
                self.fault("missing", field)
            return ""
        if not isinstance(value, str) or not 1 <= len(value.strip()) <= NAME_LETTERS:
            self.fault("text", field)
            return ""
        return value.strip()

    def whole(self, field: str, low: int, high: int) -> int | None:
        """Return a whole number, None where it is missing."""
        value = self.raw(field)
        if value is None:
            return None
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not is_whole or not low <= value <= high:
            self.fault("whole", field, low=low, high=high)
            return None
        return int(value)

    def yes(self, field: str) -> bool | None:
        """Return true or false, None where it is missing."""
        value = self.raw(field)
        if value is None or isinstance(value, bool):
            return value
        self.fault("yes_no", field)
        return None

    def choice(self, field: str, known: Sequence[str]) -> str:
        """Return one of the known words, "" where it is missing."""
        value = self.text(field)
        if not value or value in known:
            return value
        self.wrong_choice(field, value, known)
        return ""

    def choices(self, field: str, known: Sequence[str]) -> tuple[str, ...]:
        """Return a list of known words, each once."""
        found = []
        for entry in self.list(field):
            word = entry if isinstance(entry, str) else str(entry)
            if word in known:
                found.append(word)
            else:
                self.wrong_choice(field, word[:NAME_LETTERS], known)
        return tuple(dict.fromkeys(found))

    def wrong_choice(self, field: str, value: str, known: Sequence[str]) -> None:
        """Note a word that is none of the known ones."""
        near = difflib.get_close_matches(value, known, 1)
        if near:
            self.fault("choice_near", field, value=value, near=near[0])
        else:
            self.fault("choice", field, known=", ".join(known))

    def name(self, field: str = "name") -> CardName:
        """Return a name: a text in one language, or a table of both."""
        value = self.raw(field)
        if isinstance(value, str):
            text = self.text(field)
            is_russian = re.search("[а-яё]", text, re.I) is not None
            return CardName("", text) if is_russian else CardName(text, "")
        if value is None:
            self.fault("missing", field)
            return CardName()
        inner = self.table(field)
        found = CardName(inner.text("en"), inner.text("ru"))
        inner.done()
        if isinstance(value, Mapping) and not found.any:
            self.fault("missing", field)
        return found

    def table(self, field: str) -> Fields:
        """Return a table inside this one, empty where it is missing."""
        value = self.raw(field)
        if value is not None and not isinstance(value, Mapping):
            self.fault("table", field)
        return Fields(value, f"{self.where}: {field}", self.problems)

    def tables(self, field: str) -> list[Fields]:
        """Return a list of tables, empty where it is missing."""
        found = []
        for number, value in enumerate(self.list(field), 1):
            if not isinstance(value, Mapping):
                self.fault("table", field)
            where = f"{self.where}: {field} {number}"
            found.append(Fields(value, where, self.problems))
        return found

    def list(self, field: str) -> list[Any]:
        """Return a list, empty where it is missing."""
        value = self.raw(field)
        if value is None:
            return []
        if not isinstance(value, list) or len(value) > LIST_LENGTH:
            self.fault("list", field, most=LIST_LENGTH)
            return []
        return value

    def ratings(self, field: str) -> Ratings:
        """Return armour ratings."""
        inner = self.table(field)
        found = {one: inner.rating(one) for one in ("physical", "energy", "radiation")}
        inner.done()
        return Ratings(**found)

    def rating(self, field: str) -> str:
        """Return one armour rating as printed, "" where it is missing."""
        value = self.raw(field)
        if value is None:
            return ""
        text = str(value) if not isinstance(value, bool) else ""
        if not RATING.fullmatch(text):
            self.fault("rating", field)
            return ""
        return text

    def pairs(self, field: str, read: Callable[[Fields, str], Any]) -> tuple[Any, ...]:
        """Return a small table as pairs, sorted by key."""
        inner = self.table(field)
        value = self._table.get(field)
        keys = sorted(value) if isinstance(value, Mapping) else []
        found = [(key, read(inner, key)) for key in keys]
        return tuple((key, one) for key, one in found if one not in (None, ""))

    def done(self) -> None:
        """Note every field that nobody has asked for."""
        for field in self._table:
            if field in self._known:
                continue
            near = difflib.get_close_matches(field, self._known, 1)
            if near:
                self.fault("unknown_near", field, near=near[0])
            else:
                self.fault("unknown", field)
