"""Strip files."""

import numpy as np
import pytest

from device.errors import ConfigError
from hardware.strips import Gap, Strip, load_strips

RIGHT = """
[[strip]]
name = "left edge"
pixels = 60
pitch_mm = 16.67
first_pixel_mm = 8.3
limit_ma = 1500
"""


def load(tmp_path, text):
    path = tmp_path / "strips.toml"
    path.write_text(text, encoding="utf-8")
    return load_strips(path)


def test_five_lines_describe_a_strip(tmp_path):
    assert load(tmp_path, RIGHT) == (Strip("left edge", 60, 16.67, 8.3, 1500.0),)


def test_everything_can_be_said(tmp_path):
    more = """reversed = true
gaps = [{ after = 20, mm = 5 }, [10, 12.5]]
order = "grb"
driver = "ws2812"
address = "0.1"
gamma = 2.5
white = [1, 0.9, 0.8]
"""
    (strip,) = load(tmp_path, RIGHT + more)
    assert strip.reversed
    assert strip.gaps == (Gap(10, 12.5), Gap(20, 5.0))
    assert (strip.order, strip.driver, strip.address) == ("grb", "ws2812", "0.1")
    assert (strip.gamma, strip.white) == (2.5, (1.0, 0.9, 0.8))


def test_led_0_is_where_first_pixel_mm_says_even_when_reversed():
    strip = Strip("s", 4, 10, 100, 100, reversed=True, gaps=(Gap(1, 5),))
    assert strip.positions_mm().tolist() == [100, 90, 75, 65]
    strip = Strip("s", 4, 10, 100, 100, gaps=(Gap(1, 5),))
    assert strip.positions_mm().tolist() == [100, 110, 125, 135]
    assert np.allclose(Strip("s", 1, 10, 7, 100).positions_mm(), [7])


def test_every_mistake_is_reported_at_once(tmp_path):
    text = """
colour = "blue"
[[strip]]
name = ""
pixles = 60
pitch_mm = "16"
limit_ma = true
[[strip]]
name = "b"
pixels = 0
pitch_mm = 10
first_pixel_mm = nan
limit_ma = 10
order = "rgw"
driver = "neopixel"
reversed = 1
gaps = [3]
white = [1, 2, 3]
"""
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, text)
    found = [problem.split(": ", 1)[1] for problem in caught.value.problems]
    fields = [problem.split(":")[0] for problem in found]
    assert fields == [
        "unknown key 'colour'",
        "strip[0].name",
        "strip[0].pixles",
        "strip[0].pitch_mm",
        "strip[0].limit_ma",
        "strip[0].pixels",
        "strip[0].first_pixel_mm",
        "strip[1].pixels",
        "strip[1].first_pixel_mm",
        "strip[1].order",
        "strip[1].driver",
        "strip[1].reversed",
        "strip[1].gaps",
        "strip[1].white",
    ]
    assert "did you mean 'pixels'?" in str(caught.value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("gaps = [[59, 3]]", "no LED comes after 59"),
        ("gaps = [[3, -17]]", "turns back"),
        ("gaps = [[3, 1], [3, 2]]", "two after LED 3"),
    ],
)
def test_gaps_that_cannot_be_are_refused(tmp_path, line, said):
    with pytest.raises(ConfigError, match=said):
        load(tmp_path, RIGHT + line)


def test_a_limit_that_cannot_light_the_strip_is_refused(tmp_path):
    text = RIGHT.replace("1500", "100")
    with pytest.raises(ConfigError, match=r"limit_ma: 100 cannot light.*at least 120"):
        load(tmp_path, text)


def test_two_strips_of_one_name_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="two strips are named 'left edge'"):
        load(tmp_path, RIGHT + RIGHT)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"no \[\[strip\]\]"),
        ("[strip", "not TOML"),
        ("strip = 3", r"expected \[\[strip\]\]"),
        ("strip = [3]", r"strip\[0\]: expected a table"),
    ],
)
def test_a_file_of_another_kind_is_refused(tmp_path, text, said):
    with pytest.raises(ConfigError, match=said):
        load(tmp_path, text)


def test_a_missing_file_and_a_picture_are_refused(tmp_path):
    with pytest.raises(ConfigError, match="No such file"):
        load_strips(tmp_path / "none.toml")
    (tmp_path / "picture.toml").write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(ConfigError, match="not TOML"):
        load_strips(tmp_path / "picture.toml")
    with pytest.raises(ConfigError, match="directory"):
        load_strips(tmp_path)
