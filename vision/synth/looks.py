"""What dice are made of and what light falls on them, drawn at random.

Colours are linear light, BGR, 0..1 unless a lamp is meant.
"""

from __future__ import annotations

import colorsys
import math
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.floating[Any]]
Bgr: TypeAlias = tuple[float, float, float]

SURFACES = ("solid", "marble", "speckle", "glitter", "translucent", "metal", "wood")

ENV_PX = 64
"""Side of the map of the surroundings; it is only ever seen blurred and tiny."""

ENV_REACH = 1.6
"""Half width of that map in the plane x/(1+z): 1 is the horizon, more lies below."""

GAMMA = 2.2

TOLD_BY_HUE = 0.2
"""Share of dice whose ink differs in hue and need not in lightness: red on blue."""

INKS_TRIED = 16

FLECKED = 4.0
"""Cells of speckled bodies with a fleck, against the share of the body that flecks
cover: a round grain fills a quarter of its cell."""

FLECK_EDGE = 6.0
"""Steepness of a fleck's edge, in widths of a cell."""

TWO_COLOURED = ("marble", "speckle", "glitter", "wood")
"""Surfaces of which both colours lie bare beside the ink: makers choose an ink that
stands out from both."""


@dataclass(frozen=True, slots=True)
class Look:
    """How one die looks.

    Attributes:
        surface: One of `SURFACES`.
        body: Main colour.
        second: The other colour of marble, speckle, glitter and wood.
        ink: Colour of the marks.
        gloss: 0..1 strength of the mirror-like part.
        rough: 0..2 blur of that part.
        relief: How deep the marks are cut; negative stands out.
        wear: 0..1 share of the ink that is rubbed off, in patches.
        grain: Fineness of the surface's pattern.
        seed: Makes the pattern this die's own.
    """

    surface: str
    body: Bgr
    second: Bgr
    ink: Bgr
    gloss: float = 0.6
    rough: float = 0.4
    relief: float = 1.0
    wear: float = 0.0
    grain: float = 2.0
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """Light in a scene, as a map over the plane m = (x, y) / (1 + z).

    Attributes:
        mirrors: Three ``(n, n, 3)`` float32 maps of what a reflection sees, from sharp
            to blurred.
        diffuse: ``(n, n, 3)`` float32, light falling on a surface with that normal.
        lamps: ``(direction (3,), share of the light on the ground)`` for shadows.
        ground: Light on a horizontal surface.
    """

    mirrors: tuple[Array, Array, Array]
    diffuse: Array
    lamps: tuple[tuple[Array, float], ...]
    ground: Array


def linear(bgr: tuple[int, int, int]) -> Bgr:
    """Return a colour given as 0..255 screen values in linear light."""
    b, g, r = ((value / 255) ** GAMMA for value in bgr)
    return b, g, r


def hsv(hue: float, saturation: float, value: float) -> Bgr:
    """Return a screen colour of that hue (0..1) in linear light."""
    r, g, b = colorsys.hsv_to_rgb(hue % 1, saturation, value)
    return b**GAMMA, g**GAMMA, r**GAMMA


def luminance(bgr: Bgr) -> float:
    """Return the lightness, 0..1, that an eye gives a linear colour."""
    return float((0.07 * bgr[0] + 0.72 * bgr[1] + 0.21 * bgr[2]) ** (1 / GAMMA))


def random_colour(rng: Random) -> Bgr:
    """Return a die's body colour: black and white as often as they are sold."""
    pick = rng.random()
    if pick < 0.16:
        return hsv(rng.random(), rng.uniform(0, 0.25), rng.uniform(0.03, 0.2))
    if pick < 0.36:
        return hsv(rng.uniform(0.05, 0.18), rng.uniform(0, 0.35), rng.uniform(0.75, 1))
    if pick < 0.44:
        return hsv(rng.random(), rng.uniform(0, 0.1), rng.uniform(0.2, 0.75))
    return hsv(rng.random(), rng.uniform(0.5, 1), rng.uniform(0.2, 1) ** 0.7)


