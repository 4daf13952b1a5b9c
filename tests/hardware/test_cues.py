"""Cues from JSON."""

import pytest

from device.errors import BadInput
from hardware.bars import Bars
from hardware.cues import OFF, Cue, parse_cue
from tests.hardware.conftest import FOWW


@pytest.mark.parametrize(
    ("json", "cue"),
    [
        ({"bands": ["yellow", "green"], "origin_mm": 0}, Cue(("yellow", "green"))),
        ({"band": "red"}, Cue(("red",))),
        ({"band": "red", "origin_mm": -12.5}, Cue(("red",), origin_mm=-12.5)),
        ({"length_mm": 203}, Cue(length_mm=203.0)),
        ({"area": {"from_mm": 0, "to_mm": 203}}, Cue(area_mm=(0.0, 203.0))),
        ({"lengths_mm": [203, 51]}, Cue(lengths_mm=(203.0, 51.0))),
        (
            {"bars": {"steps": 10, "step_mm": 14, "gap_mm": 20, "lit": [3, 10]}},
            Cue(bars=Bars(10, 14.0, 20.0, (3, 10))),
        ),
        ({"off": True}, OFF),
    ],
)
def test_a_cue_is_read_and_written_back(json, cue):
    assert parse_cue(json, FOWW) == cue
    assert parse_cue(cue.as_json(), FOWW) == cue


@pytest.mark.parametrize(
    ("json", "field"),
    [
        ([], ""),
        ("red", ""),
        (None, ""),
        ({}, ""),
        ({"origin_mm": 0}, ""),
        ({"band": "red", "length_mm": 5}, "length_mm"),
        ({"band": "red", "off": True}, "off"),
        ({"bnad": "red"}, "bnad"),
        ({"band": "pink"}, "band"),
        ({"lengths_mm": []}, "lengths_mm"),
        ({"lengths_mm": [20, 0]}, "lengths_mm[1]"),
        ({"bars": [1]}, "bars"),
        ({"bars": {"steps": 10, "step_mm": 5, "lit": [11]}}, "bars.lit[0]"),
        ({"bars": {"steps": 0, "step_mm": 5, "lit": [0]}}, "bars.steps"),
        ({"bars": {"steps": 2, "step_mm": 0, "lit": [0]}}, "bars.step_mm"),
        ({"bars": {"steps": 2, "step_mm": 5, "lit": []}}, "bars.lit"),
        ({"bars": {"steps": 2, "step_mm": 5, "lit": [1], "hue": 1}}, "bars.hue"),
        ({"band": None}, "band"),
        ({"band": ["red"]}, "band"),
        ({"bands": "red"}, "bands"),
        ({"bands": []}, "bands"),
        ({"bands": ["red"] * 13}, "bands"),
        ({"bands": ["red", "white"]}, "bands[1]"),
        ({"bands": ["red", 7]}, "bands[1]"),
        ({"length_mm": 0}, "length_mm"),
        ({"length_mm": -1}, "length_mm"),
        ({"length_mm": "203"}, "length_mm"),
        ({"length_mm": True}, "length_mm"),
        ({"length_mm": float("nan")}, "length_mm"),
        ({"length_mm": float("inf")}, "length_mm"),
        ({"length_mm": 10**400}, "length_mm"),
        ({"band": "red", "origin_mm": None}, "origin_mm"),
        ({"band": "red", "origin_mm": -1e9}, "origin_mm"),
        ({"area": 203}, "area"),
        ({"area": {"from_mm": 0}}, "area.to_mm"),
        ({"area": {"from_mm": 0, "to_mm": "9"}}, "area.to_mm"),
        ({"area": {"from_mm": 9, "to_mm": 9}}, "area"),
        ({"area": {"from_mm": 0, "to_mm": 9, "by": 1}}, "area.by"),
        ({"off": False}, "off"),
        ({"off": 1}, "off"),
        ({"off": True, "origin_mm": 0}, "origin_mm"),
    ],
)
def test_a_wrong_cue_names_the_field(json, field):
    with pytest.raises(BadInput) as caught:
        parse_cue(json, FOWW)
    assert caught.value.field == field


def test_a_slip_gets_a_hint():
    with pytest.raises(BadInput, match="did you mean 'bands'"):
        parse_cue({"bandss": ["red"]}, FOWW)
