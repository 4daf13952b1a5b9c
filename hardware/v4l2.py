"""Webcams by Video4Linux, through OpenCV.

`cv2.VideoCapture.read` may block for ten seconds or for ever, and hands out the
oldest frame of its queue. So a thread of its own reads all the time and keeps the
newest frame only; `capture` waits for that thread no longer than allowed.
"""

from __future__ import annotations

import logging
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import cv2
import numpy as np

from device.errors import HardwareClosed, HardwareFault, HardwareNotFound
from device.ports import Clock
from device.units import Seconds
from hardware.grey import small_grey
from hardware.settings import CameraSettings
from vision.frame import Frame, Image

logger = logging.getLogger(__name__)

WIDTH_PX: Final = 1280
CLOSE_S: Final[Seconds] = 3.0
"""How long closing waits for a read that hangs."""

DELAY_S: Final[Seconds] = 0.05
"""Frames without a usable time stamp are taken to be this old and one frame more:
exposure, USB transfer and decoding of common webcams. Too old only delays."""

OLDEST_S: Final[Seconds] = 2.0
"""Stamps older than this are no stamps."""

MANUAL_EXPOSURE: Final = 1
"""Video4Linux's V4L2_EXPOSURE_MANUAL."""

SYSFS: Final = Path("/sys/class/video4linux")
DEV: Final = Path("/dev")


class Webcam(NamedTuple):
    """A webcam that is plugged in.

    Attributes:
        path: Device file.
        name: As the kernel has it.
        id: The same at every start, another for another one where makers number them.
    """

    path: Path
    name: str
    id: str


def find_webcam(wanted: str, sysfs: Path = SYSFS, dev: Path = DEV) -> Webcam:
    """Return a webcam.

    Args:
        wanted: A number, a device file, or part of the camera's name; "" the first.
        sysfs: Where the kernel lists video devices.
        dev: Where the device files are.

    Raises:
        HardwareNotFound: No such webcam, or no permission.
    """
    known = {
        dev / entry.name: (entry / "name").read_text().strip()
        for entry in sorted(sysfs.glob("video*"), key=_number_of)
        if (entry / "name").is_file()
    }
    if not known:
        raise HardwareNotFound("no webcam found: is it plugged in?")
    path: Path | None = next(iter(known))
    if wanted.isdigit():
        path = dev / f"video{wanted}"
    elif wanted.startswith(f"{dev}/"):
        path = Path(wanted)
    elif wanted:
        path = next((p for p, n in known.items() if wanted.lower() in n.lower()), None)
    if path is None or path not in known:
        there = ", ".join(f"{p.name} {name!r}" for p, name in known.items())
        raise HardwareNotFound(f"no webcam {wanted!r}; there are {there}")
    if not os.access(path, os.R_OK | os.W_OK):
        raise HardwareNotFound(
            f"no permission for {path}: sudo usermod -aG video USER, then log in again"
        )
    return Webcam(path, known[path], _id_of(path, known[path], sysfs))


def _id_of(path: Path, name: str, sysfs: Path) -> str:
    """Return name and serial number, the name alone where there is no number.

    The port that a webcam is plugged into may change, so it is no part of it.
    """
    # The video device belongs to an interface of the USB device that has the number.
    serial = (sysfs / path.name / "device").resolve().parent / "serial"
    try:
        return f"{name} {serial.read_text().strip()}".strip()
    except OSError:
        return name


def _number_of(entry: Path) -> int:
    digits = re.sub(r"\D", "", entry.name)
    return int(digits) if digits else 0


