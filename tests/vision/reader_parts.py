"""Parts of a reader that answer as a test tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from vision.faces import CLASSES, NumeralReading
from vision.frame import Image, Pose
from vision.gallery import GalleryMatch
from vision.spots import Mark
from vision.together import Floats, Look

GREY = np.full((600, 900, 3), 120, np.uint8)


class Found:
    """A finder that answers with given poses, and notes what it was asked."""

    def __init__(self, *poses: Pose) -> None:
        self.poses = poses
        self.asked_again = 0
        self.px_per_mm: float | None = None
        self.camera_px: tuple[float, float, float] | None = None
        self.arrivals: list[Mark] = []

    def find(
        self,
        image: Image,
        *,
        px_per_mm: float | None = None,
        camera_px: tuple[float, float, float] | None = None,
        arrivals: Sequence[Mark] = (),
    ) -> tuple[Pose, ...]:
        self.px_per_mm, self.camera_px = px_per_mm, camera_px
        self.arrivals = list(arrivals)
        return self.poses

    def again(
        self,
        image: Image,
        pose: Pose,
        *,
        camera_px: tuple[float, float, float] | None = None,
    ) -> Pose:
        self.asked_again += 1
        return pose


Told: TypeAlias = tuple[tuple[str, float], ...]


def looks_like(told: Told) -> Floats:
    """How much a face looks like each of `CLASSES`; what is not named, not at all."""
    shares = np.zeros(len(CLASSES), np.float32)
    for face, share in told:
        if face in CLASSES:
            shares[CLASSES.index(face)] = share
    return shares


class Faces:
    """Reads numerals from a table, by the die's place; one answer an image."""

    def __init__(self, *answers: Mapping[int, Told], pips: bool = False) -> None:
        self.answers = list(answers)
        self.calls = 0
        self.pips = pips

    def read_numeral(self, image: Image, pose: Pose) -> NumeralReading:
        table = self.answers[min(self.calls, len(self.answers) - 1)]
        if len(self.answers) > 1:
            self.calls += 1
        told = table.get(round(pose.top_xy_px[0]), ())
        return NumeralReading(pose.shape, told, self.pips, looks_like(told))

    def read_numerals(
        self, image: Image, poses: Sequence[Pose]
    ) -> list[NumeralReading]:
        return [self.read_numeral(image, pose) for pose in poses]

    def seen(self, image: Image, poses: Sequence[Pose]) -> list[Floats]:
        """No neighbour is seen well enough."""
        return [looks_like(()) for _ in poses]

    def shares(self, image: Image, asked: Sequence[Look]) -> list[Floats]:
        """Nothing that would tell a six from a nine can be seen."""
        blank = np.zeros((1, len(CLASSES)), np.float32)
        return [blank.repeat(len(views), axis=0) for _, views in asked]


class Beside(Faces):
    """Sees neighbours too, these clockwise; what has no name cannot be read."""

    def __init__(self, table: Mapping[int, Told], *beside: str) -> None:
        super().__init__(table)
        self.beside = beside

    def seen(self, image: Image, poses: Sequence[Pose]) -> list[Floats]:
        return [looks_like(((name, 0.9),) if name else ()) for name in self.beside]


class Edges:
    """A witness of flatness: what lies left of a place is flat."""

    def __init__(self, flat_until: float) -> None:
        self.flat_until = flat_until
        self.asked = 0

    def flatness(self, image: Image, pose: Pose) -> float:
        self.asked += 1
        return 0.999 if pose.top_xy_px[0] < self.flat_until else 0.01


class Taught:
    """A gallery that knows one die, or not."""

    def __init__(self, match: GalleryMatch, *shots: tuple[Image, Pose]) -> None:
        self.answer = match
        self.shots = shots

    def match_all(self, image: Image, poses: Sequence[Pose]) -> list[GalleryMatch]:
        return [self.answer] * len(poses)

    def shown(self, die: str, face: str) -> tuple[tuple[Image, Pose], ...]:
        return self.shots


def at(x: float, y: float = 100, shape: str = "d20", **changes: float) -> Pose:
    return replace(Pose(shape, (x, y), 30.0, 0.2, 0.99), **changes)


SURE = (("17", 0.999), ("12", 0.0005))
