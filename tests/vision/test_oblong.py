import math

import cv2
import numpy as np
import pytest

from vision.frame import Pose
from vision.oblong import ENDLESS, oblong

SIDE_PX = 46.0
GROUND, FACE, BESIDE, PIP = (60, 90, 70), (200, 205, 210), (150, 155, 160), (20, 20, 30)


def drawn(wide=1.0, long=1.0, turn_deg=20.0, beside=()):
    """A face with a pip, so many sides wide and long; `beside`: sides seen, by way."""
    image = np.full((240, 240, 3), GROUND, np.uint8)
    turn = math.radians(turn_deg)
    right = np.array([math.cos(turn), math.sin(turn)])
    down = np.array([-math.sin(turn), math.cos(turn)])
    middle = np.array([118.0, 122.0])

    def fill(x, y, w, h, colour):
        signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        corners = [
            middle + SIDE_PX * ((x + a * w / 2) * right + (y + b * h / 2) * down)
            for a, b in signs
        ]
        cv2.fillPoly(image, [np.round(corners).astype(np.int32)], colour)

    for x, y, colour in beside:
        fill(x * 0.55, y * 0.55, 1, 1, colour)
    fill(0, 0, wide, long, FACE)
    at = tuple(int(v) for v in middle)
    cv2.circle(image, at, 5, PIP, -1)
    noise = np.random.default_rng(1).normal(0, 3, image.shape)
    image = np.clip(cv2.GaussianBlur(image, (0, 0), 1.0) + noise, 0, 255)
    x, y = middle
    pose = Pose("d6", (x, y), SIDE_PX * math.sqrt(3) / 2, turn, 1.0)
    return image.astype(np.uint8), pose


@pytest.mark.parametrize("turn_deg", [0, 20, 45, 70])
def test_a_square_face_is_as_long_as_wide(turn_deg):
    assert oblong(*drawn(turn_deg=turn_deg)) < 1.15


@pytest.mark.parametrize(("wide", "long"), [(1.0, 1.45), (1.45, 1.0), (0.85, 1.25)])
def test_a_card_is_longer_than_wide(wide, long):
    assert oblong(*drawn(wide, long)) > 1.25


@pytest.mark.parametrize("colour", [FACE, BESIDE])
def test_a_side_of_the_cube_seen_one_way_makes_it_no_longer(colour):
    assert oblong(*drawn(beside=[(0, 1, colour)])) < 1.15


def test_what_ends_nowhere_is_not_measured_as_longer():
    image = np.full((240, 240, 3), FACE, np.uint8)
    pose = Pose("d6", (120.0, 120.0), 40.0, 0.0, 1.0)
    assert oblong(image, pose) == 1
    assert 1.8 * math.sqrt(3) < ENDLESS
