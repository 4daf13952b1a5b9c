"""What every camera does, simulated and real."""

import sys
import threading

import cv2
import numpy as np
import pytest

from device.errors import HardwareClosed, HardwareFault, HardwareNotFound
from hardware.clock import SystemClock
from hardware.picamera2 import Picamera2Camera
from hardware.sim.camera import DrawnCamera
from hardware.sim.clock import ManualClock
from hardware.sim.replay import ReplayCamera
from hardware.v4l2 import V4L2Camera
from tests.hardware.conftest import BrightnessScene
from tests.hardware.picamera2_double import picamera2_modules


def drawn(tmp_path, monkeypatch):
    return DrawnCamera(BrightnessScene(), ManualClock(), rate_hz=50)


def images(tmp_path, monkeypatch):
    for name in "ab":
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.full((40, 60, 3), 90, np.uint8))
    return ReplayCamera(tmp_path, ManualClock())


def video(tmp_path, monkeypatch):
    return ReplayCamera(make_video(tmp_path / "roll.avi"), ManualClock())


def picamera_double(tmp_path, monkeypatch):
    clock, closing = ManualClock(), threading.Event()
    closing.set()
    module, libcamera = picamera2_modules(clock, closing)
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    return Picamera2Camera(clock, boot_offset=lambda: 0.0)


def picamera(tmp_path, monkeypatch):
    try:
        return Picamera2Camera(SystemClock())
    except HardwareNotFound as error:
        pytest.skip(str(error))


def webcam(tmp_path, monkeypatch):
    try:
        return V4L2Camera("", SystemClock())
    except HardwareNotFound as error:
        pytest.skip(str(error))


def make_video(path, frames=10, size_wh=(64, 48), rate_hz=20):
    writer = cv2.VideoWriter(
        str(path), cv2.VideoWriter_fourcc(*"MJPG"), rate_hz, size_wh
    )
    for index in range(frames):
        writer.write(np.full((size_wh[1], size_wh[0], 3), 20 * index, np.uint8))
    writer.release()
    return path


CAMERAS = [
    pytest.param(drawn, id="drawn"),
    pytest.param(images, id="images"),
    pytest.param(video, id="video"),
    pytest.param(picamera_double, id="picamera2 on a double"),
    pytest.param(picamera, id="picamera2", marks=pytest.mark.hardware),
    pytest.param(webcam, id="v4l2", marks=pytest.mark.hardware),
]


@pytest.fixture(params=CAMERAS)
def camera(request, tmp_path, monkeypatch):
    opened = request.param(tmp_path, monkeypatch)
    yield opened
    opened.close()


def test_a_frame_is_a_read_only_colour_image_of_the_stated_size(camera):
    frame = camera.capture()
    width, height = camera.size_wh_px
    assert frame.image.shape == (height, width, 3)
    assert frame.image.dtype == np.uint8
    assert not frame.image.flags.writeable


def test_the_motion_image_is_grey_and_shows_the_same_scene(camera):
    frame = camera.capture()
    if frame.grey is None:
        pytest.skip("this camera offers one stream only")
    assert frame.grey.ndim == 2
    assert not frame.grey.flags.writeable
    full = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
    assert abs(float(full.mean()) - float(frame.grey.mean())) < 12


def test_no_frame_is_returned_twice_and_time_goes_forwards(camera):
    frames = [camera.capture() for _ in range(5)]
    numbers = [frame.number for frame in frames]
    assert numbers == sorted(set(numbers))
    times = [frame.exposed_s for frame in frames]
    assert times == sorted(set(times))


def test_it_says_whether_it_is_simulated_and_what_it_is(camera):
    assert isinstance(camera.simulated, bool)
    assert camera.name


def test_closing_twice_is_fine_and_capturing_after_it_is_refused(camera):
    camera.capture()
    camera.close()
    camera.close()
    with pytest.raises(HardwareClosed):
        camera.capture()


SIMULATED = CAMERAS[:3]


@pytest.fixture(params=SIMULATED)
def simulated(request, tmp_path, monkeypatch):
    opened = request.param(tmp_path, monkeypatch)
    yield opened
    opened.close()


def test_a_hang_ends_with_the_time_allowed(simulated):
    simulated.capture()
    simulated.faults.hung = True
    with pytest.raises(HardwareFault, match=r"no frame within 1\.5 s"):
        simulated.capture(timeout_s=1.5)


def test_an_unplugged_camera_fails_at_once(simulated):
    simulated.capture()
    simulated.faults.plugged = False
    with pytest.raises(HardwareFault, match="unplugged"):
        simulated.capture()


def test_it_fails_at_the_capture_told(simulated):
    simulated.faults.fail_at = 3
    simulated.capture()
    simulated.capture()
    with pytest.raises(HardwareFault, match="capture 3"):
        simulated.capture()


@pytest.mark.parametrize("make", SIMULATED)
def test_it_comes_back_when_opened_again_after_hang_failure_and_plug(
    make, tmp_path, monkeypatch
):
    first = make(tmp_path, monkeypatch)
    faults = first.faults
    faults.hung = True
    faults.fail_at = 1
    with pytest.raises(HardwareFault):
        first.capture()
    first.close()

    def again():
        if isinstance(first, DrawnCamera):
            return DrawnCamera(BrightnessScene(), ManualClock(), faults=faults)
        source = tmp_path / "roll.avi" if make is video else tmp_path
        return ReplayCamera(source, ManualClock(), faults=faults)

    faults.plugged = False
    with pytest.raises(HardwareNotFound):
        again()
    faults.plugged, faults.fail_open = True, True
    with pytest.raises(HardwareFault):
        again()
    faults.fail_open = False
    second = again()
    assert second.capture().image.size > 0
    second.close()
