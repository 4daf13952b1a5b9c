"""Hitting: the chance, the roll and fumbles (S.P.E.C.I.A.L., Битва)."""

from __future__ import annotations

from dataclasses import dataclass, fields

from device.rules.answer import Answer
from device.rules.fields import needed
from device.rules.special.charts import AREA_OF, MELEE, Charts
from device.rules.step import step

ALWAYS_FUMBLES_FROM = 98  # R2
BLIND_PERCEPTION = 1

FUMBLES = (
    "ammo",
    "jam",
    "ap_lost",
    "dropped",
    "stupor",
    "hit_other",
    "hit_self",
    "fall",
    "weapon_destroyed",
    "heart_attack",
)
"""Critical failures by d10 (Таблица Критических ошибок)."""

TURNS_LOST = {"jam": 1, "stupor": 2}


@dataclass(frozen=True, slots=True)
class Parts:
    """What adds up to a hit chance, percent.

    Source: S.P.E.C.I.A.L., Формула.
    """

    base: int
    condition: int
    range: int
    light: int
    armour: int
    cover: int
    aimed: int
    stance: int
    strength: int
    trait: int
    other: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HitChance(Answer):
    """The chance to hit.

    Attributes:
        parts: What it is made of.
        raw: Their sum.
        max_range: Furthest distance, hexes.
        in_range: The target is no further.
        chance: Percent, at least 0.
        can_decline: At 0 the attacker may call the attack off.

    Source: S.P.E.C.I.A.L., Формула, Отмена атаки и Броска.
    """

    parts: Parts
    raw: int
    max_range: int
    in_range: bool
    chance: int
    can_decline: bool


def hit_chance(
    charts: Charts,
    skill: int,
    attack: str,
    perception: int,
    distance: int = 1,
    weapon_range: int = 0,
    strength: int | None = None,
    min_strength: int | None = None,
    strength_step: int = 1,
    boxes: int = 0,
    light: str = "clear",
    night: str = "none",
    target_ac: int = 0,
    cover: int = 0,
    bonus: int = 0,
    penalty: int = 0,
    aimed: str | None = None,
    stance: str = "standing",
    mounted: bool = False,
    one_hander: bool = False,
    hands: int | None = None,
    blind: bool = False,
) -> HitChance:
    """Return the chance to hit and everything that it is made of.

    Args:
        charts: The game's tables.
        skill: Skill of the weapon kind, percent.
        attack: Kind of attack.
        perception: The attacker's Perception.
        distance: Hexes to the target, >= 1.
        weapon_range: Hexes beyond the free ones.
        strength: The attacker's Strength; needed for throws and with `min_strength`.
        min_strength: Strength that the weapon needs.
        strength_step: Percent lost for each point lacking.
        boxes: Filled boxes of the weapon.
        light: Light at the place.
        night: Moon, at night.
        target_ac: The target's armour class.
        cover: Percent of the target's body that is hidden.
        bonus: Bonuses by equipment.
        penalty: Penalties by equipment.
        aimed: Location aimed at.
        stance: `standing`, `crouching` or `prone`.
        mounted: The weapon is mounted.
        one_hander: Has that trait.
        hands: Hands that the weapon needs; needed with `one_hander`.
        blind: The attacker is blind: Perception 1, deepest darkness.

    Raises:
        BadInput: Strength or hands are missing.

    Source: S.P.E.C.I.A.L., Формула and the chapters of its parts.
    """
    melee = attack in MELEE
    sight = BLIND_PERCEPTION if blind else perception
    free = free_hexes(sight)
    shortfall = 0
    if min_strength is not None:
        shortfall = max(0, min_strength - needed(strength, "strength"))
    too_far = 0 if melee else max(0, distance - free)
    if attack == "thrown":
        too_far += max(0, distance - free_hexes(needed(strength, "strength")))
    trait = 0
    if one_hander:
        both = needed(hands, "hands") == 2
        trait = charts.number("hit", "two_handed" if both else "one_handed")
    dark = charts.number("light", light) + charts.number("night", night)
    worn = boxes >= charts.number("boxes", "penalty_from")
    parts = Parts(
        base=skill,
        condition=-charts.number("boxes", "penalty") * worn,
        range=-charts.number("hit", "range_penalty") * too_far,
        light=charts.number("hit", "blind_light") if blind else dark,
        armour=-target_ac,
        cover=0 if melee else -cover,
        aimed=_aimed(charts, aimed, melee),
        stance=_stance(charts, attack, stance, mounted),
        strength=-shortfall * strength_step,
        trait=trait,
        other=bonus - penalty,
    )
    raw = sum(getattr(parts, field.name) for field in fields(Parts))
    max_range = 1 if melee else free + weapon_range
    in_range = distance <= max_range
    chance = max(0, raw) if in_range else 0
    steps = [
        step(f"special_hit.{field.name}", change=f"{value:+d}")
        for field in fields(Parts)
        if (value := getattr(parts, field.name))
    ]
    if not in_range:
        steps.append(step("special_hit.out", distance=distance, reach=max_range))
    steps.append(step("special_hit", chance=chance))
    return HitChance(
        parts=parts,
        raw=raw,
        max_range=max_range,
        in_range=in_range,
        chance=chance,
        can_decline=chance == 0,
        steps=tuple(steps),
        open=("strength_step",) if shortfall else (),
    )


