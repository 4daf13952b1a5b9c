"""`dicelight invite`, and the network that phones join."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.cli import main
from device.config import parse_config
from device.errors import ConfigError
from web.people import FILE, People

CONFIG = """
[server]
host = "127.0.0.1"
port = 8099
[hotspot]
name = "Dice"
password = "roll the dice"
"""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DICELIGHT_STATE", str(tmp_path))
    path = tmp_path / "dicelight.toml"
    path.write_text(CONFIG)
    return path


def test_the_invitation_shows_network_address_and_code(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = People(tmp_path).code
    kept = (tmp_path / FILE).read_bytes()
    assert main(["invite", "--config", str(config)]) == 0
    said = capsys.readouterr().out
    assert "First join the network Dice:" in said
    assert f"the code {code[:3]} {code[3:]}." in said
    assert ":8099/" in said and "█" in said
    assert (tmp_path / FILE).read_bytes() == kept, "invite wrote into a state in use"


def test_before_the_first_start_nobody_can_be_invited(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["invite", "--config", str(config)]) == 2
    assert "start Dicelight first" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("hotspot", "problem"),
    [
        ({"name": "ф" * 17}, "hotspot.name: expected at most 32 bytes"),
        ({"name": "D", "password": "short"}, "hotspot.password: expected 8 to 63"),
        ({"name": "D", "password": "x" * 64}, "hotspot.password: expected 8 to 63"),
        ({"password": "long enough"}, "hotspot.name: hotspot.password needs it"),
        ({"ssid": "D"}, "hotspot.ssid: unknown key"),
    ],
)
def test_a_network_that_no_phone_can_join_is_refused(
    hotspot: dict[str, str], problem: str
) -> None:
    with pytest.raises(ConfigError, match=problem):
        parse_config({"hotspot": hotspot})


def test_a_configuration_that_cannot_be_read_keeps_nobody_out(
    tmp_path: Path, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Safe mode serves the page all the same, and says that this shows the code."""
    code = People(tmp_path).code
    config.write_text("[server]\nport = 8123\nhost = '127.0.0.1'\nnonsense = [\n")
    assert main(["invite", "--config", str(config)]) == 0
    said = capsys.readouterr()
    assert ":8123/" in said.out and f"the code {code[:3]} {code[3:]}." in said.out
    assert "nonsense" not in said.out and str(config) in said.err


def test_a_configuration_that_is_not_there_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DICELIGHT_STATE", str(tmp_path))
    assert main(["invite", "--config", str(tmp_path / "none.toml")]) == 2
    assert "none.toml: No such file" in capsys.readouterr().err
