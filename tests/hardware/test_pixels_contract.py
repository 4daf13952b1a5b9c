"""What every strip does, simulated and real."""

import numpy as np
import pytest
from gpiozero.pins.mock import MockPWMPin

from device.errors import HardwareClosed, HardwareFault, HardwareNotFound
from hardware.apa102 import Apa102Strip
from hardware.segments import SegmentStrip
from hardware.sim.faults import StripFaults
from hardware.sim.strip import SimulatedStrip
from hardware.wled import WledStrip
from hardware.ws2812 import Ws2812Strip
from tests.hardware.spi_decoders import apa102_leds, ws2812_leds
from tests.hardware.wled_double import WledDouble

PIXELS = 4


class Simulated:
    def __init__(self, request) -> None:
        self.faults = StripFaults()

    def open(self):
        self.strip = SimulatedStrip("ruler", PIXELS, faults=self.faults)
        return self.strip

    def shown(self):
        return self.strip.shown[-1]

    def break_it(self):
        self.faults.plugged = False

    def mend_it(self):
        self.faults.plugged = True

    def close(self):
        pass


class OverSpi:
    def __init__(self, request) -> None:
        self.spidev = request.getfixturevalue("spidev")

    def break_it(self):
        self.spidev.write_error = OSError(5, "Input/output error")

    def mend_it(self):
        self.spidev.write_error = None

    def close(self):
        pass


class Apa102(OverSpi):
    def open(self):
        return Apa102Strip("ruler", PIXELS)

    def shown(self):
        return apa102_leds(self.spidev.written[-1], PIXELS)[0]


class Ws2812(OverSpi):
    def open(self):
        return Ws2812Strip("ruler", PIXELS)

    def shown(self):
        return ws2812_leds(self.spidev.written[-1], PIXELS, 2_400_000)[0]


class Wled:
    def __init__(self, request) -> None:
        self.double = WledDouble()

    def open(self):
        return WledStrip(
            "ruler",
            PIXELS,
            address="127.0.0.1",
            udp_port=self.double.udp_port,
            http_port=self.double.http_port,
        )

    def shown(self):
        return self.double.picture(PIXELS)

    def break_it(self):
        self.double.pull_out()

    def mend_it(self):
        self.double.plug_in()

    def close(self):
        self.double.close()


class Segments:
    """Four pieces of RGB strip, dimmed."""

    PINS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)

    def __init__(self, request) -> None:
        self.factory = request.getfixturevalue("mock_pins")
        self.monkeypatch = request.getfixturevalue("monkeypatch")

    def open(self):
        address = " ".join(map(str, self.PINS)) + " pwm"
        return SegmentStrip("ruler", PIXELS, address=address, pin_factory=self.factory)

    def shown(self):
        duty = [self.factory.pin(f"GPIO{pin}").state for pin in self.PINS]
        return np.rint(np.reshape(duty, (PIXELS, 3)) * 255).astype(np.uint8)

    def break_it(self):
        def fail(*_args):
            raise OSError(5, "Input/output error")

        self.whole = MockPWMPin._set_state
        self.monkeypatch.setattr(MockPWMPin, "_set_state", fail)

    def mend_it(self):
        self.monkeypatch.setattr(MockPWMPin, "_set_state", self.whole)

    def close(self):
        pass


class RealApa102:
    def __init__(self, request) -> None:
        pass

    def open(self):
        try:
            return Apa102Strip("ruler", PIXELS)
        except HardwareNotFound as error:
            pytest.skip(str(error))

    def shown(self):
        pytest.skip("nobody reads real LEDs back")

    def break_it(self):
        pytest.skip("a real bus is not broken by a test")

    def close(self):
        pass


@pytest.fixture(
    params=[
        Simulated,
        Apa102,
        Ws2812,
        Wled,
        Segments,
        pytest.param(RealApa102, marks=pytest.mark.hardware),
    ],
    ids=lambda bench: bench.__name__,
)
def bench(request):
    made = request.param(request)
    yield made
    made.close()


@pytest.fixture
def strip(bench):
    opened = bench.open()
    yield opened
    opened.close()


RAINBOW = np.uint8([[255, 0, 0], [0, 255, 0], [0, 0, 255], [40, 80, 120]])


def test_what_is_shown_is_what_lights(bench, strip):
    strip.show(RAINBOW)
    assert (bench.shown() == RAINBOW).all()


def test_a_later_picture_replaces_the_earlier(bench, strip):
    strip.show(RAINBOW)
    bench.shown()
    strip.show(RAINBOW[::-1])
    assert (bench.shown() == RAINBOW[::-1]).all()


def test_the_callers_array_is_neither_kept_nor_changed(bench, strip):
    mine = RAINBOW.copy()
    strip.show(mine)
    assert (mine == RAINBOW).all()
    mine[:] = 0
    assert (bench.shown() == RAINBOW).all()


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros((PIXELS + 1, 3), np.uint8),
        np.zeros((PIXELS, 4), np.uint8),
        np.zeros(3 * PIXELS, np.uint8),
        np.zeros((PIXELS, 3), np.int64),
        np.full((PIXELS, 3), 0.5),
    ],
    ids=["too many", "four colours", "flat", "int64", "float"],
)
def test_arrays_of_another_shape_or_type_are_refused(strip, wrong):
    with pytest.raises(ValueError, match=r"expected \(4, 3\) uint8"):
        strip.show(wrong)


def test_closing_darkens_and_may_be_done_twice(bench, strip):
    strip.show(RAINBOW)
    if not isinstance(bench, Segments):
        bench.shown()
    strip.close()
    strip.close()
    if isinstance(bench, Segments):
        # Closed pins are inputs; the pull-down at each MOSFET keeps it off.
        assert all(pin.function == "input" for pin in bench.factory.pins.values())
    else:
        assert not bench.shown().any()
    with pytest.raises(HardwareClosed):
        strip.show(RAINBOW)


def test_it_says_its_name_length_and_whether_it_is_simulated(strip):
    assert strip.name == "ruler"
    assert strip.pixels == PIXELS
    assert isinstance(strip.simulated, bool)


def test_a_strip_that_goes_away_says_so_and_comes_back(bench):
    strip = bench.open()
    try:
        strip.show(RAINBOW)
        bench.break_it()
        with pytest.raises(HardwareFault, match="ruler"):
            strip.show(RAINBOW)
            strip.show(RAINBOW)
    finally:
        strip.close()
    bench.mend_it()
    again = bench.open()
    again.show(RAINBOW)
    assert (bench.shown() == RAINBOW).all()
    again.close()


def test_a_simulated_strip_fails_at_the_show_told_and_keeps_what_it_showed():
    strip = SimulatedStrip("s", PIXELS, faults=StripFaults(fail_at=2))
    strip.show(RAINBOW)
    with pytest.raises(HardwareFault, match="show 2"):
        strip.show(RAINBOW)
    assert len(strip.shown) == 1
    assert SimulatedStrip("s", PIXELS, faults=strip.faults).faults.fail_at is None


def test_a_missing_simulated_strip_is_not_found():
    with pytest.raises(HardwareNotFound, match="s: it is not plugged in"):
        SimulatedStrip("s", PIXELS, faults=StripFaults(plugged=False))


def test_a_strip_without_leds_is_refused():
    with pytest.raises(ValueError, match="1 LED or more"):
        SimulatedStrip("s", 0)
