"""Frames with nothing to read: a fixed few of every kind, and not one roll."""

from __future__ import annotations

import cv2
import pytest

from vision.nothing import DRAWN, drawn_case, judge, table
from vision.reader import Reader

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


def test_the_same_seed_gives_the_same_frames() -> None:
    one, two = (drawn_case("coins and tokens", 3) for _ in range(2))
    assert len(one.frames) == len(two.frames)
    assert all(
        (a.image == b.image).all() for a, b in zip(one.frames, two.frames, strict=True)
    )
    assert drawn_case("coins and tokens", 4).frames[-1].image.tobytes() != (
        one.frames[-1].image.tobytes()
    )
