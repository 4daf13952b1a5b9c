"""Composes labelled trays from a bank of drawn dice.

1. `vision.synth.bank` draws some thousand dice once.
2. `compose` lays them over a ground with clutter between and on top: apart, touching,
   packed, overlapping, half out of the picture.
3. `photograph` does what a camera does: tilt, shading, colour cast, defocus, noise,
   JPEG.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image, Pose
from vision.synth.bank import BANK_RADIUS_PX, GROUP, Bank
from vision.synth.clutter import scatter
from vision.synth.ground import random_ground
from vision.synth.paint import thrown_shade
from vision.synth.solids import SHAPES, SYMMETRY

Array: TypeAlias = NDArray[np.floating[Any]]


ONE_GROUP = 0.5
"""Share of scenes whose dice are all of one group of the bank."""

HARD_TO_TELL = 0.15
"""Share of scenes whose ground has the colour of a die."""

WALLED = 0.2
"""Share of scenes with a wall of the tray."""


@dataclass(frozen=True, slots=True)
class SceneDie:
    """A die in a scene: the truth.

    Attributes:
        pose: In pixels of the scene.
        middle_xy_px: Where the middle of the die is seen.
        label: What is on the up face.
        contrast: 0..1 of that ink against the body.
        visible: Share of the die that is seen, not hidden or out of the picture.
        view: Slope of the line of sight, right and down.
    """

    pose: Pose
    middle_xy_px: tuple[float, float]
    label: str
    contrast: float
    visible: float
    view: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A labelled picture.

    Attributes:
        image: BGR uint8.
        dice: What lies there.
        up: Of a picture of one die: what of its up face is seen where; see `legible`.
    """

    image: Image
    dice: tuple[SceneDie, ...]
    up: NDArray[np.uint8] | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """What a scene holds.

    Attributes:
        size_wh_px: Of the picture.
        radius_px: Of its dice; each varies by a quarter.
        dice: How many at most.
        clutter: How many other things at most.
        mirrored: Half of the dice are laid mirrored, for networks that read nothing.
    """

    size_wh_px: tuple[int, int]
    radius_px: float
    dice: int = 8
    clutter: int = 5
    mirrored: bool = True


def compose(rng: Random, bank: Bank, layout: Layout) -> Scene:
    """Return a scene as an ideal camera above sees it."""
    width, height = layout.size_wh_px
    picture = random_ground(rng, layout.size_wh_px)
    choose = _chooser(rng, len(bank.shapes))
    if rng.random() < HARD_TO_TELL:
        _matched(rng, picture, bank.sprites[choose()])
    if rng.random() < WALLED:
        _wall(rng, picture, layout.radius_px)
    unit = layout.radius_px
    scatter(rng, picture, unit, rng.randint(0, layout.clutter))
    canvas = (picture * 255).astype(np.uint8)
    owners = np.full((height, width), -1, np.int16)
    most_covered = 0.3 if rng.random() < 0.2 else 0.06
    dice: list[SceneDie] = []
    areas: list[float] = []
    for spot in _places(rng, layout):
        put = _put(
            rng, canvas, owners, bank, choose(), len(dice), spot, layout.mirrored,
            most_covered,
        )  # fmt: skip
        if put is not None:
            dice.append(put[0])
            areas.append(put[1])
    if rng.random() < 0.15 and dice:
        over = canvas.astype(np.float32) / 255
        before = over.copy()
        scatter(rng, over, unit, 1)
        owners[np.abs(over - before).max(2) > 0.08] = -2
        canvas = (np.clip(over, 0, 1) * 255).astype(np.uint8)
    seen = np.bincount(owners[owners >= 0].ravel(), minlength=len(dice))
    marked = tuple(
        replace(die, visible=float(seen[k] / max(areas[k], 1)))
        for k, die in enumerate(dice)
    )
    return Scene(canvas, marked)


