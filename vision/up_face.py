"""What is up on each die, told by all that speaks of it.

1. Taught dice first, by likeness of the whole visible side, a numeral on them being a
   second witness.
2. What is none of them is read as numerals or pips.
3. Where that leaves the least doubt on a d10, d12 or d20, the faces beside the up face
   are asked. On a d6, pips found by geometry alone say where its face is, and are a
   second witness for what it shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from vision.faces import NumeralReading
from vision.frame import KINDS, Image, Pose
from vision.layout import TURNS, is_six_or_nine, told_by_layout
from vision.likeness import GalleryMatch
from vision.neighbours import SETTLED, told_by_neighbours
from vision.parts import MatchesFaces, ReadsFaces
from vision.pips import find_pips
from vision.synth.numbering import AROUND
from vision.witness import (
    CONTRADICTED,
    DIE_SURE,
    UpFace,
    misread,
    numeral_too,
    pips_too,
)

BAR = 0.95
"""Confidence from which a taught face is vouched for, and a stranger's where a die of
its solid is taught: it may be that one, badly seen. Of 3,005 looks at drawn taught dice
1 is read as a stranger's face, where it was 3 with the bars below; of 411 strangers on
photographs, beside taught dice of all solids, 15 more are asked about."""

UNTAUGHT_BAR = 0.9
PIP_BAR = 0.8
"""The same for numerals, and for d6, that nobody taught: the trade-off between silent
errors and dice left to a person. On 160 freshly drawn trays of hard photographs, over
readable dice that lie flat: d6 right 79 of 124, 1 wrong at 0.95; 90 and 1 at 0.8; other
kinds right 70, 0 wrong at 0.95; 75 and 0 at 0.9; 83 and 1 at 0.8
(``python -m vision.train.fresh`` draws such trays)."""

SHAPE_SURE = 0.85
"""A shape less certain than this may be a d6 after all, if it shows `MANY_PIPS`."""

MANY_PIPS = 3

NEARLY_TAUGHT = 0.5
"""Likeness from which a die that is not known for certain may be a taught one all the
same: nothing is vouched for, whatever can be read on it. Strangers mostly lie below: of
112 looks half under 0.38, nine in ten under 0.46, all under 0.63."""

LEAST_AGREED = 0.1
"""Of the network's confidence in a pattern of pips: below it there is no agreement."""

PATTERNS_TRIED = 3
"""Patterns of pips that the network is asked about, the best first."""


class UpFaces:
    """Tells what is up; used from one thread.

    Args:
        gallery: Taught dice, or None.
        faces: Reads numerals and pips.
        bar: Confidence from which any face is vouched for; None takes the bars above.
    """

    def __init__(
        self, gallery: MatchesFaces | None, faces: ReadsFaces, bar: float | None
    ) -> None:
        self._gallery = gallery
        self._faces = faces
        self._bar = bar

    def tell(self, image: Image, poses: Sequence[Pose]) -> list[UpFace]:
        """Return what is up on each die.

        Args:
            image: BGR, the one that the poses were found in.
            poses: Where the dice lie.
        """
        strangers = [GalleryMatch(None, (), -1.0, 0.0)] * len(poses)
        gallery = self._gallery
        matches = strangers if gallery is None else gallery.match_all(image, poses)
        both = list(zip(poses, matches, strict=True))
        asked = [pose for pose, match in both if _asks_numeral(match)]
        told = dict(zip(asked, self._faces.read_numerals(image, asked), strict=True))
        return [self._up_face(image, p, m, told.get(p)) for p, m in both]

    def _up_face(
        self,
        image: Image,
        pose: Pose,
        match: GalleryMatch,
        numeral: NumeralReading | None,
    ) -> UpFace:
        """Return what likeness, numeral (None: not asked) and pips say together."""
        if match.known and match.die is not None:
            taught = UpFace(match.die, match.scores, pose)
            if numeral is None:
                return taught
            usual = partial(self._is_misread, match.die)
            return numeral_too(taught, numeral, match.numbers, usual)
        if match.die is not None and match.similarity >= NEARLY_TAUGHT:
            doubted = tuple((f, min(c, CONTRADICTED)) for f, c in match.scores)
            return UpFace(match.die, doubted, pose)
        assert numeral is not None
        among_taught = match.die is not None
        read = self._neighbours_too(image, pose, numeral)
        plain = UpFace(read.die, read.scores, pose, among_taught=among_taught)
        if pose.shape != "d6" and pose.confidence >= SHAPE_SURE:
            return plain
        if self.is_sure(plain) and pose.confidence >= DIE_SURE:
            return plain
        seen = pips_too(plain, self._pips(image, pose))
        return replace(seen, among_taught=among_taught)

    def _neighbours_too(
        self, image: Image, pose: Pose, own: NumeralReading
    ) -> NumeralReading:
        """Return what a numeral and the faces beside it say together."""
        if own.die in TURNS and is_six_or_nine(own.scores):
            told = told_by_layout(self._faces, image, pose, own.scores)
            if told != own.scores:
                return replace(own, scores=told)
        if pose.shape in AROUND and own.scores and own.scores[0][1] < SETTLED:
            return told_by_neighbours(self._faces, image, pose, own)
        return own

    def _is_misread(self, die: str, face: str, told: str) -> bool:
        """True where a taught face looks like another numeral on its shots as well."""
        assert self._gallery is not None
        return misread(self._faces, self._gallery.shown(die, face), told)

    def _pips(self, image: Image, pose: Pose) -> UpFace | None:
        """Return the pips on which geometry and the network agree, or None."""
        best: UpFace | None = None
        fits = find_pips(image, pose.top_xy_px, pose.radius_px)
        least = 1 if pose.shape == "d6" else MANY_PIPS
        clean = [fit for fit in fits if not fit.left and fit.face >= least]
        for fit in clean[:PATTERNS_TRIED]:
            placed = replace(fit.pose, confidence=pose.confidence, flat=pose.flat)
            read = self._faces.read_numeral(image, placed)
            if read.die != "d6" or not read.scores or not read.pips:
                continue
            face, confidence = read.scores[0]
            if face != str(fit.face) or confidence < LEAST_AGREED:
                continue
            if best is None or confidence > best.scores[0][1]:
                best = UpFace("d6", read.scores, placed)
        return best

    def bar_of(self, up: UpFace) -> float:
        """Return the confidence from which a face of this die is vouched for."""
        if self._bar is not None:
            return self._bar
        if up.die not in KINDS or up.among_taught:
            return BAR
        return PIP_BAR if up.die == "d6" else UNTAUGHT_BAR

    def is_sure(self, up: UpFace) -> bool:
        """True where the best face reaches its bar."""
        return bool(up.scores) and up.scores[0][1] >= self.bar_of(up)


def _asks_numeral(match: GalleryMatch) -> bool:
    """True where a die's numeral counts: it is untaught, or its face called by one."""
    if match.known:
        return match.scores[0][0] in match.numbers
    return match.die is None or match.similarity < NEARLY_TAUGHT
