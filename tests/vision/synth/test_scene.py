import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from vision.synth.bank import GROUP, load_bank, make_bank
from vision.synth.clutter import CLUTTER, scatter
from vision.synth.dress import number_faces, place, random_die
from vision.synth.ground import GROUNDS, random_ground
from vision.synth.looks import luminance, random_look
from vision.synth.scene import Layout, compose, photograph, tilt
from vision.synth.solids import SHAPES, SYMMETRY, solid


@pytest.fixture(scope="module")
def bank():
    return make_bank(Random(4), 40)


def test_a_bank_is_the_same_again_from_the_same_seed_and_from_its_file(bank, tmp_path):
    again = make_bank(Random(4), 40)
    bank.save(tmp_path / "bank.npz")
    loaded = load_bank(tmp_path / "bank.npz")
    for name in bank.__slots__:
        assert np.array_equal(getattr(bank, name), getattr(again, name)), name
        assert np.array_equal(getattr(bank, name), getattr(loaded, name)), name


def test_a_scene_is_the_same_again_from_the_same_seed(bank):
    layout = Layout((160, 120), 14.0, 5)
    one = photograph(Random(9), compose(Random(8), bank, layout))
    two = photograph(Random(9), compose(Random(8), bank, layout))
    assert np.array_equal(one.image, two.image)
    assert one.dice == two.dice
    assert one.image.shape == (120, 160, 3)


def test_labels_stay_within_reason(bank):
    rng = Random(5)
    seen = 0
    for _ in range(25):
        scene = compose(rng, bank, Layout((192, 192), 15.0, 8))
        for die in scene.dice:
            seen += 1
            assert 0 <= die.visible <= 1.0001
            assert 0.75 * 15 < die.pose.radius_px < 1.3 * 15
            gap = math.dist(die.pose.top_xy_px, die.middle_xy_px)
            assert gap < die.pose.radius_px
            step = math.tau / SYMMETRY[die.pose.shape]
            assert 0 <= die.pose.turn_rad <= step
            if all(20 < v < 172 for v in die.middle_xy_px) and len(scene.dice) == 1:
                assert die.visible > 0.95
    assert seen > 40


def test_a_tilted_camera_moves_the_truth_with_the_picture(bank):
    rng = Random(6)
    scene = compose(rng, bank, Layout((200, 200), 16.0, 3, clutter=0))
    while not scene.dice:
        scene = compose(rng, bank, Layout((200, 200), 16.0, 3, clutter=0))
    spots = np.zeros_like(scene.image)
    for die in scene.dice:
        x, y = (int(v) for v in die.pose.top_xy_px)
        spots[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3] = 255
    moved = tilt(Random(3), replace(scene, image=spots), 0.06)
    inside = 0
    for die in moved.dice:
        x, y = die.pose.top_xy_px
        if 4 < x < 196 and 4 < y < 196:
            inside += 1
            assert moved.image[int(y), int(x)].max() > 150
    assert inside


def test_dice_lie_packed_and_yet_none_is_buried(bank):
    rng = Random(11)
    nearest = 9.0
    for _ in range(40):
        scene = compose(rng, bank, Layout((220, 220), 18.0, 9, clutter=0))
        for k, one in enumerate(scene.dice):
            for other in scene.dice[:k]:
                away = math.dist(one.middle_xy_px, other.middle_xy_px)
                reach = one.pose.radius_px + other.pose.radius_px
                nearest = min(nearest, away / reach)
    # Cubes that touch face to face are 0.58 apart.
    assert 0.55 < nearest < 0.72


def test_a_set_of_the_bank_is_of_one_look_and_often_of_one_shape():
    bank = make_bank(Random(21), 12 * GROUP)
    groups = bank.shapes.reshape(-1, GROUP)
    assert any(len(set(group)) == 1 for group in groups)
    assert any(len(set(group)) > 2 for group in groups)


def test_some_inks_differ_from_the_body_in_hue_alone():
    rng = Random(12)
    faint = hued = 0
    for _ in range(300):
        look = random_look(rng, surface="solid")
        gap = max(
            abs(a ** (1 / 2.2) - b ** (1 / 2.2))
            for a, b in zip(look.ink, look.body, strict=True)
        )
        same_light = abs(luminance(look.ink) - luminance(look.body)) < 0.2
        hued += same_light and gap > 0.35
        faint += gap < 0.1
    assert hued > 15
    assert faint < 15


@pytest.mark.parametrize("ground", [g for g, _ in GROUNDS], ids=lambda g: g.__name__)
def test_every_ground_fills_the_picture(ground):
    picture = ground(Random(2), (90, 60))
    assert picture.shape == (60, 90, 3)
    assert np.isfinite(picture).all()


@pytest.mark.parametrize("draw", [d for d, _ in CLUTTER], ids=lambda d: d.__name__)
def test_every_kind_of_clutter_changes_the_picture_somewhere(draw):
    changed = 0
    for seed in range(6):
        picture = random_ground(Random(1), (120, 120))
        before = picture.copy()
        draw(Random(seed), picture, 12.0)
        assert picture.shape == before.shape
        assert np.isfinite(picture).all()
        changed += bool((picture != before).any())
    assert changed >= 4


def test_scatter_lays_nothing_when_asked_for_nothing():
    picture = random_ground(Random(1), (60, 60))
    before = picture.copy()
    scatter(Random(1), picture, 10.0, 0)
    assert np.array_equal(picture, before)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_random_die_has_a_mark_and_a_label_for_every_face(shape):
    for seed in range(6):
        die = random_die(Random(seed), shape)
        count = solid(shape).readable
        assert len(die.labels) == len(die.model.masks) == count
        assert die.model.masks.any()


@pytest.mark.parametrize("shape", ["d6", "d8", "d10", "d12", "d20"])
@pytest.mark.parametrize("seed", range(4))
def test_opposite_faces_have_one_sum(shape, seed):
    body = solid(shape)
    numbers = number_faces(Random(seed), body)
    first = 0 if shape == "d10" else 1
    assert sorted(numbers) == list(range(first, first + body.readable))
    (total,) = {numbers[f] + numbers[o] for f, o in enumerate(body.opposite)}
    assert total == min(numbers) + max(numbers)


def test_place_turns_clockwise_and_moves_right_and_down():
    mask = np.zeros((81, 81), np.uint8)
    mask[5:15, 38:43] = 255
    rows, columns = np.nonzero(place(mask, 1.0, math.pi / 2, (0, 0)))
    assert columns.mean() > 65 and abs(rows.mean() - 40) < 2
    rows, columns = np.nonzero(place(mask, 1.0, 0.0, (0.5, 0.25)))
    assert columns.mean() == pytest.approx(60.25, abs=1)
    assert rows.mean() == pytest.approx(20, abs=1)
