"""Rulers and weapon ranges (rulebook 2PB-002-111 §2.2 p.9, §2.8 p.16)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.ranges import RangeBand, inches_to_whole_mm
from device.rules.step import plain, step


@dataclass(frozen=True, slots=True, kw_only=True)
class Length(Answer):
    """Rulers laid end to end.

    Attributes:
        inches: Their length.
        mm: The same in millimetres, rounded to the nearest.

    Source: rulebook 2PB-002-111 §2.2 p.9.
    """

    inches: int
    mm: int


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponRange(Answer):
    """Which sets of dice a weapon may use at a distance.

    Attributes:
        in_range: Whether the target can be reached at all.
        bands: `short`, `long` or both, in this order.
        choice: Both apply, the shooter chooses.

    Source: rulebook 2PB-002-111 §2.8 p.16.
    """

    in_range: bool
    bands: tuple[str, ...]
    choice: bool


def ruler_length(ranges: Sequence[str], bands: Sequence[RangeBand]) -> Length:
    """Return the length of rulers laid end to end.

    Args:
        ranges: Ruler colours, at least one.
        bands: The game's rulers.

    Source: rulebook 2PB-002-111 §2.2 p.9; lengths from Homestead p.8.
    """
    if not ranges:
        raise BadInput("name at least one ruler", "ranges")
    inches_of = {band.name: band.inches for band in bands}
    inches = sum(inches_of[name] for name in ranges)
    steps = tuple(step(name, colour=name, inches=inches_of[name]) for name in ranges)
    mm = inches_to_whole_mm(inches)
    return Length(
        inches=inches,
        mm=mm,
        steps=(*steps, step(f"{ranges[-1]}.sum", inches=inches, mm=mm)),
    )


def weapon_range(
    near: Fraction, far: Fraction, short: Fraction, long: Fraction | None
) -> WeaponRange:
    """Return the range bands that a target's base lies in.

    Args:
        near: Nearest point of the target's base from the shooter's, mm.
        far: Its furthest point, mm, >= near.
        short: Length of the short range, mm.
        long: Length of the long range, which starts where short ends; None for a
            weapon without one.

    Raises:
        BadInput: `far` lies before `near`.

    Source: rulebook 2PB-002-111 §2.8 p.16.
    """
    if far < near:
        raise BadInput("the furthest point cannot be nearer than the nearest", "far")
    bands, steps = [], []
    if near <= short:
        bands.append("short")
        steps.append(step("short_range", near=plain(near), short=plain(short)))
    reach = short + (long or 0)
    if long is not None and near <= reach and far > short:
        bands.append("long")
        steps.append(step("long_range", near=plain(near), reach=plain(reach)))
    if len(bands) == 2:
        steps.append(step("short_range.choice"))
    if not bands:
        steps.append(step("long_range.out", near=plain(near), reach=plain(reach)))
    return WeaponRange(
        in_range=bool(bands),
        bands=tuple(bands),
        choice=len(bands) == 2,
        steps=tuple(steps),
    )
