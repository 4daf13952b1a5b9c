"""The loop over the drawn tray: real settling and tracking, faces told as truth."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.demo import drawn_dice
from tests.device.drawn import DICE, Demo
from vision.synth.tray import DrawnTray

ATTACK = {
    "check": "skill_check",
    "rating": 6,
    "dice": {"black": 2, "green": 1},
    "weapon": {"damage": 2, "type": "physical"},
}
ARMOUR = {"check": "armour_check", "amount": 3, "rating": 2}


@pytest.fixture
def demo(tmp_path: Path):
    made = Demo(tmp_path, seed=3)
    made.run(0.5)
    yield made
    made.close()


def test_a_throw_is_one_roll_with_the_faces_that_lie_there(demo: Demo) -> None:
    demo.do("open_check", ATTACK)
    demo.throw()
    assert demo.rolls() == 1
    truth = sorted((die.name, die.face) for die in demo.tray.tray.truth())
    read = sorted((die.die, die.face) for die in demo.content.check.roll.dice)
    assert read == truth
    assert demo.content.check.status == "resolved"
    demo.run(3.0)
    assert demo.rolls() == 1


def test_skill_check_then_armour_check_without_clearing_the_tray(demo: Demo) -> None:
    for number in range(2):
        demo.do("open_check", ATTACK)
        demo.throw()
        assert demo.content.check.status == "resolved", number
        faces = [(die.die, die.face) for die in demo.content.check.roll.dice]
        demo.do("open_check", ARMOUR)
        demo.run(0.2)
        demo.throw()
        check = demo.content.check
        assert check.status == "resolved", number
        assert [die.die for die in check.roll.dice] == ["armour"]
        truth = {die.name: die.face for die in demo.tray.tray.truth()}
        assert check.roll.dice[0].face == truth["armour"]
        # Dice that the armour die knocked keep the faces they were accepted with.
        kept = [(die.die, die.face) for die in demo.content.last.check.roll.dice]
        assert kept == faces
    assert demo.rolls() == 4


def test_rolling_dice_give_no_reading(demo: Demo) -> None:
    demo.do("open_check", ATTACK)
    before = demo.reader.reads
    demo.do("throw")
    demo.run(demo.tray.rest_s - 0.3)
    assert demo.reader.reads == before
    assert demo.content.check.roll is None


def test_rest_is_told_within_a_fifth_of_a_second(demo: Demo) -> None:
    demo.do("open_check", ATTACK)
    demo.do("throw")
    rest_s = demo.clock.now_s() + demo.tray.rest_s
    while demo.content.check.roll is None:
        demo.loop.step()
        assert demo.clock.now_s() < rest_s + 2.0
    assert demo.clock.now_s() - rest_s <= 0.2


def test_a_stall_in_the_middle_of_a_throw_makes_the_dice_wait_for_a_word(
    demo: Demo,
) -> None:
    demo.do("open_check", ATTACK)
    demo.do("throw")
    demo.run(0.3)
    demo.faults.hung = True
    demo.run(2.1)
    parts = {part.name: part for part in demo.companion.snapshot().live.parts}
    demo.run(3.0)
    assert demo.content.check.roll is None
    assert not parts["camera"].ok
    live = demo.companion.snapshot().live
    assert live.message is not None and live.message.key == "lying_dice"
    demo.do("confirm")
    assert demo.content.check.status == "resolved"


def test_a_die_thrown_again_is_the_same_die_picked_up(demo: Demo) -> None:
    for _ in range(2):
        demo.do("open_check", {"check": "skill_check", "rating": 5})
        demo.throw()
        assert demo.content.check.status == "resolved"
        demo.do("close_check")
    assert [die.name for die in demo.tray.tray.truth()] == ["skill"]


def test_every_face_of_the_demonstration_can_be_drawn() -> None:
    tray = DrawnTray(drawn_dice(DICE), (480, 480), 4.0, frame_marks=False)
    for die in DICE.dice:
        tray.clear()
        tray.throw([die.name], 5)
        for face in die.faces:
            tray.repaint(0, face.key)
            assert tray.truth()[0].face == face.key
