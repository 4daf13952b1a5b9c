"""What two witnesses of one face say together."""

import numpy as np
import pytest

from vision.faces import NumeralReading
from vision.frame import Image, Pose
from vision.witness import CONTRADICTED, UpFace, misread, numeral_too

NUMBERS = frozenset(str(n) for n in range(1, 21))
POSE = Pose("d20", (50.0, 50.0), 30.0, 0.0, 1.0)


def taught(*scores: tuple[str, float]) -> UpFace:
    return UpFace("white", scores, POSE)


def numeral(*scores: tuple[str, float]) -> NumeralReading:
    return NumeralReading("d20", scores)


def test_two_that_agree_are_surer_than_either():
    both = numeral_too(taught(("17", 0.8), ("3", 0.1)), numeral(("17", 0.85)), NUMBERS)
    assert both.scores[0] == ("17", pytest.approx(0.8 * 0.85 / (0.68 + 0.03)))
    assert both.scores[1][0] == "3"
    assert both.scores[1][1] < 0.1


def test_a_doubtful_numeral_takes_nothing_away():
    sure = taught(("6", 0.99), ("9", 0.005))
    assert numeral_too(sure, numeral(("6", 0.45), ("9", 0.45)), NUMBERS) == sure
    assert numeral_too(sure, numeral(("9", 0.5), ("6", 0.5)), NUMBERS) == sure
    assert numeral_too(sure, numeral(), NUMBERS) == sure


def test_a_sure_numeral_denies_another_face_however_alike():
    both = numeral_too(
        taught(("13", 0.99), ("10", 0.01)), numeral(("18", 0.97)), NUMBERS
    )
    assert {face for face, _ in both.scores[:2]} == {"13", "18"}
    assert max(share for _, share in both.scores) <= CONTRADICTED


def test_a_denied_face_that_likeness_offered_too_is_offered_once():
    both = numeral_too(taught(("13", 0.6), ("18", 0.4)), numeral(("18", 0.9)), NUMBERS)
    assert [face for face, _ in both.scores] == ["18", "13"]


def test_a_numeral_that_is_no_face_of_the_die_says_nothing():
    tens = taught(("30", 0.97), ("80", 0.01))
    assert numeral_too(tens, numeral(("3", 0.98)), frozenset({"30", "80"})) == tens


class Flagged:
    """Reads every numeral as a seven, in the first of some shots."""

    def __init__(self, sevens: int) -> None:
        self.left = sevens

    def read_numeral(self, image: Image, pose: Pose) -> NumeralReading:
        self.left -= 1
        return numeral(("7", 0.98)) if self.left >= 0 else numeral(("1", 0.5))


@pytest.mark.parametrize(
    ("sevens", "shots", "usual"),
    [(1, 1, False), (2, 2, True), (2, 3, True), (2, 5, False), (3, 5, True)],
)
def test_a_numeral_read_wrongly_on_its_own_shots_too_says_nothing(sevens, shots, usual):
    picture = np.zeros((72, 72, 3), np.uint8)
    asked = []

    def is_usual(face: str, told: str) -> bool:
        asked.append((face, told))
        return misread(Flagged(sevens), [(picture, POSE)] * shots, told)

    one = taught(("1", 0.99), ("7", 0.005))
    both = numeral_too(one, numeral(("7", 0.98)), NUMBERS, is_usual)
    assert (both == one) == usual
    assert asked == [("1", "7")]
