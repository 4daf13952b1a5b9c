"""A die's picture straightened: what a camera saw aslant lies where it belongs."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest

from vision.embedder import SideEmbedder
from vision.frame import Pose
from vision.from_above import DEEPEST, depths, from_above
from vision.synth.solids import solid
from vision.train.faces_cast import numeral_die, shoot

SIZE_PX = 241
SLOPE = (0.3, -0.4)


@pytest.mark.parametrize("shape", ["d8", "d10", "d12", "d20"])
@pytest.mark.parametrize("turn_rad", [0.0, 0.5])
def test_a_face_beside_the_up_face_comes_to_where_it_is_seen_from_above(
    shape: str, turn_rad: float
) -> None:
    pose = Pose(shape, (120.0, 120.0), 60.0, turn_rad, 0.99, slope=SLOPE)
    body = solid(shape)
    turned = body.rotation(0, turn_rad)
    for face in np.argsort(-(body.normals @ body.normals[0]))[1:3]:
        right, up, rise = turned @ (body.centres[face] - body.top_point(0))
        if rise < -DEEPEST:
            continue
        above = np.array([right, -up])
        aslant = above + rise * np.array(SLOPE)
        image = np.zeros((SIZE_PX, SIZE_PX, 3), np.uint8)
        cv2.circle(image, _pixel(aslant), 4, (255, 255, 255), -1)
        straight, moved = from_above(image, pose)
        assert moved.slope == (0.0, 0.0)
        x, y = _pixel(above)
        assert straight[y, x].min() > 200


def _pixel(place: np.ndarray) -> tuple[int, int]:
    x, y = np.round(120 + 60 * place).astype(int)
    return int(x), int(y)


def test_the_up_face_stays_and_a_look_from_above_is_left_as_it_is() -> None:
    image = np.random.default_rng(1).integers(0, 255, (SIZE_PX, SIZE_PX, 3), np.uint8)
    pose = Pose("d20", (120.0, 120.0), 60.0, 0.2, 0.99, slope=SLOPE)
    straight, _ = from_above(image, pose)
    near = slice(110, 131)
    assert np.array_equal(straight[near, near], image[near, near])
    assert not np.array_equal(straight, image)
    unchanged, same = from_above(image, replace(pose, slope=(0.0, 0.0)))
    assert unchanged is image
    assert same.slope == (0.0, 0.0)


def test_a_cube_shows_its_up_face_alone() -> None:
    assert not depths("d6").any()
    assert 0.7 < depths("d20").max() <= DEEPEST


@pytest.mark.parametrize("shape", ["d4", "d8", "d10", "d12", "d20"])
def test_a_map_of_depths_is_that_of_the_solid(shape: str) -> None:
    body = solid(shape)
    turned = body.rotation(0, 0.0)
    top = turned @ body.top_point(0)
    checked = 0
    for normal, corners in zip(body.normals @ turned.T, body.faces, strict=True):
        place = turned @ body.vertices[list(corners)].mean(axis=0) - top
        # A d4's three faces meet at its top and go down farther than the map does.
        right, up, rise = place / 2 if shape == "d4" else place
        if normal[2] < 0.2 or -rise > DEEPEST:
            continue
        column, row = (round(64 + 32 * part) for part in (right, -up))
        assert depths(shape)[row, column] == pytest.approx(-rise, abs=0.08)
        checked += 1
    assert checked >= 3


def test_two_looks_at_one_face_are_more_alike() -> None:
    embedder = SideEmbedder()
    plain, straight = [], []
    for seed in range(30):
        rng = Random(seed)
        die = numeral_die(rng, "d20", [])
        looks = [shoot(rng, die, 3, 50.0, rough=0.3) for _ in range(2)]
        if math.dist(looks[0].pose.slope, looks[1].pose.slope) < 0.4:
            continue
        pairs = []
        for known in (False, True):
            poses = [
                replace(
                    seen.pose,
                    turn_rad=seen.upright_rad - die.turns[3],
                    slope=seen.pose.slope if known else (0.0, 0.0),
                )
                for seen in looks
            ]
            first, second = (
                embedder.embed(seen.image, pose)[0]
                for seen, pose in zip(looks, poses, strict=True)
            )
            pairs.append(float(first @ second))
        plain.append(pairs[0])
        straight.append(pairs[1])
    assert len(plain) >= 8
    assert np.mean(straight) > np.mean(plain) + 0.02
