"""Percentile throws and dice for damage, as a check asks for them and reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from device.errors import BadInput
from device.table.state import RolledDie, Want

TENS: Final = "d%"
UNITS: Final = "d10"
KINDS: Final = ("d4", "d6", "d8", "d10", "d12")
"""Dice for damage."""

PERCENT: Final = (Want(TENS, 1), Want(UNITS, 1))
"""Two d10 that can be told apart."""

ONE_TEN: Final = (Want(UNITS, 1),)

MOST_DICE: Final = 9
MOST_HITS: Final = 30


def percent(dice: Sequence[RolledDie]) -> int:
    """Return what the tens and the units show, 1 to 100; 00 and 0 are 100."""
    shown = {die.die: int(die.face or 0) for die in dice}
    return (shown[TENS] + shown[UNITS] % 10) or 100


def from_digits(digits: Sequence[int]) -> int:
    """Return what one die thrown twice shows: tens, then units."""
    tens, units = digits
    return (10 * (tens % 10) + units % 10) or 100


def ten(dice: Sequence[RolledDie]) -> int:
    """Return what a d10 shows, 1 to 10; 0 is 10."""
    return digit(dice) or 10


def digit(dice: Sequence[RolledDie]) -> int:
    """Return the digit on a d10 as printed, 0 to 9."""
    return int(dice[0].face or 0) % 10


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice for damage: so many of one kind, and a number that is added.

    Attributes:
        count: 1 to `MOST_DICE`.
        kind: One of `KINDS`.
        plus: Added to their sum.
    """

    count: int
    kind: str
    plus: int = 0

    def __str__(self) -> str:
        """Return them as they are written, ``2d6+3``."""
        return f"{self.count}{self.kind}{f'{self.plus:+d}' if self.plus else ''}"

    def total(self, dice: Sequence[RolledDie]) -> int:
        """Return what they show in all, at least 0; the 0 of a d10 is ten."""
        faces = (int(die.face or 0) for die in dice)
        shown = (face or 10 if self.kind == UNITS else face for face in faces)
        return max(0, sum(shown) + self.plus)


def parse_dice(text: object, field: str = "dice") -> Dice:
    """Return the dice that a text like ``2d6+3`` names.

    Raises:
        BadInput: It names none that are thrown here.
    """
    found = re.fullmatch(r"\s*(\d?)[dDдД](\d+)\s*([+-]\s*\d{1,3})?\s*", str(text))
    if not isinstance(text, str) or found is None or f"d{found[2]}" not in KINDS:
        raise BadInput(f"expected dice like 2d6+3, of {', '.join(KINDS)}", field)
    count = int(found[1] or 1)
    if count < 1:
        raise BadInput(f"expected 1 to {MOST_DICE} dice", field)
    return Dice(count, f"d{found[2]}", int((found[3] or "0").replace(" ", "")))
