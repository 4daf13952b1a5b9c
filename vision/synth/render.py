"""Draws one die: a ray-caster of a rounded convex solid with marks on its faces.

1. The body is where f(p) = ln(sum exp k(n.p - d)) / k <= 0, a smooth stand-in for the
   greatest of the face distances; convex, so Newton steps from outside never pass the
   surface. Large k is a sharp edge. A sphere joins the sum for ball-cut corners.
2. The face with the largest share of the sum owns the point; its mask gives the ink,
   the slope of the mask tilts the normal.
3. Light: diffuse map by normal, mirrored map by reflection, see-through bodies by one
   refraction to the back faces.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pose
from vision.synth.legible import BARE, INK, contrast
from vision.synth.looks import GAMMA, Light, Look
from vision.synth.shade import shade
from vision.synth.solids import Solid, solid

Array: TypeAlias = NDArray[np.floating[Any]]

SPRITE_REACH = 1.3
"""Half width of a sprite in die radii: room for the stretch of an off-axis view."""

NEWTON_STEPS = 6

FAR_SIDE = -0.85
"""Faces turned further away than this never bound the outline of a many-sided die."""

INKED = 0.6
"""Share of the most ink on a face from which a point of it counts as ink."""

RELIEF = 2.2
"""Slope of the edge of a mark of relief 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """A die to draw.

    Attributes:
        shape: Its solid.
        masks: ``(f, s, s)`` uint8, one per readable face, 255 where there is ink. The
            square is centred on the face's `centres`, its top towards `ups`, its half
            width `mark_reach`.
        look: Material and colours.
        edge: Sharpness k of its edges: 12 very round, 60 sharp.
        ball: Radius of the sphere that cuts its corners, in radii; >= 1 is none.
    """

    shape: str
    masks: NDArray[np.uint8]
    look: Look
    edge: float = 35.0
    ball: float = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A pinhole camera.

    Attributes:
        eye: ``(3,)`` its place from the die's middle, in die radii.
        axes: ``(3, 3)`` rows: its right, its down, its forward, in the world.
    """

    eye: Array
    axes: Array

    def project(self, points: Array) -> Array:
        """Return ``(n, 2)`` image places of world points, times the focal length."""
        seen = (points - self.eye) @ self.axes.T
        return np.asarray(seen[:, :2] / seen[:, 2:])


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A drawn die, to be laid over a background.

    Attributes:
        bgr: ``(n, n, 3)`` float32 linear light, not multiplied by `alpha`.
        alpha: ``(n, n)`` float32 cover, 0..1.
        pose: In pixels from the sprite's own top left corner.
        face: The face that is up (a d4 lies on it), or nearest to it.
        up: ``(n, n)`` uint8, what of that face is seen where; see `legible`.
    """

    bgr: Array
    alpha: Array
    pose: Pose
    face: int
    up: NDArray[np.uint8]

    @property
    def contrast(self) -> float:
        """0..1, how far the ink of the up face stands out, see `legible.contrast`."""
        return contrast(screen(self.bgr), self.up)


def mark_reach(body: Solid) -> float:
    """Return the half width, in radii, of the square that a face's mask covers.

    The largest circle in the face around the mark; on a d4, whose numerals stand in
    the corners, the circle through the corners.
    """
    inner = body.mark_radius(0)
    return 2 * inner if body.shape == "d4" else inner


def straight_down(x: float, y: float, height: float) -> View:
    """Return a camera that looks straight down on a table.

    Args:
        x: The die is this far right of the camera's axis, in die radii.
        y: The same, up in the image.
        height: Of the camera over the die's middle, in die radii.
    """
    return View(np.array([-x, -y, height]), np.diag([1.0, -1.0, -1.0]))


def slanted(tilt_rad: float, around_rad: float, distance: float) -> View:
    """Return a camera that looks at the die from the side.

    Args:
        tilt_rad: Angle from straight above.
        around_rad: Direction on the image in which the die's top leans.
        distance: From the die's middle, in die radii.
    """
    sin, cos = math.sin(tilt_rad), math.cos(tilt_rad)
    lean = np.array([math.cos(around_rad), math.sin(around_rad), 0.0])
    forward = np.array([lean[0] * sin, lean[1] * sin, -cos])
    down = np.array([0.0, -1.0, 0.0]) - forward * (-forward[1])
    down /= np.linalg.norm(down)
    right = np.cross(down, forward)
    return View(-forward * distance, np.stack([right, down, forward]))


