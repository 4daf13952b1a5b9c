"""What the reader makes of what is found and read: sure, silent, cocked or nothing."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from tests.vision.reader_parts import (
    GREY,
    SURE,
    Beside,
    Edges,
    Faces,
    Found,
    Taught,
    at,
)
from vision.arrivals import EmptyTray, renewed
from vision.frame import Image, Pose, Status
from vision.gallery import GalleryMatch
from vision.reader import Reader
from vision.rig import Rig, find_rig
from vision.sheet import draw_sheet, sheet


def test_only_a_die_read_with_doubt_is_looked_at_again() -> None:
    finder = Found(at(100), at(300))
    doubt = {100: SURE, 300: (("3", 0.4),)}
    Reader(finder=finder, faces=Faces(doubt)).read(GREY)
    assert finder.asked_again == 1


def test_a_sure_face_is_vouched_for_with_its_alternatives() -> None:
    reading = Reader(finder=Found(at(100)), faces=Faces({100: SURE})).read(GREY)
    (die,) = reading.detections
    assert (die.die, die.face, die.status) == ("d20", "17", Status.OK)
    assert die.alternatives == SURE
    x, y, w, h = die.box_xywh_px
    assert x < 100 < x + w and y < 100 < y + h
    assert set(reading.ms) == {"find", "faces", "total"}
    assert die.size_mm is None


def test_a_doubtful_face_is_unsure_and_offers_its_two_best() -> None:
    doubt = (("16", 0.6), ("18", 0.3))
    reading = Reader(finder=Found(at(100)), faces=Faces({100: doubt})).read(GREY)
    (die,) = reading.detections
    assert die.status is Status.UNSURE
    assert [face for face, _ in die.alternatives] == ["16", "18"]


def test_the_bar_is_a_setting() -> None:
    some = (("16", 0.9), ("18", 0.05))
    parts = {"finder": Found(at(100)), "faces": Faces({100: some})}
    assert Reader(**parts, bar=0.8).read(GREY).detections[0].status is Status.OK
    assert Reader(**parts, bar=0.95).read(GREY).detections[0].status is Status.UNSURE


def test_a_leaning_die_is_cocked_however_clear_its_face() -> None:
    reader = Reader(finder=Found(at(100, flat=0.2)), faces=Faces({100: SURE}))
    assert reader.read(GREY).detections[0].status is Status.COCKED


def test_nothing_found_is_an_empty_reading() -> None:
    assert Reader(finder=Found(), faces=Faces({})).read(GREY).detections == ()


def test_a_doubtful_find_without_a_face_is_no_die() -> None:
    reader = Reader(finder=Found(at(100, confidence=0.6)), faces=Faces({}))
    assert reader.read(GREY).detections == ()
    certain = Reader(finder=Found(at(100)), faces=Faces({}))
    (die,) = certain.read(GREY).detections
    assert (die.face, die.status) == (None, Status.UNSURE)


def test_a_doubtful_find_is_not_vouched_for_whatever_stands_on_it() -> None:
    reader = Reader(finder=Found(at(100, confidence=0.55)), faces=Faces({100: SURE}))
    assert reader.read(GREY).detections[0].status is Status.UNSURE


def test_doubt_between_solids_with_like_faces_is_settled_by_what_is_read() -> None:
    finder = Found(at(100, confidence=0.55, twin=0.4))

    def read(faces: Faces) -> Status:
        return Reader(finder=finder, faces=faces).read(GREY).detections[0].status

    assert read(Faces({100: (("17", 0.97), ("1", 0.01))})) is Status.OK
    # A d8 bears a five too; only a d20 has it among 13, 15 and 18.
    five = (("5", 0.97), ("3", 0.01))
    assert read(Faces({100: five})) is Status.UNSURE
    assert read(Beside({100: five}, "13", "18", "")) is Status.OK
    assert read(Beside({100: five}, "13", "4", "")) is Status.UNSURE
    # But where nothing can be read on it, nothing tells which one it would be.
    assert Reader(finder=finder, faces=Faces({})).read(GREY).detections == ()
    (blank,) = Reader(finder=finder, faces=Faces({}), bar=0.0).read(GREY).detections
    assert blank.status is Status.UNSURE


def test_what_was_there_when_the_tray_was_empty_is_not_vouched_for() -> None:
    reader = Reader(finder=Found(at(100)), faces=Faces({100: SURE}))
    empty = EmptyTray(GREY, 2.5)
    assert reader.read(GREY, empty=empty).detections[0].status is Status.UNSURE
    come = GREY.copy()
    cv2.circle(come, (100, 100), 28, (30, 30, 160), -1)
    assert reader.read(come, empty=empty).detections[0].status is Status.OK
    # Another scene tells nothing.
    other = np.full_like(GREY, 120)
    other[:, ::40] = 255
    other[::40] = 0
    assert reader.read(other, empty=empty).detections[0].status is Status.OK


THREE = (("3", 0.97), ("2", 0.01))


def lone_find(*others: Pose, confidence: float = 0.75) -> Status:
    """Read a doubtful find with a lone pip beside sure dice; what becomes of it?"""
    told = {round(other.top_xy_px[0]): THREE for other in others}
    told[800] = (("1", 0.97), ("3", 0.01))
    finder = Found(*others, at(800, 300, "d6", confidence=confidence))
    reading = Reader(finder=finder, faces=Faces(told, pips=True)).read(GREY)
    (one,) = (die for die in reading.detections if die.face == "1")
    return one.status


def test_sure_dice_of_the_same_look_speak_for_a_doubtful_find() -> None:
    others = [at(x, shape="d6") for x in (100, 300, 500)]
    assert lone_find(*others) is Status.OK
    assert lone_find(*others[:2]) is Status.UNSURE
    assert lone_find(*others, confidence=0.99) is Status.OK


def test_dice_of_another_size_or_kind_are_no_company() -> None:
    large = [at(x, shape="d6", radius_px=40.0) for x in (100, 300, 500)]
    assert lone_find(*large) is Status.UNSURE
    doubtful = [at(x, shape="d6", confidence=0.6) for x in (100, 300, 500)]
    assert lone_find(*doubtful) is Status.UNSURE


def test_what_looks_flat_is_asked_about_unless_sure_dice_of_its_look_lie_around() -> (
    None
):
    def read(*poses: Pose) -> tuple[list[Status], int]:
        edges = Edges(200)
        told = {round(pose.top_xy_px[0]): THREE for pose in poses}
        parts = {"finder": Found(*poses), "faces": Faces(told, pips=True)}
        dice = Reader(tiles=edges, **parts).read(GREY).detections
        return [die.status for die in dice], edges.asked

    cubes = [at(x, shape="d6") for x in (300, 500, 700)]
    assert read(at(100, shape="d6")) == ([Status.UNSURE], 1)
    assert read(cubes[0]) == ([Status.OK], 1)
    assert read(at(100)) == ([Status.OK], 0)  # a d20 is not asked about
    assert read(at(100, shape="d6", confidence=0.6)) == ([Status.UNSURE], 0)
    assert read(at(100, shape="d6"), *cubes) == ([Status.OK] * 4, 4)


def test_a_die_found_twice_is_one_die() -> None:
    finder = Found(at(100), at(112, confidence=0.9))
    table = {100: SURE, 112: (("12", 0.7), ("17", 0.1))}
    (die,) = Reader(finder=finder, faces=Faces(table)).read(GREY).detections
    assert (die.face, die.status) == ("17", Status.OK)


def test_a_disc_nobody_taught_is_no_coin() -> None:
    reader = Reader(finder=Found(at(100, shape="coin")), faces=Faces({}))
    assert reader.read(GREY).detections == ()


def test_taught_dice_come_first_and_strangers_are_read_as_numerals() -> None:
    borne = frozenset({"17"})  # not asked: what lies there is likest to an icon
    match = GalleryMatch("skill", (("crit", 0.995), ("x", 0.002)), 0.9, 0.3, borne)
    parts = {"finder": Found(at(100)), "faces": Faces({100: SURE})}
    (die,) = Reader(Taught(match), **parts).read(GREY).detections
    assert (die.die, die.face, die.status) == ("skill", "crit", Status.OK)
    stranger = GalleryMatch("skill", (("crit", 0.9),), 0.2, 0.1)
    (die,) = Reader(Taught(stranger), **parts).read(GREY).detections
    assert (die.die, die.face) == ("d20", "17")
    nearly = GalleryMatch("skill", (("crit", 0.99), ("x", 0.01)), 0.55, 0.1)
    (die,) = Reader(Taught(nearly), **parts).read(GREY).detections
    assert (die.die, die.face, die.status) == ("skill", "crit", Status.UNSURE)
    nothing = GalleryMatch(None, (), -1.0, 0.0)
    (die,) = Reader(Taught(nothing), **parts).read(GREY).detections
    assert (die.die, die.face) == ("d20", "17")


def test_a_taught_face_that_always_looks_like_another_numeral_is_not_denied() -> None:
    borne = frozenset({"1", "7"})
    match = GalleryMatch("skill", (("1", 0.995), ("7", 0.002)), 0.9, 0.3, borne)
    seven = {"finder": Found(at(100)), "faces": Faces({100: (("7", 0.98),)})}
    (die,) = Reader(Taught(match), **seven).read(GREY).detections
    assert (die.face, die.status) == ("1", Status.UNSURE)
    shots = [(GREY, at(100))] * 3
    (die,) = Reader(Taught(match, *shots), **seven).read(GREY).detections
    assert (die.face, die.status) == ("1", Status.OK)


def test_a_stranger_of_a_taught_dies_solid_is_read_as_surely_as_a_taught_one() -> None:
    """It may be the taught die, badly seen."""
    read = {"finder": Found(at(100)), "faces": Faces({100: (("17", 0.93),)})}
    (die,) = Reader(**read).read(GREY).detections
    assert (die.face, die.status) == ("17", Status.OK)
    other = GalleryMatch(None, (), -1.0, 0.0)
    (die,) = Reader(Taught(other), **read).read(GREY).detections
    assert (die.face, die.status) == ("17", Status.OK)
    unlike = GalleryMatch("skill", (("crit", 0.1),), 0.3, 0.1)
    (die,) = Reader(Taught(unlike), **read).read(GREY).detections
    assert (die.die, die.face, die.status) == ("d20", "17", Status.UNSURE)
    (die,) = Reader(Taught(unlike), bar=0.9, **read).read(GREY).detections
    assert die.status is Status.OK


def test_dice_come_in_reading_order() -> None:
    poses = [at(300, 110), at(100, 320), at(120, 100), at(500, 90)]
    table = {x: ((str(x), 0.999),) for x in (300, 100, 120, 500)}
    reading = Reader(finder=Found(*poses), faces=Faces(table)).read(GREY)
    assert [d.face for d in reading.detections] == ["120", "300", "500", "100"]


def framed() -> tuple[Image, Rig]:
    """An A4 frame straight below the camera at 3 px/mm, a little blue."""
    paper = draw_sheet(sheet("a4"), 3)
    image = np.full((700, 950, 3), 90, np.uint8)
    tint = np.array([1.0, 0.8, 0.7])
    h, w = paper.shape
    image[30 : 30 + h, 25 : 25 + w] = (paper[..., None] * tint).astype(np.uint8)
    rig = find_rig(image)
    assert rig is not None
    return image, rig


def in_view(rig: Rig, x_mm: float, y_mm: float) -> tuple[float, float]:
    """Place in the cropped top view of a spot on the sheet."""
    corner = rig.to_px(rig.tray_outline_mm.min(axis=0, keepdims=True) - 12.0)[0]
    x, y = rig.to_px(np.array([[x_mm, y_mm]]))[0]
    return (float(x - math.floor(corner[0])), float(y - math.floor(corner[1])))


def test_the_frame_gives_scale_size_and_boxes_in_the_given_image() -> None:
    image, rig = framed()
    x, y = in_view(rig, 150, 100)
    finder = Found(at(x, y))
    reading = Reader(finder=finder, faces=Faces({round(x): SURE})).read(image, rig=rig)
    (die,) = reading.detections
    assert finder.px_per_mm == pytest.approx(3, rel=0.01)
    assert die.size_mm == pytest.approx(20, rel=0.01)
    left, top, w, h = die.box_xywh_px
    middle = (left + w / 2, top + h / 2)
    assert middle == pytest.approx((25 + 450, 30 + 300), abs=2)
    assert finder.camera_px is not None
    assert die.pose is not None
    assert die.pose.top_xy_px == pytest.approx(middle, abs=0.5)


def test_what_has_come_since_the_tray_was_empty_is_looked_at() -> None:
    image, rig = framed()
    finder = Found()
    reader = Reader(finder=finder, faces=Faces({}))
    empty = renewed(None, image, rig)
    reader.read(image, rig=rig, empty=empty)
    assert finder.arrivals == []
    x, y = rig.to_px(np.array([[150.0, 100]]))[0]
    image = image.copy()
    cv2.circle(image, (round(x), round(y)), 34, (20, 20, 160), -1)
    reader.read(image, rig=rig)
    assert finder.arrivals == []
    reader.read(image, rig=rig, empty=empty)
    (mark,) = finder.arrivals
    assert mark.xy_px == pytest.approx(in_view(rig, 150, 100), abs=2)
    assert mark.radius_px == pytest.approx(34, rel=0.2)


def test_nothing_larger_than_a_die_is_vouched_for_untaught() -> None:
    image, rig = framed()
    x, y = in_view(rig, 150, 100)
    large = at(x, y, radius_px=60.0)  # 40 mm across at 3 px/mm
    parts = {"finder": Found(large), "faces": Faces({round(x): SURE})}
    (die,) = Reader(**parts).read(image, rig=rig).detections
    assert (die.face, die.status) == ("17", Status.UNSURE)
    match = GalleryMatch("giant", (("crit", 0.995), ("x", 0.002)), 0.9, 0.3)
    (die,) = Reader(Taught(match), **parts).read(image, rig=rig).detections
    assert (die.face, die.status) == ("crit", Status.OK)


def test_the_papers_tint_is_taken_out_of_the_dices_colour() -> None:
    image, rig = framed()
    x, y = in_view(rig, 150, 100)
    place = rig.to_px(np.array([[150.0, 100]]))[0]
    cv2.circle(image, (round(place[0]), round(place[1])), 40, (225, 180, 158), -1)
    reader = Reader(finder=Found(at(x, y)), faces=Faces({round(x): SURE}))
    assert reader.read(image, rig=rig).detections[0].colour == "white"


def test_dice_beside_the_tray_do_not_count_and_on_the_rim_are_cocked() -> None:
    image, rig = framed()
    left = sheet("a4").tray_xywh_mm[0]
    inside = in_view(rig, left + 12, 100)
    rim = in_view(rig, left - 5, 120)
    outside = in_view(rig, left - 20, 60)
    finder = Found(*(at(*place) for place in (inside, rim, outside)))
    table = {round(place[0]): SURE for place in (inside, rim, outside)}
    reading = Reader(finder=finder, faces=Faces(table)).read(image, rig=rig)
    assert [d.status for d in reading.detections] == [Status.OK, Status.COCKED]


def many(*answers: tuple[tuple[str, float], ...]) -> tuple[str | None, Status]:
    reader = Reader(finder=Found(at(100)), faces=Faces(*({100: a} for a in answers)))
    (die,) = reader.read_many([GREY] * len(answers)).detections
    return die.face, die.status


def test_several_images_agree_or_the_die_is_unsure() -> None:
    unsure = (("17", 0.7), ("12", 0.2))
    other = (("12", 0.999), ("17", 0.0005))
    nothing: tuple[tuple[str, float], ...] = ()
    assert many(SURE, SURE, SURE) == ("17", Status.OK)
    assert many(unsure, SURE, nothing) == ("17", Status.OK)
    assert many(unsure, unsure, unsure) == ("17", Status.UNSURE)
    assert many(SURE, other)[1] is Status.UNSURE
    assert many(SURE, (("12", 0.8), ("17", 0.1)))[1] is Status.UNSURE
    with pytest.raises(ValueError, match="no image"):
        Reader(finder=Found(), faces=Faces({})).read_many([])
