"""The real companion on a temporary folder, its tray played by the test."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import IPv4Network
from pathlib import Path

import cv2
import numpy as np

from device.board import Board
from device.companion import Companion
from device.data.load import bands
from device.faces import FaceBook
from device.games.registry import dice_in_play
from device.parts import Parts
from device.photos import Photos
from device.rolls import judge_throw
from device.table.table import open_table
from device.table.view import Command, LiveDie, StripView
from hardware.cues import parse_cue
from web import WebSettings
from web.addresses import Interface

SECRET = b"a key only for tests, 32 bytes.."
HOST = "localhost"
OWN = {"Origin": f"http://{HOST}"}
SCRIPT = {**OWN, "X-Dicelight": "1"}
RUSSIAN = {"Accept-Language": "ru"}
FRAME_WH_PX = (640, 480)


CODE = "246810"
WIFI = Interface("wlan0", "192.168.4.1", IPv4Network("192.168.4.0/24"))


def codes() -> Callable[[], str]:
    """Return what makes the table's codes: `CODE`, and each time the next number."""
    numbers = itertools.count(int(CODE))
    return lambda: str(next(numbers))


def joining(name: str = "Ann", role: str = "player", **more: str) -> dict[str, str]:
    """Return the form with which a device joins."""
    return {"name": name, "role": role, "code": CODE, **more}


def make_settings(**changes: object) -> WebSettings:
    settings = WebSettings(
        SECRET,
        interfaces=lambda: (WIFI,),
        local_name=lambda: "",
        new_code=codes(),
    )
    return replace(settings, **changes)  # type: ignore[arg-type]


def make_jpeg(size_wh_px: tuple[int, int] = FRAME_WH_PX) -> bytes:
    image = np.full((size_wh_px[1], size_wh_px[0], 3), 90, np.uint8)
    done, data = cv2.imencode(".jpg", image)
    assert done
    return data.tobytes()


def live_die(name: str, die: str, face: str | None, **changes: object) -> LiveDie:
    number = int(name.strip("abcdefghijklmnopqrstuvwxyz") or 0)
    made = LiveDie(
        id=name,
        die=die,
        face=face,
        status="ok",
        confidence=0.99,
        box=(40.0 + 90 * number, 100.0, 60.0, 60.0),
        fresh=True,
        alternatives=((face or "blank", 0.99),),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


class FakeTray:
    """A tray in which the test says what lies."""

    def __init__(self) -> None:
        self.thrown: list[tuple[str, ...]] = []
        self.picture: bytes | None = make_jpeg()

    def throw(self, names: Sequence[str]) -> None:
        self.thrown.append(tuple(names))

    def jpeg(self) -> bytes | None:
        return self.picture


class TestTable:
    """A companion with a tray, and shorthand for what happens at a table."""

    __test__ = False

    def __init__(self, companion: Companion, board: Board, tray: FakeTray) -> None:
        self.companion = companion
        self.board = board
        self.tray = tray

    def do(self, command: str, /, **args: object) -> None:
        self.companion.do(Command(command, args, by="Ann"))

    def open_skill_check(self, rating: int = 7, **args: object) -> None:
        self.do("open_check", check="skill_check", rating=rating, **args)

    def settle(self, *dice: LiveDie) -> None:
        """Let dice lie still in the tray and be read."""
        self._read(dice, free_rolls=False)
        check = self.companion.snapshot().state.check
        if check is not None and check.roll is not None:
            self.companion.keep_photo(check.roll.id, make_jpeg())

    def settle_freely(self, *dice: LiveDie) -> None:
        """Let dice lie still that no check has asked for."""
        self._read(dice, free_rolls=True)

    def _read(self, dice: tuple[LiveDie, ...], *, free_rolls: bool) -> None:
        self.companion.set_live(lambda live: replace(live, dice=dice, phase="still"))
        self.companion.record(lambda now: judge_throw(now, free_rolls=free_rolls))


@contextmanager
def make_table(folder: Path, dice: str = "demo") -> Iterator[TestTable]:
    opened = open_table(folder, game="foww", wall_s=lambda: 1_800_000_000.0)
    board = Board(opened.state, opened.seq)
    parts = Parts(board, lambda: 1_800_000_000.0)
    book = FaceBook(folder, lambda: 1_800_000_000.0)
    companion = Companion(
        opened,
        board,
        parts,
        dice=lambda game: book.over(dice_in_play(game, dice)),
        faces=book,
        photos=Photos(folder / "photos"),
        check_cue=check_cue,
    )
    tray = FakeTray()
    companion.attach(tray, can_throw=True)
    parts.works("camera", simulated=True, label="drawn tray")
    board.set_live(phase="empty", frame_wh_px=FRAME_WH_PX, strips=(dark_strip(),))
    try:
        yield TestTable(companion, board, tray)
    finally:
        opened.close()


def check_cue(game: str, cue: object) -> None:
    parse_cue(cue, bands(game))


def dark_strip() -> StripView:
    return StripView("ruler", ("000000",) * 60, 16.6667, 8.3333, 60.0, True)
