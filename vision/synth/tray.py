"""A drawn tray for the demonstration: throws that roll in, bounce and come to rest.

1. `throw` plays the whole throw at once: discs that slide, bounce off the walls and
   each other, and lose speed. Where they stop, the dice lie.
2. The face that is up is drawn from the seed first; the tumbling is then unrolled
   backwards along the path, so that the die arrives exactly on that face.
3. `image` lays small sprites of the moving dice over the background, or returns the
   picture at rest.

The camera hangs over the middle of the image and looks straight down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image, Pose, read_only
from vision.sheet import draw_sheet, sheet
from vision.synth import ground, marks
from vision.synth.looks import Bgr, Look, hsv, luminance, plain_light
from vision.synth.paint import lay, shadow
from vision.synth.render import Model, render, straight_down
from vision.synth.roll import Body, Path, play
from vision.synth.solids import solid

Array: TypeAlias = NDArray[np.floating[Any]]

CAMERA_MM = 420.0
"""Height of the lens over the tray."""

RADIUS_MM = {
    "d4": 12.5,
    "d6": 13.9,
    "d8": 11.0,
    "d10": 11.5,
    "d12": 11.0,
    "d20": 12.0,
    "coin": 12.5,
}
"""Circumscribed radius of the usual dice (a d6 of 16 mm edge, a d20 of 24 mm)."""

COLOURS: dict[str, Bgr] = {
    "white": hsv(0.12, 0.06, 0.93),
    "black": hsv(0.6, 0.1, 0.13),
    "red": hsv(0.99, 0.88, 0.75),
    "yellow": hsv(0.135, 0.9, 0.93),
    "green": hsv(0.38, 0.85, 0.5),
    "blue": hsv(0.6, 0.85, 0.68),
    "orange": hsv(0.06, 0.9, 0.9),
    "purple": hsv(0.78, 0.7, 0.5),
    "brass": hsv(0.12, 0.55, 0.75),
    "grey": hsv(0, 0, 0.5),
}

FELT = (0.25, 0.33, 0.20)
"""The tray's cloth, screen values BGR: green, mid-tone, unlike any of the dice."""

RIM_MM = 6.0
"""Dice stop this far inside the outline: the lens sees their far side lean out."""

BAR_LENGTH, BAR_WIDTH = 0.4, 0.12
"""Of the bar on a token's empty side, over the mark's side; the page writes it so."""

EXPOSURE_S = 0.008
"""For the blur of moving dice."""


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """A die that can be thrown.

    Attributes:
        name: Its die name in the dice set.
        shape: Its solid.
        colour: A key of `COLOURS`; an unknown one is drawn grey.
        faces: Face keys, one per physical face of the solid.
        marks: A mask for each face, or empty: `marks.face_mask` of the key.
    """

    name: str
    shape: str
    colour: str
    faces: tuple[str, ...]
    marks: tuple[NDArray[np.uint8], ...] = ()


@dataclass(frozen=True, slots=True)
class TrayDie:
    """A die lying in the tray: the truth.

    Attributes:
        name: Its die name.
        face: Key of the face that is up (as painted now).
        pose: Where it lies, px of the image.
    """

    name: str
    face: str
    pose: Pose


@dataclass(slots=True)
class _Lying:
    """A die in the tray with its path since the last throw."""

    die: DrawnDie
    model: Model
    face: int
    key: str
    turn: float
    path: Path
    covered: bool = False
    pose: Pose | None = None


