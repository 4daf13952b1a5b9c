"""Read SPI bytes as the LED chips do; written from the chips' data sheets alone."""

import numpy as np


def apa102_leds(data, pixels, order="bgr"):
    """What `pixels` clocked LEDs show after these bytes, and the clocks after that."""
    bits = np.unpackbits(np.frombuffer(data, np.uint8))
    assert not bits[:32].any(), "no start frame"
    shown = np.zeros((pixels, 3), np.uint8)
    for index in range(pixels):
        frame = np.packbits(bits[32 + 32 * index : 64 + 32 * index])
        assert frame[0] >> 5 == 0b111, f"LED {index} gets no header"
        assert frame[0] & 31 == 31, "brightness is not full: it would band"
        for place, letter in enumerate(order):
            shown[index, "rgb".index(letter)] = frame[1 + place]
    after = bits[32 + 32 * pixels :]
    assert not after.any()
    return shown, len(after)


def ws2812_leds(data, pixels, speed_hz, order="grb"):
    """What unclocked LEDs show: pulses are measured in time, as the chips do."""
    bits = np.unpackbits(np.frombuffer(data, np.uint8)).astype(np.int8)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], bits, [0]])))
    rises, falls = edges[::2], edges[1::2]
    high_us = (falls - rises) / speed_hz * 1e6
    assert len(rises) == 24 * pixels, "pulses lost or added"
    period_us = np.diff(rises) / speed_hz * 1e6
    assert (np.abs(period_us - 1.25) < 0.1).all()
    is_one = high_us > 0.6
    assert ((high_us > 0.2) & (high_us < 0.5) | (high_us > 0.65) & (high_us < 1)).all()
    lead_bytes = rises[0] / 8
    reset_us = (len(bits) - falls[-1]) / speed_hz * 1e6
    wire = np.packbits(is_one).reshape(pixels, 3)
    shown = np.zeros_like(wire)
    for place, letter in enumerate(order):
        shown[:, "rgb".index(letter)] = wire[:, place]
    return shown, lead_bytes, reset_us
