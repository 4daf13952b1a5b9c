"""A network of the machine's own: only when asked, country first, taken back whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.systemd import scratch  # noqa: F401  (puts systemd/ on the path)

from installer.hotspot import (  # isort: skip
    CONNECTION,
    Network,
    hidden,
    main,
    plan_off,
    plan_on,
)

NETWORK = Network("dice table", "correct horse", "DE", "wlan0")


class System:
    """Runs nothing, remembers all, fails on request."""

    def __init__(self, fails: str = "") -> None:
        self.ran: list[tuple[str, ...]] = []
        self.fails = fails

    def __call__(self, words: Sequence[str]) -> tuple[int, str]:
        self.ran.append(tuple(words))
        bad = bool(self.fails) and self.fails in words
        return (10, "Error: no such thing") if bad else (0, "")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "etc/dicelight"
    folder.mkdir(parents=True)
    (folder / "dicelight.toml").write_text(
        '[hotspot]\nname = "dice table"\npassword = "correct horse"\n'
    )
    return tmp_path


@pytest.mark.parametrize("pi", [True, False])
def test_the_country_comes_before_the_radio_and_the_radio_before_the_network(
    pi: bool,
) -> None:
    steps = [" ".join(words) for words in plan_on(NETWORK, has_raspi_config=pi)]
    assert steps[0].endswith("DE") and ("do_wifi_country" in steps[0]) is pi
    assert steps[1] == "nmcli radio wifi on"
    assert steps[2] == f"nmcli connection delete {CONNECTION}"
    assert "wifi.mode ap" in steps[3] and "ipv4.method shared" in steps[3]
    assert "ssid dice table" in steps[3] and "ifname wlan0" in steps[3]
    assert steps[4] == f"nmcli connection up {CONNECTION}"


def test_an_open_network_has_no_key() -> None:
    steps = plan_on(Network("open", "", "DE"), has_raspi_config=True)
    assert "wifi-sec.psk" not in steps[3]


def test_nothing_but_our_own_connection_is_ever_deleted() -> None:
    for words in (*plan_on(NETWORK, has_raspi_config=False), *plan_off()):
        assert "delete" not in words or words[-1] == CONNECTION


def test_the_password_is_not_printed(root: Path, capsys) -> None:
    system = System()
    assert main(["on", "--country", "DE"], root, system, uid=0) == 0
    said = capsys.readouterr()
    assert "correct horse" not in said.out + said.err
    assert any("correct horse" in words for words in system.ran)
    assert "correct horse" not in hidden(system.ran[3])


def test_on_twice_replaces_and_off_twice_is_no_mistake(root: Path) -> None:
    system = System(fails="delete")
    assert main(["on", "--country", "DE"], root, system, uid=0) == 0
    assert main(["on", "--country", "DE"], root, system, uid=0) == 0
    assert main(["off"], root, system, uid=0) == 0


def test_a_step_that_fails_is_said_and_ends_it(root: Path, capsys) -> None:
    system = System(fails="add")
    assert main(["on", "--country", "DE"], root, system, uid=0) == 1
    assert "no such thing" in capsys.readouterr().out
    assert "up" not in system.ran[-1]


@pytest.mark.parametrize(
    ("arguments", "text", "says"),
    [
        (["on"], None, "--country"),
        (["on", "--country", "Germany"], None, "--country"),
        (["on", "--country", "DE", "--interface", "wlan0; rm"], None, "--interface"),
        (["on", "--country", "DE"], "", "[hotspot] needs a name"),
        (
            ["on", "--country", "DE"],
            '[hotspot]\nname = "x"\npassword = "short"',
            "8 to",
        ),
        (["on", "--country", "DE"], "[hotspot", "dicelight.toml"),
    ],
)
def test_what_cannot_work_is_refused_before_the_first_step(
    root: Path, capsys, arguments: list[str], text: str | None, says: str
) -> None:
    if text is not None:
        (root / "etc/dicelight/dicelight.toml").write_text(text)
    system = System()
    assert main(arguments, root, system, uid=0) == 2
    assert says in capsys.readouterr().err
    assert system.ran == []


def test_only_root_may_and_anybody_may_ask(root: Path, capsys) -> None:
    system = System()
    assert main(["on", "--country", "DE"], root, system, uid=1000) == 2
    assert "sudo" in capsys.readouterr().err
    assert main(["on", "--country", "DE", "--dry-run"], root, system, uid=1000) == 0
    assert "wifi.mode ap" in capsys.readouterr().out
    assert system.ran == []
