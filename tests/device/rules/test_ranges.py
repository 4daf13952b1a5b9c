from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.data.load import bands, table
from device.errors import OutOfRange, UnknownTable
from device.rules.ranges import (
    find_band,
    inches_to_whole_mm,
    next_shorter,
    range_bands,
)

FOWW = bands("foww")
names = st.sampled_from([band.name for band in FOWW])


def test_the_six_rulers_run_from_orange_to_black() -> None:
    assert [(band.name, band.inches) for band in FOWW] == [
        ("orange", 2),
        ("yellow", 4),
        ("red", 6),
        ("green", 8),
        ("blue", 10),
        ("black", 12),
    ]


def test_a_length_in_millimetres_is_exact() -> None:
    lengths = [band.length_mm for band in FOWW]
    assert lengths == [50.8, 101.6, 152.4, 203.2, 254.0, 304.8]


@pytest.mark.parametrize("game", ["foww", "stalker", "special"])
def test_no_two_bands_of_a_game_look_alike_without_colour(game: str) -> None:
    dashes = [band.dash for band in bands(game)]
    assert len(set(dashes)) == len(dashes) > 0


def test_black_is_lit_in_white_dashes() -> None:
    black = find_band(FOWW, "black")
    assert black is not None
    assert black.light == "ffffff"
    assert "." in black.dash


def test_a_game_without_distances_has_no_bands() -> None:
    assert bands("munchkin") == ()


@given(names, st.integers(0, 10))
def test_stepping_never_goes_below_the_shortest(name: str, steps: int) -> None:
    band, taken = next_shorter(FOWW, name, steps)
    start = [b.name for b in FOWW].index(name)
    assert taken == min(steps, start)
    assert FOWW.index(band) == start - taken


def test_stepping_refuses_a_negative_step_and_an_unknown_band() -> None:
    with pytest.raises(OutOfRange):
        next_shorter(FOWW, "red", -1)
    with pytest.raises(UnknownTable, match="purple"):
        next_shorter(FOWW, "purple")


@given(st.integers(0, 200))
def test_whole_millimetres_are_the_nearest(inches: int) -> None:
    assert abs(inches_to_whole_mm(inches) - inches * 25.4) <= 0.5 + 1e-9


ROW = dict(table("bands")["foww"][0])


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"inches": 0}, "above 0"),
        ({"inches": 2.5}, "'inches' has the wrong type"),
        ({"colour": "orange"}, "six hex digits"),
        ({"dash": ".#"}, "a dash is"),
        ({"marks": ["middle"]}, "marks are among"),
        ({"note": "x"}, "unknown entry 'note'"),
    ],
)
def test_a_mistake_in_the_band_table_is_named(changes: dict, says: str) -> None:
    with pytest.raises(UnknownTable, match=says):
        range_bands({"test": [{**ROW, **changes}]}, "test")


def test_bands_out_of_order_or_alike_are_refused() -> None:
    longer = {**ROW, "name": "other", "inches": 4}
    with pytest.raises(UnknownTable, match="out of order"):
        range_bands({"test": [longer, ROW]}, "test")
    with pytest.raises(UnknownTable, match="share a dash"):
        range_bands({"test": [ROW, longer]}, "test")
    with pytest.raises(UnknownTable, match="list of tables"):
        range_bands({"test": ROW}, "test")
