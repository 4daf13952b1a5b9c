"""The journal of one game night: a SQLite file, durable before anyone is told.

1. A transaction holds the events of one command; it is on disk (write-ahead log,
   ``synchronous=FULL``) before `append` returns.
2. Each row carries a check sum chained to the row before, so that a changed, lost or
   exchanged row is seen.
3. Beside it lies a saved fold (`saved.py`), so that a long night starts at once.
4. On a full disk what is there is still read, and events are taken again once there
   is room: a full disk must not keep the service from starting (pi-hole issue 6633).
"""

from __future__ import annotations

import errno
import logging
import shutil
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from device.errors import JournalDamaged, JournalError, JournalFull
from device.table.events import Event, parse_event

logger = logging.getLogger(__name__)

APPLICATION_ID: Final = 0x44696365
"""Marks the file as ours (``Dice``); shown by ``file``."""

FORMAT: Final = 1
"""``user_version`` of the file; goes up when the tables change."""

SUFFIX: Final = ".journal"

PAGE: Final = 1000
"""Events read in one go: under a megabyte."""

NO_ROOM: Final = (
    "SQLITE_FULL",
    "SQLITE_IOERR_WRITE",
    "SQLITE_IOERR_SHMOPEN",
    "SQLITE_IOERR_SHMSIZE",
)
"""SQLite's errors where a file cannot grow."""

UNCLEAR: Final = ("SQLITE_IOERR", "SQLITE_CANTOPEN")
"""Its errors that may mean the same."""

FULL: Final = "%s: the disk is full, nothing was recorded; free some space"

LEAST_BYTES: Final = 256 << 10
"""A disk with less room than this is full: SQLite's errors do not always say so."""

_SCHEMA: Final = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {FORMAT};
CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    chain INTEGER NOT NULL,
    command TEXT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX event_command ON event (command) WHERE command <> '';
