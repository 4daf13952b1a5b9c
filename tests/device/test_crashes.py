"""A camera's driver that ends the process: no failed start, no endless loop."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from device.crashes import (
    COUNT,
    FILE,
    PATIENCE,
    CameraGuard,
    Crash,
    count_crash,
    keep_crashes,
    pause_s,
)
from device.errors import HardwareFault
from device.notify import HELD_S
from device.safemode import NO_WORDS, Start
from hardware.sim.clock import ManualClock
from tests.device.builders import FakeCamera

CLOSING = """Fatal Python error: Aborted

Current thread 0x00007ff2696d56c0 (most recent call first):
  File "/usr/lib/python3/dist-packages/picamera2/picamera2.py", line 660 in close
  File "/opt/dicelight/current/hardware/bounded.py", line 32 in run

Thread 0x00007ff269ed66c0 (most recent call first):
  File "/usr/lib/python3.13/threading.py", line 327 in wait
"""
NATIVE = """Fatal Python error: Aborted

Thread 0x00007ff269ed66c0 (most recent call first):
  File "/usr/lib/python3.13/threading.py", line 327 in wait
  File "/usr/lib/python3/dist-packages/picamera2/job.py", line 70 in get_result

Extension modules: numpy._core, libcamera._libcamera (total: 2)
"""
WATCHDOG = """Fatal Python error: Aborted

Thread 0x00007ff269ed66c0 (most recent call first):
  File "/usr/lib/python3/dist-packages/picamera2/job.py", line 70 in get_result

Current thread 0x00007ff2696d56c0 (most recent call first):
  File "/usr/lib/python3.13/threading.py", line 327 in wait
  File "/opt/dicelight/current/device/app.py", line 160 in serve_until_stopped

Extension modules: numpy._core, libcamera._libcamera (total: 2)
"""
READER = """Fatal Python error: Segmentation fault

Current thread 0x00007ff2696d56c0 (most recent call first):
  File "/opt/dicelight/current/vision/find.py", line 90 in find
"""


@pytest.mark.parametrize(
    ("text", "camera"),
    [(CLOSING, True), (NATIVE, True), (WATCHDOG, False), (READER, False)],
    ids=["closing", "native thread", "watchdog", "reader"],
)
def test_the_camera_is_blamed_for_what_its_driver_did(text: str, camera: bool) -> None:
    assert Crash(1.7e9, text).is_camera is camera


def crashed(state: Path, text: str) -> Start:
    """Do a start that ends by such a crash."""
    with keep_crashes(state) as before:
        start = Start(state, "key", before).__enter__()
        (state / FILE).write_text(text)
    return start


def test_a_vanished_camera_is_no_failed_start(tmp_path: Path) -> None:
    for _ in range(4):
        assert crashed(tmp_path, NATIVE).reason == ""
    assert json.loads((tmp_path / COUNT).read_text())["count"] == 3


def test_other_crashes_lead_to_safe_mode_as_ever(tmp_path: Path) -> None:
    for text in (READER, CLOSING, READER):
        assert crashed(tmp_path, text).reason == ""
    assert crashed(tmp_path, "").reason == NO_WORDS


def test_a_crash_is_told_once_and_a_kill_is_none(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with keep_crashes(tmp_path) as before:
        assert before is None
    crashed(tmp_path, READER)
    with keep_crashes(tmp_path) as before:
        assert before is not None and not before.is_camera
    assert "vision/find.py" in caplog.text
    with keep_crashes(tmp_path) as before:
        assert before is None
    assert list(tmp_path.glob(FILE)) == [], "a proper end leaves no file"


def test_a_record_that_somebody_removed_is_not_missed(tmp_path: Path) -> None:
    with keep_crashes(tmp_path):
        (tmp_path / FILE).unlink()


def test_a_folder_that_cannot_be_written_costs_no_start(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    with keep_crashes(tmp_path / "state") as before:
        assert before is None


def guard(state: Path, clock: ManualClock, opened: list[FakeCamera]) -> CameraGuard:
    def open_camera() -> FakeCamera:
        opened.append(FakeCamera(clock))
        return opened[-1]

    return CameraGuard(open_camera, state, clock)


def test_a_driver_that_crashes_at_every_start_is_left_alone_for_longer_and_longer(
    tmp_path: Path,
) -> None:
    clock = ManualClock()
    for count in range(1, PATIENCE + 3):
        count_crash(tmp_path, Crash(clock.wall_s(), NATIVE))
        opened: list[FakeCamera] = []
        careful = guard(tmp_path, clock, opened)
        if count >= PATIENCE:
            with pytest.raises(HardwareFault, match=f"{count} times in a row"):
                careful()
            clock.advance(pause_s(count) - 1)
            with pytest.raises(HardwareFault):
                careful()
            clock.advance(1)
        careful()
        assert len(opened) == 1
    assert [pause_s(n) for n in (0, 2, 3, 4)] == [0, 0, 60, 120]
    assert pause_s(99) == 3600


def test_a_camera_that_works_for_a_while_is_trusted_again(tmp_path: Path) -> None:
    clock = ManualClock()
    for _ in range(PATIENCE - 1):
        count_crash(tmp_path, Crash(clock.wall_s(), NATIVE))
    careful = guard(tmp_path, clock, [])
    careful.look()
    clock.advance(HELD_S + 1)
    careful.look()
    assert (tmp_path / COUNT).exists(), "it was never open"
    careful()
    clock.advance(HELD_S - 1)
    careful.look()
    assert (tmp_path / COUNT).exists()
    clock.advance(1)
    careful.look()
    assert not (tmp_path / COUNT).exists()


def test_crashes_days_apart_are_not_in_a_row(tmp_path: Path) -> None:
    for day in range(PATIENCE + 1):
        count_crash(tmp_path, Crash(1.7e9 + day * 86_400, NATIVE))
    opened: list[FakeCamera] = []
    guard(tmp_path, ManualClock(), opened)()
    assert len(opened) == 1


@pytest.mark.parametrize("text", ["", "[]", '{"count": "x"}', '{"count": 3}'])
def test_a_damaged_count_counts_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / COUNT).write_text(text)
    opened: list[FakeCamera] = []
    guard(tmp_path, ManualClock(), opened)()
    assert len(opened) == 1
