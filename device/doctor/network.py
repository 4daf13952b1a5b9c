"""The doctor looks at the network: addresses, hotspot, radio, name, port, page."""

from __future__ import annotations

import http.client
import socket
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from device.config import Config
from device.doctor.finding import Finding
from device.notify import ANY_ADDRESS
from device.units import Seconds
from web.addresses import own_interfaces

COMMAND_S: Final[Seconds] = 5.0
"""NetworkManager answers at once or not at all."""

PAGE_S: Final[Seconds] = 2.0
HOTSPOT: Final = "dicelight-hotspot"
"""Name of our hotspot's connection, see `systemd/hotspot`."""

AVAHI_SOCKET: Final = "run/avahi-daemon/socket"
RADIOS: Final = "sys/class/rfkill/rfkill*"
COUNTRY: Final = (
    "say where you are: sudo raspi-config nonint do_wifi_country XX (your country's "
    "two letters)"
)


def look(config: Config, root: Path) -> Iterator[Finding]:
    """Look at all of it; nothing is sent beyond this machine.

    Args:
        config: Checked.
        root: Where the system's files lie.
    """
    yield _addresses()
    yield from _radio(root)
    yield from _hotspot()
    yield _name(root)
    yield _port(config)


def _addresses() -> Finding:
    found = [f"{one.address} ({one.name})" for one in own_interfaces()]
    if found:
        return Finding("network", "ok", ", ".join(found))
    return Finding(
        "network",
        "note",
        "no address: no phone can come here",
        "plug in a cable, join a Wi-Fi (sudo nmtui), or open one: "
        "sudo /opt/dicelight/current/systemd/hotspot --help",
    )


def _radio(root: Path) -> Iterator[Finding]:
    for folder in sorted(root.glob(RADIOS)):
        try:
            kind, soft, hard = (
                (folder / name).read_text().strip() for name in ("type", "soft", "hard")
            )
        except OSError:
            continue
        if kind != "wlan":
            continue
        if "1" in (soft, hard):
            yield Finding("wi-fi", "note", "its radio is blocked", COUNTRY)
        else:
            yield Finding("wi-fi", "ok", "its radio is free")


def _hotspot() -> Iterator[Finding]:
    listed = _said(["nmcli", "-t", "-f", "NAME,ACTIVE", "connection", "show"])
    for line in (listed or "").splitlines():
        name, _, active = line.rpartition(":")
        if name == HOTSPOT:
            on = active == "yes"
            yield Finding("hotspot", "ok", "on" if on else "made, off now")


def _name(root: Path) -> Finding:
    name = f"{socket.gethostname()}.local"
    if (root / AVAHI_SOCKET).exists():
        return Finding("name", "ok", f"{name} (not known to every phone)")
    return Finding(
        "name",
        "note",
        f"no {name}: avahi-daemon does not run",
        "the address by number and the QR code work without it",
    )


def _port(config: Config) -> Finding:
    host, port = config.server.host, config.server.port
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except PermissionError:
            return Finding(
                "port", "ok", f"{port}: only the service may use it, as it should be"
            )
        except OSError as error:
            if _is_ours(host, port):
                return Finding("port", "ok", f"{port}: Dicelight answers there")
            return Finding(
                "port",
                "note",
                f"{port}: {error.strerror}",
                "another program holds it: stop that one, or choose server.port",
            )
    return Finding("port", "ok", f"{port} is free")


def _is_ours(host: str, port: int) -> bool:
    asked = http.client.HTTPConnection(
        ANY_ADDRESS.get(host, host), port, timeout=PAGE_S
    )
    try:
        asked.request("GET", "/health")
        return asked.getresponse().read(16) == b"ok\n"
    except (OSError, http.client.HTTPException):
        return False
    finally:
        asked.close()


def _said(words: Sequence[str]) -> str | None:
    """Return what a command prints; None where it is not there or fails."""
    try:
        done = subprocess.run(
            words, capture_output=True, text=True, timeout=COMMAND_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
