"""Throws one after the other: what two dice of one look cannot say in one throw.

Nobody can tell whose die is whose when two alike lie in the tray. So such a check asks
for one throw, keeps what it showed among its arguments, and offers itself again until
all are there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from device.errors import BadInput
from device.games.game import Answer
from device.games.given import Args
from device.table.codec import JSON
from device.table.state import Check

MOST_THROWS: Final = 60
"""Thirty bullets with one die thrown twice for each."""

THROWN: Final = "thrown"
WORKED: Final = "worked"
"""What a check has worked out on opening, beside its arguments."""


def thrown_before(args: Args) -> tuple[int, ...]:
    """Return what earlier throws of the same check showed.

    Raises:
        BadInput: Not a list of whole numbers.
    """
    value = args.get(THROWN, ())
    if not isinstance(value, list | tuple) or len(value) > MOST_THROWS:
        raise BadInput("expected what was thrown before", THROWN)
    for at, one in enumerate(value):
        if isinstance(one, bool) or not isinstance(one, int):
            raise BadInput("expected a whole number", f"{THROWN}[{at}]")
    return tuple(value)


def once_more(check: Check, values: tuple[int, ...], wanted: int) -> Answer | None:
    """Return the answer of a throw that others must follow; None after the last.

    Args:
        check: Whose throw it was.
        values: What it and the throws before showed.
        wanted: Throws in all.
    """
    if len(values) >= wanted:
        return None
    result: dict[str, JSON] = {
        "kind": "throw",
        "value": values[-1],
        "at": len(values),
        "of": wanted,
        "steps": list(check.notes),
    }
    return Answer(result, offer=asked_again(check) | {THROWN: list(values)})


def asked_again(check: Check) -> dict[str, JSON]:
    """Return the arguments that a check was opened with."""
    kept: Mapping[str, JSON] = check.given
    return {key: value for key, value in kept.items() if key != WORKED}
