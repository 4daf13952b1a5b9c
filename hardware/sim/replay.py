"""A camera that shows files: a folder of images, one image, or a video.

Frames come at the rate of the recording, whatever the reader does: a slow reader
misses frames, as with a real camera. Unpaced, each capture gives the next frame at
once, with the time stamp that it would have had. The last frame is held for ever.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final, Protocol

import cv2
import numpy as np

from device.errors import HardwareClosed, HardwareFault, HardwareNotFound
from device.ports import Clock
from device.units import Seconds
from hardware.grey import small_grey
from hardware.sim.faults import CameraFaults
from vision.frame import Frame, Image, read_only

LONGEST_PX: Final = 1920
"""Larger pictures are scaled down to this, as a camera's main stream would be."""

IMAGE_RATE_HZ: Final = 25.0
"""Frames a second made of a folder of images."""

HOLD_S: Final[Seconds] = 1.5
"""How long each image of a folder stays, so that it counts as lying still."""

VIDEO_SUFFIXES: Final = {".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mjpg"}
IMAGE_SUFFIXES: Final = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"}


class _Recording(Protocol):
    """Frames by number."""

    rate_hz: float
    size_wh_px: tuple[int, int]

    def at(self, number: int) -> tuple[Image, int]:
        """Return a frame, or the last one beyond the end, and its number."""
        ...

    def close(self) -> None: ...


class ReplayCamera:
    """Shows a recording; implements `device.ports.Camera`.

    Args:
        path: A folder of images (shown in the order of their names), an image, or a
            video.
        clock: Paces the frames.
        paced: False gives each frame once, as fast as asked.
        rate_hz: Frames a second; None takes the video's own, or `IMAGE_RATE_HZ`.
        hold_s: How long each image of a folder stays; 0 makes each one frame.
        loop: Start again at the end instead of holding the last frame.
        faults: What goes wrong, and when.

    Attributes:
        ended: The last frame has been returned at least once.

    Raises:
        HardwareNotFound: No such path, an empty folder, or not images.
        ValueError: `rate_hz` not above 0, or `hold_s` negative.
    """

    simulated = True
    notes: tuple[str, ...] = ()

    def __init__(
        self,
        path: Path | str,
        clock: Clock,
        *,
        paced: bool = True,
        rate_hz: float | None = None,
        hold_s: Seconds = HOLD_S,
        loop: bool = False,
        faults: CameraFaults | None = None,
    ) -> None:
        if (rate_hz is not None and not rate_hz > 0) or hold_s < 0:
            raise ValueError(f"rate_hz {rate_hz} or hold_s {hold_s} out of range")
        source = Path(path)
        self.name = self.id = f"replay of {source.name}"
        self.faults = faults or CameraFaults()
        self.faults.opening(self.name)
        self._recording = _open(source, rate_hz, hold_s, loop)
        self.size_wh_px = self._recording.size_wh_px
        self.ended = False
        self._clock = clock
        self._paced = paced
        self._opened_s = clock.now_s()
        self._last = -1
        self._captures = 0
        self._shown = -1
        self._image: Image | None = None
        self._grey: Image | None = None
        self._closed = False

    def capture(self, timeout_s: Seconds = 2.0) -> Frame:
        """Return the next frame; see `device.ports.Camera`."""
        if self._closed:
            raise HardwareClosed(f"camera {self.name} is closed")
        self._captures += 1
        self.faults.capturing(self.name, self._captures)
        number = self._wait(timeout_s) if self._paced else self._last + 1
        self._last = number
        image, shown = self._recording.at(number)
        if shown != self._shown or self._grey is None:
            self._image, self._grey = image, small_grey(image)
            self._shown = shown
        self.ended = self.ended or shown < number
        exposed_s = self._opened_s + number / self._recording.rate_hz
        return Frame(
            image, exposed_s - self.faults.stale_s, number, read_only(self._grey)
        )

    def close(self) -> None:
        """Release the file; may be called twice."""
        if not self._closed:
            self._closed = True
            self._recording.close()

    def _wait(self, timeout_s: Seconds) -> int:
        """Return the number of the newest frame, once there is a new one."""
        rate_hz = self._recording.rate_hz
        due_s = self._opened_s + (self._last + 1) / rate_hz
        due_s = max(due_s, self.faults.stalled_until_s)
        if self.faults.hung:
            due_s = math.inf
        now_s = self._clock.now_s()
        if due_s > now_s + timeout_s:
            self._clock.sleep(timeout_s)
            raise HardwareFault(
                f"camera {self.name} gave no frame within {timeout_s:g} s"
            )
        if due_s > now_s:
            self._clock.sleep(due_s - now_s)
        # A nanosecond's grace: sums of floats must not cost a frame.
        ran_s = self._clock.now_s() - self._opened_s + 1e-9
        return max(self._last + 1, math.floor(ran_s * rate_hz))


