"""Damage, critical hits, wear and repair (S.P.E.C.I.A.L., Атака, Состояние)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.fields import needed
from device.rules.special.charts import AREA_OF, Charts
from device.rules.step import Step, plain, step

FINESSE = Fraction(7, 10)  # damage after resistance, Уникальные особенности
HEAVY_HANDED = Fraction(7, 10)  # damage of critical hits, Уникальные особенности

CRITICALS = (
    "severed_arm",
    "severed_leg",
    "triple",
    "double",
    "one_and_half",
    "unconscious",
    "ignore_armour",
    "blind",
    "knocked_down",
    "death",
)
"""Unaimed critical hits by d10 (Вероятность критического попадания)."""

AIMED_CRITICALS = {
    "eyes": "blind",
    "arm": "broken_arm",
    "leg": "broken_leg",
    "torso": "double",
    "groin": "double_unconscious",
    "head": "unstated",
}
PERCENT = {"triple": 300, "double": 200, "one_and_half": 150, "double_unconscious": 200}
LIMBS = {
    "severed_arm": "arm",
    "severed_leg": "leg",
    "broken_arm": "arm",
    "broken_leg": "leg",
}
UNCONSCIOUS_ROUNDS = "1d4"


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage(Answer):
    """Damage after armour.

    Attributes:
        dt: Damage threshold of the worn armour, not rounded.
        dr: Its damage resistance, percent, not rounded.
        per_hit: Damage of each roll, rounded down.
        total: Their sum.

    Source: S.P.E.C.I.A.L., Атака. Шаг второй (D1 to D4), Состояние брони (W7).
    """

    dt: Fraction
    dr: Fraction
    per_hit: tuple[int, ...]
    total: int


def damage(
    charts: Charts,
    rolls: Sequence[int],
    dt: int = 0,
    dr: int = 0,
    armour_boxes: int = 0,
    ignore_armour: bool = False,
    finesse: bool = False,
    multiplier: Fraction = Fraction(1),
    multiplier_stage: str = "before",
    grouped_hits: int | None = None,
) -> Damage:
    """Return the damage that armour lets through; exact, rounded down at the end.

    Args:
        charts: The game's tables.
        rolls: Rolled damage, one a hit.
        dt: Damage threshold of the armour.
        dr: Its damage resistance, percent.
        armour_boxes: Its filled boxes.
        ignore_armour: A critical hit that ignores it.
        finesse: The attacker has that trait.
        multiplier: Factor of a critical hit, > 0.
        multiplier_stage: Whether it acts `before` or `after` the armour.
        grouped_hits: Bullets that hit in a grouped burst; one roll is multiplied.

    Raises:
        BadInput: A grouped burst with more than one roll.

    Source: S.P.E.C.I.A.L., Атака. Шаг второй (D1 to D4), Состояние брони (W7).
    """
    if grouped_hits is not None and len(rolls) != 1:
        raise BadInput("a grouped burst has one roll", "rolls")
    kept = 1 - Fraction(charts.number("armour_wear", armour_boxes), 100)
    threshold = Fraction(0) if ignore_armour else dt * kept
    resistance = Fraction(0) if ignore_armour else dr * kept
    before = multiplier if multiplier_stage == "before" else Fraction(1)
    after = multiplier if multiplier_stage == "after" else Fraction(1)
    per_hit, steps = [], []
    for roll in rolls:
        dealt = roll * (grouped_hits or 1) * before
        through = max(Fraction(0), dealt - threshold)
        left = (through - through * Fraction(resistance, 100)) * after
        points = int(left * FINESSE if finesse else left)
        per_hit.append(points)
        steps.append(
            step(
                "special_damage",
                rolled=plain(dealt),
                dt=plain(threshold),
                dr=plain(resistance),
                taken=points,
            )
        )
    opened = [
        *(["D3"] if grouped_hits is not None else []),
        *(["multiplier_stage"] if multiplier != 1 else []),
    ]
    return Damage(
        dt=threshold,
        dr=resistance,
        per_hit=tuple(per_hit),
        total=sum(per_hit),
        steps=tuple(steps),
        open=tuple(opened),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Critical(Answer):
    """A critical hit.

    Attributes:
        effect: What happens.
        damage_percent: Damage in percent of the rolled one.
        ignore_armour: Threshold and resistance are 0.
        unconscious: The target is.
        down: The target lies on the ground.
        blind: The target is.
        dead: The target is.
        rounds_die: Die for the rounds that it lasts, or None.
        limb: `arm` or `leg` that is lost or broken, or None.

    Source: S.P.E.C.I.A.L., Вероятность критического попадания.
    """

    effect: str
    damage_percent: int
    ignore_armour: bool
    unconscious: bool
    down: bool
    blind: bool
    dead: bool
    rounds_die: str | None
    limb: str | None


def critical(
    aimed: str | None = None, roll: int | None = None, heavy_handed: bool = False
) -> Critical:
    """Return what a critical hit does.

    Args:
        aimed: Location aimed at, or
        roll: a d10 for an unaimed attack; exactly one of the two.
        heavy_handed: The attacker has that trait.

    Raises:
        BadInput: Both or neither.

    Source: S.P.E.C.I.A.L., Вероятность критического попадания.
    """
    if (aimed is None) == (roll is None):
        raise BadInput("a critical hit is aimed, or rolled for on a d10", "roll")
    if aimed is not None:
        effect = AIMED_CRITICALS[AREA_OF[aimed]]
    else:
        effect = CRITICALS[needed(roll, "roll") - 1]
    percent = PERCENT.get(effect, 100)
    return Critical(
        effect=effect,
        damage_percent=int(percent * HEAVY_HANDED) if heavy_handed else percent,
        ignore_armour=effect == "ignore_armour",
        unconscious=effect in ("unconscious", "double_unconscious"),
        down=effect == "knocked_down",
        blind=effect == "blind",
        dead=effect == "death",
        rounds_die=UNCONSCIOUS_ROUNDS if effect == "unconscious" else None,
        limb=LIMBS.get(effect),
        steps=(step(f"special_critical.{effect}"),),
        open=("head",) if effect == "unstated" else (),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponUse(Answer):
    """A weapon after use.

    Source: S.P.E.C.I.A.L., Состояние оружия (W2, W3).
    """

    boxes: int
    hit_penalty: int
    broken: bool


def use_weapon(
    charts: Charts, boxes: int, failed_attacks: int = 0, misuse: int = 0
) -> WeaponUse:
    """Return a weapon's boxes after failed attacks and gross misuse.

    Source: S.P.E.C.I.A.L., Состояние оружия (W2, W3).
    """
    everything = charts.number("boxes", "all")
    after = min(boxes + failed_attacks + misuse, everything)
    worn = after >= charts.number("boxes", "penalty_from")
    return WeaponUse(
        boxes=after,
        hit_penalty=charts.number("boxes", "penalty") if worn else 0,
        broken=after == everything,
        steps=(step("special_boxes", boxes=after),),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmourUse(Answer):
    """Armour after hits.

    Attributes:
        boxes: Filled boxes.
        carry: Damaging hits towards the next box.
        modifier: Percent of threshold and resistance lost.

    Source: S.P.E.C.I.A.L., Состояние брони (W6, W7).
    """

    boxes: int
    carry: int
    modifier: int


def use_armour(charts: Charts, boxes: int, damaging_hits: int) -> ArmourUse:
    """Return an armour's boxes after hits that did damage.

    Args:
        charts: The game's tables.
        boxes: Filled boxes before.
        damaging_hits: All of them since the last filled box.

    Source: S.P.E.C.I.A.L., Состояние брони (W6, W7).
    """
    each = charts.number("boxes", "hits_per_armour_box")
    after = min(boxes + damaging_hits // each, charts.number("boxes", "all"))
    return ArmourUse(
        boxes=after,
        carry=damaging_hits % each,
        modifier=charts.number("armour_wear", after),
        steps=(step("special_boxes", boxes=after),),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair(Answer):
    """A repair of a weapon or of armour.

    Source: S.P.E.C.I.A.L., Ремонт оружия (W4), Ремонт брони (W8).
    """

    success: bool
    cleared: int
    boxes: int
    hours: int


WEAPON_HOURS, ARMOUR_HOURS, MACHINE_HOURS = 1, 4, 3  # W4, W8, W5
CLEARED, CLEARED_BY_WEAPON_SKILL = 2, 1  # W4, W8


def repair_weapon(
    boxes: int,
    repair_skill: int,
    repair_roll: int,
    weapon_skill: int | None = None,
    weapon_roll: int | None = None,
) -> Repair:
    """Return a weapon after an hour of repair.

    Args:
        boxes: Filled boxes before.
        repair_skill: Skill of repair.
        repair_roll: A d100 against it.
        weapon_skill: Skill with the weapon, tried if the repair fails.
        weapon_roll: A d100 against that.

    Source: S.P.E.C.I.A.L., Ремонт оружия (W4).
    """
    success = repair_roll <= repair_skill
    known = weapon_skill is not None and weapon_roll is not None
    second = known and (weapon_roll or 0) <= (weapon_skill or 0)
    cleared = CLEARED if success else CLEARED_BY_WEAPON_SKILL * second
    return _repaired(success, cleared, boxes, WEAPON_HOURS)


def repair_armour(boxes: int, repair_skill: int, repair_roll: int) -> Repair:
    """Return armour after four hours of repair.

    Source: S.P.E.C.I.A.L., Ремонт брони (W8).
    """
    success = repair_roll <= repair_skill
    return _repaired(success, CLEARED * success, boxes, ARMOUR_HOURS)


def _repaired(success: bool, cleared: int, boxes: int, hours: int) -> Repair:
    cleared = min(cleared, boxes)
    return Repair(
        success=success,
        cleared=cleared,
        boxes=boxes - cleared,
        hours=hours,
        steps=(step("special_repair", cleared=cleared, hours=hours),),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineRepair(Answer):
    """A repair of a machine's section.

    Source: S.P.E.C.I.A.L., Ремонт техники (W5).
    """

    success: bool
    hours: int
    hp_restored: int


def repair_machine(
    repair_skill: int, repair_roll: int, dice: Sequence[int] | None = None
) -> MachineRepair:
    """Return a machine's section after three hours of repair.

    Args:
        repair_skill: Skill of repair.
        repair_roll: A d100 against it.
        dice: Three d10, the hit points restored; needed on a success.

    Raises:
        BadInput: A success without the dice.

    Source: S.P.E.C.I.A.L., Ремонт техники (W5).
    """
    success = repair_roll <= repair_skill
    restored = sum(needed(dice, "dice")) if success else 0
    steps: tuple[Step, ...] = (
        step("special_repair.machine", hp=restored, hours=MACHINE_HOURS),
    )
    return MachineRepair(
        success=success, hours=MACHINE_HOURS, hp_restored=restored, steps=steps
    )
