"""Dice that nobody has taught, thrown into the demonstration's tray and read."""

from __future__ import annotations

import random
from functools import partial

import pytest

from device.data.load import load_dice_set
from device.demo import PX_PER_MM, SIZE_WH_PX, TEACH_SIZE_WH_PX, plain_dice
from device.teach import teach_face
from vision.find import Finder
from vision.frame import Status
from vision.gallery import Gallery
from vision.reader import Reader
from vision.rig import find_rig
from vision.synth.tray import DrawnDie, DrawnTray


@pytest.mark.parametrize(
    ("name", "dice"),
    [("munchkin", ["d6"]), ("stalker", ["d6"] * 3), ("special", ["d%", "d10"])],
)
def test_the_other_games_dice_are_read_untaught(name: str, dice: list[str]) -> None:
    """No face is read wrong; most are read surely at the first throw."""
    drawn = plain_dice([load_dice_set(name)])
    tray = DrawnTray(drawn, SIZE_WH_PX, PX_PER_MM, random.Random(0))
    reader, sure, seen = Reader(None), 0, 0
    for seed in range(4):
        tray.clear()
        tray.throw(dice, seed)
        image = tray.image(tray.rest_s)
        truth = sorted((die.name, die.face) for die in tray.truth())
        found = reader.read(image, rig=find_rig(image, bar_mm=100.0)).detections
        read = sorted((one.die, one.face) for one in found if one.status is Status.OK)
        assert all(read.count(one) <= truth.count(one) for one in read), (seed, read)
        sure += len(read)
        seen += len(truth)
    assert sure >= 0.75 * seen, f"{sure} of {seen}"


DIGITS = tuple("0123456789")
TENS = DrawnDie("d%", "d10", "blue", DIGITS)
UNITS = DrawnDie("d10", "d10", "red", DIGITS)


def taught(*pairs: tuple[DrawnDie, tuple[str, ...]]) -> Gallery:
    """Return a gallery with one example of each face, as it is to be called."""
    gallery = Gallery(name="special")
    find = partial(Finder().find, px_per_mm=PX_PER_MM)
    for die, names in pairs:
        tray = DrawnTray(
            [die], TEACH_SIZE_WH_PX, PX_PER_MM, random.Random(0), frame_marks=False
        )
        for side, face in enumerate(names):
            tray.clear()
            tray.throw([die.name], 7000 + side, [side])
            image = tray.image(tray.rest_s)
            where = f"{die.name} {face}"
            teach_face(gallery, find, die=die.name, face=face, image=image, where=where)
    return gallery


def test_two_ten_sided_dice_that_differ_in_colour_alone_are_told_apart() -> None:
    """Taught once as tens and as units, they need no numerals of their own."""
    tens = tuple(f"{digit}0" for digit in DIGITS)
    reader = Reader(taught((TENS, tens), (UNITS, DIGITS)))
    sure = 0
    for seed in range(6):
        tray = DrawnTray([TENS, UNITS], SIZE_WH_PX, PX_PER_MM, random.Random(0))
        tray.throw(["d%", "d10"], seed)
        image = tray.image(tray.rest_s)
        faces = {die.name: die.face for die in tray.truth()}
        truth = {("d%", faces["d%"] + "0"), ("d10", faces["d10"])}
        found = reader.read(image, rig=find_rig(image, bar_mm=100.0)).detections
        read = {(one.die, one.face) for one in found if one.status is Status.OK}
        assert read <= truth, (seed, read, truth)
        sure += len(read)
    assert sure >= 9, f"{sure} of 12"
