"""The loop when parts fail: said within seconds, back by itself, never half done."""

from __future__ import annotations

import threading

import pytest

from device.errors import JournalError
from tests.device.builders import Bench, detection

SKILL = {"check": "skill_check", "rating": 6}
ATTACK = {**SKILL, "dice": {"black": 2}, "weapon": {"damage": 2, "type": "physical"}}
WHITE = detection("skill", "4", "d1")


def part(bench: Bench, name: str) -> tuple[bool, str]:
    return next((p.ok, p.message) for p in bench.live.parts if p.name == name)


def ready(bench: Bench) -> None:
    """Have the camera look at an empty tray first."""
    bench.roll()


def test_a_stalled_camera_is_said_and_comes_back(bench: Bench) -> None:
    ready(bench)
    assert part(bench, "camera") == (True, "")
    began_s = bench.clock.now_s()
    bench.cameras[-1].fault = True
    bench.turn()
    assert bench.clock.now_s() - began_s < 5
    assert bench.live.phase == "no_camera"
    assert not part(bench, "camera")[0]
    assert bench.cameras[0].closed
    bench.do("open_check", SKILL)
    message = bench.live.message
    assert message is not None and message.key == "no_camera"
    bench.do("enter_die", {"die": "skill", "face": "2"})
    assert bench.content.check.status == "resolved"
    bench.turn(30)
    assert part(bench, "camera") == (True, "")
    assert len(bench.cameras) == 2


def test_a_driver_that_hangs_is_said_within_five_seconds(bench: Bench) -> None:
    ready(bench)
    bench.loop.look_after()
    assert part(bench, "camera") == (True, "")
    for _ in range(5):
        # The loop's thread stands still in its driver; another one looks after it.
        bench.clock.advance(1.0)
        bench.loop.look_after()
    assert not part(bench, "camera")[0]
    assert bench.live.phase == "no_camera"
    bench.turn()
    assert part(bench, "camera") == (True, "")
    assert bench.live.phase == "still"


def test_a_missing_camera_is_tried_again_less_and_less_often(bench: Bench) -> None:
    bench.camera_there = False
    bench.turn()
    assert part(bench, "camera") == (False, "no camera: check its cable")
    bench.turn(1200)
    bench.camera_there = True
    began_s = bench.clock.now_s()
    while not bench.cameras:
        bench.turn()
    assert bench.clock.now_s() - began_s <= 10.5


def test_dice_thrown_while_the_camera_was_away_need_a_word(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", SKILL)
    bench.cameras[-1].fault = True
    bench.turn(30)
    bench.roll(WHITE)
    assert bench.content.check.roll is None
    bench.do("confirm")
    assert bench.content.check.status == "resolved"


def test_a_full_disk_costs_the_roll_but_not_the_loop(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready(bench)
    bench.do("open_check", SKILL)

    def refuse(events: object) -> None:
        raise JournalError("the disk is full, nothing was recorded")

    with monkeypatch.context() as patch:
        patch.setattr(bench.table._journal, "append", refuse)
        bench.roll(WHITE)
    assert bench.content.check.roll is None
    assert part(bench, "journal")[0] is False
    bench.roll(WHITE)
    bench.do("confirm")
    assert bench.content.check.status == "resolved"
    assert part(bench, "journal")[0] is True


def test_the_buttons_confirm_and_undo(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", SKILL)
    bench.roll(detection("skill", "6", "d1", "unsure"))
    bench.loop.press("confirm")
    bench.turn()
    assert bench.content.check.status == "resolved"
    bench.loop.press("undo")
    bench.turn()
    assert bench.content.check.status == "unsure"
    assert bench.board.snapshot.state.log[-1].by == "panel"
    for _ in range(5):
        bench.loop.press("undo")
    bench.turn()
    assert bench.content.check is None


def test_a_restart_in_the_middle_of_a_check_shows_the_same_state(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", ATTACK)
    bench.do("enter_die", {"die": "black", "face": "dmg"})
    before = bench.board.snapshot.state
    bench.loop.close()
    bench.table._journal.close()
    bench.open()
    assert bench.board.snapshot.state == before


def test_the_loop_ends_when_told_and_closes_the_camera(bench: Bench) -> None:
    stop = threading.Event()
    thread = threading.Thread(target=bench.loop.run, args=(stop,))
    thread.start()
    while not bench.cameras or bench.cameras[0].number < 5:
        pass
    stop.set()
    thread.join()
    assert bench.cameras[0].closed