class DrawnTray:
    """A tray with dice, drawn.

    Args:
        dice: The dice there are; several of one kind may be thrown.
        size_wh_px: Of the image.
        px_per_mm: Scale on the tray's floor.
        rng: Makes the tray's own look (throws have seeds of their own).
        frame_marks: Whether the printed frame lies round the tray.

    Raises:
        ValueError: A die with another number of faces than its solid has.
    """

    def __init__(
        self,
        dice: Sequence[DrawnDie],
        size_wh_px: tuple[int, int] = (2304, 1296),
        px_per_mm: float = 4.0,
        rng: Random | None = None,
        *,
        frame_marks: bool = True,
    ) -> None:
        rng = rng or Random(0)
        self.size_wh_px = size_wh_px
        self.px_per_mm = px_per_mm
        self._light = plain_light(rng)
        self._dice = {die.name: die for die in dice}
        self._models = {die.name: _model(die) for die in dice}
        self._rough = {name: _rough(model) for name, model in self._models.items()}
        self._area_mm = _area(size_wh_px, px_per_mm, frame_marks)
        self._floor = _floor(size_wh_px, px_per_mm, self._area_mm, rng, frame_marks)
        self._lying: list[_Lying] = []
        self._still: Image = self._floor
        # Dice that have stopped while others roll: (how many, the picture of them).
        self._part: tuple[int, Image] | None = None
        self._rest_s = 0.0

    @property
    def rest_s(self) -> float:
        """Seconds after the throw at which everything has stopped."""
        return self._rest_s

    @property
    def area_xywh_px(self) -> tuple[float, float, float, float]:
        """The part of the image dice can lie in."""
        x, y, w, h = self._area_mm
        s = self.px_per_mm
        return x * s, y * s, w * s, h * s

    def throw(
        self, names: Sequence[str], seed: int, sides: Sequence[int] | None = None
    ) -> None:
        """Throw these dice in; those already there stay, or are knocked aside.

        Args:
            names: Of `dice`; a name may come several times.
            seed: The same seed and the same dice lying there give the same throw.
            sides: Number of the side of each die that comes up; None leaves it to
                chance. (Teaching has to see every side.)

        Raises:
            KeyError: No such die.
        """
        rng = Random(seed)
        old = self._lying
        new = [self._dice[name] for name in names]
        bodies = [
            Body(lying.path.xy_mm[-1], _disc(lying.die.shape), None) for lying in old
        ]
        bodies += [Body(None, _disc(die.shape), rng.uniform(0.75, 1.15)) for die in new]
        paths = play(bodies, self._area_mm, rng)
        for lying, path in zip(old, paths, strict=False):
            lying.path = path
        for number, (die, path) in enumerate(zip(new, paths[len(old) :], strict=True)):
            face = rng.randrange(solid(die.shape).readable)
            if sides is not None:
                face = sides[number]
            turn = rng.uniform(0, math.tau)
            model = self._models[die.name]
            self._lying.append(_Lying(die, model, face, die.faces[face], turn, path))
        self._rest_s = max((lying.path.rest_s for lying in self._lying), default=0.0)
        self._settle()

    def clear(self) -> None:
        """Take all dice out."""
        self._lying = []
        self._rest_s = 0.0
        self._settle()

    def take(self, names: Sequence[str]) -> None:
        """Take these dice out, one for each name; a name that is not there is left.

        Of several dice of one name the one thrown first goes first.
        """
        for name in names:
            found = next((one for one in self._lying if one.die.name == name), None)
            self._lying = [one for one in self._lying if one is not found]
        self._settle()

    def truth(self) -> tuple[TrayDie, ...]:
        """Return what lies there at rest, in the order it was thrown."""
        return tuple(
            TrayDie(lying.die.name, lying.key, lying.pose)
            for lying in self._lying
            if lying.pose is not None
        )

    def repaint(self, index: int, face: str) -> None:
        """Paint another face's mark on the up face of a die at rest."""
        lying = self._lying[index]
        masks = lying.model.masks.copy()
        masks[lying.face] = _mask(lying.die, face, masks.shape[1])
        lying.model = replace(lying.model, masks=masks)
        lying.key = face
        self._settle()

    def cover(self, index: int) -> None:
        """Lay a paper disc on the up face of a die at rest, hiding its mark."""
        self._lying[index].covered = True
        self._settle()

    def image(self, t_s: float) -> Image:
        """Return the tray `t_s` seconds after the last throw, BGR, read-only."""
        if t_s >= self._rest_s:
            return self._still
        stopped = [lying for lying in self._lying if lying.path.rest_s <= t_s]
        if self._part is None or len(stopped) != self._part[0]:
            part = self._floor.copy()
            for lying in stopped:
                self._draw(part, lying, lying.path.rest_s)
            self._part = (len(stopped), part)
        picture = self._part[1].copy()
        for lying in self._lying:
            if lying.path.rest_s > t_s:
                self._draw(picture, lying, t_s)
        return read_only(picture)

    def _settle(self) -> None:
        """Draw the picture at rest and note where each die lies."""
        self._part = None
        picture = self._floor.copy()
        for lying in self._lying:
            lying.pose = self._draw(picture, lying, lying.path.rest_s)
        self._still = read_only(picture)

    def _draw(self, picture: Image, lying: _Lying, t_s: float) -> Pose:
        """Draw one die as it is at that time; return its pose."""
        shape = lying.die.shape
        radius_mm = RADIUS_MM[shape]
        body = solid(shape)
        xy_mm, tumble, speed = lying.path.at(t_s)
        moving = t_s < lying.path.rest_s
        rotation = tumble @ body.rotation(lying.face, lying.turn)
        lift_mm = -float((body.vertices @ rotation[2]).min()) * radius_mm
        width, height = self.size_wh_px
        from_axis = np.array(xy_mm) - np.array([width, height]) / 2 / self.px_per_mm
        far = CAMERA_MM - lift_mm
        view = straight_down(
            from_axis[0] / radius_mm, -from_axis[1] / radius_mm, far / radius_mm
        )
        top_mm = float((rotation @ body.top_point(lying.face))[2]) * radius_mm
        scale = self.px_per_mm * CAMERA_MM / (far - (0 if moving else top_mm))
        middle = np.array([width, height]) / 2 + from_axis * (
            self.px_per_mm * CAMERA_MM / far
        )
        shadow(picture, middle, radius_mm * self.px_per_mm)
        coarse, model = 1, lying.model
        blur_px = float(np.hypot(*speed)) * EXPOSURE_S * scale
        if moving and radius_mm * scale > 20:
            coarse, model = 3 if blur_px > 6 else 2, self._rough[lying.die.name]
        sprite = render(
            model, rotation, view, self._light, radius_mm * scale / coarse,
            ground=(FELT[0] ** 2, FELT[1] ** 2, FELT[2] ** 2),
        )  # fmt: skip
        corner = lay(picture, sprite, middle, coarse, speed if blur_px > 3 else None)
        x, y = sprite.pose.top_xy_px
        top = (corner[0] + x * coarse, corner[1] + y * coarse)
        if lying.covered and not moving:
            reach = round(radius_mm * scale * 0.6)
            paper = tuple(int(v) for v in (188, 196, 200))
            where = (round(top[0]), round(top[1]))
            cv2.circle(picture, where, reach, paper, -1, cv2.LINE_AA)
        return replace(sprite.pose, top_xy_px=top, radius_px=radius_mm * scale)


