"""The panel: absent, failing at open, failing later, hanging, coming back."""

from __future__ import annotations

import threading
import time

import pytest

from device.board import Board
from device.buttons import PanelWatch
from device.errors import HardwareFault, HardwareNotFound
from device.parts import Parts
from device.table.state import TableState
from device.table.view import Part
from hardware.sim.clock import ManualClock
from tests.device.test_lamps import Panel


class Frail(Panel):
    """A panel that can be told to fail."""

    error: Exception | None = None
    hangs_until: threading.Event | None = None
    closed = False

    def lamp(self, name: str, lit: bool) -> None:
        if self.hangs_until is not None:
            self.hangs_until.wait()
        if self.error is not None:
            raise self.error
        super().lamp(name, lit)

    def close(self) -> None:
        self.closed = True


class Wall:
    """A panel on a wall, with what looks after it."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.board = Board(TableState(), 0)
        self.panels: list[Frail] = []
        self.refuses: Exception | None = None
        self.pressed: list[str] = []
        self.watch = PanelWatch(
            self.open_it,
            self.pressed.append,
            Parts(self.board, self.clock.wall_s),
            self.clock,
        )

    def open_it(self) -> Frail:
        if self.refuses is not None:
            raise self.refuses
        self.panels.append(Frail())
        return self.panels[-1]

    def show(self, seconds: float = 0.0) -> None:
        self.clock.advance(seconds)
        self.watch.show(self.board.snapshot)

    def part(self) -> Part:
        return next(p for p in self.board.snapshot.live.parts if p.name == "panel")

    def want_lamp(self) -> None:
        """Have something to undo, so that a lamp is to be lit."""
        state = TableState(can_undo=True)
        self.board.publish_state(state, self.board.snapshot.seq + 1)


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (HardwareNotFound("no GPIO pins here"), "absent"),
        (HardwareFault("the pin is in use"), "failed"),
    ],
)
def test_a_panel_that_does_not_open_is_said_and_tried_again(wall, error, kind) -> None:
    wall.refuses = error
    wall.show()
    assert (wall.part().ok, wall.part().kind) == (False, kind)
    assert wall.part().message == str(error)
    began_s = wall.part().since_s
    wall.show(0.6)
    assert wall.part().since_s == began_s
    wall.refuses = None
    wall.show(10.0)
    assert wall.part().ok
    assert wall.part().since_s > began_s


def test_a_panel_that_fails_later_is_closed_and_opened_again(wall) -> None:
    wall.show()
    wall.panels[0].error = HardwareFault("panel: undo_lamp: the pin failed")
    wall.want_lamp()
    wall.show()
    assert not wall.part().ok and wall.part().kind == "failed"
    assert wall.panels[0].closed
    wall.show(0.6)
    assert wall.part().ok
    assert wall.panels[1].lit["undo"], "the new panel's lamps are true at once"


def test_a_panel_that_hangs_is_said_and_comes_back(wall) -> None:
    wall.show()
    let_go = threading.Event()
    wall.panels[0].hangs_until = let_go
    wall.want_lamp()
    thread = threading.Thread(target=wall.show)
    thread.start()
    end_s = time.monotonic() + 10
    while wall.part().ok and time.monotonic() < end_s:
        wall.clock.advance(1.0)
        wall.watch.look_after()
        time.sleep(0.01)
    assert (wall.part().ok, wall.part().kind) == (False, "hung")
    let_go.set()
    thread.join(5)
    assert wall.part().ok
    wall.watch.close()
    wall.watch.close()
    assert wall.panels[0].closed