class V4L2Camera:
    """A webcam; implements `device.ports.Camera`.

    Args:
        wanted: See `find_webcam`.
        clock: Monotonic as the kernel's.
        settings: What to ask for.
        find: Finds it.
        open_video: Opens it as `cv2.VideoCapture` does.

    Attributes:
        notes: What this camera lacks of what was asked, one line each.

    Raises:
        HardwareNotFound: No such webcam, or no permission.
        HardwareFault: It is there and gives no picture (busy, not a camera).
    """

    simulated = False

    def __init__(
        self,
        wanted: str,
        clock: Clock,
        settings: CameraSettings | None = None,
        *,
        find: Callable[[str], Webcam] = find_webcam,
        open_video: Callable[[str, int], Any] = cv2.VideoCapture,
    ) -> None:
        path, self.name, self.id = find(wanted)
        self._clock = clock
        asked = settings or CameraSettings()
        self._period_s = 1 / asked.rate_hz
        video = open_video(str(path), cv2.CAP_V4L2)
        if not video.isOpened():
            video.release()
            raise HardwareFault(
                f"webcam {self.name} ({path}) does not open: is another program using "
                "it, is it a camera at all?"
            )
        self.notes = tuple(_set_up(video, asked))
        for note in self.notes:
            logger.warning("webcam %s: %s", self.name, note)
        self.size_wh_px = (
            int(video.get(cv2.CAP_PROP_FRAME_WIDTH)),
            int(video.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        )
        self._returned = -1
        self._reader = _Reader(video, self._stamp, self.name)

    def capture(self, timeout_s: Seconds = 2.0) -> Frame:
        """Return the newest frame not yet returned; see `device.ports.Camera`."""
        newest = self._reader.newer_than(self._returned, timeout_s)
        self._returned, image, exposed_s = newest
        return Frame(image, exposed_s, self._returned, small_grey(image))

    def close(self) -> None:
        """Release the device, waiting a little; may be called twice."""
        self._reader.close()

    def _stamp(self, video: Any) -> Seconds:
        """Return when the frame just read was exposed, at the latest guess."""
        now_s = self._clock.now_s()
        stamped_s = float(video.get(cv2.CAP_PROP_POS_MSEC)) / 1000
        if 0 <= now_s - stamped_s <= OLDEST_S:
            return stamped_s - self._period_s
        return now_s - DELAY_S - self._period_s


class _Reader:
    """The thread that reads, and the newest frame it read."""

    def __init__(self, video: Any, stamp: Callable[[Any], Seconds], name: str) -> None:
        self._video = video
        self._stamp = stamp
        self._name = name
        self._changed = threading.Condition()
        self._number = -1
        self._image: Image | None = None
        self._exposed_s: Seconds = 0.0
        self._failed = False
        self._closing = False
        self._thread = threading.Thread(
            target=self._run, name=f"webcam {name}", daemon=True
        )
        self._thread.start()

    def newer_than(self, number: int, timeout_s: Seconds) -> tuple[int, Image, Seconds]:
        """Return number, image and time of the newest frame above `number`."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._number > number or self._failed or self._closing,
                timeout_s,
            )
            if self._closing:
                raise HardwareClosed(f"webcam {self._name} is closed")
            if self._number > number and self._image is not None:
                return self._number, self._image, self._exposed_s
            if self._failed:
                raise HardwareFault(f"webcam {self._name} was unplugged or failed")
            raise HardwareFault(
                f"webcam {self._name} gave no frame within {timeout_s:g} s"
            )

    def close(self) -> None:
        """End the thread; one that hangs in a read releases the device when it ends."""
        with self._changed:
            if self._closing:
                return
            self._closing = True
            self._changed.notify_all()
        self._thread.join(CLOSE_S)
        if self._thread.is_alive():
            logger.error("webcam %s hangs in a read; left behind", self._name)

    def _run(self) -> None:
        try:
            while not self._closing:
                read, image = self._video.read()
                if not read:
                    break
                self._take(np.asarray(image, np.uint8))
        except cv2.error as error:
            logger.warning("webcam %s: %s", self._name, error)
        finally:
            self._video.release()
            with self._changed:
                self._failed = True
                self._changed.notify_all()

    def _take(self, image: Image) -> None:
        exposed_s = self._stamp(self._video)
        with self._changed:
            # Stamps have milliseconds only; two frames never share one.
            self._exposed_s = max(exposed_s, self._exposed_s + 1e-4)
            self._image = image
            self._number += 1
            self._changed.notify_all()


def _set_up(video: Any, asked: CameraSettings) -> list[str]:
    """Ask for size, rate, exposure and focus; return a line for each refusal."""
    width = asked.width_px or WIDTH_PX
    # Uncompressed video over USB 2 is slow at this size; MJPG is offered by nearly all.
    video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    video.set(cv2.CAP_PROP_FRAME_WIDTH, width)
    video.set(cv2.CAP_PROP_FRAME_HEIGHT, asked.height_px or round(width * 9 / 16))
    wanted: dict[str, list[tuple[int, float]]] = {
        "frame rate": [(cv2.CAP_PROP_FPS, asked.rate_hz)]
    }
    if asked.exposure_s is not None:
        wanted["manual exposure"] = [
            (cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL_EXPOSURE),
            # Video4Linux counts exposure in units of 100 us.
            (cv2.CAP_PROP_EXPOSURE, round(asked.exposure_s * 1e4)),
        ]
    if asked.gain is not None:
        wanted["manual gain"] = [(cv2.CAP_PROP_GAIN, asked.gain)]
    if asked.focus_dioptres is not None:
        wanted["manual focus"] = [
            (cv2.CAP_PROP_AUTOFOCUS, 0),
            (cv2.CAP_PROP_FOCUS, asked.focus_dioptres),
        ]
    if asked.colour_gains is not None:
        wanted["manual colour"] = [(cv2.CAP_PROP_AUTO_WB, 0)]
    return [
        f"it has no {what}"
        for what, properties in wanted.items()
        if not all(video.set(key, value) for key, value in properties)
    ]
