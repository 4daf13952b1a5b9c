"""The two clocks."""

import pytest

from hardware.clock import SystemClock
from hardware.sim.clock import ManualClock


@pytest.mark.parametrize("clock", [SystemClock(), ManualClock()], ids=["real", "sim"])
def test_waiting_takes_at_least_that_long(clock):
    before_s = clock.now_s()
    clock.sleep(0.002)
    assert clock.now_s() - before_s >= 0.002 - 1e-9


@pytest.mark.parametrize("clock", [SystemClock(), ManualClock()], ids=["real", "sim"])
def test_waiting_for_nothing_or_less_returns(clock):
    clock.sleep(0)
    clock.sleep(-1)


def test_the_wall_clock_jumping_at_boot_leaves_monotonic_time_alone():
    clock = ManualClock()
    before_s, wall_s = clock.now_s(), clock.wall_s()
    clock.jump_wall(86_400)
    assert clock.now_s() == before_s
    assert clock.wall_s() == wall_s + 86_400


def test_manual_time_does_not_go_back():
    with pytest.raises(ValueError, match="back"):
        ManualClock().advance(-1)
