"""The up face of a d10, d% or d20 told by the faces round it.

Most makers number these dice alike (`vision/synth/numbering.py`), so what lies round a
face says which face it is: beside a six of a d20 lie 9, 16 and 14, beside a nine 6, 11
and 19. Each neighbour is straightened and looked at; how well the numbers seen fit the
ring of a face is weighed with what the face itself looks like, and with the chance that
this die is numbered otherwise. So a doubtful face becomes sure, and a wrong one
doubtful.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.beside import PATCH_PX, faces_beside
from vision.faces import NumeralReading, faces_of
from vision.frame import Image, Pose
from vision.synth.numbering import AROUND
from vision.together import Floats as Shares

Floats: TypeAlias = NDArray[np.float64]
Scores: TypeAlias = tuple[tuple[str, float], ...]

SETTLED: Final = 0.98
"""A face surer than this is not asked about its neighbours."""

OTHERWISE: Final = {"d20": 0.25, "d10": 0.25, "d%": 0.5}
"""Chance that a die is numbered otherwise than most; see `numbering` for counts."""

MIRRORED: Final = 0.1
"""Of those numbered as most, the share that is so the other way round."""

LEAST_SEEN: Final = 0.02
LEAST_OWN: Final = 0.01
"""Added to what a neighbour and the face itself look like: each may be misread."""

TOLD: Final = 0.97
"""Confidence at most of a face told by its neighbours.

Of 1,800 drawn d20, d10 and d% that are numbered as most, 1,494 are read right by
themselves, 16 wrongly; with their neighbours 1,632 and 9. Of 1,200 numbered otherwise
994 and 11, with them 1,009 and 15."""

DENIED: Final = 0.8
"""A face as sure as this is doubted, not changed, where its neighbours tell another."""

PLAUSIBLE: Final = 0.1
"""A face that looks less like it is not believed because of its neighbours alone."""

DOUBTED: Final = 0.5
"""Confidence of such faces at most."""

ROUND: Final = 20.0
"""What lies round a face fits it so much better than chance if it is that of a d20: so
it did on 203 of 300 drawn d20s with a number up to 8, and on none of 300 d8s."""


class ReadsFaces(Protocol):
    """Looks at faces; `vision.faces.FaceReader`."""

    def seen(self, image: Image, poses: Sequence[Pose]) -> Sequence[Shares]:
        """Return what each up face looks like, ``(len(CLASSES),)`` in 0..1."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class _Candidates:
    """The faces that a solid may show, numbered as most are.

    Attributes:
        names: ``n`` pairs of a kind and a face.
        otherwise: ``(n,)`` see `OTHERWISE`.
        rings: ``(n, ways, neighbours)`` which candidates lie round each, clockwise, for
            each way that they may be matched with what is seen.
        shares: ``(ways,)`` how likely each way is.
    """

    names: tuple[tuple[str, str], ...]
    otherwise: Floats
    rings: NDArray[np.int64]
    shares: Floats


@lru_cache(maxsize=len(AROUND))
def _candidates(shape: str) -> _Candidates:
    """Return the candidates of one of the solids in `AROUND`."""
    kinds = ("d10", "d%") if shape == "d10" else (shape,)
    numbers = list(AROUND[shape])
    names: list[tuple[str, str]] = []
    rings = []
    for kind in kinds:
        first = len(names)
        for number in numbers:
            names.append((kind, f"{number}0" if kind == "d%" else str(number)))
            ring = [first + numbers.index(other) for other in AROUND[shape][number]]
            # The turn of a d10's pose tells which neighbour is which.
            turns = range(len(ring)) if shape == "d20" else range(1)
            ways = [ring[k:] + ring[:k] for k in turns]
            rings.append(ways + [way[::-1] for way in ways])
    each = len(rings[0]) // 2
    shares = np.repeat([1 - MIRRORED, MIRRORED], each) / each
    otherwise = np.array([OTHERWISE[kind] for kind, _ in names])
    return _Candidates(tuple(names), otherwise, np.array(rings), shares)


def told_by_neighbours(
    faces: ReadsFaces,
    image: Image,
    pose: Pose,
    own: NumeralReading,
) -> NumeralReading:
    """Return a reading surer or more doubtful, as its neighbours tell.

    Args:
        faces: Looks at the neighbours.
        image: The one that the pose was found in.
        pose: Of a d10 or d20.
        own: What the up face alone says.
    """
    names = _candidates(pose.shape).names
    if own.seen is None or not own.scores or (own.die, own.scores[0][0]) not in names:
        return own
    return with_neighbours(pose.shape, own, _beside(faces, image, pose))


