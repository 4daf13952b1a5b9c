"""Finds dice in an image and says how each one lies.

1. The finder, a small network that marks the middles of dice at one size, looks at
   the image shrunk so that dice have about that size; where the scale is unknown, at
   each level of a pyramid.
2. Marks of the same die from neighbouring levels are merged.
3. The pose network looks at a crop of each: which solid or none, where the middle of
   the up face is, how large, how turned, does it lie flat. It looks twice, the second
   time at the crop that its first answer asks for.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colours import COLOURS as COLOURS
from vision.colours import body_colour as body_colour
from vision.frame import Image, Pose
from vision.images import read_image, write_image
from vision.outline import outline_px
from vision.patches import cut_crop, pose_input, shrunk

Array: TypeAlias = NDArray[np.floating[Any]]

MODELS = Path(__file__).parent / "models"

SHAPES = ("d4", "d6", "d8", "d10", "d12", "d20", "coin")
"""In the order of the pose network's answers; "no die" follows."""

SYMMETRY = (3, 4, 3, 1, 5, 3, 1)
"""Turns of the up face that look alike, for each of `SHAPES`."""

STRIDE = 4
"""The finder answers for cells of this many pixels."""

FOUND_RADII_PX = (6.0, 21.0)
"""Radii of dice that the finder is trained to see at one level."""

BEST_RADIUS_PX = 10.0
"""Where it sees best, and cheapest."""

RADIUS_UNIT_PX = 11.0
"""The finder answers the logarithm of the radius over this."""

USUAL_RADIUS_MM = 11.5
"""Circumscribed radius of a common die; from 8 to 16 mm there is one level's room."""

LEVEL_STEP = 2.0
"""From one level of the pyramid to the next; less than the span of radii."""

LARGEST_LEVEL_PX = 1000
"""Longer side of the finest level when the scale is unknown: dice down to 0.6 %."""

SMALLEST_LEVEL_PX = 24
"""Shorter side of the coarsest level: one die that fills the image."""

HEAT = 0.3
"""A mark below this is none; the pose network has the last word."""

MOST_MARKS = 96
"""Of one image that the pose network looks at, the hottest first: 40 ms."""

SURE_DIE = 0.5
"""Confidence below which the pose network's answer is "no die here"."""

OVERLAP = 0.62
"""Two dice whose middles are nearer than this share of the larger radius are one."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place where the finder sees a die.

    Attributes:
        xy_px: The die's middle, in pixels of the image.
        radius_px: Its circumscribed radius.
        heat: 0..1.
    """

    xy_px: tuple[float, float]
    radius_px: float
    heat: float


