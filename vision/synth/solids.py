"""The shapes of dice as exact convex solids, all inside a sphere of radius 1.

Right-handed: the camera looks down -z from +z, image x is world x and image y is
world -y. Rounded edges are the renderer's business.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.frame import read_only

Floats: TypeAlias = NDArray[np.float64]

SHAPES = ("d4", "d6", "d8", "d10", "d12", "d20", "coin")

SYMMETRY = {"d4": 3, "d6": 4, "d8": 3, "d10": 1, "d12": 5, "d20": 3, "coin": 1}
"""Turns of the up face that look alike without its mark."""

COIN_SIDES = 40
"""Corners of the prism that stands for a round token."""

COIN_HALF_HEIGHT = 0.14
"""Half thickness of a token over its radius (a 25 mm token is about 3.5 mm thick)."""

D10_BELT = 0.105
"""Half height of a d10's zigzag belt; makes the faces meet at 90 degrees or so."""


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """One convex solid, scaled so that its corners reach the unit sphere.

    Attributes:
        shape: One of `SHAPES`.
        vertices: ``(v, 3)`` float64.
        faces: Vertex indices of each face, counter-clockwise seen from outside. Those
            a die can land on come first.
        normals: ``(f, 3)`` outward unit normals.
        distances: ``(f,)`` distance of each face's plane from the middle.
        centres: ``(f, 3)`` where a mark sits: the middle of the polygon; on a d10 the
            centre of the largest circle in the kite.
        ups: ``(f, 3)`` unit vectors in the face's plane, the direction that
            `Pose.turn_rad` tells: to a corner (d4 d8 d12 d20), the middle of an edge
            (d6), the sharp tip (d10).
        rights: ``(f, 3)`` unit vectors to the right of `ups`, seen from outside.
        inradius: Distance from the middle to the faces that can be up.
        symmetry: See `SYMMETRY`.
        opposite: For each readable face the face it lies on when that one is up. A d4
            has no up face: "face f is up" means that it lies on f, so `opposite[f]`
            is f and the corner off that face is on top.
    """

    shape: str
    vertices: Floats
    faces: tuple[tuple[int, ...], ...]
    normals: Floats
    distances: Floats
    centres: Floats
    ups: Floats
    rights: Floats
    inradius: float
    symmetry: int
    opposite: NDArray[np.int64]

    @property
    def readable(self) -> int:
        """How many faces it can land on."""
        return len(self.opposite)

    def mark_radius(self, face: int = 0) -> float:
        """Return the radius of the largest circle around the mark on the face."""
        corners = self.vertices[list(self.faces[face])]
        along = np.roll(corners, -1, axis=0) - corners
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        gap = self.centres[face] - corners
        across = gap - (gap * along).sum(1, keepdims=True) * along
        return float(np.linalg.norm(across, axis=1).min())

    def top_point(self, face: int) -> Floats:
        """Return the point in the solid's own frame that `Pose` calls the top."""
        if self.shape == "d4":
            return np.asarray(-self.normals[face])
        return np.asarray(self.centres[face])

    def rotation(self, face: int, turn_rad: float) -> Floats:
        """Return ``(3, 3)`` turning the solid so that `face` is up at that turn.

        Args:
            face: Readable face (a d4 lies on it).
            turn_rad: As in `Pose.turn_rad`, clockwise as seen from above.
        """
        sin, cos = math.sin(turn_rad), math.cos(turn_rad)
        z = -1.0 if self.shape == "d4" else 1.0
        world = np.array([[cos * z, -sin * z, 0.0], [sin, cos, 0.0], [0.0, 0.0, z]])
        own = np.stack([self.rights[face], self.ups[face], self.normals[face]])
        return np.asarray(world.T @ own)


@lru_cache(maxsize=len(SHAPES))
def solid(shape: str) -> Solid:
    """Return the solid of one of `SHAPES`.

    Raises:
        KeyError: For any other shape.
    """
    return _BUILDERS[shape]()


