"""Opposed checks (rulebook 2PB-002-111 §2.4 p.10, §4.1 p.36)."""

from __future__ import annotations

from dataclasses import dataclass

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.foww.checks import SkillCheck, skill_check
from device.rules.step import Step, step


@dataclass(frozen=True, slots=True)
class Side:
    """One side of an opposed check as rolled.

    Attributes:
        rating: Adjusted; None where this side lacks the skill.
        skill: Face of its skill die; needed unless the rating is None.

    Source: rulebook 2PB-002-111 §2.4 p.10.
    """

    rating: int | None
    skill: str | None = None

    def __post_init__(self) -> None:
        if self.rating is not None and self.skill is None:
            raise BadInput("a side with the skill needs its skill die", "skill")


@dataclass(frozen=True, slots=True)
class SideResult:
    """How one side of an opposed check did.

    Source: rulebook 2PB-002-111 §2.4 p.10.
    """

    success: bool
    result: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpposedCheck(Answer):
    """An opposed check.

    Attributes:
        winner: `a`, `b` or None.
        by: What decided: `only_success`, `higher_result`, `tie_rating`,
            `tie_attacker`, `tie` or `none`.
        a: The first side.
        b: The second side.

    Source: rulebook 2PB-002-111 §2.4 p.10, §4.1 p.36.
    """

    winner: str | None
    by: str
    a: SideResult
    b: SideResult


def opposed_check(a: Side, b: Side, tie: str = "higher_rating") -> OpposedCheck:
    """Return who wins an opposed check: the highest successful result.

    Args:
        a: The first side; with `attacker` the one that charges.
        b: The second side.
        tie: `higher_rating`, or `attacker` for a battle cry.

    Source: rulebook 2PB-002-111 §2.4 p.10, §4.1 p.36.
    """
    checks = {name: skill_check(s.rating, s.skill) for name, s in (("a", a), ("b", b))}
    winner, by = _winner(checks["a"], checks["b"], a.rating, b.rating, tie)
    steps = tuple(
        _side_step(name, check, side.rating)
        for (name, check), side in zip(checks.items(), (a, b), strict=True)
    )
    decided = step(f"opposed_check.{by}", winner=winner or "-")
    opened = {point for check in checks.values() for point in check.open}
    if by == "tie":
        opened.add("O4")
    return OpposedCheck(
        winner=winner,
        by=by,
        a=SideResult(checks["a"].success, checks["a"].result),
        b=SideResult(checks["b"].success, checks["b"].result),
        steps=(*steps, decided),
        open=tuple(sorted(opened)),
    )


def _winner(
    a: SkillCheck, b: SkillCheck, rating_a: int | None, rating_b: int | None, tie: str
) -> tuple[str | None, str]:
    if not a.success and not b.success:
        return None, "none"
    if a.success != b.success:
        return ("a" if a.success else "b"), "only_success"
    result_a, result_b = a.result or 0, b.result or 0
    if result_a != result_b:
        return ("a" if result_a > result_b else "b"), "higher_result"
    if tie == "attacker":
        return "a", "tie_attacker"
    if rating_a != rating_b:
        return ("a" if (rating_a or 0) > (rating_b or 0) else "b"), "tie_rating"
    return None, "tie"


def _side_step(name: str, check: SkillCheck, rating: int | None) -> Step:
    if rating is None:
        return step("opposed_check.no_skill", side=name)
    if check.auto_fail:
        return step("opposed_check.x", side=name)
    outcome = "success" if check.success else "failure"
    return step(
        f"opposed_check.{outcome}", side=name, result=check.result or 0, rating=rating
    )
