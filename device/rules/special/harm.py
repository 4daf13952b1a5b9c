"""Harm and recovery (S.P.E.C.I.A.L., Повреждения, Лечение)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.fields import needed
from device.rules.special.charts import Charts
from device.rules.step import step

REST_HOURS, ACTIVE_HOURS = 6, 24  # X9
MEDICINE_USES = 4  # in 24 hours, X10


@dataclass(frozen=True, slots=True, kw_only=True)
class Fire(Answer):
    """Damage by fire or acid.

    Source: S.P.E.C.I.A.L., Повреждения от огня (X1).
    """

    damage: int
    rounds: int
    stand_up_ap: int


def fire(charts: Charts, dice: Sequence[int], extinguish: bool = False) -> Fire:
    """Return the damage of burning.

    Args:
        charts: The game's tables.
        dice: One d6 a round, also of the round of putting it out.
        extinguish: Rolled on the ground to put it out.

    Source: S.P.E.C.I.A.L., Повреждения от огня (X1).
    """
    return Fire(
        damage=sum(dice),
        rounds=len(dice),
        stand_up_ap=charts.number("action_ap", "stand_up") if extinguish else 0,
        steps=(step("special_fire", damage=sum(dice), rounds=len(dice)),),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class AnimalPoison(Answer):
    """Damage by common animal poison.

    Source: S.P.E.C.I.A.L., Повреждения от яда (X3).
    """

    damage: int
    active: bool


def animal_poison(charts: Charts, hours: int, saves: int = 0) -> AnimalPoison:
    """Return the damage of animal poison: 1 an hour, unless Endurance avoids it.

    Args:
        charts: The game's tables.
        hours: Since the bite.
        saves: Endurance rolls passed, at most one an hour.

    Raises:
        BadInput: More rolls passed than hours counted.

    Source: S.P.E.C.I.A.L., Повреждения от яда (X3).
    """
    lasts = charts.number("harm", "poison_hours")
    counted = min(hours, lasts)
    if saves > counted:
        raise BadInput(f"at most one roll an hour, {counted} in all", "saves")
    return AnimalPoison(
        damage=counted - saves,
        active=hours < lasts,
        steps=(step("special_poison", damage=counted - saves, hours=counted),),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Knockdown(Answer):
    """Whether a cold weapon knocks its target down.

    Source: S.P.E.C.I.A.L., Падения (U8).
    """

    chance: int
    down: bool


def knockdown(charts: Charts, weapon_kg: Fraction, roll: int) -> Knockdown:
    """Return whether a cold weapon knocks down: three times its weight in percent.

    Source: S.P.E.C.I.A.L., Падения (U8).
    """
    chance = int(weapon_kg * charts.number("harm", "knockdown_per_kg"))
    down = roll <= chance
    key = "special_knockdown" if down else "special_knockdown.stands"
    return Knockdown(
        chance=chance, down=down, steps=(step(key, chance=chance, roll=roll),)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Resisted(Answer):
    """A roll of resistance.

    Attributes:
        resistance: Percent.
        resisted: The roll is at most that.
        level: Level of the poison afterwards; None for radiation.

    Source: S.P.E.C.I.A.L., Повреждения от яда (X2), Другое снаряжение (X11).
    """

    resistance: int
    resisted: bool
    level: int | None


def resist(
    charts: Charts,
    against: str,
    endurance: int,
    roll: int,
    fast_metabolism: bool = False,
    recoveries: int = 0,
    antirad: bool = False,
    level: int = 0,
) -> Resisted:
    """Return whether poison or radiation is resisted.

    Args:
        charts: The game's tables.
        against: `poison` or `radiation`.
        endurance: Endurance.
        roll: A d100.
        fast_metabolism: Has that trait: no natural resistance to poison.
        recoveries: Poisons overcome naturally.
        antirad: Under the antiradiation drug.
        level: Level of the poison before.

    Source: S.P.E.C.I.A.L., Повреждения от яда (X2), Другое снаряжение (X11).
    """
    poison = against == "poison"
    if poison:
        natural = 0 if fast_metabolism else 5 * endurance
        resistance = natural + charts.number("harm", "antibodies") * recoveries
    else:
        resistance = 2 * endurance + charts.number("harm", "antirad") * antirad
    resisted = roll <= resistance
    key = "special_resist" if resisted else "special_resist.failed"
    return Resisted(
        resistance=resistance,
        resisted=resisted,
        level=level + (not resisted) if poison else None,
        steps=(step(key, roll=roll, resistance=resistance),),
        open=("resistances",),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Injury(Answer):
    """What broken limbs and blindness do.

    Attributes:
        agility: Agility now.
        perception: Perception now.
        ap_per_hex: Action points a hex; None where only one hex a round is left.
        max_hexes: Hexes a round; None for no limit.
        two_handed: May use two-handed weapons.
        weapons: May use weapons at all.
        light_penalty: Percent, as in darkness.
        recovery_hours: Hours of rest after the cure.

    Source: S.P.E.C.I.A.L., Сломанные конечности и слепота (X4, X5).
    """

    agility: int
    perception: int
    ap_per_hex: int | None
    max_hexes: int | None
    two_handed: bool
    weapons: bool
    light_penalty: int
    recovery_hours: int


def injury(
    charts: Charts,
    agility: int,
    perception: int,
    broken_arms: int = 0,
    broken_legs: int = 0,
    blind: bool = False,
) -> Injury:
    """Return what broken limbs and blindness do to somebody; legs act first.

    Source: S.P.E.C.I.A.L., Сломанные конечности и слепота (X4, X5).
    """
    after_legs = (agility, agility // 2, 1)[broken_legs]
    hurt = blind or broken_arms > 0 or broken_legs > 0
    steps = []
    if broken_legs:
        steps.append(step("special_injury.legs", count=broken_legs))
    if broken_arms:
        steps.append(step("special_injury.arms", count=broken_arms))
    if blind:
        steps.append(step("special_injury.blind"))
    return Injury(
        agility=max(1, after_legs - broken_arms),
        perception=1 if blind else perception,
        ap_per_hex=(1, 2, None)[broken_legs],
        max_hexes=1 if broken_legs == 2 else None,
        two_handed=broken_arms == 0,
        weapons=broken_arms < 2,
        light_penalty=-charts.number("hit", "blind_light") if blind else 0,
        recovery_hours=charts.number("harm", "recovery_hours") if hurt else 0,
        steps=tuple(steps),
        open=("X4",) if broken_arms and broken_legs else (),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest(Answer):
    """Healing by rest.

    Source: S.P.E.C.I.A.L., Лечение (X9).
    """

    hp: int


def rest(
    heal_rate: int,
    resting_hours: int = 0,
    active_hours: int = 0,
    withdrawal: bool = False,
) -> Rest:
    """Return the hit points that time heals.

    Source: S.P.E.C.I.A.L., Лечение (X9), Препараты (X7).
    """
    times = resting_hours // REST_HOURS + active_hours // ACTIVE_HOURS
    hp = 0 if withdrawal else heal_rate * times
    return Rest(hp=hp, steps=(step("special_rest", hp=hp),))


@dataclass(frozen=True, slots=True, kw_only=True)
class Medicine(Answer):
    """Healing by skill.

    Source: S.P.E.C.I.A.L., Лечение (X10), Применение навыков (B10).
    """

    allowed: bool
    success: bool
    hp: int
    uses_today: int


def medicine(
    skill: int,
    roll: int,
    uses_today: int,
    in_combat: bool = False,
    target_unconscious: bool = False,
    heal_die: int | None = None,
) -> Medicine:
    """Return what a use of medicine heals.

    Args:
        skill: Skill of medicine.
        roll: A d100 against it.
        uses_today: Uses in these 24 hours before, successful or not.
        in_combat: In a fight, where only the unconscious can be treated.
        target_unconscious: The treated one is unconscious.
        heal_die: A d10, the hit points; needed on a success outside a fight.

    Raises:
        BadInput: A success without its die.

    Source: S.P.E.C.I.A.L., Лечение (X10), Применение навыков (B10).
    """
    allowed = uses_today < MEDICINE_USES and (not in_combat or target_unconscious)
    success = allowed and roll <= skill
    hp = 0
    if success:
        hp = 1 if in_combat else needed(heal_die, "heal_die")
    key = "special_medicine" if allowed else "special_medicine.refused"
    return Medicine(
        allowed=allowed,
        success=success,
        hp=hp,
        uses_today=uses_today + allowed,
        steps=(step(key, hp=hp),),
    )