def render(
    model: Model,
    rotation: Array,
    view: View,
    light: Light,
    radius_px: float,
    *,
    ground: tuple[float, float, float] = (0.2, 0.2, 0.2),
    size_px: int | None = None,
) -> Sprite:
    """Draw a die.

    Args:
        model: What to draw.
        rotation: ``(3, 3)`` from the die's own frame to the world; `Solid.rotation`
            makes one in which a face is up.
        view: From where.
        light: In what light.
        radius_px: Radius of the circumscribed sphere at the height of the top.
        ground: Colour of what it lies on, thrown back by its sides.
        size_px: Side of the sprite; by default `SPRITE_REACH` radii each way.
    """
    body = solid(model.shape)
    face, pose = _pose(body, rotation, view, radius_px)
    size = size_px or 2 * math.ceil(radius_px * SPRITE_REACH)
    focal = radius_px * _depth(body, rotation, view, face)
    rays, index = _rays(view, focal, size)
    own_eye = (view.eye @ rotation).astype(np.float32)
    own_rays = rays @ rotation.astype(np.float32)
    points, normals, owner, cover = _hit(body, model, own_eye, own_rays, 1 / radius_px)
    lit = cover > 0
    points, normals, owner = points[lit], normals[lit], owner[lit]
    index, own_rays, cover = index[lit], own_rays[lit], cover[lit]
    ink, tilted = _marks(body, model, points, normals, owner, radius_px)
    shaded = shade(
        body,
        model.look,
        rotation,
        light,
        np.array(ground, np.float32),
        points,
        tilted,
        own_rays,
        ink,
    )
    bgr = np.zeros((size * size, 3), np.float32)
    alpha = np.zeros(size * size, np.float32)
    bgr[index], alpha[index] = shaded, cover
    up = np.zeros(size * size, np.uint8)
    mine = owner != face if model.shape == "d4" else owner == face
    # Thin or worn strokes are nowhere full of ink.
    full = max(0.15, INKED * float(ink[mine].max(initial=0.0)))
    up[index[mine & (ink < 0.1)]], up[index[mine & (ink > full)]] = BARE, INK
    middle = size / 2
    placed = Pose(
        pose.shape,
        (pose.top_xy_px[0] + middle, pose.top_xy_px[1] + middle),
        pose.radius_px, pose.turn_rad, pose.confidence, pose.flat,
    )  # fmt: skip
    return Sprite(
        bgr.reshape(size, size, 3),
        alpha.reshape(size, size),
        placed,
        face,
        up.reshape(size, size),
    )


def _depth(body: Solid, rotation: Array, view: View, face: int) -> float:
    """Return the distance of the up face from the camera's plane, in radii."""
    top = rotation @ body.top_point(face)
    return float((top - view.eye) @ view.axes[2])


def _pose(
    body: Solid, rotation: Array, view: View, radius_px: float
) -> tuple[int, Pose]:
    """Return (the face that is up, its pose from the sprite's middle)."""
    upward = rotation @ body.normals[: body.readable].T
    sign = -1.0 if body.shape == "d4" else 1.0
    face = int(np.argmax(upward[2] * sign))
    top = rotation @ body.top_point(face)
    along = top + 0.3 * (rotation @ body.ups[face])
    focal = radius_px * _depth(body, rotation, view, face)
    places = view.project(np.stack([np.zeros(3), top, along])) * focal
    offset, way = places[1] - places[0], places[2] - places[1]
    turn = math.atan2(way[0], -way[1])
    if body.shape == "coin":
        turn = 0.0
    turn %= math.tau / body.symmetry
    lean = math.degrees(math.acos(min(1.0, float(upward[2, face] * sign))))
    flat = float(np.clip(1 - (lean - 3) / 6, 0, 1))
    xy = (float(offset[0]), float(offset[1]))
    return face, Pose(body.shape, xy, radius_px, turn, 1.0, flat)


def _rays(view: View, focal: float, size: int) -> tuple[Array, NDArray[np.int64]]:
    """Return unit rays of the pixels that may see the die, and those pixels."""
    middle = view.project(np.zeros((1, 3)))[0] * focal
    line = np.arange(size) + 0.5 - size / 2
    u, v = np.meshgrid((line + middle[0]) / focal, (line + middle[1]) / focal)
    rays = np.stack([u, v, np.ones_like(u)], -1).reshape(-1, 3) @ view.axes
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    closest = rays @ view.eye
    near = closest**2 > view.eye @ view.eye - 1.02
    index = np.flatnonzero(near)
    return rays[index].astype(np.float32), index


