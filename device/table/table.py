"""One table: its journal and what is true, kept in step.

`Table.record` is the only way anything becomes true: the events are written durably,
then applied, in one order. A journal that was damaged is set aside, never deleted,
and the night goes on from what could be saved.
"""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from device.durable import write_atomic
from device.errors import JournalDamaged, JournalError, JournalFull
from device.table import journal as journals
from device.table.codec import to_json
from device.table.events import Draft, Event, make_event
from device.table.fold import Fold, Step, apply, fold_events, steps_below
from device.table.journal import Journal
from device.table.saved import SUFFIX, Saved, load_fold, save_fold
from device.table.state import TableState
from device.units import Seconds

logger = logging.getLogger(__name__)

SAVE_EVERY: Final = 500
"""Events between two saved folds: folding so many again takes a few hundredths of a
second, and an evening writes the file only a handful of times."""

PAUSE_S: Final[Seconds] = 16 * 3600.0
"""Nobody plays on after so long a pause: the next start begins a new night. Long, for
the clock of a Pi without a network may jump by some hours."""

VERIFY_BYTES: Final = 32 << 20
"""Journals up to this size have their whole structure checked at start; longer ones
only what the last saved fold does not cover, else the start would take seconds."""


class Table:
    """What is true at one table, and the only one who may change it.

    Args:
        journal: Open for writing.
        fold: All of its events.
        table: Id of this device's table.
        wall_s: Seconds since the epoch.
        notice: What had to be repaired at start, or "".
    """

    def __init__(
        self,
        journal: Journal,
        fold: Fold,
        *,
        table: str,
        wall_s: Callable[[], float],
        notice: str = "",
    ) -> None:
        self.notice = notice
        self.lock = threading.RLock()
        self._journal = journal
        self._fold = fold
        self._table = table
        self._wall_s = wall_s
        self._saved_at = fold.seq
        self._below: list[Step] = []

    @property
    def state(self) -> TableState:
        """What is true now."""
        return self._fold.state

    @property
    def fold(self) -> Fold:
        """What is true now, with all that undo needs."""
        return self._fold

    def step_below(self) -> Step | None:
        """Return the step under those that undo keeps, None where there is none.

        The whole journal is read for it, and some more steps are kept for the next.

        Raises:
            JournalError: It cannot be read.
        """
        with self.lock:
            if not self._below:
                events = tuple(self._journal.read())
                self._below = list(steps_below(events, len(self._fold.past)))
            return self._below[-1] if self._below else None

    @property
    def is_full(self) -> bool:
        """Whether there was no room on the disk; the next event tries again."""
        return self._journal.is_tight

    @property
    def seq(self) -> int:
        """Number of the last event."""
        return self._fold.seq

    @property
    def path(self) -> Path:
        """The journal's file."""
        return self._journal.path

    def seqs_of(self, command: str) -> tuple[int, ...]:
        """Return the events that a command caused; () where it is not known."""
        with self.lock:
            return self._journal.seqs_of(command) if command else ()

    def record(
        self, drafts: Sequence[Draft], *, by: str = "", command: str = ""
    ) -> tuple[Event, ...]:
        """Make drafts true: on disk first, then applied; all or none.

        Raises:
            JournalError: The disk refused; nothing changed.
        """
        with self.lock:
            fold, events = self._fold, []
            for draft in drafts:
                event = make_event(
                    draft,
                    table=self._table,
                    night=fold.night,
                    seq=fold.seq + 1,
                    at_s=round(self._wall_s(), 3),
                    by=by,
                    command=command,
                )
                fold = apply(fold, event)
                events.append(event)
            if not events:
                return ()
            self._journal.append(events)
            self._forget_below(events)
            self._fold = fold
            if fold.seq - self._saved_at >= SAVE_EVERY:
                self.save()
            return tuple(events)

    def _forget_below(self, events: Sequence[Event]) -> None:
        """Keep the steps below only while nothing but undo happens."""
        for event in events:
            if self._below and event.data.get("seqs") == (self._below[-1].seq,):
                self._below.pop()
            else:
                self._below = []

    def save(self) -> None:
        """Save the fold for a quick start; a refusal is logged, nothing is lost."""
        with self.lock:
            try:
                seq, chain = self._journal.last()
                if seq == self._fold.seq:
                    save_fold(saved_path(self.path), Saved(self._fold, chain))
                self._saved_at = seq
            except JournalError as error:
                self._saved_at = self._fold.seq
                logger.warning("the state was not saved beside the journal: %s", error)

    def close(self) -> None:
        """Save and close; may be called twice."""
        with self.lock:
            if self._fold.seq != self._saved_at:
                self.save()
            self._journal.close()


