"""Who is asking: a device that joined, remembered in a signed cookie."""

from __future__ import annotations

import secrets
import threading
import unicodedata
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from flask import session

from device.errors import BadInput
from web.language import marked as N_

NAME_LENGTH = 24
"""Letters of a name; longer ones do not fit beside a log line on a phone."""

WINDOW_S = 60.0
KEYS_KEPT = 1024
"""Addresses remembered by a rate limit; the oldest is forgotten first."""


class Role(Enum):
    """What a visitor may do: players act, spectators look."""

    PLAYER = "player"
    SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A device that joined.

    Attributes:
        id: Random; names the device in command ids and in the stream budget.
        name: As typed when joining, 1 to `NAME_LENGTH` letters.
        role: Player or spectator.
    """

    id: str
    name: str
    role: Role

    @property
    def may_act(self) -> bool:
        """Whether commands of this device are taken."""
        return self.role is Role.PLAYER


def visitor() -> Visitor | None:
    """Return who asks, or None where this device has not joined."""
    try:
        return Visitor(
            str(session["id"]), str(session["name"]), Role(session.get("role"))
        )
    except (KeyError, ValueError):
        return None


def join(name: str, role: str) -> Visitor:
    """Let this device in, or change its name or role; keeps its id.

    Raises:
        BadInput: No name, or no such role; `field` says which.
    """
    shown = " ".join(
        "".join(
            letter
            for letter in unicodedata.normalize("NFC", name)
            if unicodedata.category(letter)[0] != "C"
        ).split()
    )
    if not 1 <= len(shown) <= NAME_LENGTH:
        raise BadInput(N_("Please type a name of 1 to 24 letters."), "name")
    if role not in {known.value for known in Role}:
        raise BadInput(N_("Please choose: player or spectator."), "role")
    session.permanent = True
    session.setdefault("id", secrets.token_hex(8))
    session["name"] = shown
    session["role"] = role
    return Visitor(session["id"], shown, Role(role))


def leave() -> None:
    """Forget this device."""
    session.clear()


class Rate:
    """At most so many times a minute for each key; safe from several threads."""

    def __init__(self, per_minute: int, now_s: Callable[[], float]) -> None:
        self._per_minute = per_minute
        self._now_s = now_s
        self._lock = threading.Lock()
        self._times: dict[str, deque[float]] = {}

    def allow(self, key: str) -> bool:
        """Count one more try; False where the minute is full."""
        now = self._now_s()
        with self._lock:
            times = self._times.setdefault(key, deque())
            while times and now - times[0] >= WINDOW_S:
                times.popleft()
            if len(times) >= self._per_minute:
                return False
            times.append(now)
            while len(self._times) > KEYS_KEPT:
                self._times.pop(next(iter(self._times)))
            return True
