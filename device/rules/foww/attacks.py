"""Attacks: hit, damage and critical points (rulebook §2.9 p.19-20, §6.3 p.53)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.foww.checks import SkillCheck, skill_check
from device.rules.foww.icons import NO_ICONS, EffectDie, SpecialIcons, count_icons
from device.rules.step import Step, step


@dataclass(frozen=True, slots=True)
class BaseDamage:
    """Damage of one type printed on a weapon.

    Source: rulebook 2PB-002-111 §2.9 p.19.
    """

    type: str
    value: int


@dataclass(frozen=True, slots=True)
class Damage:
    """Points of damage of one type.

    Source: rulebook 2PB-002-111 §2.9 p.19.
    """

    type: str
    amount: int


@dataclass(frozen=True, slots=True)
class Weapon:
    """What an attack needs to know of a weapon card.

    Attributes:
        damage: Base damage, one entry a type.
        crit_rating: Size of its critical gauge; None without one.
        critical_damage: Base damage of a critical attack; None for the same.
        thrown: A thrown weapon, which has no criticals.

    Source: rulebook 2PB-002-111 §2.9 p.19, §6.3 p.53, §5.1 p.44.
    """

    damage: tuple[BaseDamage, ...]
    crit_rating: int | None = None
    critical_damage: tuple[BaseDamage, ...] | None = None
    thrown: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack(Answer):
    """An attack before the target's armour.

    Attributes:
        allowed: False only for a critical attack that cannot be made.
        reason: None, `thrown`, `no_critical` or `gauge_not_full`.
        hit: Whether it hit.
        damage: Damage by type; empty on a miss.
        penetration: Penetration icons.
        icons: Icons that pay for special effects.
        ap: Action points gained.
        crit_points: Critical points gained, before the gauge's cap.
        crit_tokens: Critical points on the weapon afterwards.
        crit_full: The gauge is full.

    Source: rulebook 2PB-002-111 §2.9 p.19-20, §6.3 p.53.
    """

    allowed: bool
    reason: str | None
    hit: bool
    damage: tuple[Damage, ...]
    penetration: int
    icons: SpecialIcons
    ap: int
    crit_points: int
    crit_tokens: int
    crit_full: bool


def attack(
    rating: int,
    weapon: Weapon,
    skill: str | None = None,
    effects: Sequence[EffectDie] = (),
    quick_action: bool = False,
    result_modifier: int = 0,
    critical_attack: bool = False,
    has_critical: bool = False,
    crit_tokens: int = 0,
    target: str = "enemy",
) -> Attack:
    """Return whether an attack hits, and its damage before armour.

    Args:
        rating: Adjusted.
        weapon: The weapon used.
        skill: Face of the skill die; needed unless it is a critical attack.
        effects: The rolled effect dice.
        quick_action: A quick action or reaction: no action points.
        result_modifier: Added to the result (luck).
        critical_attack: Uses the full gauge: hits without a skill die.
        has_critical: The unit, an ability or its hero card has the critical icon.
        crit_tokens: Critical points on the weapon before the attack.
        target: `enemy`, `friendly` or `object`; only enemies give points.

    Raises:
        BadInput: A skill die with a critical attack, or none without.

    Source: rulebook 2PB-002-111 §2.9 p.19-20, §4.3 p.40, §5.1 p.44, §6.3 p.53.
    """
    if critical_attack:
        if skill is not None:
            raise BadInput("a critical attack rolls no skill die", "skill")
        return _critical_attack(weapon, effects, has_critical, crit_tokens)
    check = skill_check(rating, skill, effects, quick_action, result_modifier)
    points = 0
    earns = has_critical and weapon.crit_rating is not None and not weapon.thrown
    if check.success and target == "enemy" and earns:
        points = 1 + check.crit_icons
    tokens = crit_tokens
    if points and weapon.crit_rating is not None:
        tokens = min(crit_tokens + points, weapon.crit_rating)
    return _resolved(weapon, check, weapon.damage, points, tokens)


def _critical_attack(
    weapon: Weapon, effects: Sequence[EffectDie], has_critical: bool, tokens: int
) -> Attack:
    """An attack paid for with the full gauge: no points, no action points."""
    reason = None
    if weapon.thrown:
        reason = "thrown"
    elif not has_critical or weapon.crit_rating is None:
        reason = "no_critical"
    elif tokens < weapon.crit_rating:
        reason = "gauge_not_full"
    if reason is not None:
        return Attack(
            allowed=False,
            reason=reason,
            hit=False,
            damage=(),
            penetration=0,
            icons=SpecialIcons(),
            ap=0,
            crit_points=0,
            crit_tokens=tokens,
            crit_full=_is_full(weapon, tokens),
            steps=(step(f"critical_attack.{reason}"),),
        )
    check = SkillCheck(
        can_attempt=True,
        success=True,
        auto_fail=False,
        base_result=None,
        accuracy=0,
        result=None,
        margin=None,
        ap=0,
        crit_icons=0,
        icons=count_icons(effects),
        steps=(step("critical_attack"),),
    )
    base = weapon.damage if weapon.critical_damage is None else weapon.critical_damage
    return _resolved(weapon, check, base, 0, tokens - (weapon.crit_rating or 0))


def _resolved(
    weapon: Weapon,
    check: SkillCheck,
    base: Sequence[BaseDamage],
    points: int,
    tokens: int,
) -> Attack:
    icons = check.icons if check.success else NO_ICONS
    damage = tuple(
        # every damage icon goes to the first type listed (open point O9)
        Damage(entry.type, entry.value + (icons.dmg if number == 0 else 0))
        for number, entry in enumerate(base)
    )
    steps: list[Step] = list(check.steps)
    if check.success:
        steps += [
            step("base_damage", amount=entry.value, type=entry.type) for entry in base
        ]
        steps += [
            step("damage_token.attack", amount=entry.amount, type=entry.type)
            for entry in damage
        ]
    if points:
        steps.append(step("critical_gauge", points=points, tokens=tokens))
    shared = check.success and len(base) > 1 and icons.dmg > 0
    return Attack(
        allowed=True,
        reason=None,
        hit=check.success,
        damage=damage if check.success else (),
        penetration=icons.pen,
        icons=SpecialIcons(icons.bottle, icons.star, icons.burst),
        ap=check.ap,
        crit_points=points,
        crit_tokens=tokens,
        crit_full=_is_full(weapon, tokens),
        steps=tuple(steps),
        open=(*check.open, "O9") if shared else check.open,
    )


def _is_full(weapon: Weapon, tokens: int) -> bool:
    return weapon.crit_rating is not None and tokens >= weapon.crit_rating
