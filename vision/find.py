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

CROP_PX = 64
CROP_REACH = 1.4
"""Half width of the pose network's crop, in radii of the die."""

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


def cut_crop(
    image: Image, xy_px: tuple[float, float], radius_px: float, size_px: int = CROP_PX
) -> Image:
    """Return the square crop round a die that the pose network looks at.

    Args:
        image: BGR.
        xy_px: Middle of the crop.
        radius_px: Of the die; the crop reaches `CROP_REACH` of it each way.
        size_px: Side of the crop.
    """
    x, y = xy_px
    source, factor = image, 1.0
    half = size_px / (2 * CROP_REACH)
    shrink = math.floor(radius_px / half + 0.35)
    if shrink > 1:
        # Shrink the surroundings first: sampling alone would skip pixels.
        reach = math.ceil(radius_px * CROP_REACH / shrink + 2) * shrink
        x0, y0 = math.floor(x) - reach, math.floor(y) - reach
        source = _padded(image, x0, y0, 2 * reach)
        small = 2 * reach // shrink
        source = np.asarray(
            cv2.resize(source, (small, small), interpolation=cv2.INTER_AREA), np.uint8
        )
        factor, x, y = 1.0 / shrink, (x - x0) / shrink, (y - y0) / shrink
    step = radius_px * factor * 2 * CROP_REACH / size_px
    # Pixel centres lie at +0.5, OpenCV counts them from 0.
    offset = 0.5 * step - CROP_REACH * radius_px * factor - 0.5
    matrix = np.array([[step, 0, x + offset], [0, step, y + offset]])
    return np.asarray(
        cv2.warpAffine(
            source, matrix, (size_px, size_px),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )  # fmt: skip


def _padded(image: Image, x0: int, y0: int, size: int) -> Image:
    """Return a square of the image, its edge repeated where it ends."""
    height, width = image.shape[:2]
    left, top = min(max(0, x0), width - 1), min(max(0, y0), height - 1)
    right, bottom = min(max(1, x0 + size), width), min(max(1, y0 + size), height)
    part = image[top : max(bottom, top + 1), left : max(right, left + 1)]
    before_x, before_y = left - x0, top - y0
    after_x = size - before_x - part.shape[1]
    after_y = size - before_y - part.shape[0]
    if before_x == before_y == after_x == after_y == 0:
        return part
    return np.asarray(
        cv2.copyMakeBorder(
            part, max(0, before_y), max(0, after_y), max(0, before_x), max(0, after_x),
            cv2.BORDER_REPLICATE,
        )[max(0, -before_y) :, max(0, -before_x) :][:size, :size],
        np.uint8,
    )  # fmt: skip


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


def shrunk(image: Image, scale: float) -> Image:
    """Return the image made smaller by `scale`, in steps that cost little."""
    height, width = image.shape[:2]
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    if size == (width, height):
        return image
    # Area averaging by whole factors is fast in OpenCV, by others slow: halve first.
    while scale < 0.5:
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA))
        scale *= 2
    how = cv2.INTER_AREA if scale < 0.75 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)


def finder_input(images: NDArray[Any]) -> Array:
    """Return ``(n, h, w, 3)`` BGR as the finder's ``(n, 3, h, w)`` float32."""
    moved = np.moveaxis(images.astype(np.float32), 3, 1)
    return np.ascontiguousarray((moved - 128) / 64)


def pose_input(images: NDArray[Any], views: Array) -> Array:
    """Return crops as the pose network's input.

    Args:
        images: ``(n, CROP_PX, CROP_PX, 3)`` BGR.
        views: ``(n, 3)``: slope of the line of sight, right and down on the image,
            and whether it is known (1) or not (0, and then the slopes are 0).

    Returns:
        ``(n, 6, CROP_PX, CROP_PX)`` float32: the crop with its own mean and spread
        taken out, and the view as constant planes.
    """
    moved = np.moveaxis(images.astype(np.float32), 3, 1)
    mean = moved.mean((1, 2, 3), keepdims=True)
    spread = moved.std((1, 2, 3), keepdims=True)
    crops = (moved - mean) / (spread + 6)
    planes = np.broadcast_to(
        views.astype(np.float32)[:, :, None, None] * np.float32(2),
        (len(images), 3, *images.shape[1:3]),
    )
    return np.ascontiguousarray(np.concatenate([crops, planes], axis=1))
