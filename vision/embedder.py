"""Turns a die's visible side into numbers that stand for how it looks."""

from __future__ import annotations

import math
import pathlib
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import crops
from vision.crops import View
from vision.frame import Image, Pose
from vision.together import AT_ONCE, Look, shared_out

Floats = NDArray[np.float32]

MODELS = pathlib.Path(__file__).parent / "models"

SIDE_NUMBERS = 128
"""Numbers that stand for one look at a die: half for its side, half for its top."""

SIDE, UP_FACE = slice(SIDE_NUMBERS // 2), slice(SIDE_NUMBERS // 2, SIDE_NUMBERS)
"""Which of them are which."""

TOP_SCALE = 0.62
"""Width of the crop of the up face alone, of that of the whole visible side."""

TOP_SHARE = 2 / 3
"""Weight of the up face in likeness. On 72 drawn dice, as they are and with another
mark painted on top, whole sides alone knew 64 of 70 painted ones, both 68."""


class SideEmbedder:
    """Turns a die's visible side into 128 numbers; not for several threads at once.

    Two shots of one face of one die lie close (their dot product is near 1), other
    faces of it further away. One half of the numbers comes from the whole visible
    side, where the neighbour faces speak; the other from the up face alone, so that
    what lies beside a face never outvotes what is on it.
    """

    def __init__(self, models: pathlib.Path = MODELS) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(models / "side.onnx"))

    def embed(
        self, image: Image, pose: Pose, views: Sequence[View] | None = None
    ) -> Floats:
        """Return ``(len(views), SIDE_NUMBERS)`` float32 of length 1.

        Args:
            image: BGR or grey.
            pose: Where the die lies.
            views: Ways to crop it; None crops it once, as the pose says.
        """
        views = views or [View(pose.turn_rad)]
        return self.embed_all(image, [(pose, views)])[0]

    def embed_all(self, image: Image, asked: Sequence[Look]) -> list[Floats]:
        """Return what `embed` does for each of several dice, quicker together."""
        both = [
            (pose, [*views, *(replace(v, scale=v.scale * TOP_SCALE) for v in views)])
            for pose, views in asked
        ]
        some = np.concatenate([_side_crops(image, *one) for one in both])
        vectors = [
            self.embed_crops(some[at : at + AT_ONCE])
            for at in range(0, len(some), AT_ONCE)
        ]
        return [_joined(part) for part in shared_out(np.concatenate(vectors), both)]

    def embed_crops(self, crops_px: Image) -> Floats:
        """Return ``(n, 64)`` for ``(n, 64, 64, 3)`` uint8 BGR side crops."""
        self._net.setInput(crops.standardised_side(crops_px))
        answer = np.asarray(self._net.forward(), dtype=np.float32)
        length = np.linalg.norm(answer, axis=1, keepdims=True)
        unit: Floats = answer / np.maximum(length, 1e-6)
        return unit


def _side_crops(image: Image, pose: Pose, views: Sequence[View]) -> Image:
    """Return ``(len(views), SIDE_PX, SIDE_PX, 3)`` crops of the visible side."""
    part, moved = crops.side_patch(image, pose)
    return crops.crops(part, moved, crops.SIDE_HALF_WIDTH, views, crops.SIDE_PX)


def _joined(vectors: Floats) -> Floats:
    """Return whole sides' vectors, and after them the up faces', as one for each."""
    whole, top = np.split(vectors, 2)
    share, rest = math.sqrt(TOP_SHARE), math.sqrt(1 - TOP_SHARE)
    both: Floats = np.concatenate([rest * whole, share * top], axis=1)
    return both
