"""Frames with nothing to read: a fixed few of every kind, and not one roll."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest

from vision.frame import Detection, Image, Pose, Reading, Status
from vision.images import write_image
from vision.nothing import DRAWN, drawn_case, judge, photographed_case, table
from vision.reader import Reader
from vision.scores import Label

EACH = 2
"""Every second case knows the camera's place."""


@pytest.fixture(scope="module")
def reader() -> Reader:
    cv2.setNumThreads(1)
    return Reader()


def test_nothing_is_read_where_nothing_lies(reader: Reader) -> None:
    outcomes = [
        judge(drawn_case(kind, seed), reader)[0]
        for kind in DRAWN
        for seed in range(EACH)
    ]
    false = [f"{one.kind} {one.name}" for one in outcomes if one.vouched]
    print(table(outcomes))
    assert false == [], table(outcomes)
    assert sum(one.readings for one in outcomes) >= len(outcomes)
    assert sum(one.asked for one in outcomes) <= len(outcomes) // 2


class Reads:
    """A reader that finds one die of a given radius in the middle."""

    def __init__(self, radius_px: float) -> None:
        self.radius_px = radius_px

    def read(self, image: Image) -> Reading:
        middle = (image.shape[1] / 2, image.shape[0] / 2)
        pose = Pose("d6", middle, self.radius_px, 0.0, 1.0)
        die = Detection("d6", "5", 1.0, Status.OK, (0.0, 0.0, 1.0, 1.0), pose=pose)
        return Reading((die,), 0.0, {})


@pytest.mark.parametrize(("radius_px", "some"), [(20.0, True), (90.0, False)])
def test_a_die_that_fills_its_photograph_cannot_be_painted_over(
    radius_px: float, some: bool, tmp_path: Path
) -> None:
    image = np.full((200, 200, 3), 90, np.uint8)
    cv2.circle(image, (100, 100), round(radius_px), (255, 255, 255), -1)
    write_image(tmp_path / "one.png", image)
    label = Label(tmp_path / "one.png", (("d6", "5"),), "drawn", "")
    case = photographed_case(label, cast(Reader, Reads(radius_px)))
    assert (case is not None) == some
    if case is not None:
        assert case.frames[-1].image.max() < 120


def test_the_same_seed_gives_the_same_frames() -> None:
    one, two = (drawn_case("coins and tokens", 3) for _ in range(2))
    assert len(one.frames) == len(two.frames)
    assert all(
        (a.image == b.image).all() for a, b in zip(one.frames, two.frames, strict=True)
    )
    assert drawn_case("coins and tokens", 4).frames[-1].image.tobytes() != (
        one.frames[-1].image.tobytes()
    )
