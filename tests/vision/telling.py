"""How many of some pictured dice are told, and which wrongly."""

from __future__ import annotations

from collections.abc import Iterable

from vision.frame import Image, Status
from vision.reader import Reader


def told_and_wrong(
    reader: Reader, pictures: Iterable[tuple[str, Image]]
) -> tuple[int, list[str]]:
    """Return how many faces are vouched for rightly, and a line for each wrong one.

    Args:
        reader: Reads the pictures.
        pictures: The face of the one die in each, and the picture.
    """
    told, wrong = 0, []
    for face, image in pictures:
        for found in reader.read(image).detections:
            if found.status is Status.OK:
                told += found.face == face
                wrong += [f"{face} as {found.face}"] * (found.face != face)
    return told, wrong
