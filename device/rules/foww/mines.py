"""Mines (rulebook 2PB-002-111 §5.3 p.46)."""

from __future__ import annotations

from dataclasses import dataclass

from device.rules.answer import Answer
from device.rules.fields import needed
from device.rules.step import step


@dataclass(frozen=True, slots=True, kw_only=True)
class MinePlaced(Answer):
    """A mine being placed.

    Source: rulebook 2PB-002-111 §5.3 p.46.
    """

    allowed: bool
    armed: bool
    provocation: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MineArmed(Answer):
    """A mine at the start of its owner's next turn.

    Source: rulebook 2PB-002-111 §5.3 p.46.
    """

    armed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MineEvent(Answer):
    """Whether something sets a mine off.

    Source: rulebook 2PB-002-111 §5.3 p.46.
    """

    triggers: bool


def place_mine(engaged: bool = False) -> MinePlaced:
    """Return whether a model may place a mine: with a move action, unengaged.

    Source: rulebook 2PB-002-111 §5.3 p.46.
    """
    key = "mine.engaged" if engaged else "mine.placed"
    return MinePlaced(
        allowed=not engaged, armed=False, provocation=not engaged, steps=(step(key),)
    )


def arm_mine() -> MineArmed:
    """Return a mine at the start of its owner's next turn: armed.

    Source: rulebook 2PB-002-111 §5.3 p.46.
    """
    return MineArmed(armed=True, steps=(step("mine.armed"),))


def mine_event(
    armed: bool = False, model: str | None = None, event: str | None = None
) -> MineEvent:
    """Return whether a model sets a mine off.

    Args:
        armed: The mine is armed.
        model: `enemy` or `friendly` of its owner; only enemies set it off. Needed if
            the mine is armed.
        event: `ends_action_inside`, `passes_through` or `outside`; needed for an
            enemy at an armed mine.

    Raises:
        BadInput: A field that the answer needs is missing.

    Source: rulebook 2PB-002-111 §5.3 p.46.
    """
    enemy = armed and needed(model, "model") == "enemy"
    triggers = enemy and needed(event, "event") != "outside"
    key = "mine.triggers" if triggers else "mine.safe"
    return MineEvent(triggers=triggers, steps=(step(key),))
