"""Pose maps: for each pixel of a crop, which face of a die is seen there, and where.

Casting rays is slow and the same for every die of a shape, so it is done once for some
thousand poses; drawing a die with given marks, colours and light is then table
look-ups (`faces_shade.py`). The corners of a die are cut by a sphere and its edges
bent, as on tumbled dice.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from vision.synth.solids import Solid, solid

SLOTS = 21
"""Faces that can bear a mark, at most 20, and one slot for everything else."""

BLANK_SLOT = SLOTS - 1

CORNER_CUT = {
    "d6": (0.72, 1.0),
    "d8": (0.86, 1.0),
    "d10": (0.86, 1.0),
    "d12": (0.94, 1.0),
    "d20": (0.93, 1.0),
    "coin": (1.0, 1.0),
}
"""Radius of the sphere that cuts a die's corners, as drawn at random."""


@dataclass(frozen=True, slots=True)
class Jitter:
    """How far a map departs from the pose that a reader would be told.

    Attributes:
        centre: Reach of the error of the centre, in radii.
        turn_deg: Spread (sd) of the turn's error; cut at 2.2 times it.
        scale: Reach of the error of the radius, as a share.
        wider: By how much more the radius may be taken for too large.
        tilt_deg: Reach of the tilt between the up face and the line of sight.
    """

    centre: float
    turn_deg: float
    scale: float
    tilt_deg: float
    wider: float = 0.0


@dataclass(frozen=True, slots=True)
class Maps:
    """`n` maps of one shape, each of `p` pixels, as torch tensors.

    Attributes:
        shape: The solid.
        up: ``(n,)`` the up face; its slot is 0 in the maps, the others keep an order
            of their own.
        off_face: ``(n,)`` True where an edge or corner is in the middle.
        offset: ``(n,)`` float32 clockwise turn of `Solid.ups` from up in the crop, but
            for its jitter: 0 or half a polygon step; on a d10 any quarter.
        slot: ``(n, p)`` uint8; `BLANK_SLOT` is the tray and a coin's wall.
        u, v: ``(n, p)`` float16 place on the face, right and up of its centre, in
            mark radii.
        edge: ``(n, p)`` float16 distance to the nearest edge of that face, in radii.
        normal: ``(n, 3, p)`` int8 of 127, bent near edges; 0 on the tray.
    """

    shape: str
    up: torch.Tensor
    off_face: torch.Tensor
    offset: torch.Tensor
    slot: torch.Tensor
    u: torch.Tensor
    v: torch.Tensor
    edge: torch.Tensor
    normal: torch.Tensor

    def __len__(self) -> int:
        return len(self.up)


def build_maps(
    shape: str,
    count: int,
    size_px: int,
    half_width: float,
    jitter: Jitter,
    rng: random.Random,
    *,
    faces: int | None = None,
    any_turn: float = 0.0,
    off_face: float = 0.0,
    half_turns: bool = True,
) -> Maps:
    """Cast the rays of `count` crops.

    Args:
        shape: See `vision.synth.solids.SHAPES`.
        count: Crops.
        size_px: Side of a crop.
        half_width: Half its side in radii.
        jitter: Errors put on the pose.
        rng: Source of all randomness.
        faces: Up faces are taken in turn from so many; None takes all.
        any_turn: Share of crops turned at random.
        off_face: Share that look at an edge or a corner instead of a face, as a
            leaning die or a wrong centre shows it.
        half_turns: False keeps `Solid.ups` up in every crop.
    """
    body = solid(shape)
    faces = faces or body.readable
    rows = [
        _one_map(
            body,
            at % faces,
            size_px,
            half_width,
            jitter,
            rng,
            any_turn=rng.random() < any_turn,
            off_face=rng.random() < off_face,
            offset=_offset(body, rng) if half_turns else 0.0,
        )
        for at in range(count)
    ]
    columns = list(zip(*rows, strict=True))
    stacked = [torch.from_numpy(np.stack(column)) for column in columns]
    return Maps(shape, *stacked)


def _one_map(
    body: Solid,
    face: int,
    size_px: int,
    half_width: float,
    jitter: Jitter,
    rng: random.Random,
    *,
    any_turn: bool,
    off_face: bool,
    offset: float,
) -> tuple[NDArray[np.generic], ...]:
    """Cast one crop: up, off_face, offset, slot, u, v, edge, normal."""
    turn = math.radians(max(-2.2, min(2.2, rng.gauss(0, 1))) * jitter.turn_deg)
    turn += offset
    if any_turn:
        turn = rng.uniform(0, math.tau)
    own_to_world = _tilt(jitter.tilt_deg, rng) @ body.rotation(face, turn)
    distance = rng.uniform(9, 30)
    top = own_to_world @ body.centres[face]
    if off_face:
        own_to_world, top = _beside(body, face, own_to_world, rng)
    centre = top[:2] * distance / (distance - top[2])
    reach, angle = jitter.centre * math.sqrt(rng.random()), rng.uniform(0, math.tau)
    centre = centre + np.array([math.cos(angle), math.sin(angle)]) * reach
    wide = half_width * rng.uniform(1 - jitter.scale, 1 + jitter.scale + jitter.wider)
    at = ((np.arange(size_px) + 0.5) / size_px * 2 - 1) * wide
    x, y = np.meshgrid(centre[0] + at, centre[1] - at)
    eye = np.array([0.0, 0.0, distance])
    rays = np.stack([x, y, np.full_like(x, -distance)], -1).reshape(-1, 3)
    cut = rng.uniform(*CORNER_CUT[body.shape])
    bend = rng.choice((0.0, 0.03, rng.uniform(0.03, 0.16)))
    slot, u, v, edge, normal = _cast(body, face, own_to_world, eye, rays, cut, bend)
    flags = np.int64(face), np.bool_(off_face), np.float32(offset)
    return *flags, slot, u, v, edge, normal


