"""Kills the running loop at random moments and counts what was lost.

The child (`python -m device.kills FOLDER SEED`) is the real table, companion and
tray's loop under a stream of commands; it says each outcome only once it is durable.
The parent kills it, opens the journal by itself, and compares: every event that was
told must be there, and folding them must give the state hash that was told.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from device.board import Board
from device.companion import Companion
from device.data.load import load_dice_set
from device.errors import DicelightError, JournalError
from device.eyes import Eyes
from device.parts import Parts
from device.photos import Photos
from device.table.fold import Fold, apply
from device.table.journal import Journal
from device.table.state import state_hash
from device.table.table import Table, find_nights, open_table, read_night
from device.table.view import Command
from device.tray import TrayLoop
from device.units import Seconds
from hardware.clock import SystemClock
from vision.arrivals import EmptyTray
from vision.frame import Detection, Frame, Image, Reading, Status
from vision.rig import Rig
from vision.settle import Phase
from vision.track import Tracker

LATEST_KILL_S: Final[Seconds] = 0.4
"""Kills fall between the child's first word and this long after it; every tenth falls
before that word, while the journal is being opened."""

SILENT_S: Final[Seconds] = 60.0
"""A child that says nothing for so long has failed."""


@dataclass(slots=True)
class Tally:
    """What came of it.

    Attributes:
        kills: How many.
        told: Events that were acknowledged.
        lost: Acknowledged events that were not there afterwards.
        differing: Times that the state did not have the hash that was told.
        repairs: Times that a start found damage.
    """

    kills: int = 0
    told: int = 0
    lost: int = 0
    differing: int = 0
    repairs: int = 0

    @property
    def clean(self) -> bool:
        """Nothing lost, nothing different, nothing to repair."""
        return not (self.lost or self.differing or self.repairs)


def count_losses(folder: Path, kills: int, seed: int = 0) -> Tally:
    """Kill a child so many times, each going on where the last one ended.

    Args:
        folder: Empty; gets the journal.
        kills: How many.
        seed: Of the moments and the commands.
    """
    rng = random.Random(seed)
    tally = Tally()
    fold = Fold()
    for number in range(kills):
        at_once = number % 10 == 9
        lines = _run_and_kill(folder, rng, at_once=at_once)
        tally.kills += 1
        fold = _compare(folder, fold, lines, tally)
    table = open_table(folder, game="foww", wall_s=SystemClock().wall_s)
    table.close()
    tally.repairs += bool(table.notice)
    whole = read_night(table.path)
    tally.differing += state_hash(whole.state) != state_hash(fold.state)
    return tally


def _run_and_kill(
    folder: Path, rng: random.Random, *, at_once: bool
) -> list[dict[str, Any]]:
    """Start a child, kill it at a random moment, return all that it had said."""
    child = subprocess.Popen(
        [sys.executable, "-m", "device.kills", str(folder), str(rng.getrandbits(32))],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    watch = threading.Timer(SILENT_S, child.kill)
    watch.start()
    try:
        if at_once:
            time.sleep(rng.uniform(0.0, 1.0))
        else:
            first = child.stdout.readline()
            time.sleep(rng.uniform(0.0, LATEST_KILL_S))
        child.send_signal(signal.SIGKILL)
        said = ("" if at_once else first) + child.stdout.read()
    finally:
        watch.cancel()
        child.stdout.close()
        child.wait()
    # The last line may be torn: what was not said whole was not told.
    return [json.loads(line) for line in said.split("\n")[:-1]]


def _compare(
    folder: Path, fold: Fold, lines: list[dict[str, Any]], tally: Tally
) -> Fold:
    """Return the fold of all events on disk, after comparing it with what was told."""
    told = {line["seq"]: line for line in lines}
    tally.repairs += sum(bool(line.get("notice")) for line in lines)
    acknowledged = {seq for line in lines for seq in line.get("events", ())}
    tally.told += len(acknowledged)
    found: set[int] = set()
    nights = find_nights(folder / "nights")
    if nights and nights[-1].exists():
        try:
            journal = Journal(nights[-1])
            try:
                for event in journal.read(after=fold.seq):
                    fold = apply(fold, event)
                    found.add(event.seq)
                    line = told.get(event.seq)
                    if line is not None and line["hash"] != state_hash(fold.state):
                        tally.differing += 1
            finally:
                journal.close()
        except JournalError:
            tally.repairs += 1
    tally.lost += len(acknowledged - found)
    return fold


# --- The child ---------------------------------------------------------------------


class _Camera:
    """Frames as fast as the loop takes them, some hundred a second."""

    name = id = "stand-in"
    simulated = True
    size_wh_px = (64, 48)
    notes: tuple[str, ...] = ()

    def __init__(self) -> None:
        self._number = 0
        self._image = np.zeros((48, 64, 3), np.uint8)

    def capture(self, timeout_s: float = 2.0) -> Frame:
        time.sleep(0.002)
        self._number += 1
        return Frame(self._image, float(self._number), self._number)

    def close(self) -> None:
        pass


class _Throws:
    """Settles and reads: on request a skill die with a random face lies there."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._thrown = threading.Event()
        self._dice: tuple[Detection, ...] = ()

    def throw(self, names: Any) -> None:
        """Have the next frame read."""
        faces = load_dice_set("demo").die("skill").faces
        face = self._rng.choice(faces).key
        x = self._rng.uniform(0, 600)
        box = (x, x / 2, 18.0, 18.0)
        self._dice = (Detection("skill", face, 0.999, Status.OK, box),)
        self._thrown.set()

    def update(self, frame: Frame) -> Phase:
        read = frame.number == 3 or self._thrown.is_set()
        self._thrown.clear()
        return Phase("still", frame.exposed_s, read=read)

    def mark_empty(self) -> None:
        """Nothing to learn."""

    def read(
        self,
        image: Image,
        *,
        rig: Rig | None = None,
        exposed_s: float = 0.0,
        empty: EmptyTray | None = None,
    ) -> Reading:
        return Reading(self._dice, exposed_s)


