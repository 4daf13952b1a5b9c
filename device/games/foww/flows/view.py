"""What a page shows of the guided flow, as immutable values.

One page can draw every flow: a question, its choices (those that the rules refuse with
the reason), a number, or dice to throw; what was answered so far; what lies on the
ruler. Commands that go with it: ``flow_begin``, ``flow_choose``, ``flow_skip``,
``flow_back``, ``flow_resume`` and ``flow_cancel``, see `commands` beside this module.

English sentences: `words.FLOWS`, `words.QUESTIONS`, `words.ANSWERS`, `words.REASONS`,
by the keys below; the page translates them. Open points: `device.games.foww.readings`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from device.table.cards import CardName
from device.table.codec import JSON
from device.table.state import EMPTY, Want


@dataclass(frozen=True, slots=True)
class Thing:
    """Something with a name of its own: a model, a weapon, an item.

    Attributes:
        name: On its card.
        number: Which model of its unit, 0 where the unit has one, or for a card.
        side: ``a`` or ``b`` for a model, "" for a card.
        model: Id of the model, "" for a card.
    """

    name: CardName
    number: int = 0
    side: str = ""
    model: str = ""


Param: TypeAlias = "Thing | str | int"
"""What fills a gap in a sentence: a thing, a key of `words.ANSWERS`, a number."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One possible answer.

    Attributes:
        key: As ``flow_choose`` takes it in ``choose`` (or in the list ``choose``).
        thing: What it is, where it has a name of its own.
        words: Else the words are ``ANSWERS[words]``, or ``ANSWERS[key]`` without any.
        number: What fills a ``{number}`` in the words.
        why_not: Key in `REASONS` where the rules refuse it ("" where they do not);
            ``override`` takes it all the same, and the log says so.
    """

    key: str
    thing: Thing | None = None
    why_not: str = ""
    words: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """A step that is over.

    Attributes:
        step: Key in `QUESTIONS`.
        section: Of the rulebook, ``§2.8 p.16``.
        params: For the question's sentence.
        chosen: What was chosen; several where the question allowed it.
        number: What was typed, None where no number was asked.
        faces: Dice thrown, ``(die, face)``.
        check: Id of the check, "" without one.
        steps: What the rules made of it, each ``{"rule", "key", "text", "params"}``.
        open: Open points of the rulebook whose reading changed the result.
        override: Key in `REASONS`: the rules refused, a person decided.
    """

    step: str
    section: str = ""
    params: Mapping[str, Param] = field(default_factory=lambda: EMPTY)
    chosen: tuple[Choice, ...] = ()
    number: int | None = None
    faces: tuple[tuple[str, str], ...] = ()
    check: str = ""
    steps: tuple[Mapping[str, JSON], ...] = ()
    open: tuple[str, ...] = ()
    override: str = ""


@dataclass(frozen=True, slots=True)
class FlowView:
    """The flow at hand, at its current step.

    Attributes:
        kind: Key in `FLOWS`: ``shoot``, ``charge``, ...
        id: Of this flow.
        who: Whose flow it is, None for one of the whole table.
        quick: It is a quick action.
        asks: ``choice`` (one of `choices`), ``several`` (any of them), ``number``,
            ``dice`` (a check is open, see `check`), ``lost`` (its check was closed by
            hand: ``flow_resume`` opens it again), ``stuck`` (a model that it needs has
            gone: only ``flow_cancel`` helps) or ``over``.
        step: Key in `QUESTIONS`; "" when over.
        section: Of the rulebook.
        params: For the question's sentence.
        choices: For ``choice`` and ``several``.
        low: Smallest number.
        high: Largest number.
        start: Number that the field starts with.
        wants: Dice that are asked for.
        check: Id of the open check.
        told: Steps so far, first one first.
        can_skip: ``flow_skip`` answers for those who do not want it.
        can_back: There is an answer that ``flow_back`` takes back.
    """

    kind: str
    id: str
    who: Thing | None = None
    quick: bool = False
    asks: str = "over"
    step: str = ""
    section: str = ""
    params: Mapping[str, Param] = field(default_factory=lambda: EMPTY)
    choices: tuple[Choice, ...] = ()
    low: int = 0
    high: int = 0
    start: int = 0
    wants: tuple[Want, ...] = ()
    check: str = ""
    told: tuple[Told, ...] = ()
    can_skip: bool = False
    can_back: bool = False


@dataclass(frozen=True, slots=True)
class Beginning:
    """A flow that may be begun now: what ``flow_begin`` takes.

    Attributes:
        kind: Key in `FLOWS`.
        model: Id of the model, "" for the whole table.
        quick: As a quick action, for an action point.
        why_not: Key in `REASONS` where the rules refuse it, "" where they do not.
    """

    kind: str
    model: str = ""
    quick: bool = False
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class TurnView:
    """Where the turn stands, for the head of the page.

    Attributes:
        round: From 1.
        side: Whose turn it is, "" while nobody knows.
        active: The model that is being activated, or None.
        actions: Actions that it has left.
        ap: Its action points.
        used: AP-use icons spent in this activation.
        effects: Item cards in force on it, each a name with the tokens or columns left.
        contacts: Models in contact with it.
        beginnings: What may be begun now, in the order in which to offer it.
    """

    round: int
    side: str = ""
    active: Thing | None = None
    actions: int = 0
    ap: int = 0
    used: tuple[str, ...] = ()
    effects: tuple[tuple[CardName, int], ...] = ()
    contacts: tuple[Thing, ...] = ()
    beginnings: tuple[Beginning, ...] = ()


@dataclass(frozen=True, slots=True)
class Beside:
    """What lies beside a model that is no token of its own.

    Attributes:
        effects: Item cards in force on it, each a name with the tokens or columns left.
        charges: Charges collected, by the weapon that needs them.
        contacts: Models in contact with it.
    """

    effects: tuple[tuple[CardName, int], ...] = ()
    charges: tuple[tuple[CardName, int], ...] = ()
    contacts: tuple[Thing, ...] = ()
