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
from device.table.view import Command, Snapshot
from tests.device.drawn import DICE, Demo

ATTACK = {
    "check": "skill_check",
    "rating": 6,
    "dice": {"black": 2, "green": 1},
    "weapon": {"damage": 2, "type": "physical"},
}
ARMOUR = {"check": "armour_check", "amount": 3, "rating": 2}


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


def test_throws_are_read_right_or_not_vouched_for(demo: Demo) -> None:
    sure = count = 0
    for _ in range(8):
        demo.tray.clear()
        demo.run(0.5)
        demo.do("open_check", ATTACK)
        demo.throw()
        roll = demo.content.check.roll
        if roll is not None:
            truth = lying(demo)
            for die in roll.dice:
                count += 1
                if die.status == "ok":
                    sure += 1
                    assert (die.die, die.face) in truth
        demo.do("close_check")
    assert count >= 28  # of 32 dice thrown
    assert sure >= 0.9 * count


def test_a_repainted_face_is_read_as_painted(demo: Demo) -> None:
    for face in ("crit", "3", "x_ap"):
        demo.tray.clear()
        demo.run(0.5)
        demo.do("open_check", {"check": "skill_check", "rating": 6})
        demo.do("throw")
        demo.tray.tray.repaint(0, face)
        demo.run(demo.tray.rest_s + 0.6)
        die = demo.content.check.roll.dice[0]
        assert (die.face, die.status) == (face, "ok")
        demo.do("close_check")


def test_a_covered_die_is_never_vouched_for(demo: Demo) -> None:
    for name, check in (
        ("skill", {"check": "skill_check", "rating": 6}),
        ("armour", ARMOUR),
    ):
        demo.tray.clear()
        demo.run(0.5)
        demo.do("open_check", check)
        demo.do("throw")
        demo.tray.tray.cover(0)
        demo.run(demo.tray.rest_s + 0.6)
        roll = demo.content.check.roll
        assert roll is None or [die.status for die in roll.dice] == ["unsure"], name
        assert demo.content.result is None
        demo.do("close_check")


def test_skill_check_then_armour_check_without_clearing_the_tray(demo: Demo) -> None:
    demo.do("open_check", ATTACK)
    demo.throw()
    assert demo.content.check.status == "resolved"
    demo.do("open_check", ARMOUR)
    demo.run(0.2)
    demo.throw()
    check = demo.content.check
    assert check.status == "resolved"
    assert [die.die for die in check.roll.dice] == ["armour"]
    assert ("armour", check.roll.dice[0].face) in lying(demo)


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
        do("open_check", ATTACK)
        do("throw")
        seen = wait(lambda seen: seen.state.check.roll is not None)
        truth = sorted((die.name, die.face) for die in tray.tray.truth())
        read = sorted((die.die, die.face) for die in seen.state.check.roll.dice)
        assert read == truth
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