def random_ink(rng: Random, *bodies: Bgr, faint: float = 0.03) -> Bgr:
    """Return an ink, usually one that stands out from all of the body's colours.

    Args:
        rng: Source of chance.
        bodies: The colours it is painted on: of marble and speckles both.
        faint: Share of dice with whatever ink came first (white on white as well).
    """
    if rng.random() < faint:
        return _any_ink(rng)
    by_hue = rng.random() < TOLD_BY_HUE
    enough = 0.35 if by_hue else 0.3
    best, most = bodies[0], -1.0
    for _ in range(INKS_TRIED):
        ink = (
            hsv(rng.random(), rng.uniform(0.6, 1), rng.uniform(0.35, 1))
            if by_hue
            else _any_ink(rng)
        )
        away = min(_away(ink, body, by_hue=by_hue) for body in bodies)
        if away > most:
            best, most = ink, away
        if most > enough:
            break
    return best


def _any_ink(rng: Random) -> Bgr:
    """Return white, black, gold, or any colour."""
    pick = rng.random()
    if pick < 0.35:
        return hsv(0, 0, rng.uniform(0.85, 1))
    if pick < 0.65:
        return hsv(0, 0, rng.uniform(0.0, 0.15))
    if pick < 0.8:
        return hsv(rng.uniform(0.1, 0.15), rng.uniform(0.4, 0.8), rng.uniform(0.5, 1))
    return hsv(rng.random(), rng.uniform(0.4, 1), rng.uniform(0.3, 1))


def _away(ink: Bgr, body: Bgr, *, by_hue: bool) -> float:
    """Return how far two colours are apart on the screen, 0..1.

    In the channel that tells them best, or in lightness.
    """
    if by_hue:
        pairs = zip(ink, body, strict=True)
        gaps = [abs(a ** (1 / GAMMA) - b ** (1 / GAMMA)) for a, b in pairs]
        return float(max(gaps))
    return abs(luminance(ink) - luminance(body))


def random_look(rng: Random, *, surface: str | None = None) -> Look:
    """Return a die's look."""
    kind = surface or rng.choices(SURFACES, (46, 14, 8, 6, 14, 7, 5))[0]
    body = random_colour(rng)
    second = random_colour(rng)
    gloss, rough = rng.uniform(0.3, 1), rng.choice((0.0, 0.2, 0.5, 1.2))
    if kind == "metal":
        body = hsv(rng.choice((0.09, 0.12, 0.6)), rng.uniform(0, 0.6), 0.9)
        gloss, rough = 1.0, rng.uniform(0.4, 1.6)
    elif kind == "wood":
        body = hsv(
            rng.uniform(0.05, 0.11), rng.uniform(0.35, 0.7), rng.uniform(0.4, 0.9)
        )
        second = (body[0] * 0.5, body[1] * 0.5, body[2] * 0.55)
        gloss, rough = rng.uniform(0, 0.4), 1.6
    elif kind == "marble" and rng.random() < 0.5:
        share = rng.uniform(0.2, 0.7)
        b, g, r = (
            x * (1 - share) + y * share for x, y in zip(body, second, strict=True)
        )
        second = b, g, r
    elif kind == "solid" and rng.random() < 0.25:
        gloss, rough = rng.uniform(0, 0.2), 1.6
    beside = _sparkling(body, second) if kind == "glitter" else second
    ink = random_ink(rng, *((body, beside) if kind in TWO_COLOURED else (body,)))
    if kind == "speckle":
        second = _no_louder(second, body, ink)
    return Look(
        surface=kind,
        body=body,
        second=second,
        ink=ink,
        gloss=gloss,
        rough=rough,
        relief=rng.choice((0.0, 0.5, 1.0, 1.5, -0.5)),
        wear=rng.choice((0.0, 0.0, 0.0, 0.15, 0.35)),
        grain=rng.uniform(1, 4),
        seed=rng.randrange(1 << 30),
    )


def _no_louder(fleck: Bgr, body: Bgr, ink: Bgr) -> Bgr:
    """Return a fleck's colour nearer to the body's, where it would drown the ink."""
    loud, told = (_away(colour, body, by_hue=True) for colour in (fleck, ink))
    share = min(1.0, told / max(loud, 1e-3))
    b, g, r = (x + share * (y - x) for x, y in zip(body, fleck, strict=True))
    return b, g, r


def _sparkling(body: Bgr, second: Bgr) -> Bgr:
    """Return the colour of a usual glittering grain, at most white."""
    b, g, r = (min(1.0, x + 0.3 + y) for x, y in zip(body, second, strict=True))
    return b, g, r


