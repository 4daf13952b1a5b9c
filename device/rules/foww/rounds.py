"""Rounds, turns and who begins (rulebook 2PB-002-111 §2.6 p.13-14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.step import step


@dataclass(frozen=True, slots=True)
class Marked:
    """A model and its state.

    Attributes:
        id: Its name in this question.
        state: `unready`, `ready` or `activated`.

    Source: rulebook 2PB-002-111 §2.6 p.13.
    """

    id: str
    state: str


@dataclass(frozen=True, slots=True)
class Counts:
    """Models left on each side.

    Source: rulebook 2PB-002-111 §2.6 p.13.
    """

    a: int
    b: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Advantage(Answer):
    """Who holds the advantage token: `a`, `b` or `random`.

    Source: rulebook 2PB-002-111 §2.6 p.13.
    """

    holder: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Answer):
    """A player's turn.

    Attributes:
        allowed: The turn is legal.
        reason: None, `no_turn`, `must_ready`, `not_unready` or `must_activate`.
        activated: Models that act now, in order.
        models: All his models afterwards; unchanged if not allowed.

    Source: rulebook 2PB-002-111 §2.6 p.13-14.
    """

    allowed: bool
    reason: str | None
    activated: tuple[str, ...]
    models: tuple[Marked, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnd(Answer):
    """Whether the round is over.

    Source: rulebook 2PB-002-111 §2.6 p.13.
    """

    round_over: bool


def advantage(round: int, counts: Counts, holder: str | None = None) -> Advantage:
    """Return who holds the advantage token in a round.

    Args:
        round: Number of the round, from 1.
        counts: Models left on each side.
        holder: Who holds the token now; None for nobody.

    Source: rulebook 2PB-002-111 §2.6 p.13.
    """
    if counts.a != counts.b:
        fewer = "a" if counts.a < counts.b else "b"
        return Advantage(holder=fewer, steps=(step("advantage", side=fewer),))
    if round <= 1 or holder is None:
        return Advantage(holder="random", steps=(step("advantage.random"),))
    other = "b" if holder == "a" else "a"
    return Advantage(holder=other, steps=(step("advantage.passed", side=other),))


def turn(
    models: Sequence[Marked], ready: str | None = None, activate: bool = False
) -> Turn:
    """Return a player's turn: one model readied, then none or all ready ones act.

    Args:
        models: His models.
        ready: The unready model that he makes ready; None for none.
        activate: He activates all ready models.

    Raises:
        BadInput: A model that is not his.

    Source: rulebook 2PB-002-111 §2.6 p.13-14.
    """
    by_id = {model.id: model for model in models}
    if ready is not None and ready not in by_id:
        raise BadInput(f"there is no model {ready!r}", "ready")
    states = [model.state for model in models]
    after = tuple(
        replace(model, state="ready") if model.id == ready else model
        for model in models
    )
    reason = None
    if all(state == "activated" for state in states):
        reason = "no_turn"
    elif ready is None and "unready" in states:
        reason = "must_ready"
    elif ready is not None and by_id[ready].state != "unready":
        reason = "not_unready"
    elif not activate and all(model.state != "unready" for model in after):
        reason = "must_activate"
    if reason is not None:
        return Turn(
            allowed=False,
            reason=reason,
            activated=(),
            models=tuple(models),
            steps=(step(f"turn.{reason}"),),
        )
    steps = [step("ready", id=ready)] if ready is not None else []
    acting = tuple(m.id for m in after if m.state == "ready") if activate else ()
    steps += [step("activation", id=name) for name in acting]
    return Turn(
        allowed=True,
        reason=None,
        activated=acting,
        models=tuple(
            replace(model, state="activated") if model.id in acting else model
            for model in after
        ),
        steps=tuple(steps),
    )


def round_end(models: Sequence[Marked]) -> RoundEnd:
    """Return whether a round is over: every model of both sides is activated.

    Source: rulebook 2PB-002-111 §2.6 p.13.
    """
    over = all(model.state == "activated" for model in models)
    return RoundEnd(
        round_over=over, steps=(step("round.over" if over else "round.on"),)
    )
