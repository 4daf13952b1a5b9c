"""What the dice have shown, and whether that looks fair, with how little it may mean.

1. `tally` counts each face that the camera saw, as put right in the end.
2. `fairness` compares the counts with the faces of the die. No formula that needs many
   throws: ten thousand fair dice are thrown instead, with a fixed seed.
3. It also says what so few throws could not show.

A face that was misread counts wrongly as well: the test is of die and reader together.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from device.rules.dice import Die, face_chances
from device.table.chronicle import chronicle
from device.table.codec import from_json
from device.table.events import Event
from device.table.state import Roll

TRIALS: Final = 10_000
"""Fair dice thrown for comparison: a p-value is known to about 0.002 near 0.05."""

SEED: Final = 20_261_130

ODD: Final = 0.01
"""A die is called odd below this, divided by the number of dice that were looked at."""

CONFIDENCE_Z: Final = 1.959964
"""Of the 95 % intervals (Wilson)."""

POWER: Final = 0.8
"""A bias is called visible where so many dice that have it would be called odd."""

LEAST_EFFECT: Final = 9.0
"""Throws times the size of the bias (chi-square a throw): less is never visible so
often, so the search for the throws needed starts here."""

MOST_THROWS: Final = 1 << 17

Floats = NDArray[np.float64]


@dataclass(slots=True)
class Tally:
    """What one kind of die has shown.

    Attributes:
        faces: Times each face was seen by the camera.
        corrected: How many of these a person put right.
        typed: Dice typed in, which are not counted.
        unread: Dice that nobody ever gave a face.
    """

    faces: Counter[str] = field(default_factory=Counter)
    corrected: int = 0
    typed: int = 0
    unread: int = 0

    @property
    def throws(self) -> int:
        """Dice counted."""
        return self.faces.total()

    def add(self, other: Tally) -> None:
        """Add another night's."""
        self.faces.update(other.faces)
        self.corrected += other.corrected
        self.typed += other.typed
        self.unread += other.unread


@dataclass(frozen=True, slots=True)
class Share:
    """How often one face came.

    Attributes:
        face: Its key.
        seen: Times.
        expected: Times a fair die would show it on average; None without odds.
        low: Lower end of the 95 % interval of its share, 0..1.
        high: Upper end.
        chance: Of a fair die, or None.
    """

    face: str
    seen: int
    low: float
    high: float
    expected: float | None = None
    chance: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Fairness:
    """Whether counts look like a fair die's.

    Attributes:
        throws: Dice counted.
        p_value: How often fair dice stray at least as far, 0..1.
        finds_double: How often a die that shows its rarest face twice as often as it
            should would be called odd after so many throws, 0..1.
        needed: Throws after which such a die is called odd 8 times in 10.
    """

    throws: int
    p_value: float
    finds_double: float
    needed: int


def tally(events: Iterable[Event]) -> dict[str, Tally]:
    """Count one night's dice, by name; each roll once, as it stood in the end.

    Args:
        events: Of the whole night, from its journal.
    """
    kept = [event for event in events if "roll" in event.data or _frames(event)]
    gone = {entry.seq for entry in chronicle(kept) if entry.undone}
    rolls: dict[str, Roll] = {}
    for event in kept:
        if event.seq not in gone and "roll" in event.data:
            roll = from_json(Roll, event.data["roll"])
            rolls[roll.id] = roll
    found: dict[str, Tally] = {}
    for roll in rolls.values():
        for die in roll.dice:
            count = found.setdefault(die.die, Tally())
            if die.box is None:
                count.typed += 1
            elif die.face is None or die.status != "ok":
                count.unread += 1
            else:
                count.faces[die.face] += 1
                count.corrected += die.corrected_from is not None
    return found


def _frames(event: Event) -> bool:
    return event.kind in ("undone", "redone")


def chances(die: Die | None, kind: str) -> dict[str, Fraction] | None:
    """Return the chance of each face of a fair die; None where it has no odds.

    Args:
        die: Of the set, or None for a kind that nobody taught.
        kind: Of such a die: its numbers say what it is.
    """
    if die is None:
        faces = PLAIN.get(kind)
        return {face: Fraction(1, len(faces)) for face in faces} if faces else None
    if not die.verified:
        return None
    return {face.key: chance for face, chance in face_chances(die)}


