"""What the page needs to know besides the companion, and the key that signs cookies."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from device.durable import OWNERS, write_atomic
from device.errors import ConfigError
from device.units import Seconds
from web.addresses import Interface, local_name, own_interfaces
from web.people import random_code

SECRET_BYTES = 32
"""As long as the hash that signs the cookie."""


@dataclass(frozen=True, slots=True)
class Hotspot:
    """The wireless network that this device runs, for the QR code that joins it.

    Attributes:
        name: Its SSID.
        password: "" for an open network.
    """

    name: str
    password: str = ""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Settings of the page.

    Attributes:
        secret: Signs the session cookie; 16 bytes or more. Kept from start to start
            (`keep_secret`), so that phones stay joined.
        port: Where the page is served; part of the address in the QR code, unless the
            request names another one.
        names: Host names the page answers to, besides ``localhost`` and any address
            by number. A name that is not listed is refused (DNS rebinding).
        interfaces: Returns the networks this machine is reached in, likeliest first.
            Asked at every QR code, since a Pi changes networks.
        local_name: Returns its name with ``.local``, "" where it has none.
        hotspot: The network it runs itself, or None.
        state: Folder where who joined and the cards that players bring are remembered;
            None for nowhere.
        streams: Event streams open at once, over all phones; 503 beyond.
        heartbeat_s: A silent stream says something at least this often; at most 15.
        joins_per_minute: From one address; 429 beyond.
        wrong_codes_per_minute: From one address; 429 beyond.
        wrong_codes_in_all: A minute, from all addresses together; 429 beyond.
        host_absent_s: A host not heard of for so long can be replaced by a player.
        new_code: Makes a code for joining.
        share_s: A rendered screen is shared by all who ask for it within so long; 0
            renders it for each.
        now_s: Monotonic seconds, for the limits above.
    """

    secret: bytes
    port: int = 8080
    names: tuple[str, ...] = ()
    interfaces: Callable[[], tuple[Interface, ...]] = own_interfaces
    local_name: Callable[[], str] = local_name
    hotspot: Hotspot | None = None
    state: Path | None = None
    streams: int = 64
    heartbeat_s: Seconds = 10.0
    joins_per_minute: int = 20
    wrong_codes_per_minute: int = 6
    wrong_codes_in_all: int = 40
    host_absent_s: Seconds = 600.0
    new_code: Callable[[], str] = random_code
    share_s: Seconds = 0.2
    now_s: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        problems = []
        if len(self.secret) < 16:
            problems.append("web secret: expected 16 bytes or more")
        if not 0.0 < self.heartbeat_s <= 15.0:
            problems.append(
                f"web heartbeat_s: expected above 0 and at most 15, "
                f"found {self.heartbeat_s}"
            )
        if self.streams < 1:
            problems.append(f"web streams: expected 1 or more, found {self.streams}")
        if problems:
            raise ConfigError(problems)


def keep_secret(folder: Path) -> bytes:
    """Return the key that signs cookies, made on the first call.

    Args:
        folder: The state folder; gets a file ``web-secret`` that only its owner reads.

    Raises:
        ConfigError: The file cannot be read or written.
    """
    path = folder / "web-secret"
    try:
        if path.exists() and len(kept := path.read_bytes()) >= SECRET_BYTES:
            return kept
        folder.mkdir(parents=True, exist_ok=True)
        made = secrets.token_bytes(SECRET_BYTES)
        write_atomic(path, made, OWNERS)
    except OSError as error:
        raise ConfigError(
            f"cannot keep the page's key in {folder}: {error.strerror}; "
            "check that the folder may be written"
        ) from error
    return made
