import math

import cv2
import numpy as np
import pytest

from vision import crops
from vision.crops import View
from vision.frame import Pose
from vision.patches import in_blocks


def spotted(turn_rad, scale=1.0, reach=0.5):
    """A dark picture with one bright spot `reach` radii from the die's middle."""
    radius = 40 * scale
    image = np.full((round(200 * scale), round(260 * scale), 3), 20, np.uint8)
    x, y = 120.25 * scale, 90.5 * scale
    spot = (
        x + radius * reach * math.sin(turn_rad),
        y - radius * reach * math.cos(turn_rad),
    )
    at = tuple(round(16 * v) for v in spot)
    cv2.circle(image, at, round(16 * 4 * scale), (255,) * 3, -1, cv2.LINE_AA, 4)
    return image, Pose("d20", (x, y), radius, turn_rad, 1.0)


def centre_of_light(crop):
    grey = crop.astype(float).mean(2) if crop.ndim == 3 else crop.astype(float)
    grey = np.clip(grey - 60, 0, None)
    y, x = np.mgrid[: grey.shape[0], : grey.shape[1]]
    return (grey * x).sum() / grey.sum(), (grey * y).sum() / grey.sum()


@pytest.mark.parametrize("turn_deg", range(0, 360, 45))
@pytest.mark.parametrize("scale", [0.5, 1.0, 4.0], ids=["small", "same", "large"])
def test_what_lies_in_the_direction_of_the_turn_is_up_in_the_crop(turn_deg, scale):
    turn = math.radians(turn_deg)
    image, pose = spotted(turn, scale)
    crop = crops.crop(image, pose, 1.0, turn, 64)
    x, y = centre_of_light(crop)
    assert crop.shape == (64, 64, 3)
    assert abs(x - 31.5) < 0.7
    assert abs(y - (31.5 - 0.5 * 32)) < 0.7


def test_a_shift_moves_the_crop_right_and_down_as_seen_in_it():
    image, pose = spotted(0.7)
    crop = crops.crop(image, pose, 1.0, 0.7, 64, shift=(0.25, -0.25))
    x, y = centre_of_light(crop)
    assert abs(x - (31.5 - 8)) < 0.7
    assert abs(y - (31.5 - 16 + 8)) < 0.7


def test_a_wider_view_shows_more():
    image, pose = spotted(0.0)
    wide = crops.crops(image, pose, 1.0, [View(0.0, scale=2.0)], 64)[0]
    assert abs(centre_of_light(wide)[1] - (31.5 - 8)) < 0.7


def test_beyond_the_border_the_last_pixels_repeat():
    image = np.full((50, 50, 3), 77, np.uint8)
    pose = Pose("d6", (-10.0, 60.0), 30.0, 0.3, 1.0)
    assert (crops.crop(image, pose, 1.0, 0.3, 48) == 77).all()


def test_a_side_patch_gives_the_same_crop():
    image, pose = spotted(1.1)
    part, moved = crops.side_patch(image, pose)
    assert part.size < image.size / 2
    one = crops.crop(image, pose, 1.0, 1.1, 64)
    other = crops.crop(part, moved, 1.0, 1.1, 64)
    assert np.abs(one.astype(int) - other.astype(int)).max() <= 2


def test_a_side_patch_of_a_grey_image_has_three_channels():
    image, pose = spotted(1.1)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    part, moved = crops.side_patch(grey, pose)
    assert crops.crop(part, moved, 1.0, 1.1, 64).shape == (64, 64, 3)


@pytest.mark.parametrize("shape", crops.TURNS)
def test_a_mark_may_point_to_every_turn_once(shape):
    ways = crops.turns(Pose(shape, (0, 0), 10, 0.2, 1.0))
    turns = sorted(way % math.tau for way in ways)
    steps = np.diff([*turns, turns[0] + math.tau])
    assert len(ways) == crops.TURNS[shape]
    assert np.allclose(steps, math.tau / len(ways))


def test_what_the_numeral_network_sees_does_not_depend_on_exposure():
    rng = np.random.default_rng(1)
    crop = rng.integers(0, 120, (2, 48, 48, 3), dtype=np.uint8)
    one, brighter = crops.numeral_input(crop), crops.numeral_input(crop * 2)
    assert one.shape == (2, 24, 24, 24)
    assert np.abs(one[:, :12].mean(axis=(1, 2, 3))).max() < 1e-3
    assert one[:, :12].std(axis=(1, 2, 3)) == pytest.approx(1, abs=0.25)
    assert np.abs(one - brighter).mean() < 0.12


def test_dark_red_ink_stands_out_beside_what_mirrors_in_a_black_polish():
    image = np.full((48, 48, 3), 20, np.uint8)
    image[:, 12:20] = 240  # a window
    pip = np.zeros((48, 48), bool)
    pip[22:28, 26:32] = True
    image[pip] = 15, 15, 75
    plain, white = np.split(crops.numeral_input(image[None])[0], 2)
    body = np.zeros_like(pip)
    body[22:28, 34:40] = True

    def apart(blocks):
        colours = blocks.reshape(3, -1)
        where, beside = (
            in_blocks(part[None, ..., None]).ravel() for part in (pip, body)
        )
        off = colours[:, where].mean(axis=1) - colours[:, beside].mean(axis=1)
        return np.abs(off).max()

    assert apart(plain) < 1
    assert apart(white) > 2


def test_the_same_grey_everywhere_is_not_stretched_into_colours():
    rng = np.random.default_rng(4)
    noise = rng.normal(120, 4, (1, 48, 48, 3)).clip(0, 255).astype(np.uint8)
    assert np.abs(crops.numeral_input(noise)[:, 12:]).mean() < 0.6
    plain = crops.numeral_input(np.full((1, 48, 48, 3), 90, np.uint8))
    assert np.abs(plain).max() < 1e-3


def test_side_crops_are_looked_at_within_a_circle_only():
    crop = np.full((1, 64, 64, 3), 90, np.uint8)
    crop[:, 20:40, 20:40] = 160, 120, 90
    changed = crop.copy()
    changed[:, :4, :4] = 255
    one, other = crops.standardised_side(crop), crops.standardised_side(changed)
    assert one.shape == (1, 12, 32, 32)
    assert np.array_equal(one, other)
    assert np.abs(one[0, 8:]).max() < 1e-3
    assert (one[0, :4, :2, :2] == 0).all()
