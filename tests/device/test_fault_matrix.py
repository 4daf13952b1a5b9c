"""Every part against every fault; the page says what and since when, the rest goes on.

Camera and strips are in test_part_faults.py, with what hangs in test_light.py and
test_tray_faults.py. Here are the parts of the panel, each on its own simulated pin, and
a WLED. `MATRIX` says where each row is tested.
"""

from __future__ import annotations

import ast
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.board import Board
from device.buttons import PanelWatch
from device.light import Light, LitStrip
from device.parts import Parts
from device.table.codec import freeze
from device.table.state import Check, Content, Cue, Roll, TableState
from device.table.view import Part
from hardware.panel import GpiozeroPanel, PanelPins
from hardware.sim.clock import ManualClock
from hardware.wled import WledStrip
from tests.hardware.wled_double import WledDouble

TESTS = Path(__file__).parents[1]
PINS = PanelPins()
MATRIX = {
    "camera": (
        "device/test_part_faults.py::test_a_camera_is_said_since_when_and_comes_back",
    ),
    "camera's driver": (
        "device/test_tray_faults.py::test_a_driver_that_hangs_is_said_within_five_seconds",
    ),
    "strip": (
        "device/test_part_faults.py::test_a_strip_is_said_since_when_and_comes_back",
    ),
    "strip's driver": (
        "device/test_light.py::test_a_driver_that_hangs_is_said_and_holds_up_neither_strip_nor_end",
    ),
    "strip's bus": (
        "hardware/test_spi_strips.py::test_a_bus_that_fails_later_and_comes_back",
    ),
    "panel": (
        "device/test_fault_matrix.py::test_a_pin_of_the_panel_is_said_since_when_and_comes_back",
    ),
    "panel's back end": (
        "hardware/test_symptoms.py::test_no_pins_at_all_stop_the_panel_and_the_segments_alone",
    ),
    "WLED": (
        "device/test_fault_matrix.py::test_a_wled_is_said_since_when_and_comes_back",
    ),
}  # fmt: skip
"""Where absent, failing at open, failing later, hanging and coming back are tested."""


@pytest.mark.parametrize("part", MATRIX)
def test_every_part_has_its_row(part: str) -> None:
    for place in MATRIX[part]:
        path, _, name = place.partition("::")
        tree = ast.parse((TESTS / path).read_text("utf-8"))
        assert name in {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}


# --- The panel ---------------------------------------------------------------------


