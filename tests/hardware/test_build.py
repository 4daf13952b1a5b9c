"""The building page says what the code does."""

import re
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from hardware.build_tables import camera_height_mm, filled, header_svg
from hardware.panel import PanelPins
from hardware.parts import find_problems
from hardware.pins import PHYSICAL
from hardware.strips import DRIVERS, parse_strips

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
