"""The webcam driver, on a video device that does as it is told."""

import threading

import cv2
import numpy as np
import pytest

import hardware.v4l2
from device.errors import HardwareClosed, HardwareFault, HardwareNotFound
from hardware.clock import SystemClock
from hardware.settings import CameraSettings
from hardware.v4l2 import V4L2Camera, Webcam, find_webcam


class VideoDouble:
    """What `cv2.VideoCapture` is; gives a frame for each `release_frame`."""

    def __init__(self) -> None:
        self.frames = threading.Semaphore(0)
        self.read_one = threading.Semaphore(0)
        self.opened, self.unplugged = True, False
        self.released = threading.Event()
        self.refused: set[int] = set()
        self.asked: dict[int, float] = {}
        self.stamp_ms = 0.0
        self.level = 0

    def isOpened(self):
        return self.opened

    def set(self, key, value):
        self.asked[key] = value
        return key not in self.refused

    def get(self, key):
        return {
            cv2.CAP_PROP_FRAME_WIDTH: 64.0,
            cv2.CAP_PROP_FRAME_HEIGHT: 36.0,
            cv2.CAP_PROP_POS_MSEC: self.stamp_ms,
        }[key]

    def read(self):
        self.read_one.release()
        self.frames.acquire()
        if self.unplugged:
            return False, None
        self.level += 1
        return True, np.full((36, 64, 3), self.level, np.uint8)

    def release(self):
        self.released.set()

    def give(self, count=1):
        for _ in range(count):
            self.frames.release()

    def wait_until_read(self, count):
        for _ in range(count):
            assert self.read_one.acquire(timeout=2)

    def unplug(self):
        self.unplugged = True
        self.give()


@pytest.fixture
def video():
    return VideoDouble()


@pytest.fixture
def open_webcam(video, tmp_path):
    cameras = []

    def find(wanted):
        return Webcam(tmp_path / "video0", "Desk Cam", "Desk Cam 7F3A")

    def make(settings=None, clock=None):
        camera = V4L2Camera(
            "0",
            clock or SystemClock(),
            settings,
            find=find,
            open_video=lambda path, api: video,
        )
        cameras.append(camera)
        return camera

    yield make
    video.unplug()
    for camera in cameras:
        camera.close()
    assert video.released.wait(2)


def test_the_newest_frame_is_returned_not_the_oldest_of_a_queue(video, open_webcam):
    camera = open_webcam()
    video.give(5)
    video.wait_until_read(6)
    frame = camera.capture()
    assert frame.image[0, 0, 0] == 5
    assert frame.number == 4
    video.give()
    assert camera.capture().image[0, 0, 0] == 6


def test_a_read_that_hangs_is_a_fault_in_time(video, open_webcam):
    camera = open_webcam()
    with pytest.raises(HardwareFault, match=r"Desk Cam gave no frame within 0\.02 s"):
        camera.capture(timeout_s=0.02)
    video.give()
    assert camera.capture().number == 0


def test_unplugging_is_a_fault_at_once(video, open_webcam):
    camera = open_webcam()
    video.give()
    camera.capture()
    video.unplug()
    with pytest.raises(HardwareFault, match="unplugged"):
        camera.capture(timeout_s=2.0)


def test_closing_while_a_read_hangs_does_not_hang(video, open_webcam, monkeypatch):
    monkeypatch.setattr(hardware.v4l2, "CLOSE_S", 0.05)
    camera = open_webcam()
    camera.close()
    camera.close()
    with pytest.raises(HardwareClosed):
        camera.capture()


def test_time_stamps_of_the_kernel_are_used_where_they_make_sense(
    video, open_webcam, clock
):
    camera = open_webcam(clock=clock)
    video.stamp_ms = (clock.now_s() - 0.03) * 1000
    video.give()
    frame = camera.capture()
    assert frame.exposed_s == pytest.approx(clock.now_s() - 0.05)
    clock.advance(10)
    video.give()
    frame = camera.capture()
    assert frame.exposed_s == pytest.approx(clock.now_s() - 0.07)


def test_controls_that_are_lacking_are_said_not_fatal(video, open_webcam):
    video.refused = {cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_EXPOSURE}
    camera = open_webcam(CameraSettings(exposure_s=0.01, focus_dioptres=2, gain=1))
    assert camera.notes == ("it has no manual exposure", "it has no manual focus")
    assert video.asked[cv2.CAP_PROP_EXPOSURE] == 100
    assert video.asked[cv2.CAP_PROP_FRAME_WIDTH] == 1280


def test_a_device_that_does_not_open_is_a_fault(video, tmp_path):
    video.opened = False
    with pytest.raises(HardwareFault, match="does not open"):
        V4L2Camera(
            "0",
            SystemClock(),
            find=lambda wanted: Webcam(tmp_path / "video0", "Desk Cam", "Desk Cam"),
            open_video=lambda path, api: video,
        )
    assert video.released.wait(2)


@pytest.fixture
def listed(tmp_path):
    sysfs, dev = tmp_path / "sys", tmp_path / "dev"
    dev.mkdir()
    for number, name in ((0, "Laptop Cam"), (2, "HD Pro Webcam C920"), (10, "Late")):
        (sysfs / f"video{number}").mkdir(parents=True)
        (sysfs / f"video{number}" / "name").write_text(name + "\n")
        (dev / f"video{number}").touch()
    return sysfs, dev


@pytest.mark.parametrize(
    ("wanted", "device"),
    [("", "video0"), ("2", "video2"), ("c920", "video2"), ("late", "video10")],
)
def test_webcams_are_found_by_number_or_name(listed, wanted, device):
    assert find_webcam(wanted, *listed).path.name == device


def test_webcams_are_found_by_device_file(listed):
    _, dev = listed
    found = find_webcam(f"{dev}/video2", *listed)
    assert (found.path.name, found.name) == ("video2", "HD Pro Webcam C920")
    assert found.id == found.name, "nobody has numbered it"


def test_two_webcams_of_a_kind_differ_by_their_serial_numbers(listed, tmp_path):
    """The number is the USB device's, two folders above the video device."""
    sysfs, dev = listed
    usb = tmp_path / "devices" / "usb1" / "1-1.2"
    (usb / "1-1.2:1.0").mkdir(parents=True)
    (usb / "serial").write_text("7F3A12\n")
    (sysfs / "video2" / "device").symlink_to(usb / "1-1.2:1.0")
    assert find_webcam(f"{dev}/video2", *listed).id == "HD Pro Webcam C920 7F3A12"


@pytest.mark.parametrize("wanted", ["1", "brio", "video0"])
def test_a_webcam_that_is_not_there_lists_those_that_are(listed, wanted):
    with pytest.raises(
        HardwareNotFound, match=r"there are video0 'Laptop Cam', video2"
    ):
        find_webcam(wanted, *listed)


def test_no_webcam_at_all(tmp_path):
    with pytest.raises(HardwareNotFound, match="no webcam found"):
        find_webcam("", tmp_path / "none", tmp_path)


def test_no_permission_says_which_group(listed, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    with pytest.raises(HardwareNotFound, match="usermod -aG video"):
        find_webcam("", *listed)
