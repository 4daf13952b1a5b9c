"""A d20's up face told by its neighbours: sixes, nines, and dice numbered otherwise."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from random import Random

import cv2
import numpy as np
import pytest

from tests.vision.reader_parts import Faces, looks_like
from tests.vision.telling import told_and_wrong
from vision.beside import faces_beside
from vision.faces import FaceReader, NumeralReading
from vision.frame import Image, Pose
from vision.neighbours import DOUBTED, told_by_neighbours, with_neighbours
from vision.reader import Reader
from vision.synth import marks, strokes
from vision.synth.numbering import faces_around, usual_numbers
from vision.synth.solids import solid
from vision.synth.tray import DrawnDie, DrawnTray
from vision.together import Floats as Shares
from vision.train.faces_cast import numeral_die, shoot
from vision.up_face import UNTAUGHT_BAR

UNSURE = NumeralReading(
    "d20", (("6", 0.4), ("9", 0.4), ("8", 0.1)), False,
    looks_like((("6", 0.4), ("9", 0.4), ("8", 0.1))),
)  # fmt: skip


def beside(*names: str, share: float = 0.9) -> list[Shares]:
    """What neighbours look like, clockwise; one without a name cannot be read."""
    return [looks_like(((name, share),) if name else ()) for name in names]


@pytest.mark.parametrize(
    ("seen", "face"),
    [
        (("9", "16", "14"), "6"),
        (("14", "6|9", "16"), "6"),
        (("14", "16", "9"), "6"),  # the other way round, as some are
        (("6", "11", "19"), "9"),
        (("20", "16", "10"), "8"),
        (("", "16", "14"), "6"),
        (("14", "19", ""), None),
        (("14", "", ""), None),
        (("7", "5", "12"), None),
        (("", "", ""), None),
    ],
    ids=range(10),
)
def test_the_neighbours_settle_it_or_it_stays_unsure(
    seen: tuple[str, str, str], face: str | None
) -> None:
    told = with_neighbours("d20", UNSURE, beside(*seen)).scores
    if face is None:
        assert told[0][1] < UNTAUGHT_BAR
    else:
        assert told[0][0] == face
        assert 0.9 < told[0][1] < 0.98
    shares = [share for _, share in told]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) <= 1.0


def test_neighbours_that_cannot_be_read_change_nothing() -> None:
    told = with_neighbours("d20", UNSURE, beside("", "", ""))
    assert [share for _, share in told.scores] == pytest.approx(
        [0.4, 0.4, 0.1], abs=0.2
    )
    sure = replace(UNSURE, scores=(("6", 0.95), ("9", 0.01)))
    assert with_neighbours("d20", sure, beside("", "", "")).scores == sure.scores


def test_a_face_read_surely_is_doubted_where_its_neighbours_are_anothers() -> None:
    five = (("5", 0.93), ("15", 0.03))
    own = NumeralReading("d20", five, False, looks_like(five))
    told = with_neighbours("d20", own, beside("5", "12", "7")).scores
    assert told[0] == ("15", DOUBTED)
    assert "5" in dict(told)
    # Numbered in some other way: what lies round it is no other face's either.
    assert with_neighbours("d20", own, beside("1", "2", "3")).scores[0][1] >= 0.9


def test_an_unclear_face_is_not_made_up_of_its_neighbours() -> None:
    dim = (("6", 0.3), ("8", 0.2))
    own = NumeralReading("d20", dim, False, looks_like(dim))
    told = with_neighbours("d20", own, beside("7", "19", "13")).scores
    assert told[0] == ("1", DOUBTED)


def test_the_tens_beside_it_tell_that_a_die_is_one_of_tens() -> None:
    eight = (("8", 0.6), ("80", 0.1))
    own = NumeralReading("d10", eight[:1], False, looks_like(eight))
    told = with_neighbours("d10", own, beside("00", "20"))
    assert (told.die, told.scores[0][0]) == ("d%", "80")
    assert told.scores[0][1] > 0.8
    same = with_neighbours("d10", own, beside("0", "2"))
    assert (same.die, same.scores[0][0]) == ("d10", "8")
    assert same.scores[0][1] > 0.9


def test_a_ten_on_a_d10_is_left_as_it_was_read() -> None:
    ten = (("10", 0.6), ("0", 0.1))
    own = NumeralReading("d10", ten, False, looks_like(ten))
    pose = Pose("d10", (100.0, 100.0), 60.0, 0.3, 0.99)
    image = np.zeros((200, 200, 3), np.uint8)
    assert told_by_neighbours(Faces({}), image, pose, own) is own


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


def test_a_die_numbered_otherwise_is_not_read_wrongly(reader: Reader) -> None:
    # In turn along the faces: no neighbour is where it usually is.
    numbers = tuple(range(1, 21))
    taken = photographs(numbers, {3, 6, 9, 12, 20})
    told, wrong = told_and_wrong(reader, taken)
    assert not wrong
    assert told >= 14, told


def test_the_neighbours_of_a_die_seen_aslant_are_read_where_they_are_seen() -> None:
    faces, body = FaceReader(), solid("d20")
    straight, aslant, sought = 0, 0, 0
    for seed in range(40):
        rng = Random(seed)
        die = numeral_die(rng, "d20", [])
        seen = shoot(rng, die, 0, 26.0)
        around = {die.keys[face] for face in faces_around(body, 0)} - {"6", "9"}
        if not seen.readable or math.hypot(*seen.pose.slope) < 0.35:
            continue
        sought += len(around)
        aslant += len(around & _read_beside(faces, seen.image, seen.pose))
        unknown = replace(seen.pose, slope=(0.0, 0.0))
        straight += len(around & _read_beside(faces, seen.image, unknown))
    assert sought >= 20, sought
    assert aslant >= straight + sought // 20, (straight, aslant, sought)


def _read_beside(faces: FaceReader, image: Image, pose: Pose) -> set[str]:
    """Return what is read on the neighbours, more surely than not."""
    read = [faces.read_numeral(*view).scores for view in faces_beside(image, pose)]
    return {scores[0][0] for scores in read if scores and scores[0][1] > 0.5}
