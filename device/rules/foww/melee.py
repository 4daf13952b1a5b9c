"""Charging and close combat (rulebook §2.12 p.23, §2.13 p.24-26, §4.1 p.36)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.dice import ARMOUR_FACES
from device.rules.step import Step, step

FREE_ATTACK = -2
"""A free attack is a quick one, §2.13 p.25."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge(Answer):
    """A charge.

    Attributes:
        allowed: It may be made.
        reason: None, `engaged`, `no_los` or `no_contact`.
        tokens: Charge tokens that the model gets.
        provocation_for_target: The target may react to it.
        push_back: The charger may push the target back.
        defender_may_leave: The target's reaction may leave contact without a free
            attack.

    Source: rulebook 2PB-002-111 §2.12 p.23, §4.1 p.36.
    """

    allowed: bool
    reason: str | None
    tokens: tuple[str, ...]
    provocation_for_target: bool
    push_back: bool
    defender_may_leave: bool


def charge(
    engaged: bool = False,
    los_at_start: bool = False,
    reaches_contact: bool = False,
    ignore_los: bool = False,
    token: str | None = None,
    battle_cry: str | None = None,
) -> Charge:
    """Return whether a charge may be made and what it gives.

    Args:
        engaged: Already in contact with an enemy.
        los_at_start: Line of sight to the target at the start.
        reaches_contact: It ends in contact with the target.
        ignore_los: The unit charges without line of sight.
        token: The charge token chosen, `black` or `green`; needed if allowed.
        battle_cry: Who won the battle cry, `attacker` or `defender`; None without
            one, or where nobody succeeded (O16).

    Raises:
        BadInput: An allowed charge without a token.

    Source: rulebook 2PB-002-111 §2.12 p.23, §4.1 p.36, §4.2 p.37.
    """
    reason = None
    if engaged:
        reason = "engaged"
    elif not los_at_start and not ignore_los:
        reason = "no_los"
    elif not reaches_contact:
        reason = "no_contact"
    if reason is not None:
        return Charge(
            allowed=False,
            reason=reason,
            tokens=(),
            provocation_for_target=False,
            push_back=False,
            defender_may_leave=False,
            steps=(step(f"charge.{reason}"),),
        )
    if token is None:
        raise BadInput("'token' is missing: a charge gives black or green", "token")
    if battle_cry == "attacker":
        tokens: tuple[str, ...] = ("black", "green")
        steps: tuple[Step, ...] = (
            step("battle_cry.attacker"),
            step("push_back.may"),
        )
    elif battle_cry == "defender":
        tokens = ()
        steps = (step("battle_cry.defender"),)
    else:
        tokens = (token,)
        steps = (step("charge_token.gained", colour=token),)
    return Charge(
        allowed=True,
        reason=None,
        tokens=tokens,
        provocation_for_target=battle_cry != "attacker",
        push_back=battle_cry == "attacker",
        defender_may_leave=battle_cry == "defender",
        steps=steps,
    )


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A model near the target of a shot into a fight.

    Attributes:
        id: Its name in this question.
        contact: Touches the target.
        los: In the shooter's sight.

    Source: rulebook 2PB-002-111 §2.13 p.26.
    """

    id: str
    contact: bool = False
    los: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocation(Answer):
    """Who is hit by a shot into a fight.

    Attributes:
        tokens: Model of each face of the armour die.
        hit: The model that the die picked.

    Source: rulebook 2PB-002-111 §2.13 p.26.
    """

    tokens: Mapping[str, str]
    hit: str


def melee_allocation(target: str, others: Sequence[Neighbour], die: str) -> Allocation:
    """Return which model a shot into a fight hits.

    Args:
        target: The chosen target: token 1.
        others: Further models in the player's order; those that touch the target and
            are in sight get the tokens 2 to 4, and where they are too few it starts
            again with the target.
        die: Face of the armour die.

    Source: rulebook 2PB-002-111 §2.13 p.26.
    """
    in_reach = [other.id for other in others if other.contact and other.los]
    models = cycle((target, *in_reach))
    tokens = dict(zip(ARMOUR_FACES, models, strict=False))
    steps = [
        step("into_melee.token", face=face, id=name) for face, name in tokens.items()
    ]
    steps.append(step("into_melee.hit", face=die, id=tokens[die]))
    return Allocation(tokens=tokens, hit=tokens[die], steps=tuple(steps))


@dataclass(frozen=True, slots=True)
class Opponent:
    """An enemy with whom contact would break.

    Attributes:
        id: Its name in this question.
        other_engaged: Engaged with somebody else too.
        stunned: Stunned.

    Source: rulebook 2PB-002-111 §2.13 p.25.
    """

    id: str
    other_engaged: bool = False
    stunned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MeleeExit(Answer):
    """Leaving a fight.

    Attributes:
        allowed: False by a charge.
        free_attacks: Enemies that strike first, in order.
        rating_modifier: Of these free attacks.

    Source: rulebook 2PB-002-111 §2.13 p.25.
    """

    allowed: bool
    free_attacks: tuple[str, ...]
    rating_modifier: int = FREE_ATTACK


def melee_exit(by: str, enemies: Sequence[Opponent] = ()) -> MeleeExit:
    """Return which enemies strike at a model that leaves a fight.

    Args:
        by: `move`, `charge`, `slide` or `push_back`.
        enemies: Enemies with whom contact breaks.

    Source: rulebook 2PB-002-111 §2.13 p.25, §4.1 p.36.
    """
    if by == "charge":
        return MeleeExit(
            allowed=False, free_attacks=(), steps=(step("melee_exit.charge"),)
        )
    if by != "move":
        return MeleeExit(allowed=True, free_attacks=(), steps=(step(f"{by}.exit"),))
    steps, attackers = [], []
    for enemy in enemies:
        if enemy.stunned:
            steps.append(step("stunned.exit", id=enemy.id))
        elif enemy.other_engaged:
            steps.append(step("engaged.exit", id=enemy.id))
        else:
            attackers.append(enemy.id)
            steps.append(step("free_attack", id=enemy.id, change=FREE_ATTACK))
    return MeleeExit(allowed=True, free_attacks=tuple(attackers), steps=tuple(steps))
