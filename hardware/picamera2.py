"""The Raspberry Pi's own cameras, through Picamera2 (python3-picamera2 from apt).

1. The sensor's shape gives the main image's height; a small second stream ("lores")
   carries the motion image. A camera that has only one stream is asked for one.
2. Focus, exposure, gain and colour are fixed where the camera offers the control;
   controls it lacks are listed in `notes`.
3. Each capture asks for a completed request and waits for it no longer than allowed:
   a camera that hangs (picamera2 issues 794, 1004) is a `HardwareFault`.
4. A request may be older than the question (426, 849): its time stamp says so.

libcamera ends the process by an assertion when a device that the kernel has taken away
is stopped (seen with 0.4.0 and its virtual camera). A camera on a ribbon cable stays a
device when the cable slips: its frames stall, see step 3. A webcam that may be pulled
is better driven by `hardware.v4l2`. What follows from such an end: `device.crashes`.

`SensorTimestamp` is when the frame's first row was read out, in nanoseconds of the
monotonic clock, so its exposure began `ExposureTime` earlier. libcamera documents
CLOCK_BOOTTIME, which runs ahead by the time a machine slept: stamps from the future
are brought back by that much.

Picamera2's ``RGB888`` lies in memory as blue, green, red (issues 848, 1325), which is
what OpenCV wants; the format really configured decides how it is read.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from device.errors import HardwareClosed, HardwareFault, HardwareNotFound
from device.ports import Clock
from device.units import Seconds
from hardware.bounded import run_bounded
from hardware.grey import GREY_WIDTH_PX, lores_grey, small_grey
from hardware.settings import CameraSettings
from vision.frame import Frame, Image

logger = logging.getLogger(__name__)

WIDTH_PX: Final = 1536

VENDOR_ERRORS: Final = (
    RuntimeError,
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
)
"""What Picamera2 raises where libcamera said no: a camera without a second stream is
"'NoneType' object has no attribute 'orientation'"."""

CLOSE_S: Final[Seconds] = 3.0
"""How long closing may take before it counts as hung."""

TO_BGR: Final[dict[str, int | None]] = {
    "RGB888": None,
    "BGR888": cv2.COLOR_RGB2BGR,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
}
"""How to make blue, green, red of each format's bytes in memory."""


LATE_FRAMES: Final = 12
"""Controls take effect so many frames later (picamera2 issues 1278, 1287)."""

FORMATS: Final = ("RGB888", "BGR888")
"""Asked for in this order; a camera may accept one and then not start with it."""


def find_camera(index: int) -> tuple[str, str]:
    """Return a camera's id and its name, e.g. ``imx708``, without opening it.

    The id is libcamera's, which names the socket: two of a kind differ by it.

    Raises:
        HardwareNotFound: No Picamera2, or no such camera.
        HardwareFault: libcamera does not say.
    """
    vendor, _ = _import_vendor()
    name = f"camera {index}"
    with _opening(name):
        cameras = vendor.global_camera_info()
        if not 0 <= index < len(cameras):
            raise HardwareNotFound(_nothing_at(index, cameras))
        model = str(cameras[index].get("Model", name))
        return str(cameras[index].get("Id", model)), model


