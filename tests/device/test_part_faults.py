"""Every fault of every part, from the outside: what the page says and since when.

The panel's are in test_buttons.py, a strip that hangs in test_light.py.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from device.table.view import Part
from hardware.sim.clock import ManualClock
from hardware.sim.faults import CameraFaults, StripFaults
from tests.device.builders import Bench, FakeCamera
from tests.device.conftest import MakeBench
from tests.device.test_light import Lamp
from vision.frame import Frame

# How a part is broken, how it is mended, and what the page calls it.
STRIP: dict[str, tuple[Callable[[StripFaults], None], str]] = {
    "absent": (lambda f: setattr(f, "plugged", False), "absent"),
    "failing at open": (lambda f: setattr(f, "fail_open", True), "failed"),
    "failing later": (lambda f: setattr(f, "fail_at", 2), "failed"),
}
CAMERA: dict[str, tuple[Callable[[CameraFaults], None], str]] = {
    "absent": (lambda f: setattr(f, "plugged", False), "absent"),
    "failing at open": (lambda f: setattr(f, "fail_open", True), "failed"),
    "failing later": (lambda f: setattr(f, "fail_at", 3), "failed"),
    "hanging": (lambda f: setattr(f, "hung", True), "failed"),
}


def mend_strip(faults: StripFaults) -> None:
    faults.plugged, faults.fail_open, faults.fail_at = True, False, None


def mend_camera(faults: CameraFaults) -> None:
    faults.plugged, faults.fail_open, faults.fail_at = True, False, None
    faults.hung = False


@pytest.mark.parametrize("fault", STRIP)
@pytest.mark.parametrize("early", [True, False], ids=["from the start", "later"])
def test_a_strip_is_said_since_when_and_comes_back(fault: str, early: bool) -> None:
    lamp = Lamp()
    break_it, kind = STRIP[fault]
    if not early:
        lamp.cue(10)
        lamp.light.step()
    break_it(lamp.faults["near"])
    lamp.clock.advance(5)
    broke_s = lamp.clock.wall_s()
    for length in (20, 30, 40):
        lamp.cue(length)
        lamp.light.step()
    parts = {part.name: part for part in lamp.board.snapshot.live.parts}
    near = parts["strip:near"]
    if not early and fault == "failing at open":
        assert near.ok, "it was open before, and stays so"
    else:
        assert not near.ok and near.message
        # A strip that is pulled is found open, then not found at all.
        assert near.kind == kind or not early
        assert near.since_s == pytest.approx(broke_s, abs=0.01)
    assert parts["strip:far"].ok, "the other goes on"
    mend_strip(lamp.faults["near"])
    for _ in range(30):
        lamp.clock.advance(1)
        lamp.light.step()
    near = {part.name: part for part in lamp.board.snapshot.live.parts}["strip:near"]
    assert near.ok and near.kind == ""
    assert lamp.opened["near"].shown[-1].max() == 40, "it shows what it should by now"


class Faulty(FakeCamera):
    """The scripted camera with the knobs of a simulated one."""

    def __init__(self, clock: ManualClock, faults: CameraFaults) -> None:
        super().__init__(clock)
        self.faults = faults
        faults.opening(self.name)

    def capture(self, timeout_s: float = 2.0) -> Frame:
        self.faults.capturing(self.name, self.number + 1)
        self.fault = self.faults.hung
        return super().capture(timeout_s)


@pytest.mark.parametrize("fault", CAMERA)
def test_a_camera_is_said_since_when_and_comes_back(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    faults = CameraFaults()
    monkeypatch.setattr(Bench, "_camera", lambda self: Faulty(self.clock, faults))
    bench = make_bench()
    break_it, kind = CAMERA[fault]
    opens = fault in ("failing later", "hanging")
    if opens:
        bench.roll()
        assert part(bench).ok
    bench.clock.advance(5)
    break_it(faults)
    broke_s = bench.clock.wall_s()
    bench.turn()
    found = part(bench)
    assert bench.live.phase == "no_camera"
    assert not found.ok and found.message and found.kind == kind
    assert broke_s <= found.since_s <= broke_s + 5
    bench.do("open_check", {"check": "skill_check", "rating": 6})
    bench.do("enter_die", {"die": "skill", "face": "2"})
    assert bench.content.check.status == "resolved", "faces can be typed in"
    mend_camera(faults)
    bench.turn(60)
    assert part(bench).ok and part(bench).since_s > found.since_s


def part(bench: Bench) -> Part:
    return next(one for one in bench.live.parts if one.name == "camera")
