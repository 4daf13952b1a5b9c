"""The service beside a camera driver that aborts the process, as libcamera does.

A peer stands for Picamera2: while the file ``camera`` says so, a camera is there; when
that is gone, it fails and aborts when it is closed, or aborts in a thread of its own.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from device.crashes import PATIENCE, Crash, count_crash
from device.safemode import MARK
from tests.device.test_process import Joined
from tests.device.test_safemode import free_port

DRIVER = """
import ctypes, os, time
from pathlib import Path
import numpy as np

STATE = Path(__file__).with_name("camera")
LIBC = ctypes.CDLL(None)


def state():
    return STATE.read_text()


class Picamera2:
    camera_properties = {"PixelArraySize": (640, 480)}
    camera_controls = {}

    @classmethod
    def global_camera_info(cls):
        return [] if state() in ("gone", "pulled") else [{"Model": "peer"}]

    def __init__(self, index):
        if state() == "bad":
            os.abort()

    def create_video_configuration(self, **options):
        return options

    def configure(self, options):
        self.options = options

    def camera_configuration(self):
        return self.options

    def start(self):
        pass

    def cancel_all_and_flush(self):
        pass

    def capture_request(self, wait):
        return self

    def get_result(self, timeout):
        time.sleep(0.02)
        if state() == "gone":
            raise RuntimeError("Failed to queue buffer: No such device")
        if state() == "pulled":
            thread = ctypes.c_ulong()
            abort = ctypes.cast(LIBC.abort, ctypes.c_void_p)
            LIBC.pthread_create(ctypes.byref(thread), None, abort, None)
            time.sleep(timeout)
        return self

    def make_array(self, name):
        width, height = self.options[name]["size"]
        rows = height if name == "main" else height * 3 // 2
        return np.full((rows, width, 3) if name == "main" else (rows, width), 90, "u1")

    def get_metadata(self):
        return {"SensorTimestamp": time.monotonic_ns()}

    def release(self):
        pass

    def close(self):
        if state() == "gone":
            os.abort()
"""
CONTROLS = """
class controls:
    class AfModeEnum:
        Manual = 0
"""


class Service:
    """`dicelight run`, started again and again as systemd does."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self.state = folder / "state"
        self.state.mkdir()
        (folder / "picamera2").mkdir()
        (folder / "picamera2" / "__init__.py").write_text(DRIVER)
        (folder / "libcamera.py").write_text(CONTROLS)
        self.config = folder / "dicelight.toml"
        self.config.write_text(
            f"[server]\nhost = '127.0.0.1'\nport = {self._port}\n"
            "[hardware]\ncamera = 'picamera2'\n[camera]\nwidth = 640\n"
        )
        self.phone = Joined(f"http://127.0.0.1:{self._port}")
        self.process: subprocess.Popen[str] | None = None
        self.camera("there")

    def camera(self, what: str) -> None:
        """Have the peer behave so from now on."""
        path = self._folder / "picamera2" / "camera"
        path.with_suffix(".new").write_text(what)
        path.with_suffix(".new").replace(path)

    def start(self) -> str:
        """Start it; return what its first line says, once the page is there."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "device.cli", "run", "--config", str(self.config)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=self._environment(),
        )
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def join(self) -> None:
        said = subprocess.run(
            [sys.executable, "-m", "device.cli", "invite", "--config", self.config],
            capture_output=True,
            text=True,
            check=True,
            env=self._environment(),
        ).stdout
        found = re.search(r"the code ([\d ]+)", said)
        assert found is not None, said
        self.phone.join(found[1])

    def ends(self) -> int:
        """Wait for its end; return the status."""
        assert self.process is not None and self.process.stdout is not None
        with self.process.stdout:
            return self.process.wait(timeout=30)

    def part(self, name: str) -> dict[str, Any]:
        parts = self.phone.snapshot()["live"]["parts"]
        return next((one for one in parts if one["name"] == name), {"ok": None})

    def _environment(self) -> dict[str, str]:
        return {
            "DICELIGHT_STATE": str(self.state),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(self._folder),
        }


@pytest.fixture
def service(tmp_path: Path) -> Any:
    service = Service(tmp_path)
    yield service
    if service.process is not None and service.process.poll() is None:
        service.process.kill()
        service.ends()


def soon(true: Callable[[], bool], seconds: float = 40.0) -> bool:
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def test_a_camera_that_vanishes_takes_the_process_and_nothing_else(
    service: Service,
) -> None:
    assert "(picamera2)" in service.start()
    service.join()
    assert soon(lambda: service.part("camera")["ok"])
    for how in ("gone", "pulled"):
        # Both within seconds of the start, so that neither has held: two failed starts
        # would be one too many.
        told = service.phone.command("light_ruler", {"cue": {"band": "red"}})
        before = service.phone.state()
        service.camera(how)
        assert service.ends() == -signal.SIGABRT
        ended_s = time.time()
        assert "(picamera2)" in service.start(), "no safe mode"
        assert service.phone.state() == before
        assert before["seq"] >= told["events"][-1]
        camera = service.part("camera")
        assert camera["ok"] is False and camera["message"]
        assert ended_s - 5 <= camera["since_s"] <= ended_s, "not since the new start"
        assert service.part("start")["ok"] is None, "nothing is said of safe mode"
        service.phone.command("light_ruler", {"cue": {"band": "green"}})
        service.camera("there")
        assert soon(lambda: service.part("camera")["ok"] is True)
    assert service.process is not None
    service.process.terminate()
    assert service.ends() == 0
    assert not (service.state / MARK).exists()


def test_a_driver_that_always_aborts_does_not_take_the_page_for_ever(
    service: Service,
) -> None:
    for _ in range(PATIENCE - 1):
        count_crash(service.state, Crash(time.time(), "picamera2"))
    service.camera("bad")
    service.start()
    assert service.ends() == -signal.SIGABRT
    assert "(picamera2)" in service.start()
    service.join()
    camera = service.part("camera")
    assert not camera["ok"] and f"{PATIENCE} times in a row" in camera["message"]
    service.phone.command("open_check", {"check": "skill_check", "rating": 6})
    service.phone.command("enter_die", {"die": "skill", "face": "2"})
    assert service.phone.state()["state"]["content"]["check"]["status"] == "resolved"
