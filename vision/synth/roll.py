"""How thrown dice travel over the tray's floor: discs with friction and bounces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.floating[Any]]

STEP_S = 0.005
SPEED_MM_S = 900.0
"""A gentle throw: about a metre in a second."""

FRICTION_MM_S2 = 850.0
"""Rolling dice lose speed faster than wheels: they drop onto each face."""

BOUNCE = 0.55
"""Share of the speed that a bump leaves."""

LONGEST_S = 3.0

OLD_MASS = 2.5
"""A die at rest on its face resists a knock more than a rolling one."""


@dataclass(frozen=True, slots=True)
class Body:
    """A disc before a throw.

    Attributes:
        xy_mm: Where it lies, or None: it is thrown in.
        radius_mm: At which it bumps.
        vigour: Of the throw, about 1, or None for one that lies there.
    """

    xy_mm: tuple[float, float] | None
    radius_mm: float
    vigour: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """Where a die was, every `STEP_S` since the throw.

    Attributes:
        xy_mm: Places, ends where it rests.
        tumbles: Rotations, ``(3, 3)`` each, still to be undone before it rests; the
            last is the identity.
        rest_s: When it stopped.
    """

    xy_mm: tuple[tuple[float, float], ...]
    tumbles: tuple[Array, ...]
    rest_s: float

    def at(self, t_s: float) -> tuple[tuple[float, float], Array, Array]:
        """Return (place, rotation before rest, speed in mm/s) at that time."""
        last = len(self.xy_mm) - 1
        step = min(last, max(0, round(t_s / STEP_S)))
        after = min(last, step + 1)
        here, there = np.array(self.xy_mm[step]), np.array(self.xy_mm[after])
        return self.xy_mm[step], self.tumbles[step], (there - here) / STEP_S


def play(
    bodies: Sequence[Body], area_xywh_mm: tuple[float, float, float, float], rng: Random
) -> list[Path]:
    """Play a throw until everything has stopped; nothing overlaps then.

    Args:
        bodies: Those lying there and those thrown; the latter come in from the left.
        area_xywh_mm: The floor within its walls.
        rng: Speeds and directions.
    """
    if not bodies:
        return []
    x, y, w, h = area_xywh_mm
    radii = np.array([body.radius_mm for body in bodies])
    thrown = np.array([body.vigour is not None for body in bodies])
    place, speed = np.zeros((len(bodies), 2)), np.zeros((len(bodies), 2))
    lane = rng.uniform(0.3, 0.7)
    for k, body in enumerate(bodies):
        if body.xy_mm is not None:
            place[k] = body.xy_mm
            continue
        queue = int(thrown[:k].sum())
        across = y + h * lane + rng.uniform(-0.3, 0.3) * h * min(1, thrown.sum() / 4)
        across = min(max(across, y + radii[k]), y + h - radii[k])
        place[k] = x - 2.2 * radii[k] * (1 + queue * 0.8), across
        way = rng.uniform(-0.35, 0.35)
        push = SPEED_MM_S * (body.vigour or 1) * math.sqrt(w / 235)
        speed[k] = push * math.cos(way), push * math.sin(way)
    mass = np.where(thrown, 1.0, OLD_MASS)
    low = np.stack([x + radii, y + radii], 1)
    high = np.stack([x + w - radii, y + h - radii], 1)
    trail = [place.copy()]
    for _ in range(round(LONGEST_S / STEP_S)):
        place += speed * STEP_S
        inside = place[:, 0] > low[:, 0]
        _walls(place, speed, low, high, inside | ~thrown | (speed[:, 0] <= 0))
        bumped = _bumps(place, speed, radii, mass)
        fast = np.linalg.norm(speed, axis=1, keepdims=True)
        speed *= np.maximum(0, fast - FRICTION_MM_S2 * STEP_S) / np.maximum(fast, 1e-9)
        trail.append(place.copy())
        if not speed.any() and not bumped:
            break
    _spread(place, radii, low, high)
    trail.append(place.copy())
    return [_path(np.array([p[k] for p in trail]), radii[k], bool(thrown[k]))
            for k in range(len(bodies))]  # fmt: skip


def _walls(
    place: Array, speed: Array, low: Array, high: Array, held: NDArray[np.bool_]
) -> None:
    """Keep the discs inside; those still coming in pass the left wall."""
    under = (place < low) & held[:, None]
    over = place > high
    speed[under & (speed < 0)] *= -BOUNCE
    speed[over & (speed > 0)] *= -BOUNCE
    place[:] = np.where(under, low, np.where(over, high, place))


def _bumps(place: Array, speed: Array, radii: Array, mass: Array) -> bool:
    """Push apart the discs that overlap and exchange their speeds."""
    any_bump = False
    for a in range(len(place)):
        for b in range(a + 1, len(place)):
            gap = place[b] - place[a]
            apart = float(np.hypot(*gap))
            depth = radii[a] + radii[b] - apart
            if depth <= 0:
                continue
            any_bump = any_bump or depth > 0.05
            way = gap / apart if apart > 1e-6 else np.array([1.0, 0.0])
            share = mass[b] / (mass[a] + mass[b])
            place[a] -= way * depth * share
            place[b] += way * depth * (1 - share)
            closing = float((speed[a] - speed[b]) @ way)
            if closing > 0:
                push = (1 + BOUNCE) * closing / (1 / mass[a] + 1 / mass[b])
                speed[a] -= way * push / mass[a]
                speed[b] += way * push / mass[b]
    return any_bump


def _spread(place: Array, radii: Array, low: Array, high: Array) -> None:
    """Separate what still overlaps at the end (a crowded tray)."""
    still = np.zeros_like(place)
    for _ in range(200):
        bumped = _bumps(place, still, radii + 0.15, np.ones(len(place)))
        place[:] = np.clip(place, low, high)
        if not bumped:
            break


def _path(trail: Array, radius_mm: float, tumbling: bool) -> Path:
    """Unroll the tumbling backwards from rest."""
    moves = np.diff(trail, axis=0)
    lengths = np.linalg.norm(moves, axis=1)
    moving = np.flatnonzero(lengths > 1e-3)
    last = int(moving[-1]) + 1 if len(moving) else 0
    tumble = np.eye(3)
    tumbles = [tumble]
    for k in range(last - 1, -1, -1):
        if tumbling and lengths[k] > 1e-6:
            # Image y points down, world y up; a die rolls over the axis to the left
            # of its way.
            axis = np.array([moves[k][1], moves[k][0], 0.0]) / lengths[k]
            tumble = _turn(axis, -lengths[k] / radius_mm) @ tumble
        tumbles.append(tumble)
    tumbles.reverse()
    places = tuple((float(p[0]), float(p[1])) for p in trail[: last + 1])
    return Path(places, tuple(tumbles), last * STEP_S)


def _turn(axis: Array, angle: float) -> Array:
    """Return the rotation by an angle about a unit axis."""
    a, b, c = axis
    cross = np.array([[0, -c, b], [c, 0, -a], [-b, a, 0]])
    sin, cos = math.sin(angle), math.cos(angle)
    return np.asarray(np.eye(3) + sin * cross + (1 - cos) * cross @ cross)
