"""What colour a point of a die has: diffuse, mirrored and refracted light."""

from __future__ import annotations

from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.looks import ENV_REACH, Light, Look, body_colours
from vision.synth.solids import Solid

Array: TypeAlias = NDArray[np.floating[Any]]


def _look_up(image: Array, directions: Array) -> Array:
    """Return the map's colours in those directions."""
    size = image.shape[0]
    scale = size / (2 * ENV_REACH)
    below = np.maximum(1 + directions[:, 2], 0.25)
    u = (directions[:, 0] / below + ENV_REACH) * scale - 0.5
    v = (directions[:, 1] / below + ENV_REACH) * scale - 0.5
    return np.asarray(
        cv2.remap(
            image,
            np.clip(u, 0, size - 1).astype(np.float32)[None],
            np.clip(v, 0, size - 1).astype(np.float32)[None],
            cv2.INTER_LINEAR,
        )[0]
    )


def shade(
    body: Solid,
    look: Look,
    rotation: Array,
    light: Light,
    ground: Array,
    points: Array,
    normals: Array,
    rays: Array,
    ink: Array,
) -> Array:
    """Return the colour of each point.

    Args:
        body: The solid.
        look: Its material.
        rotation: ``(3, 3)`` from the die's frame to the world.
        light: Light in the world.
        ground: ``(3,)`` colour of what it lies on.
        points: ``(n, 3)`` in the die's frame.
        normals: ``(n, 3)`` there, tilted by the marks' relief.
        rays: ``(n, 3)`` unit directions from the camera, in the die's frame.
        ink: ``(n,)`` 0..1.

    Returns:
        ``(n, 3)`` float32, linear BGR.
    """
    turned = rotation.T.astype(np.float32)
    world = normals @ turned
    world_points = points @ turned
    height = world_points[:, 2]
    lowest = float((body.vertices @ rotation[2]).min())
    lifted = np.clip((height - lowest) / (2 * body.inradius), 0, 1)[:, None]
    ink = ink[:, None]
    facing = np.clip(-(normals * rays).sum(1), 0, 1)
    thrown = ground * light.ground * np.clip(0.45 - 0.55 * world[:, 2:], 0, 1)
    falling = _look_up(light.diffuse, world) * (0.5 + 0.5 * lifted) + thrown
    albedo = body_colours(look, points)
    base: Array
    mirror = normals * (2 * facing)[:, None] + rays
    level = min(2, round(look.rough))
    seen = _look_up(light.mirrors[level], mirror @ turned)
    fresnel = (0.04 + 0.8 * (1 - facing) ** 5)[:, None] * look.gloss
    if look.surface == "metal":
        base = albedo * (0.25 * falling + 0.75 * (seen * 0.9 + thrown))
    elif look.surface == "translucent":
        clear = _through(body, albedo, ground, light, rotation, points, normals, rays)
        base = 0.7 * clear + 0.3 * albedo * falling
    else:
        base = albedo * falling
    painted = np.array(look.ink, np.float32) * falling * (0.9 if look.relief > 0 else 1)
    return np.asarray(base * (1 - ink) + painted * ink + seen * fresnel, np.float32)


def _through(
    body: Solid,
    albedo: Array,
    ground: Array,
    light: Light,
    rotation: Array,
    points: Array,
    normals: Array,
    rays: Array,
) -> Array:
    """Return what is seen through a clear body: one refraction, then a back face."""
    bend = 1 / 1.5
    facing = np.clip(-(normals * rays).sum(1), 0, 1)
    sine = bend**2 * (1 - facing**2)
    inside = bend * rays + (bend * facing - np.sqrt(1 - sine))[:, None] * normals
    planes = body.normals.astype(np.float32)
    away = inside @ planes.T
    gap = (body.distances.astype(np.float32) - points @ planes.T) / np.maximum(
        away, 1e-3
    )
    gap = np.where(away > 1e-2, np.maximum(gap, 0), 9)
    back = gap.argmin(1)
    length = np.minimum(gap[np.arange(len(gap)), back], 2)[:, None]
    turned = rotation.T.astype(np.float32)
    leaving = planes[back] @ turned
    beyond = _look_up(light.diffuse, inside @ turned)
    floor = ground * light.ground
    lit = np.where(leaving[:, 2:] < -0.3, 0.35 * beyond + 0.65 * floor, beyond)
    shade = 0.75 + 0.25 * np.sin(back * 2.4)[:, None]
    tint = np.maximum(albedo, 0.02) ** (0.35 + 0.5 * length)
    return np.asarray(tint * lit * shade)
