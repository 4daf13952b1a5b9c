"""Opening parts by the names of the config."""

import sys

import pytest

from device.errors import HardwareNotFound
from hardware.apa102 import Apa102Strip
from hardware.panel import NO_PANEL, PanelPins
from hardware.parts import find_problems, open_camera, open_panel, open_strip
from hardware.pins import SPI0
from hardware.settings import CameraSettings
from hardware.sim.faults import CameraFaults
from hardware.strips import DRIVERS, Strip
from hardware.ws2812 import Ws2812Strip


def strip(driver, address="", pixels=10):
    return Strip("s", pixels, 10, 5, 100, driver=driver, address=address)


def test_a_drawn_camera_takes_its_rate_and_faults(scene, clock):
    faults = CameraFaults()
    camera = open_camera(
        "drawn", clock, CameraSettings(rate_hz=10), tray=scene, faults=faults
    )
    first, second = camera.capture(), camera.capture()
    assert second.exposed_s - first.exposed_s == pytest.approx(0.1)
    assert camera.faults is faults


@pytest.mark.parametrize(
    ("kind", "source", "said"),
    [
        ("drawn", "", "takes a tray"),
        ("replay", "", "takes a folder"),
        ("replay", "/none", "no such file"),
        ("picamera2", "imx708", "takes a camera's number"),
        ("picamera2", "0", "python3-picamera2"),
        ("v4l2", "no such camera", "no webcam"),
        ("kinect", "", "there are picamera2, v4l2, replay, drawn"),
    ],
)
def test_cameras_that_are_not_there_are_said(monkeypatch, clock, kind, source, said):
    monkeypatch.setitem(sys.modules, "libcamera", None)
    with pytest.raises(HardwareNotFound, match=said):
        open_camera(kind, clock, source=source)


def test_every_driver_of_the_config_opens_or_says_why_not(monkeypatch):
    monkeypatch.setitem(sys.modules, "spidev", None)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    for driver in DRIVERS:
        if driver == "simulated":
            open_strip(strip(driver)).close()
        else:
            with pytest.raises(HardwareNotFound):
                open_strip(strip(driver))
    with pytest.raises(HardwareNotFound, match="no driver 'neon'"):
        open_strip(strip("neon"))


def test_spi_strips_open_on_their_address(spidev, mock_pins):
    first = open_strip(strip("apa102", "0.1"))
    second = open_strip(strip("ws2812", "1.0/8"))
    assert isinstance(first, Apa102Strip)
    assert isinstance(second, Ws2812Strip)
    assert spidev.opened == [(0, 1), (1, 0)]
    assert spidev.last.max_speed_hz == 6_400_000
    first.close()
    second.close()
    with pytest.raises(HardwareNotFound, match="SPI address"):
        open_strip(strip("ws2812", "0.0/88"))
    pieces = open_strip(strip("segments", "17 27", pixels=2), pin_factory=mock_pins)
    assert pieces.simulated
    pieces.close()


def test_a_simulated_panel_needs_no_pi():
    panel = open_panel("simulated", PanelPins())
    assert panel.simulated
    panel.lamp("confirm", True)
    panel.close()


def test_a_panel_beside_a_strip_keeps_off_its_pins(mock_pins):
    pins = PanelPins(confirm_button=11)
    with pytest.raises(HardwareNotFound, match="GPIO11 is already taken by SPI0 SCLK"):
        open_panel("gpiozero", pins, pin_factory=mock_pins, reserved=SPI0)
    with pytest.raises(HardwareNotFound, match="no panel 'tk'"):
        open_panel("tk", NO_PANEL)


def table(name, **more):
    return {
        "name": name,
        "pixels": 10,
        "pitch_mm": 10,
        "first_pixel_mm": 5,
        "limit_ma": 100,
    } | more


def test_pins_by_the_configs_names_leave_all_other_parts_out():
    pins = PanelPins.only({"buzzer_pin_bcm": 26, "undo_button": 6})
    assert pins.used() == {"undo_button": 6, "buzzer": 26}


def test_a_config_that_fits_together_has_no_problems():
    strips = [table("a"), table("b", driver="wled", address="10.0.0.2")]
    assert find_problems(strips, {"buzzer_pin_bcm": 26}) == []
    assert find_problems([], {}) == []


def test_clashes_between_strips_and_panel_are_all_said():
    strips = [
        table("a"),
        table("b", driver="ws2812", address="0.1"),
        table("c", driver="segments", address="17 29", pixels=2),
        table("d", address="spi"),
    ]
    problems = find_problems(strips, {"buzzer_pin_bcm": 17, "undo_button_pin_bcm": 11})
    assert [problem.split(" is ")[0] for problem in problems] == [
        "strip b: its pins are taken by strip a",
        "strip c, pin 2: 29",
        "strip d: SPI address 'spi': expected bus and device, e.g. 0.0",
        "buzzer_pin_bcm: GPIO17",
        "undo_button_pin_bcm: GPIO11",
    ]


def test_wrong_tables_are_said_beside_wrong_pins():
    problems = find_problems([{"name": "a"}], {"buzzer_pin_bcm": 99})
    assert any("strip[0].pixels: missing" in problem for problem in problems)
    assert any("buzzer_pin_bcm: 99" in problem for problem in problems)
