"""Teaching a die: drawn pictures, real grouping, real gallery, real reader."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from device.demo import PX_PER_MM, drawn_shots
from device.errors import BadInput, TableError
from device.eyes import Eyes, Teacher
from device.lessons import ENDS_S, TRIES, Lesson, Lessons
from tests.device.drawn import DICE, Demo, true_eyes
from vision.find import Finder
from vision.frame import Image
from vision.gallery import Gallery
from vision.reader import Reader
from vision.sides import look
from vision.synth.tray import DrawnTray

ARMOUR = DICE.die("armour")
SHOTS = 40


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder()


@pytest.fixture(scope="module")
def shots() -> list[tuple[str, Image]]:
    """Return the armour die three times each side up, and a few more."""
    drawn = drawn_shots(ARMOUR, 4)
    return [(ARMOUR.sides[side], image) for side, image in islice(drawn, SHOTS)]


class Class:
    """A table at which a die is taught."""

    def __init__(self, folder: Path, finder: Finder) -> None:
        self.saved = 0
        self.gallery = Gallery()
        at_scale = _Scaled(finder)
        teacher = Teacher(
            self.gallery, self.gallery.embedder, partial(look, at_scale), self._save
        )
        self.reader = Reader(self.gallery, finder=at_scale)

        def eyes(tray: DrawnTray) -> Eyes:
            return replace(true_eyes(tray), teacher=teacher)

        self.demo = Demo(folder, eyes=eyes)
        lessons = self.demo.companion.lessons
        assert lessons is not None
        self.lessons: Lessons = lessons

    def _save(self) -> None:
        self.saved += 1

    def do(self, name: str, **args: Any) -> None:
        self.demo.do(name, args)
        self.lessons.work()

    @property
    def now(self) -> Lesson:
        assert self.lessons.now is not None
        return self.lessons.now

    def see(self, image: Image) -> None:
        self.lessons.see(image, None, self.reader.read(image))

    def name_all(self, face: str) -> None:
        """Answer as a person would: by the face that lies there."""
        for group in self.now.unnamed:
            self.do("teach_name", group=group.number, face=face)

    def teach(self, shots: list[tuple[str, Image]]) -> None:
        self.do("teach_start", die="armour")
        for face, image in shots:
            self.see(image)
            self.name_all(face)


class _Scaled:
    """A finder that knows the scale of the drawings."""

    def __init__(self, finder: Finder) -> None:
        self._finder = finder

    def find(self, image: Image, **known: Any) -> Any:
        return self._finder.find(image, px_per_mm=PX_PER_MM)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._finder, name)


@pytest.fixture
def school(tmp_path: Path, finder: Finder) -> Iterator[Class]:
    made = Class(tmp_path, finder)
    yield made
    made.demo.close()


def test_a_die_is_taught_tried_kept_and_taken_back(
    school: Class, shots: list[tuple[str, Image]]
) -> None:
    school.teach(shots[:24])
    asked = len(school.now.groups)
    assert 4 <= asked <= 18, "each side is asked for about once"
    assert school.now.missing == () and not school.now.unnamed
    school.do("teach_test")
    assert set(school.gallery.dice["armour"].faces) == {"1", "2", "3", "4"}
    for _, image in shots[24 : 24 + TRIES]:
        school.see(image)
    assert school.now.phase == "tried"
    truth = [face for face, _ in shots[24 : 24 + TRIES]]
    read = [(one.face, one.status) for one in school.now.tries]
    wrong = [pair for pair, face in zip(read, truth, strict=True) if pair[0] != face]
    assert not [pair for pair in wrong if pair[1] == "ok"], "silently wrong"
    assert sum(one.is_right for one in school.now.tries) >= 8
    school.do("teach_keep")
    assert school.saved == 1 and school.lessons.now is None
    assert school.lessons.taught["armour"].keys() == {"1", "2", "3", "4"}
    school.do("teach_undo")
    assert school.saved == 2 and len(school.gallery) == 0
    with pytest.raises(TableError):
        school.do("teach_undo")


def test_a_wrong_throw_of_the_test_is_put_right_and_learnt(
    school: Class, shots: list[tuple[str, Image]]
) -> None:
    school.teach(shots[:12])
    school.do("teach_test")
    before = len(school.gallery)
    school.see(shots[12][1])
    face = shots[12][0]
    school.do("teach_judge", test=1, face=face)
    assert school.now.tries[0].is_right or school.now.tries[0].status != "ok"
    assert len(school.gallery) == before + (not school.now.tries[0].is_right)
    other = "1" if face != "1" else "2"
    school.do("teach_judge", test=1, face=other)
    assert school.now.tries[0].is_wrong and len(school.gallery) == before + 1
    school.do("teach_judge", test=1, face=face)
    assert len(school.gallery) == before + (not school.now.tries[0].is_right)
    school.do("teach_more")
    assert school.now.phase == "seeing" and len(school.gallery) == 0
    school.do("teach_cancel")
    assert school.lessons.now is None and school.saved == 0


def test_a_look_that_was_no_good_is_forgotten(
    school: Class, shots: list[tuple[str, Image]]
) -> None:
    school.do("teach_start", die="armour")
    school.see(shots[0][1])
    (group,) = school.now.groups
    assert group.jpeg.startswith(b"\xff\xd8")
    school.do("teach_name", group=group.number, face="4")
    school.do("teach_name", group=group.number, face="2")
    assert [one.face for one in school.now.groups] == ["2"]
    school.do("teach_forget", group=group.number)
    assert school.now.groups == ()


def test_only_one_die_of_the_right_kind_teaches(
    school: Class, shots: list[tuple[str, Image]]
) -> None:
    school.do("teach_start", die="skill")
    school.see(shots[0][1])
    assert school.now.note == "wrong_shape" and not school.now.groups
    empty = shots[0][1].copy()
    empty[:] = (60, 84, 50)
    school.see(empty)
    assert school.now.note == "no_die"
    school.see(np.hstack([shots[0][1], shots[1][1]]))
    assert school.now.note == "several_dice" and not school.now.groups


def test_while_a_lesson_goes_on_no_throw_counts(school: Class) -> None:
    demo = school.demo
    demo.run(0.5)
    with pytest.raises(TableError) as caught:
        demo.do("open_check", {"check": "skill_check", "rating": 6})
        demo.do("teach_start", {"die": "armour"})
    assert caught.value.reason == "check_open"
    demo.do("close_check")
    demo.do("teach_start", {"die": "skill"})
    assert demo.companion.snapshot().live.teaching == "skill"
    demo.do("teach_throw")
    demo.run(demo.tray.tray.rest_s + 0.8)
    assert len(school.now.groups) == 1
    demo.do("open_check", {"check": "skill_check", "rating": 6})
    demo.do("teach_throw")
    demo.run(demo.tray.tray.rest_s + 0.8)
    assert demo.rolls() == 0
    demo.do("teach_cancel")
    assert demo.companion.snapshot().live.teaching == ""
    demo.throw()
    assert demo.rolls() == 1


def test_a_lesson_that_nobody_touches_ends(school: Class) -> None:
    school.do("teach_start", die="armour")
    school.demo.clock.sleep(ENDS_S + 1)
    school.lessons.work()
    assert school.lessons.now is None


@pytest.mark.parametrize(
    ("name", "args", "wrong"),
    [
        ("teach_start", {"die": "pink"}, "die"),
        ("teach_start", {}, "die"),
        ("teach_start", {"die": "skill"}, "lesson_on"),
        ("teach_name", {"group": 1, "face": "9"}, "face"),
        ("teach_name", {"group": 7, "face": "1"}, "group"),
        ("teach_name", {"group": "1", "face": "1"}, "group"),
        ("teach_forget", {}, "group"),
        ("teach_test", {}, "too_few_faces"),
        ("teach_judge", {"test": 1, "face": "1"}, "other_phase"),
        ("teach_keep", {}, "other_phase"),
    ],
)
def test_what_does_not_fit_a_lesson_is_refused(
    school: Class, name: str, args: dict[str, Any], wrong: str
) -> None:
    if wrong != "die":
        school.do("teach_start", die="armour")
    with pytest.raises((BadInput, TableError)) as caught:
        school.do(name, **args)
    error = caught.value
    assert (error.reason if isinstance(error, TableError) else error.field) == wrong
