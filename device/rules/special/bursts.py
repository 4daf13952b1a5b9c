"""Bursts (S.P.E.C.I.A.L., Стрельба Очередью)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.rules.answer import Answer
from device.rules.special.hitting import ALWAYS_FUMBLES_FROM
from device.rules.step import step

ROUND_UP_TO_BULLETS = 5  # U4


@dataclass(frozen=True, slots=True, kw_only=True)
class Burst(Answer):
    """A burst.

    Attributes:
        rounded: The chance in tens, for grouped bursts; None for plain ones.
        per_bullet: Whether each bullet hits, in order.
        hits: How many do.
        misses: How many do not.
        knockdown_check: Half or more hit: the target may fall.
        critical: A bullet is critical; None where it cannot be told.
        fumbles: Bullets that fumble; None for grouped bursts.

    Source: S.P.E.C.I.A.L., Стрельба Очередью, Кучная стрельба Очередью (U1 to U7).
    """

    rounded: int | None
    per_bullet: tuple[bool, ...]
    hits: int
    misses: int
    knockdown_check: bool
    critical: bool | None
    fumbles: int | None


def plain_burst(
    chance: int,
    rolls: Sequence[int],
    mounted: bool = False,
    crit_chance: int | None = None,
) -> Burst:
    """Return which bullets of a plain burst hit: one d100 each.

    Args:
        chance: Percent.
        rolls: A d100 a bullet, three or more.
        mounted: Means nothing here.
        crit_chance: The attacker's critical chance, percent.

    Source: S.P.E.C.I.A.L., Стрельба Очередью (U1, U2), После Бросков (R2, R5).
    """
    per_bullet = [r <= chance and r < ALWAYS_FUMBLES_FROM for r in rolls]
    critical = None
    if crit_chance is not None:
        pairs = zip(rolls, per_bullet, strict=True)
        critical = any(hit and roll <= crit_chance for roll, hit in pairs)
    fumbles = sum(roll >= ALWAYS_FUMBLES_FROM for roll in rolls)
    return _burst(None, per_bullet, critical, fumbles)


def grouped_burst(
    chance: int,
    rolls: Sequence[int],
    mounted: bool = False,
    crit_chance: int | None = None,
) -> Burst:
    """Return which bullets of a grouped burst hit: one d10 each, 0 never.

    Args:
        chance: Percent; rounded to tens, up for few bullets or a mounted gun.
        rolls: A d10 a bullet as printed, 0 to 9, three or more.
        mounted: A mounted or many-barrelled gun.
        crit_chance: Means nothing here.

    Source: S.P.E.C.I.A.L., Кучная стрельба Очередью (U4, U5).
    """
    up = mounted or len(rolls) <= ROUND_UP_TO_BULLETS
    rounded = (chance + 9 * up) // 10 * 10
    return _burst(rounded, [0 < 10 * roll <= rounded for roll in rolls], None, None)


def _burst(
    rounded: int | None,
    per_bullet: Sequence[bool],
    critical: bool | None,
    fumbles: int | None,
) -> Burst:
    hits = sum(per_bullet)
    return Burst(
        rounded=rounded,
        per_bullet=tuple(per_bullet),
        hits=hits,
        misses=len(per_bullet) - hits,
        knockdown_check=hits > 0 and 2 * hits >= len(per_bullet),
        critical=critical,
        fumbles=fumbles,
        steps=(step("special_burst", hits=hits, bullets=len(per_bullet)),),
        open=() if rounded is None else ("U5",),
    )
