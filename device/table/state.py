"""What is true at one table, as immutable values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from device.table.army import Armies, Model
from device.table.codec import JSON, digest

EMPTY: Mapping[str, JSON] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Want:
    """So many dice of one name that a check asks for.

    Attributes:
        die: Name in the dice set: ``skill``, ``armour``, ``black``, ...
        count: 1 or more.
    """

    die: str
    count: int


@dataclass(frozen=True, slots=True)
class RolledDie:
    """One die of a roll.

    Attributes:
        id: Unique within its roll: the tracker's id, or ``h1``, ``h2`` for dice
            typed in by hand.
        die: Name in the dice set.
        face: Face key, or None where nothing could be offered.
        status: ``ok``, ``unsure`` or ``cocked``.
        confidence: 0..1; 1 for a face that a person gave.
        box: ``(x, y, w, h)`` in pixels of the roll's photograph, or None.
        by: ``camera`` or ``hand``: who gave `face`.
        alternatives: Faces with confidences, most likely first.
        corrected_from: Face that the camera had read, where a person changed it.
        doubted: A second look saw another face; only a person, or another throw,
            settles it.
    """

    id: str
    die: str
    face: str | None
    status: str = "ok"
    confidence: float = 1.0
    box: tuple[float, float, float, float] | None = None
    by: str = "camera"
    alternatives: tuple[tuple[str, float], ...] = ()
    corrected_from: str | None = None
    doubted: bool = False


@dataclass(frozen=True, slots=True)
class Roll:
    """The dice of one throw, read and accepted in the terms of the rules.

    Attributes:
        id: Unique in the night, ``r17``; names its photograph as well.
        dice: In the order of the check's wants.
        photo: True where a photograph was taken.
    """

    id: str
    dice: tuple[RolledDie, ...]
    photo: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """A question to the dice.

    Attributes:
        id: Unique in the night: ``c17``.
        kind: One of the game's kinds: ``skill_check``, ``armour_check``, ...
        given: What the player entered, as `open_check` took it.
        wants: Dice to throw, in the order shown; empty where none is needed.
        status: ``waiting`` for dice, ``unsure`` about a face, or ``resolved``.
        rating: Adjusted rating to reach, or None where none can be given.
        notes: Steps already taken on opening (modifiers, pool cap), each
            ``{"rule", "text", "params"}``.
        roll: The dice so far; typed in one by one it may be incomplete.
    """

    id: str
    kind: str
    given: Mapping[str, JSON]
    wants: tuple[Want, ...]
    status: str = "waiting"
    rating: int | None = None
    notes: tuple[Mapping[str, JSON], ...] = ()
    roll: Roll | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """A check that is over, with its result (None where it was closed before)."""

    check: Check
    result: Mapping[str, JSON] | None = None


@dataclass(frozen=True, slots=True)
class Cue:
    """What the ruler shows.

    Attributes:
        cue: The JSON of a cue: ``{"band": "red"}``, ``{"length_mm": 203}``, ...
    """

    cue: Mapping[str, JSON]


@dataclass(frozen=True, slots=True)
class Applied:
    """A model that was given the damage of a check.

    Attributes:
        check: Id of the check.
        before: The model before it.
        after: The model with its damage.
        times: How often it was given; more than once only by hand.
    """

    check: str
    before: Model
    after: Model
    times: int = 1


@dataclass(frozen=True, slots=True)
class Content:
    """What undo restores, exactly.

    Attributes:
        check: Open or resolved check, until it is closed or another one opened.
        result: Output of the rules for `check`, steps included, once resolved.
        last: The check before, with its result; its dice can still be corrected.
        offer: Arguments for `open_check` that follow from the result (the armour
            check after a hit), or None.
        ruler: Lit cue, or None.
        seen: Last throw that no check had asked for, where such throws are kept.
        armies: Both sides with all their tokens.
        applied: Models that the newest check to hit any has hit.
        game: Key of the game in play.
        sheet: What the game keeps beside: objects by id, which only it understands.
        parked: Tables of other games of this night, as they were left; none of them
            holds others.
    """

    check: Check | None = None
    result: Mapping[str, JSON] | None = None
    last: Finished | None = None
    offer: Mapping[str, JSON] | None = None
    ruler: Cue | None = None
    seen: Roll | None = None
    armies: Armies = field(default_factory=Armies)
    applied: tuple[Applied, ...] = ()
    game: str = "foww"
    sheet: Mapping[str, JSON] = field(default_factory=lambda: EMPTY)
    parked: tuple[Content, ...] = ()


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the table's log.

    Attributes:
        seq: Event that it tells of.
        at_s: Seconds since the epoch, by the device's clock.
        by: Name of the player, ``camera``, ``panel`` or "".
        kind: Kind of the event: ``check_opened``, ``roll_read``, ...
        params: What a sentence about it needs.
        amended: True where it changes something told earlier.
        undone: True once it was taken back.
    """

    seq: int
    at_s: float
    by: str
    kind: str
    params: Mapping[str, JSON] = field(default_factory=lambda: EMPTY)
    amended: bool = False
    undone: bool = False


@dataclass(frozen=True, slots=True)
class TableState:
    """All that is true at the table, published as one.

    Attributes:
        night: Id of the game night.
        content: What undo restores; its fields are properties here.
        log: Newest last; the journal holds the whole of it.
        can_undo: There is something that `undo` would take back.
        undo_from: Oldest event down to which one `undo` can take everything back;
            0 where it takes back one step at a time.
        can_redo: There is something that `redo` would bring back.
    """

    night: str = ""
    content: Content = field(default_factory=Content)
    log: tuple[LogEntry, ...] = ()
    can_undo: bool = False
    undo_from: int = 0
    can_redo: bool = False

    @property
    def game(self) -> str:
        """Key of the game in play."""
        return self.content.game

    @property
    def sheet(self) -> Mapping[str, JSON]:
        """What the game keeps beside."""
        return self.content.sheet

    @property
    def check(self) -> Check | None:
        """Open or resolved check."""
        return self.content.check

    @property
    def result(self) -> Mapping[str, JSON] | None:
        """Output of the rules for `check`, once resolved."""
        return self.content.result

    @property
    def last(self) -> Finished | None:
        """The check before."""
        return self.content.last

    @property
    def offer(self) -> Mapping[str, JSON] | None:
        """Arguments for the check that follows from the result."""
        return self.content.offer

    @property
    def ruler(self) -> Cue | None:
        """Lit cue."""
        return self.content.ruler

    @property
    def seen(self) -> Roll | None:
        """Last throw that no check had asked for."""
        return self.content.seen

    @property
    def armies(self) -> Armies:
        """Both sides with all their tokens."""
        return self.content.armies


def state_hash(state: TableState) -> str:
    """Return the state's SHA-256: equal states, equal hashes, on every machine."""
    return digest(state)