def _open(
    source: Path, rate_hz: float | None, hold_s: Seconds, loop: bool
) -> _Recording:
    if source.is_dir():
        paths = sorted(
            p for p in source.iterdir() if p.suffix.lower() in IMAGE_SUFFIXES
        )
        if not paths:
            kinds = ", ".join(sorted(s[1:] for s in IMAGE_SUFFIXES))
            raise HardwareNotFound(f"no images in {source}: expected {kinds}")
        return _Images(paths, rate_hz or IMAGE_RATE_HZ, hold_s, loop)
    if not source.is_file():
        raise HardwareNotFound(f"no such file or folder: {source}")
    if source.suffix.lower() in VIDEO_SUFFIXES:
        return _Video(source, rate_hz, loop)
    return _Images([source], rate_hz or IMAGE_RATE_HZ, hold_s, loop)


class _Images:
    """Images, each held a while and brought to the first one's size."""

    def __init__(
        self, paths: list[Path], rate_hz: float, hold_s: Seconds, loop: bool
    ) -> None:
        for path in paths:
            if not cv2.haveImageReader(str(path)):
                raise HardwareNotFound(f"not an image that can be read: {path}")
        self.rate_hz = rate_hz
        self._paths = paths
        self._loop = loop
        self._each = max(1, round(hold_s * rate_hz))
        first = _scaled(_read(paths[0]))
        self.size_wh_px = (first.shape[1], first.shape[0])
        self._index = 0
        self._image = first

    def at(self, number: int) -> tuple[Image, int]:
        """Return the image shown at that frame, the same object while it stays."""
        total = self._each * len(self._paths)
        within = number % total if self._loop else min(number, total - 1)
        index = within // self._each
        if index != self._index:
            self._index = index
            self._image = _fitted(_read(self._paths[index]), self.size_wh_px)
        shown = number if number < total or self._loop else total - 1
        return self._image, shown

    def close(self) -> None:
        """Nothing stays open between images."""


class _Video:
    """A video, decoded forwards."""

    def __init__(self, path: Path, rate_hz: float | None, loop: bool) -> None:
        self._path = path
        self._loop = loop
        self._video = cv2.VideoCapture(str(path))
        read, image = self._video.read()
        if not read:
            self._video.release()
            raise HardwareNotFound(f"not a video that can be read: {path}")
        self.rate_hz = rate_hz or self._own_rate_hz()
        self._image = _scaled(np.asarray(image, np.uint8))
        self.size_wh_px = (self._image.shape[1], self._image.shape[0])
        self._number = 0
        self._ended = False

    def at(self, number: int) -> tuple[Image, int]:
        """Return that frame; frames skipped are decoded no further than needed."""
        while self._number < number - 1 and not self._ended:
            self._step(self._video.grab())
        if self._number < number and not self._ended:
            read, image = self._video.read()
            if read:
                self._image = _fitted(np.asarray(image, np.uint8), self.size_wh_px)
            self._step(read)
        return self._image, self._number

    def close(self) -> None:
        """Release the file."""
        self._video.release()

    def _step(self, there: bool) -> None:
        if there:
            self._number += 1
        elif self._loop:
            self._video.set(cv2.CAP_PROP_POS_FRAMES, 0)
            self._number += 1
        else:
            self._ended = True

    def _own_rate_hz(self) -> float:
        """Return the recording's rate; some containers state none or nonsense."""
        stated = float(self._video.get(cv2.CAP_PROP_FPS))
        return stated if 1.0 <= stated <= 240.0 else IMAGE_RATE_HZ


def _read(path: Path) -> Image:
    """Return an image, turned the way its camera was held.

    Raises:
        HardwareNotFound: Its header looked right, the rest is not.
    """
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise HardwareNotFound(f"not an image that can be read: {path}")
    return np.asarray(image, np.uint8)


def _scaled(image: Image) -> Image:
    """Return `image`, no side longer than `LONGEST_PX`."""
    height, width = image.shape[:2]
    scale = LONGEST_PX / max(height, width)
    if scale >= 1:
        return image
    size_wh = (round(width * scale), round(height * scale))
    return np.asarray(
        cv2.resize(image, size_wh, interpolation=cv2.INTER_AREA), np.uint8
    )


def _fitted(image: Image, size_wh_px: tuple[int, int]) -> Image:
    """Return `image` scaled into that size, its edge drawn out to fill the rest."""
    width, height = size_wh_px
    if image.shape[:2] == (height, width):
        return image
    scale = min(width / image.shape[1], height / image.shape[0])
    inner_wh = (
        min(width, max(1, round(image.shape[1] * scale))),
        min(height, max(1, round(image.shape[0] * scale))),
    )
    inner = cv2.resize(image, inner_wh, interpolation=cv2.INTER_AREA)
    left, top = (width - inner_wh[0]) // 2, (height - inner_wh[1]) // 2
    filled = cv2.copyMakeBorder(
        inner,
        top,
        height - inner_wh[1] - top,
        left,
        width - inner_wh[0] - left,
        cv2.BORDER_REPLICATE,
    )
    return np.asarray(filled, np.uint8)
