"""Motion images made of main images."""

import cv2
import numpy as np
import pytest

from hardware.grey import small_grey


@pytest.mark.parametrize(
    ("size_wh", "small_wh"),
    [
        ((2304, 1296), (288, 162)),
        ((1536, 864), (384, 216)),
        ((1280, 720), (320, 180)),
        ((1281, 723), (320, 180)),
        ((640, 480), (320, 240)),
        ((320, 240), (320, 240)),
    ],
)
def test_any_camera_gives_a_motion_image_of_about_320_pixels(size_wh, small_wh):
    image = np.full((size_wh[1], size_wh[0], 3), (10, 90, 200), np.uint8)
    grey = small_grey(image)
    assert (grey.shape[1], grey.shape[0]) == small_wh
    assert grey.dtype == np.uint8
    assert abs(int(grey[5, 5]) - round(0.114 * 10 + 0.587 * 90 + 0.299 * 200)) <= 1


def test_each_pixel_is_the_mean_of_its_block():
    rng = np.random.default_rng(1)
    image = rng.integers(0, 256, (720, 1280, 3), np.uint8)
    mean = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).reshape(180, 4, 320, 4).mean((1, 3))
    assert np.abs(small_grey(image) - mean).max() < 2
