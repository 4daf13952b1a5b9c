"""Whether a person could read a drawn face."""

from random import Random

import numpy as np
import pytest

from vision.synth.legible import BARE, INK, contrast
from vision.synth.looks import random_ink

MAP = np.full((40, 40), BARE, np.uint8)
MAP[10:30, 16:24] = INK


def picture(body: int, ink: int, spread: int = 0) -> np.ndarray:
    chance = np.random.default_rng(1)
    image = np.full((40, 40, 3), body, np.int16)
    image[MAP == INK] = ink
    image += chance.integers(-spread, spread + 1, image.shape[:2])[..., None]
    return np.clip(image, 0, 255).astype(np.uint8)


def test_plain_ink_stands_out_by_its_difference():
    assert contrast(picture(200, 98), MAP) == pytest.approx(0.4, abs=0.01)


def test_no_ink_is_no_contrast():
    assert contrast(picture(200, 98), np.full((40, 40), BARE, np.uint8)) == 0.0


def test_speckles_as_strong_as_the_ink_hide_it():
    plain, speckled = picture(150, 100), picture(150, 100, spread=100)
    assert contrast(plain, MAP) > 0.15 > 3 * contrast(speckled, MAP)


def test_ink_that_differs_in_hue_alone_stands_out():
    image = np.zeros((40, 40, 3), np.uint8)
    image[..., 0] = 150
    image[MAP == INK] = (0, 20, 200)
    assert contrast(image, MAP) > 0.5


def test_ink_stands_out_from_both_colours_of_a_marbled_body():
    rng, black, white = Random(2), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    inks = [random_ink(rng, black, white, faint=0.0) for _ in range(60)]
    nearest = [min(max(i), max(1 - v for v in i)) for i in inks]
    assert min(nearest) > 0.02
    assert sum(gap > 0.1 for gap in nearest) > 45
