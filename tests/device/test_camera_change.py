"""A calibration belongs to one camera: another one is told so, and goes on without."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import hardware.v4l2
from device.camera_setup import FILE, Calibration, load, save, suited
from device.config import CameraConfig, Config, HardwareConfig
from device.fitting import (
    EXPOSURE_S,
    GAIN,
    camera_of,
    camera_settings,
    measured_with,
)
from device.photos import Photos
from device.table.view import Part
from device.workbench import Rulers, open_workshop
from hardware.settings import CameraSettings
from hardware.sim.clock import ManualClock
from tests.device.builders import Bench, FakeCamera
from tests.device.conftest import MakeBench
from tests.hardware.picamera2_double import picamera2_modules

CONFIG = Config(hardware=HardwareConfig(camera="picamera2"))
KEPT = Calibration("imx708", 0.02, 1.5, 2.4, (1.9, 1.4), (2304, 1296))
NOT_MINE = (
    "set-up measured imx708, 2304 x 1296, this camera is ov5647, 2304 x 1296: its "
    "exposure, colour and focus are not used until it is set up"
)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def vendor(monkeypatch: pytest.MonkeyPatch, clock: ManualClock) -> Iterator[ModuleType]:
    closing = threading.Event()
    closing.set()
    module, libcamera = picamera2_modules(clock, closing)
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    yield module


def controls(vendor: Any) -> dict[str, Any]:
    return dict(vendor.configured["controls"])


def is_used(vendor: Any) -> bool:
    asked = controls(vendor)
    return asked.get("LensPosition") == 2.4 and asked["ExposureTime"] == 20_000


def test_another_camera_is_not_set_as_the_last_one_was(
    vendor: Any, clock: ManualClock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    save(tmp_path, KEPT)
    vendor.cameras = ["ov5647"]
    with caplog.at_level(logging.WARNING):
        camera = camera_of(CONFIG, clock, tmp_path)
    camera.close()
    asked = controls(vendor)
    assert "LensPosition" not in asked and "ColourGains" not in asked
    assert asked["ExposureTime"] == round(EXPOSURE_S * 1e6)
    assert asked["AnalogueGain"] == GAIN
    assert camera.notes == (NOT_MINE,)
    assert [r.message for r in caplog.records].count(NOT_MINE) == 1
    assert vendor.opened == 1, "it was known before it was opened"

    vendor.cameras = ["imx708"]
    camera = camera_of(CONFIG, clock, tmp_path)
    camera.close()
    assert is_used(vendor) and camera.notes == ()


def test_another_size_is_another_calibration(
    vendor: Any, clock: ManualClock, tmp_path: Path
) -> None:
    save(tmp_path, KEPT)
    smaller = replace(CONFIG, camera=CameraConfig(width=1536))
    camera = camera_of(smaller, clock, tmp_path)
    camera.close()
    assert not is_used(vendor)
    assert "this camera is imx708, 1536 x 864" in camera.notes[0]
    assert vendor.opened == vendor.closed == 2
    camera = camera_of(CONFIG, clock, tmp_path)
    camera.close()
    assert is_used(vendor) and camera.notes == ()


def test_two_cameras_of_one_kind_keep_what_was_measured_of_each(
    vendor: Any, clock: ManualClock, tmp_path: Path
) -> None:
    """libcamera's id names the socket; the one in use is the first."""
    left, right = "/base/i2c@0/imx708", "/base/i2c@1/imx708"
    vendor.cameras = ["imx708", "imx708"]
    save(tmp_path, replace(KEPT, id=left, focus_dioptres=2.4))
    save(tmp_path, replace(KEPT, id=right, focus_dioptres=9.0))
    camera = camera_of(CONFIG, clock, tmp_path)
    camera.close()
    assert camera.id == left and is_used(vendor) and camera.notes == ()
    assert measured_with(tmp_path, camera).focus_dioptres == 2.4


def test_the_size_asked_for_has_its_own_even_if_another_is_newer(
    vendor: Any, clock: ManualClock, tmp_path: Path
) -> None:
    save(tmp_path, KEPT)
    save(tmp_path, replace(KEPT, size_wh_px=(1536, 864), focus_dioptres=9.0))
    camera = camera_of(CONFIG, clock, tmp_path)
    camera.close()
    assert is_used(vendor) and camera.notes == ()
    assert vendor.opened == vendor.closed


