"""Teaching: one die in a picture, of the shape it had before."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from device.errors import BadInput, ImageError
from device.teach import face_files, gallery_path, teach_face, teach_files
from vision.frame import Image, Pose
from vision.gallery import Gallery

POSE = Pose("d12", (40.0, 40.0), 24.0, 0.0, 0.99)


def picture(seed: int = 0) -> Image:
    rng = np.random.default_rng(seed)
    return rng.integers(40, 200, (80, 80, 3), dtype=np.uint8)


def teach(gallery: Gallery, *poses: Pose, **more: str) -> None:
    values = {"die": "plot", "face": "star", "where": "a.png", **more}
    teach_face(gallery, lambda image: poses, image=picture(), **values)


def test_a_face_is_taught_under_the_shape_that_was_found() -> None:
    gallery = Gallery(name="own")
    teach(gallery, POSE)
    assert gallery.dice["plot"].shape == "d12"
    assert list(gallery.dice["plot"].faces) == ["star"]


@pytest.mark.parametrize("count", [0, 2])
def test_a_picture_holds_exactly_one_die(count: int) -> None:
    with pytest.raises(ImageError, match=f"one die, found {count}"):
        teach(Gallery(), *[POSE] * count)


def test_a_die_keeps_its_shape() -> None:
    gallery = Gallery()
    teach(gallery, POSE)
    with pytest.raises(ImageError, match="looks like a d20, but plot is a d12"):
        teach(gallery, Pose("d20", (40.0, 40.0), 24.0, 0.0, 0.99))


def test_a_folder_for_each_face_is_taught(tmp_path: Path) -> None:
    for number, face in enumerate(("star", "blank", "star")):
        (tmp_path / face).mkdir(exist_ok=True)
        cv2.imwrite(str(tmp_path / face / f"{number}.png"), picture(number))
    gallery = Gallery()
    files = face_files(tmp_path)
    assert teach_files(gallery, lambda image: [POSE], "plot", files) == 3
    assert {f: len(s) for f, s in gallery.dice["plot"].faces.items()} == {
        "blank": 1,
        "star": 2,
    }


@pytest.mark.parametrize("face", ["", "Star", "a b", "../x", "x" * 40])
def test_a_face_has_a_plain_name(tmp_path: Path, face: str) -> None:
    with pytest.raises(BadInput):
        teach_files(Gallery(), lambda image: [POSE], "plot", [(face, tmp_path)])


def test_a_set_has_a_plain_name(tmp_path: Path) -> None:
    assert gallery_path(tmp_path, "foww") == tmp_path / "dice" / "foww.npz"
    with pytest.raises(BadInput):
        gallery_path(tmp_path, "../foww")
