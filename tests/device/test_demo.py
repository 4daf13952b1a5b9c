"""The whole demonstration with the real reader: pixels in, results out."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from device.commands.demo import drawn_app
from device.sight import demo_eyes
from device.table.state import RolledDie
from device.table.view import Command, Snapshot
from tests.device.drawn import DICE, Demo
from vision.gallery import Gallery

ATTACK = {
    "check": "skill_check",
    "rating": 6,
    "dice": {"black": 2, "green": 1},
    "weapon": {"damage": 2, "type": "physical"},
}
ARMOUR = {"check": "armour_check", "amount": 3, "rating": 2}
CHECKS = {
    "skill": {"check": "skill_check", "rating": 6},
    "armour": ARMOUR,
    # The skill die is left to the hand: the camera is only asked for the green one.
    "green": {"check": "skill_check", "rating": 6, "dice": {"green": 1}},
}


@pytest.fixture(scope="session")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a state folder in which the drawn dice have been learnt."""
    state = tmp_path_factory.mktemp("learnt")
    demo_eyes(DICE, state)
    return state


@pytest.fixture
def demo(learnt: Path, tmp_path: Path) -> Iterator[Demo]:
    made = Demo(tmp_path, seed=11, eyes=lambda tray: demo_eyes(DICE, learnt))
    made.run(0.5)
    yield made
    made.close()


def lying(demo: Demo) -> list[tuple[str, str]]:
    return sorted((die.name, die.face) for die in demo.tray.tray.truth())


def test_learning_is_done_once(learnt: Path) -> None:
    said: list[str] = []
    demo_eyes(DICE, learnt, said.append)
    assert said == []


def test_every_face_of_the_demonstration_is_learnt(learnt: Path) -> None:
    (path,) = (learnt / "dice").glob("demo-*.npz")
    taught = Gallery.load(path).dice
    for die in DICE.dice:
        assert set(taught[die.name].faces) == set(die.sides), die.name


def test_a_damaged_gallery_is_learnt_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught: list[str] = []
    monkeypatch.setattr(
        "device.demo._teach_die", lambda gallery, find, die: taught.append(die.name)
    )
    demo_eyes(DICE, tmp_path)
    (path,) = (tmp_path / "dice").glob("demo-*.npz")
    path.write_bytes(b"torn")
    demo_eyes(DICE, tmp_path)
    assert taught == [die.name for die in DICE.dice] * 2


def test_throws_are_read_right_or_not_vouched_for(demo: Demo) -> None:
    """Not one wrong face may be vouched for; how much is left to a person may shrink.

    Measured over ten other throws: of 70 dice 66 found, 63 sure, none of them wrong.
    """
    found = sure = 0
    for _ in range(8):
        demo.tray.clear()
        demo.run(0.5)
        demo.do("open_check", ATTACK)
        demo.throw()
        truth = lying(demo)
        for die in demo.companion.snapshot().live.dice:
            found += 1
            if die.status == "ok":
                sure += 1
                assert (die.die, die.face) in truth
        demo.do("close_check")
    assert found >= 26
    assert sure >= 20


def test_a_repainted_face_is_read_as_painted(demo: Demo) -> None:
    sure = 0
    for face in ("crit", "3", "x_ap", "ap"):
        die = throw_one(demo, "skill", partial(demo.tray.tray.repaint, 0, face))
        assert die is not None
        if die.status == "ok":
            sure += 1
            assert die.face == face
    assert sure >= 2


def test_a_covered_die_is_never_vouched_for(demo: Demo) -> None:
    for name in ("skill", "armour", "green"):
        die = throw_one(demo, name, lambda: demo.tray.tray.cover(0))
        assert die is None or die.status == "unsure", name


def throw_one(demo: Demo, name: str, change: Callable[[], None]) -> RolledDie | None:
    """Throw one die, change what is drawn on it while it rolls, return it as read."""
    demo.tray.clear()
    demo.run(0.5)
    before = demo.companion.snapshot().state.check
    if before is not None:
        demo.do("close_check")
    demo.do("open_check", CHECKS[name])
    demo.tray.roll([name])
    change()
    demo.run(demo.tray.rest_s + 0.6)
    if demo.content.check.status == "unsure":
        assert demo.content.result is None
    roll = demo.content.check.roll
    dice = [die for die in roll.dice if die.by == "camera"] if roll else []
    return dice[0] if dice else None


def test_skill_check_then_armour_check_without_clearing_the_tray(demo: Demo) -> None:
    demo.do("open_check", {**ATTACK, "dice": {"green": 1, "yellow": 1}})
    demo.throw()
    say_doubtful(demo)
    assert demo.content.check.status == "resolved"
    attack = demo.content.check.roll
    demo.do("open_check", ARMOUR)
    demo.run(0.2)
    demo.throw()
    say_doubtful(demo)
    check = demo.content.check
    assert check.status == "resolved"
    assert [die.die for die in check.roll.dice] == ["armour"]
    assert ("armour", check.roll.dice[0].face) in lying(demo)
    assert demo.content.last.check.roll == attack


def say_doubtful(demo: Demo) -> None:
    """Do as a player does: tap each die in doubt and say its face."""
    roll = demo.content.check.roll
    assert roll is not None, demo.companion.snapshot().live
    for die in roll.dice:
        if die.status != "ok":
            (face,) = [face for name, face in lying(demo) if name == die.die]
            args = {"roll": roll.id, "die": die.id, "face": face}
            demo.do("correct_die", args)


def test_the_demonstration_serves_its_page_and_resolves_a_throw(
    learnt: Path, tmp_path: Path
) -> None:
    app, tray = drawn_app(tmp_path, seed=11, gallery_state=learnt)
    app.start()
    try:
        url = f"http://127.0.0.1:{app.port}/health"
        with urllib.request.urlopen(url, timeout=10) as answer:
            assert answer.read() == b"ok\n"
        do = partial(_do, app.companion)
        wait = partial(_wait, app.companion)
        wait(lambda seen: seen.live.phase in ("still", "empty"))
        do("light_ruler", {"cue": {"band": "red"}})
        do("open_check", {**CHECKS["skill"], "dice": {"green": 1}})
        do("throw")
        seen = wait(lambda seen: len(seen.live.dice) == 2)
        truth = [(die.name, die.face) for die in tray.tray.truth()]
        for die in seen.live.dice:
            assert die.status != "ok" or (die.die, die.face) in truth
        seen = wait(lambda seen: seen.state.check.roll is not None)
        assert seen.live.strips[0].pixels[0] != "000000"
        jpeg = app.companion.tray_jpeg()
        assert jpeg is not None and jpeg.startswith(b"\xff\xd8")
    finally:
        app.close()


def _do(companion: Any, name: str, args: dict[str, object] | None = None) -> None:
    companion.do(Command(name, args or {}))


def _wait(companion: Any, met: Callable[[Snapshot], bool]) -> Snapshot:
    snapshot = companion.snapshot()
    while not met(snapshot):
        newer = companion.wait_newer(snapshot.version, 20.0)
        assert newer.version != snapshot.version, snapshot.live
        snapshot = newer
    return snapshot
