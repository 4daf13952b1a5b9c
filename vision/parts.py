"""What the reader asks of its parts: a finder, a reader of faces, taught dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from vision.faces import NumeralReading
from vision.frame import Image, Pose
from vision.likeness import GalleryMatch
from vision.spots import Mark
from vision.together import Floats, Look


class Finds(Protocol):
    """What a lesson asks of a finder; `vision.find.Finder`."""

    def find(
        self,
        image: Image,
        *,
        px_per_mm: float | None = None,
        camera_px: tuple[float, float, float] | None = None,
    ) -> tuple[Pose, ...]:
        """Return the dice in an image."""
        ...


class FindsDice(Finds, Protocol):
    """What the reader asks of it too."""

    def find(
        self,
        image: Image,
        *,
        px_per_mm: float | None = None,
        camera_px: tuple[float, float, float] | None = None,
        arrivals: Sequence[Mark] = (),
    ) -> tuple[Pose, ...]:
        """Return the dice in an image; `arrivals` are places to look at as well."""
        ...

    def again(
        self,
        image: Image,
        pose: Pose,
        *,
        camera_px: tuple[float, float, float] | None = None,
    ) -> Pose:
        """Return the pose after one more look."""
        ...


class ReadsFaces(Protocol):
    """What the reader asks of untaught reading; `vision.faces.FaceReader`."""

    def read_numeral(self, image: Image, pose: Pose) -> NumeralReading:
        """Read the up face of one die."""
        ...

    def read_numerals(
        self, image: Image, poses: Sequence[Pose]
    ) -> Sequence[NumeralReading]:
        """Read the up faces of several dice."""
        ...

    def seen(self, image: Image, poses: Sequence[Pose]) -> Sequence[Floats]:
        """Return what each up face looks like, whatever its kind can bear."""
        ...

    def shares(self, image: Image, asked: Sequence[Look]) -> Sequence[Floats]:
        """Return what each view of each die looks like."""
        ...


class MatchesFaces(Protocol):
    """What the reader asks of taught dice; `vision.gallery.Gallery`."""

    def match_all(self, image: Image, poses: Sequence[Pose]) -> Sequence[GalleryMatch]:
        """Say which taught face lies at each place."""
        ...

    def shown(self, die: str, face: str) -> Sequence[tuple[Image, Pose]]:
        """Return the shots of a taught face: pictures, and where the die lies there."""
        ...


class TellsTiles(Protocol):
    """What the reader asks of a witness of flatness; `vision.tiles.Tiles`."""

    def flatness(self, image: Image, pose: Pose) -> float:
        """Return how likely what looks like a d6 is flat."""
        ...
