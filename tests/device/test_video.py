"""The loop on a real video: a hand-held phone above two dice, thrown six times."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.board import Board
from device.commands.demo import demo_config
from device.companion import Companion
from device.data.load import load_dice_set
from device.parts import Parts
from device.photos import Photos
from device.sight import taught_eyes
from device.table.table import open_table
from device.tray import TrayLoop, TraySettings
from hardware.sim.clock import ManualClock
from hardware.sim.replay import ReplayCamera

VIDEOS = Path(__file__).parents[3] / "shared" / "dice-photos" / "videos"
RATE_HZ = 30
SLACK = 12
"""Frames by which the labels, noted every five, and the settling may differ."""


def stretches() -> list[tuple[range, list[str]]]:
    with (VIDEOS / "labels.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    found = []
    for row in rows:
        first, last = (int(n) for n in row["frames_settled"].split("-"))
        found.append((range(first, last + SLACK), sorted(row["values"].split(";"))))
    return found


def throws(folder: Path) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Yield (frame, (face, status) of each die) of every throw that is logged."""
    clock = ManualClock()
    dice = load_dice_set("foww")
    table = open_table(folder, game="foww", wall_s=clock.wall_s)
    board = Board(table.state, table.seq)
    companion = Companion(
        table,
        board,
        Parts(board, clock.wall_s),
        dice=lambda game: dice,
        photos=Photos(folder / "photos"),
    )
    video = VIDEOS / "robertwetzler_two_d6.mp4"
    loop = TrayLoop(
        companion,
        lambda: ReplayCamera(video, clock),
        taught_eyes(demo_config("127.0.0.1", 0), folder, hand_held=True),
        clock,
        settings=TraySettings(count_lying=True, free_rolls=True),
    )
    begin, seen = clock.now_s(), 0
    while clock.now_s() < begin + 7.2:
        loop.step()
        log = companion.snapshot().state.log
        for entry in log[seen:]:
            if entry.kind == "throw_seen":
                pair = [(die["face"], die["status"]) for die in entry.params["dice"]]
                yield round((clock.now_s() - begin) * RATE_HZ), pair
        seen = len(log)
    loop.close()
    table.close()


@pytest.mark.skipif(not VIDEOS.exists(), reason="no videos beside the checkout")
def test_a_hand_held_video_gives_each_throw_once_and_never_a_wrong_pair(
    tmp_path: Path,
) -> None:
    left = stretches()
    for frame, pair in throws(tmp_path):
        here = [one for one in left if frame in one[0]]
        assert here, f"frame {frame}: {pair} is no settled throw, or one told twice"
        left.remove(here[0])
        if all(status == "ok" for _, status in pair):
            assert sorted(face for face, _ in pair) == here[0][1], f"frame {frame}"
    assert len(left) <= 3, f"not read: {left}"
