"""The four uses of a luck token (rulebook 2PB-002-111 §6.2 p.52)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.fields import needed
from device.rules.foww.checks import SkillCheck, skill_check
from device.rules.foww.icons import EffectDie
from device.rules.step import step

ACCURACY = -2  # own result, §6.2 p.52
DODGE = 2  # attacker's result, §6.2 p.52
CRITICAL_RESULT = 1
"""What the result of a critical attack counts as, §6.2 p.52."""


@dataclass(frozen=True, slots=True)
class Check:
    """The check that a token would change, as rolled.

    Attributes:
        rating: Adjusted; None where the skill is missing.
        skill: Face of the skill die; needed unless the rating is None.
        effects: The rolled effect dice.
        result_modifier: Luck already in the result.

    Source: rulebook 2PB-002-111 §6.2 p.52.
    """

    rating: int | None
    skill: str | None = None
    effects: tuple[EffectDie, ...] = ()
    result_modifier: int = 0

    def __post_init__(self) -> None:
        if self.rating is not None and self.skill is None:
            raise BadInput("a check needs the face of the skill die", "skill")

    def resolved(self, extra: int = 0) -> SkillCheck:
        """Return the check's outcome with something more added to its result."""
        return skill_check(
            self.rating,
            self.skill,
            self.effects,
            result_modifier=self.result_modifier + extra,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Luck(Answer):
    """What a use of luck does.

    Attributes:
        allowed: The token may be used.
        reason: None, `no_tokens`, `already_used`, `check_succeeded`, `x`,
            `after_dodge`, `critical_attack` or `attack_missed`.
        success: Allowed, and the clover came up.
        tokens_left: Luck tokens afterwards.

    Source: rulebook 2PB-002-111 §6.2 p.52.
    """

    allowed: bool
    reason: str | None
    success: bool
    tokens_left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckOnCheck(Luck):
    """Luck that changes a check: accuracy, dodge.

    Source: rulebook 2PB-002-111 §6.2 p.52.
    """

    result: int | None
    check_success: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckOnDamage(Luck):
    """Luck that takes a point off damage: toughness.

    Source: rulebook 2PB-002-111 §6.2 p.52.
    """

    damage: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckOnGauge(Luck):
    """Luck that adds a critical point.

    Source: rulebook 2PB-002-111 §6.2 p.52.
    """

    crit_tokens: int


def luck(
    use: str,
    tokens: int,
    token: str | None = None,
    already_used: bool = False,
    check: Check | None = None,
    dodge_declared: bool = False,
    critical_attack: bool = False,
    damage: int | None = None,
    hit: bool = False,
    crit_tokens: int | None = None,
    crit_rating: int | None = None,
) -> Luck:
    """Return whether a luck token may be used, and what its toss does.

    Args:
        use: `accuracy`, `dodge`, `toughness` or `crit_point`.
        tokens: Luck tokens of the model.
        token: Side that came up, `luck` or `blank`; needed if the use is allowed.
        already_used: A token was used on this same result before.
        check: Own check (accuracy) or the attacker's (dodge).
        dodge_declared: The target has announced a dodge.
        critical_attack: The attack to dodge is a critical one.
        damage: Points after armour (toughness).
        hit: The own attack hit (crit_point).
        crit_tokens: Critical points on the weapon (crit_point).
        crit_rating: Size of its gauge (crit_point).

    Raises:
        BadInput: A field that this use needs is missing.

    Source: rulebook 2PB-002-111 §6.2 p.52.
    """
    reason = "no_tokens" if not tokens else "already_used" if already_used else None
    if use == "accuracy":
        return _accuracy(needed(check, "check"), reason, tokens, token, dodge_declared)
    if use == "dodge":
        return _dodge(check, reason, tokens, token, critical_attack)
    if use == "toughness":
        points = needed(damage, "damage")
        basic = _use(use, reason, tokens, token)
        left = max(0, points - 1) if basic.success else points
        return LuckOnDamage(**_fields(basic), damage=left)
    on_gauge = needed(crit_tokens, "crit_tokens")
    gauge = needed(crit_rating, "crit_rating")
    basic = _use(use, reason or (None if hit else "attack_missed"), tokens, token)
    after = max(on_gauge, min(on_gauge + 1, gauge)) if basic.success else on_gauge
    return LuckOnGauge(**_fields(basic), crit_tokens=after)


def _accuracy(
    check: Check,
    reason: str | None,
    tokens: int,
    token: str | None,
    dodge_declared: bool,
) -> LuckOnCheck:
    before = check.resolved()
    if reason is None:
        if before.success:
            reason = "check_succeeded"
        elif before.auto_fail:
            reason = "x"
        elif dodge_declared:
            reason = "after_dodge"
    basic = _use("accuracy", reason, tokens, token)
    after = check.resolved(ACCURACY) if basic.success else before
    low = check.rating is not None and check.rating < 1 and basic.allowed
    return LuckOnCheck(
        **_fields(replace(basic, open=("O25",)) if low else basic),
        result=after.result,
        check_success=after.success,
    )


def _dodge(
    check: Check | None,
    reason: str | None,
    tokens: int,
    token: str | None,
    critical: bool,
) -> LuckOnCheck:
    if critical:
        basic = _use("dodge", reason or "critical_attack", tokens, token)
        return LuckOnCheck(**_fields(basic), result=CRITICAL_RESULT, check_success=True)
    check = needed(check, "check")
    before = check.resolved()
    if reason is None and not before.success:
        reason = "attack_missed"
    basic = _use("dodge", reason, tokens, token)
    after = check.resolved(DODGE) if basic.success else before
    return LuckOnCheck(
        **_fields(basic), result=after.result, check_success=after.success
    )


def _use(use: str, reason: str | None, tokens: int, token: str | None) -> Luck:
    allowed = reason is None
    clover = allowed and needed(token, "token") == "luck"
    if allowed:
        steps = (step(f"luck_{use}" if clover else "luck_token.blank"),)
    else:
        steps = (step(f"luck_token.{reason}"),)
    return Luck(
        allowed=allowed,
        reason=reason,
        success=clover,
        tokens_left=tokens - 1 if allowed else tokens,
        steps=steps,
    )


def _fields(basic: Luck) -> dict[str, Any]:
    return {
        "allowed": basic.allowed,
        "reason": basic.reason,
        "success": basic.success,
        "tokens_left": basic.tokens_left,
        "steps": basic.steps,
        "open": basic.open,
    }
