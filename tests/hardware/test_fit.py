"""Learning a strip's pitch and offset."""

import numpy as np
import pytest

from device.errors import CalibrationError
from hardware.fit import fit_strip, walk
from hardware.strips import Gap, Strip

GUESS = Strip("s", 60, 16, 0, 600)


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("gaps", [(), (Gap(20, 12.5), Gap(40, -3.0))])
def test_two_points_give_pitch_offset_and_direction(is_reversed, gaps):
    true = Strip("s", 60, 16.67, 31.5, 600, reversed=is_reversed, gaps=gaps)
    at_mm = true.positions_mm()
    fit = fit_strip(
        Strip("s", 60, 10, 0, 600, gaps=gaps), [(5, at_mm[5]), (55, at_mm[55])]
    )
    assert np.allclose(fit.strip.positions_mm(), at_mm)
    assert fit.strip.reversed == is_reversed
    assert fit.error_mm == pytest.approx(0, abs=1e-6)


def test_more_points_show_the_error_that_is_left():
    fit = fit_strip(GUESS, [(0, 10.0), (30, 511.0), (59, 995.0)])
    assert 0.1 < fit.error_mm < 1.0
    assert fit.strip.pitch_mm == pytest.approx(16.7, abs=0.05)


@pytest.mark.parametrize(
    "points",
    [[], [(0, 1.0)], [(3, 1.0), (3, 9.0)], [(0, 1.0), (60, 900.0)], [(-1, 1), (3, 9)]],
)
def test_too_few_or_foreign_leds_are_refused(points):
    with pytest.raises(CalibrationError, match="measure two or more LEDs of 0 to 59"):
        fit_strip(GUESS, points)


def test_points_in_one_place_are_refused():
    with pytest.raises(CalibrationError, match=r"pitch of 0\.00 mm"):
        fit_strip(GUESS, [(0, 10.0), (59, 10.0)])


def test_the_walk_lights_one_led():
    assert np.flatnonzero(walk(GUESS, 7).any(axis=1)).tolist() == [7]
    with pytest.raises(ValueError, match="no LED 60"):
        walk(GUESS, 60)
