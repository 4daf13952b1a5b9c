"""Marks on one die must differ."""

from __future__ import annotations

from random import Random

import cv2
import numpy as np
import pytest

from vision.synth import icons
from vision.synth.alike import told_apart
from vision.train.faces_cast import MASK_PX, icon_die


def ring(radius: int, width: int) -> np.ndarray:
    mask = np.zeros((MASK_PX, MASK_PX), np.uint8)
    cv2.circle(mask, (48, 48), radius, 255, width, cv2.LINE_AA)
    return mask


def arrow(turns: int) -> np.ndarray:
    mask = np.zeros((MASK_PX, MASK_PX), np.uint8)
    cv2.arrowedLine(mask, (48, 75), (48, 20), 255, 9, tipLength=0.4)
    return np.rot90(mask, turns).copy()


def test_a_mark_that_looks_like_another_at_some_turn_is_left_out() -> None:
    thin, same, thick = ring(30, 6), ring(30, 7), ring(30, 16)
    assert told_apart([thin, same, thick], 2) == [thin, thick]
    up, aside = arrow(0), arrow(1)
    assert told_apart([up, aside, thick], 2) == [up, thick]
    with pytest.raises(ValueError, match="2 marks that can be told apart, 3 wanted"):
        told_apart([up, aside, thick], 3)


def test_drawn_dice_bear_icons_that_differ() -> None:
    rng = Random(2)
    pool = [icons.random_icon(rng, MASK_PX) for _ in range(40)]
    pool += pool
    for _ in range(4):
        die = icon_die(rng, "d20", pool)
        inked = [mask.tobytes() for mask in die.model.masks if mask.any()]
        assert len(set(inked)) == len(inked)
