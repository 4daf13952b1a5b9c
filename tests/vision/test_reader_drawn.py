"""The whole reader on drawn trays: floors, with the names of what failed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

import cv2
import numpy as np
import pytest

from vision.frame import Detection, Image, Status
from vision.reader import Reader
from vision.rig import Rig, read_rig
from vision.synth.tray import DrawnDie, DrawnTray, TrayDie


def numbered(name: str, shape: str, colour: str, count: int) -> DrawnDie:
    faces = tuple(str(number) for number in range(1, count + 1))
    return DrawnDie(name, shape, colour, faces)


DICE = (
    numbered("white d20", "d20", "white", 20),
    numbered("blue d20", "d20", "blue", 20),
    numbered("red d12", "d12", "red", 12),
    numbered("black d8", "d8", "black", 8),
    numbered("yellow d6", "d6", "yellow", 6),
)
THROWS = 12


@pytest.fixture(scope="module")
def reader() -> Reader:
    cv2.setNumThreads(1)
    return Reader()


@pytest.fixture(scope="module")
def tray() -> DrawnTray:
    return DrawnTray(DICE, (1280, 900), 4.0, Random(11))


@pytest.fixture(scope="module")
def rig(tray: DrawnTray) -> Rig:
    return read_rig(tray.image(math.inf))


def photograph(tray: DrawnTray, seed: int) -> Image:
    rng = np.random.default_rng(seed)
    noisy = tray.image(math.inf) + rng.normal(0, 2.0, tray.image(math.inf).shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def beside(truth: TrayDie, found: tuple[Detection, ...]) -> Detection | None:
    def away(die: Detection) -> float:
        assert die.pose is not None
        return math.dist(die.pose.top_xy_px, truth.pose.top_xy_px)

    nearest = min(found, key=away, default=None)
    if nearest is None or away(nearest) > 0.6 * truth.pose.radius_px:
        return None
    return nearest


def throws(tray: DrawnTray) -> Iterator[tuple[Image, tuple[TrayDie, ...]]]:
    for seed in range(THROWS):
        tray.clear()
        tray.throw([die.name for die in DICE], seed)
        yield photograph(tray, seed), tray.truth()


def test_most_dice_are_read_and_none_wrong(
    reader: Reader, tray: DrawnTray, rig: Rig
) -> None:
    right, dice = 0, 0
    wrong, unread, stray = [], [], 0
    for image, truth in throws(tray):
        found = reader.read(image, rig=rig).detections
        stray += max(0, len(found) - len(truth))
        for die in truth:
            dice += 1
            said = beside(die, found)
            if said is None or said.status is not Status.OK:
                unread.append(f"{die.name} {die.face}: {said and said.alternatives}")
            elif (said.die, said.face) == (die.pose.shape, die.face):
                right += 1
            else:
                wrong.append(f"{die.name} {die.face} as {said.die} {said.face}")
    print(f"{right} of {dice} right", *unread, sep="\n")
    assert not wrong
    assert right >= 0.8 * dice, unread
    assert stray <= 1


def test_an_empty_tray_holds_nothing(reader: Reader, tray: DrawnTray, rig: Rig) -> None:
    tray.clear()
    for seed in range(4):
        assert reader.read(photograph(tray, seed), rig=rig).detections == ()


def test_the_reading_follows_the_pixels(
    reader: Reader, tray: DrawnTray, rig: Rig
) -> None:
    tray.clear()
    tray.throw(["red d12"], 5)
    seen = []
    for face in ("4", "11", "7"):
        tray.repaint(0, face)
        (die,) = reader.read(photograph(tray, 1), rig=rig).detections
        seen.append(die.face)
    assert seen == ["4", "11", "7"]


def test_a_covered_die_is_not_vouched_for(
    reader: Reader, tray: DrawnTray, rig: Rig
) -> None:
    tray.clear()
    tray.throw(["white d20", "red d12"], 6)
    tray.cover(0)
    found = reader.read(photograph(tray, 2), rig=rig).detections
    covered, plain = (beside(die, found) for die in tray.truth())
    assert covered is None or covered.status is not Status.OK
    assert plain is not None


def test_several_images_of_one_rest_are_read_as_one(
    reader: Reader, tray: DrawnTray, rig: Rig
) -> None:
    tray.clear()
    tray.throw(["white d20", "yellow d6"], 8)
    images = [photograph(tray, seed) for seed in range(3)]
    together = reader.read_many(images, rig=rig)
    truth = {die.face for die in tray.truth()}
    assert {die.face for die in together.detections} == truth
