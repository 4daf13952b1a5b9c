"""Public bug reports about power, cards, disks and clocks, each by its symptom.

`tests/hardware/test_symptoms.py` has those about cameras, strips and pins, and the list
of all.
"""

from __future__ import annotations

import os
import resource
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import numpy as np
import pytest

from device.camera_setup import Calibration
from device.camera_setup import load as load_camera
from device.camera_setup import save as save_camera
from device.data.load import load_dice_set
from device.errors import JournalError, JournalFull
from device.faces import FaceBook
from device.rosters.store import entered_cards, remember_cards, starter
from device.safemode import Start
from device.strip_setup import measured
from device.strip_setup import save as save_strip
from device.table.events import Draft
from device.table.saved import load_fold
from device.table.table import PAUSE_S, find_nights, open_table, saved_path
from device.table.view import Command
from hardware.strips import Strip
from tests.device.builders import Bench, detection
from tests.device.test_process import Joined
from vision.frame import Pose
from vision.gallery import Gallery
from web.people import People, Role, kept_code
from web.settings import keep_secret

NIGHT_S = 1_800_000_000.0


# --- OctoPrint-PowerFailure 16: the state is empty after a power cut ----------------


def losing_what_was_not_forced(
    patch: pytest.MonkeyPatch,
) -> Callable[[Path], None]:
    """Watch what reaches the disk; return what cuts the power to a folder.

    ext4 puts a name on the card before the bytes: a file that was written and not
    forced to disk is there afterwards, and empty.
    """
    forced: set[int] = set()
    force = os.fsync

    def watched(descriptor: int) -> None:
        forced.add(os.fstat(descriptor).st_ino)
        force(descriptor)

    patch.setattr(os, "fsync", watched)

    def cut(folder: Path) -> None:
        for path in folder.rglob("*"):
            facts = path.stat()
            if stat.S_ISREG(facts.st_mode) and facts.st_ino not in forced:
                path.write_bytes(b"")

    return cut


def write_dice(state: Path) -> None:
    gallery = Gallery(name="mine")
    image = np.random.default_rng(1).integers(0, 255, (80, 80, 3), np.uint8)
    gallery.add("lucky", "d6", "6", image, Pose("d6", (40.0, 40.0), 24.0, 0.0, 0.9))
    gallery.save(state / "mine.npz")


def write_saved_fold(state: Path) -> None:
    table = open_table(state, game="foww", wall_s=lambda: NIGHT_S)
    table.record([Draft("ruler_lit", {"cue": {"length_mm": 7}})])
    table.close()


def write_counted_faces(state: Path) -> None:
    book = FaceBook(state, lambda: NIGHT_S)
    book.over(load_dice_set("foww"))
    book.set_faces("foww", Command("set_faces", {"die": "black", "faces": {"dmg": 5}}))


def counted_faces(state: Path) -> int | None:
    book = FaceBook(state, lambda: NIGHT_S)
    return next(f.count for f in book.over(load_dice_set("foww")).die("black").faces)


def saved_length(state: Path) -> Any:
    (night,) = find_nights(state / "nights")
    saved = load_fold(saved_path(night))
    assert saved is not None and saved.fold.state.ruler is not None
    return saved.fold.state.ruler.cue["length_mm"]


def write_failed_start(state: Path) -> None:
    with pytest.raises(JournalError), Start(state, "this release"):
        raise JournalError("no")


