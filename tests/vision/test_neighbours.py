"""A d20's up face told by its neighbours: sixes, nines, and dice numbered otherwise."""

from __future__ import annotations

import itertools
from random import Random

import cv2
import numpy as np
import pytest

from tests.vision.telling import told_and_wrong
from vision.faces import FaceReader
from vision.frame import Image, Pose
from vision.neighbours import (
    neighbour_views,
    told_by_neighbours,
    with_neighbours,
)
from vision.reader import Reader
from vision.synth import marks, strokes
from vision.synth.numbering import usual_numbers
from vision.synth.tray import DrawnDie, DrawnTray

UNSURE = (("6", 0.4), ("9", 0.4), ("8", 0.1))


@pytest.mark.parametrize(
    ("seen", "face"),
    [
        ({"14": 0.9, "16": 0.9}, "6"),
        ({"11": 0.9, "19": 0.9}, "9"),
        ({"9": 0.9, "14": 0.8, "16": 0.9}, "6"),
        ({"6": 0.9, "14": 0.8, "16": 0.9}, "6"),
        ({"20": 0.9, "16": 0.9}, "8"),
        ({"14": 0.9, "19": 0.9}, None),
        ({"14": 0.9}, None),
        ({"14": 0.9, "16": 0.9, "3": 0.9}, None),
        ({"7": 0.9, "5": 0.9}, None),
        ({}, None),
    ],
    ids=range(10),
)
def test_the_neighbours_settle_it_or_nothing_is_changed(
    seen: dict[str, float], face: str | None
) -> None:
    told = with_neighbours(UNSURE, list(seen.items()))
    if face is None:
        assert told == UNSURE
        return
    assert told[0][0] == face
    assert 0.9 < told[0][1] < 0.98
    shares = [share for _, share in told]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) <= 1.0


def test_a_face_that_was_not_scored_is_not_made_up() -> None:
    seen = [("3", 0.9), ("9", 0.9)]
    assert with_neighbours((("6", 0.5), ("9", 0.5)), seen)[0][1] == 0.5


def die(name: str, numbers: tuple[int, ...]) -> DrawnDie:
    """A d20 whose six and nine have no mark."""
    style = strokes.stroke_style(Random(4))
    texts = [str(number) for number in numbers]
    masks = [marks.numeral(text, style, 128, "none", Random(1)) for text in texts]
    return DrawnDie(name, "d20", "white", tuple(texts), tuple(masks))


def photographs(numbers: tuple[int, ...], faces: set[int]) -> list[tuple[str, Image]]:
    tray = DrawnTray(
        [die("one", numbers)], (520, 520), 4.0, Random(2), frame_marks=False
    )
    found = []
    for face, seed in itertools.product(sorted(faces), range(6)):
        tray.clear()
        tray.throw(["one"], seed, [numbers.index(face)])
        found.append((str(face), np.array(tray.image(99.0))))
    return found


@pytest.fixture(scope="module")
def reader() -> Reader:
    cv2.setNumThreads(1)
    return Reader()


def test_unmarked_sixes_and_nines_are_told_by_their_neighbours(reader: Reader) -> None:
    told, wrong = told_and_wrong(
        reader, photographs(tuple(usual_numbers("d20")), {6, 9})
    )
    assert not wrong
    assert told >= 6, told


def test_the_neighbours_of_a_die_numbered_otherwise_say_nothing(
    reader: Reader,
) -> None:
    # Numbered in turn along the faces: no neighbour is where it usually is.
    numbers = tuple(range(1, 21))
    faces = FaceReader()
    told = [
        told_by_neighbours(faces, image, found.pose, UNSURE)
        for _, image in photographs(numbers, {6, 9})
        for found in reader.read(image).detections
        if found.pose is not None and found.die == "d20"
    ]
    assert len(told) >= 6
    assert set(told) == {UNSURE}


def test_a_neighbour_is_seen_as_if_it_lay_on_top() -> None:
    image = np.zeros((200, 200, 3), np.uint8)
    views = neighbour_views(image, Pose("d20", (100.0, 100.0), 60.0, 0.3, 0.99))
    assert len(views) == 3
    assert all(pose.shape == "d20" and pose.turn_rad == 0 for _, pose in views)
