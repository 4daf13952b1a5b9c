"""A die that lies unlike the others of its picture."""

from random import Random

import pytest

from vision.askew import FEWEST, Lie, askew, sideways, together

HEIGHT = 0.58


def seen(place, slope, wide=0.8, beside=(0.0, 0.0)):
    """A die on the table, seen by a camera of that slope and field of view."""
    right, down = (HEIGHT * (s + wide * p) for s, p in zip(slope, place, strict=True))
    return Lie(place, (right + beside[0], down + beside[1]), HEIGHT)


def thrown(rng, count, slope, noise=0.05):
    return [
        seen(
            (rng.uniform(-0.5, 0.5), rng.uniform(-0.4, 0.4)),
            slope,
            beside=(rng.gauss(0, noise), rng.gauss(0, noise)),
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize("slope", [(0.0, 0.0), (0.0, -0.9), (0.5, 0.3)])
@pytest.mark.parametrize("count", [3, 4, 12])
def test_flat_dice_agree_wherever_the_camera_stands(slope, count):
    rng = Random(count)
    for _ in range(30):
        assert not any(askew(thrown(rng, count, slope)))


def test_the_die_whose_front_was_taken_for_its_top_is_told():
    rng = Random(4)
    front = seen((0.1, 0.1), (0.0, -0.7), beside=(0.0, 0.6))
    for count in (FEWEST - 1, 5):
        dice = thrown(rng, count, (0.0, -0.7))
        assert askew([*dice, front]) == (False,) * count + (True,)


def test_of_few_dice_nothing_is_said():
    dice = thrown(Random(1), FEWEST - 2, (0.0, 0.0))
    assert not any(askew([*dice, seen((0, 0), (0.0, 0.0), beside=(0.9, 0.0))]))
    assert askew([]) == ()


def test_where_most_disagree_nothing_is_said():
    ways = [(0.6, 0), (-0.6, 0), (0, 0.6), (0, -0.6), (0.6, 0.6), (-0.6, 0.6)]
    assert not any(askew([seen((0, 0), (0.0, 0.0), beside=way) for way in ways]))


@pytest.mark.parametrize("slope", [(0.0, -0.7), (0.5, -0.5), (0.0, 0.0)])
@pytest.mark.parametrize("count", [2, 3, 12])
def test_dice_that_lie_alike_are_cleared(slope, count):
    rng = Random(f"together {count}")
    for _ in range(30):
        assert all(together(thrown(rng, count, slope, noise=0.02)))


@pytest.mark.parametrize("lean", [(0.3, 0.0), (0.0, -0.4), (-0.25, 0.25)])
def test_a_die_that_leans_is_not_cleared(lean):
    flat = [seen((x, 0.1), (0.0, -0.5)) for x in (-0.3, 0.0, 0.2, 0.4)]
    leaning = seen((0.1, -0.2), (0.0, -0.5), beside=lean)
    assert together([*flat, leaning]) == (True,) * 4 + (False,)
    # Of two nobody knows which one leans.
    assert together([flat[0], leaning]) == (False, False)


def test_one_die_alone_is_not_cleared():
    assert together([seen((0.0, 0.0), (0.0, -0.6))]) == (False,)
    assert together([]) == ()


@pytest.mark.parametrize("slope", [(0.0, 0.0), (0.1, -0.4), (0.0, -1.2)])
@pytest.mark.parametrize("wide", [0.0, 0.6, 1.2])
def test_an_upright_camera_may_slant_as_it_likes(slope, wide):
    rng = Random(f"upright {slope} {wide}")
    for _ in range(30):
        place = (rng.uniform(-0.5, 0.5), rng.uniform(-0.4, 0.4))
        beside = (rng.gauss(0, 0.03), rng.gauss(0, 0.03))
        assert sideways([seen(place, slope, wide, beside)]) == (False,)


@pytest.mark.parametrize("slope", [(0.6, -0.2), (-0.6, 0.0), (0.0, 0.6)])
def test_an_up_face_seen_to_a_side_or_lower_is_told_even_alone(slope):
    assert sideways([seen((0.0, 0.1), slope)]) == (True,)
    # Towards the rim of a picture perspective may be the reason.
    rim = tuple(0.4 * (s > 0) - 0.4 * (s < 0) for s in slope)
    assert sideways([seen(rim, tuple(s / 2 for s in slope), wide=0.5)]) == (False,)
