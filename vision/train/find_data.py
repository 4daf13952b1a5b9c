"""Training data of the finder and the pose network, made from drawn scenes.

Finder: scenes of `SCENE_PX` with all dice at one scale, to be found at stride
`STRIDE`. Pose: crops round one die, or round something that is none.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import cv2
import numpy as np

from vision.frame import Pose
from vision.patches import CROP_PX, cut_crop
from vision.spots import FOUND_RADII_PX, RADIUS_UNIT_PX, STRIDE, Mark, Spotter
from vision.synth.bank import Bank
from vision.synth.icons import NAMES
from vision.synth.scene import Layout, Scene, SceneDie, compose, photograph
from vision.synth.solids import SHAPES, SYMMETRY, solid
from vision.synth.tray import CAMERA_MM, COLOURS, DrawnDie, DrawnTray

SCENE_PX = 192

MOST_DICE = 24

TRAY_DICE = 5
"""Thrown together into one drawn tray."""

PAINTED = (*NAMES, "blank", "1", "7", "12", "20")
"""Marks of the dice in the drawn tray, beside plain numbers."""

SEEN = 0.35
"""A die seen less than this is neither asked for nor counted as a mistake."""


@dataclass(frozen=True, slots=True, eq=False)
class Scenes:
    """Finder scenes: ``(n, s, s, 3)`` uint8; ``(n, MOST_DICE, 4)`` x y radius seen."""

    images: np.ndarray
    dice: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Crops:
    """Pose crops.

    Attributes:
        images: ``(n, CROP_PX, CROP_PX, 3)`` uint8.
        shapes: ``(n,)`` index into `SHAPES`, or ``len(SHAPES)``: no die.
        places: ``(n, 5)`` in radii of the crop: middle x y, top x y, ln of the true
            radius over the crop's.
        turns: ``(n, 2)`` cosine and sine of symmetry times turn.
        flats: ``(n,)``.
        views: ``(n, 2)`` slope of the line of sight.
    """

    images: np.ndarray
    shapes: np.ndarray
    places: np.ndarray
    turns: np.ndarray
    flats: np.ndarray
    views: np.ndarray

    def some(self, chosen: np.ndarray) -> Crops:
        """Return those crops."""
        return Crops(*(getattr(self, name)[chosen] for name in self.__slots__))


def finder_scenes(seed: int, bank: Bank, count: int) -> Scenes:
    """Draw scenes for the finder."""
    rng = Random(seed)
    images = np.zeros((count, SCENE_PX, SCENE_PX, 3), np.uint8)
    dice = np.zeros((count, MOST_DICE, 4), np.float32)
    for k in range(count):
        radius = math.exp(rng.uniform(math.log(5), math.log(30)))
        most = 0 if rng.random() < 0.12 else round(min(14, 3 + 90 / radius))
        layout = Layout((SCENE_PX, SCENE_PX), radius, most, rng.choice((2, 5, 9)))
        scene = photograph(rng, compose(rng, bank, layout))
        images[k] = scene.image
        for j, die in enumerate(scene.dice[:MOST_DICE]):
            dice[k, j] = (*die.middle_xy_px, die.pose.radius_px, die.visible)
    return Scenes(images, dice)


def finder_targets(dice: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what the finder should answer for a batch.

    Args:
        dice: ``(n, MOST_DICE, 4)`` as in `Scenes`.

    Returns:
        ``(n, 4, h, w)`` heat, ln(radius / 11), offset x, y in cells; and ``(n, 2, h,
        w)`` weight of the heat, weight of the rest.
    """
    side = SCENE_PX // STRIDE
    y, x = np.mgrid[:side, :side].astype(np.float32)
    goal = np.zeros((len(dice), 4, side, side), np.float32)
    weight = np.zeros((len(dice), 2, side, side), np.float32)
    weight[:, 0] = 1
    low, high = FOUND_RADII_PX
    for k, row in enumerate(dice):
        nearest = np.full((side, side), np.inf, np.float32)
        for cx, cy, radius, seen in row[row[:, 2] > 0]:
            dx, dy = cx / STRIDE - 0.5 - x, cy / STRIDE - 0.5 - y
            far = dx**2 + dy**2
            cells = radius / STRIDE
            if seen < SEEN or not low <= radius <= high:
                if seen >= 0.1 and low * 0.75 < radius < high * 1.33:
                    weight[k, 0][far < (0.7 * cells) ** 2] = 0
                continue
            spread = max(0.75, 0.28 * cells)
            heat = np.exp(-far / (2 * spread**2))
            peak = far < max(0.6, (0.22 * cells) ** 2)
            # The cell that holds the middle is a peak wherever in it the middle lies.
            heat[(np.abs(dx) <= 0.5) & (np.abs(dy) <= 0.5)] = 1
            goal[k, 0] = np.maximum(goal[k, 0], heat)
            mine = (peak | (heat == 1)) & (far < nearest)
            nearest[mine] = far[mine]
            goal[k, 1][mine] = math.log(radius / RADIUS_UNIT_PX)
            goal[k, 2][mine], goal[k, 3][mine] = dx[mine], dy[mine]
            weight[k, 1][mine] = 1
    return goal, weight


