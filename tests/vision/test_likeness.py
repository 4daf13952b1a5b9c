"""How likeness to taught shots is judged."""

import numpy as np
import pytest

from vision.confidence import load_confidence
from vision.embedder import MODELS
from vision.likeness import DOUBTED, MOST_ALLOWED, USUAL_OWN, decide, own_likeness

CONFIDENCE = load_confidence(MODELS / "confidence.json")


def alike(likeness):
    return np.float32([[likeness], [likeness]]), 0.0


def usual(die, face):
    return USUAL_OWN


def test_a_face_whose_shots_differ_is_known_by_less_likeness():
    found = {"green": {"f": alike(0.6), "g": alike(0.2)}}
    plain = decide(found, CONFIDENCE, usual)
    blank = decide(found, CONFIDENCE, lambda die, face: 0.3)
    icon = decide(found, CONFIDENCE, lambda die, face: 0.95)
    assert not plain.known
    assert blank.known
    assert icon == plain
    assert plain.scores[0][1] < blank.scores[0][1]
    assert blank.allowance == pytest.approx(MOST_ALLOWED)


@pytest.mark.parametrize(
    ("first", "second", "surely"),
    [(0.97, 0.91, True), (0.90, 0.84, False), (0.97, 0.93, False), (0.85, 0.77, True)],
)
def test_a_small_lead_is_enough_only_where_the_first_face_is_seen_well(
    first, second, surely
):
    found = {"green": {"f": alike(first), "g": alike(second)}}
    match = decide(found, CONFIDENCE, usual)
    assert match.scores[0][0] == "f"
    assert (match.scores[0][1] > DOUBTED) == surely


def test_another_die_must_be_farther_behind_than_another_face():
    green = {"f": alike(0.85), "g": alike(0.77)}
    alone = decide({"green": green}, CONFIDENCE, usual)
    red = {"f": alike(0.77), "g": alike(0.2)}
    both = {"green": green, "red": red}
    beside = decide(both, CONFIDENCE, usual)
    assert (alone.die, beside.die) == ("green", "green")
    assert beside.margin == alone.margin
    assert beside.scores[0][1] <= DOUBTED < alone.scores[0][1]


def test_shots_alone_or_at_another_turn_say_how_alike_a_face_is_to_itself():
    one = np.float32([[1, 0], [0, 1]])
    assert own_likeness([one]) == USUAL_OWN
    assert own_likeness([one, one[::-1], one]) == pytest.approx(1)
    assert own_likeness([one, np.float32([[-1, 0], [0, -1]])]) == pytest.approx(0)