def boot_offset_s() -> Seconds:
    """Return how far CLOCK_BOOTTIME is ahead of the monotonic clock."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.monotonic()


class Picamera2Camera:
    """A camera on the Pi's ribbon cable (or USB, where libcamera drives it).

    Implements `device.ports.Camera`.

    Args:
        clock: Monotonic as the kernel's.
        settings: What to ask for.
        index: Which camera, in libcamera's order.
        boot_offset: See `boot_offset_s`.

    Attributes:
        notes: What this camera lacks of what was asked, one line each.

    Raises:
        HardwareNotFound: No Picamera2, or no such camera.
        HardwareFault: It is there and does not open (busy, out of memory).
    """

    simulated = False

    def __init__(
        self,
        clock: Clock,
        settings: CameraSettings | None = None,
        *,
        index: int = 0,
        boot_offset: Callable[[], Seconds] = boot_offset_s,
    ) -> None:
        vendor, manual_focus = _import_vendor()
        self._manual_focus = manual_focus
        self._clock = clock
        self._boot_offset = boot_offset
        self._settings = settings or CameraSettings()
        self.notes: tuple[str, ...] = ()
        self.id, self.name = find_camera(index)
        with _opening(self.name):
            self._camera: Any = vendor(index)
            with ExitStack() as opened:
                opened.callback(self._release)
                self._start(manual_focus)
                opened.pop_all()
        self._period_s = 1 / self._settings.rate_hz
        self._exposed_s = float("-inf")
        self._number = -1
        self._closed = False

    def capture(self, timeout_s: Seconds = 2.0) -> Frame:
        """Return the next frame not yet returned; see `device.ports.Camera`."""
        if self._closed:
            raise HardwareClosed(f"camera {self.name} is closed")
        deadline_s = self._clock.now_s() + timeout_s
        while True:
            left_s = max(0.0, deadline_s - self._clock.now_s())
            image, grey, metadata = self._take(left_s, timeout_s)
            exposed_s = self._exposed(metadata)
            if exposed_s > self._exposed_s:
                break
        self._count(exposed_s, metadata)
        return Frame(image, exposed_s, self._number, grey)

    @property
    def focus_range(self) -> tuple[float, float] | None:
        """Farthest and nearest focus in dioptres, None where the lens has no motor."""
        limits = self._camera.camera_controls.get("LensPosition")
        return None if limits is None else (float(limits[0]), float(limits[1]))

    def adjust(self, settings: CameraSettings) -> None:
        """Change exposure, gain, colour and focus while it runs, for set-up.

        The first frames after it are still as before: `LATE_FRAMES` at most.

        Raises:
            HardwareFault: The camera refused.
            HardwareClosed: After `close()`.
        """
        if self._closed:
            raise HardwareClosed(f"camera {self.name} is closed")
        self._settings = settings
        controls, _ = self._controls(self._manual_focus)
        with self._errors():
            self._camera.set_controls(controls)

    def close(self) -> None:
        """Release the camera, waiting a little; may be called twice."""
        if not self._closed:
            self._closed = True
            self._release()

    def _release(self) -> None:
        run_bounded(f"closing {self.name}", self._camera.close, CLOSE_S)

    def _start(self, manual_focus: Any) -> None:
        sensor_wh = self._camera.camera_properties.get("PixelArraySize", (16, 9))
        main_wh = _shaped(self._settings.width_px or WIDTH_PX, sensor_wh)
        if self._settings.height_px is not None:
            main_wh = (main_wh[0], self._settings.height_px // 2 * 2)
        lores_wh = _shaped(GREY_WIDTH_PX, main_wh)
        controls, missing = self._controls(manual_focus)
        notes = list(missing)
        self._two_streams = self._started(main_wh, lores_wh, controls)
        if not self._two_streams:
            notes.append("one stream only: motion is watched in the main image")
        granted = self._camera.camera_configuration()["main"]
        self.size_wh_px = (int(granted["size"][0]), int(granted["size"][1]))
        self._format = str(granted["format"])
        if self._format not in TO_BGR:
            raise HardwareNotFound(
                f"camera {self.name} gives {self._format} images; expected one of "
                f"{', '.join(TO_BGR)}"
            )
        self.notes = tuple(notes)
        for note in self.notes:
            logger.warning("camera %s: %s", self.name, note)

    def _started(
        self,
        main_wh: tuple[int, int],
        lores_wh: tuple[int, int],
        controls: dict[str, Any],
    ) -> bool:
        """Start with the first format that the camera takes; as `_configure`."""
        for kind in FORMATS:
            try:
                two_streams = self._configure(kind, main_wh, lores_wh, controls)
                self._camera.start()
                return two_streams
            except VENDOR_ERRORS as error:
                if kind == FORMATS[-1]:
                    raise
                logger.info("camera %s: no %s (%s)", self.name, kind, error)
        raise AssertionError("there are formats")

    def _configure(
        self,
        kind: str,
        main_wh: tuple[int, int],
        lores_wh: tuple[int, int],
        controls: dict[str, Any],
    ) -> bool:
        """Configure two streams, or one; return whether there are two."""
        options = {
            "main": {"size": main_wh, "format": kind},
            "controls": controls,
            "buffer_count": self._settings.buffers,
            # A queued frame is a frame from before the question.
            "queue": False,
        }
        lores = {"size": lores_wh, "format": "YUV420"}
        make = self._camera.create_video_configuration
        try:
            self._camera.configure(make(**options, lores=lores))
            self._lores_wh = self._camera.camera_configuration()["lores"]["size"]
            return True
        except VENDOR_ERRORS as error:
            logger.info("camera %s: no second stream (%s)", self.name, error)
        self._camera.configure(make(**options))
        return False

    def _controls(self, manual_focus: Any) -> tuple[dict[str, Any], list[str]]:
        """Return the controls to set and a line for each that the camera lacks."""
        asked = self._settings
        period_us = round(1e6 / asked.rate_hz)
        wanted: dict[str, Any] = {"FrameDurationLimits": (period_us, period_us)}
        if asked.exposure_s is not None:
            wanted |= {
                "AeEnable": False,
                "ExposureTime": round(asked.exposure_s * 1e6),
                "AnalogueGain": asked.gain or 1.0,
            }
        if asked.colour_gains is not None:
            wanted |= {"AwbEnable": False, "ColourGains": asked.colour_gains}
        if asked.focus_dioptres is not None:
            wanted |= {"AfMode": manual_focus, "LensPosition": asked.focus_dioptres}
        offered = self._camera.camera_controls
        missing = [f"it has no {name}" for name in wanted if name not in offered]
        return {n: v for n, v in wanted.items() if n in offered}, missing

    def _take(
        self, left_s: Seconds, timeout_s: Seconds
    ) -> tuple[Image, Image, dict[str, Any]]:
        """Return main image, motion image and metadata of one completed request."""
        with self._errors():
            job = self._camera.capture_request(wait=False)
            try:
                request = job.get_result(timeout=left_s)
            except TimeoutError as error:
                cancel = self._camera.cancel_all_and_flush
                run_bounded(f"cancelling {self.name}", cancel, CLOSE_S)
                raise HardwareFault(
                    f"camera {self.name} gave no frame within {timeout_s:g} s"
                ) from error
            try:
                image = self._bgr(request.make_array("main"))
                if self._two_streams:
                    grey = lores_grey(request.make_array("lores"), self._lores_wh)
                else:
                    grey = small_grey(image)
                return image, grey, dict(request.get_metadata())
            finally:
                request.release()

    def _bgr(self, array: NDArray[np.uint8]) -> Image:
        code = TO_BGR[self._format]
        return array if code is None else np.asarray(cv2.cvtColor(array, code))

    def _exposed(self, metadata: dict[str, Any]) -> Seconds:
        """Return when the exposure began, in the clock's seconds."""
        if "SensorTimestamp" not in metadata:
            # Two frames ago at the latest: a stamp too old only delays a reading.
            return self._clock.now_s() - 2 * self._period_s
        read_s = metadata["SensorTimestamp"] / 1e9
        if read_s > self._clock.now_s() + 0.001:
            read_s -= self._boot_offset()
        return float(read_s - metadata.get("ExposureTime", 0) / 1e6)

    def _count(self, exposed_s: Seconds, metadata: dict[str, Any]) -> None:
        """Number the frame; frames that were missed leave a gap."""
        period_s = metadata.get("FrameDuration", self._period_s * 1e6) / 1e6
        if self._number < 0 or period_s <= 0:
            self._number += 1
        else:
            passed = round((exposed_s - self._exposed_s) / period_s)
            self._number += max(1, passed)
        self._exposed_s = exposed_s

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except VENDOR_ERRORS as error:
            raise HardwareFault(f"camera {self.name} failed: {error}") from error


