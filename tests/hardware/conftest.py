"""What the hardware tests share: a leak check, a clock, a scene."""

import sys
import threading
from collections.abc import Iterator
from types import ModuleType

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.rules.ranges import RangeBand
from hardware.sim.clock import ManualClock
from tests.hardware.spies import spy_spidev


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


@pytest.fixture
def spidev(monkeypatch) -> Iterator[ModuleType]:
    module = spy_spidev()
    monkeypatch.setitem(sys.modules, "spidev", module)
    yield module
    assert module.closed == len(module.opened), "an SPI bus was left open"


@pytest.fixture
def mock_pins() -> Iterator[MockFactory]:
    # gpiozero keeps pins of closed devices reserved between tests (its issue 1087).
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    held = [str(pin) for pin, users in factory._reservations.items() if users]
    factory.reset()
    assert not held, f"pins left open: {held}"
