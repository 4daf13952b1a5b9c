"""Who belongs to the table: the devices that joined, their host, the code, the tokens.

All of it lies in one file of the state folder, written whole at every change, so that
devices stay joined over a restart. Keys and tokens are kept as hashes only.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from device.durable import OWNERS, write_atomic
from device.errors import BadInput, ConfigError, TableError
from device.table.army import SIDES
from web.language import marked as N_

logger = logging.getLogger(__name__)

FILE: Final = "web-people.json"
CODE_DIGITS: Final = 6
"""Digits are on every phone's keyboard, whatever its language; wrong tries are few a
minute, so a million codes are enough."""

MOST_PEOPLE: Final = 500
MOST_TOKENS: Final = 20
TOKEN_MARK: Final = "dicelight-"
"""How a token begins, so that people and secret scanners know it."""


class Role(StrEnum):
    """What a visitor may do: players act, spectators look."""

    PLAYER = "player"
    SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class Visitor:
    """A device that joined, or a program with a token.

    Attributes:
        id: Random; names the device in command ids and in the stream budget.
        name: As typed when joining.
        role: Player or spectator.
        side: Side of the table that it plays: ``a``, ``b``, or "" for none.
        is_host: It invites and removes others; always a player.
    """

    id: str
    name: str
    role: Role
    side: str = ""
    is_host: bool = False

    @property
    def may_act(self) -> bool:
        """Whether commands of this device are taken."""
        return self.role is Role.PLAYER


@dataclass(frozen=True, slots=True)
class Token:
    """A right to read for programs, given by the host.

    Attributes:
        id: Random.
        name: What the host called it.
    """

    id: str
    name: str


@dataclass(slots=True)
class _Book:
    """What is kept on disk."""

    code: str
    host: str = ""
    people: list[Visitor] = field(default_factory=list)
    tokens: list[Token] = field(default_factory=list)
    hashes: dict[str, str] = field(default_factory=dict)


def random_code() -> str:
    """Return a new code for joining."""
    return f"{secrets.randbelow(10**CODE_DIGITS):0{CODE_DIGITS}d}"


def kept_code(folder: Path) -> str | None:
    """Return the code of the table whose state lies in a folder, None where none does.

    Nothing is written: the folder may be in use.
    """
    book = _read(folder / FILE)
    return book.code if book is not None else None


class People:
    """The devices that joined; safe from several threads.

    Attributes:
        revision: Counts every change of who belongs to the table and as what.

    Args:
        folder: State folder, or None to keep nothing.
        new_code: Makes a code for joining.
    """

    def __init__(
        self, folder: Path | None, new_code: Callable[[], str] = random_code
    ) -> None:
        self.revision = 0
        self._path = folder / FILE if folder is not None else None
        self._new_code = new_code
        self._lock = threading.RLock()
        self._changed: Callable[[], None] = lambda: None
        self._book = _read(self._path) or _Book(new_code())
        self._keep()

    def on_change(self, told: Callable[[], None]) -> None:
        """Have a function called after every change."""
        self._changed = told

    @property
    def code(self) -> str:
        """What a stranger must say to join."""
        return self._book.code

    def everyone(self) -> tuple[Visitor, ...]:
        """Return all that joined, in that order."""
        with self._lock:
            return tuple(map(self._seen, self._book.people))

    def find(self, visitor_id: str, key: str) -> Visitor | None:
        """Return the device with an id, where its key is right."""
        with self._lock:
            found = self._named(visitor_id)
            if found is None or not self._fits(visitor_id, key):
                return None
            return self._seen(found)

    # --- Coming and going ----------------------------------------------------------

    def join(self, name: str, role: Role, side: str = "") -> tuple[Visitor, str]:
        """Let a device in; the first player becomes the host.

        Returns:
            The device, and the key that it has to show from now on.

        Raises:
            TableError: The table is full.
        """
        with self._lock:
            if len(self._book.people) >= MOST_PEOPLE:
                raise TableError("too many devices have joined", "table_full")
            made = Visitor(secrets.token_hex(8), name, role, side)
            self._book.people.append(made)
            key = self._new_key(made.id)
            self._keep()
            logger.info("a %s joined", role)
            return self._seen(made), key

    def change(self, visitor_id: str, name: str, role: Role, side: str) -> Visitor:
        """Give a device another name, role or side."""
        with self._lock:
            at = self._book.people.index(self._must(visitor_id))
            changed = Visitor(visitor_id, name, role, side)
            self._book.people[at] = changed
            self._keep()
            return self._seen(changed)

    def leave(self, visitor_id: str) -> None:
        """Forget a device."""
        with self._lock:
            self._book.people.remove(self._must(visitor_id))
            self._book.hashes.pop(visitor_id, None)
            self._keep()

    def remove(self, visitor_id: str) -> None:
        """Forget a device and change the code, which it knows.

        Raises:
            BadInput: There is no such device.
        """
        with self._lock:
            self._book.code = self._another_code()
            self.leave(visitor_id)

    def hand_over(self, visitor_id: str) -> None:
        """Make another player the host.

        Raises:
            BadInput: There is no such player.
        """
        with self._lock:
            if not self._must(visitor_id).may_act:
                raise BadInput(N_("Only a player can be the host."), "person")
            self._book.host = visitor_id
            self._keep()

    def renew_code(self) -> None:
        """Change the code; whoever has joined stays."""
        with self._lock:
            self._book.code = self._another_code()
            self._keep()

    def renew_key(self, visitor_id: str) -> str:
        """Return a new key for a device; the old one is nothing any more."""
        with self._lock:
            self._must(visitor_id)
            key = self._new_key(visitor_id)
            self._keep()
            return key

    # --- Programs ------------------------------------------------------------------

    def tokens(self) -> tuple[Token, ...]:
        """Return the tokens, oldest first."""
        with self._lock:
            return tuple(self._book.tokens)

    def make_token(self, name: str) -> str:
        """Return a new token; it is told this once and never again.

        Raises:
            TableError: There are too many.
        """
        with self._lock:
            if len(self._book.tokens) >= MOST_TOKENS:
                raise TableError("too many tokens; revoke one", "too_many_tokens")
            made = Token(secrets.token_hex(4), name)
            self._book.tokens.append(made)
            key = self._new_key(made.id)
            self._keep()
            return f"{TOKEN_MARK}{made.id}-{key}"

    def revoke_token(self, token_id: str) -> None:
        """Make a token worthless.

        Raises:
            BadInput: There is no such token.
        """
        with self._lock:
            kept = [one for one in self._book.tokens if one.id != token_id]
            if len(kept) == len(self._book.tokens):
                raise BadInput(N_("There is no such token."), "program")
            self._book.tokens = kept
            self._book.hashes.pop(token_id, None)
            self._keep()

    def reader(self, token: str) -> Visitor | None:
        """Return the program that a token stands for, or None."""
        token_id, _, key = token.removeprefix(TOKEN_MARK).partition("-")
        with self._lock:
            for one in self._book.tokens:
                if one.id == token_id and self._fits(token_id, key):
                    return Visitor(one.id, one.name, Role.SPECTATOR)
        return None

    # --- Inside --------------------------------------------------------------------

    def _seen(self, one: Visitor) -> Visitor:
        return replace(one, is_host=one.id == self._book.host)

    def _named(self, visitor_id: str) -> Visitor | None:
        return next((one for one in self._book.people if one.id == visitor_id), None)

    def _must(self, visitor_id: str) -> Visitor:
        found = self._named(visitor_id)
        if found is None:
            raise BadInput(N_("Nobody of that kind has joined."), "person")
        return found

    def _another_code(self) -> str:
        made = self._new_code()
        while made == self._book.code:
            made = self._new_code()
        return made

    def _new_key(self, owner: str) -> str:
        key = secrets.token_urlsafe(24).replace("-", "_")
        self._book.hashes[owner] = _hash(key)
        return key

    def _fits(self, owner: str, key: str) -> bool:
        return hmac.compare_digest(self._book.hashes.get(owner, ""), _hash(key))

    def _keep(self) -> None:
        """See that there is a host, write everything, tell of the change."""
        self.revision += 1
        players = [one.id for one in self._book.people if one.may_act]
        if self._book.host not in players:
            self._book.host = players[0] if players else ""
        if self._path is not None:
            try:
                _write(self._path, self._book)
            except OSError as error:  # a full disk: better play on than turn away
                logger.error("who joined was not kept in %s: %s", self._path, error)
        self._changed()


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _read(path: Path | None) -> _Book | None:
    """Return what was kept; what cannot be understood is put aside."""
    if path is None or not path.exists():
        return None
    try:
        data: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return _Book(
            code=str(data["code"]),
            host=str(data["host"]),
            people=[_person(one) for one in data["people"]],
            tokens=[Token(str(one["id"]), str(one["name"])) for one in data["tokens"]],
            hashes={str(owner): str(key) for owner, key in data["hashes"].items()},
        )
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        logger.warning("%s cannot be read (%s): everybody joins anew", path, error)
        return None


def _person(data: dict[str, Any]) -> Visitor:
    side = str(data["side"])
    return Visitor(
        str(data["id"]),
        str(data["name"]),
        Role(data["role"]),
        side if side in SIDES else "",
    )


def _write(path: Path, book: _Book) -> None:
    """Replace the file, durably."""
    text = json.dumps(asdict(book), ensure_ascii=False, indent=1)
    write_atomic(path, text.encode(), OWNERS)
