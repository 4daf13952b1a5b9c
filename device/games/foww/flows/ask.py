"""What a flow asks and what it is answered, and how a script of a flow puts it.

A script is a generator: it yields an ask, is sent the reply, and goes on. Everything
that it knows comes from its scene and its replies, so the same replies always lead to
the same place: that is how a flow is kept, shown, taken back and put right.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from device.games.foww.flows.view import Choice, Param
from device.rules.dice import EFFECT_COLOURS, face_icons
from device.rules.foww.icons import EffectDie
from device.table.codec import JSON
from device.table.state import EMPTY

Kind = TypeVar("Kind")

YES, NO, DONE = "yes", "no", "done"


@dataclass(frozen=True, slots=True)
class Choose:
    """One of several answers, or any number of them.

    Attributes:
        step: Key in `QUESTIONS`.
        choices: What may be answered.
        params: What fills the question's sentence.
        several: Any number of them, none included.
        skip: Answer of those who do not want it, "" where there is none.
    """

    step: str
    choices: tuple[Choice, ...]
    params: Mapping[str, Param] = field(default_factory=lambda: EMPTY)
    several: bool = False
    skip: str = ""


@dataclass(frozen=True, slots=True)
class Amount:
    """A whole number, `low` to `high`; `start` stands in the field."""

    step: str
    low: int
    high: int
    start: int
    params: Mapping[str, Param] = field(default_factory=lambda: EMPTY)


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice: a check with these arguments of `open_check`."""

    step: str
    args: Mapping[str, JSON]
    params: Mapping[str, Param] = field(default_factory=lambda: EMPTY)


Ask: TypeAlias = Choose | Amount | Throw


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered to one ask.

    Attributes:
        step: Of the ask; "" for changes by hand.
        chosen: Keys of the choices.
        number: The amount.
        dice: Thrown, ``(die, face)``.
        check: Id of their check.
        override: The rules refused it; a person decided.
        hand: What somebody changed beside the flow since the reply before; None for
            an answer.
    """

    step: str = ""
    chosen: tuple[str, ...] = ()
    number: int | None = None
    dice: tuple[tuple[str, str], ...] = ()
    check: str = ""
    override: bool = False
    hand: Mapping[str, JSON] | None = None


Script: TypeAlias = Generator[Ask, Reply, Kind]


@dataclass(frozen=True, slots=True)
class Dice:
    """Faces of a throw, as the rules take them."""

    faces: tuple[tuple[str, str], ...]

    def face(self, die: str) -> str | None:
        """Return the face of the first die of a name, None without one."""
        return next((face for name, face in self.faces if name == die), None)

    @property
    def effects(self) -> tuple[EffectDie, ...]:
        """The effect dice."""
        return tuple(
            EffectDie(name, face_icons(face))
            for name, face in self.faces
            if name in EFFECT_COLOURS
        )

    def icons(self, die: str) -> tuple[str, ...]:
        """Return the icons on the first die of a colour, none without one."""
        face = self.face(die)
        return face_icons(face) if face is not None else ()


# --- How scripts ask ----------------------------------------------------------------


def choose(
    step: str, choices: Iterable[Choice], *, skip: str = "", **params: Any
) -> Script[str]:
    """Ask for one of these and return its key."""
    reply = yield Choose(step, tuple(choices), params, skip=skip)
    return reply.chosen[0]


def pick(step: str, keys: Sequence[str], **params: Any) -> Script[str]:
    """Ask for one of these words and return its key."""
    return (yield from choose(step, [Choice(key) for key in keys], **params))


def is_so(step: str, **params: Any) -> Script[bool]:
    """Ask whether it is so; skipping says no."""
    choices = (Choice(YES), Choice(NO))
    return (yield from choose(step, choices, skip=NO, **params)) == YES


def several(step: str, choices: Iterable[Choice], **params: Any) -> Script[list[str]]:
    """Ask for any of these and return their keys, in the order of the choices."""
    asked = tuple(choices)
    reply = yield Choose(step, asked, params, several=True)
    return [choice.key for choice in asked if choice.key in reply.chosen]


def go_on(step: str, **params: Any) -> Script[None]:
    """Wait until somebody says that it is done on the table."""
    yield Choose(step, (Choice(DONE),), params, skip=DONE)


def amount(step: str, low: int, high: int, start: int, **params: Any) -> Script[int]:
    """Ask for a whole number."""
    reply = yield Amount(step, low, high, start, params)
    assert reply.number is not None
    return reply.number


def throw(step: str, args: Mapping[str, JSON], **params: Any) -> Script[Dice]:
    """Ask for dice and return what they show."""
    reply = yield Throw(step, args, params)
    return Dice(reply.dice)
