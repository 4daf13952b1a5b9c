"""The loop over the drawn tray: real settling and tracking, faces told as truth."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from device.board import Board
from device.companion import Command, Companion
from device.data.load import load_dice_set
from device.demo import PICKED_S, DemoTray, drawn_dice
from device.eyes import Eyes
from device.parts import Parts
from device.photos import Photos
from device.table.table import open_table
from device.tray import TrayLoop
from hardware.sim.clock import ManualClock
from hardware.sim.faults import CameraFaults
from vision.frame import Detection, Image, Reading, Status
from vision.rig import Rig
from vision.settle import Settle
from vision.synth.tray import DrawnTray, TrayDie
from vision.track import Tracker

DICE = load_dice_set("demo")
ATTACK = {
    "check": "skill_check",
    "rating": 6,
    "dice": {"black": 2, "green": 1},
    "weapon": {"damage": 2, "type": "physical"},
}
ARMOUR = {"check": "armour_check", "amount": 3, "rating": 2}


class TruthReader:
    """Knows what was drawn: here only the loop is on trial."""

    def __init__(self, tray: DrawnTray) -> None:
        self.tray = tray
        self.reads = 0
        self.held: tuple[float, list[TrayDie]] = (0.0, [])

    def read(
        self, image: Image, *, rig: Rig | None = None, exposed_s: float = 0.0
    ) -> Reading:
        self.reads += 1
        until_s, held = self.held
        lying = held if exposed_s < until_s else self.tray.truth()
        return Reading(tuple(self._detections(lying)), exposed_s)

    def _detections(self, lying: Sequence[TrayDie]) -> list[Detection]:
        found = []
        for die in lying:
            (x, y), r = die.pose.top_xy_px, die.pose.radius_px
            found.append(
                Detection(
                    die=die.name,
                    face=die.face,
                    confidence=0.999,
                    status=Status.OK,
                    box_xywh_px=(x - r, y - r, 2 * r, 2 * r),
                    alternatives=((die.face, 0.999),),
                    pose=die.pose,
                    colour=DICE.die(die.name).colour,
                )
            )
        return found


class Demo:
    """The demonstration's tray and loop on a clock that tests push."""

    def __init__(self, folder: Path, seed: int = 0) -> None:
        self.clock = ManualClock()
        self.faults = CameraFaults()
        self.tray = DemoTray(DICE, self.clock, seed=seed, faults=self.faults)
        self.table = open_table(folder, game="foww", wall_s=self.clock.wall_s)
        board = Board(self.table.state, self.table.seq)
        self.companion = Companion(
            self.table,
            board,
            Parts(board, self.clock.wall_s),
            dice=DICE,
            photos=Photos(folder / "photos"),
        )
        self.reader = TruthReader(self.tray.tray)
        self.loop = TrayLoop(
            self.companion,
            self.tray.open_camera,
            Eyes(
                self.reader,
                lambda: Settle(hand_held=False),
                Tracker,
                lambda image: None,
            ),
            self.clock,
            thrower=self.tray.roll,
        )

    def do(self, name: str, args: dict[str, object] | None = None) -> None:
        self.companion.do(Command(name, args or {}))

    def run(self, seconds: float) -> None:
        end = self.clock.now_s() + seconds
        while self.clock.now_s() < end:
            self.loop.step()

    def throw(self) -> None:
        before = list(self.tray.tray.truth())
        self.do("throw")
        check = self.content.check
        for want in check.wants:
            for _ in range(want.count):
                taken = next((die for die in before if die.name == want.die), None)
                before = [die for die in before if die is not taken]
        self.reader.held = (self.clock.now_s() + PICKED_S, before)
        self.run(self.tray.rest_s + 0.6)

    def close(self) -> None:
        self.loop.close()
        self.table.close()

    @property
    def content(self):
        return self.companion.snapshot().state.content

    def rolls(self) -> int:
        log = self.companion.snapshot().state.log
        return sum(entry.kind == "roll_read" for entry in log)


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
    for number in range(3):
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
    assert demo.rolls() == 6


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
    for _ in range(4):
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