def saved_path(path: Path) -> Path:
    """Return where the saved fold of a journal lies."""
    return path.with_name(path.name.removesuffix(journals.SUFFIX) + SUFFIX)


# --- Opening -----------------------------------------------------------------------


def open_table(
    folder: Path, *, game: str, wall_s: Callable[[], float], new_night: bool = False
) -> Table:
    """Open the newest night of a state folder, or begin one.

    A night whose last event is more than `PAUSE_S` old is over. A clock that stands
    before that event says nothing: then the night goes on.

    Args:
        folder: State folder, made if missing; nights lie in its ``nights``.
        game: Key of the game, for a night that begins.
        wall_s: Seconds since the epoch.
        new_night: Begin one even where another could go on.

    Raises:
        JournalError: The folder or the file cannot be used.
    """
    nights = folder / "nights"
    try:
        nights.mkdir(parents=True, exist_ok=True)
        table = _table_id(folder)
        known = find_nights(nights)
    except OSError as error:
        raise JournalError(f"{folder} cannot be written: {error.strerror}") from error
    if new_night or not known:
        return _begun(_new_night_path(nights, wall_s()), game, table, wall_s)
    fold, journal, notice = _open_night(known[-1])
    if fold.seq == 0:
        journal.close()
        return _begun(known[-1], game, table, wall_s, notice)
    if fold.log and wall_s() - fold.log[-1].at_s > PAUSE_S:
        try:
            # What had to be repaired in the old night is still worth knowing.
            path = _new_night_path(nights, wall_s())
            opened = _begun(path, game, table, wall_s, notice)
            journal.close()
            return opened
        except JournalFull as error:
            logger.error("no new night, the last one goes on: %s", error)
    return Table(journal, fold, table=table, wall_s=wall_s, notice=notice)


def find_nights(nights: Path) -> tuple[Path, ...]:
    """Return the journals in a folder, oldest first; a lost one by its saved fold."""
    names = {
        path.name.removesuffix(suffix)
        for suffix in (journals.SUFFIX, SUFFIX)
        for path in nights.glob(f"*{suffix}")
    }
    return tuple(nights / (name + journals.SUFFIX) for name in sorted(names))


def read_night(path: Path) -> Fold:
    """Return a journal folded from its first event, trusting no saved fold.

    Raises:
        JournalError: Missing or damaged; the message names the first bad event.
    """
    journal = Journal(path, read_only=True)
    try:
        journal.verify()
        return fold_events(journal.read())
    finally:
        journal.close()


def _begun(
    path: Path, game: str, table: str, wall_s: Callable[[], float], notice: str = ""
) -> Table:
    """Begin a night in a journal without events.

    Raises:
        JournalError: It cannot be written; a journal that was new is gone again.
    """
    is_new = not path.exists()
    journal = Journal(path)
    fold = Fold(table=table, night=path.name.removesuffix(journals.SUFFIX))
    opened = Table(journal, fold, table=table, wall_s=wall_s, notice=notice)
    try:
        opened.record([Draft("night_started", {"game": game})])
    except JournalError:
        journal.close()
        if is_new:
            path.unlink(missing_ok=True)
        raise
    return opened


