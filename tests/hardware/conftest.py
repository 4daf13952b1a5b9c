"""What the hardware tests share: a leak check, a clock, a scene."""

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from device.rules.ranges import RangeBand
from hardware.sim.clock import ManualClock


@pytest.fixture(autouse=True)
def no_thread_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    left = [t for t in threading.enumerate() if t not in before]
    for thread in left:
        thread.join(timeout=2.0)
    alive = [t.name for t in left if t.is_alive()]
    assert not alive, f"threads left running: {alive}"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


class BrightnessScene:
    """A scene whose brightness tells its age: 10 levels a second from 100."""

    def __init__(self) -> None:
        self.thrown: list[tuple[tuple[str, ...], int]] = []
        self.base = 10

    def throw(self, names, seed) -> None:
        self.thrown.append((tuple(names), seed))
        self.base = 100

    def clear(self) -> None:
        self.base = 10

    def image(self, t_s: float):
        level = self.base + (0 if self.base == 10 else min(100, round(10 * t_s)))
        return np.full((120, 160, 3), level, np.uint8)


@pytest.fixture
def scene() -> BrightnessScene:
    return BrightnessScene()


def _band(name: str, inches: int, light: str, dash: str) -> RangeBand:
    return RangeBand(
        name=name,
        inches=inches,
        length_mm=inches * 25.4,
        marks=(),
        colour=light,
        light=light,
        dash=dash,
        verified=True,
        source="as in device/data/bands.toml",
    )


FOWW = (
    _band("orange", 2, "ff6a00", "#"),
    _band("yellow", 4, "ffd000", "#."),
    _band("red", 6, "ff1000", "##."),
    _band("green", 8, "00d040", "###."),
    _band("blue", 10, "0060ff", "#.."),
    _band("black", 12, "ffffff", "##.."),
)
