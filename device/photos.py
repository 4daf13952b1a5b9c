"""Photographs of accepted rolls, kept beside the journal, a bounded number."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Final

logger = logging.getLogger(__name__)

KEEP: Final = 400
"""Two evenings of rolls; at 150 kilobytes each some 60 megabytes."""

_ROLL_ID: Final = re.compile(r"r[0-9]{1,9}")


class Photos:
    """JPEG files by night and roll.

    Args:
        folder: Made when the first photograph is kept.
        keep: How many; the oldest go first.
    """

    def __init__(self, folder: Path, keep: int = KEEP) -> None:
        self._folder = folder
        self._keep = keep

    def save(self, night: str, roll_id: str, jpeg: bytes) -> None:
        """Keep a photograph; a full disk costs the photograph, never the roll."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            path = self._path(night, roll_id)
            draft = path.with_suffix(".new")
            draft.write_bytes(jpeg)
            draft.replace(path)
            self._prune()
        except OSError as error:
            logger.warning("the photograph of %s was not kept: %s", roll_id, error)

    def load(self, night: str, roll_id: str) -> bytes | None:
        """Return a photograph, or None where there is none (any more)."""
        if not _ROLL_ID.fullmatch(roll_id):
            return None
        try:
            return self._path(night, roll_id).read_bytes()
        except OSError:
            return None

    def _path(self, night: str, roll_id: str) -> Path:
        return self._folder / f"{night}-{roll_id}.jpg"

    def _prune(self) -> None:
        files = sorted(
            self._folder.glob("*.jpg"), key=lambda file: file.stat().st_mtime
        )
        for path in files[: max(0, len(files) - self._keep)]:
            path.unlink(missing_ok=True)