def is_numbered_round(
    faces: ReadsFaces,
    image: Image,
    pose: Pose,
    face: str,
) -> bool:
    """True where what lies beside an up face lies beside it on most d20s.

    Args:
        faces: Looks at the neighbours.
        image: The one that the pose was found in.
        pose: Of what may be a d20.
        face: Read on it.
    """
    fitting = _fitting("d20", _beside(faces, image, pose))
    at = _candidates("d20").names.index(("d20", face))
    return bool(fitting[at] >= ROUND)


def with_neighbours(
    shape: str, own: NumeralReading, beside: Sequence[Shares]
) -> NumeralReading:
    """Return a reading weighed with what its neighbours look like.

    Args:
        shape: d10 or d20.
        own: Of the up face; `seen` is known, and the face one of those in `AROUND`.
        beside: ``(len(CLASSES),)`` of each neighbour, clockwise.
    """
    assert own.seen is not None
    some = _candidates(shape)
    fitting = some.otherwise + (1 - some.otherwise) * _fitting(shape, beside)
    chances = _chances(shape, own) * fitting
    chances /= chances.sum()
    order = np.argsort(-chances)[:5]
    (die, face), sure = some.names[order[0]], float(chances[order[0]])
    before, likely = own.scores[0]
    if (die, face) == (own.die, before):
        return replace(own, scores=surer(own.scores, face, min(sure, TOLD)))
    believed = likely < DENIED and _shares(shape, own.seen)[order[0]] >= PLAUSIBLE
    most = TOLD if believed else DOUBTED
    ranked = [(some.names[at], min(float(chances[at]), most)) for at in order]
    scores = tuple((name, chance) for (kind, name), chance in ranked if kind == die)
    return replace(own, die=die, scores=scores)


def _chances(shape: str, own: NumeralReading) -> Floats:
    """Return ``(n,)``: how likely each candidate is by the up face alone.

    The face read has its confidence; the others share the rest by what is seen.
    """
    assert own.seen is not None
    face, sure = own.scores[0]
    others = _shares(shape, own.seen) + LEAST_OWN
    read = np.array([name == (own.die, face) for name in _candidates(shape).names])
    others[read] = 0.0
    return np.asarray(np.where(read, sure, (1 - sure) * others / others.sum()))


def surer(scores: Scores, face: str, sure: float) -> Scores:
    """Return the scores with one of their faces first, if that makes it surer.

    Args:
        scores: (face, confidence), best first.
        face: One of them.
        sure: Its new confidence; the others share what is left as they did before.
    """
    own = dict(scores)[face]
    if sure <= own:
        return scores
    left = (1 - sure) / max(1 - own, 1e-6)
    rest = tuple((other, min(share * left, sure)) for other, share in scores)
    return ((face, sure), *(pair for pair in rest if pair[0] != face))


def _beside(faces: ReadsFaces, image: Image, pose: Pose) -> Sequence[Shares]:
    """Return what each neighbour looks like; all in one picture, that is quicker."""
    views = faces_beside(image, pose)
    row = np.concatenate([view for view, _ in views], axis=1)
    lying = []
    for at, (_, found) in enumerate(views):
        x, y = found.top_xy_px
        lying.append(replace(found, top_xy_px=(x + at * PATCH_PX, y)))
    return faces.seen(row, lying)


def _fitting(shape: str, beside: Sequence[Shares]) -> Floats:
    """Return ``(n,)``: by how much the neighbours fit each better than chance."""
    some = _candidates(shape)
    seen = np.array([_shares(shape, one) for one in beside]) + LEAST_SEEN
    better = seen / seen.mean(axis=1, keepdims=True)
    matched = better[np.arange(len(beside)), some.rings]
    return np.asarray(matched.prod(axis=2) @ some.shares)


def _shares(shape: str, seen: Shares) -> Floats:
    """Return ``(n,)`` how much a face looks like each candidate."""
    names = _candidates(shape).names
    told = {kind: faces_of(kind, seen) for kind in {kind for kind, _ in names}}
    return np.array([told[kind][face] for kind, face in names])
