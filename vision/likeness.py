"""Likeness to taught dice: what it says together, and how sure it is."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.confidence import Confidence

Floats = NDArray[np.float32]

Found: TypeAlias = dict[str, dict[str, tuple[Floats, float]]]
"""For each taught die and face of it: ``(2, shots)`` the likeness to each shot, of all
and of the up face alone, and the colour's cost."""

OwnLikeness: TypeAlias = Callable[[str, str], float]
"""How alike the shots of one face of one die are to each other, -1..1."""

USUAL_OWN = 0.7
OWN_WEIGHT = 0.5
MOST_ALLOWED = 0.05
"""A face that is less alike to itself than usual, as blank ones are, is known by less
likeness: by that part of the difference, at most so much. Of 6,394 looks at drawn dice
with blank faces, in galleries of two dice, and 2,980 at strangers: 5,145 right, 83
wrong; 4,863 and 70 without it (by the side network of one stage before)."""

ENOUGH_LEAD = 0.1
ENOUGH = 1.0
"""A lead of so much is enough where lead and likeness together reach this. Of 333 dice
of two sets 306 did so by the first crop; further crops changed the face of none."""

FLOOR = 0.64
"""Likeness below which a die is not one of the taught ones. Of 2,202 looks at drawn
dice with blank faces, in galleries of two dice, and 1,018 at strangers that have some
too: 1,868 right, 22 wrong, 17 of them strangers; 1,888 and 27 at 0.62, 1,829 and 20 at
0.66."""

LEAST_LEAD = 0.07
LEAST_DIE_LEAD = 0.09
DOUBTED = 0.9
"""Confidence at most, of a face that leads the others of its die by less, or those of
other dice. Of 2,839 looks at drawn dice none was wrong with a lead of 0.04 and more but
one (0.13), and 24 right ones lay from 0.05 to 0.09. Of 2,610 in galleries of two dice
with like faces 5 were taken for the other die there, and one face (0.06) for another of
its own die; 68 were right."""

TWICE_AS_FAR = 0.05
"""A lead of this or more is enough too where the next face is at least twice as far
from full likeness: faces that differ by little, seen well. Of 95 looks at drawn dice
that led by less than 0.09 4 were so, all right; of 7 wrong ones none. Of 700 dice of
the demonstration 688 are read where it were 669, and of 2,380 painted over 39 more;
none more wrongly."""

LEAST_UP_LEAD = 0.05
"""The same by the up face alone: what lies beside a face must not outvote what is on
it. Of 110 dice in the demonstration's tray painted over while they rolled, the wrong
ones (3) led by 0.01, 0.03 and 0.12, the right ones by 0.11 and more; of 566 dice as
they are about 5 more became a question."""


@dataclass(frozen=True, slots=True)
class GalleryMatch:
    """Which taught face a die shows.

    Attributes:
        die: Name of the taught die, or None where none of that shape is taught.
        scores: (face, confidence), best first, at most five.
        similarity: -1..1 likeness to the best face; below `FLOOR` it is none of them.
        margin: Lead over the next face of that die, or over another taught die of the
            same shape if that lead is smaller.
        numbers: What its kind of die bears, where any of its faces are called by such
            numbers; else none.
        allowance: Likeness that its face is let off, see `OWN_WEIGHT`.
    """

    die: str | None
    scores: tuple[tuple[str, float], ...]
    similarity: float
    margin: float
    numbers: frozenset[str] = frozenset()
    allowance: float = 0.0

    @property
    def known(self) -> bool:
        """True where it looks like a taught die at all."""
        return self.die is not None and self.similarity + self.allowance >= FLOOR

    @property
    def clear(self) -> bool:
        """True where looking at more crops would change nothing."""
        enough = self.similarity + self.margin >= ENOUGH
        return enough and self.margin >= ENOUGH_LEAD


def better(first: Found, second: Found) -> Found:
    """Return for each shot the better likeness of two searches."""
    return {
        die: {
            face: (np.maximum(alike, second[die][face][0]), cost)
            for face, (alike, cost) in faces.items()
        }
        for die, faces in first.items()
    }


def decide(found: Found, confidence: Confidence, own: OwnLikeness) -> GalleryMatch:
    """Choose die and face from the likeness to every shot."""
    dice = {name: _ranked(faces, 0) for name, faces in found.items()}
    ranked = sorted(dice, key=lambda name: -dice[name][0][0])
    best = dice[ranked[0]]
    similarity, face = best[0]
    lead = similarity - best[1][0] if len(best) > 1 else similarity
    die_lead = similarity - dice[ranked[1]][0][0] if len(ranked) > 1 else similarity
    margin = min(lead, die_lead)
    allowance = OWN_WEIGHT * (USUAL_OWN - own(ranked[0], face))
    allowance = max(0.0, min(MOST_ALLOWED, allowance))
    sure = confidence.taught(similarity + allowance, margin)
    seen_well = margin >= max(TWICE_AS_FAR, 1 - similarity)
    leads = lead >= LEAST_LEAD and die_lead >= LEAST_DIE_LEAD
    if not (leads or seen_well) or _up_lead(found[ranked[0]], face) < LEAST_UP_LEAD:
        sure = min(sure, DOUBTED)
    left = 1 - sure
    pairs = [(face, sure)]
    pairs += [
        (other, min(sure, left * 0.5**k)) for k, (_, other) in enumerate(best[1:5], 1)
    ]
    return GalleryMatch(
        ranked[0], tuple(pairs), similarity, margin, allowance=allowance
    )


def own_likeness(shots: Sequence[Floats]) -> float:
    """Return how alike some shots of one face are to each other, on average.

    Args:
        shots: Of each ``(turns, numbers)``, as it was taught and turned.

    Returns:
        -1..1; `USUAL_OWN` where there is but one.
    """
    pairs = itertools.combinations(shots, 2)
    alike = [float((one[0] @ other.T).max()) for one, other in pairs]
    return fmean(alike) if alike else USUAL_OWN


def _ranked(
    faces: dict[str, tuple[Floats, float]], row: int
) -> list[tuple[float, str]]:
    """Return (score, face) of one die, best first, by one row of its likeness."""
    scores = [
        (fmean(sorted(alike[row].tolist())[-2:]) - cost, face)
        for face, (alike, cost) in faces.items()
    ]
    return sorted(scores, reverse=True)


def _up_lead(faces: dict[str, tuple[Floats, float]], chosen: str) -> float:
    """Return by how much a face leads the others where only the up face counts."""
    scores = {face: score for score, face in _ranked(faces, 1)}
    own = scores.pop(chosen)
    return own - max(scores.values(), default=0.0)
