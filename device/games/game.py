"""A game as the table needs it: its checks, its commands, its dice.

What all games share (rolls, undo, corrections, the ruler) is `device.decisions`; what
one game means is a `Game`, entered in `device.games.registry`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from device.table.codec import JSON, to_json
from device.table.events import Draft
from device.table.state import EMPTY, Check, Content, RolledDie, Want

Args: TypeAlias = Mapping[str, JSON]

DARK: Final[Mapping[str, JSON]] = {"off": True}
"""A cue that turns the ruler off."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the rules say of a check.

    Attributes:
        result: Their output with ``kind`` (the question asked) and all ``steps``,
            those from opening the check first; None where a face is doubtful.
        offer: Arguments of the check that follows, or None.
        sheet: What changes on the game's sheet, see `sheet_change`; None for nothing.
        cue: What the ruler shows from now on, `DARK` for nothing; None as before.
    """

    result: Mapping[str, JSON] | None = None
    offer: Mapping[str, JSON] | None = None
    sheet: Mapping[str, JSON] | None = None
    cue: Mapping[str, JSON] | None = None


Open: TypeAlias = Callable[[Content, Args, str], tuple[Check, Answer]]
"""From the arguments of `open_check` and the new check's id: the check, already
answered where it needs no dice. Raises BadInput, naming the argument."""

Resolve: TypeAlias = Callable[[Content, Check, Sequence[RolledDie]], Answer]
"""From a complete roll without doubtful dice. Raises BadInput if the rules refuse.

A die may be put right later: then it is asked again, with a sheet that its first
answer has changed already. What it changes must follow from the check as it was
opened (`Check.given`), never from what the sheet has become."""

Deed: TypeAlias = Callable[[Content, int, Args], Sequence[Draft]]
"""A command: from what is true, the next event's number and the arguments."""

Corrected: TypeAlias = Callable[
    [Content, Check, Mapping[str, JSON] | None], Mapping[str, JSON]
]
"""More data for the event that puts a die of this check right, given its new result;
``kept`` names what was left as it is and goes to the log."""


Rolled: TypeAlias = Callable[[Content, Check, int], Mapping[str, JSON]]
"""More data for the event that gives a check (with its roll) its result: ``models``,
``table``, ``sheet``, ``cue`` and ``next``, the check that is open from then on;
``kept`` goes to the log, and ``follows``, a sentence of the game's own (``said`` and
what it needs). From the content before, and the event's number."""


@dataclass(frozen=True, slots=True)
class CheckKind:
    """One kind of question to the dice."""

    open: Open
    resolve: Resolve


def keep_all(
    content: Content, check: Check, result: Mapping[str, JSON] | None
) -> Mapping[str, JSON]:
    """Change nothing but the result when a die is put right."""
    return EMPTY


def follows_nothing(content: Content, check: Check, seq: int) -> Mapping[str, JSON]:
    """Change nothing but the result when a check is resolved."""
    return EMPTY


@dataclass(frozen=True, slots=True)
class Game:
    """A game.

    Attributes:
        key: ``foww``, ...: names its rules and its data as well.
        dice_sets: Names of the shipped dice sets that serve it; the first unless the
            config asks for another.
        checks: By kind, in the order in which the page offers them.
        commands: By name, each with the arguments it takes (None: it looks itself).
        sides: Sides that players take, as its models or figures have them; none where
            everybody plays for themselves or together.
        corrected: What follows from a corrected die.
        rolled: What follows from a result, also from one put right.
    """

    key: str
    dice_sets: tuple[str, ...]
    checks: Mapping[str, CheckKind]
    commands: Mapping[str, tuple[Deed, tuple[str, ...] | None]] = field(
        default_factory=dict
    )
    sides: tuple[str, ...] = ()
    corrected: Corrected = keep_all
    rolled: Rolled = follows_nothing


def sheet_change(
    set_: Mapping[str, JSON] | None = None, drop: Sequence[str] = ()
) -> dict[str, JSON]:
    """Return a change of the sheet as events carry it.

    Args:
        set_: Entries that are new or replaced, by id.
        drop: Ids of entries that go; ids that are not there do not matter.
    """
    return {"set": dict(set_ or {}), "drop": list(drop)}


def sheet_draft(
    said: str,
    set_: Mapping[str, JSON] | None = None,
    drop: Sequence[str] = (),
    **params: JSON,
) -> Draft:
    """Return the event that changes the sheet.

    Args:
        said: What the log says of it: a key of the game's sentences.
        set_: As `sheet_change` takes it.
        drop: As `sheet_change` takes it.
        **params: What the sentence needs.
    """
    log = {"said": said, **params}
    return Draft("sheet_changed", {"sheet": sheet_change(set_, drop), "log": log})


def check_draft(check: Check, answer: Answer) -> Draft:
    """Return the event that opens a check."""
    log = {"check": check.kind, "rating": check.rating}
    data = {"check": to_json(check), **answered(answer), "log": log}
    return Draft("check_opened", data)


def answered(answer: Answer) -> dict[str, JSON]:
    """Return an answer as data of the event that brings it."""
    data = {"result": to_json(answer.result), "offer": to_json(answer.offer)}
    if answer.sheet is not None:
        data["sheet"] = to_json(answer.sheet)
    if answer.cue is not None:
        data["cue"] = to_json(answer.cue)
    return data


def missing(wants: Sequence[Want], dice: Sequence[RolledDie]) -> tuple[Want, ...]:
    """Return what is still wanted beside some dice."""
    left = (
        Want(want.die, want.count - sum(die.die == want.die for die in dice))
        for want in wants
    )
    return tuple(want for want in left if want.count > 0)
