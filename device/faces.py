"""Faces that players counted on their own dice, laid over the shipped dice set.

What the sources do not say of the printed dice the players fill in: which faces there
are, how many of each. Every change is kept, so that any can be taken back.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from device.durable import write_atomic
from device.errors import BadInput, JournalError, RulesError, TableError
from device.rules.dice import SIDES, DiceSet, Die
from device.table.codec import JSON, from_json, to_json
from device.table.view import Command

logger = logging.getLogger(__name__)

KEPT: Final = 100
"""Changes that can be taken back; a die takes a dozen at most."""

MOST_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Counted:
    """One die as somebody counted it.

    Attributes:
        die: Its name in the set.
        faces: ``(key, sides that show it)``, in the order entered.
        verified: Somebody holds that every side has been counted.
        by: Who.
        at_s: When, seconds since the epoch.
    """

    die: str
    faces: tuple[tuple[str, int], ...]
    verified: bool
    by: str
    at_s: float

    @property
    def sides(self) -> int:
        """How many sides have been counted."""
        return sum(count for _, count in self.faces)


Changes: TypeAlias = tuple[Counted, ...]


class FaceBook:
    """What players know of the dice of every set; safe from any thread.

    Args:
        folder: Where the changes are kept, one file a set; None for nowhere.
        wall_s: Seconds since the epoch.
    """

    def __init__(self, folder: Path | None, wall_s: Callable[[], float]) -> None:
        self._folder = folder
        self._wall_s = wall_s
        self._lock = threading.RLock()
        self._shipped: dict[str, DiceSet] = {}
        self._changes: dict[str, Changes] = {}
        self._laid: dict[str, DiceSet] = {}

    def over(self, shipped: DiceSet) -> DiceSet:
        """Return a shipped set with the faces that players counted; cheap."""
        name = shipped.name
        with self._lock:
            if self._shipped.get(name) is not shipped:
                self._shipped[name] = shipped
                self._changes[name] = _load(self._path(name))
                self._lay(name)
            return self._laid[name]

    def last(self, dice: str, die: str) -> Counted | None:
        """Return what was last entered of a die of a set, or None."""
        found = [one for one in self._changes.get(dice, ()) if one.die == die]
        return found[-1] if found else None

    def may_change(self, dice: str, die: str) -> bool:
        """Say whether a die's faces are for the players to fill in."""
        every = self._shipped[dice].dice if dice in self._shipped else ()
        known = next((one for one in every if one.name == die), None)
        return known is not None and not known.verified and not known.sides

    def deeds(
        self, in_play: Callable[[], DiceSet]
    ) -> dict[str, Callable[[Command], None]]:
        """Return the commands, for `Companion.offer`.

        Args:
            in_play: The set that they are about.
        """
        return {
            "set_faces": lambda command: self.set_faces(in_play().name, command),
            "undo_faces": lambda command: self.undo_faces(in_play().name, command),
        }

    def set_faces(self, dice: str, command: Command) -> None:
        """Take the faces of a die: ``die``, ``faces`` (key to count), ``verified``.

        Raises:
            BadInput: An unknown die or face, a wrong count.
            TableError: This die's faces are known already.
            JournalError: They could not be kept; nothing changed.
        """
        name, faces = command.args.get("die"), command.args.get("faces")
        verified = command.args.get("verified", False)
        shipped = self._shipped[dice]
        if not isinstance(name, str) or name not in {one.name for one in shipped.dice}:
            raise BadInput("expected a die of the set", "die")
        if not self.may_change(dice, name):
            raise TableError("the faces of this die are known", "faces_known")
        if not isinstance(faces, Mapping) or not isinstance(verified, bool):
            raise BadInput("expected faces with their counts", "faces")
        die = shipped.die(name)
        counts = {key: _count(key, count) for key, count in faces.items()}
        counted = tuple((key, count) for key, count in counts.items() if count)
        for key, _ in counted:
            try:
                die.face(key)
            except RulesError as error:
                raise BadInput(str(error), "faces") from error
        made = Counted(name, counted, verified, command.by, round(self._wall_s(), 3))
        sides = SIDES[die.shape]
        if made.sides > sides:
            raise TableError(f"a {die.shape} has {sides} sides", "too_many_sides")
        if verified and made.sides != sides:
            raise TableError("not every side has been counted", "sides_missing")
        self._keep(dice, (*self._changes[dice], made)[-KEPT:])

    def undo_faces(self, dice: str, command: Command) -> None:
        """Take the last change of a die back: ``die``.

        Raises:
            TableError: There is none.
            JournalError: That could not be kept; nothing changed.
        """
        last = self.last(dice, str(command.args.get("die")))
        if last is None:
            raise TableError("there is nothing to undo", "nothing_to_undo")
        self._keep(dice, tuple(one for one in self._changes[dice] if one is not last))

    def _keep(self, dice: str, changes: Changes) -> None:
        path = self._path(dice)
        with self._lock:
            if path is not None:
                text = json.dumps(to_json(changes), ensure_ascii=False, indent=1)
                try:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    write_atomic(path, text.encode())
                except OSError as error:
                    raise JournalError(
                        f"{path} cannot be written: {error.strerror}"
                    ) from error
            self._changes[dice] = changes
            self._lay(dice)

    def _lay(self, name: str) -> None:
        shipped = self._shipped[name]
        dice = tuple(
            _with_faces(die, counted)
            if self.may_change(name, die.name)
            and (counted := self.last(name, die.name))
            else die
            for die in shipped.dice
        )
        self._laid[name] = replace(shipped, dice=dice)

    def _path(self, dice: str) -> Path | None:
        return None if self._folder is None else self._folder / f"{dice}-faces.json"


def _with_faces(die: Die, counted: Counted) -> Die:
    """Return a die with the faces that somebody counted, beside those known before."""
    whole = counted.sides == SIDES[die.shape]
    known = {key: count for key, count in counted.faces}
    faces = tuple(replace(die.face(key), count=known[key]) for key in known)
    others = () if whole else tuple(one for one in die.faces if one.key not in known)
    sides = tuple(key for key, count in counted.faces for _ in range(count))
    return Die(
        name=die.name,
        shape=die.shape,
        colour=die.colour,
        faces=(*faces, *others),
        sides=sides if whole else (),
        complete=whole or die.complete,
        verified=whole and counted.verified,
        source=f"counted at this table by {counted.by}",
    )


def _count(key: object, value: JSON) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise BadInput(f"expected a whole number of sides for {key!r}", "faces")
    return value


def _load(path: Path | None) -> Changes:
    """Return the changes kept in a file; a damaged one is left aside and said."""
    if path is None or not path.exists():
        return ()
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError("too large")
        rows: Any = json.loads(path.read_text("utf-8"))
        return tuple(from_json(Counted, row) for row in rows)
    except (OSError, ValueError, TypeError, KeyError) as error:
        logger.warning("%s is left aside: %s", path, error)
        return ()
