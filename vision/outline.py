"""The outline of a die that lies as its pose says, as seen from straight above."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Pose
from vision.synth.solids import solid


def outline_px(pose: Pose) -> NDArray[np.float64]:
    """Return the outline's corners in their order, ``(n, 2)`` in pixels.

    A die away from the camera's axis shows more of its side than this; the outline is
    that of the die pushed under the camera, its up face where it is seen.
    """
    hull = cv2.convexHull(_corners_px(pose).astype(np.float32))
    return np.asarray(hull.reshape(-1, 2), np.float64)


def _corners_px(pose: Pose) -> NDArray[np.float64]:
    """Return where each corner of the solid is seen."""
    body = solid(pose.shape)
    turned = body.rotation(0, pose.turn_rad)
    top = (turned @ body.top_point(0))[:2]
    seen = (body.vertices @ turned.T)[:, :2] - top
    return np.asarray(np.array(pose.top_xy_px) + seen * pose.radius_px * [1, -1])


def box_xywh_px(pose: Pose) -> tuple[float, float, float, float]:
    """Return the upright box round the outline."""
    corners = _corners_px(pose)
    x, y = corners.min(axis=0)
    width, height = corners.max(axis=0) - (x, y)
    return float(x), float(y), float(width), float(height)
