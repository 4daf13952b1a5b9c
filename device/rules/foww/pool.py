"""The dice of a check and what their icons buy (rulebook §2.4 p.11, §2.9 p.20)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.dice import EFFECT_COLOURS
from device.rules.foww.icons import MAX_DICE_A_COLOUR, SpecialIcons
from device.rules.step import step

STRONG = 7
"""Strength from which close combat adds a black die, §2.13 p.24."""


@dataclass(frozen=True, slots=True)
class Source:
    """Something that adds effect dice to a check: a weapon, an ability, an item.

    Source: rulebook 2PB-002-111 §2.4 p.11.
    """

    name: str
    dice: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Melee:
    """What close combat adds to the dice.

    Attributes:
        strength: Total, all bonuses in.
        close_combat_weapon: Not a gun or thrown weapon used in close combat.
        target_outnumbered: The target is engaged with several enemies.
        charge_tokens: Colours of the attacker's charge tokens.
        target_is_charge_target: The attack goes against the charged model.

    Source: rulebook 2PB-002-111 §2.12 p.23, §2.13 p.24.
    """

    strength: int = 0
    close_combat_weapon: bool = True
    target_outnumbered: bool = False
    charge_tokens: tuple[str, ...] = ()
    target_is_charge_target: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DicePool(Answer):
    """The effect dice to roll.

    Attributes:
        pool: Dice by colour, all four colours.
        discarded: Surplus over the effect cap, by colour.
        total: Dice in the pool.
        charge_tokens_left: Always empty: used or lost.

    Source: rulebook 2PB-002-111 §2.4 p.11.
    """

    pool: Mapping[str, int]
    discarded: Mapping[str, int]
    total: int
    charge_tokens_left: tuple[str, ...] = ()


def dice_pool(sources: Sequence[Source], melee: Melee | None = None) -> DicePool:
    """Return which effect dice a check rolls, after the cap of four a colour.

    Source: rulebook 2PB-002-111 §2.4 p.11, §2.12 p.23, §2.13 p.24.
    """
    wanted: Counter[str] = Counter()
    steps = []
    for source in sources:
        wanted.update(source.dice)
        steps += [
            step("effect_die", name=source.name, colour=colour, count=count)
            for colour, count in source.dice.items()
            if count
        ]
    if melee is not None:
        if melee.strength >= STRONG and melee.close_combat_weapon:
            wanted["black"] += 1
            steps.append(step("strength_die", strength=melee.strength))
        if melee.target_outnumbered:
            wanted["green"] += 1
            steps.append(step("outnumbered"))
        for colour in melee.charge_tokens:
            used = melee.target_is_charge_target
            wanted[colour] += used
            key = "charge_token" if used else "charge_token.lost"
            steps.append(step(key, colour=colour))
    pool = {c: min(wanted[c], MAX_DICE_A_COLOUR) for c in EFFECT_COLOURS}
    discarded = {colour: wanted[colour] - pool[colour] for colour in EFFECT_COLOURS}
    steps += [
        step("effect_cap", colour=colour, count=count, cap=MAX_DICE_A_COLOUR)
        for colour, count in discarded.items()
        if count
    ]
    return DicePool(
        pool=pool, discarded=discarded, total=sum(pool.values()), steps=tuple(steps)
    )


@dataclass(frozen=True, slots=True)
class SpecialEffect:
    """A special effect that a weapon offers.

    Attributes:
        id: Its name in this question.
        cost: Icons that one use takes.
        limit: Most uses in an attack; None for no limit.
        critical_only: Printed inside the critical area.

    Source: rulebook 2PB-002-111 §2.9 p.20.
    """

    id: str
    cost: SpecialIcons
    limit: int | None = None
    critical_only: bool = False

    def __post_init__(self) -> None:
        if self.limit is None and self.cost == SpecialIcons():
            raise BadInput("an effect without a limit needs a price", "cost")


@dataclass(frozen=True, slots=True)
class Spend:
    """Uses of one special effect that the player wants.

    Source: rulebook 2PB-002-111 §2.9 p.20.
    """

    id: str
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentIcons(Answer):
    """Whether special effects can be paid for.

    Attributes:
        allowed: The whole spending is possible.
        reason: None, `missed`, `critical_only`, `limit` or `icons`.
        left: Icons left; all of them if not allowed.
        max_uses: Uses possible of each effect alone, with all icons.

    Source: rulebook 2PB-002-111 §2.9 p.20.
    """

    allowed: bool
    reason: str | None
    left: SpecialIcons
    max_uses: Mapping[str, int]


def spend_icons(
    icons: SpecialIcons,
    effects: Sequence[SpecialEffect],
    spend: Sequence[Spend],
    critical_attack: bool = False,
    hit: bool = True,
) -> SpentIcons:
    """Return what is left of the rolled icons after paying for special effects.

    Raises:
        BadInput: An effect that is spent is not offered.

    Source: rulebook 2PB-002-111 §2.9 p.20.
    """
    offered = {effect.id: effect for effect in effects}
    left, reason, steps = icons, None, []
    used: Counter[str] = Counter()
    for number, wish in enumerate(spend):
        if wish.id not in offered:
            raise BadInput(f"no effect {wish.id!r} is offered", f"spend[{number}].id")
        if reason is not None:
            continue
        effect = offered[wish.id]
        used[wish.id] += wish.times
        rest = _pay(left, effect.cost, wish.times)
        if not hit:
            reason = "missed"
        elif effect.critical_only and not critical_attack:
            reason = "critical_only"
        elif effect.limit is not None and used[wish.id] > effect.limit:
            reason = "limit"
        elif rest is None:
            reason = "icons"
        else:
            left = rest
            steps.append(step("special_effect", id=wish.id, times=wish.times))
    if reason is not None:
        left = icons
        steps = [step(f"special_effect.{reason}")]
    return SpentIcons(
        allowed=reason is None,
        reason=reason,
        left=left,
        max_uses={
            effect.id: _max_uses(effect, icons, critical_attack) if hit else 0
            for effect in effects
        },
        steps=tuple(steps),
    )


def _pay(purse: SpecialIcons, cost: SpecialIcons, times: int) -> SpecialIcons | None:
    """What is left in the purse, or None where it does not hold enough."""
    rest = {
        f.name: getattr(purse, f.name) - times * getattr(cost, f.name)
        for f in fields(SpecialIcons)
    }
    return SpecialIcons(**rest) if min(rest.values()) >= 0 else None


def _max_uses(effect: SpecialEffect, icons: SpecialIcons, critical: bool) -> int:
    if effect.critical_only and not critical:
        return 0
    affordable: list[int] = [
        getattr(icons, f.name) // getattr(effect.cost, f.name)
        for f in fields(SpecialIcons)
        if getattr(effect.cost, f.name)
    ]
    if effect.limit is not None:
        affordable.append(effect.limit)
    return min(affordable)
