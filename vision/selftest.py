"""Does a gallery know its own dice? Each taught shot is asked for as if it were gone.

What comes out wrong was taught under the wrong name, or looks too much like another
face: teach that face again, or take the shot out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from vision.gallery import Gallery, Shot, TaughtDie
from vision.likeness import decide
from vision.up_face import BAR


class Verdict(StrEnum):
    """What the other shots say of one."""

    RIGHT = "right"
    UNSURE = "unsure"
    WRONG = "wrong"
    ALONE = "alone"


@dataclass(frozen=True, slots=True)
class ShotTest:
    """One taught shot, judged by the others.

    Attributes:
        die, face: As it was taught.
        shot: Its id.
        verdict: ``wrong`` where another face or die is vouched for, ``alone`` where it
            is the only one of its face: nothing can be said of it.
        said: Die and face that the others take it for; "" where alone.
        confidence: Of that.
    """

    die: str
    face: str
    shot: int
    verdict: Verdict
    said: str = ""
    confidence: float = 0.0


def check_gallery(gallery: Gallery, name: str | None = None) -> Iterator[ShotTest]:
    """Yield the test of each shot of all dice, or of the die of that name."""
    for die, taught in gallery.dice.items():
        if name not in (None, die):
            continue
        for face, shots in taught.faces.items():
            for shot in shots:
                if len(shots) == 1:
                    yield ShotTest(die, face, shot.id, Verdict.ALONE)
                else:
                    yield _one(gallery, die, face, shot)


def _one(gallery: Gallery, die: str, face: str, shot: Shot) -> ShotTest:
    """Ask the gallery without this shot what it shows."""
    shape = gallery.dice[die].shape
    saved = gallery.dice
    gallery.dice = {
        name: TaughtDie(taught.shape, taught.colour, _without(taught, shot.id))
        for name, taught in saved.items()
        if taught.shape == shape
    }
    try:
        # Kept upright: its first vector is the shot as it was taken.
        found = gallery.likeness(list(gallery.dice), shot.vectors[:1], shot.tint)
        match = decide(found, gallery.confidence, gallery.own_likeness)
    finally:
        gallery.dice = saved
    said, sure = match.scores[0]
    if not match.known or sure < BAR:
        verdict = Verdict.UNSURE
    else:
        right = (match.die, said) == (die, face)
        verdict = Verdict.RIGHT if right else Verdict.WRONG
    return ShotTest(die, face, shot.id, verdict, f"{match.die} {said}", sure)


def _without(taught: TaughtDie, shot_id: int) -> dict[str, list[Shot]]:
    """Return a die's faces without one shot, and without faces that had no other."""
    faces = {
        face: [shot for shot in shots if shot.id != shot_id]
        for face, shots in taught.faces.items()
    }
    return {face: shots for face, shots in faces.items() if shots}
