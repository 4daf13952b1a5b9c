"""The bench of the light: short runs, that it measures what it says."""

from __future__ import annotations

import pytest

from device import bench_light


def test_a_moving_ruler_costs_little_and_a_still_one_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bench_light, "MOVING_S", 1.5)
    monkeypatch.setattr(bench_light, "STILL_S", 1.0)
    figures = {one.name: one for one in bench_light.measure_light()}
    for chip in ("APA102", "WS2812"):
        encoding = figures[f"encode 300 LEDs, {chip}"]
        assert encoding.kept and encoding.value is not None and encoding.value > 0
    moving = figures["300 LEDs at 30 pictures/s, one core"]
    assert moving.count > 10, "pictures were shown"
    # Other work on a shared machine makes it dearer; ten times is a mistake of ours.
    assert moving.value is not None and 0 < moving.value < 30
    again = figures["a still picture, sent again"]
    assert again.value == 0
