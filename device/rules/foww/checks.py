"""Ratings, skill checks and opposed checks (rulebook 2PB-002-111 §2.4 p.10-11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.foww.icons import (
    NO_ICONS,
    EffectDie,
    Icons,
    accuracy_of,
    count_icons,
)
from device.rules.step import Step, step

LOW_RATING = 1
"""Below this rating a single face of the skill die succeeds, §2.4 p.10."""

SPECIALISATION = 2  # §2.4 p.10
COVER = -2  # each, §2.8 p.17
QUICK_ACTION = -2  # §4.3 p.40
RANGED_IN_MELEE = -2  # §2.13 p.24
INTO_MELEE = 2  # §2.13 p.26
TARGET_STUNNED = 2  # §2.13 p.25
INJURED_ARM = -2  # §5.4 p.48
FROZEN = -2  # §5.4 p.48

FAILING_FACES = ("x", "x_ap")
ACTION_POINT_FACES = ("ap", "x_ap")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModifiedRating(Answer):
    """A rating with all its modifiers.

    Attributes:
        can_attempt: False without the skill's icon.
        rating: The adjusted rating; None without the skill. No floor.
        modifier: Sum of all modifiers.
        low_rating: Adjusted rating below 1.
        target_armour_bonus: What the shot's cover adds to the target's armour, 0 or 1.

    Source: rulebook 2PB-002-111 §2.4 p.10, §2.8 p.17.
    """

    can_attempt: bool
    rating: int | None
    modifier: int
    low_rating: bool
    target_armour_bonus: int


def modified_rating(
    rating: int | None,
    bonus: int = 0,
    specialisation: bool = False,
    quick_action: bool = False,
    attack: str = "none",
    cover: int = 0,
    ranged_weapon_in_melee: bool = False,
    charge_reaction: bool = False,
    into_melee: bool = False,
    target_stunned: bool = False,
    injured_arm: bool = False,
    frozen: bool = False,
) -> ModifiedRating:
    """Return a rating after all bonuses and penalties, summed and applied once.

    Args:
        rating: As printed; None where the card lacks the skill.
        bonus: Sum of all modifiers of cards and items.
        specialisation: The card names this skill or item as a speciality.
        quick_action: A quick action, a reaction or a free attack.
        attack: `none`, `shoot`, `throw` or `melee`.
        cover: Objects and enemies that the cover line crosses, >= 0.
        ranged_weapon_in_melee: A gun or thrown weapon used in close combat.
        charge_reaction: The reaction to being charged, free of that penalty.
        into_melee: Shooting or throwing at an engaged model.
        target_stunned: A close-combat attack on a stunned model.
        injured_arm: The model has an injured arm.
        frozen: The model is frozen.

    Raises:
        BadInput: A circumstance that this kind of attack cannot have.

    Source: rulebook 2PB-002-111 §2.4 p.10; modifiers: §2.8 p.17, §2.13 p.24-26,
    §4.3 p.40, §4.4 p.41, §5.4 p.48.
    """
    ranged = attack in ("shoot", "throw")
    for name, value in (("cover", cover), ("into_melee", into_melee)):
        if value and not ranged:
            raise BadInput(f"{name} is only for shooting and throwing", name)
    for name, value in (
        ("ranged_weapon_in_melee", ranged_weapon_in_melee),
        ("target_stunned", target_stunned),
    ):
        if value and attack != "melee":
            raise BadInput(f"{name} is only for close combat", name)
    if rating is None:
        return ModifiedRating(
            can_attempt=False,
            rating=None,
            modifier=0,
            low_rating=False,
            target_armour_bonus=0,
            steps=(step("rating.none"),),
        )
    penalised = ranged_weapon_in_melee and not charge_reaction
    parts = (
        ("bonus", bonus),
        ("specialisation", SPECIALISATION * specialisation),
        ("quick_action", QUICK_ACTION * quick_action),
        ("cover", COVER * cover),
        ("ranged_in_melee", RANGED_IN_MELEE * penalised),
        ("into_melee", INTO_MELEE * into_melee),
        ("target_stunned", TARGET_STUNNED * target_stunned),
        ("injured_arm", INJURED_ARM * injured_arm),
        ("frozen", FROZEN * frozen),
    )
    modifier = sum(value for _, value in parts)
    adjusted = rating + modifier
    armour_bonus = int(cover > 0 or penalised)
    steps = [step("rating", rating=rating)]
    for name, value in parts:
        if value:
            steps.append(_modifier_step(name, value, cover))
    steps.append(step("modifier", modifier=f"{modifier:+d}", rating=adjusted))
    if adjusted < LOW_RATING:
        steps.append(step("low_rating", rating=adjusted))
    if armour_bonus:
        steps.append(step("armour_rating.cover"))
    return ModifiedRating(
        can_attempt=True,
        rating=adjusted,
        modifier=modifier,
        low_rating=adjusted < LOW_RATING,
        target_armour_bonus=armour_bonus,
        steps=tuple(steps),
        open=("O1",) if adjusted < LOW_RATING else (),
    )


# The glossary has no word of its own for these two.
_STEP_OF = {"bonus": "modifier.bonus", "target_stunned": "stunned.target"}


def _modifier_step(name: str, value: int, cover: int) -> Step:
    key = _STEP_OF.get(name, name)
    if name == "cover":
        return step(key, change=f"{value:+d}", count=cover)
    return step(key, change=f"{value:+d}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillCheck(Answer):
    """A skill check.

    Attributes:
        can_attempt: False without the skill's icon.
        success: Whether it succeeded.
        auto_fail: An X face was rolled.
        base_result: The skill die's number; None on an X or without a check.
        accuracy: What accuracy icons add, <= 0.
        result: `base_result` + accuracy + modifier; None where that is None.
        margin: `result` - rating; None where the result is.
        ap: Action points gained, 0 or 1.
        crit_icons: Critical points rolled, 0 or 1.
        icons: Effect icons that count; all 0 unless it succeeded.

    Source: rulebook 2PB-002-111 §2.4 p.10-11.
    """

    can_attempt: bool
    success: bool
    auto_fail: bool
    base_result: int | None
    accuracy: int
    result: int | None
    margin: int | None
    ap: int
    crit_icons: int
    icons: Icons


def skill_check(
    rating: int | None,
    skill: str | None = None,
    effects: Sequence[EffectDie] = (),
    quick_action: bool = False,
    result_modifier: int = 0,
    low_rating_face: str = "crit",
) -> SkillCheck:
    """Return what a roll of the skill die and the effect dice means.

    Args:
        rating: Adjusted; None where the model lacks the skill.
        skill: Face of the skill die; needed unless the rating is None.
        effects: The rolled effect dice, at most four of one colour.
        quick_action: A quick action or reaction, which yields no action point.
        result_modifier: Added to the result: luck -2, dodge +2.
        low_rating_face: The face that succeeds at a rating below 1 (O1).

    Raises:
        BadInput: A rating without a skill die.

    Source: rulebook 2PB-002-111 §2.4 p.10-11, §4.3 p.40.
    """
    if rating is None:
        return SkillCheck(
            can_attempt=False,
            success=False,
            auto_fail=False,
            base_result=None,
            accuracy=0,
            result=None,
            margin=None,
            ap=0,
            crit_icons=0,
            icons=NO_ICONS,
            steps=(step("rating.none"),),
        )
    if skill is None:
        raise BadInput("a check needs the face of the skill die", "skill")
    auto_fail = skill in FAILING_FACES
    base = None if auto_fail else base_result(skill)
    accuracy = accuracy_of(effects)
    result = None if base is None else base + accuracy + result_modifier
    low = rating < LOW_RATING
    if low:
        success = skill == low_rating_face
    else:
        success = result is not None and result <= rating
    # a failed check keeps its action point, a quick action never has one
    ap = int(skill in ACTION_POINT_FACES and not quick_action)
    check = SkillCheck(
        can_attempt=True,
        success=success,
        auto_fail=auto_fail,
        base_result=base,
        accuracy=accuracy,
        result=result,
        margin=None if result is None else result - rating,
        ap=ap,
        crit_icons=int(success and skill == "crit"),
        icons=count_icons(effects) if success else NO_ICONS,
        open=_open_points(result, low),
    )
    return _explained(check, rating, skill, result_modifier, quick_action)


def base_result(skill: str) -> int | None:
    """Return the number of a skill die face: icons count as 1, an X has none.

    Source: rulebook 2PB-002-111 §2.4 p.10.
    """
    if skill in FAILING_FACES:
        return None
    return int(skill) if skill.isdigit() else 1


def _open_points(result: int | None, low: bool) -> tuple[str, ...]:
    below = result is not None and result < 1
    return ("O1",) * low + ("O13",) * below


def _explained(
    check: SkillCheck, rating: int, skill: str, modifier: int, quick: bool
) -> SkillCheck:
    """The same check with the steps that led to it."""
    steps = []
    if check.auto_fail:
        steps.append(step("x"))
    else:
        steps.append(step("skill_die", face=skill, value=check.base_result or 0))
        if check.accuracy:
            steps.append(step("acc", change=check.accuracy))
        if modifier:
            steps.append(step("skill_check.modifier", change=f"{modifier:+d}"))
    if rating < LOW_RATING and not check.auto_fail:
        steps.append(step("low_rating", rating=rating))
    if check.result is not None:
        outcome = "skill_check.success" if check.success else "skill_check.failure"
        steps.append(step(outcome, result=check.result, rating=rating))
    if check.success:
        for name in ("dmg", "pen", "bottle", "star", "burst"):
            count = getattr(check.icons, name)
            if count:
                steps.append(step(name, count=count))
    if check.ap:
        steps.append(step("ap"))
    elif quick and skill in ACTION_POINT_FACES:
        steps.append(step("ap.quick"))
    if check.crit_icons:
        steps.append(step("crit"))
    return replace(check, steps=tuple(steps))
