"""A ruler measured at two points, and what becomes of it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from device.cli import main
from device.errors import ConfigError
from device.strip_setup import FILE, measured, save
from hardware.fit import walk
from hardware.rulers import estimate_ma, limited
from hardware.strips import parse_strips

TABLE = {
    "name": "ruler",
    "pixels": 60,
    "pitch_mm": 16.67,
    "first_pixel_mm": 8.0,
    "limit_ma": 150,
    "driver": "simulated",
}
CONFIG = "[[strip]]\n" + "".join(f"{k} = {json.dumps(v)}\n" for k, v in TABLE.items())


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DICELIGHT_STATE", str(tmp_path / "state"))
    path = tmp_path / "dicelight.toml"
    path.write_text(CONFIG)
    return path


def calibrate(config: Path, *more: str) -> int:
    return main(["calibrate", "ruler", "--config", str(config), *more])


def test_two_points_give_pitch_and_offset_and_are_used_from_then_on(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    points = ("--point", "0=12.0", "--point", "59=984.0")
    assert calibrate(config, *points, "--json", "--save") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["pitch_mm"] == pytest.approx(972 / 59, abs=1e-3)
    assert said["first_pixel_mm"] == 12.0
    assert said["error_mm"] == 0
    (strip,) = measured(config.parent / "state", parse_strips([TABLE]))
    assert strip.positions_mm()[[0, 59]] == pytest.approx([12.0, 984.0])


def test_a_third_point_tells_the_remaining_error(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    points = ("--point", "0=12", "--point", "30=510.2", "--point", "59=984")
    assert calibrate(config, *points) == 0
    said = capsys.readouterr().out
    assert "error 2.6 mm" in said and "not kept" in said
    assert not (config.parent / "state" / FILE).exists()


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--point", "0=12"), "two or more"),
        (("--point", "0=12", "--point", "99=40"), "of 0 to 59"),
        (("--point", "0=12", "--point", "x=40"), "expected LED=MM"),
        (("--point", "0=12", "--point", "59=12.5"), "mixed up"),
        (("--light", "60"), "no LED 60"),
    ],
)
def test_bad_points_are_one_line_with_exit_2(
    config: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], says: str
) -> None:
    assert calibrate(config, *more) == 2
    said = capsys.readouterr().err
    assert says in said and said.count("\n") == 1


def test_a_strip_changed_in_the_config_is_as_the_config_says(tmp_path: Path) -> None:
    (before,) = parse_strips([TABLE])
    (learned,) = parse_strips([TABLE | {"pitch_mm": 16.1, "first_pixel_mm": 3.0}])
    save(tmp_path, before, learned)
    assert measured(tmp_path, (before,)) == (learned,)
    (other,) = parse_strips([TABLE | {"first_pixel_mm": 9.0}])
    assert measured(tmp_path, (other,)) == (other,)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"ruler": 3}', '{"ruler": {"was": {}, "is": {}}}']
)
def test_a_damaged_file_costs_the_measurement_alone(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    strips = parse_strips([TABLE])
    assert measured(tmp_path, strips) == strips


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    (strip,) = parse_strips([TABLE])
    with pytest.raises(ConfigError, match=FILE):
        save(tmp_path / "nowhere", strip, strip)


def test_the_walking_light_stays_within_the_limit() -> None:
    (strip,) = parse_strips([TABLE | {"limit_ma": 121}])
    shown = limited(strip, walk(strip, 30))
    assert estimate_ma(shown) <= 121
    assert np.flatnonzero(shown.any(axis=1)).tolist() == [30]
    (strong,) = parse_strips([TABLE])
    assert limited(strong, walk(strong, 30)).max() == 255
