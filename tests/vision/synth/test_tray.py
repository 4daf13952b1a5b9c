import itertools
import math
from collections import Counter
from random import Random

import numpy as np
import pytest

from vision.synth.solids import solid
from vision.synth.tray import RADIUS_MM, DrawnDie, DrawnTray

NUMBERS = tuple(str(n) for n in range(1, 21))
DICE = (
    DrawnDie("skill", "d20", "white", NUMBERS),
    DrawnDie("armour", "d12", "red", NUMBERS[:12]),
    DrawnDie("pip", "d6", "blue", NUMBERS[:6]),
    DrawnDie("luck", "coin", "brass", ("star", "blank")),
)
SIZE = (1152, 648)
PX_PER_MM = 2.0


@pytest.fixture
def tray():
    return DrawnTray(DICE, SIZE, PX_PER_MM, Random(1))


def test_a_throw_is_the_same_again_from_the_same_seed(tray):
    tray.throw(["skill", "armour"], 5)
    first, picture = tray.truth(), tray.image(99).copy()
    again = DrawnTray(DICE, SIZE, PX_PER_MM, Random(1))
    again.throw(["skill", "armour"], 5)
    assert again.truth() == first
    assert np.array_equal(again.image(99), picture)
    again.clear()
    again.throw(["skill", "armour"], 6)
    assert again.truth() != first


def test_dice_come_in_from_outside_and_stop_inside_without_overlap(tray):
    empty = tray.image(0)
    x, y, w, h = tray.area_xywh_px
    for seed in range(6):
        tray.clear()
        tray.throw(["skill", "armour", "armour", "pip", "pip", "luck"], seed)
        start = tray.image(0.0)[:, round(x) : round(x + w)]
        assert np.array_equal(start, empty[:, round(x) : round(x + w)])
        assert 0.3 < tray.rest_s < 3
        assert np.array_equal(tray.image(tray.rest_s), tray.image(60))
        lying = tray.truth()
        for die in lying:
            left, top = die.pose.top_xy_px
            assert x < left < x + w and y < top < y + h
            assert die.pose.flat == 1
        for a, one in enumerate(lying):
            for other in lying[a + 1 :]:
                gap = math.dist(one.pose.top_xy_px, other.pose.top_xy_px)
                apart = (RADIUS_MM["d20"] + RADIUS_MM["d6"]) * 0.8 * PX_PER_MM
                assert gap > apart * 0.8


def test_frames_differ_while_dice_roll_and_the_last_one_stays(tray):
    tray.throw(["skill", "pip"], 3)
    times = np.arange(0.1, tray.rest_s, 0.1)
    frames = [tray.image(t) for t in times]
    for before, after in itertools.pairwise(frames):
        assert (before != after).any()
    assert tray.image(tray.rest_s + 1) is tray.image(tray.rest_s + 2)


def test_old_dice_stay_unless_knocked_and_keep_their_face(tray):
    tray.throw(["skill", "armour"], 5)
    before = tray.truth()
    tray.throw(["armour", "pip"], 8)
    after = tray.truth()
    assert [die.name for die in after] == ["skill", "armour", "armour", "pip"]
    assert [die.face for die in after[:2]] == [die.face for die in before]
    for old, new in zip(before, after, strict=False):
        assert old.pose.turn_rad == pytest.approx(new.pose.turn_rad, abs=0.1)


def test_every_face_comes_up_about_as_often(tray):
    counts = Counter()
    for seed in range(240):
        rng = Random(seed)
        # The tray draws the face from the seed before anything of the die's own.
        tray.clear()
        tray.throw(["pip"], rng.getrandbits(32))
        counts[tray.truth()[0].face] += 1
    assert set(counts) == set(NUMBERS[:6])
    assert max(counts.values()) < 70 and min(counts.values()) > 18


def test_repainting_changes_the_picture_and_the_truth_only_there(tray):
    tray.throw(["skill", "armour"], 5)
    before, old = tray.image(99).copy(), tray.truth()
    face = "3" if old[1].face != "3" else "4"
    tray.repaint(1, face)
    assert tray.truth()[1].face == face
    assert tray.truth()[0] == old[0]
    changed = np.argwhere((tray.image(99) != before).any(axis=2))
    x, y = old[1].pose.top_xy_px
    assert len(changed) > 20
    assert np.hypot(changed[:, 1] - x, changed[:, 0] - y).max() < old[1].pose.radius_px


def test_covering_hides_the_mark_and_leaves_the_die(tray):
    tray.throw(["skill", "armour"], 5)
    before = tray.image(99).copy()
    tray.cover(1)
    x, y = (round(v) for v in tray.truth()[1].pose.top_xy_px)
    patch = tray.image(99)[y - 4 : y + 5, x - 4 : x + 5]
    assert patch.std(axis=(0, 1)).max() < 2
    assert (tray.image(99) != before).any()


def test_a_die_with_a_wrong_number_of_faces_is_refused():
    with pytest.raises(ValueError, match="6 faces expected, not 2"):
        DrawnTray([DrawnDie("odd", "d6", "red", ("1", "2"))], SIZE, PX_PER_MM)


def test_the_colour_and_kind_of_each_die_are_seen(tray):
    tray.throw(["armour"], 2)
    die = tray.truth()[0]
    x, y = (round(v) for v in die.pose.top_xy_px)
    reach = round(die.pose.radius_px * 0.6)
    patch = tray.image(99)[y - reach : y + reach, x - reach : x + reach]
    blue, green, red = np.median(patch.reshape(-1, 3), axis=0)
    assert red > 2 * green and red > 2 * blue
    assert solid("d12").inradius < 1
