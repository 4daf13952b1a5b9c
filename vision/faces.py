"""Reads the up face of one untaught die: its numeral or its pips.

1. The up face is cropped at every turn its polygon allows, once. The network says for
   each crop which numeral or pips stand there upright, or that none does.
2. The best turns are looked at again with the crop's centre moved a little; the three
   best of those agree on the score, for a centre is never exact.
3. Strings that this kind of die does not have are struck out; ``6|9``, a six or nine
   without a mark, is told only where there is no nine.
4. Scores become confidences by a curve fitted on dice drawn for nothing else
   (`vision/train/faces_calibrate.py`).

``python -m vision.faces IMAGE...`` prints what it reads.
"""

from __future__ import annotations

import argparse
import pathlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import crops
from vision.confidence import load_confidence
from vision.crops import View
from vision.frame import Image, Pose
from vision.images import read_image
from vision.together import AT_ONCE, Look, Search, shared_out, together

Floats = NDArray[np.float32]

MODELS = pathlib.Path(__file__).parent / "models"

CLASSES = (
    *(str(n) for n in range(21)),
    "00",
    *(str(n) for n in range(30, 91, 10)),
    "6|9",
    *(f"pips{n}" for n in range(1, 7)),
    "none",
)
"""What the numeral network tells apart, in the order of its scores."""

_SIX, _NINE, _EITHER = (CLASSES.index(name) for name in ("6", "9", "6|9"))

FACES: dict[str, tuple[str, ...]] = {
    "d6": tuple(str(n) for n in range(1, 7)),
    "d8": tuple(str(n) for n in range(1, 9)),
    "d10": tuple(str(n) for n in range(11)),
    "d%": ("00", *(str(n) for n in range(10, 91, 10))),
    "d12": tuple(str(n) for n in range(1, 13)),
    "d20": tuple(str(n) for n in range(1, 21)),
}
"""Face keys of the untaught kinds. A d10 prints 0 or 10, not both."""

CUBE_CLEAR = 0.8
CUBE_SIZES = (0.88, 1.12)
CUBE_DENIED = 0.35
"""A cube read less surely than the first is looked at in these sizes too: its sides,
seen a little, make it seem larger. The surest look counts unless another one sees
another face this surely. On 100 freshly drawn trays: 51 right, 2 wrong without; 53 and
1 with."""

SHIFT = 0.1
"""How far a crop's centre is moved, in radii: poses are off by about half of it."""

BESIDE = tuple((SHIFT * x, SHIFT * y) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)))
CORNERS = tuple((SHIFT * x, SHIFT * y) for x, y in ((1, 1), (-1, 1), (1, -1), (-1, -1)))

AGREEING = 3
"""Shifts whose mean is the score: all nine would punish a centre that is off."""

CLEAR = 0.93
"""A crop of one of the usual turns that scores above this ends the search of turns."""

PLAIN = 0.98
PLAINEST = 0.99
PAIR = (CORNERS[0], CORNERS[3])
"""A crop that scores above `PLAIN` is looked at beside these places only, the second
not if both score above `PLAINEST`, and no further turn is looked at. On strangers'
photographs and renders dice are read as before, 908 of 1,037 right, 14 wrong; five of
the bench by 21.5 crops where it were 29."""

EITHER_SHARE = 0.1
"""Where ``6|9`` scores above this beside a 6 or 9, the mark is not certain."""


@dataclass(frozen=True, slots=True)
class NumeralReading:
    """What is written on the up face of an untaught die.

    Attributes:
        die: Kind that it implies: d6 d8 d10 d% d12 d20.
        scores: (face, confidence), best first, at most five; empty where nothing is
            readable or the kind has no numerals upright on its up face (d4, coin).
        pips: The first face was told by pips, not by a numeral.
        seen: ``(len(CLASSES),)`` how much the face looks like each of `CLASSES`, 0..1;
            None where it was not looked at.
    """

    die: str
    scores: tuple[tuple[str, float], ...]
    pips: bool = False
    seen: Floats | None = field(default=None, compare=False)