def _import_vendor() -> tuple[Any, Any]:
    """Return the Picamera2 class and the value for manual focus."""
    try:
        from libcamera import controls
        from picamera2 import Picamera2
    except ImportError as error:
        raise HardwareNotFound(
            f"{error.name or 'picamera2'} is not installed: on a Raspberry Pi sudo apt "
            "install python3-picamera2 and a virtual environment with "
            "--system-site-packages; elsewhere use a webcam or files as the camera"
        ) from error
    except (ValueError, AttributeError) as error:
        # picamera2 1088, 1211: "numpy.dtype size changed" out of an apt package.
        raise HardwareNotFound(
            f"picamera2 does not load ({error}): numpy from pip lies over apt's; "
            "uninstall it from the virtual environment"
        ) from error
    return Picamera2, controls.AfModeEnum.Manual


@contextmanager
def _opening(name: str) -> Iterator[None]:
    try:
        yield
    except VENDOR_ERRORS as error:
        raise HardwareFault(
            f"camera {name} does not open ({error}): is another program using it, is "
            "the cable firm?"
        ) from error


def _nothing_at(index: int, cameras: list[dict[str, Any]]) -> str:
    if not cameras:
        return "no camera found: is the ribbon cable seated, blue side to the clip?"
    known = ", ".join(
        f"{i} {camera.get('Model', '?')}" for i, camera in enumerate(cameras)
    )
    return f"no camera {index}; there are {known}"


def _shaped(width: int, sensor_wh: tuple[int, int]) -> tuple[int, int]:
    """Return a size of the sensor's shape with even numbers."""
    height = width * sensor_wh[1] / sensor_wh[0]
    return width // 2 * 2, round(height / 2) * 2
