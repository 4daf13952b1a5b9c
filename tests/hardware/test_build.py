"""The building page says what the code does."""

import math
import re
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from hardware.build_tables import CAMERAS, camera_height_mm, filled, header_svg
from hardware.panel import PanelPins
from hardware.parts import find_problems
from hardware.pins import PHYSICAL
from hardware.strips import DRIVERS, parse_strips
from hardware.tray_drawing import DIE_MM, LAMP_MM, design, main, tray_svg

FOLDER = Path(__file__).parents[2] / "hardware"
PAGE = (FOLDER / "BUILD.md").read_text("utf-8")
PINS = PanelPins()


def test_the_tables_are_those_the_code_makes():
    assert filled(PAGE) == PAGE, "run python -m hardware.build_tables"


def test_the_drawing_is_the_one_the_code_makes_and_shows_every_wire():
    drawn = (FOLDER / "wiring.svg").read_text("utf-8")
    assert drawn == header_svg(PINS), "run python -m hardware.build_tables"
    texts = [node.text for node in ET.fromstring(drawn).iter() if node.text]
    for bcm in (*PINS.used().values(), 10, 11):
        assert any(text.startswith(f"GPIO{bcm} ") for text in texts)


@pytest.mark.parametrize("bcm", [*PINS.used().values(), 10, 11])
def test_every_wire_of_the_usual_pins_is_in_the_table(bcm):
    assert f"| {PHYSICAL[bcm]} | GPIO{bcm} |" in PAGE


def test_other_pins_make_another_table():
    assert filled(PAGE.replace("| GPIO26 |", "| GPIO27 |")) == PAGE


def test_the_configs_shown_are_right_and_fit_the_usual_pins():
    blocks = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.S)
    assert len(blocks) == 2
    for block in blocks:
        strips = tomllib.loads(block)["strip"]
        parse_strips(strips)
        assert find_problems(strips, PINS.used()) == []


def test_every_driver_is_explained():
    for driver in DRIVERS:
        assert f"`{driver}`" in PAGE


def test_the_camera_sees_the_view_from_the_height_given():
    assert camera_height_mm(90, 90, (400, 300)) == pytest.approx(200)
    assert camera_height_mm(66, 41, (300, 215)) == pytest.approx(287.5, abs=1)


def test_the_tray_drawing_is_the_one_the_code_makes():
    drawn = (FOLDER / "tray.svg").read_text("utf-8")
    assert drawn == tray_svg(design("Camera Module 3", (300, 215))), "run build_tables"
    assert "[tray.svg](tray.svg)" in PAGE


@pytest.mark.parametrize("view", [(300.0, 215.0), (420.0, 300.0)])
@pytest.mark.parametrize(("camera", "across", "down"), CAMERAS)
def test_the_trays_measures_follow_from_the_field_of_view(camera, across, down, view):
    tray = design(camera, view)
    for side, degrees in zip(view, (across, down), strict=True):
        seen = 2 * tray.lens_mm * math.tan(math.radians(degrees) / 2)
        assert seen >= side
    assert tray.lens_mm <= 1.1 * camera_height_mm(across, down, view) + 10
    # No place in the view mirrors a lamp into the lens, whatever die lies there.
    for half, ring in zip(view, tray.ring_wh_mm, strict=True):
        for at in np.linspace(0, half / 2, 20):
            lens_angle = math.atan2(at, tray.lens_mm - DIE_MM)
            lamp_angle = math.atan2(ring / 2 - at, LAMP_MM - DIE_MM)
            assert lamp_angle >= lens_angle - 1e-9
    assert tray.post_mm > view[1] / 2
    drawn = "".join(ET.fromstring(tray_svg(tray)).itertext())
    for number in (tray.lens_mm, *tray.ring_wh_mm, *view, tray.post_mm):
        assert f"{number:g}" in drawn


def test_a_tray_that_cannot_be_is_refused(tmp_path, capsys):
    out = str(tmp_path / "tray.svg")
    assert main(["--view", "420x300", "-o", out]) == 0
    for wrong in (["--view", "3x4"], ["--view", "big"], ["--camera", "box"]):
        assert main([*wrong, "-o", out]) == 2
        assert capsys.readouterr().err.startswith("tray_drawing: ")