def _child(folder: Path, seed: int) -> None:
    clock = SystemClock()
    table = open_table(folder, game="foww", wall_s=clock.wall_s)
    _say(table, (), table.notice)
    board = Board(table.state, table.seq)
    companion = Companion(
        table,
        board,
        Parts(board, clock.wall_s),
        dice=lambda game: load_dice_set("demo"),
        photos=Photos(folder / "photos", 10),
    )
    throws = _Throws(seed)
    eyes = Eyes(throws, lambda: throws, Tracker, lambda image: None)
    loop = TrayLoop(companion, _Camera, eyes, clock, thrower=throws.throw)
    stop = threading.Event()
    threading.Thread(target=loop.run, args=(stop,), daemon=True).start()
    rng = random.Random(seed)
    for number in range(1_000_000):
        name, args = _command(rng, table)
        with table.lock:
            try:
                command = Command(name, args, by="kills", id=f"{seed}-{number}")
                events = companion.do(command).events
            except DicelightError:
                continue
            if events:
                _say(table, events)


def _command(rng: random.Random, table: Table) -> tuple[str, dict[str, Any]]:
    """Return a command that mostly fits what is true now."""
    check = table.state.check
    roll = check.roll if check is not None else None
    choice = rng.random()
    if choice < 0.1:
        return rng.choice(["undo", "redo"]), {}
    if choice < 0.2:
        return "light_ruler", {"cue": {"length_mm": rng.randrange(1, 300)}}
    if check is None or check.status == "resolved":
        if roll is not None and choice < 0.35:
            face = rng.choice(["2", "5", "crit", "x"])
            return "correct_die", {
                "roll": roll.id,
                "die": roll.dice[0].id,
                "face": face,
            }
        return "open_check", {"check": "skill_check", "rating": rng.randrange(1, 10)}
    if check.status == "unsure":
        return "confirm", {}
    if choice < 0.6:
        return "enter_die", {"die": "skill", "face": rng.choice(["2", "9", "x_ap"])}
    return ("throw", {}) if choice < 0.9 else ("close_check", {})


def _say(table: Table, events: tuple[int, ...], notice: str = "") -> None:
    line = {
        "seq": table.seq,
        "hash": state_hash(table.state),
        "events": events,
        "notice": notice,
    }
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _child(Path(sys.argv[1]), int(sys.argv[2]))
