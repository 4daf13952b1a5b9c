"""What has come into the tray since it was empty."""

import math
from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest

from tests.device.builders import rig_above
from vision.arrivals import EmptyTray, renewed
from vision.find import Finder
from vision.reader import Reader
from vision.spots import Mark
from vision.synth import clutter
from vision.synth.ground import random_ground
from vision.train.faces_cast import numeral_die, shoot

PX_PER_MM = 2.5
RADIUS_PX = 11.5 * PX_PER_MM
WIDTH, HEIGHT = 640, 480


def noisy(picture, seed=0, light=1.0):
    """A photograph of a ``(h, w, 3)`` picture of 0..1."""
    chance = np.random.default_rng(seed)
    bright = np.clip(picture * light, 0, 1) * 255 + chance.normal(0, 2, picture.shape)
    return np.clip(bright + 0.5, 0, 255).astype(np.uint8)


def ground(seed=3):
    return random_ground(Random(f"arrivals {seed}"), (WIDTH, HEIGHT))


def with_disc(picture, xy=(300, 200), radius=RADIUS_PX, colour=(0.1, 0.1, 0.6)):
    picture = picture.copy()
    cv2.circle(picture, xy, round(radius), colour, -1, cv2.LINE_AA)
    return picture


def test_drawn_dice_arrive_where_they_lie_and_nothing_else_does():
    rng = Random("arrivals")
    met, strange, missing = 0, 0, []
    for number in range(60):
        kind = rng.choice(("d20", "d12", "d10", "d8", "d6"))
        die = numeral_die(rng, kind, [])
        face = rng.randrange(len(die.keys))
        seen = shoot(rng, die, face, rng.uniform(26, 58), reach=3.0, before=True)
        pose = seen.pose
        empty = EmptyTray(seen.before, 2 * pose.radius_px / 24)
        near = [
            mark
            for mark in empty.arrivals(seen.image)
            if math.dist(mark.xy_px, pose.top_xy_px) < 0.7 * pose.radius_px
            and 0.6 < mark.radius_px / pose.radius_px < 1.3
        ]
        met += bool(near)
        strange += len(empty.arrivals(seen.image)) - len(near)
        if not near:
            missing.append((number, kind))
    assert met >= 57, missing
    assert strange <= 2


def test_the_size_is_told_in_pixels_of_the_image():
    empty = EmptyTray(noisy(ground(), 1), PX_PER_MM)
    (mark,) = empty.arrivals(noisy(with_disc(ground()), 2))
    assert mark.xy_px == pytest.approx((300, 200), abs=2)
    assert mark.radius_px == pytest.approx(RADIUS_PX, rel=0.15)


@pytest.mark.parametrize("light", [0.7, 0.9, 1.0, 1.2])
@pytest.mark.parametrize("seed", range(4))
def test_light_is_no_arrival(light, seed):
    picture = ground(seed) * 0.8
    empty = EmptyTray(noisy(picture, 1), PX_PER_MM)
    slope = np.linspace(light, 1, WIDTH, dtype=np.float32)[None, :, None]
    assert empty.arrivals(noisy(picture * slope, 2)) == []


def test_a_shadow_is_no_arrival():
    empty = EmptyTray(noisy(ground(), 1), PX_PER_MM)
    shade = np.ones((HEIGHT, WIDTH), np.float32)
    cv2.rectangle(shade, (200, 0), (640, 300), 0.6, -1)
    soft = cv2.GaussianBlur(shade, (0, 0), 25)[..., None]
    assert empty.arrivals(noisy(ground() * soft, 2)) == []


def test_what_is_smaller_or_larger_than_a_die_is_none():
    empty = EmptyTray(noisy(ground(), 1), PX_PER_MM)
    for radius in (0.3 * RADIUS_PX, 2.5 * RADIUS_PX):
        assert empty.arrivals(noisy(with_disc(ground(), radius=radius), 2)) == []
    pencil = ground()
    cv2.line(pencil, (150, 200), (260, 240), (0.1, 0.1, 0.6), 8, cv2.LINE_AA)
    assert empty.arrivals(noisy(pencil, 2)) == []


