from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from device.errors import BadInput
from tests.device.test_lessons import Class, finder, shots
from vision.find import Finder
from vision.frame import Image
from vision.gallery import Shot

__all__ = ["finder", "shots"]

ARMOUR = {"check": "armour_check", "amount": 3, "rating": 2}


@pytest.fixture
def school(
    tmp_path: Path, finder: Finder, shots: list[tuple[str, Image]]
) -> Iterator[Class]:
    made = Class(tmp_path, finder)
    made.demo.run(0.5)
    yield made
    made.demo.close()


def learnt(school: Class) -> list[tuple[str, Shot]]:
    dice = school.gallery.dice
    return [
        (face, shot)
        for die in dice.values()
        for face, shots in die.faces.items()
        for shot in shots
        if shot.correction
    ]


def throw(school: Class) -> tuple[str, str]:
    """Throw the armour die and return the roll and the face that was read."""
    demo = school.demo
    demo.do("open_check", ARMOUR)
    demo.throw()
    roll = demo.content.check.roll
    return roll.id, roll.dice[0].face


def put_right(school: Class, roll: str, face: str) -> None:
    die = school.demo.content.check.roll.dice[0].id
    school.demo.do("correct_die", {"roll": roll, "die": die, "face": face})
    school.demo.run(0.1)


def test_a_taught_die_learns_from_a_correction_and_unlearns_with_it(
    school: Class, shots: list[tuple[str, Image]]
) -> None:
    school.teach(shots[:12])
    school.do("teach_test")
    school.do("teach_keep")
    roll, face = throw(school)
    others = [one for one in "1234" if one != face]
    put_right(school, roll, others[0])
    assert [one for one, _ in learnt(school)] == [others[0]]
    assert school.lessons.corrections == {"armour": 1}
    saved = school.saved
    put_right(school, roll, others[1])
    assert [one for one, _ in learnt(school)] == [others[1]], "the last one counts"
    assert school.saved > saved
    school.demo.do("undo")
    school.demo.run(0.1)
    assert [one for one, _ in learnt(school)] == [others[0]]
    school.demo.do("undo")
    school.demo.run(0.1)
    assert learnt(school) == []
    school.demo.do("redo")
    school.demo.run(0.1)
    assert [one for one, _ in learnt(school)] == [others[0]]
    school.demo.do("forget_corrections", {"die": "armour"})
    school.demo.run(0.1)
    assert learnt(school) == [] and school.lessons.corrections == {"armour": 0}
    with pytest.raises(BadInput):
        school.demo.do("forget_corrections", {"die": "pink"})


def test_a_die_that_nobody_taught_learns_nothing(school: Class) -> None:
    roll, face = throw(school)
    put_right(school, roll, "1" if face != "1" else "2")
    assert len(school.gallery) == 0 and school.saved == 0


def test_what_was_put_right_before_the_start_is_left_alone(
    school: Class, shots: list[tuple[str, Image]], tmp_path: Path, finder: Finder
) -> None:
    roll, face = throw(school)
    put_right(school, roll, "1" if face != "1" else "2")
    school.demo.close()
    again = Class(tmp_path, finder)
    again.teach(shots[:12])
    again.do("teach_test")
    again.do("teach_keep")
    again.demo.run(0.3)
    assert learnt(again) == []
    again.demo.close()
