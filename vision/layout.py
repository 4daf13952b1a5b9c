"""A six told from a nine by how the numerals on the faces beside it stand.

One maker lays all numerals of a die out alike. On a d10 their tops point to the sharp
tips of the kites, where five of them meet, or away from there; on a d12 or d20 to a
corner of the face or to the middle of an edge. Half a turn makes a nine of a six, and
one way of standing of the other. So which way the neighbours stand, seen aslant, tells
which way the up face is to be read, with a mark or without.

1. Straighten the faces beside the up face; look at them and at it both ways up.
2. Numerals that mean something one way up only speak for that way (`TELLING`).
3. Read the up face that way: the network's small shares of 6 and of 9 tell the shape,
   whatever it thinks of the mark.

A die whose neighbours cannot be read, or say nothing, as 0, 6, 8 and 9 do, stays
unsure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np

from vision.beside import faces_beside
from vision.crops import View
from vision.faces import BESIDE, CLASSES
from vision.frame import Image, Pose
from vision.neighbours import Scores, surer
from vision.together import Floats, Look

TURNS: Final = {"d10": 2, "d12": 10, "d20": 6}
"""Turns of a numeral, evenly spaced from `Pose.turn_rad`: those of one way of standing
and of the other by turns."""

_FEW = ("2", "3", "4", "5", "7", "10")
_TEENS = ("12", "13", "14", "15", "16", "17", "18", "19", "20")
_ONE_WAY = {"d10": ("1", *_FEW), "d12": (*_FEW, "12"), "d20": ("1", *_FEW, *_TEENS)}

TELLING: Final = {
    kind: [CLASSES.index(face) for face in faces] for kind, faces in _ONE_WAY.items()
}
"""What a neighbour must look like to speak for a way. A 0, a 6, a 9 look like numerals
both ways up; so do an 8 and an 11, whose difference the network knows a little. So
does a 1 on a d12, whose neighbours are seen most aslant."""

DENYING: Final = {
    kind: sorted({*names, *(CLASSES.index(face) for face in ("1", "8", "11"))})
    for kind, names in TELLING.items()
}
"""What speaks against a way when it is seen the other way up."""

LEAST_SHARE: Final = 0.1
"""Added to each neighbour's share before ways are compared: one neighbour alone can
make a way eleven times as likely as the other, and two that agree 121 times."""

LEAD: Final = {"d10": 1.75, "d12": 2.5, "d20": 1.75}
"""Natural logarithm of how much likelier a way must be. Of 1,686 drawn d10 that showed
a six or nine without a mark 1,067 were told so, one of them wrongly; 1,146 and 3 at
1.5; 956 and none at 2. Of 531 drawn d20 407, none wrongly. Of 1,018 drawn d12 276 and
none at 2.5; 347 and one at 1.75, but in fonts held out 197 of 700 and 2 wrongly."""

LEAST_SHAPE: Final = 1e-3
SHAPE_LEAD: Final = 2.0
"""The same for a six's and a nine's shape, both ways up taken together: of those d10 96
in a hundred have it, none of them for the wrong shape."""

PAIR_SHARE: Final = 1.0
"""Of the two looks at the up face, 0..2: how far it is a six or nine at all."""

SECOND_PAIR: Final = 0.3
"""Of the share of those two looks, at most that of any other two half a turn apart: on
a d12 they stand but 36 degrees from there, and say the contrary."""

TOLD: Final = 0.97
"""Confidence of a face told so: not every maker need lay numerals out alike."""

_SIX, _NINE, _EITHER = (CLASSES.index(name) for name in ("6", "9", "6|9"))
_PAIR = [_SIX, _NINE, _EITHER]


class SeesFaces(Protocol):
    """Says what a crop looks like; `vision.faces.FaceReader`."""

    def shares(self, image: Image, asked: Sequence[Look]) -> Sequence[Floats]:
        """Return ``(len(views), len(CLASSES))`` for each die."""
        ...


def told_by_layout(
    faces: SeesFaces,
    image: Image,
    pose: Pose,
    scores: Scores,
) -> Scores:
    """Return the scores of a doubtful die, six or nine surer where its layout tells.

    Args:
        faces: Looks at the die's faces.
        image: The one that the pose was found in.
        pose: Of a die of a kind in `TURNS`, read as numbers from 0 or 1 on.
        scores: (face, confidence) of its up face, best first.
    """
    if not is_six_or_nine(scores):
        return scores
    own = _up_face(faces, image, pose)
    if own is None:
        return scores
    beside = [_neighbour(faces, *view) for view in faces_beside(image, pose)]
    return with_layout(pose.shape, scores, own, beside)


def is_six_or_nine(scores: Scores) -> bool:
    """True where a reading is torn between just these two.

    Args:
        scores: (face, confidence), best first.
    """
    first = scores[:2]
    return {face for face, _ in first} == {"6", "9"} and first[0][1] == first[1][1]


def with_layout(
    kind: str, scores: Scores, own: Floats, beside: Sequence[Floats]
) -> Scores:
    """Return the scores with six or nine first, if layout and shape are clear.

    Args:
        kind: Of `TURNS`.
        scores: (face, confidence), best first, six and nine among them.
        own: ``(2, len(CLASSES))`` shares of the up face, a row for each way up, the
            rows half a turn apart.
        beside: The same of each neighbour, the best look for each way up.
    """
    told, denied = (
        sum(np.log(seen[:, names].max(axis=1) + LEAST_SHARE) for seen in beside)
        for names in (TELLING[kind], DENYING[kind])
    )
    way = int(np.argmax(told))
    if told[way] - denied[1 - way] < LEAD[kind]:
        return scores
    small = np.log(own[[way, 1 - way]][:, [_SIX, _NINE]] + LEAST_SHAPE)
    shape = float(small[0, 0] + small[1, 1] - small[0, 1] - small[1, 0])
    if abs(shape) < SHAPE_LEAD:
        return scores
    return surer(scores, "6" if shape > 0 else "9", TOLD)


def _up_face(faces: SeesFaces, image: Image, pose: Pose) -> Floats | None:
    """Return ``(2, len(CLASSES))`` where the up face is a six or nine, if it is one."""
    seen = _around(faces, image, pose, _turns(pose))
    half = len(seen) // 2
    share = seen[:, _PAIR].sum(axis=1)
    pairs = share[:half] + share[half:]
    at = int(np.argmax(pairs))
    second = np.delete(pairs, at).max(initial=0.0)
    if pairs[at] < PAIR_SHARE or second > SECOND_PAIR * pairs[at]:
        return None
    # Half a turn is an odd number of steps: one of the two is even, and comes first.
    own: Floats = seen[sorted((at, at + half), key=lambda k: k % 2)]
    return own


def _neighbour(faces: SeesFaces, image: Image, pose: Pose) -> Floats:
    """Return ``(2, len(CLASSES))`` where a neighbour is most a numeral, each way."""
    turns = _turns(pose)
    (seen,) = faces.shares(image, [(pose, [View(turn) for turn in turns])])
    clear = seen[:, DENYING[pose.shape]].max(axis=1)
    best = [way + 2 * int(np.argmax(clear[way::2])) for way in (0, 1)]
    return _around(faces, image, pose, [turns[at] for at in best])


def _around(
    faces: SeesFaces, image: Image, pose: Pose, turns: Sequence[float]
) -> Floats:
    """Return ``(len(turns), len(CLASSES))``: means over a few places at each turn."""
    places = ((0.0, 0.0), *BESIDE)
    views = [View(turn, shift) for turn in turns for shift in places]
    (seen,) = faces.shares(image, [(pose, views)])
    mean: Floats = seen.reshape(len(turns), len(places), len(CLASSES)).mean(axis=1)
    return mean


def _turns(pose: Pose) -> list[float]:
    """Return the turns that a numeral of this die may have."""
    count = TURNS[pose.shape]
    return [pose.turn_rad + k * math.tau / count for k in range(count)]
