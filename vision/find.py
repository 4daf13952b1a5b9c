"""Finds dice in an image and says how each one lies.

1. The finder, a small network, marks places where a die may lie (`vision.spots`).
2. The pose network looks at a crop of each: which solid or none, where the middle of
   the up face is, how large, how turned, does it lie flat. Where its answer is not
   what it was shown, it looks again, at the crop that the answer asks for.
3. Of answers that share a place the surest stays; sizes far from the rest go.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.askew import Lie, askew, sideways, together
from vision.colours import COLOURS as COLOURS
from vision.colours import body_colour as body_colour
from vision.frame import Image, Pose
from vision.patches import cut_crop, pose_input, unrolled
from vision.spots import MODELS, Mark, Spotter
from vision.synth.solids import solid

Array: TypeAlias = NDArray[np.floating[Any]]

SHAPES = ("d4", "d6", "d8", "d10", "d12", "d20", "coin")
"""In the order of the pose network's answers; "no die" follows."""

SYMMETRY = (3, 4, 3, 1, 5, 3, 1)
"""Turns of the up face that look alike, for each of `SHAPES`."""

TRIANGLES = [SHAPES.index(shape) for shape in ("d4", "d8", "d20")]
"""Solids whose up faces look and turn alike."""

SURE_DIE = 0.5
"""Confidence below which the pose network's answer is "no die here"."""

SPAN = 2.0
"""Dice of one picture differ from the usual size of it by no more than this."""

LOOKED_WELL = 0.12
"""An answer that moves the middle by less than this, in radii, and the size by less
than this share, needs no second look: it would move it by 0.03 more. Where that counts,
for a die that is read with doubt, `Finder.again` gives it."""

CERTAIN = 0.9
"""Nor does it if it is at least so certain of the shape."""

LOST = 0.2
"""A second look counts unless it is less certain of a die by more than this, doubt
between solids that look alike being none: then the first does. Of 1,037 dice on
strangers' photographs and renders 905 are read right so, 21 wrong as before, and 899
where the second always counts (by the numeral network of one stage before)."""

CLEAR = 0.8
"""A find of less certainty is looked at again where something has come."""

FAINT = 0.3
FAINT_SURE = 0.95
"""A mark of less heat counts only where the pose network is so certain of the shape."""

TOP_HEIGHT = 0.45
"""Of an up face over the middle of its die, in radii. It is 0.58 (d6, d8) to 0.8 (d20);
less is believed, for the finder's middle is drawn towards the up face."""

IN_VIEW = 0.25
"""A die whose middle lies nearer to the image's border than this, in radii, is no die
that anybody could read."""

LEANS = {"d6": 0.11, "d8": 0.11, "d10": 0.25, "d12": 0.11, "d20": 0.11}
"""A die leans whose up face lies by more than this, in radii, beside the place that the
line of sight gives it. Of drawn scenes under a known camera it catches about half of
the dice that lean (29 of 57 at 0.1, 17 at 0.14) and 2 of 327 flat ones; of 178 flat
dice in the drawn tray none lay above 0.06."""

LENSES = (0.55, 1.3)
"""A camera over a flat sheet may hang lower and see wider than is known: its height
counts as known up to these factors, from 40 to 80 degrees across for the usual 66."""

OVERLAP = 0.62
"""Two dice whose middles are nearer than this share of the larger radius are one."""


