"""The faces beside a die's up face, straightened so that they can be read as well."""

from __future__ import annotations

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image, Pose
from vision.synth.numbering import faces_around
from vision.synth.solids import solid

Floats: TypeAlias = NDArray[np.float64]

PATCH_PX: Final = 120
REACH: Final = 1.0
"""Half width of the picture of a neighbour, in radii of the die."""


def faces_beside(image: Image, pose: Pose) -> list[tuple[Image, Pose]]:
    """Return the faces round a die's up face, each as if it lay on top.

    Args:
        image: BGR, the one that the pose was found in.
        pose: Of a d10, d12 or d20.

    Returns:
        Clockwise; on a d10 the two of its sharp tip, the left one first.
    """
    body = solid(pose.shape)
    turned = body.rotation(0, pose.turn_rad)
    top = turned @ body.top_point(0)
    to_image = np.array([[1.0, 0.0, pose.slope[0]], [0.0, -1.0, pose.slope[1]]])
    views = []
    for face in faces_around(body, 0):
        centre = to_image @ (turned @ body.centres[face] - top)
        plane = np.column_stack([body.rights[face], body.ups[face]])
        views.append(_as_on_top(image, pose, centre, to_image @ turned @ plane))
    return views


def _as_on_top(
    image: Image, pose: Pose, centre: Floats, axes: Floats
) -> tuple[Image, Pose]:
    """Return a face that is seen aslant as if it lay on top, and its pose there.

    Args:
        image: BGR, the one that the pose was found in.
        pose: Of the die.
        centre: ``(2,)`` of the face, from the middle of the up face, in radii of the
            die, x right and y down in the image.
        axes: ``(2, 2)``; columns: where the face's right and its up, each one radius
            long, go in the image.

    Returns:
        ``(PATCH_PX, PATCH_PX, 3)`` with the face's up upwards, and a pose of turn 0.
    """
    scale = PATCH_PX / (2 * REACH)
    middle = (PATCH_PX - 1) / 2
    step = axes * [1, -1] * (pose.radius_px / scale)
    first = np.array(pose.top_xy_px) + centre * pose.radius_px - step @ [middle, middle]
    patch = cv2.warpAffine(
        image,
        np.column_stack([step, first]),
        (PATCH_PX, PATCH_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    lying = Pose(pose.shape, (middle, middle), scale, 0.0, pose.confidence)
    return np.asarray(patch, np.uint8), lying
