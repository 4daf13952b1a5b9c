"""The companion: commands in, snapshots out.

One lock gives all commands and rolls one order. Each is checked against the state,
written durably, applied, published. Without a camera all of it still works: faces
are typed in.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from device.board import Board
from device.decisions import Situation, decide
from device.errors import BadInput, JournalError, TableError
from device.faces import FaceBook
from device.games.game import missing
from device.ledger import Ledger
from device.nights import Nights
from device.parts import Parts
from device.photos import Photos
from device.rollbook import RollBook
from device.rolls import advise
from device.rules.dice import DiceSet
from device.table.codec import JSON
from device.table.events import Draft, Event
from device.table.journal import FULL
from device.table.state import Check
from device.table.table import Table
from device.table.view import Command, Live, Outcome, Snapshot

if TYPE_CHECKING:
    from device.lessons import Lessons
    from device.workshop import Workshop

__all__ = ["Command", "Companion", "Outcome", "Snapshot", "Tray"]

logger = logging.getLogger(__name__)

REMEMBERED: Final = 256
"""Outcomes of commands that left no event (a throw): enough for every phone's
retries; those with events are found in the journal."""

READINGS: Final = ("roll_read", "throw_seen")
"""Events of which a photograph may be kept."""

Deciding: TypeAlias = Callable[[Situation], Sequence[Draft]]


class Tray(Protocol):
    """The loop that watches the tray, as far as commands need it."""

    def throw(self, names: Sequence[str]) -> None:
        """Throw dice into a simulated tray."""
        ...

    def jpeg(self) -> bytes | None:
        """Return the newest picture of the tray."""
        ...


class Companion:
    """What is true at this table, for the page and for the loop.

    All methods may be called from any thread.

    Attributes:
        nights: The journals of this table.
        ledger: What the dice have shown.
        rolls: Every roll of a night.
        faces: What players know of the dice.
        lessons: Teaches dice, where that can be done.
        workshop: Sets the device up, where there is one.

    Args:
        table: Open.
        board: Where snapshots are published.
        parts: Status of the hardware.
        dice: The dice that a game, by its key, is played with.
        photos: Of accepted rolls.
        check_cue: Refuses a cue that the ruler cannot show for a game, with BadInput.
        faces: What players know of the dice; None keeps nothing of it.
    """

    def __init__(
        self,
        table: Table,
        board: Board,
        parts: Parts,
        *,
        dice: Callable[[str], DiceSet],
        photos: Photos,
        check_cue: Callable[[str, JSON], None] = lambda game, cue: None,
        faces: FaceBook | None = None,
    ) -> None:
        self.faces = faces or FaceBook(None, lambda: 0.0)
        self.parts = parts
        self.nights = Nights(table.path.parent)
        self.ledger = Ledger(self.nights)
        self.rolls = RollBook(self.nights)
        self._table = table
        self._board = board
        self._dice = dice
        self._photos = photos
        self._check_cue = check_cue
        self.lessons: Lessons | None = None
        self.workshop: Workshop | None = None
        self._tray: Tray | None = None
        self._deeds = dict(self.faces.deeds(lambda: self.dice))
        self._outcomes: OrderedDict[str, Outcome] = OrderedDict()
        if table.is_full:
            parts.fails("journal", FULL % table.path)
        else:
            parts.works("journal", notice=table.notice)
        self._advise()

    def attach(self, tray: Tray, *, can_throw: bool) -> None:
        """Let commands reach the tray's loop."""
        self._tray = tray
        self._board.set_live(can_throw=can_throw)

    @property
    def dice(self) -> DiceSet:
        """The dice in play, with the faces that players counted."""
        return self._dice(self._board.snapshot.state.game)

    def offer(self, deeds: Mapping[str, Callable[[Command], None]]) -> None:
        """Take commands that leave no event: about the dice, the camera, the strips.

        Args:
            deeds: By the command's name; each refuses with BadInput or TableError.
        """
        self._deeds.update(deeds)

    def throw(self, names: Sequence[str]) -> None:
        """Throw dice into a simulated tray.

        Raises:
            TableError: It is real, or dice are rolling in it.
        """
        tray = self._simulated()
        if self._board.snapshot.live.phase in ("moving", "settling"):
            raise TableError("the dice are still rolling", "still_rolling")
        tray.throw(names)

    def nudge(self) -> None:
        """Tell every phone that something beside the table has changed."""
        self._board.change_live(lambda live: replace(live, nudges=live.nudges + 1))

    # --- The page's side -----------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Return the newest snapshot; cheap."""
        return self._board.snapshot

    def wait_newer(self, version: str, timeout_s: float) -> Snapshot:
        """Return as soon as there is another version, or the newest at the timeout."""
        return self._board.wait_newer(version, timeout_s)

    def do(self, command: Command) -> Outcome:
        """Carry out a command, once, however often it is sent under one id.

        Raises:
            BadInput: Its name or an argument is wrong; `field` says which.
            TableError: It does not fit what is true now; `reason` is a key.
            JournalError: The disk refused; nothing changed.
        """
        with self._table.lock:
            done = self._done(command.id)
            if done is not None:
                return done
            if command.name == "throw":
                outcome = self._throw(command)
            elif command.name in self._deeds:
                self._deeds[command.name](command)
                self.nudge()
                outcome = Outcome(self._board.snapshot.version)
            else:
                events = self.record(
                    lambda now: decide(now, command.name, command.args),
                    by=command.by,
                    command=command.id,
                )
                outcome = Outcome(
                    self._board.snapshot.version, tuple(event.seq for event in events)
                )
            self._remember(command.id, outcome)
            return outcome

    def tray_jpeg(self) -> bytes | None:
        """Return the newest live picture, annotated; None before the first frame."""
        return self._tray.jpeg() if self._tray is not None else None

    def roll_jpeg(self, roll_id: str, seq: int = 0, night: str = "") -> bytes | None:
        """Return the photograph of an accepted roll, or None.

        Args:
            roll_id: Of the roll.
            seq: Event that tells of the reading; 0 for the one that counts now.
            night: Of another night; "" for this one, else `seq` has to be given.
        """
        seq = seq or self.reading_of(roll_id)
        night = night or self._board.snapshot.state.night
        return self._photos.load(night, roll_id, seq)

    def reading_of(self, roll_id: str) -> int:
        """Return the event that tells how a roll of this night was read; 0 for none."""
        for entry in reversed(self._board.snapshot.state.log):
            of_it = entry.kind in READINGS and entry.params.get("roll") == roll_id
            if of_it and not entry.undone:
                return entry.seq
        return 0

    # --- The loop's side -----------------------------------------------------------

    def record(
        self, decide: Deciding, *, by: str = "", command: str = ""
    ) -> tuple[Event, ...]:
        """Decide, write, apply and publish, as one step among all others.

        Args:
            decide: Looks at the situation and answers with drafts, or raises.
            by: Who caused it.
            command: Id of the command, or "".

        Raises:
            BadInput, TableError: As `decide` does; nothing changed.
            JournalError: The disk refused; nothing changed.
        """
        with self._table.lock:
            drafts = decide(self._situation())
            try:
                events = self._table.record(drafts, by=by, command=command)
            except JournalError as error:
                self.parts.fails("journal", str(error))
                raise
            if events:
                self.parts.works("journal", notice=self._table.notice)
                self._board.publish_state(self._table.state, self._table.seq)
                self._advise()
            return events

    def set_live(self, change: Callable[[Live], Live]) -> None:
        """Change the live tray and what is said about it."""
        with self._table.lock:
            self._board.change_live(
                lambda live: advise(replace(self._situation(), live=change(live)))
            )

    def keep_photo(self, roll_id: str, jpeg: bytes) -> None:
        """Keep the photograph of a roll's newest reading."""
        night, seq = self._board.snapshot.state.night, self.reading_of(roll_id)
        self._photos.save(night, roll_id, jpeg, seq)

    # --- Inside --------------------------------------------------------------------

    def _situation(self) -> Situation:
        fold = self._table.fold
        game = fold.content.game
        return Situation(
            fold=fold,
            live=self._board.snapshot.live,
            dice=self._dice(game),
            check_cue=partial(self._check_cue, game),
            step_below=self._table.step_below,
        )

    def _advise(self) -> None:
        self.set_live(lambda live: live)

    def _throw(self, command: Command) -> Outcome:
        """Throw the dice that the check still waits for."""
        if command.args:
            raise BadInput("throw takes no arguments", next(iter(command.args)))
        self._simulated()
        check = self._table.state.check
        if check is None:
            raise TableError("no check is open", "no_open_check")
        names = _to_throw(check)
        if not names:
            raise TableError("the check has its dice", "has_dice")
        self.throw(names)
        return Outcome(self._board.snapshot.version)

    def _simulated(self) -> Tray:
        if self._tray is None or not self._board.snapshot.live.can_throw:
            raise TableError(
                "only a simulated tray throws by itself", "no_simulated_tray"
            )
        return self._tray

    def _done(self, command_id: str) -> Outcome | None:
        """Return what came of a command that was sent before."""
        if not command_id:
            return None
        if command_id in self._outcomes:
            return self._outcomes[command_id]
        seqs = self._table.seqs_of(command_id)
        return Outcome(self._board.snapshot.version, seqs) if seqs else None

    def _remember(self, command_id: str, outcome: Outcome) -> None:
        if command_id:
            self._outcomes[command_id] = outcome
            while len(self._outcomes) > REMEMBERED:
                self._outcomes.popitem(last=False)


def _to_throw(check: Check) -> list[str]:
    """Return the dice that a check still waits for, or has to have thrown again."""
    dice = check.roll.dice if check.roll else ()
    if check.status == "unsure":
        return [die.die for die in dice if die.status != "ok"]
    wants = missing(check.wants, dice)
    return [want.die for want in wants for _ in range(want.count)]
