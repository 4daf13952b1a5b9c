"""How most makers number their dice."""

from __future__ import annotations

from random import Random

import pytest

from vision.synth.dress import number_faces
from vision.synth.numbering import (
    AROUND,
    USUAL_SHARE,
    as_usual,
    faces_around,
    usual_numbers,
)
from vision.synth.solids import solid


@pytest.mark.parametrize("shape", AROUND)
def test_what_lies_beside_a_face_has_that_face_beside_it(shape: str) -> None:
    total = min(AROUND[shape]) + max(AROUND[shape])
    for face, ring in AROUND[shape].items():
        assert all(face in AROUND[shape][other] for other in ring)
        # Beneath the die everything goes the other way round.
        below = [total - other for other in AROUND[shape][total - face]][::-1]
        assert ring in {tuple(below[k:] + below[:k]) for k in range(len(ring))}


@pytest.mark.parametrize("shape", AROUND)
def test_a_die_is_numbered_so_all_over(shape: str) -> None:
    body, numbers = solid(shape), usual_numbers(shape)
    assert sorted(numbers) == sorted(AROUND[shape])
    for face, number in enumerate(numbers):
        beside = [numbers[other] for other in faces_around(body, face)]
        wanted = AROUND[shape][number]
        turned = [wanted[k:] + wanted[:k] for k in range(len(wanted))]
        assert tuple(beside) in (turned if shape == "d20" else [wanted])
        assert numbers[body.opposite[face]] == min(numbers) + max(numbers) - number


def test_drawn_dice_are_mostly_numbered_so() -> None:
    rng = Random(5)
    usual = usual_numbers("d20")
    count = sum(number_faces(rng, solid("d20")) == usual for _ in range(200))
    assert 0.65 < USUAL_SHARE - 0.1 < count / 200 < USUAL_SHARE + 0.1


def test_what_faces_bear_is_put_in_the_usual_places() -> None:
    tens = as_usual("d10", [f"{n}0" for n in range(10)])
    assert [f"{n}0" for n in usual_numbers("d10")] == list(tens)
    assert as_usual("d20", [str(n) for n in range(1, 21)])[0] == "20"
    assert as_usual("d6", ["a", "b"]) == ("a", "b")