def _chooser(rng: Random, count: int) -> Callable[[], int]:
    """Return what picks dice of the bank: any, or all of one group."""
    first = rng.randrange(max(1, count // GROUP)) * GROUP
    if rng.random() < ONE_GROUP:
        return lambda: min(first + rng.randrange(GROUP), count - 1)
    return lambda: rng.randrange(count)


def _matched(rng: Random, picture: Array, sprite: NDArray[np.uint8]) -> None:
    """Give the ground the colour of a die: white on white, black on black."""
    inside = sprite[..., 3] >= 0.9 * sprite[..., 3].max()
    body = np.median(sprite[inside][:, :3], axis=0) / 255
    usual = np.maximum(picture.mean(axis=(0, 1)), 0.02)
    gain = (body / usual * rng.uniform(0.7, 1.15)).astype(np.float32)
    np.clip(picture * gain, 0, 1, out=picture)


def _wall(rng: Random, picture: Array, unit: float) -> None:
    """Lay another ground along one or two sides: the wall of a tray."""
    height, width = picture.shape[:2]
    wall = random_ground(rng, (width, height))
    for side in rng.sample(range(4), rng.choice((1, 2))):
        turned, other = np.rot90(picture, side), np.rot90(wall, side)
        deep = min(round(unit * rng.uniform(0.3, 3)), turned.shape[0] // 3)
        turned[:deep] = other[:deep]
        foot = round(unit * rng.uniform(0.1, 0.6))
        dark = np.linspace(rng.uniform(0.4, 0.9), 1, foot, dtype=np.float32)
        turned[deep : deep + foot] *= dark[: len(turned[deep : deep + foot])][
            :, None, None
        ]


def _places(rng: Random, layout: Layout) -> list[tuple[float, float, float]]:
    """Return where dice may lie: (x, y, radius); many touch, some are packed."""
    width, height = layout.size_wh_px
    count = rng.randint(0, layout.dice)
    crowd = rng.random() < 0.5
    # Cubes that lie face to face are 0.58 of their radii's sum apart, d20 0.8.
    nearest = rng.choice((0.58, 0.58, 0.72, 0.9))
    apart = rng.choice((0.75, 1.15)) if nearest < 0.7 else 1.15
    unlike = rng.choice((0.04, 0.24))
    places: list[tuple[float, float, float]] = []
    for _ in range(count * 3):
        if len(places) == count:
            break
        radius = layout.radius_px * math.exp(rng.uniform(-unlike, unlike))
        if crowd and places and rng.random() < 0.85:
            x0, y0, near = rng.choice(places)
            away = (radius + near) * rng.uniform(nearest, apart)
            around = rng.uniform(0, math.tau)
            x, y = x0 + away * math.cos(around), y0 + away * math.sin(around)
        else:
            x = rng.uniform(-0.3 * radius, width + 0.3 * radius)
            y = rng.uniform(-0.3 * radius, height + 0.3 * radius)
        free = all(
            math.hypot(x - a, y - b) > (radius + r) * nearest for a, b, r in places
        )
        if free and -radius < x < width + radius and -radius < y < height + radius:
            places.append((x, y, radius))
    return places


def _put(
    rng: Random,
    canvas: Image,
    owners: NDArray[np.int16],
    bank: Bank,
    index: int,
    number: int,
    place: tuple[float, float, float],
    mirrored: bool,
    most_covered: float,
) -> tuple[SceneDie, float] | None:
    """Lay a die of the bank, turned and perhaps mirrored; return it and its area.

    None where it would cover, or be stacked on, more than that share of another.
    """
    x, y, radius = place
    sprite = bank.sprites[index]
    size = sprite.shape[0]
    scale = radius / BANK_RADIUS_PX
    spin = rng.uniform(0, math.tau)
    mirror = -1.0 if rng.random() < 0.5 and mirrored else 1.0
    cos, sin = math.cos(spin), math.sin(spin)
    turned = np.array([[cos * mirror, -sin], [sin * mirror, cos]])
    reach = math.ceil(radius * 2.6)
    x0, y0 = math.floor(x) - reach, math.floor(y) - reach
    matrix = np.zeros((2, 3))
    matrix[:, :2] = turned * scale
    centre = np.array([x - x0, y - y0]) - 0.5
    matrix[:, 2] = centre - matrix[:, :2] @ np.full(2, (size - 1) / 2)
    source = sprite
    if scale < 0.6:
        half = cv2.resize(sprite, (size // 2, size // 2), interpolation=cv2.INTER_AREA)
        source = np.asarray(half, np.uint8)
        matrix[:, :2] *= 2
        matrix[:, 2] = centre - matrix[:, :2] @ np.full(2, (size // 2 - 1) / 2)
    patch = cv2.warpAffine(source, matrix, (2 * reach, 2 * reach)).astype(np.float32)
    area = float((patch[..., 3] > 100).sum())
    height, width = owners.shape
    rows = slice(max(0, y0), min(height, y0 + 2 * reach))
    columns = slice(max(0, x0), min(width, x0 + 2 * reach))
    part = patch[
        rows.start - y0 : rows.stop - y0, columns.start - x0 : columns.stop - x0
    ]
    if part.size:
        taken = (owners[rows, columns] >= 0) & (part[..., 3] > 100)
        if taken.sum() > most_covered * area:
            return None
        cover = part[..., 3:] / 255
        below = (
            canvas[rows, columns] * thrown_shade(rng, part[..., 3], radius)[..., None]
        )
        canvas[rows, columns] = (below + (part[..., :3] - below) * cover + 0.5).astype(
            np.uint8
        )
        owners[rows, columns][part[..., 3] > 100] = number
    shape = SHAPES[bank.shapes[index]]
    top = turned @ bank.tops[index] * radius
    way = turned @ [math.sin(bank.turns[index]), -math.cos(bank.turns[index])]
    turn = math.atan2(way[0], -way[1]) % (math.tau / SYMMETRY[shape])
    slope = turned @ bank.views[index]
    pose = Pose(
        shape, (x + float(top[0]), y + float(top[1])), radius,
        0.0 if shape == "coin" else turn, 1.0, float(bank.flats[index]),
    )  # fmt: skip
    label, contrast = str(bank.labels[index]), float(bank.contrasts[index])
    view = (float(slope[0]), float(slope[1]))
    return SceneDie(pose, (x, y), label, contrast, 1.0, view), area


def photograph(
    rng: Random, scene: Scene, *, rough: float = 1.0, shot: int = 0
) -> Scene:
    """Return the scene as a real camera takes it.

    Args:
        rng: Source of chance.
        scene: From `compose`.
        rough: 0 is a good camera, 1 a bad one, at the worst.
        shot: Number of the picture: of two by one camera, from the same state of
            `rng`, each has a noise of its own.
    """
    if rng.random() < 0.3 * rough:
        scene = tilt(rng, scene, 0.08)
    image = scene.image.astype(np.float32) / 255
    height, width = image.shape[:2]
    cast = np.array([rng.gauss(1, 0.1 * rough) for _ in range(3)], np.float32)
    gain = math.exp(rng.gauss(0, 0.2 * rough))
    if rng.random() < 0.1 * rough:
        gain *= rng.uniform(1.3, 1.9)  # white ground runs over and swallows shadows
    bend = math.exp(rng.gauss(0, 0.15 * rough))
    image = np.clip(image * cast * np.float32(gain), 0, 1) ** np.float32(bend)
    if rng.random() < 0.4 * rough:
        y, x = np.mgrid[:height, :width].astype(np.float32)
        far = ((x / width - 0.5) ** 2 + (y / height - 0.5) ** 2) * 2
        image = image * (1 - far * np.float32(rng.uniform(0, 0.5)))[..., None]
    if rng.random() < 0.6 * rough:
        sigma = rng.uniform(0.3, 1.1)
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.float32)
    grain = rng.uniform(0, 0.035) * rough
    if grain > 0.003:
        chance = np.random.default_rng(rng.getrandbits(32) ^ shot)
        image = image + chance.standard_normal(image.shape, np.float32) * grain
    out = (np.clip(image, 0, 1) * 255 + 0.5).astype(np.uint8)
    if rng.random() < 0.5 * rough:
        quality = [cv2.IMWRITE_JPEG_QUALITY, rng.randint(45, 95)]
        _, packed = cv2.imencode(".jpg", out, quality)
        out = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return Scene(out, scene.dice, scene.up)


def tilt(rng: Random, scene: Scene, share: float) -> Scene:
    """Return the scene seen by a camera that is not quite straight."""
    height, width = scene.image.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    pulls = [[rng.uniform(-share, share) * width for _ in range(2)] for _ in range(4)]
    moved = corners + np.array(pulls, np.float32)
    matrix = cv2.getPerspectiveTransform(corners, moved).astype(np.float64)
    # Pixel centres lie at +0.5, OpenCV counts them from 0.
    half = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    warp = half @ matrix @ np.linalg.inv(half)
    image = cv2.warpPerspective(
        scene.image, warp, (width, height), borderMode=cv2.BORDER_REFLECT_101
    )
    up = scene.up
    if up is not None:
        flags = cv2.INTER_NEAREST
        up = np.asarray(cv2.warpPerspective(up, warp, (width, height), flags=flags))
    dice = tuple(_moved(die, matrix) for die in scene.dice)
    return Scene(np.asarray(image, np.uint8), dice, up)


def _moved(die: SceneDie, matrix: Array) -> SceneDie:
    """Return a die's truth after a homography of the picture."""
    pose = die.pose
    x, y = pose.top_xy_px
    way = (math.sin(pose.turn_rad), -math.cos(pose.turn_rad))
    points = np.array(
        [[x, y], die.middle_xy_px, [x + way[0], y + way[1]], [x + 1, y], [x, y + 1]]
    )
    lifted = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    top, middle, along, right, down = lifted[:, :2] / lifted[:, 2:]
    grown = abs(float(np.linalg.det(np.stack([right - top, down - top]))))
    turn = math.atan2(along[0] - top[0], top[1] - along[1])
    turn = 0.0 if pose.shape == "coin" else turn % (math.tau / SYMMETRY[pose.shape])
    placed = replace(
        pose,
        top_xy_px=(float(top[0]), float(top[1])),
        radius_px=pose.radius_px * math.sqrt(grown),
        turn_rad=turn,
    )
    return replace(die, pose=placed, middle_xy_px=(float(middle[0]), float(middle[1])))