def _build(shape: str, vertices: Floats, normals: Floats, readable: int = 0) -> Solid:
    """Derive everything else from corners and face directions."""
    vertices = vertices / np.linalg.norm(vertices, axis=1).max()
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    reach = vertices @ normals.T
    distances = reach.max(axis=0)
    faces, centres, ups = [], [], []
    for normal, near in zip(normals, np.isclose(reach, distances).T, strict=True):
        indices = np.flatnonzero(near)
        middle = vertices[indices].mean(axis=0)
        first = vertices[indices[0]] - middle
        beside = np.cross(normal, first)
        spokes = vertices[indices] - middle
        order = np.argsort(np.arctan2(spokes @ beside, spokes @ first) % math.tau)
        face = tuple(int(indices[k]) for k in order)
        corner = vertices[face[0]]
        if shape == "d10":
            middle, corner = _kite(vertices[list(face)])
        elif shape == "d6":
            corner = (corner + vertices[face[1]]) / 2
        faces.append(face)
        centres.append(middle)
        ups.append((corner - middle) / np.linalg.norm(corner - middle))
    readable = readable or len(faces)
    if shape == "d4":
        opposite = np.arange(readable)
    else:
        opposite = (normals[:readable] @ normals[:readable].T).argmin(axis=1)
    return Solid(
        shape=shape,
        vertices=read_only(vertices),
        faces=tuple(faces),
        normals=read_only(normals),
        distances=read_only(distances),
        centres=read_only(np.array(centres)),
        ups=read_only(np.array(ups)),
        rights=read_only(np.cross(np.array(ups), normals)),
        inradius=float(distances[0]),
        symmetry=SYMMETRY[shape],
        opposite=read_only(opposite),
    )


def _kite(corners: Floats) -> tuple[Floats, Floats]:
    """Return (centre of the kite's inscribed circle, its sharp tip)."""
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    tip = int(np.argmax(sides + np.roll(sides, 1)))
    sharp, blunt = corners[tip], corners[(tip + 2) % 4]
    side = corners[(tip + 1) % 4]
    axis = (blunt - sharp) / np.linalg.norm(blunt - sharp)
    long_edge = (side - sharp) / np.linalg.norm(side - sharp)
    short_edge = (side - blunt) / np.linalg.norm(side - blunt)
    sin_sharp = float(np.linalg.norm(np.cross(axis, long_edge)))
    sin_blunt = float(np.linalg.norm(np.cross(axis, short_edge)))
    share = sin_blunt / (sin_sharp + sin_blunt)
    return sharp + share * (blunt - sharp), sharp


def _signs() -> Floats:
    return np.array(
        [[x, y, z] for x in (1, -1) for y in (1, -1) for z in (1, -1)], float
    )


def _axes() -> Floats:
    return np.concatenate([np.eye(3), -np.eye(3)])


def _golden(a: float, b: float) -> Floats:
    """Return the 12 cyclic permutations of (0, +-a, +-b)."""
    flat = [(0.0, a * s, b * t) for s in (1, -1) for t in (1, -1)]
    return np.array([p[k:] + p[:k] for p in flat for k in range(3)])


_PHI = (1 + math.sqrt(5)) / 2


def _icosahedron() -> Floats:
    return _golden(1.0, _PHI)


def _dodecahedron() -> Floats:
    return np.concatenate([_signs(), _golden(_PHI, 1 / _PHI)])


def _d4() -> Solid:
    corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], float)
    return _build("d4", corners, -corners)


def _d10() -> Solid:
    cos36 = math.cos(math.pi / 5)
    height = D10_BELT * (1 + cos36) / (1 - cos36)
    angles = np.arange(10) * math.pi / 5
    belt = np.where(np.arange(10) % 2 == 0, D10_BELT, -D10_BELT)
    zigzag = np.stack([np.cos(angles), np.sin(angles), belt], axis=1)
    corners = np.concatenate([zigzag, [[0, 0, height], [0, 0, -height]]])
    normals = []
    for k in range(10):
        # The kite whose blunt tip is corner k hangs on the pole of the other sign.
        pole = np.array([0.0, 0.0, -math.copysign(height, belt[k])])
        normal = np.cross(zigzag[(k + 1) % 10] - pole, zigzag[k - 1] - pole)
        normals.append(normal * np.sign(normal @ zigzag[k]))
    return _build("d10", corners, np.array(normals))


def _coin() -> Solid:
    angles = np.arange(COIN_SIDES) * math.tau / COIN_SIDES
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    caps = [np.full((COIN_SIDES, 1), z) for z in (COIN_HALF_HEIGHT, -COIN_HALF_HEIGHT)]
    corners = np.concatenate([np.hstack([ring, cap]) for cap in caps])
    middles = ring + np.roll(ring, -1, axis=0)
    walls = np.hstack([middles, np.zeros((COIN_SIDES, 1))])
    normals = np.concatenate([[[0, 0, 1], [0, 0, -1]], walls])
    return _build("coin", corners, normals, readable=2)


_BUILDERS = {
    "d4": _d4,
    "d6": lambda: _build("d6", _signs(), _axes()),
    "d8": lambda: _build("d8", _axes(), _signs()),
    "d10": _d10,
    "d12": lambda: _build("d12", _dodecahedron(), _icosahedron()),
    "d20": lambda: _build("d20", _icosahedron(), _dodecahedron()),
    "coin": _coin,
}
