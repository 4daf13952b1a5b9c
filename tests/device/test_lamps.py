"""The panel's lamps say what its buttons would do."""

from __future__ import annotations

from device.lamps import PanelLamps
from tests.device.builders import Bench, detection


class Panel:
    simulated = True

    def __init__(self) -> None:
        self.lit = {"confirm": False, "undo": False}
        self.beeps = 0
        self.touched = 0

    def listen(self, post: object) -> None:
        pass

    def lamp(self, name: str, lit: bool) -> None:
        self.lit[name] = lit
        self.touched += 1

    def buzz(self, seconds: float) -> None:
        self.beeps += 1

    def tray_light(self, lit: bool) -> None:
        pass

    def close(self) -> None:
        pass


def test_lamps_are_lit_where_the_button_does_something(bench: Bench) -> None:
    panel = Panel()
    lamps = PanelLamps(panel)
    bench.roll()
    lamps.show(bench.companion.snapshot())
    assert panel.lit == {"confirm": False, "undo": False}
    bench.do("open_check", {"check": "skill_check", "rating": 6})
    bench.roll(detection("skill", "4", "d1", "unsure"))
    lamps.show(bench.companion.snapshot())
    assert panel.lit == {"confirm": True, "undo": True}
    assert panel.beeps == 1
    bench.do("confirm")
    for _ in range(5):
        lamps.show(bench.companion.snapshot())
    assert panel.lit == {"confirm": False, "undo": True}
    assert (panel.beeps, panel.touched) == (1, 3)


def test_dice_lying_there_light_the_confirm_lamp(bench: Bench) -> None:
    panel = Panel()
    bench.do("open_check", {"check": "skill_check", "rating": 6})
    bench.roll(detection("skill", "4", "d1"))
    PanelLamps(panel).show(bench.companion.snapshot())
    assert panel.lit["confirm"]
