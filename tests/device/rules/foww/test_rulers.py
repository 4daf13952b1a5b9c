from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.device.rules.foww.asking import ask, fault

COLOURS = ["orange", "yellow", "red", "green", "blue", "black"]


@given(st.lists(st.sampled_from(COLOURS), min_size=1, max_size=12))
def test_rulers_end_to_end_add_up(ranges: list[str]) -> None:
    found = ask("ruler", ranges=ranges)
    inches = sum(2 * (COLOURS.index(colour) + 1) for colour in ranges)
    assert found["inches"] == inches
    assert found["mm"] == round(inches * 25.4)


@pytest.mark.parametrize("given_", [{}, {"ranges": []}])
def test_no_ruler_has_no_length(given_: dict) -> None:
    assert fault("ruler", **given_) == "ranges"


@pytest.mark.parametrize(
    ("near", "far", "long", "bands"),
    [
        (100, 130, 150, ["short", "long"]),
        (100, 100, 150, ["short"]),
        (100.5, 130, 150, ["long"]),
        (250, 280, 150, ["long"]),
        (250.5, 280, 150, []),
        (100, 130, None, ["short"]),
        (101, 130, None, []),
        (100, 130, 0, ["short", "long"]),
        (0, 0, 150, ["short"]),
    ],
)
def test_a_line_belongs_to_the_nearer_band(near, far, long, bands) -> None:
    found = ask("range_band", near=near, far=far, short=100, long=long)
    assert found["bands"] == bands
    assert found["in_range"] is bool(bands)
    assert found["choice"] is (len(bands) == 2)


def test_a_base_does_not_end_before_it_begins() -> None:
    assert fault("range_band", near=90, far=80, short=100) == "far"
    assert fault("range_band", near=-1, far=80, short=100) == "near"


def test_tenths_of_a_millimetre_are_exact() -> None:
    # 0.1 + 0.2 in binary is more than 0.3
    found = ask("range_band", near=0.3, far=1, short=0.1, long=0.2)
    assert found["bands"] == ["long"]
