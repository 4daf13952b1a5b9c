"""Provocations and reactions (rulebook §4.4 p.41-42, §6.1 p.51)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from device.rules.answer import Answer
from device.rules.fields import needed
from device.rules.step import Step, plain, step

FAR_EVENTS = ("move", "charge", "attack")
"""Noticed within two awareness lengths, §4.4 p.41."""

UNSEEN_EVENTS = ("attack", "hit_on_self")
"""Provoke without line of sight, §4.4 p.41."""

NEVER_FOR_MODELS = ("overwatch", "unused_action", "free_attack")
NEVER_FOR_TURRETS = ("hit_on_self", "hit_on_friend", "free_attack")


@dataclass(frozen=True, slots=True)
class Event:
    """What an enemy did.

    Attributes:
        kind: `move`, `charge`, `attack`, `overwatch`, `noncombat`, `other_action`,
            `unused_action`, `hit_on_self`, `hit_on_friend` or `free_attack`.
        battle_cry_won: The charger won its battle cry.
        charge_target_is_observer: The observer is the charged model.

    Source: rulebook 2PB-002-111 §4.4 p.41-42.
    """

    kind: str
    battle_cry_won: bool = False
    charge_target_is_observer: bool = False


@dataclass(frozen=True, slots=True)
class Observer:
    """A model or turret that might react.

    Attributes:
        type: `model` or `turret`.
        awareness: Length of its awareness range, mm.
        reaction_tokens: Reaction tokens on it; needed if it is provoked.
        distance: Distance to what happened, mm; needed where it matters.
        engaged: It is engaged.
        engaged_with_provoker: With the one who provoked.
        took_damage: The event damaged it.
        los: Line of sight to the provoker.

    Source: rulebook 2PB-002-111 §4.4 p.41-42.
    """

    type: str
    awareness: Fraction
    reaction_tokens: int | None = None
    distance: Fraction | None = None
    engaged: bool = False
    engaged_with_provoker: bool = False
    took_damage: bool = False
    los: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger(Answer):
    """Whether something provokes a reaction.

    Attributes:
        provocation: The observer notices it, and it counts.
        max_distance: Up to where it would be noticed, mm.
        can_react: The observer may react now.
        reaction: `any`, `move_only`, `random_engaged` or `none`.

    Source: rulebook 2PB-002-111 §4.4 p.41-42, §6.1 p.51.
    """

    provocation: bool
    max_distance: Fraction
    can_react: bool
    reaction: str


def overwatch_trigger(event: Event, observer: Observer) -> Trigger:
    """Return whether an event provokes an observer, and how it may react.

    Raises:
        BadInput: Something that the answer needs is not known of the observer.

    Source: rulebook 2PB-002-111 §4.4 p.41-42; turrets §6.1 p.51.
    """
    turret = observer.type == "turret"
    lengths = 2 if turret or event.kind in FAR_EVENTS else 1
    limit = lengths * observer.awareness
    unnoticed = _why_unnoticed(event, observer, limit)
    reaction, why = ("none", unnoticed)
    if unnoticed is None:
        reaction, why = _reaction(observer)
    steps = (step("awareness", lengths=lengths, limit=plain(limit)), why)
    return Trigger(
        provocation=unnoticed is None,
        max_distance=limit,
        can_react=reaction != "none",
        reaction=reaction,
        steps=tuple(s for s in steps if s is not None),
        open=_open_points(event, turret),
    )


def _why_unnoticed(event: Event, observer: Observer, limit: Fraction) -> Step | None:
    """Why the event is no provocation, or None where it is one."""
    turret = observer.type == "turret"
    if event.kind in (NEVER_FOR_TURRETS if turret else NEVER_FOR_MODELS):
        return step("provocation.never", event=event.kind)
    won = event.battle_cry_won and event.charge_target_is_observer
    if event.kind == "charge" and won:
        return step("battle_cry.no_provocation")
    if event.kind == "hit_on_self":
        return None
    distance = needed(observer.distance, "observer.distance")
    if distance > limit:
        return step("provocation.too_far", distance=plain(distance))
    if not observer.los and event.kind not in UNSEEN_EVENTS:
        return step("line_of_sight.none")
    return None


def _reaction(observer: Observer) -> tuple[str, Step]:
    if not needed(observer.reaction_tokens, "observer.reaction_tokens"):
        return "none", step("reaction_token.none")
    if not observer.engaged or observer.engaged_with_provoker:
        return "any", step("reaction")
    if observer.type == "turret":
        return "random_engaged", step("reaction.random_engaged")
    if observer.took_damage:
        return "move_only", step("reaction.move_only")
    return "none", step("reaction.engaged")


def _open_points(event: Event, turret: bool) -> tuple[str, ...]:
    return ("O27",) * turret + ("O21",) * (event.kind == "hit_on_self" and not turret)