STRIP = Strip("edge", 60, 16.67, 8.0, 400)
CAMERA = Calibration("imx708", 0.02, 1.5, 2.4, (1.9, 1.4), (2304, 1296))
KEPT: dict[str, tuple[Callable[[Path], object], Callable[[Path], object], object]] = {
    "set-up of the camera": (
        lambda state: save_camera(state, CAMERA),
        load_camera,
        (CAMERA,),
    ),
    "set-up of a strip": (
        lambda state: save_strip(state, STRIP, Strip("edge", 60, 16.5, 9.0, 400)),
        lambda state: measured(state, [STRIP])[0].pitch_mm,
        16.5,
    ),
    "taught dice": (
        write_dice,
        lambda state: list(Gallery.load(state / "mine.npz").dice),
        ["lucky"],
    ),
    "faces that were counted": (write_counted_faces, counted_faces, 5),
    "cards that were filled in": (
        lambda state: remember_cards(state, starter("brotherhood").cards),
        lambda state: len(entered_cards(state).units) > 0,
        True,
    ),
    "who has joined": (
        lambda state: People(state).join("Ann", Role.PLAYER),
        lambda state: [one.name for one in People(state).everyone()],
        ["Ann"],
    ),
    "the key of the page": (
        keep_secret,
        lambda state: (state / "web-secret").stat().st_size,
        32,
    ),
    "the saved night": (write_saved_fold, saved_length, 7),
    "a start that failed": (
        write_failed_start,
        lambda state: (state / "start.json").stat().st_size > 0,
        True,
    ),
}


@pytest.mark.parametrize("what", KEPT)
def test_the_state_is_empty_after_a_power_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    write, read, expected = KEPT[what]
    cut = losing_what_was_not_forced(monkeypatch)
    write(tmp_path)
    for night in find_nights(tmp_path / "nights"):
        night.unlink()  # SQLite forces its own files; only the saved fold is meant
    cut(tmp_path)
    assert read(tmp_path) == expected


# --- OctoPi 553: a dying card takes writes and forgets them -------------------------


def test_a_card_that_takes_writes_and_forgets_them(tmp_path: Path) -> None:
    """Said at the next start; what the saved fold still knows is not lost."""
    table = open_table(tmp_path, game="foww", wall_s=lambda: NIGHT_S)
    path = table.path
    table._journal.close()
    earlier = path.read_bytes()
    table = open_table(tmp_path, game="foww", wall_s=lambda: NIGHT_S)
    for length in range(5):
        table.record([Draft("ruler_lit", {"cue": {"length_mm": length}})])
    table.close()
    for beside in path.parent.glob(f"{path.name}-*"):
        beside.unlink()
    path.write_bytes(earlier)
    again = open_table(tmp_path, game="foww", wall_s=lambda: NIGHT_S)
    again.close()
    assert "but 6 were recorded" in again.notice
    assert again.state.ruler is not None and again.state.ruler.cue["length_mm"] == 4


# --- pi-hole 6633, 1839: a full disk kills the service ------------------------------


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


class Running(Joined):
    """`dicelight run` without any part.

    Args:
        state: State folder; the config lies beside it.
        full: No file may grow: the kernel refuses as a full disk does.
    """

    def __init__(self, state: Path, *, full: bool = False) -> None:
        port = free_port()
        config = state.with_suffix(".toml")
        config.write_text(
            f"[server]\nhost = '127.0.0.1'\nport = {port}\n"
            "[hardware]\ncamera = 'none'\n"
        )
        run = [sys.executable, "-m", "device.cli", "run", "--config", str(config)]
        limit = "ulimit -S -f 0; " if full else ""
        self.process = subprocess.Popen(
            ["sh", "-c", f'{limit}exec "$@"', "run", *run],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={"DICELIGHT_STATE": str(state), "PATH": "/usr/bin:/bin"},
        )
        assert self.process.stdout is not None
        self.first_line = self.process.stdout.readline()
        super().__init__(f"http://127.0.0.1:{port}")

    def room(self) -> None:
        """Let files grow again."""
        soft_hard = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, soft_hard)

    def journal(self) -> tuple[bool, str]:
        parts = self.snapshot()["live"]["parts"]
        found = next(one for one in parts if one["name"] == "journal")
        return found["ok"], found["message"]

    def lit_mm(self) -> int:
        length: int = self.snapshot()["state"]["content"]["ruler"]["cue"]["length_mm"]
        return length

    def light(self, length_mm: int) -> None:
        self.command("light_ruler", {"cue": {"length_mm": length_mm}})

    def end(self) -> int:
        self.process.terminate()
        self.process.communicate(timeout=30)
        return self.process.returncode


