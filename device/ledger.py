"""Counts of all dice over the nights, each night's journal read once."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from contextlib import closing

from device.errors import DicelightError
from device.fairness import Tally, tally
from device.nights import Nights

logger = logging.getLogger(__name__)


class Ledger:
    """Remembers what was counted; safe from any thread.

    Args:
        nights: The journals.
    """

    def __init__(self, nights: Nights) -> None:
        self._nights = nights
        self._lock = threading.Lock()
        self._known: dict[str, tuple[int, dict[str, Tally]]] = {}

    def tonight(self, night: str, seq: int) -> dict[str, Tally]:
        """Return this night's counts, by die.

        Args:
            night: Its id.
            seq: Its last event: counted anew where that has changed.

        Raises:
            JournalError: The journal cannot be read.
        """
        with self._lock:
            known = self._known.get(night)
            if known is None or known[0] != seq:
                with closing(self._nights.read(night)) as events:
                    known = (seq, tally(events))
                self._known[night] = known
            return known[1]

    def all_nights(self, night: str, seq: int) -> tuple[dict[str, Tally], int]:
        """Return the counts of every night, and how many nights could not be read."""
        added: dict[str, Tally] = {}
        lost = 0
        for name in self._nights.names():
            try:
                counts = self.tonight(name, seq if name == night else -1)
            except DicelightError as error:
                logger.warning("night %s is not counted: %s", name, error)
                lost += 1
                continue
            _add(added, counts.items())
        return added, lost


def _add(added: dict[str, Tally], counts: Iterable[tuple[str, Tally]]) -> None:
    for die, count in counts:
        added.setdefault(die, Tally()).add(count)