def test_what_an_older_release_kept_without_a_size_counts(
    vendor: Any, clock: ManualClock, tmp_path: Path
) -> None:
    (tmp_path / FILE).write_text(
        '{"camera": "imx708", "exposure_s": 0.02, "focus_dioptres": 2.4}'
    )
    assert load(tmp_path)[0].size_wh_px is None
    camera = camera_of(CONFIG, clock, tmp_path)
    camera.close()
    assert is_used(vendor) and camera.notes == ()


def test_set_up_of_another_camera_starts_from_nothing_of_the_last(
    vendor: Any, clock: ManualClock, tmp_path: Path
) -> None:
    save(tmp_path, KEPT)
    vendor.cameras = ["ov5647"]
    camera = camera_of(CONFIG, clock, tmp_path)
    camera.close()
    assert measured_with(tmp_path, camera) == Calibration()


def test_a_webcam_is_never_focused_as_the_ribbon_camera_was(
    clock: ManualClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its driver would keep autofocus off for good."""
    asked: list[CameraSettings] = []

    class Webcam:
        name, id, notes, size_wh_px = "C920", "C920 7F3A", (), (1280, 720)

        def __init__(self, wanted: str, clock: object, settings: Any) -> None:
            asked.append(settings)

    monkeypatch.setattr("hardware.parts.V4L2Camera", Webcam)
    monkeypatch.setattr(
        "hardware.parts.find_webcam",
        lambda wanted: hardware.v4l2.Webcam(Path("/dev/video0"), "C920", "C920 7F3A"),
    )
    save(tmp_path, KEPT)
    config = Config(hardware=HardwareConfig(camera="v4l2"))
    camera = camera_of(config, clock, tmp_path)
    assert [one.focus_dioptres for one in asked] == [None]
    assert "this camera is C920" in camera.notes[0]


@pytest.mark.parametrize(
    ("name", "size", "fits"),
    [
        ("imx708", (2304, 1296), True),
        ("imx708", None, True),
        ("imx708", (1536, 864), False),
        ("imx708_wide", (2304, 1296), False),
        ("", (2304, 1296), False),
    ],
)
def test_a_calibration_fits_by_name_and_size(
    name: str, size: tuple[int, int] | None, fits: bool
) -> None:
    measured, word = suited((KEPT,), "/base/i2c@0", name, size)
    assert measured == (KEPT if fits else Calibration())
    assert (word == "") is fits


def test_nothing_measured_is_nothing_to_say() -> None:
    assert suited((), "/base", "imx708", (1536, 864)) == (Calibration(), "")


def camera_part(bench: Bench) -> Part:
    return next(part for part in bench.live.parts if part.name == "camera")


def test_what_a_camera_has_to_say_is_on_the_page(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = Bench._camera

    def other(self: Bench) -> FakeCamera:
        camera = make(self)
        camera.notes = ("it has no LensPosition", NOT_MINE)
        return camera

    monkeypatch.setattr(Bench, "_camera", other)
    bench = make_bench()
    bench.roll()
    assert camera_part(bench).ok
    said = camera_part(bench).message.splitlines()
    assert said == ["it has no LensPosition", NOT_MINE]


class Settable(FakeCamera):
    """The scripted camera, with an exposure that can be set."""

    focus_range = None

    def adjust(self, settings: Any) -> None:
        """Take it; the frames are black all the same."""


def test_once_it_is_set_up_the_page_no_longer_says_so(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    save(tmp_path, KEPT)
    _, word = suited((KEPT,), "scripted", "scripted", (64, 48))

    def other(self: Bench) -> Settable:
        self.cameras.append(Settable(self.clock))
        self.cameras[-1].notes = ("it has no AfMode", word)
        return self.cameras[-1]

    monkeypatch.setattr(Bench, "_camera", other)
    bench = make_bench()
    bench.roll()
    workshop = open_workshop(
        bench.companion,
        CONFIG,
        tmp_path,
        bench.loop,
        Rulers((), (), tmp_path),
        Photos(tmp_path, 0),
        camera_settings,
    )
    bench.do("camera_tune", {})
    bench.turn()
    assert workshop.tuning == "done"
    assert camera_part(bench).message == "it has no AfMode"
    first, second = load(tmp_path)
    assert first == KEPT, "the other camera's is still there"
    assert (second.camera, second.id, second.size_wh_px) == (
        "scripted",
        "scripted",
        (64, 48),
    )
