"""Photographs of accepted rolls, kept beside the journal, a bounded number.

A roll may be read more than once (a die was leaning and is nudged): each reading keeps
its own photograph, under the number of the event that tells of it.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np

logger = logging.getLogger(__name__)

KEEP: Final = 400
"""Two evenings of rolls; at 150 kilobytes each some 60 megabytes."""

SMALL_WIDTH_PX: Final = 240
"""Of a small picture: sharp at the width a phone's log gives it."""

SMALL_QUALITY: Final = 75

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, width, height in pixels."""

_ROLL_ID: Final = re.compile(r"r[0-9]{1,9}")
_NIGHT: Final = re.compile(r"[0-9]{8}-[0-9]{6}a{0,99}")


class Photos:
    """JPEG files by night, roll and reading.

    Args:
        folder: Made when the first photograph is kept.
        keep: How many; the oldest go first.
    """

    def __init__(self, folder: Path, keep: int = KEEP) -> None:
        self._folder = folder
        self._keep = keep

    def save(self, night: str, roll_id: str, jpeg: bytes, seq: int = 0) -> None:
        """Keep a photograph; a full disk costs the photograph, never the roll.

        What is kept of a reading stays as it is: a picture taken later is no witness.

        Args:
            night: Id of the night.
            roll_id: Of the roll.
            jpeg: The picture.
            seq: Event that tells of the reading.
        """
        path = self._path(night, roll_id, seq)
        if path.exists():
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            draft = path.with_suffix(".new")
            draft.write_bytes(jpeg)
            draft.replace(path)
            self._prune()
        except OSError as error:
            logger.warning("the photograph of %s was not kept: %s", roll_id, error)

    def load(self, night: str, roll_id: str, seq: int = 0) -> bytes | None:
        """Return a photograph, or None where there is none (any more)."""
        if not _ROLL_ID.fullmatch(roll_id) or not _NIGHT.fullmatch(night):
            return None
        try:
            return self._path(night, roll_id, seq).read_bytes()
        except OSError:
            return None

    def usage(self) -> tuple[int, int]:
        """Return how many photographs are kept, and their bytes."""
        sizes = [path.stat().st_size for path in self._folder.glob("*.jpg")]
        return len(sizes), sum(sizes)

    def _path(self, night: str, roll_id: str, seq: int) -> Path:
        return self._folder / f"{night}-{roll_id}-{seq}.jpg"

    def _prune(self) -> None:
        files = sorted(
            self._folder.glob("*.jpg"), key=lambda file: file.stat().st_mtime
        )
        for path in files[: max(0, len(files) - self._keep)]:
            path.unlink(missing_ok=True)


def small(jpeg: bytes, part: Box) -> bytes | None:
    """Return a part of a picture as a small JPEG, or None where it is no picture.

    Args:
        jpeg: The whole picture.
        part: Of it, in its pixels.
    """
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        return None
    left, top = max(0, round(part[0])), max(0, round(part[1]))
    cut = image[top : round(part[1] + part[3]), left : round(part[0] + part[2])]
    if not cut.size:
        return None
    scale = SMALL_WIDTH_PX / cut.shape[1]
    size = (SMALL_WIDTH_PX, max(1, round(cut.shape[0] * scale)))
    shrunk = cv2.resize(cut, size, interpolation=cv2.INTER_AREA)
    settings = [cv2.IMWRITE_JPEG_QUALITY, SMALL_QUALITY]
    done, data = cv2.imencode(".jpg", shrunk, settings)
    return data.tobytes() if done else None
