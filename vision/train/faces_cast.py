"""Dice drawn by the ray-caster, one at a time, for calibration and evaluation.

The networks are trained on pose maps; how sure they may be, and how well they do, is
measured on dice that another renderer draws, with fonts, strokes and icons held out.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image, Pose
from vision.synth import icons, marks, strokes
from vision.synth.alike import told_apart
from vision.synth.bank import random_view
from vision.synth.dress import number_faces, place
from vision.synth.ground import random_ground
from vision.synth.legible import contrast
from vision.synth.looks import random_light, random_look
from vision.synth.render import Model, render, screen
from vision.synth.scene import Scene, SceneDie, photograph
from vision.synth.solids import SYMMETRY, solid

Mask = NDArray[np.uint8]
Array: TypeAlias = NDArray[np.floating[Any]]

MASK_PX = 96

READABLE_CONTRAST = 0.1
"""Dice whose ink stands out less than this nobody reads; they are counted apart."""

EMBLEM = "emblem"
"""Key of a face that shows a maker's emblem; nobody can read a number there."""

KINDS = ("d20", "d12", "d10", "d%", "d8", "d6", "pips")


@dataclass(frozen=True, slots=True, eq=False)
class CastDie:
    """One die to be drawn again and again.

    Attributes:
        kind: One of `KINDS`, or a solid's name for a die of icons.
        model: For the ray-caster.
        keys: Face key of each readable face.
        turns: Clockwise turn of each face's mark from `Solid.ups`, radians.
        marked: Its 6 and 9 bear the mark that tells them apart.
    """

    kind: str
    model: Model
    keys: tuple[str, ...]
    turns: tuple[float, ...]
    marked: bool

    @property
    def told(self) -> bool:
        """False where the up face alone does not tell its 6 from its 9."""
        return self.marked or self.kind not in ("d20", "d12", "d10")


@dataclass(frozen=True, slots=True, eq=False)
class Photograph:
    """One picture of one die.

    Attributes:
        image: BGR uint8.
        pose: True pose, the slope of the line of sight known.
        upright_rad: Direction on the image that the mark's top points to.
        face: Index of the up face.
        key: Its key.
        contrast: 0..1 of its ink in the picture, see `legible.contrast`.
        blank: The face bears no mark: it is known by its neighbours.
        before: The same ground before the die came, where that was asked for.
    """

    image: Image
    pose: Pose
    upright_rad: float
    face: int
    key: str
    contrast: float
    blank: bool = False
    before: Image | None = None

    @property
    def readable(self) -> bool:
        """False where a person could not read it; a blank face has nothing to read."""
        return self.blank or self.contrast >= READABLE_CONTRAST


def numeral_die(rng: random.Random, kind: str, fonts: list[str]) -> CastDie:
    """Return a random die of numerals or pips.

    Args:
        rng: Source of chance.
        kind: One of `KINDS`.
        fonts: Font files; two dice in three take one of them, if there are any.
    """
    shape = {"d%": "d10", "pips": "d6"}.get(kind, kind)
    body = solid(shape)
    numbers = number_faces(rng, body)
    texts = [f"{n}0" if kind == "d%" else str(n) for n in numbers]
    if kind == "pips":
        return _pipped(rng, numbers)
    draw = _drawer(rng, fonts)
    mark = rng.choice(("line", "line", "dot", "dot", "none"))
    step = math.tau / SYMMETRY[shape]
    layout = rng.choice((0.0, 0.0, 0.5)) * step
    scale = rng.uniform(0.72, 1.0 if shape in ("d20", "d10") else 1.15)
    turns = [rng.randrange(4) * step if shape == "d6" else layout for _ in texts]
    masks = [
        place(draw(text, mark if text in ("6", "9") else "none"), scale, turn, (0, 0))
        for text, turn in zip(texts, turns, strict=True)
    ]
    marked = mark != "none"
    return _cast(rng, kind, shape, masks, texts, turns, marked=marked)


def _pipped(rng: random.Random, numbers: list[int]) -> CastDie:
    """Return a die of pips, in one of eight an emblem in place of the one or six."""
    style = marks.pip_style(rng)
    swapped = rng.choice((1, 6)) if rng.random() < 0.12 else 0
    masks, keys, turns = [], [], []
    for number in numbers:
        turn = rng.randrange(4) * math.tau / 4
        mask = marks.pips(number, style, MASK_PX)
        if number == swapped:
            mask = icons.emblem(rng, MASK_PX)
        masks.append(place(mask, 1.0, turn, (0, 0)))
        keys.append(EMBLEM if number == swapped else str(number))
        turns.append(turn)
    return _cast(rng, "pips", "d6", masks, keys, turns, marked=True)


