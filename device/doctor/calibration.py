"""The doctor looks whether the camera is the one that was set up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

from device.camera_setup import called, load, suited
from device.config import Config
from device.doctor.finding import Finding
from device.errors import HardwareError
from hardware.parts import know_camera

NAME: Final = "camera set-up"
SETTABLE: Final = ("picamera2", "v4l2")


class Opened(Protocol):
    """A camera that is in use; `device.ports.Camera`."""

    name: str
    id: str
    size_wh_px: tuple[int, int]


def look(
    config: Config, state: Path, opened: Opened | None, listed: tuple[str, str] | None
) -> Iterator[Finding]:
    """Compare what set-up measured with the camera that is there.

    Args:
        config: Checked.
        state: State folder.
        opened: What this program has open; None where it has none.
        listed: Id and name of the camera that libcamera lists first; None for none.
    """
    kept = load(state)
    kind = config.hardware.camera
    if kind not in SETTABLE or not kept:
        return
    size: tuple[int, int] | None = None
    if opened is not None:
        known: tuple[str, str] | None = (opened.id, opened.name)
        size = opened.size_wh_px
    else:
        known = listed if kind == "picamera2" else _webcam(config)
    if known is None:
        yield Finding(
            NAME,
            "note",
            f"measured with {called(kept[-1])}; which camera is there now cannot be "
            "seen",
        )
        return
    measured, word = suited(kept, *known, size)
    if word:
        yield Finding(
            NAME,
            "note",
            word,
            "measure again (page: Set-up, Camera), or connect the other camera",
        )
    else:
        yield Finding(NAME, "ok", f"measured with {called(measured)}")


def _webcam(config: Config) -> tuple[str, str] | None:
    """Return id and name of the webcam that would be opened, None for none."""
    try:
        return know_camera("v4l2", config.camera.device)
    except HardwareError:
        return None