def body_colours(look: Look, points: Array) -> Array:
    """Return the body's colour at points of the die.

    Args:
        look: The die's look.
        points: ``(n, 3)`` float32 in the die's own frame, in radii.

    Returns:
        ``(n, 3)`` float32 BGR.
    """
    body = np.array(look.body, np.float32)
    second = np.array(look.second, np.float32)
    if look.surface in ("solid", "metal"):
        return np.broadcast_to(body, (len(points), 3))
    chance = np.random.default_rng(look.seed)
    if look.surface in ("speckle", "glitter"):
        mix, sparkle = _flecks(look, points)
        if look.surface == "glitter":
            return np.asarray(body + mix * sparkle * (0.3 + second))
    elif look.surface == "wood":
        axis = chance.normal(size=(3, 2)).astype(np.float32)
        rings = np.linalg.norm(points @ axis + 2, axis=1)
        wave = np.sin(rings * 9 * look.grain + np.sin(points @ axis[:, 0] * 5))
        mix = (0.5 + 0.5 * wave)[:, None].astype(np.float32)
    else:
        axes = chance.normal(size=(3, 3)).astype(np.float32) * np.float32(look.grain)
        a, b, c = (points @ axes).T
        wave = np.sin(
            a * 1.3 + 1.8 * np.sin(b + 0.7 * np.sin(1.9 * c)) + chance.random()
        )
        sharp = 1 if look.surface == "translucent" else 2.5
        mix = np.clip(0.5 + 0.5 * sharp * wave, 0, 1)[:, None].astype(np.float32)
        if look.surface == "translucent":
            mix = mix * 0.3
    return np.asarray(body * (1 - mix) + second * mix)


def _flecks(look: Look, points: Array) -> tuple[Array, Array]:
    """Return how much of a fleck is at each point, and how much that fleck sparkles.

    Round grains of different sizes, at most one in each cell of a grid.

    Returns:
        Two ``(n, 1)`` float32: 0..1, and 0..2.
    """
    place = points * (7 + 3 * look.grain) + 100
    grid = np.floor(place)
    mixed = grid.astype(np.int64) @ np.array([73856093, 19349663, 83492791])
    chaos = ((mixed ^ look.seed) * 2654435761) >> 7
    there = (chaos & 1023) < FLECKED * (60 + 35 * look.grain)
    radius = 0.25 + 0.25 * ((chaos >> 10) & 255) / 255
    room = (0.5 - radius)[:, None]
    beside = np.stack([(chaos >> bits) & 127 for bits in (18, 25, 32)], 1) / 63.5 - 1
    away = np.linalg.norm(place - grid - 0.5 - beside * room, axis=1)
    mix = np.clip((radius - away) * FLECK_EDGE + 0.5, 0, 1) * there
    sparkle = chaos % 7 / 3.5
    return mix.astype(np.float32)[:, None], sparkle.astype(np.float32)[:, None]


def _map_directions(size: int) -> tuple[Array, Array]:
    """Return (``(n*n, 3)`` unit directions of the map's pixels, their solid angle)."""
    line = ((np.arange(size) + 0.5) / size * 2 - 1) * ENV_REACH
    mx, my = np.meshgrid(line, line)
    square = mx**2 + my**2
    z = (1 - square) / (1 + square)
    directions = np.stack([mx * (1 + z), my * (1 + z), z], -1).reshape(-1, 3)
    angle = (1 + z.reshape(-1)) ** 2 * (2 * ENV_REACH / size) ** 2
    return directions.astype(np.float32), angle.astype(np.float32)


_SHARP = _map_directions(ENV_PX)
_COARSE = _map_directions(16)