def icon_die(rng: random.Random, shape: str, pool: list[Mask]) -> CastDie:
    """Return a die of icons, some pairs, at times a blank; keys ``f0``, ``f1``, ..."""
    count = solid(shape).readable
    chosen = told_apart(rng.sample(pool, len(pool)), count)
    masks = []
    for mask in chosen:
        if rng.random() < 0.2:
            mask = icons.side_by_side([mask, rng.choice(chosen)])
        masks.append(place(mask, rng.uniform(0.65, 0.95), 0.0, (0, 0)))
    if rng.random() < 0.3:
        masks[rng.randrange(count)] = np.zeros((MASK_PX, MASK_PX), np.uint8)
    keys = [f"f{n}" for n in range(count)]
    return _cast(rng, shape, shape, masks, keys, [0.0] * count, marked=True)


def _drawer(rng: random.Random, fonts: list[str]) -> Callable[[str, str], Mask]:
    """Return a function that draws a text with a mark in one random font."""
    if fonts and rng.random() < 0.67:
        path = rng.choice(fonts)
        return lambda text, mark: marks.font_numeral(path, text, MASK_PX, mark, rng)
    style = strokes.stroke_style(rng)
    return lambda text, mark: marks.numeral(text, style, MASK_PX, mark, rng)


def _cast(
    rng: random.Random,
    kind: str,
    shape: str,
    masks: list[Mask],
    keys: list[str],
    turns: list[float],
    *,
    marked: bool,
) -> CastDie:
    """Add material and edges."""
    edge, ball = rng.choice((18.0, 28.0, 40.0, 60.0)), 2.0
    if shape == "d6":
        edge = rng.choice((11.0, 16.0, 24.0, 36.0, 60.0))
        ball = rng.choice((2.0, 2.0, 0.72, 0.78, 0.85))
    model = Model(shape, np.stack(masks), random_look(rng), edge, ball)
    return CastDie(kind, model, tuple(keys), tuple(turns), marked)


def shoot(
    rng: random.Random,
    die: CastDie,
    face: int,
    radius_px: float,
    rough: float = 0.8,
    reach: float = 1.6,
    *,
    before: bool = False,
) -> Photograph:
    """Take one picture of a die: new place, turn, light, ground, camera.

    Args:
        rng: Source of chance.
        die: What.
        face: Which face is up.
        radius_px: Its radius.
        rough: See `scene.photograph`.
        reach: Half the picture's side, in radii.
        before: Take one of the empty ground too; the die's picture is the same.
    """
    shape = die.model.shape
    turn = rng.uniform(0, math.tau)
    rotation = solid(shape).rotation(face, turn)
    view, slope = random_view(rng)
    size = 2 * math.ceil(radius_px * reach)
    ground = random_ground(rng, (size, size))
    floor = tuple(float(v) ** 2.2 for v in ground.mean(axis=(0, 1)))
    sprite = render(
        die.model, rotation, view, random_light(rng), radius_px,
        ground=(floor[0], floor[1], floor[2]), size_px=size,
    )  # fmt: skip
    shadow = cv2.GaussianBlur(sprite.alpha, (0, 0), max(0.6, radius_px * 0.12))
    below = ground * (1 - 0.5 * rng.random() * shadow[..., None])
    lit = screen(sprite.bgr).astype(np.float32) / 255
    mixed = below + (lit - below) * sprite.alpha[..., None]
    image = (np.clip(mixed, 0, 1) * 255 + 0.5).astype(np.uint8)
    known = SceneDie(
        sprite.pose, (size / 2, size / 2), die.keys[face], sprite.contrast, 1.0, slope
    )
    camera = random.Random()
    camera.setstate(rng.getstate())
    scene = photograph(rng, Scene(image, (known,), sprite.up), rough=rough)
    bare = photograph(camera, _bare(ground), rough=rough, shot=1) if before else None
    seen = scene.dice[0]
    # A pose tells the turn only modulo the polygon; here the rest of it is known.
    step = math.tau / SYMMETRY[shape]
    whole = seen.pose.turn_rad + step * round((turn - seen.pose.turn_rad) / step)
    upright = whole + die.turns[face]
    key = die.keys[face]
    clear = 0.0 if scene.up is None else contrast(scene.image, scene.up)
    blank = not die.model.masks[face].any()
    pose = replace(seen.pose, slope=seen.view)
    return Photograph(
        scene.image, pose, upright, face, key, clear, blank,
        None if bare is None else bare.image,
    )  # fmt: skip


def _bare(ground: Array) -> Scene:
    """Return a ground with nothing on it."""
    return Scene((np.clip(ground, 0, 1) * 255 + 0.5).astype(np.uint8), ())


def disturbed(
    rng: random.Random,
    pose: Pose,
    centre: float = 0.03,
    turn_deg: float = 3.0,
    scale: float = 0.03,
) -> Pose:
    """Return a pose as a finder would give it: off by normal errors of that spread.

    Args:
        rng: Source of chance.
        pose: The true one.
        centre: Spread in radii along each axis.
        turn_deg: Spread of the turn.
        scale: Spread of the radius, as a share.
    """
    x, y = pose.top_xy_px
    reach = centre * pose.radius_px
    return replace(
        pose,
        top_xy_px=(x + rng.gauss(0, reach), y + rng.gauss(0, reach)),
        turn_rad=pose.turn_rad + math.radians(rng.gauss(0, turn_deg)),
        radius_px=pose.radius_px * (1 + rng.gauss(0, scale)),
    )
