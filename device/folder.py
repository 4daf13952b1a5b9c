"""The state folder: one user at a time, and the log beside the state."""

from __future__ import annotations

import fcntl
import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final, Protocol

from device.errors import ConfigError

LOG_BYTES: Final = 512 << 10
LOG_FILES: Final = 3
"""The log and three older ones: two megabytes at most."""


class Closing(Protocol):
    """Something that is closed once."""

    def close(self) -> None:
        """Close it."""
        ...


def lock_folder(state: Path) -> Closing:
    """Keep a second Dicelight from writing into the same folder.

    Raises:
        ConfigError: One runs already.
    """
    try:
        file = (state / "lock").open("w")
    except OSError as error:
        raise ConfigError(f"{state}: cannot be written: {error.strerror}") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise ConfigError(
            f"{state} is in use by another Dicelight; stop it, or set "
            "$DICELIGHT_STATE to another folder"
        ) from error
    return file


class _LogFile:
    """The log beside the state, for `dicelight bundle`."""

    def __init__(self, handler: logging.Handler) -> None:
        self._handler = handler
        logging.getLogger().addHandler(handler)

    def close(self) -> None:
        logging.getLogger().removeHandler(self._handler)
        self._handler.close()


def log_to(folder: Path) -> Closing:
    """Log into a folder as well, a bounded number of bytes."""
    folder.mkdir(exist_ok=True)
    handler = RotatingFileHandler(
        folder / "dicelight.log", maxBytes=LOG_BYTES, backupCount=LOG_FILES, delay=True
    )
    handler.setLevel(logging.INFO)
    handler.setFormatter(
        logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    )
    return _LogFile(handler)
