import random

import cv2
import numpy as np
import pytest

from vision.synth import icons, marks, strokes

SKILL = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "ap", "crit", "x", "x_ap")
EFFECT = ("dmg", "dmg+dmg", "acc1", "acc2", "acc3", "dmg+pen", "bottle+star", "blank")


def parts(mask):
    return cv2.connectedComponents((mask > 127).astype(np.uint8))[0] - 1


def overlap(a, b):
    a, b = a > 127, b > 127
    return (a & b).sum() / max(1, (a | b).sum())


@pytest.mark.parametrize("key", [*SKILL, *EFFECT, *icons.NAMES])
def test_a_mark_lies_in_the_middle_of_its_mask(key):
    mask = marks.face_mask(key, 96)
    assert mask.shape == (96, 96)
    assert mask.dtype == np.uint8
    if key == "blank":
        assert not mask.any()
        return
    rows, columns = np.nonzero(mask > 127)
    assert abs(rows.min() + rows.max() - 95) < 16
    assert abs(columns.min() + columns.max() - 95) < 16
    assert rows.min() > 1 and rows.max() < 94


def test_faces_of_the_demonstration_set_differ_from_each_other():
    keys = sorted({*SKILL, *EFFECT, *icons.NAMES, "1", "luck"})
    small = {
        key: cv2.resize(marks.face_mask(key), (24, 24), interpolation=cv2.INTER_AREA)
        for key in keys
    }
    alike = [
        (a, b)
        for n, a in enumerate(keys)
        for b in keys[n + 1 :]
        if overlap(small[a], small[b]) > 0.75
    ]
    assert not alike


def test_an_unknown_icon_is_refused():
    with pytest.raises(KeyError):
        marks.face_mask("dmg+teapot")


def test_every_random_font_draws_ten_different_digits():
    rng = random.Random(4)
    for _ in range(40):
        style = strokes.stroke_style(rng)
        drawn = [marks.numeral(str(n), style, 48) for n in range(10)]
        assert all(mask.any() for mask in drawn)
        for n, one in enumerate(drawn):
            assert all(overlap(one, other) < 0.97 for other in drawn[n + 1 :]), style


def test_a_nine_is_a_six_turned_over_until_it_is_marked():
    style = strokes.HOUSE_STYLE
    six, nine = marks.numeral("6", style), marks.numeral("9", style)
    assert overlap(six, nine[::-1, ::-1]) > 0.85
    marked = marks.numeral("6", style, mark="line")
    assert overlap(marked, marks.numeral("9", style, mark="line")[::-1, ::-1]) < 0.6


def test_an_unknown_mark_is_refused():
    with pytest.raises(ValueError, match="mark must be one of"):
        marks.numeral("6", strokes.HOUSE_STYLE, mark="star")


def test_long_numerals_stay_within_the_mask():
    rng = random.Random(9)
    for _ in range(20):
        mask = marks.numeral("20", strokes.stroke_style(rng), 64)
        assert not mask[:, 0].any() and not mask[:, -1].any()


@pytest.mark.parametrize("count", range(1, 7))
def test_a_face_has_as_many_pips_as_its_number(count):
    rng = random.Random(count)
    for _ in range(12):
        assert parts(marks.pips(count, marks.pip_style(rng), 96)) == count


def test_two_and_three_and_six_lie_along_either_direction():
    plain, turned = marks.PipStyle(), marks.PipStyle(turned=True)
    for count in (2, 3, 6):
        one, other = marks.pips(count, plain), marks.pips(count, turned)
        assert overlap(one, other) < 0.8
        assert overlap(one, np.rot90(other)) > 0.8


def test_two_icons_share_a_face():
    assert parts(marks.face_mask("star+star", 96)) == 2


def test_random_icons_and_emblems_repeat_with_their_seed():
    for draw in (icons.random_icon, icons.emblem):
        one, same = draw(random.Random(3)), draw(random.Random(3))
        assert np.array_equal(one, same)
        assert not np.array_equal(one, draw(random.Random(4)))
