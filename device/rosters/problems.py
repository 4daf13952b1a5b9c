"""What can be wrong with a roster: templates by key, filled in any language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from device.errors import DicelightError

PROBLEMS: Final = MappingProxyType(
    {
        "not_toml": "not a roster file: line %(line)s is not TOML",
        "not_text": "not a roster file: it is not UTF-8 text",
        "too_large": "the file is too large: %(most)s KiB at most",
        "format": "format: expected 1",
        "missing": "%(where)s: %(field)s is missing",
        "unknown": "%(where)s: unknown field %(field)s",
        "unknown_near": "%(where)s: unknown field %(field)s; did you mean %(near)s?",
        "text": "%(where)s: %(field)s should be a text of 1 to 80 letters",
        "whole": "%(where)s: %(field)s should be a whole number, %(low)s to %(high)s",
        "yes_no": "%(where)s: %(field)s should be true or false",
        "table": "%(where)s: %(field)s should be a table",
        "list": "%(where)s: %(field)s should be a list, %(most)s long at most",
        "rating": '%(where)s: %(field)s should be a rating: 3, "3+1", "-" or "X"',
        "choice": "%(where)s: %(field)s is none of %(known)s",
        "choice_near": "%(where)s: %(field)s has %(value)s; did you mean %(near)s?",
        "no_units": "there is no unit in it",
        "not_roster": "not a roster: the outermost element is %(found)s",
        "not_xml": "not a roster: line %(line)s is not XML",
        "doctype": "refused: a roster declares no document type and no entities",
        "too_deep": "refused: more than %(most)s elements in one another",
        "too_many": "refused: more than %(most)s elements",
        "not_zip": "not a .rosz file: it is no sound zip archive",
        "locked": "refused: the archive is locked with a password",
        "zip_members": "expected one .ros file in the archive, found %(found)s",
        "other_game": "a roster of another game: %(found)s",
    }
)
"""English templates; the page translates them."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a roster.

    Attributes:
        key: In `PROBLEMS`.
        params: What fills the template.
    """

    key: str
    params: tuple[tuple[str, str], ...] = ()

    @property
    def english(self) -> str:
        """The sentence in English."""
        return PROBLEMS[self.key] % dict(self.params)


def problem(key: str, **params: object) -> Problem:
    """Return a problem."""
    return Problem(key, tuple((name, str(value)) for name, value in params.items()))


class RosterError(DicelightError, ValueError):
    """A roster cannot be used; every mistake is listed at once.

    Attributes:
        problems: One or more.
    """

    def __init__(self, problems: Sequence[Problem] | Problem) -> None:
        self.problems: tuple[Problem, ...] = (
            (problems,) if isinstance(problems, Problem) else tuple(problems)
        )
        super().__init__("; ".join(one.english for one in self.problems))
