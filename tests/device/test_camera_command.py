"""`dicelight camera`: a photograph judged, a Pi's camera set by the frame."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.camera_setup import load
from device.camera_tuning import tune
from device.cli import main
from hardware.settings import CameraSettings
from tests.vision.test_view import shot
from vision.frame import Frame, Image


def test_a_photograph_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, blurred = tmp_path / "good.png", tmp_path / "blurred.png"
    cv2.imwrite(str(good), shot())
    cv2.imwrite(str(blurred), cv2.GaussianBlur(shot(), (0, 0), 3))
    assert main(["camera", "--image", str(good), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["good"] and said["markers"] == 4
    assert main(["camera", "--image", str(blurred)]) == 1
    assert "out of focus" in capsys.readouterr().out


def test_no_camera_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DICELIGHT_STATE", str(tmp_path))
    config = tmp_path / "none.toml"
    config.write_text('[hardware]\ncamera = "none"\n')
    assert main(["camera", "--config", str(config)]) == 2
    assert "hardware.camera names no camera" in capsys.readouterr().err


class Lens:
    """A camera on the Pi's cable: light, colour and focus follow what is set."""

    name, id = "imx708", "/base/i2c@88000/imx708@1a"
    simulated = False
    size_wh_px = (1536, 864)
    notes = ()
    focus_range = (0.0, 10.0)
    TRUE_FOCUS = 2.4
    BEST = 0.05
    """Exposure times gain at which the drawn picture is as drawn."""

    def __init__(self, settings: CameraSettings) -> None:
        self.settings = settings
        self.drawn: Image = shot()
        self.closed = False

    def adjust(self, settings: CameraSettings) -> None:
        self.settings = settings

    def capture(self, timeout_s: float = 2.0) -> Frame:
        asked = self.settings
        amount = (asked.exposure_s or 0.01) * (asked.gain or 1.0) / self.BEST
        red, blue = asked.colour_gains or (1.0, 1.0)
        tint = np.array([0.7 * blue, 1.0, 0.8 * red])
        light = (self.drawn / 255.0) ** 2.2 * amount
        image = np.clip(np.clip(light, 0, 1) ** (1 / 2.2) * 255 * tint, 0, 255)
        off = abs((asked.focus_dioptres or 0.0) - self.TRUE_FOCUS)
        image = image.astype(np.uint8)
        if off > 0.05:
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), 2.5 * off))
        return Frame(image, 0.0, 0)

    def close(self) -> None:
        self.closed = True


def test_focus_exposure_and_colour_are_set_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lens = Lens(CameraSettings(exposure_s=0.01, gain=2.0))
    monkeypatch.setattr("device.fitting.camera_of", lambda config, clock, state: lens)
    monkeypatch.setitem(tune.__kwdefaults__, "late_frames", 1)
    # Few steps: drawing and judging a picture takes half a second.
    monkeypatch.setattr("device.camera_setup.COARSE", 5)
    monkeypatch.setattr("device.camera_setup.FINE", 3)
    monkeypatch.setenv("DICELIGHT_STATE", str(tmp_path))
    config = tmp_path / "pi.toml"
    config.write_text('[hardware]\ncamera = "picamera2"\n')
    assert main(["camera", "--config", str(config), "--save"]) == 0
    said = capsys.readouterr().out
    assert "all well" in said
    (kept,) = load(tmp_path)
    assert kept.id == lens.id
    assert (kept.camera, kept.size_wh_px) == ("imx708", (1536, 864))
    assert kept.focus_dioptres == pytest.approx(Lens.TRUE_FOCUS, abs=0.2)
    assert kept.exposure_s is not None and kept.gain is not None
    assert kept.exposure_s * kept.gain == pytest.approx(Lens.BEST, rel=0.4)
    red, blue = kept.colour_gains or (0, 0)
    assert red / blue == pytest.approx(0.7 / 0.8, rel=0.25)
    assert lens.closed
