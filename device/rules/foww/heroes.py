"""Leaders and dog handlers (rulebook 2PB-002-111 §6.1 p.50-51)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from device.rules.answer import Answer
from device.rules.fields import needed
from device.rules.step import step


@dataclass(frozen=True, slots=True, kw_only=True)
class Aura(Answer):
    """Whether an ability reaches another model.

    Attributes:
        applies: It does.
        reason: None, `faction`, `not_dog`, `reaction`, `already_used`, `range` or
            `los`.
        hero: The target counts as a hero.
        search_rating: Rating with which it may search; None if not by this ability.

    Source: rulebook 2PB-002-111 §6.1 p.50-51.
    """

    applies: bool
    reason: str | None
    hero: bool
    search_rating: int | None


def aura(
    ability: str,
    same_faction: bool = False,
    radius: bool = False,
    distance: Fraction | None = None,
    presence: Fraction | None = None,
    los: bool = False,
    target_type: str | None = None,
    handler_hero: bool = False,
    already_used: bool = False,
    phase: str = "activation",
    per: int | None = None,
) -> Aura:
    """Return whether a leader's or dog handler's ability reaches a model.

    Args:
        ability: `leader` or `dog_handler`.
        same_faction: Target and source share the faction.
        radius: A radius ability; a dog handler's always is.
        distance: Between the two, mm; needed with a radius.
        presence: Length of the presence range, mm; needed with a radius.
        los: Line of sight between them.
        target_type: Kind of the target; needed for a dog handler.
        handler_hero: The dog handler is a hero.
        already_used: Another dog had it since the handler's last activation.
        phase: `activation` or `reaction`.
        per: Perception of the dog; needed where the handler's ability applies.

    Raises:
        BadInput: A field that the answer needs is missing.

    Source: rulebook 2PB-002-111 §6.1 p.50-51.
    """
    handler = ability == "dog_handler"
    reason = None
    if not same_faction:
        reason = "faction"
    elif handler:
        reason = _handler_reason(target_type, phase, already_used)
    if reason is None and (radius or handler):
        reason = _radius_reason(distance, presence, los)
    applies = reason is None
    rating = needed(per, "per") if applies and handler else None
    rule = {"range": "radius", "los": "line_of_sight"}.get(reason or "", ability)
    variant = "none" if reason == "los" else reason or "applies"
    return Aura(
        applies=applies,
        reason=reason,
        hero=applies and handler and handler_hero,
        search_rating=rating,
        steps=(step(f"{rule}.{variant}"),),
    )


def _handler_reason(
    target_type: str | None, phase: str, already_used: bool
) -> str | None:
    if needed(target_type, "target_type") != "dog":
        return "not_dog"
    if phase == "reaction":
        return "reaction"
    return "already_used" if already_used else None


def _radius_reason(
    distance: Fraction | None, presence: Fraction | None, los: bool
) -> str | None:
    if needed(distance, "distance") > needed(presence, "presence"):
        return "range"
    return None if los else "los"