class Finder:
    """Finds dice and their poses. One thread at a time may use it.

    Args:
        models: Folder of ``find.onnx`` and ``pose.onnx``.
    """

    def __init__(self, models: Path = MODELS) -> None:
        self._spotter = Spotter(models)
        self._poser = cv2.dnn.readNetFromONNX(str(models / "pose.onnx"))

    def find(
        self,
        image: Image,
        *,
        px_per_mm: float | None = None,
        camera_px: tuple[float, float, float] | None = None,
        arrivals: Sequence[Mark] = (),
    ) -> tuple[Pose, ...]:
        """Return the dice in an image, left to right; none is an answer.

        Args:
            image: ``(h, w, 3)`` BGR.
            px_per_mm: Scale on the tray's floor where known; only dice of 14 to 50 mm
                across are then looked for.
            camera_px: Where known, the point of the image that lies straight below the
                camera (x, y) and the camera's height over the floor, all in pixels: it
                tells a die seen from the side from one that leans.
            arrivals: Places where something has come, see `vision.arrivals`.
        """
        marks = self._spotter.marks(image, px_per_mm=px_per_mm)
        poses = self.poses(image, marks, camera_px=camera_px, arrivals=arrivals)
        return tuple(sorted(poses, key=lambda p: p.top_xy_px))

    def poses(
        self,
        image: Image,
        marks: Sequence[Mark],
        *,
        camera_px: tuple[float, float, float] | None = None,
        arrivals: Sequence[Mark] = (),
    ) -> list[Pose]:
        """Return the poses of the marks that are dice, each die once.

        Where that leaves an arrival without a clear die it is looked at too: it knows
        its place and its size better than a faint mark does.
        """
        looked = self._looked(image, marks, camera_px)
        dice = _dice(looked)
        clear = [look for look in dice if _weight(look) >= CLEAR] if arrivals else []
        lonely = [mark for mark in arrivals if not any(d.covers(mark) for d in clear)]
        if lonely:
            dice = _dice(looked + self._looked(image, lonely, camera_px))
        if camera_px is not None:
            return [look.pose(camera_px) for look in dice]
        return _compared(dice, image.shape[1], image.shape[0])

    def _looked(
        self,
        image: Image,
        marks: Sequence[Mark],
        camera_px: tuple[float, float, float] | None,
    ) -> list[_Look]:
        """Look at each mark, and where that calls for it once more."""
        marks = [mark for mark in marks if _in_view(mark, image)]
        places = [_place(mark, camera_px) for mark in marks]
        first = self._look(image, places, camera_px)
        good = [a.confirms(b) for a, b in zip(first, places, strict=True)]
        done = [look for look, well in zip(first, good, strict=True) if well]
        near = [
            look
            for look, well in zip(first, good, strict=True)
            if not well and look.shares[-1] < 1 - SURE_DIE / 2
        ]
        again = self._look(image, near, camera_px)
        return done + [a.or_again(b) for a, b in zip(near, again, strict=True)]

    def again(
        self,
        image: Image,
        pose: Pose,
        *,
        camera_px: tuple[float, float, float] | None = None,
    ) -> Pose:
        """Return a found die's pose after one more look: nearer to where it lies.

        Without the camera's place it leans as before: the whole picture told that.
        """
        x, y = pose.top_xy_px
        place = _Look((x, y), pose.radius_px, (x, y))
        (look,) = self._look(image, [place], camera_px)
        if not look.is_die:
            return pose
        nearer = look.pose(camera_px)
        return replace(nearer, flat=pose.flat) if camera_px is None else nearer

    def _look(
        self,
        image: Image,
        places: Sequence[_Look],
        camera_px: tuple[float, float, float] | None,
    ) -> list[_Look]:
        """Ask the pose network about each place."""
        if not places:
            return []
        shown = [unrolled(cut_crop(image, p.at_px, p.radius_px)) for p in places]
        views = np.zeros((len(places), 3))
        if camera_px is not None:
            slopes = np.array([place.xy_px for place in places]) - camera_px[:2]
            views[:, :2] = slopes / camera_px[2]
            views[:, 2] = 1.0
        answers = []
        for crop in pose_input(np.stack(shown), views):
            self._poser.setInput(crop[None])  # no quicker for several at once
            answers.append(np.asarray(self._poser.forward())[0])
        return [one.seen(a) for one, a in zip(places, answers, strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """A place looked at, and what the pose network says of it.

    Attributes:
        at_px: Middle of the up face, where the next look is centred.
        radius_px: Of the die.
        xy_px: Middle of the die.
        shares: Probability of each of `SHAPES` and of "none".
        turns: Turn for each of `SHAPES`, radians.
        flat: 0..1.
        heat: Of the mark.
    """

    at_px: tuple[float, float]
    radius_px: float
    xy_px: tuple[float, float]
    shares: Array = field(default_factory=lambda: np.zeros(len(SHAPES) + 1))
    turns: Array = field(default_factory=lambda: np.zeros(len(SHAPES)))
    flat: float = 1.0
    heat: float = 1.0

    def seen(self, answer: Array) -> _Look:
        """Return this place corrected by the network's answer, ``(28,)``."""
        count = len(SHAPES)
        odds = np.exp(answer[: count + 1] - answer[: count + 1].max())
        growth = math.exp(max(-0.5, min(0.5, float(answer[count + 1]))))
        dx, dy = (float(v) for v in answer[count + 3 : count + 5])
        tops = answer[count + 5 :][: 2 * count].reshape(count, 2)
        tx, ty = (float(v) for v in tops[int(odds[:count].argmax())])
        pairs = answer[count + 5 + 2 * count :].reshape(count, 2)
        x, y = self.at_px
        r = self.radius_px
        return _Look(
            at_px=(x + tx * r, y + ty * r),
            radius_px=r * growth,
            xy_px=(x + dx * r, y + dy * r),
            shares=odds / odds.sum(),
            turns=np.arctan2(pairs[:, 1], pairs[:, 0]) / np.array(SYMMETRY),
            flat=1 / (1 + math.exp(-float(answer[count + 2]))),
            heat=self.heat,
        )

    def confirms(self, place: _Look) -> bool:
        """True where this answer hardly differs from what was looked at."""
        moved = math.dist(self.at_px, place.at_px) / place.radius_px
        grown = abs(math.log(self.radius_px / place.radius_px))
        return max(moved, grown) < LOOKED_WELL and self.confidence > CERTAIN

    def or_again(self, second: _Look) -> _Look:
        """Return the second look at this die, or this one where that lost it."""
        lost = self.is_die and self.found > second.found + LOST
        return self if lost else second

    @property
    def is_die(self) -> bool:
        """True where a die lies here rather than none."""
        if self.heat < FAINT and self.confidence < FAINT_SURE:
            return False
        return bool(self.shares[-1] < 1 - SURE_DIE)

    def covers(self, mark: Mark) -> bool:
        """True where that mark means this die."""
        reach = OVERLAP * max(self.radius_px, mark.radius_px)
        return math.dist(self.xy_px, mark.xy_px) < reach

    @property
    def confidence(self) -> float:
        """Of the likeliest shape."""
        return float(self.shares[:-1].max())

    @property
    def twin(self) -> float:
        """Of the other shapes whose up face looks the same."""
        best = int(self.shares[:-1].argmax())
        twins = [k for k in TRIANGLES if k != best] if best in TRIANGLES else []
        return float(self.shares[twins].sum())

    @property
    def found(self) -> float:
        """Of a die with such an up face, whichever it is."""
        return self.confidence + self.twin

    def pose(self, camera_px: tuple[float, float, float] | None = None) -> Pose:
        """Return the pose of the likeliest shape; the camera tells whether it leans."""
        best = int(self.shares[:-1].argmax())
        turn = 0.0 if SHAPES[best] == "coin" else float(self.turns[best])
        leans = camera_px is not None and self._leans(SHAPES[best], turn, camera_px)
        return Pose(
            shape=SHAPES[best],
            top_xy_px=self.at_px,
            radius_px=self.radius_px,
            turn_rad=turn % (math.tau / SYMMETRY[best]),
            confidence=self.confidence,
            flat=0.0 if leans else self.flat,
            twin=self.twin,
            slope=(0.0, 0.0) if camera_px is None else self._slope(camera_px),
        )

    def _slope(self, camera_px: tuple[float, float, float]) -> tuple[float, float]:
        """Return how the die is looked at by a camera there; see `Pose.slope`."""
        (x, y), (over_x, over_y, height) = self.xy_px, camera_px
        return (x - over_x) / height, (y - over_y) / height

    def _leans(
        self, shape: str, turn_rad: float, camera_px: tuple[float, float, float]
    ) -> bool:
        """True where the up face is not where that of a flat die would be seen."""
        limit = LEANS.get(shape)
        if limit is None:
            return False
        beside, height = self._beside(shape, turn_rad)
        expected = np.array(self._slope(camera_px)) * height
        square = float(expected @ expected)
        near = float(beside @ expected) / square if square > 0 else 1.0
        near = min(max(near, LENSES[0]), LENSES[1])
        return bool(np.linalg.norm(beside - near * expected) > limit)

    def lie(self, width_px: int, height_px: int) -> Lie:
        """Return how the die lies in a picture of that size."""
        best = int(self.shares[:-1].argmax())
        (right, down), height = self._beside(SHAPES[best], float(self.turns[best]))
        x, y = self.xy_px
        place = (x / width_px - 0.5, (y - height_px / 2) / width_px)
        return Lie(place, (float(right), float(down)), height)

    def _beside(self, shape: str, turn_rad: float) -> tuple[Array, float]:
        """Return where the up face is seen, beside where it would be from above.

        Returns:
            Right and down, and the up face's height over the die's middle, in radii.
        """
        body = solid(shape)
        right, up, height = body.rotation(0, turn_rad) @ body.top_point(0)
        seen = (np.array(self.at_px) - self.xy_px) / self.radius_px
        return seen - np.array([right, -up]), float(height)


def _place(mark: Mark, camera_px: tuple[float, float, float] | None) -> _Look:
    """Return where to look first: at the up face, where the line of sight is known."""
    if camera_px is None:
        return _Look(mark.xy_px, mark.radius_px, mark.xy_px, heat=mark.heat)
    x, y = mark.xy_px
    reach = TOP_HEIGHT * mark.radius_px / camera_px[2]
    top = (x + reach * (x - camera_px[0]), y + reach * (y - camera_px[1]))
    return _Look(top, mark.radius_px, mark.xy_px, heat=mark.heat)


def _in_view(mark: Mark, image: Image) -> bool:
    """True where most of the die is in the image."""
    height, width = image.shape[:2]
    x, y = mark.xy_px
    inside = min(x, y, width - x, height - y)
    return bool(inside >= IN_VIEW * mark.radius_px)


def _compared(looks: Sequence[_Look], width_px: int, height_px: int) -> list[Pose]:
    """Return the poses; whether a die leans is told by the others in the picture."""
    poses = [look.pose() for look in looks]
    judged = [k for k, pose in enumerate(poses) if pose.shape in LEANS]
    lies = [looks[k].lie(width_px, height_px) for k in judged]
    told = zip(judged, askew(lies), together(lies), sideways(lies), strict=True)
    for k, odd, like, aside in told:
        if odd or (aside and not like):
            poses[k] = replace(poses[k], flat=0.0)
        elif like:
            poses[k] = replace(poses[k], flat=1.0)
    return poses


def _weight(look: _Look) -> float:
    """Return how much a look counts against others at its place or of other sizes.

    A pip looks like a round token: what holds it is larger and no token.
    """
    token = SHAPES[int(look.shares[:-1].argmax())] == "coin"
    return look.confidence * (0.6 if token else 1.0)


def _dice(looks: Sequence[_Look]) -> list[_Look]:
    """Return the looks that show a die, each die once."""
    return once(alike([look for look in looks if look.is_die]))


def once(looks: Sequence[_Look]) -> list[_Look]:
    """Return each die once: of two at one place the one of more `_weight`."""
    kept: list[_Look] = []
    for look in sorted(looks, key=_weight, reverse=True):
        apart = all(
            math.dist(look.xy_px, other.xy_px)
            > OVERLAP * max(look.radius_px, other.radius_px)
            for other in kept
        )
        if apart:
            kept.append(look)
    return kept


def alike(looks: Sequence[_Look]) -> list[_Look]:
    """Return the dice without those far from the size of the surest: a pip is none."""
    if len(looks) < 2:
        return list(looks)
    weights = np.array([_weight(look) ** 4 * look.radius_px for look in looks])
    sizes = np.log([look.radius_px for look in looks])
    order = np.argsort(sizes)
    half = np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)
    usual = float(np.exp(sizes[order][min(int(half), len(looks) - 1)]))
    return [look for look in looks if 1 / SPAN < look.radius_px / usual < SPAN]
