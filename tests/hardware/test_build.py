"""The building page says what the code does."""

import math
import re
import shlex
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from device.cli import _parser
from device.cli import main as dicelight
from device.config import parse_config
from device.errors import ConfigError
from device.fitting import hardware_problems
from hardware import power
from hardware.build_tables import CAMERAS, camera_height_mm, filled, header_svg
from hardware.panel import PanelPins
from hardware.parts import find_problems
from hardware.pins import PHYSICAL
from hardware.rulers import CHANNEL_MA, IDLE_MA
from hardware.strips import DRIVERS, parse_strips
from hardware.tray_drawing import DIE_MM, LAMP_MM, design, main, tray_svg
from systemd.installer.program import install

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
    blocks = [tomllib.loads(b) for b in re.findall(r"```toml\n(.*?)```", PAGE, re.S)]
    assert len(blocks) == 3
    for block in blocks:
        config = parse_config(block, hardware_problems)
        assert find_problems(config.strip, PINS.used()) == []
    # Together too: ruler, segments' pins and panel of one table.
    pins = parse_config(blocks[2], hardware_problems).panel.pins
    assert {name.removesuffix("_pin_bcm"): pin for name, pin in pins.items()} == (
        PINS.used()
    )


def test_the_example_config_has_the_same_pins():
    example = (FOLDER.parent / "device/data/dicelight.toml.example").read_text("utf-8")
    pins = parse_config(tomllib.loads(example), hardware_problems).panel.pins
    assert {name.removesuffix("_pin_bcm"): pin for name, pin in pins.items()} == (
        PINS.used()
    )


def test_a_strip_without_a_limit_is_refused():
    (block, *_) = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
    without = re.sub(r"limit_ma = .*\n", "", block)
    with pytest.raises(ConfigError, match="limit_ma"):
        parse_config(tomllib.loads(without), hardware_problems)


def said(pattern):
    """Return the number at the one place of the page that a pattern finds."""
    flat = " ".join(PAGE.split())
    (found,) = re.findall(pattern, flat)
    return float(found)


def test_the_figures_in_the_text_are_those_of_the_code():
    assert said(r"the Pi gives ([\d.]+) V") == power.PI_HIGH_V
    assert said(r"a strip on 5 V wants ([\d.]+) V") == pytest.approx(
        power.INPUT_HIGH * power.STRIP_V
    )
    assert power.needs_shifter() and "level shifter" in PAGE
    assert said(r"([\d.]+) mA for a dark LED") == IDLE_MA
    assert said(r"([\d.]+) mA for each colour") == CHANNEL_MA
    assert said(r"write (\d+) % of what it can give") == 100 * power.LIMIT_SHARE
    assert said(r"Twelve segments [^:]*: (\d+) mA") == 12 * CHANNEL_MA
    assert said(r"12 V supply, 2 A, and a fuse of (\d+) A") == power.fuse_a(12 * 20)
    assert said(r"At 60 LEDs a metre [^.]* up to ([\d.]+) mm") == pytest.approx(
        power.longest_short_fall_mm(60), abs=0.05
    )
    assert said(r"at 144 up to ([\d.]+) mm") == pytest.approx(
        power.longest_short_fall_mm(144), abs=0.05
    )
    assert said(r"two desk lamps, (\d+) mm over the floor") == LAMP_MM


@pytest.mark.parametrize("strip", range(2))
def test_the_strips_shown_have_a_fuse_and_a_wire_in_the_table(strip):
    blocks = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
    (shown,) = parse_strips(tomllib.loads(blocks[strip])["strip"])
    assert power.fuse_a(shown.limit_ma) > shown.limit_ma / 1000
    if shown.driver == "apa102":
        row = f"| {shown.limit_ma:g} | 5 V, 3 A | 3 A | 0.5 mm2 |"
        assert row in PAGE


def test_fuse_wire_and_feeds_keep_their_rules():
    for limit_ma in range(100, 15_000, 50):
        fuse = power.fuse_a(limit_ma)
        assert limit_ma / 1000 < fuse
        for run_m in (0.5, 1, 2):
            if fuse * run_m > 20:
                continue
            wire = power.wire_mm2(fuse, run_m)
            lost_v = 2 * run_m * fuse * power.OHM_MM2_PER_M / wire
            assert lost_v <= power.DROP_V
    assert power.feeds(2.4, 1) == 1 and power.feeds(8.8, 1) == 2
    assert not power.needs_shifter(4.7), "a strip on less than 4.7 V reads a Pi's one"
    for wrong in (
        lambda: power.fuse_a(40_000),
        lambda: power.wire_mm2(20, 5),
        lambda: power.feeds(30, 5),
    ):
        with pytest.raises(ValueError):
            wrong()


COMMANDS = re.compile(
    r"^    (?:sudo )?(\S.*?)(?:  +#.*)?$|`(\.venv/bin/[^` ]+ [^`]+)`", re.M
)


def commands():
    found = [a or b for a, b in COMMANDS.findall(PAGE)]
    return [re.sub(r"^\.venv/bin/", "", line) for line in found]


@pytest.mark.parametrize("line", commands())
def test_every_command_is_one_that_there_is(line, tmp_path, monkeypatch, capsys):
    words = shlex.split(line)
    monkeypatch.chdir(tmp_path)
    if words[0] == "dicelight":
        assert _parser(words[1:]).parse_args(words[1:]).run
    elif words[:3] == ["python", "-m", "hardware.tray_drawing"]:
        assert main(words[3:]) == 0 and (tmp_path / "tray.svg").stat().st_size
    elif words[0] == "systemd/install":
        assert (FOLDER.parent / words[0]).exists()
        with pytest.raises(SystemExit):
            install(FOLDER.parent, ["--help"])
        assert all(word in capsys.readouterr().out for word in words[1:])
    elif words[0] == "make":
        makefile = (FOLDER.parent / "Makefile").read_text("utf-8")
        assert f"\n{words[1]}:" in makefile
    else:
        assert words in (
            ["reboot"],
            ["systemctl", "stop", "dicelight"],
            ["systemctl", "start", "dicelight"],
        )


def test_a_builder_measures_the_strip_as_the_page_says(tmp_path, monkeypatch, capsys):
    """The page's own config and lines, with a simulated strip in place of the real."""
    monkeypatch.setenv("DICELIGHT_STATE", str(tmp_path / "state"))
    (block, *_) = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
    config = tmp_path / "dicelight.toml"
    config.write_text(block.replace('"apa102"', '"simulated"'))
    ran = 0
    for line in commands():
        words = shlex.split(line)
        if words[:2] == ["dicelight", "calibrate"] and "--point" in words:
            assert dicelight([*words[1:], "--config", str(config)]) == 0
            ran += 1
        if words[:2] == ["dicelight", "mat"]:
            monkeypatch.chdir(tmp_path)
            assert dicelight(words[1:]) == 0
            assert (tmp_path / words[-1]).read_bytes().startswith(b"%PDF")
            ran += 1
    assert ran == 2
    assert "pitch 16.636 mm, LED 0 at 8.5 mm" in capsys.readouterr().out
    assert (tmp_path / "state" / "strips.json").exists()


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