class Finder:
    """Finds dice and their poses. One thread at a time may use it.

    Args:
        models: Folder of ``find.onnx`` and ``pose.onnx``.
    """

    def __init__(self, models: Path = MODELS) -> None:
        self._finder = cv2.dnn.readNetFromONNX(str(models / "find.onnx"))
        self._poser = cv2.dnn.readNetFromONNX(str(models / "pose.onnx"))

    def find(
        self,
        image: Image,
        *,
        px_per_mm: float | None = None,
        camera_px: tuple[float, float, float] | None = None,
    ) -> tuple[Pose, ...]:
        """Return the dice in an image, left to right; none is an answer.

        Args:
            image: ``(h, w, 3)`` BGR.
            px_per_mm: Scale on the tray's floor where known; only dice of 14 to 50 mm
                across are then looked for.
            camera_px: Where known, the point of the image that lies straight below the
                camera (x, y) and the camera's height over the floor, all in pixels: it
                tells a die seen from the side from one that leans.
        """
        marks = self.marks(image, px_per_mm=px_per_mm)
        poses = self.poses(image, marks, camera_px=camera_px)
        return tuple(sorted(poses, key=lambda p: p.top_xy_px))

    def marks(self, image: Image, *, px_per_mm: float | None = None) -> list[Mark]:
        """Return the finder's marks, hottest first, neighbours of one die merged."""
        height, width = image.shape[:2]
        if px_per_mm is not None:
            scales = [BEST_RADIUS_PX / (USUAL_RADIUS_MM * px_per_mm)]
        else:
            scale = min(1.0, LARGEST_LEVEL_PX / max(height, width))
            scales = [scale]
            while scale * min(height, width) > SMALLEST_LEVEL_PX * LEVEL_STEP:
                scale /= LEVEL_STEP
                scales.append(scale)
        marks: list[Mark] = []
        level, done = image, 1.0
        for scale in sorted(scales, reverse=True):
            level = shrunk(level, scale / done)
            done = level.shape[1] / width
            marks += self._level(level, done)
        return merge(marks)[:MOST_MARKS]

    def _level(self, level: Image, scale: float) -> list[Mark]:
        """Return the marks in one level of the pyramid."""
        height, width = level.shape[:2]
        side = 2 * STRIDE
        room = [-height % side, -width % side]
        if min(height, width) < 6 * side:
            room = [
                r + max(0, 6 * side - s)
                for r, s in zip(room, (height, width), strict=True)
            ]
            room = [
                r + (-(s + r) % side)
                for r, s in zip(room, (height, width), strict=True)
            ]
        padded = cv2.copyMakeBorder(level, 0, room[0], 0, room[1], cv2.BORDER_REPLICATE)
        self._finder.setInput(cv2.dnn.blobFromImage(padded, 1 / 64, mean=(128,) * 3))
        answer = np.asarray(self._finder.forward())[0]
        heat = 1 / (1 + np.exp(-answer[0]))
        peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > HEAT)
        rows, columns = np.nonzero(peak)
        marks = []
        for i, j in zip(rows, columns, strict=True):
            x = (j + 0.5 + float(answer[2, i, j])) * STRIDE / scale
            y = (i + 0.5 + float(answer[3, i, j])) * STRIDE / scale
            radius = math.exp(min(2.0, float(answer[1, i, j]))) * RADIUS_UNIT_PX / scale
            if x < width / scale and y < height / scale:
                marks.append(Mark((x, y), radius, float(heat[i, j])))
        return marks

    def poses(
        self,
        image: Image,
        marks: Sequence[Mark],
        *,
        camera_px: tuple[float, float, float] | None = None,
    ) -> list[Pose]:
        """Return the poses of the marks that are dice, each die once."""
        looked = [_Look(mark.xy_px, mark.radius_px) for mark in marks]
        looked = self._look(image, looked, camera_px)
        near = [look for look in looked if look.shares[-1] < 1 - SURE_DIE / 2]
        looked = self._look(image, near, camera_px)
        sure = [look for look in looked if look.shares[-1] < 1 - SURE_DIE]
        return [look.pose() for look in once(sure)]

    def _look(
        self,
        image: Image,
        places: Sequence[_Look],
        camera_px: tuple[float, float, float] | None,
    ) -> list[_Look]:
        """Ask the pose network about each place."""
        answers = []
        for place in places:
            crop = cut_crop(image, place.xy_px, place.radius_px)
            view = np.zeros((1, 3))
            if camera_px is not None:
                slope = (np.array(place.xy_px) - camera_px[:2]) / camera_px[2]
                view[0] = (*slope, 1.0)
            self._poser.setInput(pose_input(crop[None], view))
            answer = np.asarray(self._poser.forward())[0]
            answers.append(place.seen(answer))
        return answers


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """A place looked at, and what the pose network says of it.

    Attributes:
        xy_px: Middle of the die.
        radius_px: Of the die.
        shares: Probability of each of `SHAPES` and of "none".
        top: From the middle to the middle of the up face, in radii.
        turns: Turn for each of `SHAPES`, radians.
        flat: 0..1.
    """

    xy_px: tuple[float, float]
    radius_px: float
    shares: Array = field(default_factory=lambda: np.zeros(len(SHAPES) + 1))
    top: tuple[float, float] = (0.0, 0.0)
    turns: Array = field(default_factory=lambda: np.zeros(len(SHAPES)))
    flat: float = 1.0

    def seen(self, answer: Array) -> _Look:
        """Return this place corrected by the network's answer, ``(28,)``."""
        count = len(SHAPES)
        odds = np.exp(answer[: count + 1] - answer[: count + 1].max())
        dx, dy, tx, ty, grown = (float(v) for v in answer[count + 1 : count + 6])
        pairs = answer[count + 7 :].reshape(count, 2)
        turns = np.arctan2(pairs[:, 1], pairs[:, 0]) / np.array(SYMMETRY)
        growth = math.exp(max(-0.5, min(0.5, grown)))
        x, y = self.xy_px
        r = self.radius_px
        return _Look(
            xy_px=(x + dx * r, y + dy * r),
            radius_px=r * growth,
            shares=odds / odds.sum(),
            top=((tx - dx) / growth, (ty - dy) / growth),
            turns=turns,
            flat=1 / (1 + math.exp(-float(answer[count + 6]))),
        )

    @property
    def confidence(self) -> float:
        """Of the likeliest shape."""
        return float(self.shares[:-1].max())

    def pose(self) -> Pose:
        """Return the pose of the likeliest shape."""
        best = int(self.shares[:-1].argmax())
        x, y = self.xy_px
        r = self.radius_px
        turn = 0.0 if SHAPES[best] == "coin" else float(self.turns[best])
        return Pose(
            shape=SHAPES[best],
            top_xy_px=(x + self.top[0] * r, y + self.top[1] * r),
            radius_px=r,
            turn_rad=turn % (math.tau / SYMMETRY[best]),
            confidence=self.confidence,
            flat=self.flat,
        )


