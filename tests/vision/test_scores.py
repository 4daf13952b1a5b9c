"""Counting readings against labels: what is right, silent, unsure and missed."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.errors import ImageError
from vision.evaluate import curve
from vision.frame import Detection, Reading, Status
from vision.replay import Throw, judge_video
from vision.scores import Score, read_labels, score, table


def die(face: str, status: Status = Status.OK, kind: str = "d6") -> Detection:
    return Detection(kind, face, 0.99, status, (0, 0, 10, 10))


UNSURE = Status.UNSURE


@pytest.mark.parametrize(
    ("truth", "dice", "expected"),
    [
        (["3", "5"], [die("5"), die("3")], Score(1, 2, right=2)),
        (["3", "5"], [die("5"), die("4")], Score(1, 2, right=1, wrong=1)),
        (["3"], [die("3"), die("3")], Score(1, 1, right=1, extra=1)),
        ([], [die("3")], Score(1, 0, extra=1)),
        (["3", "5"], [die("3"), die("4", UNSURE)], Score(1, 2, right=1, unsure=1)),
        (["3"], [die("3"), die("4", UNSURE)], Score(1, 1, right=1)),
        (["3", "5"], [die("3")], Score(1, 2, right=1, missed=1)),
        (["3", "5"], [die("1"), die("5", UNSURE)], Score(1, 2, wrong=1, unsure=1)),
        (["3"], [die("3", kind="d8")], Score(1, 1, right=1, kind_wrong=1)),
        (["3"], [die("3", Status.COCKED)], Score(1, 1, unsure=1)),
    ],
    ids=range(10),
)
def test_one_picture_is_counted(
    truth: list[str], dice: list[Detection], expected: Score
) -> None:
    assert score([("d6", face) for face in truth], dice) == expected


def test_counts_add_up_in_the_table() -> None:
    text = table({"a": Score(1, 4, right=3, wrong=1), "b": Score(1, 6, right=6)})
    assert text.splitlines()[-1].startswith("| **all** | 2 | 10 | 9 | 1 |")
    assert text.splitlines()[-1].endswith("| 90.0 | 10.00 |")


def labels_file(folder: Path) -> Path:
    path = folder / "labels.csv"
    path.write_text(
        "file,source_repo,die_kinds,values,n_dice,scene,notes\n"
        "a.jpg,one/x,d6,3;5,2,tray,pips\n"
        "images/b.jpg,two/y,d20;d6,17;2,2,tray,numerals\n",
        encoding="utf-8",
    )
    (folder / "images").mkdir()
    for name in ("a.jpg", "b.jpg"):
        (folder / "images" / name).write_bytes(b"x")
    return path


def test_labels_are_read_and_chosen_by_pattern(tmp_path: Path) -> None:
    path = labels_file(tmp_path)
    first, second = read_labels(path)
    assert first.dice == (("d6", "3"), ("d6", "5"))
    assert second.dice == (("d20", "17"), ("d6", "2"))
    assert first.path == tmp_path / "images" / "a.jpg"
    assert second.source == "two/y [tray] d20 d6"
    assert read_labels(path, only="numerals") == (second,)
    assert read_labels(path, without="two") == (first,)
    with pytest.raises(ImageError, match="no such file"):
        read_labels(tmp_path / "none.csv")


def test_another_bar_is_measured_without_reading_again(tmp_path: Path) -> None:
    label = read_labels(labels_file(tmp_path))[0]
    low = Detection("d6", "4", 0.7, Status.UNSURE, (0, 0, 9, 9))
    rows = curve([(label, Reading((die("3"), low)))], (0.5, 0.95)).splitlines()
    assert rows[-2] == "| 0.500 | 50.0 | 50.00 | 0 | 0 |"
    assert rows[-1] == "| 0.950 | 50.0 | 0.00 | 1 | 0 |"


def test_a_video_is_judged_stretch_by_stretch(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(
        "file,frames_settled,values\nv.mp4,0-20,4;1\nv.mp4,40-57,3;5\nv.mp4,80-90,2;2\n",
        encoding="utf-8",
    )
    throws = [
        Throw(10, ("1", "4"), 0),
        Throw(45, ("3",), 1),
        Throw(52, ("3", "5"), 0),
        Throw(120, ("6",), 0),
    ]
    lines = judge_video(path, throws)
    assert "right" in lines[0] and "TWICE" not in lines[0]
    assert "unsure" in lines[1] and "TWICE" in lines[1]
    assert lines[2].endswith("silent")
    assert lines[3] == "frame 120: 6 read elsewhere"
    assert "WRONG" in judge_video(path, [Throw(10, ("1", "5"), 0)])[0]
