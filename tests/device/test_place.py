"""Where the camera stands, and how the tray looks with nothing in it."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from device.place import AGAIN_S, Place
from hardware.sim.clock import ManualClock
from tests.device.builders import rig_above
from vision.synth.ground import random_ground

WIDTH, HEIGHT = 640, 480
MOVED_PX = 60


class Frame:
    """The printed frame, wherever it is put; counts how often it is looked for."""

    def __init__(self):
        self.rig = replace(rig_above(WIDTH, HEIGHT))
        self.looks = 0

    def find(self, image):
        self.looks += 1
        return self.rig

    def move(self, by_px):
        outline = rig_above(WIDTH, HEIGHT).tray_outline_px + by_px
        self.rig = replace(self.rig, tray_outline_px=outline)


@pytest.fixture
def frame():
    return Frame()


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def place(frame, clock):
    return Place(frame.find, clock)


def photograph(seed, moved_px=0, die=False):
    """A tray with an emblem on its mat, seen from a camera moved sideways."""
    wide = random_ground(Random("place 3"), (WIDTH + MOVED_PX, HEIGHT))
    wide[60:100, 200:240] = (0.7, 0.2, 0.1)
    picture = wide[:, moved_px : moved_px + WIDTH].copy()
    if die:
        picture[180:225, 300:345] = (0.1, 0.1, 0.8)
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(picture * 255 + noise, 0, 255).astype(np.uint8)


def test_nothing_is_learned_without_the_frame(place, frame):
    frame.rig = None
    place.find(photograph(1))
    place.learn_empty(photograph(1))
    assert place.rig is None
    assert place.empty is None


def test_what_came_and_was_not_read_does_not_become_a_part_of_the_tray(
    place, frame, clock
):
    place.find(photograph(1))
    place.learn_empty(photograph(1))
    known = place.empty
    clock.advance(AGAIN_S + 1)
    place.learn_empty_again(photograph(2, die=True))
    assert place.empty is known
    (mark,) = place.empty.arrivals(photograph(3, die=True))
    assert mark.xy_px == pytest.approx((322, 202), abs=4)


def test_a_knocked_camera_learns_the_empty_tray_anew(place, frame, clock):
    place.find(photograph(1))
    place.learn_empty(photograph(1))
    known = place.empty
    frame.move(-MOVED_PX)
    knocked = photograph(2, MOVED_PX)
    assert known.arrivals(knocked)
    clock.advance(AGAIN_S + 1)
    place.learn_empty_again(knocked)
    assert place.empty is not known
    assert place.empty.arrivals(photograph(3, MOVED_PX)) == []


def test_a_frame_found_elsewhere_beside_dice_forgets_the_empty_tray(place, frame):
    place.find(photograph(1))
    place.learn_empty(photograph(1))
    known = place.empty
    place.find(photograph(2, die=True))
    assert place.empty is known
    frame.rig = None
    place.find(photograph(3, die=True))
    assert place.empty is known
    frame.rig = rig_above(WIDTH, HEIGHT)
    frame.move(MOVED_PX)
    place.find(photograph(4, die=True))
    assert place.empty is None
    assert place.rig is frame.rig


def test_the_frame_is_not_looked_for_more_often_than_now_and_then(place, frame, clock):
    place.find(photograph(1))
    for _ in range(10):
        place.find_again(photograph(1))
        place.learn_empty(photograph(1))
    assert frame.looks == 1
    clock.advance(AGAIN_S + 1)
    place.find_again(photograph(1))
    place.find_again(photograph(1))
    assert frame.looks == 2
