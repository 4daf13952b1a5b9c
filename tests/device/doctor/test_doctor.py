"""The doctor on boards that are folders: what it finds, and what it says to do."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from device.camera_setup import Calibration, save
from device.config import CameraConfig, Config, HardwareConfig, ServerConfig
from device.doctor import Finding, examine, machine, network, parts

PI4 = "Raspberry Pi 4 Model B Rev 1.5"
WS2812 = {
    "name": "ruler",
    "pixels": 600,
    "pitch_mm": 16.7,
    "first_pixel_mm": 8.0,
    "limit_ma": 4000,
    "driver": "ws2812",
}


def put(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def named(findings: Iterable[Finding], name: str) -> Finding:
    found = [one for one in findings if one.name == name]
    assert len(found) == 1, f"{name}: {found}"
    return found[0]


def config(camera: str = "none", **settings: object) -> Config:
    return Config(hardware=HardwareConfig(camera=camera), **settings)  # type: ignore[arg-type]


def test_a_buffer_too_small_is_said_with_the_line_that_changes_it(tmp_path) -> None:
    put(tmp_path, "sys/module/spidev/parameters/bufsiz", "4096\n")
    found = named(parts.look(config(strip=(WS2812,)), tmp_path), "strip ruler buffer")
    assert found.state == "missing"
    assert "5555 bytes" in found.found and "4096" in found.found
    assert "spidev.bufsiz=8192 to the one line of" in found.advice
    put(tmp_path, "sys/module/spidev/parameters/bufsiz", "8192\n")
    found = named(parts.look(config(strip=(WS2812,)), tmp_path), "strip ruler buffer")
    assert (found.state, found.advice) == ("ok", "")


def test_the_core_clock_lines_are_named_on_a_pi_4(tmp_path) -> None:
    put(tmp_path, "proc/device-tree/model", PI4 + "\0")
    put(tmp_path, "boot/firmware/config.txt", "dtparam=spi=on\n")
    found = named(parts.look(config(strip=(WS2812,)), tmp_path), "core clock")
    assert found.state == "note" and PI4 in found.found
    assert "core_freq=500 and core_freq_min=500" in found.advice
    assert "/boot/firmware/config.txt" in found.advice
    put(tmp_path, "boot/firmware/config.txt", "core_freq=500\ncore_freq_min=500\n")
    assert (
        named(parts.look(config(strip=(WS2812,)), tmp_path), "core clock").state == "ok"
    )


@pytest.mark.parametrize(
    ("core_hz", "state"),
    [(500_000_000, "ok"), (200_000_000, "ok"), (1_000_000, "note")],
)
def test_the_spi_clock_really_set_is_read_from_the_core_clock(
    tmp_path, core_hz, state
) -> None:
    put(tmp_path, "proc/device-tree/model", PI4)
    put(tmp_path, "sys/kernel/debug/clk/fw-clk-core/clk_rate", f"{core_hz}\n")
    found = named(parts.look(config(strip=(WS2812,)), tmp_path), "spi clock")
    assert found.state == state
    assert f"core clock of {core_hz / 1e6:.0f} MHz" in found.found


def test_a_pi_5_and_a_clocked_strip_need_no_core_clock(tmp_path) -> None:
    put(tmp_path, "proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0")
    names = [one.name for one in parts.look(config(strip=(WS2812,)), tmp_path)]
    assert "core clock" not in names
    put(tmp_path, "proc/device-tree/model", PI4)
    clocked = {**WS2812, "driver": "apa102"}
    names = [one.name for one in parts.look(config(strip=(clocked,)), tmp_path)]
    assert "core clock" not in names and "strip ruler buffer" not in names


def test_under_voltage_is_said_with_what_to_do(tmp_path) -> None:
    throttled = "sys/devices/platform/soc/soc:firmware/get_throttled"
    put(tmp_path, throttled, "50005\n")
    found = named(machine.look(tmp_path / "state", tmp_path), "power")
    assert found.state == "note"
    assert found.found == "undervoltage, throttled"
    assert "power supply" in found.advice
    put(tmp_path, throttled, "50000\n")
    found = named(machine.look(tmp_path / "state", tmp_path), "power")
    assert found.found.startswith("well now; since the start: undervoltage")
    put(tmp_path, throttled, "0\n")
    assert named(machine.look(tmp_path / "state", tmp_path), "power").state == "ok"


def test_a_card_that_forgets_is_found(tmp_path, monkeypatch) -> None:
    found = named(machine.look(tmp_path, tmp_path), "storage")
    assert found.state == "ok" and "kept in" in found.found
    assert list(tmp_path.iterdir()) == [], "the probe is gone"
    monkeypatch.setattr(Path, "read_bytes", lambda path: b"what was there before")
    found = named(machine.look(tmp_path, tmp_path), "storage")
    assert found.state == "missing" and "dying" in found.advice


def test_a_start_in_safe_mode_to_come_is_said(tmp_path) -> None:
    put(tmp_path, "start.json", '{"key": "k", "failed": 2, "reason": "no port"}')
    found = named(machine.look(tmp_path, tmp_path), "starts")
    assert "no port" in found.found and "safe mode" in found.advice


def test_a_clock_never_set_is_no_obstacle(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(machine, "FIRST_YEAR", 9999)
    assert named(machine.look(tmp_path, tmp_path), "clock").state == "note"


def test_a_blocked_radio_names_the_country_setting(tmp_path) -> None:
    for name, value in (("type", "wlan"), ("soft", "1"), ("hard", "0")):
        put(tmp_path, f"sys/class/rfkill/rfkill0/{name}", value)
    found = named(network.look(config(), tmp_path), "wi-fi")
    assert found.state == "note" and "do_wifi_country" in found.advice


def test_a_port_that_another_program_holds_is_said(tmp_path) -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        server = ServerConfig(host="127.0.0.1", port=holder.getsockname()[1])
        monkey = replace(config(), server=server)
        found = named(network.look(monkey, tmp_path), "port")
    assert found.state == "note" and "another program" in found.advice


def test_a_wled_is_asked_and_one_that_is_away_is_said(tmp_path) -> None:
    strip = {**WS2812, "driver": "wled", "address": "127.0.0.1"}
    found = named(parts.look(config(strip=(strip,)), tmp_path), "strip ruler")
    assert found.state == "missing" and "127.0.0.1" in found.found


def test_dimmed_lamps_and_an_exposure_that_bands_are_said(tmp_path) -> None:
    segments = {
        "name": "pieces",
        "pixels": 2,
        "pitch_mm": 50.8,
        "first_pixel_mm": 25.4,
        "limit_ma": 400,
        "driver": "segments",
        "address": "17 27 pwm",
    }
    banding = replace(config(strip=(segments,)), camera=CameraConfig(exposure_ms=8.0))
    found = named(parts.look(banding, tmp_path), "exposure")
    assert "pieces" in found.found and "multiple of 10" in found.advice


@pytest.mark.parametrize(
    ("listed", "opened", "state", "says"),
    [
        ("imx708\t/i2c@0", None, "ok", "measured with imx708, 2304 x 1296"),
        ("ov5647\t/i2c@0\nimx708", None, "note", "this camera is ov5647"),
        ("imx708\t/i2c@1", None, "note", "this camera is imx708"),
        ("", ("/i2c@0", (2304, 1296)), "ok", "measured with imx708, 2304 x 1296"),
        ("", ("/i2c@0", (1536, 864)), "note", "this camera is imx708, 1536 x 864"),
        ("", ("/i2c@1", (2304, 1296)), "note", "this camera is imx708, 2304 x 1296 (/"),
        ("", None, "note", "cannot be seen"),
    ],
)
def test_another_camera_than_the_one_that_was_set_up_is_said(
    tmp_path, monkeypatch, listed, opened, state, says
) -> None:
    kept = Calibration("imx708", 0.02, 1.5, 2.4, None, (2304, 1296), "/i2c@0")
    save(tmp_path, kept)
    if opened is not None:
        unit, size = opened
        opened = SimpleNamespace(name="imx708", id=unit, size_wh_px=size)
    monkeypatch.setattr(parts, "LIST_CAMERAS", f"print({listed!r})")
    looked = parts.look(config("picamera2"), tmp_path, tmp_path, opened)
    found = named(looked, "camera set-up")
    assert found.state == state and says in found.found
    assert bool(found.advice) == ("this camera" in found.found)


def test_a_camera_never_set_up_is_nothing_to_compare(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(parts, "LIST_CAMERAS", "print('imx708')")
    looked = parts.look(config("picamera2"), tmp_path, tmp_path)
    assert "camera set-up" not in [one.name for one in looked]


def test_all_of_it_runs_on_any_machine(tmp_path) -> None:
    findings = examine(config("drawn"), tmp_path, tmp_path)
    names = [one.name for one in findings]
    for name in ("python", "dicelight", "board", "storage", "camera", "network"):
        assert name in names
    assert {one.state for one in findings} <= {"ok", "note", "missing"}
    assert all(one.advice for one in findings if one.state == "missing")
