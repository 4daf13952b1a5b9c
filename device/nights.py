"""Nights: the journals of a table, read beside the one that is being written."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

from device.errors import BadInput
from device.table import journal as journals
from device.table.events import Event
from device.table.journal import Journal
from device.table.table import find_nights

MOST: Final = 1 << 53
"""No night has so many events, and no column of a journal holds many more."""


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
        return self._events(self._path(night), after)

    def event(self, night: str, seq: int) -> Event | None:
        """Return one event, or None where there is none of that number.

        Raises:
            BadInput: There is no such night.
            JournalError: Damaged, or not to be read.
        """
        return self.events(night, (seq,)).get(seq)

    def events(self, night: str, seqs: Iterable[int]) -> dict[int, Event]:
        """Return some events by number, those that there are.

        Raises:
            BadInput: There is no such night.
            JournalError: Damaged, or not to be read.
        """
        journal = Journal(self._path(night), read_only=True)
        with closing(journal):
            found = {seq: journal.event(seq) for seq in seqs if 0 < seq < MOST}
        return {seq: event for seq, event in found.items() if event is not None}

    def size(self, night: str) -> int:
        """Return the bytes that a night's journal takes; 0 where it is gone."""
        try:
            return (self._folder / f"{night}{journals.SUFFIX}").stat().st_size
        except OSError:
            return 0

    def _path(self, night: str) -> Path:
        if night not in self.names():
            raise BadInput(f"there is no night {night!r}", "night")
        return self._folder / f"{night}{journals.SUFFIX}"

    @staticmethod
    def _events(path: Path, after: int) -> Generator[Event, None, None]:
        journal = Journal(path, read_only=True)
        try:
            yield from journal.read(after)
        finally:
            journal.close()
