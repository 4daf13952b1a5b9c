from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from device.data.load import load_dice_set
from device.errors import BadInput, RulesError, TableError
from device.faces import FaceBook
from device.fairness import chances
from device.table.view import Command

FOWW = load_dice_set("foww")
BLACK = {"dmg": 5, "blank": 4, "dmg+dmg": 2, "bottle": 1}


def book(folder: Path) -> FaceBook:
    made = FaceBook(folder, lambda: 1_800_000_000.0)
    assert made.over(FOWW).name == "foww"
    return made


def set_faces(kept: FaceBook, /, **args: Any) -> None:
    kept.set_faces("foww", Command("set_faces", args, by="Ann"))


def test_a_die_counted_whole_has_odds_and_is_remembered(tmp_path: Path) -> None:
    faces = book(tmp_path)
    set_faces(faces, die="black", faces=BLACK, verified=True)
    for one in (faces, book(tmp_path)):
        die = one.over(FOWW).die("black")
        assert die.complete and die.verified and len(die.sides) == 12
        odds = chances(die, "black")
        assert odds is not None and odds["dmg"] * 12 == 5
        assert "Ann" in die.source
        with pytest.raises(RulesError):
            die.face("star")


def test_a_die_counted_half_has_none_and_may_still_show_more(tmp_path: Path) -> None:
    faces = book(tmp_path)
    set_faces(faces, die="blue", faces={"star": 3})
    die = faces.over(FOWW).die("blue")
    assert not die.complete and not die.verified and not die.sides
    assert {face.key: face.count for face in die.faces} == {
        "star": 3,
        "bottle+star": None,
    }
    assert die.face("burst").key == "burst"


def test_every_change_can_be_taken_back(tmp_path: Path) -> None:
    faces = book(tmp_path)
    set_faces(faces, die="black", faces={"dmg": 1})
    set_faces(faces, die="green", faces={"acc1": 2})
    set_faces(faces, die="black", faces=BLACK, verified=True)
    back = Command("undo_faces", {"die": "black"})
    faces.undo_faces("foww", back)
    assert [face.count for face in faces.over(FOWW).die("black").faces] == [1]
    faces.undo_faces("foww", back)
    assert faces.over(FOWW).die("black") == FOWW.die("black")
    assert faces.over(FOWW).die("green").faces[0].count == 2
    with pytest.raises(TableError):
        faces.undo_faces("foww", back)


@pytest.mark.parametrize(
    ("args", "wrong"),
    [
        ({"die": "pink", "faces": {}}, "die"),
        ({"faces": {}}, "die"),
        ({"die": "black", "faces": ["dmg"]}, "faces"),
        ({"die": "black", "faces": {"clown": 1}}, "faces"),
        ({"die": "black", "faces": {"pen+dmg": 1}}, "faces"),
        ({"die": "black", "faces": {"dmg": -1}}, "faces"),
        ({"die": "black", "faces": {"dmg": True}}, "faces"),
        ({"die": "black", "faces": {}, "verified": "yes"}, "faces"),
        ({"die": "armour", "faces": {"1": 12}}, "faces_known"),
        ({"die": "black", "faces": {"dmg": 13}}, "too_many_sides"),
        ({"die": "black", "faces": {"dmg": 11}, "verified": True}, "sides_missing"),
    ],
)
def test_what_does_not_fit_is_refused(
    tmp_path: Path, args: dict[str, Any], wrong: str
) -> None:
    faces = book(tmp_path)
    with pytest.raises((BadInput, TableError)) as caught:
        set_faces(faces, **args)
    error = caught.value
    said = error.reason if isinstance(error, TableError) else error.field
    assert said == wrong
    assert faces.over(FOWW) == FOWW and not list(tmp_path.iterdir())


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[{"die": 3}]'])
def test_a_damaged_file_is_left_aside(tmp_path: Path, text: str) -> None:
    (tmp_path / "foww-faces.json").write_text(text)
    assert book(tmp_path).over(FOWW).die("black") == FOWW.die("black")
