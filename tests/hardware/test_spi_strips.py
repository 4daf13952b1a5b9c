"""Strips over SPI, their bytes read back as the chips read them."""

import numpy as np
import pytest

from device.errors import HardwareFault, HardwareNotFound
from hardware.apa102 import Apa102Encoder, Apa102Strip
from hardware.pixels import ORDERS
from hardware.spi import BUFSIZ_DEFAULT, buffer_size, parse_address
from hardware.ws2812 import Ws2812Encoder, Ws2812Strip
from tests.hardware.spi_decoders import apa102_leds, ws2812_leds

LENGTHS = (1, 60, 144, 300, 1000)
SPEED_HZ = {3: 2_400_000, 8: 6_400_000}


def colours(pixels, seed=1):
    return np.random.default_rng(seed).integers(0, 256, (pixels, 3), np.uint8)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("pixels", LENGTHS)
def test_clocked_leds_read_back_the_colours_sent(pixels, order):
    encoder = Apa102Encoder(pixels, order)
    for seed in (1, 2):
        sent = colours(pixels, seed)
        shown, clocks = apa102_leds(encoder.encode(sent).tobytes(), pixels, order)
        assert (shown == sent).all()
        assert clocks >= 32 + pixels / 2


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("symbol_bits", [3, 8])
@pytest.mark.parametrize("pixels", LENGTHS)
def test_unclocked_leds_read_back_the_colours_sent(pixels, symbol_bits, order):
    encoder = Ws2812Encoder(pixels, order, symbol_bits)
    sent = colours(pixels)
    data = encoder.encode(sent).tobytes()
    assert len(data) == encoder.size
    shown, lead, reset_us = ws2812_leds(data, pixels, SPEED_HZ[symbol_bits], order)
    assert (shown == sent).all()
    assert lead >= 64
    assert reset_us >= 300


@pytest.mark.parametrize("symbol_bits", [3, 8])
def test_first_led_wrong_or_all_shifted_by_one(symbol_bits):
    # Pi5Neo 11, rpi_ws281x 469, CocktailBerry 703: the line must be low before LED 0.
    data = Ws2812Encoder(1, "rgb", symbol_bits).encode(np.uint8([[255, 0, 0]]))
    assert not data[:64].any()
    shown, _, _ = ws2812_leds(data.tobytes(), 1, SPEED_HZ[symbol_bits], "rgb")
    assert shown.tolist() == [[255, 0, 0]]


def test_all_dark_and_all_white_are_read_back_too():
    for value in (0, 255):
        sent = np.full((60, 3), value, np.uint8)
        shown, _, _ = ws2812_leds(
            Ws2812Encoder(60).encode(sent).tobytes(), 60, SPEED_HZ[3]
        )
        assert (shown == value).all()
        shown, _ = apa102_leds(Apa102Encoder(60).encode(sent).tobytes(), 60)
        assert (shown == value).all()


@pytest.mark.usefixtures("spidev")
@pytest.mark.parametrize(
    ("symbol_bits", "fits", "fails"), [(3, 437, 438), (8, 157, 158)]
)
def test_leds_beyond_the_4096_byte_buffer_are_refused_with_the_line_to_add(
    symbol_bits, fits, fails
):
    # rpi_ws281x 473, NeoPixel_SPI 37, Pi5Neo 2: cut in two, the rest shows nothing.
    Ws2812Strip("s", fits, symbol_bits=symbol_bits, bufsiz=4096).close()
    with pytest.raises(HardwareNotFound) as caught:
        Ws2812Strip("s", fails, symbol_bits=symbol_bits, bufsiz=4096)
    assert "spidev.bufsiz=8192" in str(caught.value)
    assert f"({fits} LEDs)" in str(caught.value)
    assert "/boot/firmware/cmdline.txt" in str(caught.value)
    Ws2812Strip("s", 1000, bufsiz=16384).close()


def test_a_picture_goes_out_in_one_piece(spidev):
    strip = Ws2812Strip("s", 300, bufsiz=4096)
    strip.show(colours(300))
    assert len(spidev.written) == 1
    strip.close()
    assert len(spidev.written) == 2


def test_the_kernel_is_asked_for_its_buffer(tmp_path):
    (tmp_path / "bufsiz").write_text("65536\n")
    assert buffer_size(tmp_path / "bufsiz") == 65536
    assert buffer_size(tmp_path / "none") == BUFSIZ_DEFAULT


def test_closing_darkens_the_strip_even_after_a_fault(spidev):
    strip = Apa102Strip("s", 10)
    strip.show(colours(10))
    strip.close()
    shown, _ = apa102_leds(spidev.written[-1], 10)
    assert not shown.any()
    strip = Apa102Strip("s", 10)
    spidev.write_error = OSError(5, "Input/output error")
    strip.close()


def test_bus_mode_and_clock_are_set(spidev):
    strip = Apa102Strip("s", 10, address="0.1")
    assert spidev.opened == [(0, 1)]
    assert spidev.last.mode == 0
    assert spidev.last.max_speed_hz == 4_000_000
    strip.close()
    strip = Ws2812Strip("s", 10, symbol_bits=8)
    assert spidev.last.max_speed_hz == 6_400_000
    strip.close()


@pytest.mark.parametrize("make", [Apa102Strip, Ws2812Strip])
@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (FileNotFoundError(2, "gone"), HardwareNotFound, "raspi-config nonint do_spi"),
        (PermissionError(13, "no"), HardwareNotFound, "usermod -aG spi"),
        (OSError(16, "Device or resource busy"), HardwareFault, "busy"),
    ],
)
def test_a_bus_that_does_not_open_says_what_to_do(spidev, make, error, kind, said):
    spidev.open_error = error
    with pytest.raises(kind, match=said):
        make("s", 10)
    spidev.closed = 0


def test_no_spidev_at_all_says_what_to_install(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(HardwareNotFound, match="apt install python3-spidev"):
        Apa102Strip("s", 10)


@pytest.mark.parametrize("make", [Apa102Strip, Ws2812Strip])
def test_a_bus_that_fails_later_and_comes_back(spidev, make):
    strip = make("s", 10)
    spidev.write_error = OSError(5, "Input/output error")
    with pytest.raises(HardwareFault, match="SPI bus failed"):
        strip.show(colours(10))
    strip.close()
    spidev.write_error = None
    again = make("s", 10)
    again.show(colours(10))
    again.close()


def test_addresses():
    assert parse_address("") == (0, 0)
    assert parse_address("1.2") == (1, 2)
    assert parse_address("/dev/spidev0.1") == (0, 1)
    with pytest.raises(HardwareNotFound, match="SPI address 'spi'"):
        parse_address("spi")
