"""Plain strips switched by MOSFETs."""

import numpy as np
import pytest

from device.errors import HardwareNotFound
from hardware.rulers import Cue, Strip, light
from hardware.segments import SegmentStrip, parse_address
from tests.hardware.conftest import FOWW


def states(factory, pins):
    return [float(factory.pin(f"GPIO{pin}").state) for pin in pins]


def test_two_inch_pieces_show_every_foww_band_exactly(mock_pins):
    pins = (4, 5, 6, 12, 13, 16)
    strip = Strip("ruler", 6, 50.8, 25.4, 6000)
    pieces = SegmentStrip(
        "ruler", 6, address=" ".join(map(str, pins)), pin_factory=mock_pins
    )
    for band, count in (("orange", 1), ("yellow", 2)):
        (shown,) = light(Cue((band,)), (strip,), FOWW)
        pieces.show(shown.pixels)
        assert states(mock_pins, pins) == [1.0] * count + [0.0] * (6 - count)
    pieces.close()


def test_one_rgb_strip_is_one_piece_with_three_channels(mock_pins):
    pieces = SegmentStrip("s", 1, address="17 27 22", pin_factory=mock_pins)
    pieces.show(np.uint8([[255, 163, 0]]))
    assert states(mock_pins, (17, 27, 22)) == [1, 1, 0]
    pieces.show(np.uint8([[0, 163, 12]]))
    assert states(mock_pins, (17, 27, 22)) == [0, 1, 0]
    pieces.show(np.uint8([[0, 0, 0]]))
    assert states(mock_pins, (17, 27, 22)) == [0, 0, 0]
    pieces.close()


def test_pwm_dims_at_100_hz_so_that_10_ms_exposures_see_no_bands(mock_pins):
    pieces = SegmentStrip("s", 1, address="17 pwm", pin_factory=mock_pins)
    pieces.show(np.uint8([[51, 10, 0]]))
    assert states(mock_pins, (17,)) == pytest.approx([0.2])
    assert mock_pins.pin("GPIO17").frequency == 100
    pieces.close()


@pytest.mark.parametrize(
    ("pixels", "address", "said"),
    [
        (1, "", "expected BCM pin numbers"),
        (1, "seventeen", "expected BCM pin numbers"),
        (2, "17", "2 pieces take 2 or 6 pins, not 1"),
        (1, "1", "pin 1: 1 is no usable pin"),
        (1, "28", "pin 1: 28 is no usable pin"),
        (2, "17 17", "pin 2: GPIO17 is already taken by pin 1"),
    ],
)
def test_pins_that_cannot_be_are_refused(mock_pins, pixels, address, said):
    with pytest.raises(HardwareNotFound, match=said):
        SegmentStrip("s", pixels, address=address, pin_factory=mock_pins)


def test_pins_in_use_elsewhere_are_refused_and_the_others_let_go(mock_pins):
    first = SegmentStrip("first", 1, address="27", pin_factory=mock_pins)
    with pytest.raises(HardwareNotFound, match="second on GPIO27"):
        SegmentStrip("second", 2, address="17 27", pin_factory=mock_pins)
    SegmentStrip("third", 1, address="17", pin_factory=mock_pins).close()
    first.close()


def test_addresses():
    assert parse_address("17, 27,22") == ((17, 27, 22), False)
    assert parse_address("4 pwm") == ((4,), True)
