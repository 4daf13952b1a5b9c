"""Cubes and flat tiles, drawn alike, told apart by their edges and sides."""

from __future__ import annotations

import math
from random import Random

import cv2
import numpy as np
import pytest

from vision.frame import Image, Pose
from vision.synth.bank import make_bank
from vision.synth.ground import random_ground
from vision.synth.lying import pip_tile
from vision.synth.scene import Layout, Scene, compose, photograph
from vision.tiles import FLAT_BAR, Tiles, tile_crop

COUNT = 24
RADIUS_PX = 26.0
SIDE_PX = 240


@pytest.fixture(scope="module")
def tiles() -> Tiles:
    cv2.setNumThreads(1)
    return Tiles()


def tile(seed: int) -> tuple[Image, Pose]:
    """A tile that no training has seen, where it stands out from its ground."""
    rng = Random(f"tile {seed}")
    ground = random_ground(rng, (SIDE_PX, SIDE_PX)).astype(np.float32)
    picture = ground.copy()
    pip_tile(rng, picture, RADIUS_PX)
    laid = (np.abs(picture - ground).max(axis=2) > 0.08).astype(np.uint8)
    ((x, y), (w, h), turn) = cv2.minAreaRect(cv2.findNonZero(laid))
    image = (np.clip(picture, 0, 1) * 255).astype(np.uint8)
    seen = photograph(rng, Scene(image, ()), rough=0.3).image
    side = min(w, h)
    return seen, Pose("d6", (x, y), side * math.sqrt(3) / 2, math.radians(turn), 1.0)


def test_most_tiles_look_flat_and_hardly_a_cube_does(tiles: Tiles) -> None:
    flat = [tiles.flatness(*tile(seed)) for seed in range(COUNT)]
    missed = [
        f"tile {k}: {share:.2f}" for k, share in enumerate(flat) if share < FLAT_BAR
    ]
    assert len(missed) <= COUNT // 2, missed

    rng = Random(5)
    bank = make_bank(rng, 8 * COUNT)
    cubes: list[float] = []
    while len(cubes) < 2 * COUNT:
        layout = Layout((SIDE_PX, SIDE_PX), RADIUS_PX, 6, 0, mirrored=False)
        scene = photograph(rng, compose(rng, bank, layout), rough=0.5)
        cubes += [
            tiles.flatness(scene.image, die.pose)
            for die in scene.dice
            if die.pose.shape == "d6" and die.pose.flat > 0.5 and die.visible > 0.95
        ]
    doubted = [
        f"cube {k}: {share:.2f}" for k, share in enumerate(cubes) if share >= FLAT_BAR
    ]
    assert len(doubted) <= 2, doubted


def test_the_crop_is_turned_upright_and_holds_the_ground_beside() -> None:
    image = np.zeros((200, 200, 3), np.uint8)
    square = cv2.boxPoints(((100.0, 100.0), (46.0, 46.0), 30.0)).astype(np.int32)
    cv2.fillPoly(image, [square], (255, 255, 255))
    crop = tile_crop(image, Pose("d6", (100, 100), 40.0, math.radians(30), 1.0))
    white = crop[..., 0] > 128
    rows, columns = np.flatnonzero(white.any(1)), np.flatnonzero(white.any(0))
    # A square of 46 px in a crop of 120: upright it is as wide as its sides.
    assert np.ptp(rows) == pytest.approx(46 / 120 * 56, abs=1.5)
    assert np.ptp(columns) == pytest.approx(46 / 120 * 56, abs=1.5)
