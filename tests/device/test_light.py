"""The light: shows the cue, keeps still otherwise, degrades strip by strip."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

import numpy as np
import pytest

from device.board import Board
from device.light import Light, LitStrip
from device.parts import Parts
from device.table.codec import JSON, freeze
from device.table.state import Content, Cue, TableState
from hardware.sim.clock import ManualClock
from hardware.sim.faults import StripFaults
from hardware.sim.strip import SimulatedStrip


class Lamp:
    """Two strips of four LEDs and a light over them."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.board = Board(TableState(), 0)
        self.faults = {"near": StripFaults(), "far": StripFaults()}
        self.opened: dict[str, SimulatedStrip] = {}
        self.rendered = 0
        strips = [LitStrip(name, 5.0, 2.5, self.opener(name)) for name in self.faults]
        self.light = Light(
            self.board,
            Parts(self.board, self.clock.wall_s),
            strips,
            self.render,
            self.clock,
        )

    def opener(self, name: str):
        def open_strip() -> SimulatedStrip:
            self.opened[name] = SimulatedStrip(name, 4, faults=self.faults[name])
            return self.opened[name]

        return open_strip

    def render(
        self, game: str, cue: Mapping[str, JSON] | None, *, dim_near_tray: bool
    ) -> list[tuple[np.ndarray, int]]:
        self.rendered += 1
        level = 0 if cue is None else int(cue["length_mm"])
        level //= 4 if dim_near_tray else 1
        return [
            (np.full((4, 3), level, np.uint8), level),
            (np.zeros((4, 3), np.uint8), 4),
        ]

    def cue(self, length_mm: int | None) -> None:
        ruler = None if length_mm is None else Cue(freeze({"length_mm": length_mm}))
        seq = self.board.snapshot.seq + 1
        self.board.publish_state(TableState(content=Content(ruler=ruler)), seq)

    def part(self, name: str) -> tuple[bool, str]:
        parts = self.board.snapshot.live.parts
        return next((one.ok, one.message) for one in parts if one.name == name)


@pytest.fixture
def lamp() -> Lamp:
    return Lamp()


def test_a_cue_is_shown_on_the_strips_and_on_the_page(lamp: Lamp) -> None:
    lamp.cue(80)
    lamp.light.step()
    assert lamp.opened["near"].shown[-1].tolist() == [[80, 80, 80]] * 4
    strip = lamp.board.snapshot.live.strips[0]
    assert strip.pixels == ("505050",) * 4
    assert (strip.name, strip.milliamps, strip.simulated) == ("near", 80, True)
    assert lamp.part("strip:near") == (True, "")


def test_nothing_is_sent_while_nothing_changes(lamp: Lamp) -> None:
    lamp.cue(80)
    for _ in range(20):
        lamp.light.step()
    assert len(lamp.opened["near"].shown) == 1
    assert lamp.rendered == 1
    lamp.cue(None)
    lamp.light.step()
    assert not lamp.opened["near"].shown[-1].any()


def test_a_strip_that_fails_degrades_alone_and_comes_back(lamp: Lamp) -> None:
    lamp.faults["near"].plugged = False
    lamp.cue(80)
    lamp.light.step()
    assert not lamp.part("strip:near")[0]
    assert lamp.part("strip:far")[0]
    lamp.faults["near"].plugged = True
    lamp.light.step()
    assert not lamp.part("strip:near")[0]
    lamp.clock.advance(0.6)
    lamp.light.step()
    assert lamp.part("strip:near") == (True, "")
    assert lamp.opened["near"].shown[-1].tolist() == [[80, 80, 80]] * 4


def test_the_thread_ends_when_told_and_leaves_the_strips_dark(lamp: Lamp) -> None:
    stop = threading.Event()
    thread = threading.Thread(target=lamp.light.run, args=(stop,))
    thread.start()
    lamp.cue(80)
    eventually(lambda: lamp.part("strip:near") == (True, ""))
    stop.set()
    lamp.cue(81)
    thread.join()
    assert not lamp.opened["near"].shown[-1].any()


def test_strips_are_dim_while_dice_come_to_rest(lamp: Lamp) -> None:
    lamp.cue(80)
    lamp.light.step()
    lamp.board.set_live(phase="moving")
    lamp.light.step()
    assert lamp.opened["near"].shown[-1].max() == 20
    lamp.board.set_live(phase="still")
    lamp.light.step()
    assert lamp.opened["near"].shown[-1].max() == 20
    lamp.clock.advance(0.6)
    lamp.light.step()
    assert lamp.opened["near"].shown[-1].max() == 80
    assert len(lamp.opened["far"].shown) == 1, "it was the same: nothing was sent"


def test_a_driver_that_hangs_is_said_and_holds_up_neither_strip_nor_end(
    lamp: Lamp,
) -> None:
    let_go = threading.Event()
    lamp.faults["near"].hangs_until = let_go
    stop = threading.Event()
    thread = threading.Thread(target=lamp.light.run, args=(stop,))
    lamp.cue(80)
    thread.start()
    eventually(lambda: lamp.part("strip:far") == (True, ""))
    lamp.clock.advance(3.5)
    eventually(lambda: lamp.part("strip:near")[0] is False)
    parts = {part.name: part for part in lamp.board.snapshot.live.parts}
    assert parts["strip:near"].kind == "hung"
    lamp.cue(90)
    eventually(lambda: lamp.opened["far"].shown and lamp.part("strip:far")[0])
    let_go.set()
    eventually(lambda: lamp.part("strip:near") == (True, ""))
    assert lamp.opened["near"].shown[-1].max() == 90
    stop.set()
    thread.join(5)
    assert not thread.is_alive()


def test_a_strip_that_hangs_for_good_does_not_hold_up_the_end(
    lamp: Lamp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.light.END_S", 0.2)
    let_go = threading.Event()
    lamp.faults["near"].hangs_until = let_go
    stop = threading.Event()
    thread = threading.Thread(target=lamp.light.run, args=(stop,))
    lamp.cue(80)
    thread.start()
    eventually(lambda: lamp.part("strip:far") == (True, ""))
    stop.set()
    thread.join(5)
    assert not thread.is_alive()
    assert not lamp.opened["far"].shown[-1].any()
    let_go.set()


def eventually(true: Callable[[], object]) -> None:
    """Wait until something holds, 10 s at most."""
    end_s = time.monotonic() + 10
    while time.monotonic() < end_s:
        try:
            if true():
                return
        except StopIteration:
            pass
        time.sleep(0.01)
    raise AssertionError("it never came to hold")