def _hit(
    body: Solid, model: Model, eye: Array, rays: Array, pixel: float
) -> tuple[Array, Array, NDArray[np.int64], Array]:
    """Return where each ray meets the body, the normal there, the face, the cover."""
    facing = body.normals @ (eye / np.linalg.norm(eye)) > FAR_SIDE
    if len(facing) <= 8:
        facing[:] = True
    planes = body.normals[facing].astype(np.float32)
    offsets = body.distances[facing].astype(np.float32)
    names = np.flatnonzero(facing)
    k = np.float32(min(model.edge, 75.0))
    near = rays @ eye
    along = -near - np.sqrt(np.maximum(near**2 - eye @ eye + 1.02, 0))
    count = len(rays)
    best = np.full(count, np.inf, np.float32)
    best_along = along.copy()
    active = np.arange(count)
    for _ in range(NEWTON_STEPS):
        value, slope, _ = _field(
            eye + along[active, None] * rays[active], planes, offsets, k, model.ball
        )
        fall = (slope * rays[active]).sum(1)
        better = np.abs(value) < best[active]
        chosen = active[better]
        best[chosen] = np.abs(value[better])
        best_along[chosen] = along[chosen]
        going = (fall < -1e-3) & (np.abs(value) > 0.2 * pixel)
        active = active[going]
        if not len(active):
            break
        along[active] -= value[going] / fall[going]
    points = eye + best_along[:, None] * rays
    value, slope, weights = _field(points, planes, offsets, k, model.ball)
    normals = slope / np.maximum(np.linalg.norm(slope, axis=1, keepdims=True), 1e-6)
    cover = np.clip(1.1 - np.maximum(value, 0) / pixel, 0, 1)
    return points, normals, names[weights.argmax(1)], cover.astype(np.float32)


def _field(
    points: Array, planes: Array, offsets: Array, k: np.float32, ball: float
) -> tuple[Array, Array, Array]:
    """Return (f, its gradient, the faces' shares) at the points."""
    weights = np.exp(np.minimum((points @ planes.T - offsets) * k, 80))
    total = weights.sum(1)
    slope = weights @ planes
    if ball < 1:
        reach = np.linalg.norm(points, axis=1)
        round_share = np.exp(np.minimum((reach - np.float32(ball)) * k, 80))
        total = total + round_share
        slope = slope + (round_share / reach)[:, None] * points
    return np.log(total) / k, slope / total[:, None], weights


def _marks(
    body: Solid,
    model: Model,
    points: Array,
    normals: Array,
    owner: NDArray[np.int64],
    radius_px: float,
) -> tuple[Array, Array]:
    """Return (ink 0..1 at the points, normals tilted by the cut of the marks)."""
    reach = mark_reach(body)
    masks = model.masks
    wanted = max(8, round(2 * reach * radius_px * 1.4))
    if masks.shape[1] > wanted:
        masks = np.stack(
            [
                cv2.resize(m, (wanted, wanted), interpolation=cv2.INTER_AREA)
                for m in masks
            ]
        )
    count, size = masks.shape[:2]
    strip = np.concatenate(list(masks), axis=0).astype(np.float32) / 255
    from_middle = points - body.centres[owner].astype(np.float32)
    right = body.rights[owner].astype(np.float32)
    up = body.ups[owner].astype(np.float32)
    a = (from_middle * right).sum(1) / np.float32(reach)
    b = (from_middle * up).sum(1) / np.float32(reach)
    marked = (np.abs(a) < 1) & (np.abs(b) < 1) & (owner < count)
    u = np.clip((a + 1) / 2 * size - 0.5, 0, size - 1)
    v = (
        np.clip((1 - b) / 2 * size - 0.5, 0, size - 1)
        + np.where(marked, owner, 0) * size
    )
    u, v = u.astype(np.float32)[None], v.astype(np.float32)[None]
    ink = cv2.remap(strip, u, v, cv2.INTER_LINEAR)[0] * marked
    if model.look.wear:
        rub = np.random.default_rng(model.look.seed).normal(size=(3, 3)) * 7
        waves = np.sin(points @ rub.astype(np.float32)).sum(1) / 3
        ink = ink * (1 - np.clip((waves + 2 * model.look.wear - 0.3) * 2, 0, 0.7))
    if not model.look.relief:
        return ink, normals
    soft = cv2.GaussianBlur(strip, (0, 0), max(0.6, size / 60))
    depth = RELIEF * model.look.relief * size / 60
    across = cv2.remap(cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=0.25), u, v, 1)[0]
    down = cv2.remap(cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=0.25), u, v, 1)[0]
    tilt = (across * marked)[:, None] * right - (down * marked)[:, None] * up
    tilted = normals + depth * tilt
    return ink, tilted / np.linalg.norm(tilted, axis=1, keepdims=True)


def screen(bgr: Array) -> NDArray[np.uint8]:
    """Return linear light as a uint8 image, clipped as a camera clips."""
    scaled = np.clip(bgr, 0, 1) ** np.float32(1 / GAMMA) * 255 + 0.5
    return np.asarray(scaled.astype(np.uint8))