def _open_night(path: Path) -> tuple[Fold, Journal, str]:
    """Open a night, repairing it where it is damaged."""
    saved = load_fold(saved_path(path))
    if not path.exists() and saved is not None:
        return _rebuilt(path, saved, f"{path.name} was missing", ())
    try:
        journal = Journal(path)
    except JournalDamaged as error:
        return _repaired(path, saved, str(error))
    try:
        return _caught_up(journal, saved), journal, ""
    except JournalDamaged as error:
        journal.close()
        return _repaired(path, saved, str(error))


def _caught_up(journal: Journal, saved: Saved | None) -> Fold:
    """Fold a sound journal, from its saved fold where that fits.

    Raises:
        JournalDamaged: It is damaged, or shorter than what was saved.
    """
    if journal.path.stat().st_size <= VERIFY_BYTES:
        journal.verify()
    last, _ = journal.last()
    if saved is not None and saved.fold.seq > last:
        raise JournalDamaged(
            f"{journal.path} ends at event {last}, but {saved.fold.seq} were recorded"
        )
    if saved is None or journal.chain_at(saved.fold.seq) != saved.chain:
        return fold_events(journal.read())
    return fold_events(journal.read(after=saved.fold.seq), saved.fold)


def _repaired(path: Path, saved: Saved | None, why: str) -> tuple[Fold, Journal, str]:
    """Go on from what can be saved of a damaged journal, which is kept aside."""
    events = _readable(path)
    kept = f"{why}; the old file is kept as {_aside(path).name}"
    return _rebuilt(path, saved, kept, events)


def _rebuilt(
    path: Path, saved: Saved | None, why: str, events: Sequence[Event]
) -> tuple[Fold, Journal, str]:
    """Write a new journal from readable events and the saved fold, then swap it in.

    The new file is finished before the old one is moved: a full disk in between
    leaves everything as it was.
    """
    fold = fold_events(events)
    if saved is not None and saved.fold.seq > fold.seq:
        restored = _restored(saved.fold, why)
        events, fold = [*events, restored], apply(fold, restored)
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    journal = Journal(draft)
    if events:
        journal.append(events)
    journal.close()
    _set_aside(path)
    draft.rename(path)
    notice = f"{why}; the night goes on from event {fold.seq}"
    logger.error("%s", notice)
    return fold, Journal(path), notice


def _restored(fold: Fold, why: str) -> Event:
    """Return a saved fold as an event, so that the journal alone is the truth again."""
    return make_event(
        Draft("state_restored", {"fold": to_json(fold), "log": {"why": why}}),
        table=fold.table,
        night=fold.night,
        seq=fold.seq + 1,
        at_s=fold.log[-1].at_s if fold.log else 0.0,
        by="",
        command="",
    )


def _readable(path: Path) -> list[Event]:
    """Return the events before the first damage."""
    events: list[Event] = []
    with suppress(JournalError):
        journal = Journal(path, read_only=True)
        try:
            fold = Fold()
            for event in journal.read():
                fold = apply(fold, event)
                events.append(event)
        except JournalError as error:
            logger.warning("reading the damaged journal stops: %s", error)
        finally:
            journal.close()
    return events


def _aside(path: Path) -> Path:
    """Return the name, not yet used, that a damaged journal is kept under."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    return aside


def _set_aside(path: Path) -> None:
    """Rename a journal, with what SQLite keeps beside it."""
    aside = _aside(path)
    for ending in ("", "-wal", "-shm"):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(aside.with_name(aside.name + ending))


def _new_night_path(nights: Path, wall_s: float) -> Path:
    """Return a file name from the date that sorts after all others."""
    stem = datetime.fromtimestamp(wall_s, UTC).strftime("%Y%m%d-%H%M%S")
    known = find_nights(nights)
    if known and known[-1].name >= stem + journals.SUFFIX:
        # A Pi without a network may wake up in the past.
        stem = known[-1].name.removesuffix(journals.SUFFIX) + "a"
    return nights / (stem + journals.SUFFIX)


def _table_id(folder: Path) -> str:
    path = folder / "table.id"
    with suppress(FileNotFoundError):
        if text := path.read_text().strip():
            return text
    text = uuid.uuid4().hex
    write_atomic(path, text.encode())
    return text