"""


class Journal:
    """One open journal. Not for several threads at once: `Table` holds a lock.

    Attributes:
        is_tight: There was no room on the disk when it was opened.

    Args:
        path: The file; it is made if there is none.
        read_only: Open for looking only; a missing file is then an error.

    Raises:
        JournalError: Not our file, damaged, or not to be read or written.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._read_only = read_only
        self.is_tight = False
        self._connection = self._open()

    def append(self, events: Sequence[Event]) -> None:
        """Write events durably, all or none.

        Raises:
            JournalError: Refused (disk full, I/O error); nothing was recorded.
        """
        try:
            with self._connection as connection:
                connection.execute("BEGIN IMMEDIATE")
                chain = self._chain_before(events[0].seq)
                for event in events:
                    text = event.text()
                    chain = zlib.crc32(text.encode(), chain)
                    connection.execute(
                        "INSERT INTO event VALUES (?, ?, ?, ?)",
                        (event.seq, chain, event.command, text),
                    )
        except (sqlite3.Error, OSError) as error:
            self._reopen()
            raise _refusal(error, self.path) from error
        except JournalError:
            self._reopen()
            raise
        if self.is_tight:
            self._reopen()  # there is room again, also for those who read beside us

    def last(self) -> tuple[int, int]:
        """Return number and chained check sum of the last event, (0, 0) for none."""
        row = self._rows("SELECT seq, chain FROM event ORDER BY seq DESC LIMIT 1")
        return next(((int(seq), int(chain)) for seq, chain in row), (0, 0))

    def chain_at(self, seq: int) -> int | None:
        """Return the chained check sum of one event, None where there is none."""
        rows = self._rows("SELECT chain FROM event WHERE seq = ?", seq)
        return next((int(chain) for (chain,) in rows), None)

    def seqs_of(self, command: str) -> tuple[int, ...]:
        """Return the events that a command caused, () where it is not known."""
        rows = self._rows(
            "SELECT seq FROM event WHERE command = ? AND command <> '' ORDER BY seq",
            command,
        )
        return tuple(int(seq) for (seq,) in rows)

    def event(self, seq: int) -> Event | None:
        """Return one event, checked against its check sum; None where there is none.

        Raises:
            JournalError: It is damaged.
        """
        rows = self._rows("SELECT chain, body FROM event WHERE seq = ?", seq)
        for stored, body in rows:
            if zlib.crc32(str(body).encode(), self._chain_before(seq)) != stored:
                raise JournalDamaged(f"{self.path}: event {seq} is damaged")
            return parse_event(str(body))
        return None

    def read(self, after: int = 0) -> Iterator[Event]:
        """Yield the events after a number, each checked against its check sum.

        Raises:
            JournalError: The first row that is damaged, naming it.
        """
        chain = self._chain_before(after + 1)
        while rows := self._rows(
            "SELECT seq, chain, body FROM event WHERE seq > ? ORDER BY seq LIMIT ?",
            after,
            PAGE,
        ):
            for seq, stored, body in rows:
                chain = zlib.crc32(str(body).encode(), chain)
                if chain != stored:
                    raise JournalDamaged(f"{self.path}: event {seq} is damaged")
                yield parse_event(str(body))
            after = int(rows[-1][0])

    def verify(self) -> None:
        """Check the file's own structure (not the events; `read` does).

        Raises:
            JournalError: Saying what SQLite found.
        """
        found = self._rows("PRAGMA quick_check(1)")[0][0]
        if found != "ok":
            raise JournalDamaged(f"{self.path} is damaged: {found}")

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._connection.close()

    def _open(self) -> sqlite3.Connection:
        if self._read_only and not self.path.is_file():
            raise JournalError(f"{self.path}: no such journal")
        fresh = not self.path.exists()
        if not fresh and self.path.stat().st_size == 0:
            raise JournalDamaged(f"{self.path} is empty: its events are lost")
        self.is_tight = False
        try:
            return self._connected(fresh=fresh)
        except JournalFull:
            if fresh:
                # An empty file would be taken for a journal that lost its events.
                self.path.unlink(missing_ok=True)
            if fresh or self._read_only:
                raise
        self.is_tight = True
        return self._connected(alone=True)

    def _connected(
        self, *, fresh: bool = False, alone: bool = False
    ) -> sqlite3.Connection:
        """Return a connection.

        Args:
            fresh: There is no such file yet.
            alone: Do without the index that is shared with readers, which is a file.
        """
        mode = "ro" if self._read_only else "rwc"
        if (
            self._read_only
            and not self.path.with_name(self.path.name + "-wal").exists()
        ):
            # Nobody has it open, and a read-only folder could not hold the lock files.
            mode = "ro&immutable=1"
        try:
            connection = sqlite3.connect(
                f"file:{self.path.resolve().as_posix()}?mode={mode}",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
                timeout=2.0,
            )
        except (sqlite3.Error, OSError) as error:
            raise _refusal(error, self.path) from error
        try:
            if alone:
                connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._prepare(connection, fresh)
        except (sqlite3.Error, OSError) as error:
            connection.close()
            raise _refusal(error, self.path) from error
        except JournalError:
            connection.close()
            raise
        return connection

    def _prepare(self, connection: sqlite3.Connection, fresh: bool) -> None:
        if not self._read_only:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        if fresh:
            connection.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
        (ours,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if ours != APPLICATION_ID:
            raise JournalError(f"{self.path} is not a Dicelight journal")
        if version > FORMAT:
            raise JournalError(
                f"{self.path} was written by a later Dicelight: update this one"
            )
        connection.execute("SELECT seq FROM event LIMIT 1").fetchone()

    def _reopen(self) -> None:
        """Get rid of a transaction that failed half-way.

        A connection that met an I/O error may stay in an undefined state; a new one
        starts from what is really on the disk.
        """
        with suppress(sqlite3.Error):
            self._connection.close()
        with suppress(JournalError):
            self._connection = self._open()

    def _rows(self, query: str, *args: int | str) -> list[tuple[Any, ...]]:
        """Return all rows at once: a cursor left open would hold back the log."""
        try:
            return self._connection.execute(query, args).fetchall()
        except sqlite3.Error as error:
            raise _refusal(error, self.path) from error

    def _chain_before(self, seq: int) -> int:
        rows = self._rows(
            "SELECT chain FROM event WHERE seq < ? ORDER BY seq DESC LIMIT 1", seq
        )
        return next((int(chain) for (chain,) in rows), 0)


def _refusal(error: Exception, path: Path) -> JournalError:
    """Return the error with one line that says what is wrong and what to do."""
    code = getattr(error, "sqlite_errorname", "") or ""
    full = code in NO_ROOM or getattr(error, "errno", None) in (
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EFBIG,
    )
    full = full or (code.startswith(UNCLEAR) and _is_full(path))
    if full:
        return JournalFull(FULL % path)
    if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")) or (
        # SQLite's plain error about a table that should be there.
        code == "SQLITE_ERROR" and "no such table" in str(error)
    ):
        return JournalDamaged(f"{path} is damaged or no journal ({error})")
    if code.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM")):
        return JournalError(
            f"{path} cannot be opened for writing: check the folder's permissions"
        )
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return JournalError(f"{path} is in use by another program")
    return JournalError(f"{path}: {error}")


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < LEAST_BYTES
    except OSError:
        return False
