from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient

from device.eyes import Teacher
from device.lessons import Lessons
from hardware.sim.clock import ManualClock
from tests.web.table import OWN, RUSSIAN, SCRIPT, TestTable, make_table
from tests.web.test_dice import text_of
from tests.web.test_languages import english_on
from vision.frame import Detection, Image, Pose, Reading, Status
from vision.gallery import Gallery
from vision.rig import Rig, TopView
from vision.synth.tray import DrawnDie, DrawnTray

SIDES = ("luck", "blank")
SIZE = (480, 480)


def drawn(side: int, seed: int) -> tuple[Image, Pose]:
    """Return a picture of the drawn luck token and where it lies."""
    die = DrawnDie("luck", "coin", "grey", SIDES)
    tray = DrawnTray([die], SIZE, 4.0, random.Random(1), frame_marks=False)
    tray.throw(["luck"], seed, [side])
    return tray.image(tray.rest_s), tray.truth()[0].pose


class Desk:
    """Shows the teacher what the test has drawn."""

    def __init__(self, table: TestTable) -> None:
        self.pose: Pose | None = None
        self.gallery = Gallery()
        teacher = Teacher(self.gallery, self.gallery.embedder, self._look, lambda: None)
        self.lessons = Lessons(table.companion, teacher, ManualClock())

    def _look(self, image: Image, rig: Rig | None) -> tuple[TopView, tuple[Pose, ...]]:
        return TopView(image, 0.0, np.eye(3)), (self.pose,) if self.pose else ()

    def see(self, side: int, seed: int, face: str | None = None) -> None:
        image, self.pose = drawn(side, seed)
        seen = Detection(
            "luck", face, 0.99, Status.OK, (0, 0, 9, 9), ((SIDES[side], 1),)
        )
        self.lessons.see(image, None, Reading((seen,)))
        self.lessons.work()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TestTable]:
    with make_table(tmp_path) as made:
        yield made


@pytest.fixture
def desk(table: TestTable) -> Desk:
    return Desk(table)


def post(player: FlaskClient, deed: str, **form: object) -> None:
    answer = player.post(f"/dice/teach/{deed}", data=form, headers=OWN)
    assert answer.status_code == 303, answer.text
    assert answer.headers["Location"] == "/dice/teach"


def test_a_die_is_taught_from_the_first_side_to_the_tenth_throw(
    player: FlaskClient, desk: Desk
) -> None:
    assert "Not taught yet" in player.get("/dice/teach").text
    post(player, "start", die="luck")
    page = text_of(player.get("/dice/teach").text)
    assert "0 sides seen of 2" in page and "Not seen yet: clover" in page
    assert "A die is being taught" in player.get("/now").text
    desk.see(0, 1)
    page = player.get("/dice/teach").text
    assert "Which face is it?" in page and "Likely" in page
    assert player.get("/dice/teach/side-1.jpg").data.startswith(b"\xff\xd8")
    assert player.get("/dice/teach/side-9.jpg").status_code == 404
    assert player.get("/dice/teach/hat-1.jpg").status_code == 404
    post(player, "name", group=1, face="luck")
    desk.see(1, 2)
    post(player, "name", group=2, face="blank")
    desk.see(0, 3)
    page = text_of(player.get("/dice/teach").text)
    assert "2 sides seen of 2, 2 faces named" in page and "Every face has been" in page
    post(player, "test")
    desk.lessons.work()
    for throw in range(10):
        desk.see(throw % 2, 10 + throw, SIDES[throw % 2])
    page = text_of(player.get("/dice/teach").text)
    assert "Throw 10 of 10: 10 right" in page and "Ten of ten" in page
    post(player, "judge", test=3, face="blank")
    page = text_of(player.get("/dice/teach").text)
    assert "9 right, 1 wrong" in page and "Not safe yet" in page
    post(player, "judge", test=3, face="luck")
    assert "Ten of ten" in player.get("/dice/teach").text, "a wrong tap is taken back"
    assert english_on(player.get("/dice/teach", headers=RUSSIAN).text) == set()
    post(player, "keep")
    desk.lessons.work()
    page = text_of(player.get("/dice/teach").text)
    assert "Faces taught: 2 of 2" in page and "Take that lesson back" in page
    post(player, "undo")
    desk.lessons.work()
    assert "Faces taught" not in player.get("/dice/teach").text


def test_what_is_wrong_with_a_look_is_said_in_both_languages(
    player: FlaskClient, desk: Desk
) -> None:
    post(player, "start", die="skill")
    desk.see(0, 1)
    assert "a die of another kind" in player.get("/dice/teach").text
    assert english_on(player.get("/dice/teach", headers=RUSSIAN).text) == set()
    post(player, "cancel")
    assert "A die is being taught" not in player.get("/now").text


def test_spectators_look_on(spectator: FlaskClient, desk: Desk) -> None:
    answer = spectator.post("/dice/teach/start", data={"die": "luck"}, headers=OWN)
    assert answer.status_code == 403
    assert "<form" not in spectator.get("/dice/teach").text.split("<main")[1]


def test_a_wrong_wish_is_refused_in_words(player: FlaskClient, desk: Desk) -> None:
    for deed, form, status in (
        ("start", {"die": "pink"}, 400),
        ("fly", {}, 404),
        ("name", {"group": "x", "face": "luck"}, 400),
        ("keep", {}, 409),
    ):
        answer = player.post(f"/dice/teach/{deed}", data=form, headers=SCRIPT)
        assert answer.status_code == status and answer.json["error"]["message"]


def test_without_a_reader_no_die_is_taught(player: FlaskClient) -> None:
    assert player.get("/dice/teach").status_code == 503
    assert "Teach dice" not in player.get("/dice").text
