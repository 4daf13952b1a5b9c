"""Composes labelled trays from a bank of drawn dice.

1. `make_bank` draws some thousand dice once, each its own look, light and view.
2. `compose` lays them over a ground with clutter between and on top: apart, touching,
   overlapping, half out of the picture.
3. `photograph` does what a camera does: tilt, shading, colour cast, defocus, noise,
   JPEG.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image, Pose
from vision.synth.clutter import scatter
from vision.synth.dress import random_die, random_shape
from vision.synth.ground import random_ground, tint
from vision.synth.looks import Light, random_light
from vision.synth.paint import thrown_shade
from vision.synth.render import View, render, screen, slanted, straight_down
from vision.synth.solids import SHAPES, SYMMETRY, solid

Array: TypeAlias = NDArray[np.floating[Any]]

BANK_RADIUS_PX = 36.0
"""Of the dice in the bank: larger than the networks see, so that shrinking smooths."""

LEANING = 0.16
"""Share of dice in the bank that lean on something."""

HIDDEN = 0.4
"""A die of which less than this is seen cannot be asked of anybody."""


@dataclass(frozen=True, slots=True, eq=False)
class Bank:
    """Drawn dice.

    Attributes:
        sprites: ``(n, s, s, 4)`` uint8, BGR and cover.
        shapes: ``(n,)`` index into `SHAPES`.
        tops: ``(n, 2)`` from the sprite's middle to the top point, in radii.
        turns: ``(n,)`` `Pose.turn_rad`.
        flats: ``(n,)`` `Pose.flat`.
        contrasts: ``(n,)`` of the up face's ink.
        views: ``(n, 2)`` slope of the line of sight, right and down on the image.
        labels: ``(n,)`` what is on the up face.
    """

    sprites: NDArray[np.uint8]
    shapes: NDArray[np.int64]
    tops: Array
    turns: Array
    flats: Array
    contrasts: Array
    views: Array
    labels: NDArray[np.str_]

    def save(self, path: Path) -> None:
        """Write the bank to an uncompressed .npz."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        np.savez(path, **fields)


def load_bank(path: Path) -> Bank:
    """Read a bank written by `Bank.save`."""
    with np.load(path, allow_pickle=False) as file:
        return Bank(**{name: file[name] for name in Bank.__slots__})


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
    """A labelled picture; `image` is BGR uint8."""

    image: Image
    dice: tuple[SceneDie, ...]


def random_view(rng: Random) -> tuple[View, tuple[float, float]]:
    """Return a camera, mostly above, and the slope of its line of sight."""
    if rng.random() < 0.8:
        reach = math.sqrt(rng.random()) * (0.36 if rng.random() < 0.8 else 0.55)
        around, height = rng.uniform(0, math.tau), rng.uniform(24, 48)
        right, down = reach * math.cos(around), reach * math.sin(around)
        return straight_down(right * height, -down * height, height), (right, down)
    tilt, around = rng.uniform(0, 0.5), rng.uniform(0, math.tau)
    slope = math.tan(tilt)
    view = slanted(tilt, around, rng.uniform(24, 48))
    return view, (slope * math.cos(around), -slope * math.sin(around))


def lean(rng: Random) -> Array:
    """Return a rotation that tips a die over, as one leaning on a wall."""
    angle, around = math.radians(rng.uniform(11, 48)), rng.uniform(0, math.tau)
    axis = np.array([math.cos(around), math.sin(around), 0.0])
    turned, _ = cv2.Rodrigues(axis * angle)
    return np.asarray(turned, np.float64)