def test_a_full_disk_kills_the_service(tmp_path: Path) -> None:
    """It starts, shows what was, refuses what cannot be kept, and goes on with room."""
    state = tmp_path / "state"
    first = Running(state)
    code = kept_code(state)
    assert code is not None
    first.join(code)
    first.light(100)
    assert first.end() == 0

    tight = Running(state, full=True)
    assert "Dicelight is at" in tight.first_line, tight.process.communicate()
    tight.join(code)
    assert tight.lit_mm() == 100
    ok, said = tight.journal()
    assert not ok and "the disk is full" in said
    with pytest.raises(HTTPError) as refused:
        tight.light(200)
    assert "the disk is full" in refused.value.read().decode()
    assert tight.lit_mm() == 100
    for page in ("/", "/log", "/setup"):
        with tight.opener.open(tight.base + page, timeout=20) as answer:
            assert answer.status == 200
    tight.room()
    tight.light(300)
    assert tight.lit_mm() == 300 and tight.journal()[0]
    assert tight.end() == 0

    last = Running(state)
    last.join(code)
    assert last.lit_mm() == 300 and last.journal() == (True, "")
    assert last.end() == 0


@contextmanager
def full_disk() -> Iterator[None]:
    """Let no file of this process grow."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_night_that_cannot_begin_on_a_full_disk_is_no_lost_journal(
    tmp_path: Path,
) -> None:
    """The last night goes on; no empty file is taken for a damaged one later."""
    first = open_table(tmp_path, game="foww", wall_s=lambda: NIGHT_S)
    first.close()
    later_s = NIGHT_S + PAUSE_S + 1
    with full_disk():
        tight = open_table(tmp_path, game="foww", wall_s=lambda: later_s)
        assert tight.is_full and tight.path == first.path
        with pytest.raises(JournalFull):
            tight.record([Draft("ruler_lit", {"cue": {"length_mm": 1}})])
        tight.close()
    assert find_nights(tmp_path / "nights") == (first.path,)
    again = open_table(tmp_path, game="foww", wall_s=lambda: later_s)
    again.close()
    assert again.path != first.path and again.notice == ""


def test_a_first_start_on_a_full_disk_leaves_nothing_torn(tmp_path: Path) -> None:
    with full_disk(), pytest.raises(JournalError, match="cannot be written"):
        open_table(tmp_path, game="foww", wall_s=lambda: NIGHT_S)
    table = open_table(tmp_path, game="foww", wall_s=lambda: NIGHT_S)
    table.close()
    assert (table.seq, table.notice) == (1, "")


# --- Boards without a clock: the time jumps once there is a network ------------------


@pytest.mark.parametrize("jump_s", [3e7, -3e7, 3600.0, -3600.0])
def test_the_clock_jumps_at_boot_without_a_network(bench: Bench, jump_s: float) -> None:
    """Nothing times out, no roll is lost or doubled, undo keeps its order."""
    bench.roll()
    bench.do("open_check", {"check": "skill_check", "rating": 6})
    bench.clock.jump_wall(jump_s)
    bench.loop.look_after()
    bench.roll(detection("skill", "4", "d1"))
    assert bench.content.check.status == "resolved"
    assert all(part.ok for part in bench.live.parts), bench.live.parts
    bench.do("light_ruler", {"cue": {"band": "red"}})
    bench.clock.jump_wall(-jump_s)
    bench.do("undo")
    assert bench.content.ruler is None
    bench.do("undo")
    assert bench.content.check.status != "resolved"
    seqs = [entry.seq for entry in bench.board.snapshot.state.log]
    assert seqs == sorted(seqs)