class FaceReader:
    """Reads numerals and pips; not for several threads at once."""

    def __init__(self, models: pathlib.Path = MODELS) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(models / "numerals.onnx"))
        self._confidence = load_confidence(models / "confidence.json")

    def read_numeral(self, image: Image, pose: Pose) -> NumeralReading:
        """Read the die at `pose`.

        Args:
            image: BGR, the one that the pose was found in.
            pose: Where the die lies.
        """
        return self.read_numerals(image, [pose])[0]

    def read_numerals(
        self, image: Image, poses: Sequence[Pose]
    ) -> list[NumeralReading]:
        """Read several dice of one image, quicker together than one by one."""
        searches = [self._reading(pose) for pose in poses]
        return together(searches, partial(self._look, image))

    def face_scores(
        self, image: Image, pose: Pose
    ) -> tuple[str, dict[str, float], Floats]:
        """Return the kind, raw scores of its faces, and those of all `CLASSES`.

        For calibration and evaluation; `read_numeral` gives confidences.
        """
        (best,) = self.seen(image, [pose])
        die, faces = _kind_of(pose.shape, best)
        return die, faces, best

    def seen(self, image: Image, poses: Sequence[Pose]) -> list[Floats]:
        """Return what up faces look like, whatever their kinds can bear.

        Args:
            image: BGR, the one that the poses were found in.
            poses: Of dice.

        Returns:
            For each ``(len(CLASSES),)``: the best score of each class over all turns.
        """
        return together([_search(pose) for pose in poses], partial(self._look, image))

    def shares(self, image: Image, asked: Sequence[Look]) -> list[Floats]:
        """Return what each view of each die looks like, for a question of one's own.

        Args:
            image: BGR, the one that the poses were found in.
            asked: Poses, and the views of each.

        Returns:
            For each pose ``(len(views), len(CLASSES))``; each row sums to 1.
        """
        return self._look(image, asked)

    def _reading(self, pose: Pose) -> Search[NumeralReading]:
        """Read the die at `pose`."""
        if pose.shape not in crops.TURNS or pose.shape in ("d4", "coin"):
            return NumeralReading(pose.shape, ())
        first = yield from self._once(pose)
        if pose.shape != "d6" or not first.scores:
            return first
        if first.scores[0][1] >= CUBE_CLEAR:
            return first
        return (yield from self._in_sizes(pose, first))

    def _in_sizes(self, pose: Pose, first: NumeralReading) -> Search[NumeralReading]:
        """Look at a doubtful cube in other sizes too; the surest look may count."""
        looks = [first]
        for size in CUBE_SIZES:
            other = replace(pose, radius_px=pose.radius_px * size)
            looks.append((yield from self._once(other)))
        told = [look.scores[0] for look in looks if look.scores]
        face = max(told, key=lambda one: one[1])[0]
        if any(other != face and sure >= CUBE_DENIED for other, sure in told):
            return first
        return max(looks, key=lambda look: look.scores[0][1] if look.scores else 0.0)

    def _once(self, pose: Pose) -> Search[NumeralReading]:
        """Read the die at `pose`, its size believed."""
        seen = yield from _search(pose)
        die, faces = _kind_of(pose.shape, seen)
        pairs = sorted(faces.items(), key=lambda item: -item[1])[:5]
        pips = die == "d6" and _shows_pips(pairs[0][0], seen)
        return NumeralReading(die, self._confidences(die, pairs), pips, seen)

    def _look(self, image: Image, asked: Sequence[Look]) -> list[Floats]:
        """Return ``(views, classes)`` shares that sum to 1 for each look asked for."""
        some = np.concatenate([_numeral_crops(image, *one) for one in asked])
        shown = crops.numeral_input(some)
        answers = []
        for at in range(0, len(some), AT_ONCE):
            self._net.setInput(shown[at : at + AT_ONCE])
            answers.append(np.asarray(self._net.forward(), dtype=np.float32))
        answer = np.concatenate(answers)
        power = np.exp(answer - answer.max(axis=1, keepdims=True))
        return shared_out(power / power.sum(axis=1, keepdims=True), asked)

    def _confidences(
        self, die: str, pairs: list[tuple[str, float]]
    ) -> tuple[tuple[str, float], ...]:
        """Return the best face with its calibrated confidence, the others after it."""
        if not pairs or pairs[0][1] <= 0.01:
            return ()
        first, second = pairs[0][1], pairs[1][1]
        sure = self._confidence.numeral(die, first, second)
        rest = sum(score for _, score in pairs[1:]) or 1.0
        others = [
            (face, min(sure, (1 - sure) * score / rest)) for face, score in pairs[1:]
        ]
        return ((pairs[0][0], sure), *others)


def _numeral_crops(image: Image, pose: Pose, views: Sequence[View]) -> Image:
    """Return ``(len(views), NUMERAL_PX, NUMERAL_PX, 3)`` crops of the up face."""
    half_width = crops.NUMERAL_HALF_WIDTH[pose.shape]
    return crops.crops(image, pose, half_width, views, crops.NUMERAL_PX)


def _search(pose: Pose) -> Search[Floats]:
    """Return ``(len(CLASSES),)`` the best score of each class over all turns."""
    ways = crops.turns(pose)
    seen = yield from _turned(pose, ways)
    best: Floats = seen.max(axis=0)
    if pose.shape == "d6":
        # Pips read the same at every quarter turn: all that were seen must agree.
        best[_EITHER + 1 : -1] = seen[:, _EITHER + 1 : -1].mean(axis=0)
    order = np.argsort(-seen[:, :-1].max(axis=1))
    strongest = float(seen[order[0], :-1].max())
    for at in order[: 1 if strongest > CLEAR else 2]:
        around = yield from _around(pose, ways[at], seen[at : at + 1], strongest)
        agreeing = AGREEING if len(around) > AGREEING else AGREEING - 1
        agreed = np.sort(around, axis=0)[-agreeing:].mean(axis=0)
        seen[at] = 0
        others = seen.max(axis=0)
        numerals = slice(0, _EITHER + 1)
        best[numerals] = np.maximum(agreed, others)[numerals]
        if pose.shape == "d6":
            pips = slice(_EITHER + 1, -1)
            best[pips] = (best[pips] + agreed[pips]) / 2
        seen[at] = agreed
    return best


