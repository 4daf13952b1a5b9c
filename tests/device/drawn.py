"""The demonstration's tray and loop on a clock that tests push."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from device.board import Board
from device.companion import Command, Companion
from device.data.load import load_dice_set
from device.demo import PICKED_S, DemoTray
from device.eyes import Eyes
from device.parts import Parts
from device.photos import Photos
from device.table.table import open_table
from device.tray import TrayLoop
from hardware.sim.clock import ManualClock
from hardware.sim.faults import CameraFaults
from vision.arrivals import EmptyTray
from vision.frame import Detection, Image, Reading, Status
from vision.rig import Rig
from vision.settle import Settle
from vision.synth.tray import DrawnTray, TrayDie
from vision.track import Tracker

DICE = load_dice_set("demo")


class TruthReader:
    """Knows what was drawn: here only the loop is on trial."""

    def __init__(self, tray: DrawnTray) -> None:
        self.tray = tray
        self.reads = 0
        self.held: tuple[float, list[TrayDie]] = (0.0, [])

    def read(
        self,
        image: Image,
        *,
        rig: Rig | None = None,
        exposed_s: float = 0.0,
        empty: EmptyTray | None = None,
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


def true_eyes(tray: DrawnTray) -> Eyes:
    """Return real settling and tracking with a reader that is told the truth."""
    return Eyes(
        TruthReader(tray),
        lambda: Settle(hand_held=False),
        Tracker,
        lambda image: None,
    )


class Demo:
    """The demonstration's tray and loop on a clock that tests push."""

    def __init__(
        self, folder: Path, seed: int = 0, eyes: Callable[[DrawnTray], Eyes] = true_eyes
    ) -> None:
        self.clock = ManualClock()
        self.faults = CameraFaults()
        self.tray = DemoTray(DICE, self.clock, seed=seed, faults=self.faults)
        self.table = open_table(folder, game="foww", wall_s=self.clock.wall_s)
        board = Board(self.table.state, self.table.seq)
        self.companion = Companion(
            self.table,
            board,
            Parts(board, self.clock.wall_s),
            dice=lambda game: DICE,
            photos=Photos(folder / "photos"),
        )
        self.eyes = eyes(self.tray.tray)
        self.reader = self.eyes.reader
        self.loop = TrayLoop(
            self.companion,
            self.tray.open_camera,
            self.eyes,
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
        if isinstance(self.reader, TruthReader):
            self.reader.held = (self.clock.now_s() + PICKED_S, before)
        self.run(self.tray.rest_s + 0.6)

    def close(self) -> None:
        self.loop.close()
        self.table.close()

    @property
    def content(self) -> Any:
        return self.companion.snapshot().state.content

    def rolls(self) -> int:
        log = self.companion.snapshot().state.log
        return sum(entry.kind == "roll_read" for entry in log)
