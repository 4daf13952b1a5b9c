"""A wireless network of the machine's own, by NetworkManager, only when asked for.

    sudo systemd/hotspot on --country DE
    sudo systemd/hotspot off

Name and password are the configuration's ``[hotspot]``, which the page draws as a QR
code. The country comes first: without one the radio stays blocked, and every country
has channels of its own. The connection is named as ours; nothing else is touched.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from . import places

CONNECTION: Final = places.HOTSPOT
COMMAND_S: Final = 60.0
REFUSED, FAILED = 2, 1

Run = Callable[[Sequence[str]], tuple[int, str]]
"""Runs a command; returns its exit status and what it said."""


@dataclass(frozen=True, slots=True)
class Network:
    """What is to be opened.

    Attributes:
        name: Its SSID, 1 to 32 bytes.
        password: 8 to 63 letters, "" for an open network.
        country: Two capital letters.
        interface: Of the radio; "" takes the only one.
    """

    name: str
    password: str
    country: str
    interface: str = ""

    def problems(self) -> tuple[str, ...]:
        """Return what is wrong with it, one line each."""
        found = []
        if not 0 < len(self.name.encode()) <= 32:
            found.append(f"{places.CONFIG}: [hotspot] needs a name of 1 to 32 bytes")
        if self.password and not 8 <= len(self.password) <= 63:
            found.append(f"{places.CONFIG}: hotspot.password has 8 to 63 letters")
        if not re.fullmatch(r"[A-Z]{2}", self.country):
            found.append(
                f"--country: two capital letters, e.g. DE, found {self.country!r}"
            )
        if not re.fullmatch(r"[a-z0-9]{0,15}", self.interface):
            found.append(f"--interface: e.g. wlan0, found {self.interface!r}")
        return tuple(found)


def plan_on(network: Network, *, has_raspi_config: bool) -> tuple[tuple[str, ...], ...]:
    """Return the commands that open it, in order; those of before are replaced."""
    country = (
        ("raspi-config", "nonint", "do_wifi_country", network.country)
        if has_raspi_config
        else ("iw", "reg", "set", network.country)
    )
    secret = (
        ("wifi-sec.key-mgmt", "wpa-psk", "wifi-sec.psk", network.password)
        if network.password
        else ()
    )
    return (
        country,
        ("nmcli", "radio", "wifi", "on"),
        ("nmcli", "connection", "delete", CONNECTION),
        (
            *("nmcli", "connection", "add", "type", "wifi"),
            *("con-name", CONNECTION, "ifname", network.interface or "*"),
            *("ssid", network.name, "autoconnect", "yes"),
            *("wifi.mode", "ap", "wifi.band", "bg"),
            *("ipv4.method", "shared", "ipv6.method", "disabled"),
            *secret,
        ),
        ("nmcli", "connection", "up", CONNECTION),
    )


def plan_off() -> tuple[tuple[str, ...], ...]:
    """Return the commands that close it."""
    return (("nmcli", "connection", "delete", CONNECTION),)


def configured(text: str) -> tuple[str, str]:
    """Return name and password of a configuration's ``[hotspot]``, "" where missing.

    Raises:
        ValueError: It is no TOML.
    """
    table = tomllib.loads(text).get("hotspot", {})
    table = table if isinstance(table, dict) else {}
    name, password = table.get("name", ""), table.get("password", "")
    return (
        name if isinstance(name, str) else "",
        password if isinstance(password, str) else "",
    )


def hidden(words: Sequence[str]) -> str:
    """Return a command for people to read: its password is not."""
    shown = list(words)
    for index, word in enumerate(shown[:-1]):
        if word == "wifi-sec.psk":
            shown[index + 1] = "(the configuration's)"
    return " ".join(shown)


def carry_out(
    steps: Sequence[Sequence[str]], run: Run, say: Callable[[str], None]
) -> int:
    """Run the steps; a connection that is not there need not be deleted."""
    for words in steps:
        say(hidden(words))
        status, said = run(words)
        if status and "delete" not in words:
            say(f"failed: {said.strip() or status}")
            return FAILED
    return 0


def main(
    arguments: Sequence[str], root: Path, run: Run | None = None, uid: int | None = None
) -> int:
    """Open or close the network.

    Returns:
        Exit status: 0 done, 1 a command failed, 2 refused before the first.
    """
    parser = argparse.ArgumentParser(
        prog="systemd/hotspot",
        description="Opens a wireless network of this machine's own for a table "
        "without one. Name and password are those of [hotspot] in the configuration. "
        "Phones say that it has no internet: keep them on it all the same.",
    )
    parser.add_argument("what", choices=("on", "off"))
    parser.add_argument(
        "--country", default="", metavar="XX", help="where you are: DE, RU, US, ..."
    )
    parser.add_argument(
        "--interface", default="", metavar="NAME", help="the radio, e.g. wlan0"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be done, do nothing"
    )
    asked = parser.parse_args(arguments)
    problems = []
    if not asked.dry_run and (os.geteuid() if uid is None else uid) != 0:
        problems.append("this changes the system: start it with sudo")
    steps = plan_off()
    if asked.what == "on":
        try:
            path = root / places.CONFIG.lstrip("/")
            name, password = configured(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            name = password = ""
            problems.append(f"{places.CONFIG}: {error}")
        network = Network(name, password, asked.country, asked.interface)
        problems += network.problems()
        has_it = (root / "usr/bin/raspi-config").exists()
        steps = plan_on(network, has_raspi_config=has_it)
    if problems:
        for problem in problems:
            sys.stderr.write(f"hotspot: {problem}\n")
        return REFUSED
    if asked.dry_run:
        for words in steps:
            _say(hidden(words))
        return 0
    status = carry_out(steps, run or _run, _say)
    if not status and asked.what == "on":
        _say("so that the page shows it: sudo systemctl restart dicelight")
    return status


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _run(words: Sequence[str]) -> tuple[int, str]:
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=COMMAND_S, check=False
        )
    except FileNotFoundError:
        return 127, f"{words[0]} is not installed"
    except subprocess.TimeoutExpired:
        return 124, f"{words[0]} does not answer"
    return done.returncode, done.stdout + done.stderr
