"""Pips found by geometry, and what they are a witness of."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from tests.vision.reader_parts import GREY, Edges, Faces, Found
from vision.frame import Detection, Image, Pose, Status
from vision.pips import PATTERNS, find_pips
from vision.reader import Reader


def dotted(face: int, narrow: float = 1.0) -> Image:
    """A white die of 60 px with dark pips at (100, 100), turned by 20 degrees."""
    image = GREY.copy()
    turn = math.radians(20)
    side = 2 * 34 / math.sqrt(3)
    box = cv2.boxPoints(((100, 100), (side, side), 20))
    cv2.fillPoly(image, [box.astype(np.int32)], (235, 235, 235), cv2.LINE_AA)
    for wide, y in PATTERNS[face]:
        x = wide * narrow
        spot = (
            100 + 10 * (x * math.cos(turn) - y * math.sin(turn)),
            100 + 10 * (x * math.sin(turn) + y * math.cos(turn)),
        )
        centre = (round(spot[0] * 16), round(spot[1] * 16))
        cv2.circle(image, centre, 3 * 16, (20, 20, 20), -1, cv2.LINE_AA, shift=4)
    return image


def pipped(
    first: str,
    share: float,
    face: int = 5,
    confidence: float = 0.9,
    *,
    pips: bool = True,
) -> Detection:
    """Read a die that shows `face`, where the face reader says `first`."""
    pose = Pose("d6", (100, 100), 34.0, 0.1, confidence)
    faces = Faces({100: ((first, share), ("1", 0.01))}, pips=pips)
    reader = Reader(finder=Found(pose), faces=faces, tiles=Edges(0))
    (die,) = reader.read(dotted(face)).detections
    return die


@pytest.mark.parametrize("face", range(1, 7))
def test_pips_are_found_by_geometry_alone(face: int) -> None:
    best = find_pips(dotted(face), (102.0, 97.0), 36.0)[0]
    assert best.face == face
    assert best.pose.top_xy_px == pytest.approx((100, 100), abs=1.5)
    if face not in (1,):
        off = (best.pose.turn_rad - math.radians(20)) % (math.pi / 2)
        assert min(off, math.pi / 2 - off) < math.radians(8)


def test_a_six_with_its_rows_close_together_is_found() -> None:
    best = find_pips(dotted(6, narrow=0.75), (101.0, 99.0), 34.0)[0]
    assert (best.face, best.left) == (6, 0)


def test_nothing_like_pips_is_found_on_a_blank_or_a_stripe() -> None:
    assert find_pips(GREY, (100, 100), 34.0) == ()
    striped = GREY.copy()
    striped[:, ::12] = 20
    assert all(fit.face == 1 for fit in find_pips(striped, (100, 100), 34.0))


def test_pips_are_a_second_witness_for_a_doubtful_face() -> None:
    agreed = pipped("5", 0.7)
    assert (agreed.face, agreed.status) == ("5", Status.OK)
    assert agreed.confidence > 0.95
    alone = pipped("4", 0.7)
    assert alone.status is Status.UNSURE


def test_pips_are_no_witness_for_a_numeral() -> None:
    assert pipped("5", 0.7, pips=False).status is Status.UNSURE


def test_a_lone_spot_is_no_witness() -> None:
    assert pipped("1", 0.4, face=1).status is Status.UNSURE
    assert pipped("1", 0.99, face=1, confidence=0.75).status is Status.UNSURE
    assert pipped("1", 0.99, face=1, confidence=0.95).status is Status.OK


def test_pips_vouch_for_nothing_that_the_network_denies() -> None:
    assert pipped("2", 0.3, face=6).status is Status.UNSURE