def pose_crops(seed: int, bank: Bank, count: int) -> Crops:
    """Draw crops for the pose network; about a fifth show no die."""
    rng = Random(seed)
    images = np.zeros((count, CROP_PX, CROP_PX, 3), np.uint8)
    shapes = np.full(count, len(SHAPES), np.int64)
    numbers = np.zeros((count, 10), np.float32)
    done = 0
    while done < count:
        radius = math.exp(rng.uniform(math.log(9), math.log(36)))
        side = round(radius * rng.uniform(6, 9))
        layout = Layout((side, side), radius, rng.choice((1, 4, 7)), rng.choice((1, 4)))
        scene = photograph(rng, compose(rng, bank, layout))
        for die in scene.dice:
            inside = all(0 < v < side for v in die.middle_xy_px)
            if die.visible < 0.55 or not inside or done == count:
                continue
            place, truth = _jittered(rng, die)
            images[done] = cut_crop(scene.image, *place)
            shapes[done] = SHAPES.index(die.pose.shape)
            numbers[done] = truth
            done += 1
        for _ in range(rng.choice((0, 1, 1))):
            empty = _elsewhere(rng, scene, radius)
            if empty is not None and done < count:
                images[done] = cut_crop(scene.image, *empty)
                done += 1
    return Crops(
        images, shapes, numbers[:, :5], numbers[:, 5:7], numbers[:, 7], numbers[:, 8:]
    )


def spotted_crops(
    rng: Random, scenes: Iterator[Scene], spotter: Spotter, count: int
) -> Crops:
    """Cut crops out of scenes where a trained finder marks dice, right or wrong.

    Its marks on dice bring the errors of place and size that the pose network will
    meet; its other marks are the things that look most like dice.
    """
    images = np.zeros((count, CROP_PX, CROP_PX, 3), np.uint8)
    shapes = np.full(count, len(SHAPES), np.int64)
    numbers = np.zeros((count, 10), np.float32)
    done = 0
    for scene in scenes:
        marks = spotter.marks(scene.image)
        rng.shuffle(marks)
        empty = 0
        for mark in marks:
            die = _marked(mark, scene)
            if done == count or (
                die is None and (empty >= 3 or _doubtful(mark, scene))
            ):
                continue
            images[done] = cut_crop(scene.image, mark.xy_px, mark.radius_px)
            if die is None:
                empty += 1
            else:
                shapes[done] = SHAPES.index(die.pose.shape)
                numbers[done] = _truth(die, mark.xy_px, mark.radius_px)
            done += 1
        if done == count:
            break
    return Crops(
        images, shapes, numbers[:, :5], numbers[:, 5:7], numbers[:, 7], numbers[:, 8:]
    )


def composed_scenes(rng: Random, bank: Bank) -> Iterator[Scene]:
    """Yield photographed scenes of a bank's dice, without end."""
    while True:
        radius = math.exp(rng.uniform(math.log(9), math.log(36)))
        side = round(radius * rng.uniform(7, 11))
        most = rng.choice((0, 4, 9))
        layout = Layout((side, side), radius, most, rng.choice((3, 6, 10)))
        scene = photograph(rng, compose(rng, bank, layout))
        if rng.random() < 0.4:
            scene = magnified(scene, rng.uniform(1.5, 3.5))
        yield scene


def tray_scenes(rng: Random) -> Iterator[Scene]:
    """Yield photographs of the demonstration's tray, without end.

    Its even light and soft shadows are a good tray's; a black die on its own shadow is
    what a finder measures too large.
    """
    while True:
        dice = [_painted(rng, f"die {k}", rng.choice(SHAPES)) for k in range(TRAY_DICE)]
        scale = rng.uniform(1.2, 3.2)
        size = (round(150 * scale), round(110 * scale))
        tray = DrawnTray(dice, size, scale, rng, frame_marks=False)
        tray.throw([die.name for die in dice], rng.getrandbits(30))
        lying = tuple(_in_tray(die.pose, size, scale) for die in tray.truth())
        scene = Scene(tray.image(tray.rest_s), lying)
        yield photograph(rng, scene, rough=rng.choice((0.0, 0.5)))


def _painted(rng: Random, name: str, shape: str) -> DrawnDie:
    """Return a die of a random colour, its faces numbered or painted at random."""
    count = solid(shape).readable
    keys = [str(number + 1) for number in range(count)]
    if rng.random() < 0.5:
        keys = [rng.choice(PAINTED) for _ in range(count)]
    return DrawnDie(name, shape, rng.choice(list(COLOURS)), tuple(keys))