def _offset(body: Solid, rng: random.Random) -> float:
    """Return where a mark's top may point: a corner or an edge; on a d10 any side."""
    if body.shape == "d10":
        return rng.randrange(4) * math.pi / 2
    if body.shape in ("d6", "coin"):
        return 0.0
    return rng.randrange(2) * math.pi / body.symmetry


def _beside(
    body: Solid, face: int, own_to_world: NDArray[np.float64], rng: random.Random
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a rotation and a centre on an edge or corner of the face.

    Half of them turn that edge up to the camera: a die that leans.
    """
    corners = body.faces[face]
    at = rng.randrange(len(corners))
    beside = body.vertices[corners[at]]
    if rng.random() < 0.6:
        beside = (beside + body.vertices[corners[at - 1]]) / 2
    if rng.random() < 0.5:
        z = own_to_world @ beside / np.linalg.norm(beside)
        x = np.cross([0.0, 1.0, 0.0], z)
        x /= np.linalg.norm(x)
        own_to_world = np.stack([x, np.cross(z, x), z]) @ own_to_world
    return own_to_world, own_to_world @ beside


def _tilt(reach_deg: float, rng: random.Random) -> NDArray[np.float64]:
    """Return a rotation about a random horizontal axis, small ones oftener."""
    angle = math.radians(reach_deg) * rng.random() ** 1.5
    way = rng.uniform(0, math.tau)
    x, y = math.cos(way), math.sin(way)
    sin, cos = math.sin(angle), math.cos(angle)
    return np.array(
        [
            [cos + x * x * (1 - cos), x * y * (1 - cos), y * sin],
            [x * y * (1 - cos), cos + y * y * (1 - cos), -x * sin],
            [-y * sin, x * sin, cos],
        ]
    )


def _cast(
    body: Solid,
    up: int,
    own_to_world: NDArray[np.float64],
    eye: NDArray[np.float64],
    rays: NDArray[np.float64],
    cut: float,
    bend: float,
) -> tuple[NDArray[np.generic], ...]:
    """Meet the rays with the solid cut by a sphere of radius `cut`."""
    origin = own_to_world.T @ eye
    ways = (rays @ own_to_world).astype(np.float32)
    normals = body.normals.astype(np.float32)
    gap = body.distances - body.normals @ origin
    toward = ways @ normals.T
    front = gap < 0
    enter = gap[front].astype(np.float32) / np.minimum(toward[:, front], -1e-6)
    first = np.flatnonzero(front)[enter.argmax(1)]
    t_in = enter.max(1)
    leave = np.where(
        toward[:, ~front] > 1e-6, gap[~front] / np.maximum(toward[:, ~front], 1e-6), 1e9
    )
    t_out = leave.min(1)
    a = (ways**2).sum(1)
    b = ways @ origin
    root = b**2 - a * (origin @ origin - cut**2)
    ball_in = np.where(root > 0, (-b - np.sqrt(np.maximum(root, 0))) / a, 1e9)
    ball_out = np.where(root > 0, (-b + np.sqrt(np.maximum(root, 0))) / a, -1e9)
    t = np.maximum(t_in, ball_in)
    hit = t < np.minimum(t_out, ball_out)
    point = origin + ways * np.where(hit, t, 0)[:, None]
    slack = body.distances - point @ body.normals.T
    face = np.where(ball_in > t_in, slack.argmin(1), first)
    rows = np.arange(len(face))
    slack[rows, face] = 9
    edge = slack.min(1)
    if cut < 1:
        # The ball meets each face in a circle; light catches on that rim as well.
        out = np.linalg.norm(point - body.centres[face], axis=1)
        rims = np.sqrt(np.maximum(cut**2 - body.distances**2, 0))
        edge = np.minimum(edge, np.abs(out - rims[face]))
    weight = np.clip(1 - slack / max(bend, 1e-3), 0, 1) ** 2 * 0.7
    weight[rows, face] = 1
    normal = weight @ body.normals
    round_part = np.clip((ball_in - t_in) * 8, 0, 1)[:, None] * (cut < 1)
    ball = point / np.maximum(np.linalg.norm(point, axis=1, keepdims=True), 1e-6)
    normal = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    normal = normal * (1 - round_part) + ball * round_part
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-6)
    world = normal @ own_to_world.T * hit[:, None]
    away = (point - body.centres[face]) / body.mark_radius(0)
    u = (away * body.rights[face]).sum(1)
    v = (away * body.ups[face]).sum(1)
    order = np.full(len(body.faces), BLANK_SLOT)
    order[: body.readable] = (np.arange(body.readable) - up) % body.readable
    slot = np.where(hit, order[face], BLANK_SLOT)
    return (
        slot.astype(np.uint8),
        np.clip(u, -3, 3).astype(np.float16),
        np.clip(v, -3, 3).astype(np.float16),
        np.where(hit, np.clip(edge, 0, 1), 1).astype(np.float16),
        np.round(world.T * 127).astype(np.int8),
    )