PLAIN: Final[Mapping[str, tuple[str, ...]]] = {
    **{
        f"d{n}": tuple(str(face) for face in range(1, n + 1)) for n in (4, 6, 8, 12, 20)
    },
    "d%": tuple(f"{ten}0" for ten in range(10)),
}
"""Faces of plain numbered dice. Of a d10 some show 0 and some 10, so it has none."""


def shares(
    counts: Mapping[str, int], odds: Mapping[str, Fraction] | None
) -> tuple[Share, ...]:
    """Return every face with its count and what that says, faces never seen too."""
    throws = sum(counts.values())
    faces = dict.fromkeys((*(odds or ()), *counts))
    found = []
    for face in faces:
        seen = counts.get(face, 0)
        low, high = interval(seen, throws)
        chance = odds.get(face, Fraction(0)) if odds is not None else None
        expected = float(chance * throws) if chance is not None else None
        found.append(Share(face, seen, low, high, expected, chance))
    return tuple(found)


def interval(seen: int, throws: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share; all of 0..1 for no throws."""
    if throws == 0:
        return 0.0, 1.0
    z2 = CONFIDENCE_Z**2
    share = seen / throws
    middle = (share + z2 / (2 * throws)) / (1 + z2 / throws)
    spread = share * (1 - share) / throws + z2 / (4 * throws**2)
    reach = CONFIDENCE_Z * math.sqrt(spread) / (1 + z2 / throws)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def fairness(
    counts: Mapping[str, int], odds: Mapping[str, Fraction], dice: int = 1
) -> Fairness | None:
    """Compare what a die showed with a fair one; None for no throws.

    Faces that the die does not have (a misreading) are left out.

    Args:
        counts: Times each face was seen.
        odds: Chances of a fair die.
        dice: How many dice are looked at in one go.
    """
    seen = tuple(counts.get(face, 0) for face in odds)
    if not sum(seen):
        return None
    return _fairness(seen, tuple(float(chance) for chance in odds.values()), dice)


@lru_cache(maxsize=64)
def _fairness(seen: tuple[int, ...], fair: tuple[float, ...], dice: int) -> Fairness:
    throws = sum(seen)
    odds = np.array(fair)
    biased = _biased(odds)
    power = _power(odds, biased, throws, dice)
    needed = throws
    if power < POWER:
        effect = float((((biased - odds) ** 2) / odds).sum())
        needed = max(throws, math.ceil(LEAST_EFFECT / effect))
        while _power(odds, biased, needed, dice) < POWER and needed < MOST_THROWS:
            needed = math.ceil(needed * 1.1)
    return Fairness(throws, p_value(seen, fair), power, needed)


def p_value(seen: Sequence[int], fair: Sequence[float]) -> float:
    """Return how often fair dice stray at least as far as these counts, above 0.

    Args:
        seen: Times each face was seen, once at least in all.
        fair: Chance of each, adding to 1.
    """
    odds, throws = np.array(fair), sum(seen)
    strays = _strays(_thrown(odds, throws), odds, throws)
    stray = float(_strays(np.array([seen]), odds, throws)[0])
    # The counts at hand are one more throw of so many: a p-value is never 0.
    return (1 + int((strays >= stray - 1e-9).sum())) / (1 + len(strays))


def _thrown(odds: Floats, throws: int, trials: int = TRIALS) -> Floats:
    rng = np.random.default_rng(SEED)
    return rng.multinomial(throws, odds, size=trials).astype(np.float64)


def _strays(counts: Floats, odds: Floats, throws: int) -> Floats:
    """Return Pearson's chi-square of each row of counts."""
    expected = odds * throws
    return np.asarray(((counts - expected) ** 2 / expected).sum(axis=1))


def _biased(odds: Floats) -> Floats:
    """Return a die that shows its rarest face twice as often, the others less."""
    rare = int(odds.argmin())
    biased = odds * (1 - 2 * odds[rare]) / (1 - odds[rare])
    biased[rare] = 2 * odds[rare]
    return np.asarray(biased)


def _power(odds: Floats, biased: Floats, throws: int, dice: int) -> float:
    """Return how often the biased die would be called odd."""
    fair = np.sort(_strays(_thrown(odds, throws, 4000), odds, throws))
    bar = fair[min(len(fair) - 1, math.ceil(len(fair) * (1 - ODD / dice)))]
    strays = _strays(_thrown(biased, throws, 1000), odds, throws)
    return float((strays > bar).mean())
