"""A gallery tested against itself: good shots are right, a mixed-up one is found."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.vision.test_gallery import EFFECT, demo_die, teach
from vision.embedder import SideEmbedder
from vision.gallery import Gallery
from vision.selftest import Verdict, check_gallery
from vision.train.faces_cast import shoot


@pytest.fixture(scope="module")
def embedder() -> SideEmbedder:
    return SideEmbedder()


def test_a_well_taught_die_knows_itself(embedder: SideEmbedder) -> None:
    rng = random.Random(41)
    gallery = Gallery(embedder)
    teach(gallery, rng, "green", demo_die(rng, "d12", EFFECT), 3)
    before = len(gallery)
    tests = list(check_gallery(gallery))
    counts = Counter(test.verdict for test in tests)
    assert len(tests) == before == len(gallery)
    assert counts[Verdict.WRONG] == 0
    assert counts[Verdict.RIGHT] >= 0.8 * before, counts


def test_a_picture_taught_under_another_face_is_found(embedder: SideEmbedder) -> None:
    rng = random.Random(42)
    gallery = Gallery(embedder)
    die = demo_die(rng, "d6", ("star", "dmg", "pen", "x", "acc1", "bottle"))
    teach(gallery, rng, "own", die, 3)
    mixed = shoot(rng, die, 1, 40, 0.2)
    shot = gallery.add("own", "d6", "star", mixed.image, mixed.pose)
    doubtful = {test.shot: test for test in check_gallery(gallery, "own")}[shot]
    assert doubtful.verdict in (Verdict.WRONG, Verdict.UNSURE)
    assert doubtful.said == "own dmg"


def test_a_lone_picture_says_nothing_and_other_dice_are_left_out(
    embedder: SideEmbedder,
) -> None:
    rng = random.Random(43)
    gallery = Gallery(embedder)
    die = demo_die(rng, "d6", ("star", "dmg", "pen", "x", "acc1", "bottle"))
    teach(gallery, rng, "one", die, 1)
    teach(gallery, rng, "two", die, 1)
    tests = list(check_gallery(gallery, "one"))
    assert {test.die for test in tests} == {"one"}
    assert {test.verdict for test in tests} == {Verdict.ALONE}
