"""Skills in play, travel and gear (S.P.E.C.I.A.L., Применение навыков, Снаряжение)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.special.charts import Charts
from device.rules.special.rounds import check_roll
from device.rules.step import step

TRAP_RESULTS = {
    "detect": ("unnoticed", "noticed"),
    "disarm": ("not_disarmed", "disarmed"),
    "set": ("faulty", "set"),
    "avoid": ("triggered", "avoided"),
}
"""Failure and success by stage (K1)."""

DISARM_SECONDS = 10  # K1
SECRET_STAGES = ("detect", "set")  # rolled by the game master, K1
STEAL_AFTER_SNEAKING = 40  # K4
LOCK_BREAKS_FROM = 95  # K5
LOCK_MINUTES = 1  # K5
ENCOUNTER_HEXES = 5  # per Perception, K2
SWIM_KG = 10  # per Strength, K6
FLOAT_MINUTES, SWIM_MINUTES = 10, 1  # between Endurance rolls, K6
ROUND_AP = 10  # action points that a rating is stated for, G2
MONEY_PER_TRADE = 3  # G1


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap(Answer):
    """A trap noticed, disarmed, set or avoided.

    Attributes:
        success: The roll succeeded.
        result: What that means at this stage.
        seconds: How long it takes; None where it takes no time.
        secret: The game master rolls it hidden.

    Source: S.P.E.C.I.A.L., Обнаружение ловушек (K1).
    """

    success: bool
    result: str
    seconds: int | None
    secret: bool


def trap(stage: str, value: int, die: int, roll: int) -> Trap:
    """Return what a roll about a trap means.

    Args:
        stage: `detect`, `disarm`, `set` or `avoid`.
        value: Skill or stat rolled against.
        die: 10 or 100.
        roll: What it shows, 1 to `die`.

    Raises:
        BadInput: The die cannot show this.

    Source: S.P.E.C.I.A.L., Обнаружение ловушек (K1).
    """
    check_roll(roll, die)
    success = roll <= value
    result = TRAP_RESULTS[stage][success]
    return Trap(
        success=success,
        result=result,
        seconds=DISARM_SECONDS if stage == "disarm" else None,
        secret=stage in SECRET_STAGES,
        steps=(step(f"special_trap.{result}", roll=roll, value=value),),
        open=("Q2",) if die == 10 else (),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticing(Answer):
    """Whether a sneaker is noticed, or sneaking succeeds.

    Source: S.P.E.C.I.A.L., Обнаружение крадущихся (K3), Скрытность (K4).
    """

    chance: int
    success: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Theft(Answer):
    """A theft; a failed one is noticed.

    Source: S.P.E.C.I.A.L., Скрытность (K4).
    """

    chance: int
    success: bool
    noticed: bool


def detect(
    charts: Charts, perception: int, roll: int, light: str = "normal"
) -> Noticing:
    """Return whether somebody notices a sneaker.

    Source: S.P.E.C.I.A.L., Обнаружение крадущихся (K3).
    """
    return _noticing(charts.number("detect_factor", light) * perception, roll)


def sneak(skill: int, roll: int, modifier: int = 0, sneaking: bool = False) -> Noticing:
    """Return whether sneaking succeeds; `sneaking` means nothing here.

    Source: S.P.E.C.I.A.L., Скрытность (K4).
    """
    return _noticing(skill + modifier, roll)


def steal(skill: int, roll: int, modifier: int = 0, sneaking: bool = False) -> Theft:
    """Return whether a theft succeeds; easier out of successful sneaking.

    Source: S.P.E.C.I.A.L., Скрытность (K4).
    """
    found = _noticing(skill + modifier + STEAL_AFTER_SNEAKING * sneaking, roll)
    return Theft(
        chance=found.chance,
        success=found.success,
        noticed=not found.success,
        steps=found.steps,
    )


def _noticing(chance: int, roll: int) -> Noticing:
    success = roll <= chance
    key = "special_check" if success else "special_check.failed"
    return Noticing(
        chance=chance, success=success, steps=(step(key, roll=roll, target=chance),)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock(Answer):
    """An attempt at a lock.

    Source: S.P.E.C.I.A.L., Взлом замков (K5).
    """

    chance: int
    success: bool
    lock_broken: bool
    minutes: int


def lockpick(skill: int, roll: int, modifier: int = 0) -> Lock:
    """Return whether a lock opens, or breaks for good.

    Source: S.P.E.C.I.A.L., Взлом замков (K5).
    """
    tried = _noticing(skill + modifier, roll)
    broken = not tried.success and roll >= LOCK_BREAKS_FROM
    steps = (*tried.steps, *((step("special_lock.broken"),) if broken else ()))
    return Lock(
        chance=tried.chance,
        success=tried.success,
        lock_broken=broken,
        minutes=LOCK_MINUTES,
        steps=steps,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter(Answer):
    """A meeting on the way.

    Source: S.P.E.C.I.A.L., Случайные встречи (K2).
    """

    distance: int
    aware: bool


def encounter(perception: int, survival: int, roll: int) -> Encounter:
    """Return at which distance a meeting begins and whether the group may choose.

    Source: S.P.E.C.I.A.L., Случайные встречи (K2).
    """
    distance = ENCOUNTER_HEXES * perception
    return Encounter(
        distance=distance,
        aware=roll <= survival,
        steps=(step("special_encounter", distance=distance),),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Swim(Answer):
    """Swimming with a load.

    Attributes:
        limit_kg: Load with which it is safe.
        sinks: The load is more.
        can_swim: Does not sink, and has a hand free.
        checks: Endurance rolls in that time.

    Source: S.P.E.C.I.A.L., Плавание и переход вброд (K6).
    """

    limit_kg: int
    sinks: bool
    can_swim: bool
    checks: int


def swim(
    strength: int, load_kg: Fraction, free_hands: int, minutes: int, mode: str
) -> Swim:
    """Return whether somebody swims, and the Endurance rolls that it takes.

    Args:
        strength: Strength.
        load_kg: Load carried, kg.
        free_hands: Free hands; one is needed.
        minutes: Time in the water.
        mode: `float` or `swim`.

    Source: S.P.E.C.I.A.L., Плавание и переход вброд (K6).
    """
    limit = SWIM_KG * strength
    sinks = load_kg > limit
    key = "special_swim.sinks" if sinks else "special_swim"
    return Swim(
        limit_kg=limit,
        sinks=sinks,
        can_swim=not sinks and free_hands > 0,
        checks=minutes // (FLOAT_MINUTES if mode == "float" else SWIM_MINUTES),
        steps=(step(key, limit=limit),),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating(Answer):
    """A weapon's damage in 10 action points, if all hits land.

    Source: S.P.E.C.I.A.L., Оружие (G2).
    """

    attacks: int
    low: int
    high: int


def weapon_rating(min: int, max: int, ap: int) -> Rating:
    """Return a weapon's rating.

    Args:
        min: Least damage of an attack.
        max: Most damage, from that up.
        ap: Action points of an attack, 1 to 10.

    Raises:
        BadInput: `max` lies below `min`.

    Source: S.P.E.C.I.A.L., Оружие (G2).
    """
    if max < min:
        raise BadInput("the most damage is no less than the least", "max")
    attacks = ROUND_AP // ap
    return Rating(
        attacks=attacks,
        low=min * attacks,
        high=max * attacks,
        steps=(step("special_rating", attacks=attacks, ap=ROUND_AP),),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Money(Answer):
    """Money at the start.

    Source: S.P.E.C.I.A.L., Снаряжение (G1).
    """

    money: int


def start_money(trade: int, base: int = 1000) -> Money:
    """Return the money that a character starts with.

    Source: S.P.E.C.I.A.L., Снаряжение (G1).
    """
    money = base + MONEY_PER_TRADE * trade
    return Money(money=money, steps=(step("special_money", money=money),))