def merge(marks: Sequence[Mark]) -> list[Mark]:
    """Return the marks without the weaker of two of one size at one place."""
    kept: list[Mark] = []
    for mark in sorted(marks, key=lambda m: -m.heat):
        same = any(
            math.dist(mark.xy_px, other.xy_px)
            < 0.5 * max(mark.radius_px, other.radius_px)
            and 0.7 < mark.radius_px / other.radius_px < 1.45
            for other in kept
        )
        if not same:
            kept.append(mark)
    return kept


def once(looks: Sequence[_Look]) -> list[_Look]:
    """Return each die once: of two at one place the surer, else the larger."""
    kept: list[_Look] = []
    for look in sorted(looks, key=lambda k: -k.confidence * k.radius_px**0.1):
        apart = all(
            math.dist(look.xy_px, other.xy_px)
            > OVERLAP * max(look.radius_px, other.radius_px)
            for other in kept
        )
        if apart:
            kept.append(look)
    return kept


def draw(image: Image, poses: Sequence[Pose]) -> Image:
    """Return a copy of the image with each die outlined, its top and turn marked."""
    shown = image.copy()
    thick = max(1, round(max(image.shape[:2]) / 800))
    for pose in poses:
        colour = (60, 220, 60) if pose.flat > 0.5 else (220, 60, 220)
        corners = np.round(outline_px(pose)).astype(np.int32)
        cv2.polylines(shown, [corners], True, colour, thick, cv2.LINE_AA)
        x, y = pose.top_xy_px
        reach = pose.radius_px * 0.5
        tip = (x + reach * math.sin(pose.turn_rad), y - reach * math.cos(pose.turn_rad))
        ends = [(round(a), round(b)) for a, b in ((x, y), tip)]
        cv2.line(shown, ends[0], ends[1], (60, 220, 240), thick, cv2.LINE_AA)
    return shown


def main() -> None:
    """Print the dice in image files and save them outlined beside the file."""
    asked = argparse.ArgumentParser(description="Find dice in images.")
    asked.add_argument("file", nargs="+", type=Path)
    finder = Finder()
    for path in asked.parse_args().file:
        image = read_image(path)
        poses = finder.find(image)
        for pose in poses:
            x, y = pose.top_xy_px
            print(
                f"{body_colour(image, pose)} {pose.shape} at {x:.0f} {y:.0f}"
                f" radius {pose.radius_px:.0f} turn {math.degrees(pose.turn_rad):.0f}"
                f" confidence {pose.confidence:.2f} flat {pose.flat:.2f}"
            )
        saved = Path(f"{path.stem}-dice.png")
        write_image(saved, draw(image, poses))
        print(f"{path.name}: {len(poses)} dice, drawn in {saved}")


if __name__ == "__main__":
    main()
