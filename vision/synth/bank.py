"""A bank of drawn dice, from which scenes are composed.

Dice come in groups that lie side by side in the bank and share a light. Half of the
groups are sets: all of one look, as most people throw them, and many of one shape.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.dress import random_die, random_shape
from vision.synth.ground import tint
from vision.synth.looks import random_light, random_look
from vision.synth.render import View, render, screen, slanted, straight_down
from vision.synth.solids import SHAPES, solid

Array: TypeAlias = NDArray[np.floating[Any]]

BANK_RADIUS_PX = 36.0
"""Of the dice in the bank: larger than the networks see, so that shrinking smooths."""

LEANING = 0.16
"""Share of dice in the bank that lean on something."""

SLANTING_RAD = 0.5
"""Reach of the tilt of a camera that does not hang over the tray."""

GROUP = 6
"""Dice in a group."""

SETS = 0.5
"""Share of groups that are of one look."""

ONE_SHAPE = 0.6
"""Share of those that are of one shape as well."""


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


def random_view(
    rng: Random, slanting: float = SLANTING_RAD
) -> tuple[View, tuple[float, float]]:
    """Return a camera, mostly above, and the slope of its line of sight.

    Args:
        rng: Source of chance.
        slanting: Reach of the tilt, radians, of one camera in five: held in a hand.
    """
    if rng.random() < 0.8:
        reach = math.sqrt(rng.random()) * (0.36 if rng.random() < 0.8 else 0.55)
        around, height = rng.uniform(0, math.tau), rng.uniform(24, 48)
        right, down = reach * math.cos(around), reach * math.sin(around)
        return straight_down(right * height, -down * height, height), (right, down)
    tilt, around = rng.uniform(0, slanting), rng.uniform(0, math.tau)
    slope = math.tan(tilt)
    view = slanted(tilt, around, rng.uniform(24, 48))
    return view, (slope * math.cos(around), -slope * math.sin(around))


def lean(rng: Random) -> Array:
    """Return a rotation that tips a die over, as one leaning on a wall."""
    angle, around = math.radians(rng.uniform(11, 48)), rng.uniform(0, math.tau)
    axis = np.array([math.cos(around), math.sin(around), 0.0])
    turned, _ = cv2.Rodrigues(axis * angle)
    return np.asarray(turned, np.float64)


def make_bank(
    rng: Random,
    count: int,
    *,
    fonts: tuple[str, ...] = (),
    slanting: float = SLANTING_RAD,
) -> Bank:
    """Draw a bank; about 8 ms a die.

    Args:
        rng: Source of chance.
        count: Of dice.
        fonts: See `dress.random_die`.
        slanting: See `random_view`.
    """
    size = 2 * math.ceil(BANK_RADIUS_PX * 1.3)
    sprites = np.zeros((count, size, size, 4), np.uint8)
    numbers = np.zeros((count, 8))
    labels = []
    light, look, alike = random_light(rng), None, None
    for k in range(count):
        if k % GROUP == 0:
            light = random_light(rng)
            look = random_look(rng) if rng.random() < SETS else None
            alike = random_shape(rng) if look and rng.random() < ONE_SHAPE else None
        shape = alike or random_shape(rng)
        body, die = solid(shape), random_die(rng, shape, look=look, fonts=fonts)
        face = rng.randrange(body.readable)
        rotation = body.rotation(face, rng.uniform(0, math.tau))
        if rng.random() < LEANING and shape != "coin":
            rotation = lean(rng) @ rotation
        view, slope = random_view(rng, slanting)
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