def random_light(rng: Random, *, led: float = 0.15) -> Light:
    """Return light from a sky or ceiling, windows, lamps and perhaps coloured LEDs.

    Args:
        rng: Source of chance.
        led: Share of scenes with a coloured strip beside the tray.
    """
    directions, _ = _SHARP
    warm = rng.uniform(-0.12, 0.25)
    white = np.array([1 - warm, 1.0, 1 + warm * 0.6], np.float32)
    slope = np.array([rng.gauss(0, 0.3), rng.gauss(0, 0.3), rng.uniform(0, 0.6)])
    sky = 1 + directions @ slope.astype(np.float32)
    level = rng.uniform(0.25, 0.75)
    env = (np.clip(sky, 0.1, 3) * level)[:, None] * white
    for _ in range(rng.choice((0, 1, 2, 3))):
        env = env + _window(rng, directions)[:, None] * white * rng.uniform(1, 5)
    lamps: list[tuple[Array, float]] = []
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        towards = _towards(rng, 0.25, 1.5)
        spread = rng.choice((0.02, 0.05, 0.12))
        power = rng.uniform(0.2, 1.4)
        spot = np.exp((directions @ towards - 1) / (spread**2))
        tint = white * np.array([1, 1, 1 + rng.uniform(0, 0.3)], np.float32)
        peak = power / (2 * math.pi * spread**2)
        env = env + (spot * peak)[:, None] * tint
        lamps.append((towards, power * float(towards[2])))
    if rng.random() < led:
        strip = _window(rng, directions, low=True)
        env = env + strip[:, None] * np.array(hsv(rng.random(), 1, 1)) * rng.uniform(
            2, 9
        )
    if rng.random() < 0.7:
        lens = np.exp((directions[:, 2] - 1) / rng.uniform(0.01, 0.06))
        env = env * (1 - 0.8 * lens)[:, None]
    below = np.clip(directions[:, 2:] * 4 + 1, 0.15, 1)
    return _finish((env * below).astype(np.float32), tuple(lamps))


def plain_light(rng: Random) -> Light:
    """Return even light from two sides, as a good tray has it."""
    directions, _ = _SHARP
    env = np.clip(0.62 + 0.3 * directions[:, 2:], 0.1, 2) * np.ones(3, np.float32)
    lamps = []
    for side in (-1, 1):
        towards = np.array([0.55 * side, 0.45 + rng.uniform(-0.1, 0.1), 0.8])
        towards = (towards / np.linalg.norm(towards)).astype(np.float32)
        spot = np.exp((directions @ towards - 1) / 0.02)
        env = env + (spot * 3.2)[:, None]
        lamps.append((towards, 0.35))
    return _finish(env.astype(np.float32), tuple(lamps))


def _towards(rng: Random, low: float, high: float) -> Array:
    """Return a unit direction between two elevations, in radians."""
    around, height = rng.uniform(0, math.tau), rng.uniform(low, high)
    flat = math.cos(height)
    return np.array(
        [math.cos(around) * flat, math.sin(around) * flat, math.sin(height)], np.float32
    )


def _window(rng: Random, directions: Array, *, low: bool = False) -> Array:
    """Return a soft-edged bright rectangle somewhere around."""
    middle = _towards(rng, 0.05, 0.3) if low else _towards(rng, 0.1, 1.4)
    right = np.cross(middle, [0, 0, 1]).astype(np.float32)
    right /= np.linalg.norm(right) + 1e-6
    up = np.cross(right, middle)
    ahead = np.maximum(directions @ middle, 1e-3)
    wide, high = (
        (rng.uniform(0.6, 2), 0.06)
        if low
        else (
            rng.uniform(0.1, 0.5),
            rng.uniform(0.1, 0.5),
        )
    )
    a = np.abs(directions @ right / ahead) / wide
    b = np.abs(directions @ up / ahead) / high
    inside = np.clip((1 - np.maximum(a, b)) * 6, 0, 1) * (directions @ middle > 0)
    return np.asarray(inside, np.float32)


def _finish(env: Array, lamps: tuple[tuple[Array, float], ...]) -> Light:
    """Blur the surroundings for rough mirrors and gather them for matt surfaces."""
    sharp = env.reshape(ENV_PX, ENV_PX, 3)
    soft: Array = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 2.2), np.float32)
    softer: Array = np.asarray(cv2.GaussianBlur(sharp, (0, 0), 6), np.float32)
    small = cv2.resize(sharp, (16, 16), interpolation=cv2.INTER_AREA).reshape(-1, 3)
    directions, angle = _COARSE
    seen = np.maximum(directions @ directions.T, 0) * angle / math.pi
    coarse = (seen @ small).reshape(16, 16, 3).astype(np.float32)
    diffuse: Array = np.asarray(cv2.resize(coarse, (ENV_PX, ENV_PX)), np.float32)
    ground = diffuse[ENV_PX // 2, ENV_PX // 2]
    total = float(ground.mean()) + 1e-6
    shares = tuple((way, min(0.8, share / total)) for way, share in lamps)
    return Light((sharp, soft, softer), diffuse, shares, ground)
