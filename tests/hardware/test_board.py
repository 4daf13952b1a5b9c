"""What a board says of itself, read from folders that stand for boards."""

from pathlib import Path

import pytest

from hardware import board


def put(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def test_a_machine_that_is_no_pi_says_nothing(tmp_path):
    assert board.read_model(tmp_path) == ""
    assert board.read_power(tmp_path) is None
    assert board.read_core_hz(tmp_path) is None
    assert board.read_boot_config(tmp_path) == ("", "")


@pytest.mark.parametrize(
    ("bits", "now", "before"),
    [
        ("0", set(), set()),
        ("50005", {"undervoltage", "throttled"}, {"undervoltage", "throttled"}),
        ("50000", set(), {"undervoltage", "throttled"}),
        ("80008", {"hot"}, {"hot"}),
        ("20002", {"capped"}, {"capped"}),
    ],
)
@pytest.mark.parametrize("soc", ["soc/soc:firmware", "soc@107c000000/x:firmware"])
def test_under_voltage_and_throttling_are_read(tmp_path, bits, now, before, soc):
    put(tmp_path, f"sys/devices/platform/{soc}/get_throttled", f"{bits}\n")
    assert board.read_power(tmp_path) == board.Power(frozenset(now), frozenset(before))


def test_a_kernel_with_the_voltage_alarm_alone_is_read(tmp_path):
    put(tmp_path, "sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    put(tmp_path, "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    put(tmp_path, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    found = board.read_power(tmp_path)
    assert found is not None and found.now == {"undervoltage"}


@pytest.mark.parametrize(
    ("model", "lines"),
    [
        ("Raspberry Pi 3 Model B Plus Rev 1.3", ("core_freq=250", "core_freq_min=250")),
        ("Raspberry Pi Zero 2 W Rev 1.0", ("core_freq=250", "core_freq_min=250")),
        ("Raspberry Pi 4 Model B Rev 1.5", ("core_freq=500", "core_freq_min=500")),
        ("Raspberry Pi 400 Rev 1.0", ("core_freq=500", "core_freq_min=500")),
        ("Raspberry Pi 5 Model B Rev 1.0", ()),
        ("Raspberry Pi 6 that nobody has seen", ()),
        ("", ()),
    ],
)
def test_the_core_clock_to_fix_is_named_by_board(model, lines):
    assert board.core_lines_missing(model, "") == lines


def test_lines_that_stand_in_config_txt_are_not_asked_for_again():
    model = "Raspberry Pi 4 Model B Rev 1.5"
    half = "dtparam=spi=on\n[pi4]\ncore_freq=500\n#core_freq_min=500\n"
    assert board.core_lines_missing(model, half) == ("core_freq_min=500",)
    assert board.core_lines_missing(model, half + "core_freq_min=500\n") == ()
    assert board.core_lines_missing(model, half + "core_freq_min=250\n") != ()


def test_the_spi_clock_really_made_follows_the_even_divider():
    # spi-bcm2835.c: the divider is rounded up, then up to an even number.
    assert board.spi_hz(500e6, 2_400_000) == pytest.approx(500e6 / 210)
    assert board.spi_hz(250e6, 2_400_000) == pytest.approx(250e6 / 106)
    assert board.spi_hz(500e6, 6_400_000) == pytest.approx(500e6 / 80)


@pytest.mark.parametrize(("kb", "little"), [(427_000, True), (3_884_000, False)])
def test_a_zero_2_w_is_known_by_its_memory(tmp_path, kb, little):
    assert not board.has_little_memory(tmp_path)
    put(tmp_path, "proc/meminfo", f"MemTotal:      {kb} kB\nMemFree: 1 kB\n")
    assert board.has_little_memory(tmp_path) is little
