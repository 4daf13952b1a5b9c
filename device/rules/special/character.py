"""Characters: stats, derived numbers, skills, levels (S.P.E.C.I.A.L., Персонаж)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.special.charts import Charts
from device.rules.step import Step, step

STAT_MIN, STAT_MAX = 1, 10
TRAITS_MAX = 2
TRAITS = (
    "fast_metabolism",
    "bruiser",
    "small_frame",
    "one_hander",
    "finesse",
    "kamikaze",
    "heavy_handed",
    "fast_shot",
    "jinxed",
    "heavy_throw",
    "night_person",
    "gifted",
    "sex_appeal",
    "technomage",
)

DAY_FROM, DAY_TO = "06:01", "18:00"
"""When a night person is at a disadvantage (Уникальные особенности)."""

TECHNOMAGE_SKILLS, TECHNOMAGE_BONUS = ("science", "repair", "lockpick"), 15
GIFTED_SKILLS, GIFTED_POINTS = -10, -5

EXPERIENCE_UNIT = 500  # level n begins at 500 n (n - 1), V1
LAST_GROWING_LEVEL, LATER_LEVEL = 21, 40_000  # V1
SKILL_MAX = 300  # Развитие персонажа


@dataclass(frozen=True, slots=True)
class Stats:
    """The seven primary stats, each 1 to 10.

    Source: S.P.E.C.I.A.L., Первичные характеристики.
    """

    st: int
    pe: int
    en: int
    ch: int
    in_: int
    ag: int
    lk: int

    def plus(self, **changes: int) -> Stats:
        """Return the stats with changes, each held within 1 to 10."""
        changed = {
            field.name: getattr(self, field.name) + changes.get(field.name, 0)
            for field in fields(self)
        }
        held = {n: max(STAT_MIN, min(v, STAT_MAX)) for n, v in changed.items()}
        return replace(self, **held)


def check_traits(traits: Sequence[str]) -> None:
    """Refuse more than two traits, or one twice.

    Raises:
        BadInput: The list, or the repeated trait, is at fault.

    Source: S.P.E.C.I.A.L., Уникальные особенности.
    """
    if len(traits) > TRAITS_MAX:
        raise BadInput(f"at most {TRAITS_MAX} traits, not {len(traits)}")
    for number, trait in enumerate(traits):
        if trait in traits[:number]:
            raise BadInput(f"{trait!r} is there twice", f"[{number}]")


def lasting_stats(special: Stats, traits: Sequence[str]) -> Stats:
    """Return the stats with the traits that change them for good.

    Source: S.P.E.C.I.A.L., Уникальные особенности.
    """
    gifted = int("gifted" in traits)
    changes = {field.name: gifted for field in fields(Stats)}
    changes["st"] += 2 * ("bruiser" in traits)
    changes["ag"] += "small_frame" in traits
    changes["pe"] -= "technomage" in traits
    return special.plus(**changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Character(Answer):
    """A character's derived numbers.

    Attributes:
        special: The lasting stats.
        special_now: The stats at this time and with this partner.
        ap: Action points.
        carry_kg: Weight that can be carried, kg.
        sequence: Place in the order.
        heal_rate: Hit points healed at a time.
        throw_range: Metres.
        crit_chance: Percent.
        damage_resistance: Percent.
        armour_class: Natural armour class.
        hp: Hit points.
        skill_points: Per level.
        poison_resistance: Percent.
        radiation_resistance: Percent.
        melee_damage: Damage of a bare hand.

    Source: S.P.E.C.I.A.L., Вторичные характеристики, Уникальные особенности.
    """

    special: Stats
    special_now: Stats
    ap: int
    carry_kg: int
    sequence: int
    heal_rate: int
    throw_range: int
    crit_chance: int
    damage_resistance: int
    armour_class: int
    hp: int
    skill_points: int
    poison_resistance: int
    radiation_resistance: int
    melee_damage: int


def character(
    charts: Charts,
    special: Stats,
    traits: Sequence[str] = (),
    time: str | None = None,
    partner: str | None = None,
) -> Character:
    """Return a character's derived numbers; divisions round down.

    Args:
        charts: The game's tables.
        special: Stats as chosen.
        traits: None to two traits; those that change stats act first.
        time: Time of day, `HH:MM`.
        partner: `same` or `opposite` sex as the character.

    Source: S.P.E.C.I.A.L., Вторичные характеристики, Уникальные особенности (Q3).
    """
    has = {trait: trait in traits for trait in TRAITS}
    lasting = lasting_stats(special, traits)
    carry = 15 * lasting.st if has["small_frame"] else 6 + 10 * lasting.st
    steps = [step("special_trait", trait=trait) for trait in traits]
    opened = [
        *(["small_frame"] if has["small_frame"] else []),
        "resistances",
    ]
    return Character(
        special=lasting,
        special_now=_stats_now(lasting, has, time, partner),
        ap=5 + lasting.ag // 2 - 2 * has["bruiser"],
        carry_kg=carry,
        sequence=lasting.ag + lasting.st + 5 * has["kamikaze"],
        heal_rate=lasting.en + 6 + 2 * has["fast_metabolism"],
        throw_range=lasting.st + 6,
        crit_chance=lasting.lk + 10 * has["finesse"],
        damage_resistance=0,
        armour_class=0 if has["kamikaze"] else lasting.ag,
        hp=15 + lasting.st + 2 * lasting.en,
        skill_points=_points_per_level(lasting.in_, has["gifted"]),
        poison_resistance=0 if has["fast_metabolism"] else 5 * lasting.en,
        radiation_resistance=2 * lasting.en,
        melee_damage=charts.number("melee_damage", lasting.st)
        + 4 * has["heavy_handed"],
        steps=tuple(steps),
        open=tuple(opened),
    )


def _stats_now(
    lasting: Stats, has: dict[str, bool], time: str | None, partner: str | None
) -> Stats:
    changes: dict[str, int] = {}
    if has["night_person"] and time is not None:
        # HH:MM texts compare like the times that they are
        change = -1 if DAY_FROM <= time <= DAY_TO else 1
        changes.update(pe=change, in_=change)
    if has["sex_appeal"] and partner is not None:
        changes["ch"] = 1 if partner == "opposite" else -1
    return lasting.plus(**changes)


def _points_per_level(intellect: int, gifted: bool) -> int:
    return 5 + 2 * intellect + GIFTED_POINTS * gifted


@dataclass(frozen=True, slots=True)
class SkillValues:
    """Every skill's starting value, percent.

    Source: S.P.E.C.I.A.L., Навыки.
    """

    energy: int
    firearms: int
    archery: int
    cold: int
    unarmed: int
    throwing: int
    lockpick: int
    medicine: int
    repair: int
    science: int
    stealth: int
    performance: int
    trade: int
    survival: int
    animals: int
    riding: int
    driving: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Skills(Answer):
    """A character's skills.

    Source: S.P.E.C.I.A.L., Навыки.
    """

    skills: SkillValues


def skills(special: Stats, traits: Sequence[str] = ()) -> Skills:
    """Return the skills of a new character, at least 0.

    Source: S.P.E.C.I.A.L., Навыки, Уникальные особенности.
    """
    s = lasting_stats(special, traits)
    values = {
        "energy": 2 * s.ag,
        "firearms": 2 * s.ag,
        "archery": 5 + s.ch + s.pe,
        "cold": 20 + 2 * (s.ag + s.st),
        "unarmed": 30 + 2 * (s.ag + s.st),
        "throwing": 4 * s.ag,
        "lockpick": 10 + s.ag + s.pe,
        "medicine": 10 + s.pe + s.in_,
        "repair": 3 * s.in_,
        "science": 4 * s.in_,
        "stealth": 3 * s.ag,
        "performance": 4 * s.ch,
        "trade": 4 * s.ch,
        "survival": 2 * (s.in_ + s.en),
        "animals": 3 * s.ch,
        "riding": 2 * s.ag,
        "driving": 2 * (s.ag + s.en),
    }
    gifted = GIFTED_SKILLS * ("gifted" in traits)
    for name in values:
        technomage = "technomage" in traits and name in TECHNOMAGE_SKILLS
        bonus = TECHNOMAGE_BONUS * technomage + gifted
        values[name] = max(0, values[name] + bonus)
    return Skills(
        skills=SkillValues(**values),
        steps=tuple(step("special_trait", trait=trait) for trait in traits),
        open=("archery",),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Level(Answer):
    """A level and what reaching it gives.

    Attributes:
        level: By experience.
        next_xp: Experience at which the next level begins.
        hp_gain: Hit points of each level.
        skill_points: Skill points of each level.
        perk: This level brings a perk.

    Source: S.P.E.C.I.A.L., Развитие персонажа (V1, V2, V4).
    """

    level: int
    next_xp: int
    hp_gain: int
    skill_points: int
    perk: bool


def level(xp: int, endurance: int, intelligence: int, gifted: bool = False) -> Level:
    """Return the level that experience has reached.

    Args:
        xp: Experience, >= 0.
        endurance: Lasting Endurance.
        intelligence: Lasting Intellect.
        gifted: Has that trait: fewer skill points.

    Source: S.P.E.C.I.A.L., Развитие персонажа (V1, V2, V4).
    """
    reached = 1
    while xp >= experience_of(reached + 1):
        reached += 1
        if reached > LAST_GROWING_LEVEL:
            beyond = xp - experience_of(LAST_GROWING_LEVEL)
            reached = LAST_GROWING_LEVEL + beyond // LATER_LEVEL
            break
    return Level(
        level=reached,
        next_xp=experience_of(reached + 1),
        hp_gain=3 + endurance // 2,
        skill_points=_points_per_level(intelligence, gifted),
        perk=reached % 2 == 0,
        steps=(step("special_level", level=reached, next=experience_of(reached + 1)),),
    )


def experience_of(level: int) -> int:
    """Return the experience at which a level begins.

    Source: S.P.E.C.I.A.L., Развитие персонажа (V1).
    """
    growing = min(level, LAST_GROWING_LEVEL)
    later = max(0, level - LAST_GROWING_LEVEL) * LATER_LEVEL
    return EXPERIENCE_UNIT * growing * (growing - 1) + later


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillCost(Answer):
    """Skill points for raising a skill.

    Source: S.P.E.C.I.A.L., Улучшение Умений (V3).
    """

    cost: int


def skill_cost(charts: Charts, from_: int, to: int) -> SkillCost:
    """Return the skill points for raising a skill, priced by its current value.

    Args:
        charts: The game's tables.
        from_: Value before, 0 to 300.
        to: Value wanted, from that up to 300.

    Raises:
        BadInput: `to` lies below `from_`.

    Source: S.P.E.C.I.A.L., Улучшение Умений (V3).
    """
    if to < from_:
        raise BadInput("a skill is only raised", "to")
    prices = sorted(
        (int(k), price) for k, price in charts.tables["skill_price"].items()
    )
    cost = 0
    steps: list[Step] = []
    lowest = 0
    for up_to, price in prices:
        # the values lowest..up_to cost this much each
        count = max(0, min(to - 1, up_to) - max(from_, lowest) + 1)
        if count:
            cost += count * price
            steps.append(step("special_skill_cost", count=count, price=price))
        lowest = up_to + 1
    return SkillCost(cost=cost, steps=tuple(steps))
