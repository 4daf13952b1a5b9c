from random import Random

import numpy as np
import pytest

from vision.colours import COLOURS, body_colour, name_of
from vision.frame import Pose
from vision.synth.tray import DrawnDie, DrawnTray

NAMES = ("white", "black", "red", "yellow", "green", "blue", "orange", "purple")


def test_the_body_colour_of_every_drawn_die_is_named():
    numbers = tuple(str(n) for n in range(1, 13))
    dice = [DrawnDie(name, "d12", name, numbers) for name in NAMES]
    tray = DrawnTray(dice, (1536, 864), 2.67, Random(1))
    wrong = []
    for seed in range(3):
        tray.clear()
        tray.throw(NAMES, seed)
        for die in tray.truth():
            seen = body_colour(tray.image(99), die.pose)
            if seen != die.name:
                wrong.append((seed, die.name, seen))
    assert len(wrong) <= 1, wrong


@pytest.mark.parametrize(
    ("bgr", "name"),
    [
        ((250, 250, 250), "white"),
        ((10, 12, 9), "black"),
        ((120, 120, 120), "grey"),
        ((20, 20, 200), "red"),
        ((200, 40, 30), "blue"),
        ((40, 160, 40), "green"),
        ((30, 220, 240), "yellow"),
        ((20, 120, 240), "orange"),
        ((190, 180, 30), "turquoise"),
        ((170, 40, 120), "purple"),
        ((180, 90, 240), "pink"),
        ((35, 60, 110), "brown"),
    ],
)
def test_common_colours_have_their_names(bgr, name):
    assert name_of(np.array(bgr, np.uint8)) == name
    assert name in COLOURS


def test_a_die_outside_the_picture_gets_a_name_all_the_same():
    pose = Pose("d6", (-90.0, -90.0), 10.0, 0.0, 1.0)
    assert body_colour(np.zeros((20, 20, 3), np.uint8), pose) in COLOURS


def test_the_body_is_what_most_of_the_face_shows_whatever_its_shade():
    """Ink of one shade does not outvote a body whose shades fill several cells."""
    image = np.zeros((60, 60, 3), np.uint8)
    image[..., 2] = np.linspace(150, 250, 60)[:, None]
    image[16:44, 16:44] = (230, 230, 230)
    pose = Pose("d6", (30.0, 30.0), 50.0, 0.0, 1.0)
    assert body_colour(image, pose) == "red"