def _disc(shape: str) -> float:
    """Return the radius, mm, at which dice bump into each other."""
    return RADIUS_MM[shape] * 0.98


def _model(die: DrawnDie) -> Model:
    """Return the die as the renderer wants it."""
    count = solid(die.shape).readable
    if len(die.faces) != count:
        raise ValueError(
            f"die {die.name}: {count} faces expected, not {len(die.faces)}"
        )
    masks = die.marks or tuple(_mask(die, key, 128) for key in die.faces)
    colour = COLOURS.get(die.colour, COLOURS["grey"])
    dark = luminance(colour) > 0.55
    ink = hsv(0.6, 0.3, 0.06) if dark else hsv(0.12, 0.05, 0.97)
    look = Look("solid", colour, colour, ink, gloss=0.35, rough=0.8, relief=0.5)
    edge, ball = (26.0, 2.0) if die.shape == "d6" else (40.0, 2.0)
    return Model(die.shape, np.stack(masks), look, edge, ball)


def _rough(model: Model) -> Model:
    """Return the model with small masks, for dice in motion."""
    small = [cv2.resize(m, (24, 24), interpolation=cv2.INTER_AREA) for m in model.masks]
    return replace(model, masks=np.stack(small).astype(np.uint8))


def _mask(die: DrawnDie, key: str, size_px: int) -> NDArray[np.uint8]:
    """Return the mark of a face key."""
    if die.marks and key in die.faces:
        mask = die.marks[die.faces.index(key)]
        return np.asarray(cv2.resize(mask, (size_px, size_px)), np.uint8)
    if key == "blank" and die.shape == "coin":
        return _bar(size_px)
    return marks.face_mask(key, size_px)


