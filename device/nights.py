"""Nights: the journals of a table, read beside the one that is being written."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from pathlib import Path

from device.errors import BadInput
from device.table import journal as journals
from device.table.events import Event
from device.table.journal import Journal
from device.table.table import find_nights


class Nights:
    """Reads journals; safe from any thread, each reading opens the file anew.

    Args:
        folder: Where the journals lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> tuple[str, ...]:
        """Return the ids of all nights, oldest first."""
        return tuple(
            path.name.removesuffix(journals.SUFFIX)
            for path in find_nights(self._folder)
        )

    def read(self, night: str, after: int = 0) -> Generator[Event, None, None]:
        """Return the events of a night after a number.

        Raises:
            BadInput: There is no such night.
            JournalError: While reading: damaged, or not to be read.
        """
        if night not in self.names():
            raise BadInput(f"there is no night {night!r}", "night")
        return self._events(self._folder / f"{night}{journals.SUFFIX}", after)

    def event(self, night: str, seq: int) -> Event | None:
        """Return one event, or None where there is none of that number.

        Raises:
            BadInput: There is no such night.
            JournalError: Damaged, or not to be read.
        """
        if seq < 1:
            return None
        with closing(self.read(night, seq - 1)) as events:
            found = next(events, None)
        return found if found is not None and found.seq == seq else None

    def size(self, night: str) -> int:
        """Return the bytes that a night's journal takes; 0 where it is gone."""
        try:
            return (self._folder / f"{night}{journals.SUFFIX}").stat().st_size
        except OSError:
            return 0

    @staticmethod
    def _events(path: Path, after: int) -> Generator[Event, None, None]:
        journal = Journal(path, read_only=True)
        try:
            yield from journal.read(after)
        finally:
            journal.close()
