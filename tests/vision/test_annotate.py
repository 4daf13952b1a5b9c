"""The annotated photograph tells status by shape and sign, not by colour alone."""

from __future__ import annotations

import cv2
import numpy as np

from vision.annotate import Outline, annotate, label, outline
from vision.frame import Detection, Status

GREY = np.full((400, 720, 3), 120, np.uint8)
BOX = (300.0, 150.0, 100.0, 100.0)


def changed(die: Outline) -> np.ndarray:
    """Where the drawing touched the picture."""
    return (annotate(GREY, [die]) != GREY).any(axis=2)


def on_edge(mask: np.ndarray) -> float:
    """Part of the box's left and bottom edge that is drawn."""
    x, y, w, h = (round(v) for v in BOX)
    left = mask[y + 5 : y + h, x - 3 : x + 4].any(axis=1)
    low = mask[y + h - 3 : y + h + 4, x : x + w].any(axis=0)
    return float(np.concatenate([left, low]).mean())


def test_the_given_picture_is_left_alone() -> None:
    before = GREY.copy()
    read_only = GREY.copy()
    read_only.setflags(write=False)
    drawn = annotate(read_only, [Outline("d20", "17", "ok", BOX)])
    assert (before == GREY).all()
    assert (drawn != GREY).any()


def test_status_shows_without_colour() -> None:
    sure = on_edge(changed(Outline("d20", "17", "ok", BOX)))
    unsure = on_edge(changed(Outline("d20", "17", "unsure", BOX)))
    assert sure == 1.0
    assert 0.5 < unsure < 0.9
    cocked = changed(Outline("d20", "17", "cocked", BOX))
    x, y, w, h = (round(v) for v in BOX)
    assert not cocked[y + 10 : y + 30, x - 3 : x + 4].any()  # a triangle's slope
    assert cocked[y + h - 2 : y + h + 3, x + w // 2].any()
    greys = {
        status: cv2.cvtColor(
            annotate(GREY, [Outline("d20", "17", status, BOX)]), cv2.COLOR_BGR2GRAY
        )
        for status in ("ok", "unsure", "cocked")
    }
    assert (greys["ok"] != greys["unsure"]).sum() > 300


def test_labels_carry_a_sign_of_doubt() -> None:
    assert label(Outline("d20", "17", "ok", BOX)) == "17"
    assert label(Outline("d20", "17", "unsure", BOX)) == "17?"
    assert label(Outline("d20", None, "unsure", BOX)) == "?"
    assert label(Outline("d20", "17", "cocked", BOX)) == "17!"
    assert label(Outline("d12", "star+dmg", "ok", BOX)) == "star+dmg"
    assert label(Outline("d12", "звезда", "ok", BOX)).isascii()


def test_old_dice_are_grey_and_thinner() -> None:
    fresh = annotate(GREY, [Outline("d20", "17", "ok", BOX)])
    old = annotate(GREY, [Outline("d20", "17", "ok", BOX, fresh=False)])
    touched = (old != GREY).any(axis=2)
    colours = old[touched].astype(int)
    assert np.ptp(colours, axis=1).max() < 12
    assert touched.sum() < (fresh != GREY).any(axis=2).sum()


def test_a_label_is_legible_on_a_phone() -> None:
    large = np.full((1296, 2304, 3), 120, np.uint8)
    box = (1000.0, 600.0, 110.0, 110.0)
    drawn = annotate(large, [Outline("d20", "17", "ok", box)])
    phone = cv2.resize(drawn, (360, 203), interpolation=cv2.INTER_AREA)
    white = (phone > 200).all(axis=2)
    rows = np.nonzero(white.any(axis=1))[0]
    assert rows.size and np.ptp(rows) + 1 >= 8


def test_a_label_stays_inside_the_picture() -> None:
    corner = (690.0, 0.0, 60.0, 60.0)
    drawn = annotate(GREY, [Outline("d20", "star+failure", "ok", corner)])
    plain = annotate(GREY, [Outline("d20", "star+failure", "ok", BOX)])

    def white(image: np.ndarray) -> int:
        return int((image > 240).all(axis=2).sum())

    assert white(drawn) > 0.8 * white(plain)


def test_a_detection_gives_its_outline() -> None:
    die = Detection("d20", "9", 0.9, Status.UNSURE, BOX)
    assert outline(die, fresh=False) == Outline("d20", "9", "unsure", BOX, False)
