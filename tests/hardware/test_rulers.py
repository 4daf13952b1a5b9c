"""Cues to pixels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.errors import BadInput
from hardware.bars import Bars
from hardware.rulers import OFF, Cue, Gap, Strip, estimate_ma, light, uncovered_mm
from tests.hardware.conftest import FOWW

INCH = 25.4
METRE_60 = Strip("edge", 60, 1000 / 60, 1000 / 120, 5000)


def shown(cue, *strips, **options):
    return light(cue, strips or (METRE_60,), FOWW, **options)


def lit(strip_light):
    return np.flatnonzero(strip_light.pixels.any(axis=1))


def is_yellow(pixels):
    return (pixels[:, 0] > 0) & (pixels[:, 1] > 0) & (pixels[:, 2] == 0)


def is_green(pixels):
    return (pixels[:, 0] == 0) & (pixels[:, 1] > 0)


@pytest.mark.parametrize("pitch_mm", [1000 / 30, 1000 / 60, 1000 / 144, 12.7])
@pytest.mark.parametrize("first_mm", [0.0, 3.2, 8.333, -20.0])
def test_yellow_up_to_4_inches_then_green_up_to_12(pitch_mm, first_mm):
    strip = Strip("s", 90, pitch_mm, first_mm, 10_000)
    (one,) = shown(Cue(("yellow", "green")), strip)
    at_mm = strip.positions_mm()
    yellow, green = at_mm[is_yellow(one.pixels)], at_mm[is_green(one.pixels)]
    assert 4 * INCH - pitch_mm < yellow.max() <= 4 * INCH + 1e-6
    assert 4 * INCH < green.min() <= 4 * INCH + pitch_mm + 1e-6
    assert 12 * INCH - pitch_mm < green.max() <= 12 * INCH + 1e-6
    assert yellow.min() >= 0
    assert len(yellow) + len(green) == len(lit(one))


def test_an_led_on_a_border_belongs_to_the_nearer_band():
    strip = Strip("s", 20, INCH, 0.0, 5000)
    (one,) = shown(Cue(("yellow", "green")), strip)
    assert is_yellow(one.pixels)[4]
    assert is_green(one.pixels)[5]
    assert is_green(one.pixels)[12]
    assert lit(one).max() == 12
    assert is_yellow(one.pixels)[0]


def test_an_origin_shifts_the_whole_cue():
    strip = Strip("s", 40, INCH, 0.0, 5000)
    (one,) = shown(Cue(("orange",), origin_mm=5 * INCH), strip)
    assert lit(one).tolist() == [5, 6, 7]


def test_a_length_and_an_area_light_what_lies_in_them():
    strip = Strip("s", 40, 10, 5, 5000)
    (length,) = shown(Cue(length_mm=203), strip)
    assert lit(length).tolist() == list(range(20))
    (area,) = shown(Cue(area_mm=(100, 203), origin_mm=50), strip)
    assert lit(area).min() == 15
    assert lit(area).max() == 24


def test_lengths_end_to_end_meet_on_the_border_and_look_different():
    strip = Strip("s", 40, 10, 5, 5000)
    (one,) = shown(Cue(lengths_mm=(100, 100)), strip)
    white = one.pixels[:, 2] > 100
    assert np.flatnonzero(white).tolist() == list(range(10))
    assert lit(one).max() == 19


def test_level_bars_light_one_led_a_step_on_the_usual_strip():
    """Six players on a metre of 144 LEDs: every step can be counted."""
    strip = Strip("s", 144, 1000 / 144, 1000 / 288, 5000)
    bars = Bars(steps=10, step_mm=14, gap_mm=20, lit=(1, 10, 3, 0, 7, 5))
    (one,) = shown(Cue(bars=bars), strip)
    at_mm = strip.positions_mm()
    for bar, reached in enumerate(bars.lit):
        start_mm = bar * 160
        inside = (at_mm > start_mm) & (at_mm <= start_mm + 140)
        bright = one.pixels[inside].max(axis=1) > 40
        assert reached <= bright.sum() <= 2 * reached
        assert one.pixels[inside].any(axis=1).sum() >= 10
        gap = (at_mm > start_mm + 140) & (at_mm <= start_mm + 160)
        assert not one.pixels[gap].any()


def test_off_is_dark_and_draws_only_what_dark_leds_draw():
    (one,) = shown(OFF)
    assert not one.pixels.any()
    assert one.milliamps == 60


def test_each_band_has_its_own_dashes_and_lit_ends():
    strip = Strip("s", 60, 10, 5, 5000)
    patterns = set()
    for band in FOWW:
        (one,) = shown(Cue((band.name,)), strip)
        inside = strip.positions_mm() <= band.length_mm
        row = one.pixels.any(axis=1)
        assert not row[~inside].any()
        count = int(inside.sum())
        assert row[0]
        assert row[count - 1]
        expected = [band.dash[i % len(band.dash)] == "#" for i in range(count)]
        assert row[1 : count - 1].tolist() == expected[1:-1]
        patterns.add(band.dash)
    assert len(patterns) == len(FOWW)


def test_the_black_band_is_lit_in_white_dashes():
    (one,) = shown(Cue(("black",)))
    colours = one.pixels[lit(one)]
    assert (colours == 255).all()
    assert len(lit(one)) < int(12 * INCH / METRE_60.pitch_mm)


def test_strips_end_to_end_are_one_line_of_light():
    whole = Strip("whole", 40, 10, 5, 5000)
    halves = (Strip("far", 20, 10, 205, 5000), Strip("near", 20, 10, 5, 5000))
    cue = Cue(("yellow", "green"))
    (one,) = shown(cue, whole)
    far, near = shown(cue, *halves)
    assert (np.vstack([near.pixels, far.pixels]) == one.pixels).all()
    assert (far.name, near.name) == ("far", "near")


def test_strips_side_by_side_each_show_the_whole():
    first, second = shown(
        Cue(("red",)), Strip("a", 40, 10, 5, 5000), Strip("b", 40, 10, 5, 5000)
    )
    assert (first.pixels == second.pixels).all()


def test_a_reversed_strip_shows_the_same_at_the_same_place():
    forwards = Strip("f", 40, 10, 5, 5000)
    backwards = Strip("b", 40, 10, 395, 5000, reversed=True)
    cue = Cue(("yellow", "green"))
    one, other = shown(cue, forwards)[0], shown(cue, backwards)[0]
    assert (one.pixels == other.pixels[::-1]).all()


def test_a_gap_moves_all_leds_after_it():
    strip = Strip("s", 40, 10, 5, 5000, gaps=(Gap(4, 40),))
    (one,) = shown(Cue(length_mm=100), strip)
    assert lit(one).tolist() == [0, 1, 2, 3, 4, 5]


def test_gamma_and_white_balance_shape_the_duty():
    plain = Strip("s", 60, 10, 5, 50_000, gamma=1.0)
    (one,) = shown(Cue(("yellow",)), plain)
    assert one.pixels[0].tolist() == [0xFF, 0xD0, 0x00]
    warm = Strip("s", 60, 10, 5, 50_000, gamma=2.0, white=(1.0, 0.5, 1.0))
    (other,) = shown(Cue(("yellow",)), warm)
    assert other.pixels[0].tolist() == [255, round(0xD0**2 / 255 / 2), 0]


def test_dimming_keeps_the_ends_lit():
    (full,) = shown(Cue(("red",)))
    (dim,) = shown(Cue(("red",)), level=0.01)
    assert (lit(dim) == lit(full)).all()
    assert dim.milliamps < full.milliamps
    assert not shown(Cue(("red",)), level=0.0)[0].pixels.any()
    with pytest.raises(ValueError, match="level"):
        shown(OFF, level=1.1)


def test_a_low_limit_dims_instead_of_darkening():
    strip = Strip("s", 60, 10, 5, 120)
    (one,) = shown(Cue(length_mm=600), strip)
    assert len(lit(one)) == 60
    assert 100 < one.milliamps <= 120


def test_a_limit_that_is_not_reached_changes_nothing():
    cue = Cue(length_mm=100)
    few = Strip("s", 60, 10, 5, 60 + 10 * 60)
    (one,) = shown(cue, few)
    assert (one.pixels[:10] == 255).all()
    assert one.milliamps == 660


NAMES = st.sampled_from([band.name for band in FOWW])
MM = st.floats(-3000, 3000)
CUES = st.one_of(
    st.lists(NAMES, min_size=1, max_size=12).map(lambda b: Cue(tuple(b))),
    st.builds(Cue, length_mm=st.floats(0.1, 20_000), origin_mm=MM),
    st.tuples(MM, MM)
    .filter(lambda pair: pair[0] < pair[1])
    .map(lambda pair: Cue(area_mm=pair)),
    st.just(OFF),
)


@st.composite
def strips(draw):
    pixels = draw(st.integers(1, 300))
    gaps = draw(st.dictionaries(st.integers(0, 298), st.floats(0, 60), max_size=3))
    return Strip(
        "s",
        pixels,
        draw(st.floats(2, 60)),
        draw(MM),
        draw(st.floats(2 * pixels, 70 * pixels)),
        reversed=draw(st.booleans()),
        gaps=tuple(Gap(a, mm) for a, mm in sorted(gaps.items()) if a < pixels - 1),
        gamma=draw(st.floats(1, 4)),
        white=draw(st.tuples(*[st.floats(0.1, 1)] * 3)),
    )


@settings(max_examples=150, deadline=None)
@given(cue=CUES, strip=strips(), level=st.floats(0, 1))
def test_no_cue_ever_draws_more_than_the_limit(cue, strip, level):
    (one,) = light(cue, (strip,), FOWW, level)
    assert estimate_ma(one.pixels) <= one.milliamps <= strip.limit_ma


@settings(max_examples=150, deadline=None)
@given(cue=CUES, strip=strips())
def test_no_cue_ever_lights_outside_its_range_or_ends_short_of_it(cue, strip):
    (one,) = light(cue, (strip,), FOWW)
    at_mm = strip.positions_mm()
    if cue.area_mm is not None:
        from_mm, to_mm = cue.area_mm
    else:
        by_name = {band.name: band.length_mm for band in FOWW}
        from_mm = cue.origin_mm
        total_mm = sum(by_name[name] for name in cue.bands)
        to_mm = from_mm + (cue.length_mm or total_mm)
    row = one.pixels.any(axis=1)
    inside = (at_mm >= from_mm - 1e-5) & (at_mm <= to_mm + 1e-5)
    assert not row[~inside].any()
    on_border = np.isclose(at_mm, from_mm, atol=1e-4) | np.isclose(
        at_mm, to_mm, atol=1e-4
    )
    if inside.any() and not cue.is_off and not on_border.any():
        within = np.flatnonzero(inside)
        assert row[within[at_mm[within].argmax()]]
        assert row[within[at_mm[within].argmin()]]


def test_a_cue_longer_than_the_ruler_says_by_how_much():
    strip = Strip("s", 20, 10, 5, 5000)
    assert uncovered_mm(Cue(length_mm=203), (strip,), FOWW) == 0
    assert uncovered_mm(Cue(length_mm=305), (strip,), FOWW) == pytest.approx(100)
    assert uncovered_mm(OFF, (strip,), FOWW) == 0


def test_a_band_of_another_game_is_refused():
    with pytest.raises(BadInput, match="8hex"):
        shown(Cue(("8hex",)))


def test_pixels_are_written_as_six_hex_digits_each():
    strip = Strip("s", 3, 10, 5, 5000, gamma=1.0)
    (one,) = shown(Cue(("yellow",)), strip)
    assert one.as_json() == {
        "name": "s",
        "pixels": ["ffd000", "000000", "ffd000"],
        "milliamps": one.milliamps,
    }


def test_no_strips_show_nothing():
    assert light(Cue(("red",)), (), FOWW) == ()
