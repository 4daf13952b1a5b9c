"""`dicelight teach` for whole sets: the self-test, copying out and in."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from device.cli import main
from tests.vision.test_gallery import demo_die, teach
from vision.gallery import Gallery

FACES = ("star", "dmg", "pen", "x", "acc1", "bottle")


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder with a taught set; returns the set's file."""
    monkeypatch.setenv("DICELIGHT_STATE", str(tmp_path / "state"))
    rng = random.Random(51)
    gallery = Gallery(name="own")
    teach(gallery, rng, "cube", demo_die(rng, "d6", FACES), 2)
    path = tmp_path / "state" / "dice" / "own.npz"
    path.parent.mkdir(parents=True)
    gallery.save(path)
    return path


def test_a_set_is_tested(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["teach", "--dice", "own", "--test"]) == 0
    told = capsys.readouterr().out.splitlines()[-1]
    assert told.startswith("own: 12 pictures: ")
    assert "0 wrong" in told


def test_a_set_goes_to_another_table_and_taking_it_twice_changes_nothing(
    own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "shared.npz"
    assert main(["teach", "--dice", "own", "--export", str(file)]) == 0
    for _ in range(2):
        assert main(["teach", "--dice", "theirs", "--import", str(file)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[-1] == told[-2] == "theirs: 1 dice, 6 faces, 12 pictures"
    theirs = Gallery.load(own.with_name("theirs.npz"))
    assert list(theirs.dice["cube"].faces) == list(FACES)
    assert not list(own.parent.glob("*.before.npz"))


def test_what_lay_there_is_kept_beside_what_is_taken(
    own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "empty.npz"
    Gallery(name="empty").save(file)
    assert main(["teach", "--dice", "own", "--import", str(file)]) == 0
    assert "the one before is own.before.npz" in capsys.readouterr().out
    assert len(Gallery.load(own)) == 0
    assert len(Gallery.load(own.with_name("own.before.npz"))) == 12


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--dice", "none", "--test"], "nothing is taught of 'none' yet"),
        (["--dice", "none", "--export", "x.npz"], "nothing is taught of 'none' yet"),
        (["--dice", "own", "--die", "plot", "--test"], "own has no die 'plot'"),
        (["--dice", "own", "--import", "/nowhere.npz"], "/nowhere.npz"),
        (["--dice", "own", "star=a.png"], "teach needs --die NAME"),
    ],
    ids=["no set", "no set to copy", "no die", "no file", "no name"],
)
def test_what_is_missing_is_said_in_one_line(
    own: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    says: str,
) -> None:
    assert main(["teach", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line