def _turned(pose: Pose, ways: Sequence[float]) -> Search[Floats]:
    """Return ``(n, len(CLASSES))`` what is seen at the first `n` of these turns."""
    usual = len(ways) if pose.shape in ("d6", "d10") else len(ways) // 2
    bounds = sorted({*range(0, usual, AT_ONCE), usual, len(ways)})
    seen = np.empty((0, len(CLASSES)), np.float32)
    for at, end in pairwise(bounds):
        if len(seen) and seen[:, :-1].max() > (PLAIN if at < usual else CLEAR):
            break
        more = yield pose, [View(turn) for turn in ways[at:end]]
        seen = np.concatenate([seen, more])
    return seen


def _around(
    pose: Pose, turn_rad: float, seen: Floats, strongest: float
) -> Search[Floats]:
    """Return ``(n, len(CLASSES))`` what is seen at a turn and beside that place."""
    mark = seen[0, :-1].argmax()
    for shifts in _shifts(strongest):
        more = yield pose, [View(turn_rad, shift) for shift in shifts]
        seen = np.concatenate([seen, more])
        if seen[:, mark].min() > PLAINEST:
            break
    return seen


def _kind_of(shape: str, best: Floats) -> tuple[str, dict[str, float]]:
    """Return the kind of a solid that shows these scores, and those of its faces."""
    kinds = ("d10", "d%") if shape == "d10" else (shape,)
    found = {die: faces_of(die, best) for die in kinds}
    # A lone "10" stands on every d%, and on few d10.
    die = max(reversed(kinds), key=lambda name: max(found[name].values()))
    return die, found[die]


def faces_of(die: str, best: Floats) -> dict[str, float]:
    """Return the score of each face of a kind.

    Args:
        die: Of `FACES`.
        best: ``(len(CLASSES),)``, as `NumeralReading.seen`.
    """
    scores = {face: float(best[CLASSES.index(face)]) for face in FACES[die]}
    either = float(best[_EITHER])
    if die in ("d6", "d8"):
        scores["6"] = max(scores["6"], either)
    elif "9" in scores and either > EITHER_SHARE:
        shared = max(either, scores["6"], scores["9"]) / 2
        scores["6"] = scores["9"] = shared
    if die == "d6":
        for n in range(1, 7):
            pips = float(best[CLASSES.index(f"pips{n}")])
            scores[str(n)] = max(scores[str(n)], pips)
    return scores


def numbers_borne(shape: str, faces: Iterable[str]) -> frozenset[str]:
    """Return all numbers of the kinds by whose numbers these faces are called.

    Args:
        shape: Solid of the die.
        faces: Keys, perhaps not all of the die's, and icons' among them.

    Returns:
        No number where no face is called by one.
    """
    kinds = ("d10", "d%") if shape == "d10" else (shape,)
    borne = [frozenset(FACES.get(kind, ())) for kind in kinds]
    named = frozenset(faces) & frozenset().union(*borne)
    return frozenset().union(*(some for some in borne if named and some >= named))


def _shows_pips(face: str, seen: Floats) -> bool:
    """True where pips, not a numeral, give a cube's face its score."""
    numeral = seen[CLASSES.index(face)]
    if face == "6":
        numeral = max(numeral, seen[_EITHER])
    return bool(seen[CLASSES.index(f"pips{face}")] > numeral)


def _shifts(strongest: float) -> tuple[tuple[tuple[float, float], ...], ...]:
    """Return the shifts to look at, in turn: the clearer the mark, the fewer."""
    if strongest > PLAINEST:
        return PAIR[:1], PAIR[1:]
    if strongest > PLAIN:
        return (PAIR,)
    return (BESIDE if strongest > CLEAR else BESIDE + CORNERS,)


def main(argv: list[str] | None = None) -> None:
    """Find the dice in pictures and print what each untaught one shows."""
    from vision.find import Finder

    parser = argparse.ArgumentParser(description="Read untaught dice in pictures.")
    parser.add_argument("image", type=pathlib.Path, nargs="+")
    options = parser.parse_args(argv)
    finder, reader = Finder(), FaceReader()
    for path in options.image:
        image = read_image(path)
        for pose in finder.find(image):
            reading = reader.read_numeral(image, pose)
            x, y = pose.top_xy_px
            faces = " ".join(f"{face}:{share:.3f}" for face, share in reading.scores)
            print(f"{path.name} ({x:.0f}, {y:.0f}) {reading.die} {faces}")


if __name__ == "__main__":
    main()
