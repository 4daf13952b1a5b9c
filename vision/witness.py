"""Two witnesses of one face: what they say together.

Geometry that finds pips stands beside the network that reads them; the numeral on a
taught die stands beside its likeness to the taught shots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from vision.faces import NumeralReading
from vision.frame import Image, Pose
from vision.parts import ReadsFaces

DIE_SURE = 0.7
"""A find less certain than this is not vouched for, whatever is read on it: cards and
tokens have numerals and pips too."""

PIPS_SURE = 0.5
"""The same where geometry and the network agree on pips. In 481 readings of strangers'
photographs 12 right and 3 wrong ones lay between 0.3 and this."""

LONE = "1"
LONE_WITNESS = 4.0
"""As `WITNESS`, for a lone pip: any round spot looks like one."""

WITNESS = 20.0
"""By how much the odds of being right grow where geometry and the network agree on
pips; measured by ``python -m vision.train.fresh``."""

CONTRADICTED = 0.5
"""Confidence of a face that the other witness denies: never enough to be vouched."""

DENIED = 0.8
"""A numeral read this surely on a taught die denies another face."""

MISREAD = 2
"""So many shots of a face, and half of them at least, read as another numeral too: that
is how this die's numeral looks, as a 1 with a long flag looks like a 7. One shot alone
may have been taught by mistake."""


@dataclass(frozen=True, slots=True)
class UpFace:
    """What is up on one die.

    Attributes:
        die: Its kind, or a taught die's name.
        scores: (face, confidence), best first.
        pose: Where it is.
        find_bar: As certain as this the find must be for the face to be vouched for.
        among_taught: Nobody taught it, but another die of the same solid.
    """

    die: str
    scores: tuple[tuple[str, float], ...]
    pose: Pose
    find_bar: float = DIE_SURE
    among_taught: bool = False


def pips_too(plain: UpFace, pips: UpFace | None) -> UpFace:
    """Return what the face reader and the pips say together."""
    if pips is None:
        return plain
    (face, confidence), *others = pips.scores
    if plain.scores and plain.scores[0][0] != face:
        against = plain.scores[0]
        if plain.die == "d6" and against[1] >= CONTRADICTED:
            # Two witnesses, two faces: offer both, vouch for neither.
            both = sorted((against, (face, confidence)), key=lambda s: -s[1])
            doubted = tuple((f, min(c, CONTRADICTED)) for f, c in both)
            return replace(pips, scores=doubted)
    elif plain.scores and plain.die == "d6":
        confidence = max(confidence, plain.scores[0][1])
    odds = (WITNESS if face != LONE else LONE_WITNESS) * confidence
    sure = odds / (odds + 1 - confidence)
    left = (1 - sure) / max(1 - confidence, 1e-6)
    rest = tuple((f, min(c * left, sure)) for f, c in others)
    return replace(pips, scores=((face, sure), *rest), find_bar=PIPS_SURE)


def misread(faces: ReadsFaces, shots: Sequence[tuple[Image, Pose]], told: str) -> bool:
    """True where the shots of a taught face are read as the numeral `told` as well."""
    read = [faces.read_numeral(*shot).scores for shot in shots]
    same = sum(scores[0][0] == told for scores in read if scores)
    return same >= max(MISREAD, len(shots) / 2)


def numeral_too(
    taught: UpFace,
    numeral: NumeralReading,
    numbers: frozenset[str],
    usual: Callable[[str, str], bool] = lambda face, told: False,
) -> UpFace:
    """Return what a taught die's likeness and the numeral on it say together.

    Both are chances of being right, so where they agree the odds multiply; where a
    numeral that is read surely denies the face, both are offered and none vouched for.

    Args:
        taught: Of a die whose faces are called by their numerals.
        numeral: Of the same die, read untaught.
        numbers: What its kind bears, taught yet or not. A numeral that is none of them
            says nothing: a die of units may have been taught as one of tens.
        usual: Says whether a face is read as another numeral whenever it is seen: that
            says nothing either, see `misread`.
    """
    if not taught.scores or not numeral.scores:
        return taught
    (face, likely), *others = taught.scores
    told, sure = numeral.scores[0]
    if told == face:
        both = likely * sure / (likely * sure + (1 - likely) * (1 - sure))
        if both <= likely:
            return taught
        left = (1 - both) / max(1 - likely, 1e-6)
        rest = tuple((f, min(c * left, both)) for f, c in others)
        return replace(taught, scores=((face, both), *rest))
    if sure < DENIED or told not in numbers or usual(face, told):
        return taught
    offered = {**dict(others), face: likely, told: sure}
    ranked = sorted(offered.items(), key=lambda one: -one[1])
    doubted = tuple((f, min(c, CONTRADICTED)) for f, c in ranked)
    return replace(taught, scores=doubted)