def _bar(size_px: int) -> NDArray[np.uint8]:
    """Return the mark of a token's empty side: a bare disc is found to be no token."""
    mask = np.zeros((size_px, size_px), np.uint8)
    middle, half = size_px // 2, round(BAR_LENGTH * size_px / 2)
    thick = max(1, round(BAR_WIDTH * size_px))
    start, end = (middle - half, middle), (middle + half, middle)
    cv2.line(mask, start, end, (255,), thick, cv2.LINE_AA)
    return mask


def _area(
    size_wh_px: tuple[int, int], px_per_mm: float, framed: bool
) -> tuple[float, float, float, float]:
    """Return the tray's floor, (x, y, w, h) in mm of the image."""
    width, height = size_wh_px[0] / px_per_mm, size_wh_px[1] / px_per_mm
    if not framed:
        return 8.0, 8.0, width - 16, height - 16
    page = sheet("a4")
    x, y, w, h = page.tray_xywh_mm
    left = (width - page.size_wh_mm[0]) / 2
    top = (height - page.size_wh_mm[1]) / 2
    return left + x + RIM_MM, top + y + RIM_MM, w - 2 * RIM_MM, h - 2 * RIM_MM


def _floor(
    size_wh_px: tuple[int, int],
    px_per_mm: float,
    area_mm: tuple[float, float, float, float],
    rng: Random,
    framed: bool,
) -> Image:
    """Draw the empty tray: table, printed frame, felt."""
    width, height = size_wh_px
    colour = np.array(FELT, np.float32)
    if not framed:
        return _picture(ground.felt(rng, size_wh_px, colour))
    half = ground.wood(rng, (width // 2, height // 2))
    picture = _picture(np.asarray(cv2.resize(half, size_wh_px)) * 0.8)
    page = draw_sheet(sheet("a4"), px_per_mm)
    x, y = (width - page.shape[1]) // 2, (height - page.shape[0]) // 2
    # Paper is not quite white and ink not quite black under a camera's exposure.
    paper = (page.astype(np.float32) * (215 / 255) + 18)[..., None].repeat(3, 2)
    top, left = max(0, -y), max(0, -x)
    shown = paper[top : top + height, left : left + width].astype(np.uint8)
    y, x = max(0, y), max(0, x)
    picture[y : y + shown.shape[0], x : x + shown.shape[1]] = shown
    rim = RIM_MM - 1.5
    x0, y0 = (round((v - rim) * px_per_mm) for v in area_mm[:2])
    w, h = (round((v + 2 * rim) * px_per_mm) for v in area_mm[2:])
    picture[y0 : y0 + h, x0 : x0 + w] = _picture(ground.felt(rng, (w, h), colour))
    return read_only(picture)


def _picture(values: Array) -> Image:
    return np.asarray((np.clip(values, 0, 1) * 255).astype(np.uint8))
