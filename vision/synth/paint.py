"""Lays drawn dice and their shadows over a picture."""

from __future__ import annotations

import math
from random import Random
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.synth.render import Sprite, screen

Array: TypeAlias = NDArray[np.floating[Any]]


def shadow(picture: Image, middle: Array, radius_px: float) -> None:
    """Darken the floor under and beside a die."""
    reach = round(radius_px * 1.7)
    x0, y0 = round(middle[0]) - reach, round(middle[1]) - reach
    part_of = cut(picture, x0, y0, 2 * reach)
    if part_of is None:
        return
    view, (left, top) = part_of
    line = (np.arange(2 * reach) - reach) / radius_px
    bump = np.exp(-((line / 0.95) ** 4))
    shade = (255 * (1 - 0.55 * np.outer(bump, bump))).astype(np.uint8)
    part = shade[top : top + view.shape[0], left : left + view.shape[1]]
    view[:] = cv2.multiply(view, cv2.merge([part] * 3), scale=1 / 255)


def cut(
    picture: Image, x0: int, y0: int, size: int
) -> tuple[Image, tuple[int, int]] | None:
    """Return (the part of the square inside the picture, what was cut left and top)."""
    height, width = picture.shape[:2]
    left, top = max(0, -x0), max(0, -y0)
    view = picture[max(0, y0) : max(0, y0 + size), max(0, x0) : max(0, x0 + size)]
    if not view.size or x0 >= width or y0 >= height:
        return None
    return view, (left, top)


def lay(
    picture: Image, sprite: Sprite, middle: Array, coarse: int, speed: Array | None
) -> tuple[int, int]:
    """Lay a sprite over the picture; return its top left corner."""
    colour = screen(sprite.bgr)
    alpha = (sprite.alpha * 255).astype(np.uint8)
    if speed is not None:
        colour, alpha = _smear(colour, alpha, speed)
    size = colour.shape[0] * coarse
    if coarse > 1:
        colour = np.asarray(cv2.resize(colour, (size, size)), np.uint8)
        alpha = np.asarray(cv2.resize(alpha, (size, size)), np.uint8)
    x0, y0 = round(middle[0] - size / 2), round(middle[1] - size / 2)
    part_of = cut(picture, x0, y0, size)
    if part_of is not None:
        view, (left, top) = part_of
        rows = slice(top, top + view.shape[0])
        columns = slice(left, left + view.shape[1])
        share = cv2.merge([alpha[rows, columns]] * 3)
        behind = cv2.multiply(view, cv2.bitwise_not(share), scale=1 / 255)
        before = cv2.multiply(colour[rows, columns], share, scale=1 / 255)
        view[:] = cv2.add(behind, before)
    return x0, y0


def _smear(colour: Image, alpha: Image, speed: Array) -> tuple[Image, Image]:
    """Blur a moving die along its way, within its own sprite."""
    taps = 9
    kernel = np.zeros((taps, taps), np.float32)
    way = speed / np.linalg.norm(speed)
    half = taps // 2
    dx, dy = round(half * way[0]), round(half * way[1])
    cv2.line(kernel, (half - dx, half - dy), (half + dx, half + dy), (1.0,), 1)
    kernel /= kernel.sum()
    soft = np.asarray(cv2.filter2D(alpha, -1, kernel), np.uint8)
    return np.asarray(cv2.filter2D(colour, -1, kernel), np.uint8), soft


def thrown_shade(rng: Random, alpha: Array, radius: float) -> Array:
    """Return how dark the ground is around a die: contact and a thrown shadow."""
    contact = cv2.GaussianBlur(alpha, (0, 0), max(0.6, radius * rng.uniform(0.06, 0.2)))
    dark = np.asarray(contact, np.float32) / 255 * rng.uniform(0.2, 0.8)
    if rng.random() < 0.65:
        # A low lamp throws a long shadow: the outline, swept away from the lamp.
        far, around = radius * rng.uniform(0.1, 0.8), rng.uniform(0, math.tau)
        if rng.random() < 0.35:
            far = radius * rng.uniform(0.8, 2.2)
        swept = np.asarray(alpha, np.float32)
        count = max(1, round(far / (0.35 * radius)))
        for step in range(1, count + 1):
            way = far * step / count
            shift = [[1, 0, way * math.cos(around)], [0, 1, way * math.sin(around)]]
            moved = cv2.warpAffine(alpha, np.array(shift), alpha.shape[::-1])
            swept = np.maximum(swept, moved)
        soft = cv2.GaussianBlur(
            swept, (0, 0), max(0.6, radius * rng.uniform(0.03, 0.25))
        )
        thrown = np.asarray(soft, np.float32) / 255 * rng.uniform(0.2, 0.75)
        dark = np.maximum(dark, thrown)
    return np.asarray(1 - dark, np.float32)