def free_hexes(stat: int) -> int:
    """Return the hexes without a range penalty, by Perception (throws: Strength).

    Source: S.P.E.C.I.A.L., Модификаторы дальности.
    """
    return 2 * stat - 1


def _aimed(charts: Charts, location: str | None, melee: bool) -> int:
    if location is None:
        return 0
    table = "aimed_melee" if melee else "aimed_ranged"
    return charts.number(table, AREA_OF[location])


def _stance(charts: Charts, attack: str, stance: str, mounted: bool) -> int:
    if stance == "standing":
        return 0
    steadier = charts.tables[stance].get(attack, 0)
    return 0 if mounted and stance == "prone" and steadier > 0 else steadier


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack(Answer):
    """A roll to hit.

    Attributes:
        outcome: `critical_hit`, `hit`, `miss` or `critical_failure`.
        crit_threshold: Hits up to this are critical.
        boxes: Filled boxes of the weapon afterwards.
        broken: It jams or breaks.

    Source: S.P.E.C.I.A.L., После Бросков (R1 to R4), Состояние оружия (W2, W3).
    """

    outcome: str
    crit_threshold: int
    boxes: int
    broken: bool


def attack(
    charts: Charts,
    chance: int,
    roll: int,
    crit_chance: int = 0,
    aimed: str | None = None,
    boxes: int = 0,
    critical_from: int = ALWAYS_FUMBLES_FROM,
) -> Attack:
    """Return what a roll to hit means.

    Args:
        charts: The game's tables.
        chance: Percent.
        roll: A d100.
        crit_chance: The attacker's critical chance, percent.
        aimed: Location aimed at, which adds to it.
        boxes: Filled boxes of the weapon.
        critical_from: Failures from here are critical (jinxed: 95); 98 always is.

    Source: S.P.E.C.I.A.L., После Бросков, Вероятность критического попадания.
    """
    area = "torso" if aimed is None else AREA_OF[aimed]
    threshold = crit_chance + charts.number("aimed_critical", area)
    if roll >= ALWAYS_FUMBLES_FROM or (roll >= critical_from and roll > chance):
        outcome = "critical_failure"
    elif roll > chance:
        outcome = "miss"
    else:
        outcome = "critical_hit" if roll <= threshold else "hit"
    failed = outcome in ("miss", "critical_failure")
    everything = charts.number("boxes", "all")
    after = min(boxes + failed, everything)
    steps = [step(f"special_attack.{outcome}", roll=roll, chance=chance)]
    if failed:
        steps.append(step("special_attack.worn", boxes=after))
    return Attack(
        outcome=outcome,
        crit_threshold=threshold,
        boxes=after,
        broken=after == everything,
        steps=tuple(steps),
        open=("R3",) if outcome == "critical_hit" else (),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fumble(Answer):
    """A critical failure.

    Attributes:
        effect: What happens.
        ap_lost: All action points of the round are lost.
        down: The attacker lies on the ground.
        turns_lost: Turns lost, this one counted for a stupor.
        self_damage: Damage to oneself; None without any.

    Source: S.P.E.C.I.A.L., Таблица Критических ошибок.
    """

    effect: str
    ap_lost: bool
    down: bool
    turns_lost: int
    self_damage: int | None


def fumble(roll: int, damage: int | None = None) -> Fumble:
    """Return what a critical failure does.

    Args:
        roll: A d10.
        damage: Damage that the attack would have done.

    Source: S.P.E.C.I.A.L., Таблица Критических ошибок.
    """
    effect = FUMBLES[roll - 1]
    hurt = damage // 2 if effect == "hit_self" and damage is not None else None
    return Fumble(
        effect=effect,
        ap_lost=effect in ("ap_lost", "fall"),
        down=effect in ("fall", "heart_attack"),
        turns_lost=TURNS_LOST.get(effect, 0),
        self_damage=hurt,
        steps=(step(f"special_fumble.{effect}"),),
    )
