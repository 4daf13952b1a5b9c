"""Passing dice and reaction tests (STALKER: ZONA, КУБИКИ, ТЕСТЫ НА РЕАКЦИЮ)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.step import step

DICE = 2  # R1
COVERING_DICE = 3  # R3
BEST_ROW = 2  # R5: three passed dice use the row for two

ACTIONS = {
    "hidden_led": ("reveal", "choose", "choose"),
    "hidden": ("reveal", "shoot", "shoot"),
    "cover": ("nothing", "shoot", "shoot"),
    "open": ("nothing", "hide_or_prone", "shoot"),
}
"""Action by state of the figure and row 0, 1, 2 (R4)."""

HURRIED = -1  # Skill of a figure that shoots in row 1, from cover or hiding (R4)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillTest(Answer):
    """Dice compared with Skill.

    Attributes:
        passed: How many passed.
        per_die: Whether each did, in order.

    Source: STALKER: ZONA, КУБИКИ (D2, D3).
    """

    passed: int
    per_die: tuple[bool, ...]


def skill_test(skill: int, dice: Sequence[int]) -> SkillTest:
    """Return which dice pass: those not above the Skill.

    Source: STALKER: ZONA, КУБИКИ (D2 to D4).
    """
    per_die = tuple(die <= skill for die in dice)
    steps = tuple(
        step("stalker_die" if ok else "stalker_die.failed", die=die, skill=skill)
        for die, ok in zip(dice, per_die, strict=True)
    )
    return SkillTest(passed=sum(per_die), per_die=per_die, steps=steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class SightTrigger(Answer):
    """Whether a moving enemy causes the in-sight test.

    Attributes:
        test: It does.
        cause: `sight`, `range` or None.

    Source: STALKER: ZONA, ТЕСТ «В ПОЛЕ ВИДИМОСТИ» (R2, R6).
    """

    test: bool
    cause: str | None


def sight_trigger(
    seen_at_start: bool, seen_now: bool, in_range_at_start: bool, in_range_now: bool
) -> SightTrigger:
    """Return whether an enemy has come into sight or into range.

    Source: STALKER: ZONA, ТЕСТ «В ПОЛЕ ВИДИМОСТИ» (R2); range only if seen (R6).
    """
    cause = None
    if not seen_at_start and seen_now:
        cause = "sight"
    elif not in_range_at_start and in_range_now and seen_now:
        cause = "range"
    return SightTrigger(
        test=cause is not None,
        cause=cause,
        steps=(step(f"stalker_in_sight.{cause or 'none'}"),),
        open=("R6",) if in_range_now and not in_range_at_start else (),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class InSight(Answer):
    """What a figure does when an enemy comes into sight.

    Attributes:
        passed: Dice passed.
        row: Row of the table, 0 to 2.
        action: `shoot`, `choose`, `hide_or_prone`, `reveal` or `nothing`.
        skill_modifier: Added to its Skill.
        full_rate: It shoots at the weapon's full rate.
        becomes_visible: A hidden figure is placed; None if that depends on a choice.

    Source: STALKER: ZONA, ТЕСТ «В ПОЛЕ ВИДИМОСТИ» (R3 to R7).
    """

    passed: int
    row: int
    action: str
    skill_modifier: int
    full_rate: bool
    becomes_visible: bool | None


def in_sight(
    skill: int,
    dice: Sequence[int],
    covering: bool = False,
    hidden: bool = False,
    leader: bool = False,
    cover: bool = False,
) -> InSight:
    """Return what the in-sight test lets a figure do.

    Args:
        skill: The figure's Skill.
        dice: Two d6, three if covering.
        covering: The figure is covering.
        hidden: Not yet placed on the table.
        leader: A leader is with the hidden figure.
        cover: In cover; means nothing for a hidden figure.

    Raises:
        BadInput: The wrong number of dice.

    Source: STALKER: ZONA, ТЕСТ «В ПОЛЕ ВИДИМОСТИ» (R1 to R7).
    """
    wanted = COVERING_DICE if covering else DICE
    if len(dice) != wanted:
        raise BadInput(f"{wanted} dice are rolled here, not {len(dice)}", "dice")
    if hidden:
        state = "hidden_led" if leader else "hidden"
    else:
        state = "cover" if cover else "open"
    test = skill_test(skill, dice)
    row = min(test.passed, BEST_ROW)
    action = ACTIONS[state][row]
    hurried = row == 1 and action == "shoot"
    visible: bool | None = hidden
    if hidden and action == "choose":
        visible = None
    return InSight(
        passed=test.passed,
        row=row,
        action=action,
        skill_modifier=HURRIED if hurried else 0,
        full_rate=hurried,
        becomes_visible=visible,
        steps=(*test.steps, step(f"stalker_in_sight.{action}", passed=test.passed)),
        open=("R5",) * (test.passed > BEST_ROW) + ("R7",) * hidden,
    )