def make_bank(rng: Random, count: int, *, fonts: tuple[str, ...] = ()) -> Bank:
    """Draw a bank; about 8 ms a die.

    Args:
        rng: Source of chance.
        count: Of dice.
        fonts: See `dress.random_die`.
    """
    size = 2 * math.ceil(BANK_RADIUS_PX * 1.3)
    sprites = np.zeros((count, size, size, 4), np.uint8)
    numbers = np.zeros((count, 8))
    labels = []
    light: Light = random_light(rng)
    for k in range(count):
        if k % 4 == 0:
            light = random_light(rng)
        shape = random_shape(rng)
        body, die = solid(shape), random_die(rng, shape, fonts=fonts)
        face = rng.randrange(body.readable)
        rotation = body.rotation(face, rng.uniform(0, math.tau))
        if rng.random() < LEANING and shape != "coin":
            rotation = lean(rng) @ rotation
        view, slope = random_view(rng)
        floor = tuple(float(v) ** 2 for v in tint(rng.random(), rng.random(), 0.6))
        sprite = render(
            die.model, rotation, view, light, BANK_RADIUS_PX,
            ground=(floor[0], floor[1], floor[2]), size_px=size,
        )  # fmt: skip
        alpha = sprite.alpha * _clearness(rng, die.model.look.surface)
        gain = np.float32(rng.uniform(0.75, 1.25))
        sprites[k, ..., :3] = screen(sprite.bgr * gain)
        sprites[k, ..., 3] = (alpha * 255).astype(np.uint8)
        pose = sprite.pose
        top = (np.array(pose.top_xy_px) - size / 2) / BANK_RADIUS_PX
        numbers[k] = (
            SHAPES.index(shape),
            *top,
            pose.turn_rad,
            pose.flat,
            sprite.contrast,
            *slope,
        )
        labels.append(die.labels[sprite.face])
    return Bank(
        sprites, numbers[:, 0].astype(np.int64), numbers[:, 1:3], numbers[:, 3],
        numbers[:, 4], numbers[:, 5], numbers[:, 6:8], np.array(labels),
    )  # fmt: skip


def _clearness(rng: Random, surface: str) -> float:
    """Return the cover of a body: some clear dice let the ground's pattern through."""
    return rng.uniform(0.65, 1) if surface == "translucent" else 1.0


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
    unit = layout.radius_px
    scatter(rng, picture, unit, rng.randint(0, layout.clutter))
    places = _places(rng, layout)
    canvas = (picture * 255).astype(np.uint8)
    owners = np.full((height, width), -1, np.int16)
    dice, areas = [], []
    for k, (x, y, radius) in enumerate(places):
        index = rng.randrange(len(bank.shapes))
        spot = (x, y, radius)
        die, area = _put(rng, canvas, owners, bank, index, k, spot, layout.mirrored)
        dice.append(die)
        areas.append(area)
    if rng.random() < 0.15 and places:
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


def _places(rng: Random, layout: Layout) -> list[tuple[float, float, float]]:
    """Return where dice lie: (x, y, radius); many touch, few overlap."""
    width, height = layout.size_wh_px
    count = rng.randint(0, layout.dice)
    crowd = rng.random() < 0.5
    overlap = 0.72 if rng.random() < 0.2 else 0.9
    places: list[tuple[float, float, float]] = []
    for _ in range(count * 3):
        if len(places) == count:
            break
        radius = layout.radius_px * rng.uniform(0.78, 1.25)
        if crowd and places and rng.random() < 0.8:
            x0, y0, near = rng.choice(places)
            away = (radius + near) * rng.uniform(overlap, 1.15)
            around = rng.uniform(0, math.tau)
            x, y = x0 + away * math.cos(around), y0 + away * math.sin(around)
        else:
            x = rng.uniform(-0.3 * radius, width + 0.3 * radius)
            y = rng.uniform(-0.3 * radius, height + 0.3 * radius)
        apart = all(
            math.hypot(x - a, y - b) > (radius + r) * overlap for a, b, r in places
        )
        if apart and -radius < x < width + radius and -radius < y < height + radius:
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
) -> tuple[SceneDie, float]:
    """Lay a die of the bank, turned and perhaps mirrored; return it and its area."""
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


def photograph(rng: Random, scene: Scene, *, rough: float = 1.0) -> Scene:
    """Return the scene as a real camera takes it.

    Args:
        rng: Source of chance.
        scene: From `compose`.
        rough: 0 is a good camera, 1 a bad one, at the worst.
    """
    if rng.random() < 0.3 * rough:
        scene = tilt(rng, scene, 0.08)
    image = scene.image.astype(np.float32) / 255
    height, width = image.shape[:2]
    cast = np.array([rng.gauss(1, 0.1 * rough) for _ in range(3)], np.float32)
    gain = math.exp(rng.gauss(0, 0.2 * rough))
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
        chance = np.random.default_rng(rng.getrandbits(32))
        image = image + chance.standard_normal(image.shape, np.float32) * grain
    out = (np.clip(image, 0, 1) * 255 + 0.5).astype(np.uint8)
    if rng.random() < 0.5 * rough:
        quality = [cv2.IMWRITE_JPEG_QUALITY, rng.randint(45, 95)]
        _, packed = cv2.imencode(".jpg", out, quality)
        out = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return Scene(out, scene.dice)


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
    return Scene(
        np.asarray(image, np.uint8), tuple(_moved(die, matrix) for die in scene.dice)
    )


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
