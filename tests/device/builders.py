"""A companion with a scripted camera and a reader that is told what it sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from device.board import Board
from device.companion import Command, Companion, Outcome
from device.errors import BadInput, HardwareClosed, HardwareFault, HardwareNotFound
from device.eyes import Eyes
from device.games.registry import dice_in_play
from device.parts import Parts
from device.photos import Photos
from device.table.codec import JSON
from device.table.table import Table, open_table
from device.table.view import Live
from device.tray import TrayLoop, TraySettings
from hardware.sim.clock import ManualClock
from vision.arrivals import EmptyTray
from vision.frame import Detection, Frame, Image, Reading, Status
from vision.rig import Rig


def detection(
    die: str,
    face: str | None,
    id: str = "",
    status: str = "ok",
    at: tuple[float, float] = (0.0, 0.0),
) -> Detection:
    """Return a detection; dice of different ids lie apart by themselves."""
    number = sum(map(ord, id))
    x, y = at if at != (0.0, 0.0) else (float(number % 97) * 20, float(number % 7) * 60)
    shares = ((face, 0.6), ("x", 0.3)) if face is not None else ()
    return Detection(
        die=die,
        face=face,
        confidence=0.999 if status == "ok" else 0.6,
        status=Status(status),
        box_xywh_px=(x, y, 18.0, 18.0),
        alternatives=shares,
        id=id,
    )


@dataclass
class FakeCamera:
    """Delivers grey frames, ten milliseconds apart, until it is told to fail."""

    clock: ManualClock
    name: str = "scripted"
    id: str = "scripted"
    simulated: bool = True
    size_wh_px: tuple[int, int] = (64, 48)
    notes: tuple[str, ...] = ()
    number: int = 0
    fault: bool = False
    closed: bool = False

    def capture(self, timeout_s: float = 2.0) -> Frame:
        if self.closed:
            raise HardwareClosed("closed")
        if self.fault:
            self.clock.advance(timeout_s)
            raise HardwareFault(f"no frame within {timeout_s:g} s")
        self.clock.advance(0.01)
        self.number += 1
        return Frame(np.zeros((48, 64, 3), np.uint8), self.clock.now_s(), self.number)

    def close(self) -> None:
        self.closed = True


@dataclass(frozen=True)
class FakePhase:
    name: str = "still"
    read: bool = False
    look_again: bool = False


@dataclass
class FakeSettle:
    """Gives the phases it was told, then keeps still."""

    script: list[FakePhase]
    empty: int = 0

    def update(self, frame: Frame) -> FakePhase:
        return self.script.pop(0) if self.script else FakePhase()

    def mark_empty(self) -> None:
        self.empty += 1


@dataclass(frozen=True)
class FakeTracked:
    detection: Detection
    fresh: bool


@dataclass
class FakeTracker:
    """Dice are old once accepted, until their box moves; ids are given by the test."""

    old: dict[str, Any] = field(default_factory=dict)
    last: tuple[Detection, ...] = ()

    def update(self, reading: Reading) -> Sequence[FakeTracked]:
        self.last = reading.detections
        return [
            FakeTracked(one, self.old.get(one.id) != one.box_xywh_px)
            for one in reading.detections
        ]

    def accept(self) -> None:
        self.old = {one.id: one.box_xywh_px for one in self.last}

    def clear(self) -> None:
        self.old, self.last = {}, ()


class FakeReader:
    """Reads whatever the test lays into the tray."""

    def __init__(self) -> None:
        self.dice: list[Detection] = []
        self.empties: list[EmptyTray | None] = []

    def read(
        self,
        image: Image,
        *,
        rig: Rig | None = None,
        exposed_s: float = 0.0,
        empty: EmptyTray | None = None,
    ) -> Reading:
        self.empties.append(empty)
        return Reading(tuple(self.dice), exposed_s)


def rig_above(width: int = 64, height: int = 48) -> Rig:
    """The place of a camera straight above, two pixels a millimetre."""
    corners = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
    return Rig(
        frame="a4",
        size_wh_px=(width, height),
        homography=np.diag([0.5, 0.5, 1.0]),
        px_per_mm=2.0,
        tray_outline_px=corners,
        tray_outline_mm=corners / 2,
        camera_mm=(width / 4, height / 4, 400.0),
        tilt_deg=0.0,
        white_bgr=None,
        black_bgr=None,
        markers=(0, 1, 2, 3),
    )


def check_cue(game: str, cue: JSON) -> None:
    if not set(cue) <= {"band", "length_mm", "off"}:
        raise BadInput("unknown", next(iter(cue)))


class Bench:
    """A companion, its loop and everything round them, driven by hand."""

    def __init__(self, folder: Path, settings: TraySettings | None = None) -> None:
        self.folder = folder
        self.settings = settings
        self.clock = ManualClock()
        self.reader = FakeReader()
        self.rig: Rig | None = None
        self.script: list[FakePhase] = []
        self.camera_there = True
        self.cameras: list[FakeCamera] = []
        self.thrown: list[tuple[str, ...]] = []
        self.table: Table
        self.open()

    def open(self) -> None:
        """Open the table and all round it, as at a start."""
        self.table = open_table(self.folder, game="foww", wall_s=self.clock.wall_s)
        self.board = Board(self.table.state, self.table.seq)
        self.parts = Parts(self.board, self.clock.wall_s)
        self.companion = Companion(
            self.table,
            self.board,
            self.parts,
            dice=lambda game: dice_in_play(game, "demo"),
            photos=Photos(self.folder / "photos", keep=20),
            check_cue=check_cue,
        )
        self.loop = TrayLoop(
            self.companion,
            self._camera,
            Eyes(self.reader, self._settle, FakeTracker, lambda image: self.rig),
            self.clock,
            settings=self.settings,
            thrower=lambda names: self.thrown.append(tuple(names)),
        )

    def close(self) -> None:
        self.loop.close()
        self.table.close()

    def _camera(self) -> FakeCamera:
        if not self.camera_there:
            raise HardwareNotFound("no camera: check its cable")
        self.cameras.append(FakeCamera(self.clock))
        return self.cameras[-1]

    def _settle(self) -> FakeSettle:
        return FakeSettle(self.script)

    # --- What happens at the table ---

    def do(
        self, name: str, args: Mapping[str, JSON] | None = None, **more: str
    ) -> Outcome:
        return self.companion.do(Command(name, args or {}, **more))

    def turn(self, count: int = 1) -> None:
        for _ in range(count):
            self.loop.step()

    def roll(self, *dice: Detection) -> None:
        """Have the tray move and come to rest with these dice in it."""
        self.reader.dice = list(dice)
        self.script += [
            FakePhase("moving"),
            FakePhase("settling"),
            FakePhase(read=True),
        ]
        self.turn(4)

    def look_again(self, *dice: Detection) -> None:
        self.reader.dice = list(dice)
        self.script += [FakePhase(look_again=True)]
        self.turn(2)

    @property
    def live(self) -> Live:
        return self.board.snapshot.live

    @property
    def content(self) -> Any:
        return self.board.snapshot.state.content


def moved(one: Detection, by: float = 40.0) -> Detection:
    x, y, w, h = one.box_xywh_px
    return replace(one, box_xywh_px=(x + by, y, w, h))