def _in_tray(pose: Pose, size_wh_px: tuple[int, int], px_per_mm: float) -> SceneDie:
    """Return the truth of a die in the drawn tray, under the lens that hangs there."""
    body = solid(pose.shape)
    right, up, height = body.rotation(0, pose.turn_rad) @ body.top_point(0)
    middle = top = np.array(pose.top_xy_px)
    slope = np.zeros(2)
    for _ in range(2):
        slope = (middle - np.array(size_wh_px) / 2) / (CAMERA_MM * px_per_mm)
        middle = top - pose.radius_px * (np.array([right, -up]) + slope * height)
    x, y = (float(v) for v in middle)
    view = (float(slope[0]), float(slope[1]))
    return SceneDie(pose, (x, y), "", 1.0, 1.0, view)


def magnified(scene: Scene, factor: float) -> Scene:
    """Return the scene larger: numerals, pips and grain become as large as dice."""
    width, height = (round(v * factor) for v in scene.image.shape[1::-1])
    image = cv2.resize(scene.image, (width, height), interpolation=cv2.INTER_CUBIC)
    dice = []
    for die in scene.dice:
        (x, y), (top_x, top_y) = die.middle_xy_px, die.pose.top_xy_px
        pose = replace(
            die.pose,
            top_xy_px=(top_x * factor, top_y * factor),
            radius_px=die.pose.radius_px * factor,
        )
        middle = (x * factor, y * factor)
        dice.append(replace(die, pose=pose, middle_xy_px=middle))
    return Scene(np.asarray(image, np.uint8), tuple(dice))


def _marked(mark: Mark, scene: Scene) -> SceneDie | None:
    """Return the die that a mark means, if it is near enough in place and size."""
    for die in scene.dice:
        size = mark.radius_px / die.pose.radius_px
        far = math.dist(mark.xy_px, die.middle_xy_px) / die.pose.radius_px
        if far < 0.4 and 0.7 < size < 1.42 and die.visible > 0.55:
            return die
    return None


def _doubtful(mark: Mark, scene: Scene) -> bool:
    """Return whether a mark is too near to a die to be called empty."""
    for die in scene.dice:
        size = mark.radius_px / die.pose.radius_px
        far = math.dist(mark.xy_px, die.middle_xy_px) / die.pose.radius_px
        if far < 0.65 and 0.6 < size < 1.67:
            return True
    return False


def _jittered(
    rng: Random, die: SceneDie
) -> tuple[tuple[tuple[float, float], float], tuple[float, ...]]:
    """Return (a crop's place as a finder might give it, the truth in its terms)."""
    rough = rng.choice((0.3, 1.0))
    pose = die.pose
    x, y = die.middle_xy_px
    radius = pose.radius_px * math.exp(rng.gauss(0, 0.1) * rough)
    away, around = (
        abs(rng.gauss(0, 0.11)) * rough * pose.radius_px,
        rng.uniform(0, 6.28),
    )
    cx, cy = x + away * math.cos(around), y + away * math.sin(around)
    return ((cx, cy), radius), _truth(die, (cx, cy), radius)


def _truth(
    die: SceneDie, xy_px: tuple[float, float], radius_px: float
) -> tuple[float, ...]:
    """Return what to answer of a die in the crop at that place, of that radius."""
    cx, cy = xy_px
    (x, y), (top_x, top_y) = die.middle_xy_px, die.pose.top_xy_px
    angle = die.pose.turn_rad * SYMMETRY[die.pose.shape]
    return (
        (x - cx) / radius_px,
        (y - cy) / radius_px,
        (top_x - cx) / radius_px,
        (top_y - cy) / radius_px,
        math.log(die.pose.radius_px / radius_px),
        math.cos(angle),
        math.sin(angle),
        die.pose.flat,
        *die.view,
    )


def _elsewhere(
    rng: Random, scene: Scene, unit: float
) -> tuple[tuple[float, float], float] | None:
    """Return a place with no die of about that size in its middle."""
    height, width = scene.image.shape[:2]
    for _ in range(6):
        radius = unit * math.exp(rng.gauss(0, 0.4))
        x, y = rng.uniform(0, width), rng.uniform(0, height)
        if scene.dice and rng.random() < 0.5:
            die = rng.choice(scene.dice)
            away, around = (
                rng.uniform(0.75, 1.5) * die.pose.radius_px,
                rng.uniform(0, 6.3),
            )
            x = die.middle_xy_px[0] + away * math.cos(around)
            y = die.middle_xy_px[1] + away * math.sin(around)
        apart = all(
            math.dist((x, y), die.middle_xy_px)
            > 0.6 * max(die.pose.radius_px, min(radius, die.pose.radius_px * 1.5))
            for die in scene.dice
        )
        if apart and 0 < x < width and 0 < y < height:
            return (x, y), radius
    return None
