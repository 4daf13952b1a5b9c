"""A fold saved beside its journal: quick starts, and a second copy of the truth.

The file is written whole to another name, forced to disk and renamed, so that a
power cut leaves the old one or the new one, never half of either.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from device.durable import write_atomic
from device.errors import JournalError
from device.table.codec import canonical, digest, from_json, to_json
from device.table.fold import Fold

logger = logging.getLogger(__name__)

SAVED_VERSION: Final = 1
"""Another number: the saved fold is left alone and the events are folded anew."""

SUFFIX: Final = ".saved.json"


@dataclass(frozen=True, slots=True)
class Saved:
    """A fold with the place in the journal that it stands for.

    Attributes:
        fold: All events up to `fold.seq`.
        chain: Chained check sum of that event in the journal.
    """

    fold: Fold
    chain: int


def save_fold(path: Path, saved: Saved) -> None:
    """Write a fold durably.

    Raises:
        JournalError: Refused; the old file is untouched.
    """
    body = to_json(saved.fold)
    text = canonical(
        {
            "version": SAVED_VERSION,
            "chain": saved.chain,
            "digest": digest(body),
            "fold": body,
        }
    )
    try:
        write_atomic(path, text.encode())
    except OSError as error:
        raise JournalError(f"{path} cannot be written: {error.strerror}") from error


def load_fold(path: Path) -> Saved | None:
    """Return the saved fold, or None where there is none to be trusted."""
    try:
        data = json.loads(path.read_bytes())
        if data["version"] != SAVED_VERSION:
            return None
        if digest(data["fold"]) != data["digest"]:
            raise ValueError("check sum differs")
        return Saved(from_json(Fold, data["fold"]), int(data["chain"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        logger.warning("%s is left aside: %s", path, error)
        return None
