"""WLED over the network."""

import numpy as np
import pytest

from device.errors import HardwareFault, HardwareNotFound
from hardware.wled import WledStrip, packets
from tests.hardware.wled_double import WledDouble


@pytest.fixture
def double():
    made = WledDouble()
    yield made
    made.close()


def open_on(double, pixels):
    return WledStrip(
        "s",
        pixels,
        address="127.0.0.1",
        udp_port=double.udp_port,
        http_port=double.http_port,
    )


@pytest.mark.parametrize("pixels", [1, 60, 490, 491, 978, 1000])
def test_pictures_of_any_length_arrive_whole(double, pixels):
    strip = open_on(double, pixels)
    sent = np.random.default_rng(3).integers(0, 256, (pixels, 3), np.uint8)
    strip.show(sent)
    assert (double.picture(pixels) == sent).all()
    strip.close()


def test_no_packet_is_larger_than_a_network_frame():
    colours = np.zeros((5000, 3), np.uint8)
    assert max(map(len, packets(colours))) <= 1472
    assert max(map(len, packets(colours[:490]))) <= 1472


def test_an_open_strip_holds_its_picture_and_a_closed_one_lets_go(double):
    strip = open_on(double, 3)
    strip.show(np.full((3, 3), 9, np.uint8))
    assert double.packets(2)[0][1] == 255
    strip.close()
    assert double.packets(2)[0] == bytes((2, 1)) + bytes(9)


def test_too_few_leds_there_are_refused(double):
    with pytest.raises(HardwareNotFound, match="set to 1000 LEDs, the config says 10"):
        open_on(double, 1001)


def test_a_page_that_is_no_wled_is_refused():
    double = WledDouble(info=["hello"])
    with pytest.raises(HardwareNotFound, match="is no WLED"):
        open_on(double, 10)
    double.close()


def test_a_controller_that_does_not_answer_may_come_later(double):
    with pytest.raises(HardwareFault, match="is gone"):
        WledStrip("s", 3, address="127.0.0.1", http_port=1, timeout_s=0.5)


@pytest.mark.parametrize("address", ["", "http://x", "a b"])
def test_an_address_that_cannot_be_a_host_is_refused(address):
    with pytest.raises(HardwareNotFound, match="address is the host"):
        WledStrip("s", 3, address=address)
