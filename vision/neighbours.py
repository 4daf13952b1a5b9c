"""A d20's up face told by the three faces round it, where it is numbered as most are.

A six and a nine without a mark are the same numeral upside down, and many a worn one
could be two things. The faces beside it settle that: beside a six lie 9, 14 and 16,
beside a nine 6, 11 and 19. A die that is numbered otherwise gets no help from this,
for its neighbours fit no face at all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Protocol, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces import NumeralReading
from vision.frame import Image, Pose
from vision.synth.numbering import AROUND
from vision.synth.solids import solid

Floats: TypeAlias = NDArray[np.float64]
Scores: TypeAlias = tuple[tuple[str, float], ...]

PATCH_PX: Final = 120
REACH: Final = 1.0
"""Half width of the picture of a neighbour, in radii of the die."""

SEEN: Final = 0.5
"""Confidence from which a neighbour counts as read; it is seen aslant."""

FITTING: Final = 2
"""Neighbours that must fit the face, and none another one."""

TOLD: Final = 0.97
"""Confidence at most of a face told by its neighbours: not every d20 is numbered so."""

PLAUSIBLE: Final = 0.05
"""A face scored below this is not believed because of its neighbours alone."""


class ReadsFaces(Protocol):
    """Reads one face; `vision.faces.FaceReader`."""

    def read_numeral(self, image: Image, pose: Pose) -> NumeralReading:
        """Read the up face of one die."""
        ...


def neighbour_views(image: Image, pose: Pose) -> list[tuple[Image, Pose]]:
    """Return the three faces beside a d20's up face, each as if it lay on top.

    Args:
        image: BGR, the one that the pose was found in.
        pose: Of a d20 seen from straight above.
    """
    body = solid("d20")
    turned = body.rotation(0, pose.turn_rad)
    top = turned @ body.top_point(0)
    beside = np.argsort(-(body.normals @ body.normals[0]))[1:4]
    views = []
    for face in beside:
        normal = turned @ body.normals[face]
        centre = turned @ body.centres[face] - top
        out = np.array([normal[0], -normal[1]])
        out /= np.linalg.norm(out)
        right = np.array([-out[1], out[0]])
        # Of the patch, up is away from the up face; there the face is foreshortened.
        axes = np.column_stack([right, out * normal[2]])
        views.append(as_on_top(image, pose, centre[:2] * [1, -1], axes))
    return views


def as_on_top(
    image: Image, pose: Pose, centre: Floats, axes: Floats
) -> tuple[Image, Pose]:
    """Return a face that is seen aslant as if it lay on top, and its pose there.

    Args:
        image: BGR, the one that the pose was found in.
        pose: Of the die, seen from straight above.
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


def told_by_neighbours(
    faces: ReadsFaces, image: Image, pose: Pose, scores: Scores
) -> Scores:
    """Return the scores of a doubtful d20, one face surer where its neighbours tell.

    Args:
        faces: Reads the neighbours.
        image: The one that the pose was found in.
        pose: Of the d20.
        scores: (face, confidence) of its up face, best first.
    """
    if not scores:
        return scores
    return with_neighbours(scores, _seen_beside(faces, image, pose))


def is_numbered_round(faces: ReadsFaces, image: Image, pose: Pose, face: str) -> bool:
    """True where what lies beside an up face lies beside it on most d20s.

    Args:
        faces: Reads the neighbours.
        image: The one that the pose was found in.
        pose: Of what may be a d20.
        face: Read on it.
    """
    seen = _seen_beside(faces, image, pose)
    return _fits(int(face), [int(number) for number, _ in seen if number.isdigit()])


def _seen_beside(faces: ReadsFaces, image: Image, pose: Pose) -> Scores:
    """Return (face, confidence) of the neighbours that can be read."""
    told = (faces.read_numeral(*view).scores for view in neighbour_views(image, pose))
    return tuple(some[0] for some in told if some and some[0][1] >= SEEN)


def with_neighbours(scores: Scores, seen: Sequence[tuple[str, float]]) -> Scores:
    """Return the scores with the one face put first that the neighbours fit.

    Args:
        scores: (face, confidence), best first.
        seen: (face, confidence) of the neighbours that could be read.
    """
    numbers = [int(face) for face, _ in seen if face.isdigit()]
    likely = [face for face, share in scores if face.isdigit() and share >= PLAUSIBLE]
    fitting = [face for face in likely if _fits(int(face), numbers)]
    if len(fitting) != 1:
        return scores
    (face,) = fitting
    # Each neighbour would have to be misread as just the number that fits.
    doubt = math.prod(1 - share for number, share in seen if number.isdigit())
    sure = min(TOLD, 1 - doubt)
    return surer(scores, face, sure)


def surer(scores: Scores, face: str, sure: float) -> Scores:
    """Return the scores with one of their faces first, if that makes it surer.

    Args:
        scores: (face, confidence), best first.
        face: One of them.
        sure: Its new confidence; the others share what is left as they did before.
    """
    own = dict(scores)[face]
    if sure <= own:
        return scores
    left = (1 - sure) / max(1 - own, 1e-6)
    rest = tuple((other, min(share * left, sure)) for other, share in scores)
    return ((face, sure), *(pair for pair in rest if pair[0] != face))


def _fits(face: int, numbers: Sequence[int]) -> bool:
    """True where enough neighbours are those of this face, and none is not."""
    usual = AROUND["d20"].get(face, ())
    # A six beside it may itself be a nine without a mark.
    same = {6: 9, 9: 6}
    good = [n for n in numbers if n in usual or same.get(n) in usual]
    return len(good) == len(numbers) and len(set(good)) >= FITTING
