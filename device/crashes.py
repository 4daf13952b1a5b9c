"""Crashes of the whole process, and a camera driver that causes them.

libcamera ends the process by an assertion when a device that it uses vanishes. That is
the camera's fault, not the start's: it does not count for safe mode. Where it happens
again and again, the camera is left alone for longer and longer; all else goes on.
"""

from __future__ import annotations

import faulthandler
import json
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from device.durable import write_atomic
from device.errors import HardwareFault
from device.notify import HELD_S
from device.ports import Camera, Clock
from device.units import Seconds

logger = logging.getLogger(__name__)

FILE: Final = "crash.txt"
"""Where a crash writes what every thread was doing; removed at a proper end."""

COUNT: Final = "camera-crashes.json"

PATIENCE: Final = 3
"""So often the camera is tried again at once: a device that is unplugged and plugged in
again may end the process twice."""

FIRST_PAUSE_S: Final[Seconds] = 60.0
LONGEST_PAUSE_S: Final[Seconds] = 3600.0
APART_S: Final[Seconds] = 600.0
"""Crashes this far apart, beyond the pause between them, are not in a row."""

_CURRENT: Final = re.compile(r"^Current thread .*?(?=^\s*$|^Thread |\Z)", re.M | re.S)
_DRIVER: Final = re.compile(r"picamera2|libcamera|hardware/v4l2")


@dataclass(frozen=True, slots=True)
class Crash:
    """How a process before this one ended.

    Attributes:
        at_s: When, seconds since the epoch.
        text: What `faulthandler` wrote.
    """

    at_s: float
    text: str

    @property
    def is_camera(self) -> bool:
        """Whether the camera's driver did it, as far as that can be seen.

        A thread of the driver's own runs no Python: then it is enough that one was in
        use. systemd's watchdog strikes the main thread, where no driver runs.
        """
        current = _CURRENT.search(self.text)
        return _DRIVER.search(current[0] if current else self.text) is not None


@contextmanager
def keep_crashes(state: Path) -> Iterator[Crash | None]:
    """Have a crash written into the state folder; give the one of the process before.

    A folder that cannot be written costs the record, not the start.
    """
    path = state / FILE
    before = _read(path)
    if before is not None:
        logger.error("the process before this one crashed:\n%s", before.text.rstrip())
        if before.is_camera:
            count_crash(state, before)
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        logger.warning("a crash would not be recorded: %s", error)
        yield before
        return
    with file:
        faulthandler.enable(file)
        try:
            yield before
        finally:
            faulthandler.disable()
    with suppress(OSError):  # what cannot be removed is empty, and read as nothing
        if not path.stat().st_size:
            path.unlink()


def count_crash(state: Path, crash: Crash) -> None:
    """Count a crash by the camera's driver."""
    count, last_s = _counted(state)
    in_row = abs(crash.at_s - last_s) < pause_s(count) + APART_S
    fields = {"count": count + 1 if in_row else 1, "last_s": round(crash.at_s, 3)}
    try:
        write_atomic(state / COUNT, json.dumps(fields).encode())
    except OSError as error:
        logger.warning("this crash is not counted: %s", error)


def pause_s(count: int) -> Seconds:
    """Return how long after a start a camera is left alone."""
    if count < PATIENCE:
        return 0.0
    doubled = 2.0 ** min(count - PATIENCE, 10)
    return min(FIRST_PAUSE_S * doubled, LONGEST_PAUSE_S)


class CameraGuard:
    """Opens a camera whose driver may have ended the process before.

    Args:
        open_camera: Opens it; raises HardwareError.
        state: State folder.
        clock: Time.
    """

    def __init__(
        self, open_camera: Callable[[], Camera], state: Path, clock: Clock
    ) -> None:
        self._open = open_camera
        self._state = state
        self._clock = clock
        self._count, _ = _counted(state)
        self._due_s = clock.now_s() + pause_s(self._count)
        self._opened_s: Seconds | None = None

    def __call__(self) -> Camera:
        """Return the open camera.

        Raises:
            HardwareError: It is absent or does not open, or is left alone for a while.
        """
        if self._clock.now_s() < self._due_s:
            minutes = round(pause_s(self._count) / 60)
            raise HardwareFault(
                f"the camera's driver ended the program {self._count} times in a row; "
                f"it is left alone for {minutes} min after the start"
            )
        camera = self._open()
        self._opened_s = self._clock.now_s()
        return camera

    def look(self) -> None:
        """Trust a camera again that has not crashed for a while; call once a second."""
        if not self._count or self._opened_s is None:
            return
        if self._clock.now_s() - self._opened_s >= HELD_S:
            self._count = 0
            try:
                (self._state / COUNT).unlink(missing_ok=True)
            except OSError as error:
                logger.warning("%s cannot be removed: %s", COUNT, error)


def _read(path: Path) -> Crash | None:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
        return Crash(path.stat().st_mtime, text) if text.strip() else None
    except OSError:
        return None


def _counted(state: Path) -> tuple[int, float]:
    """Return how many crashes came in a row, and when the last was."""
    try:
        fields = json.loads((state / COUNT).read_text(encoding="utf-8"))
        return int(fields["count"]), float(fields["last_s"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0, 0.0