class Pins:
    """Mock pins of which each can be taken, broken or stuck.

    Attributes:
        broken: Pins whose level cannot be set.
        stuck: Pins at which the back end does not come back until the event is set.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.broken: set[str] = set()
        self.stuck: dict[str, threading.Event] = {}
        works = MockPWMPin._set_state

        def set_state(pin: Any, value: float) -> None:
            if pin.info.name in self.stuck and value:
                self.stuck[pin.info.name].wait()
            if pin.info.name in self.broken and value:
                raise OSError(5, "Input/output error")
            works(pin, value)

        patch.setattr(MockPWMPin, "_set_state", set_state)

    def level(self, bcm: int) -> bool:
        return bool(self.factory.pin(f"GPIO{bcm}").state)


class Table:
    """A table with a panel, where there is always something to light and to beep."""

    def __init__(self, pins: Pins) -> None:
        self.pins = pins
        self.absent = False
        self.clock = ManualClock()
        self.board = Board(TableState(), 0)
        self.parts = Parts(self.board, self.clock.wall_s)
        self.parts.works("camera")
        self.watch = PanelWatch(self._open, lambda name: None, self.parts, self.clock)
        self._rolls = 0

    def _open(self) -> GpiozeroPanel:
        if self.absent:
            return GpiozeroPanel(PINS, reserved={PINS.undo_lamp or 0: "another HAT"})
        return GpiozeroPanel(PINS, pin_factory=self.pins.factory)

    def use(self) -> None:
        """Have both lamps change and the buzzer sound."""
        self._rolls += 1
        roll = Roll(f"r{self._rolls}", (), photo=True)
        lit = self._rolls % 2 == 1
        status = "unsure" if lit else "resolved"
        check = Check("c1", "skill_check", {}, (), status=status, roll=roll)
        state = TableState(content=Content(check=check), can_undo=lit)
        self.board.publish_state(state, self.board.snapshot.seq + 1)
        self.watch.show(self.board.snapshot)

    def part(self) -> Part:
        parts = self.board.snapshot.live.parts
        assert next(part for part in parts if part.name == "camera").ok
        return next(part for part in parts if part.name == "panel")


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    made = Table(Pins(monkeypatch))
    yield made
    for event in made.pins.stuck.values():
        event.set()
    made.watch.close()


USED = {
    "confirm button": PINS.confirm_button,
    "undo button": PINS.undo_button,
    "confirm lamp": PINS.confirm_lamp,
    "undo lamp": PINS.undo_lamp,
    "buzzer": PINS.buzzer,
    "tray light": PINS.tray_light,
}
OUTPUTS = tuple(name for name in USED if "button" not in name)


@pytest.mark.parametrize(
    ("what", "fault"),
    [
        *((name, "failing at open") for name in USED),
        *((name, "failing later") for name in OUTPUTS),
        *((name, "hanging") for name in OUTPUTS),
        ("undo lamp", "absent"),
    ],
)
def test_a_pin_of_the_panel_is_said_since_when_and_comes_back(
    table: Table, what: str, fault: str
) -> None:
    """A button that stops closing its contact cannot be told from one not pressed."""
    bcm = USED[what]
    pin = f"GPIO{bcm}"
    # The tray's light is switched on when the panel is opened, and stays on.
    at_open = fault in ("absent", "failing at open") or what == "tray light"
    if not at_open:
        table.watch.open()
        assert table.part().ok
    table.clock.advance(7)
    broke_s = table.clock.wall_s()
    mend = break_it(table, pin, fault)
    thread = threading.Thread(target=table.use)
    thread.start()
    end_s = time.monotonic() + 10
    while not broken(table) and time.monotonic() < end_s:
        if fault == "hanging":
            table.clock.advance(1.0)
            table.watch.look_after()
        time.sleep(0.005)
    found = table.part()
    kinds = {"absent": "absent", "failing at open": "absent", "hanging": "hung"}
    assert (found.ok, found.kind) == (False, kinds.get(fault, "failed"))
    assert broke_s <= found.since_s <= broke_s + 5
    said = "does not answer" if fault == "hanging" else what.replace(" ", "_")
    assert said in found.message
    table.clock.advance(1)
    mend()
    thread.join(5)
    for _ in range(20):
        table.clock.advance(1)
        table.use()
    assert table.part().ok and table.part().since_s > found.since_s
    assert table.pins.level(PINS.tray_light or 0), "and the light over the tray is on"


def broken(table: Table) -> bool:
    parts = table.board.snapshot.live.parts
    return any(part.name == "panel" and not part.ok for part in parts)


def break_it(table: Table, pin: str, fault: str) -> Callable[[], None]:
    """Break a pin; return what mends it."""
    pins = table.pins
    if fault == "absent":
        table.absent = True
        return lambda: setattr(table, "absent", False)
    if fault == "failing at open":
        holder = MockFactory()  # anything that gpiozero can hold a weak reference to
        pins.factory.reserve_pins(holder, pin)
        return lambda: pins.factory.release_pins(holder, pin)
    if fault == "failing later":
        pins.broken.add(pin)
        return lambda: pins.broken.discard(pin)
    event = threading.Event()
    pins.stuck[pin] = event

    def let_go() -> None:
        event.set()
        pins.stuck.pop(pin)

    return let_go


# --- A WLED ------------------------------------------------------------------------


class Far:
    """A WLED on the loopback, a strip beside it, and the light over both."""

    def __init__(self) -> None:
        self.double = WledDouble()
        self.clock = ManualClock()
        self.board = Board(TableState(), 0)
        self.length = 0
        self.opened = 0
        self.light = Light(
            self.board,
            Parts(self.board, self.clock.wall_s),
            [LitStrip("far", 5.0, 2.5, self._open)],
            self._render,
            self.clock,
        )

    def _open(self) -> WledStrip:
        strip = WledStrip(
            "far",
            4,
            address="127.0.0.1",
            udp_port=self.double.udp_port,
            http_port=self.double.http_port,
            timeout_s=0.3,
        )
        self.opened += 1
        return strip

    def _render(self, game: str, cue: Any, *, dim_near_tray: bool) -> Any:
        level = 0 if cue is None else int(cue["length_mm"])
        return [(np.full((4, 3), level, np.uint8), level)]

    def show(self, length: int) -> None:
        self.length = length
        ruler = Cue(freeze({"length_mm": length}))
        state = TableState(content=Content(ruler=ruler))
        self.board.publish_state(state, self.board.snapshot.seq + 1)
        self.light.step()

    def wait(self, seconds: int) -> None:
        for _ in range(seconds):
            self.clock.advance(1.0)
            self.light.step()

    def part(self) -> Part:
        parts = self.board.snapshot.live.parts
        return next(part for part in parts if part.name == "strip:far")


@pytest.fixture
def far() -> Iterator[Far]:
    made = Far()
    yield made
    made.double.mend()
    made.light.close()
    made.double.close()


@pytest.mark.parametrize("fault", ["absent", "refusing", "hanging", "restarted"])
@pytest.mark.parametrize("early", [True, False], ids=["from the start", "later"])
def test_a_wled_is_said_since_when_and_comes_back(
    far: Far, fault: str, early: bool
) -> None:
    """Also while the picture stands still: UDP itself answers nothing."""
    if not early:
        far.show(10)
        assert far.part().ok
        assert (far.double.newest(4) == 10).all()
        far.wait(7)
        far.double.nothing_came()
    broke_s = far.clock.wall_s()
    far.double.break_it(fault)
    if early:
        far.show(10)
    far.wait(12)
    if fault == "restarted":
        # It answers before anybody has asked, and shows its own effects: told anew.
        assert far.part().ok
    else:
        assert (far.part().ok, far.part().kind) == (False, "failed")
        assert far.part().message
        assert broke_s <= far.part().since_s <= broke_s + 12
        far.double.mend()
        far.wait(15)
        assert far.part().ok and far.part().since_s > broke_s
    assert (far.double.newest(4) == 10).all()
    far.show(30)
    assert (far.double.newest(4) == 30).all()


def test_one_question_that_a_wled_does_not_answer_changes_nothing(far: Far) -> None:
    far.show(10)
    assert (far.double.newest(4) == 10).all()
    far.double.break_it("hanging")
    far.wait(6)
    far.double.mend()
    far.double.shows()
    far.wait(20)
    assert far.part().ok
    far.double.nothing_came()