def test_a_hand_is_no_arrival():
    empty = EmptyTray(noisy(ground(), 1), PX_PER_MM)
    for seed in range(5):
        picture = ground()
        clutter.hand(Random(seed), picture, RADIUS_PX)
        assert len(empty.arrivals(noisy(picture, 2))) <= 1


def test_another_scene_or_size_says_nothing():
    empty = EmptyTray(noisy(ground(), 1), PX_PER_MM)
    assert empty.arrivals(noisy(ground(8), 2)) == []
    assert empty.arrivals(noisy(with_disc(ground())[:400], 2)) == []


def test_only_the_tray_and_its_rim_are_watched():
    outline = np.array([[100.0, 100], [400, 100], [400, 300], [100, 300]])
    empty = EmptyTray(noisy(ground(), 1), PX_PER_MM, outline)
    (mark,) = empty.arrivals(noisy(with_disc(ground()), 2))
    assert mark.xy_px == pytest.approx((300, 200), abs=2)
    assert empty.arrivals(noisy(with_disc(ground(), xy=(520, 200)), 2)) == []


@pytest.mark.parametrize("off", [(-700, 0), (0, 500), (700, 500)])
def test_a_tray_that_is_out_of_view_is_no_fault(off):
    outline = np.array([[0.0, 0], [400, 0], [400, 300], [0, 300]]) + off
    empty = EmptyTray(noisy(ground(), 1), PX_PER_MM, outline)
    assert empty.arrivals(noisy(with_disc(ground()), 2)) == []


def test_the_empty_tray_is_renewed_unless_something_came_that_was_not_read():
    first = noisy(ground(), 1)
    rig = rig_above(WIDTH, HEIGHT)
    known = renewed(None, first, rig)
    assert known.arrivals(first) == []
    overlooked = noisy(with_disc(ground()), 2)
    assert renewed(known, overlooked, rig) is known
    darker = noisy(ground() * 0.8, 3)
    assert renewed(known, darker, rig) is not known
    # Another place of the camera: nothing of what is known holds.
    moved = noisy(ground(8), 4)
    assert renewed(known, moved, rig).arrivals(moved) == []


class Blind:
    """A finder's first look that overlooks every die."""

    def marks(self, image, *, px_per_mm=None):
        return []


def test_a_die_that_the_finder_overlooks_is_read_where_the_empty_tray_is_known():
    rng = Random("overlooked")
    finder = Finder()
    finder._spotter = Blind()
    reader = Reader(finder=finder)
    right = 0
    for _ in range(12):
        die = numeral_die(rng, "d20", [])
        seen = shoot(rng, die, 11, 45.0, rough=0.2, reach=3.0, before=True)
        empty = EmptyTray(seen.before, 2 * 45.0 / 24)
        assert reader.read(seen.image).detections == ()
        dice = reader.read(seen.image, empty=empty).detections
        right += [one.face for one in dice] == [seen.key]
        assert reader.read(seen.before, empty=empty).detections == ()
    assert right >= 8


def test_an_arrival_is_only_a_place_to_look_at():
    grey = np.full((300, 300, 3), 120, np.uint8)
    mark = Mark((150.0, 150.0), 30.0, 0.9)
    assert Finder().find(grey, px_per_mm=PX_PER_MM, arrivals=[mark]) == ()
    assert Finder().find(grey, arrivals=[replace(mark, xy_px=(0.0, 0.0))]) == ()


def test_a_place_that_is_not_watched_counts_as_changed():
    changes = EmptyTray(noisy(ground(), 1), PX_PER_MM).changes(noisy(ground(), 2))
    assert changes is not None
    assert changes.share((300, 200), RADIUS_PX) < 0.1
    for far in ((-200, 200), (300, -200), (-200, -200), (WIDTH + 200, HEIGHT + 200)):
        assert changes.share(far, RADIUS_PX) == 1.0
