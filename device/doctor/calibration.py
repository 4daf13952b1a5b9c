"""The doctor looks whether the camera is the one that was set up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from device.camera_setup import Calibration, called, load, suited
from device.config import Config
from device.doctor.finding import Finding
from device.errors import HardwareError
from hardware.v4l2 import find_webcam

NAME: Final = "camera set-up"
SETTABLE: Final = ("picamera2", "v4l2")

Opened = tuple[str, tuple[int, int]]
"""Name of the camera that is in use, and the size of its images."""


def look(
    config: Config, state: Path, opened: Opened | None, listed: str
) -> Iterator[Finding]:
    """Compare what set-up measured with the camera that is there.

    Args:
        config: Checked.
        state: State folder.
        opened: What this program has open; None where it has none.
        listed: Camera that libcamera names first, "" where it names none.
    """
    kept = load(state)
    kind = config.hardware.camera
    if kind not in SETTABLE or kept == Calibration():
        return
    listed_wh: tuple[int, int] | None = None
    name, size = opened or (_named(config, listed), listed_wh)
    measured = called(kept.camera, kept.size_wh_px)
    if not name:
        yield Finding(
            NAME,
            "note",
            f"measured with {measured}; which camera is there now cannot be seen",
        )
        return
    _, word = suited(kept, name, size)
    if word:
        yield Finding(
            NAME,
            "note",
            word,
            "measure again (page: Set-up, Camera), or connect the other camera",
        )
    else:
        yield Finding(NAME, "ok", f"measured with {measured}")


def _named(config: Config, listed: str) -> str:
    """Return the name of the camera that would be opened, "" where none is seen."""
    if config.hardware.camera == "picamera2":
        return listed
    try:
        return find_webcam(config.camera.device)[1]
    except HardwareError:
        return ""
