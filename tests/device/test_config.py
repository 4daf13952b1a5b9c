"""The config file: defaults, and every mistake at once."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest

from device.config import (
    Config,
    load_config,
    make_state_folder,
    parse_config,
    state_folder,
)
from device.errors import ConfigError


def test_an_empty_file_gives_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "dicelight.toml"
    path.write_text("")
    assert load_config(path) == Config(source=path)


def test_the_example_loads() -> None:
    example = resources.files("device.data").joinpath("dicelight.toml.example")
    with resources.as_file(example) as path:
        config = load_config(path)
    assert config.panel.pins["undo_button_pin_bcm"] == 6
    assert config.strip[0]["name"] == "ruler"
    assert config.camera.lens_dioptres == 2.4


def test_the_example_shows_the_defaults_where_it_does_not_say_example() -> None:
    example = resources.files("device.data").joinpath("dicelight.toml.example")
    with resources.as_file(example) as path:
        config = load_config(path)
    assert config.table == Config().table
    assert config.hardware == Config().hardware
    assert config.reading == Config().reading
    assert config.server.port == Config().server.port


def test_three_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    path = tmp_path / "dicelight.toml"
    path.write_text(
        '[server]\nport = "http"\n[camera]\nexposure = 10\n[hardwear]\ncamera = "x"\n'
    )
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert caught.value.problems == (
        "server.port: expected a whole number from 1 to 65535, found 'http'",
        "camera.exposure: unknown key; did you mean 'camera.exposure_ms'?",
        "hardwear: unknown section; did you mean 'hardware'?",
    )


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[server]\nport = 0", "server.port"),
        ("[server]\nport = true", "server.port"),
        ("[server]\nport = 80.5", "server.port"),
        ('[server]\nnames = "a"', "list of texts"),
        ("[server]\nnames = [1]", "list of texts"),
        ('[hardware]\ncamera = "webcam"', "picamera2, v4l2"),
        ('[hardware]\ncamera = "replay"', "camera.path"),
        ("[hardware]\npanel = 1", "true or false"),
        ('[camera]\ngain = "high"', "a number from 1 to 32"),
        ("[camera]\ndevice = 0", "a text"),
        ("server = 1", "expected a section"),
        ("strip = 1", "[[strip]] tables"),
        ("[server\nport = 1", "at line 1"),
    ],
)
def test_a_mistake_names_its_place(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "dicelight.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_text_is_a_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "dicelight.toml"
    path.write_bytes(b"\xff\xd8\xff\xe0 a picture")
    with pytest.raises(ConfigError, match="not a text file"):
        load_config(path)


def test_a_missing_file_is_a_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        load_config(tmp_path / "none.toml")


def test_what_the_hardware_finds_comes_with_the_rest() -> None:
    data = {
        "server": {"prot": 1},
        "panel": {"undo_button_pin_bcm": 10, "buzzer_pin_bcm": 10},
        "strip": [{"name": "ruler"}],
    }
    with pytest.raises(ConfigError) as caught:
        parse_config(
            data,
            lambda strips, pins: [f"{len(strips)} strip, pins {sorted(pins)}"],
        )
    assert caught.value.problems == (
        "server.prot: unknown key; did you mean 'server.port'?",
        "1 strip, pins ['buzzer_pin_bcm', 'undo_button_pin_bcm']",
    )


def test_state_lies_where_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DICELIGHT_STATE", str(tmp_path / "here"))
    assert state_folder(appliance=True) == tmp_path / "here"
    monkeypatch.delenv("DICELIGHT_STATE")
    assert state_folder(appliance=True) == Path("/var/lib/dicelight")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_folder(appliance=False) == tmp_path / "dicelight"


def test_a_state_folder_that_cannot_be_made_is_a_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="DICELIGHT_STATE"):
        make_state_folder(tmp_path / "file" / "state")
