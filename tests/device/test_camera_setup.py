"""Focus is found, exposure stays banding-free, what was measured is kept whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from device.camera_setup import (
    FILE,
    MOST_KEPT,
    Calibration,
    find_focus,
    load,
    next_exposure,
    save,
    suited,
)
from device.errors import ConfigError


@pytest.mark.parametrize("true", [0.0, 1.3, 2.39, 5.7, 9.9, 10.0])
def test_the_sharpest_focus_is_found_in_few_tries(true: float) -> None:
    tries = []

    def edge_at(dioptres: float) -> float | None:
        tries.append(dioptres)
        edge = 1.5 + 4 * abs(dioptres - true)
        # Far out of focus no marker is recognised at all.
        return edge if edge < 14 else None

    found = find_focus(edge_at, 0.0, 10.0)
    assert found == pytest.approx(true, abs=0.05)
    assert len(tries) <= 22 and len(set(tries)) == len(tries)


def test_no_marker_at_any_focus_is_none() -> None:
    assert find_focus(lambda dioptres: None, 0, 10) is None


@pytest.mark.parametrize("factor", [0.01, 0.2, 0.5, 1.0, 1.7, 3.0, 9.0, 100.0])
def test_exposure_is_a_multiple_of_ten_milliseconds_and_hits_the_brightness(
    factor: float,
) -> None:
    exposure_s, gain = next_exposure(0.01, 2.0, factor)
    assert exposure_s * 100 == pytest.approx(round(exposure_s * 100))
    assert 0.01 <= exposure_s <= 0.03
    assert 1.0 <= gain <= 8.0
    wanted = 0.02 * factor
    assert exposure_s * gain == pytest.approx(min(max(wanted, 0.01), 0.24))


def test_what_was_measured_is_kept_and_read_again(tmp_path: Path) -> None:
    assert load(tmp_path) == ()
    kept = Calibration("imx708", 0.02, 1.5, 2.4, (1.9, 1.4), (2304, 1296), "/i2c@0")
    save(tmp_path, kept)
    assert load(tmp_path) == (kept,)
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"gain": 900}', '{"gain": "much"}'])
def test_a_damaged_file_costs_the_calibration_not_the_start(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / FILE).write_text(text)
    assert load(tmp_path) == ()


def test_set_up_of_a_second_camera_leaves_the_first_as_it_was(tmp_path: Path) -> None:
    left = Calibration("imx708", 0.02, 1.5, 2.4, None, (2304, 1296), "/i2c@0")
    right = replace(left, focus_dioptres=3.1, id="/i2c@1")
    small = replace(left, focus_dioptres=2.5, size_wh_px=(1536, 864))
    for one in (left, right, small):
        save(tmp_path, one)
    again = replace(left, gain=2.0)
    save(tmp_path, again)
    assert load(tmp_path) == (right, small, again)
    for one in (right, small, again):
        assert suited(load(tmp_path), one.id, one.camera, one.size_wh_px) == (one, "")


def test_what_an_older_release_kept_is_replaced_by_what_is_measured_anew(
    tmp_path: Path,
) -> None:
    (tmp_path / FILE).write_text('{"camera": "imx708", "focus_dioptres": 2.4}')
    assert load(tmp_path) == (Calibration("imx708", focus_dioptres=2.4),)
    new = Calibration("imx708", 0.01, 2.0, 2.6, None, (2304, 1296), "/i2c@0")
    save(tmp_path, new)
    assert load(tmp_path) == (new,)


def test_two_cameras_of_a_kind_are_told_apart_in_words(tmp_path: Path) -> None:
    kept = Calibration("imx708", size_wh_px=(2304, 1296), id="/i2c@0/imx708@1a")
    measured, word = suited((kept,), "/i2c@1/imx708@1a", "imx708", (2304, 1296))
    assert measured == Calibration()
    assert "imx708, 2304 x 1296 (/i2c@0/imx708@1a), this camera is imx708" in word
    assert "(/i2c@1/imx708@1a)" in word


def test_so_many_cameras_are_remembered_and_no_more(tmp_path: Path) -> None:
    for number in range(MOST_KEPT + 3):
        save(tmp_path, Calibration("cam", id=str(number)))
    assert [one.id for one in load(tmp_path)][:2] == ["3", "4"]
    assert len(load(tmp_path)) == MOST_KEPT


def test_a_folder_that_cannot_be_written_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=FILE):
        save(tmp_path / "nowhere", Calibration())
