"""The composition root: all or nothing, closed in reverse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from device.app import App, Sources, build
from device.camera_setup import Calibration
from device.config import CameraConfig, Config
from device.errors import ConfigError, HardwareNotFound
from device.eyes import Eyes
from device.fitting import camera_settings, hardware_problems
from device.table.view import Command
from device.tray import TrayLoop
from hardware.sim.clock import ManualClock
from hardware.sim.strip import SimulatedStrip
from hardware.strips import Strip
from tests.device.builders import FakeCamera, FakeReader, FakeSettle, FakeTracker
from web.invitation import Invitation

STRIP = {
    "name": "ruler",
    "pixels": 20,
    "pitch_mm": 10,
    "first_pixel_mm": 5,
    "limit_ma": 500,
    "driver": "simulated",
}
CONFIG = Config(strip=(STRIP,))


class Kept:
    """A part that notes when it is opened and closed."""

    simulated = True
    port = 1234

    def __init__(self, name: str, story: list[str]) -> None:
        self.name = name
        self.story = story
        story.append(f"open {name}")

    def invitation(self) -> Invitation:
        return Invitation("http://127.0.0.1:1234/", (), "246810")

    def listen(self, post: Callable[[str], None]) -> None:
        self.post = post

    def lamp(self, name: str, lit: bool) -> None:
        pass

    def buzz(self, seconds: float) -> None:
        pass

    def tray_light(self, lit: bool) -> None:
        pass

    def close(self) -> None:
        self.story.append(f"close {self.name}")


def sources(story: list[str]) -> Sources:
    clock = ManualClock()

    def strip(asked: Strip) -> SimulatedStrip:
        return SimulatedStrip(asked.name, asked.pixels)

    return Sources(
        eyes=lambda folder: Eyes(
            FakeReader(), lambda: FakeSettle([]), FakeTracker, lambda image: None
        ),
        camera=lambda: FakeCamera(clock),
        strip=strip,
        panel=lambda: Kept("panel", story),
        page=lambda companion, config, state: Kept("page", story),
        clock=clock,
    )


def test_everything_is_built_works_and_is_closed_in_reverse(tmp_path: Path) -> None:
    story: list[str] = []
    app = build(CONFIG, tmp_path, sources(story))
    app.start()
    version = app.companion.snapshot().version
    app.companion.do(Command("light_ruler", {"cue": {"band": "red"}}))
    snapshot = app.companion.wait_newer(version, 5.0)
    while not any(
        pixel != "000000" for s in snapshot.live.strips for pixel in s.pixels
    ):
        snapshot = app.companion.wait_newer(snapshot.version, 5.0)
    app.close()
    app.close()
    assert app.port == 1234
    assert story == ["open panel", "open page", "close page", "close panel"]


def test_if_the_third_part_fails_the_first_two_are_closed_in_reverse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story: list[str] = []
    close = TrayLoop.close

    def noted(loop: TrayLoop) -> None:
        story.append("close loop")
        close(loop)

    monkeypatch.setattr(TrayLoop, "close", noted)

    def taken(companion: object, config: object, state: object) -> Kept:
        raise ConfigError("port 8080 is taken")

    with pytest.raises(ConfigError, match="port 8080 is taken"):
        build(CONFIG, tmp_path, replace(sources(story), page=taken))
    assert story == ["open panel", "close panel", "close loop"]
    # The folder is free again: nothing of the failed start is left.
    build(CONFIG, tmp_path, sources(story)).close()


def test_a_folder_serves_one_at_a_time(tmp_path: Path) -> None:
    app = build(CONFIG, tmp_path, sources([]))
    with pytest.raises(ConfigError, match="in use by another Dicelight"):
        build(CONFIG, tmp_path, sources([]))
    app.close()


def test_a_missing_panel_degrades_alone(tmp_path: Path) -> None:
    def missing() -> Kept:
        raise HardwareNotFound("no GPIO pins here")

    app = build(CONFIG, tmp_path, replace(sources([]), panel=missing))
    parts = {part.name: part for part in app.companion.snapshot().live.parts}
    assert not parts["panel"].ok
    assert parts["panel"].message == "no GPIO pins here"
    app.companion.do(Command("open_check", {"check": "skill_check", "rating": 5}))
    app.close()


def test_a_cue_the_table_cannot_show_is_refused(tmp_path: Path) -> None:
    app = build(CONFIG, tmp_path, sources([]))
    with pytest.raises(ValueError, match="no band"):
        app.companion.do(Command("light_ruler", {"cue": {"band": "pink"}}))
    app.close()


def test_a_night_goes_on_at_the_next_start(tmp_path: Path) -> None:
    app: App = build(CONFIG, tmp_path, sources([]))
    app.companion.do(Command("open_check", {"check": "skill_check", "rating": 5}))
    state = app.companion.snapshot().state
    app.close()
    app = build(CONFIG, tmp_path, sources([]))
    assert app.companion.snapshot().state == state
    app.close()


def test_pins_that_clash_are_named() -> None:
    strip = {**STRIP, "driver": "apa102"}
    pins = {"undo_button_pin_bcm": 10, "buzzer_pin_bcm": 5, "confirm_lamp_pin_bcm": 5}
    problems = hardware_problems([strip], pins)
    assert len(problems) == 2
    assert any("SPI0 MOSI" in problem for problem in problems)
    assert any("GPIO5" in problem for problem in problems)


def test_a_wrong_strip_is_named() -> None:
    (problem,) = hardware_problems([{**STRIP, "pixels": 0}], {})
    assert "pixels" in problem


def test_the_height_that_the_config_names_is_asked_of_the_camera() -> None:
    assert camera_settings(Config(), Calibration()).height_px is None
    config = Config(camera=CameraConfig(height=1080))
    assert camera_settings(config, Calibration()).height_px == 1080
