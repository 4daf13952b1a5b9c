"""Movement (STALKER: ZONA, ПЕРЕМЕЩЕНИЯ, МЕСТНОСТЬ)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from device.rules.answer import Answer
from device.rules.fields import needed
from device.rules.stalker.groups import Figure
from device.rules.stalker.zona import Zona
from device.rules.step import plain, step

FORBIDDEN = ("impassable", "river")  # T2, T7


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a path over one kind of ground.

    Source: STALKER: ZONA, МЕСТНОСТЬ (T1 to T8).
    """

    terrain: str
    inches: Fraction


@dataclass(frozen=True, slots=True)
class Crossings:
    """Borders passed on a path, in and out counted apart.

    Source: STALKER: ZONA, МЕСТНОСТЬ (T3, T6).
    """

    hilly: int = 0
    building: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement(Answer):
    """Whether a path can be moved in one turn.

    Attributes:
        allowance: Inches of the turn.
        cost: Inches that the path costs.
        left: Allowance less cost, may be negative.
        legal: The path can be moved.
        reasons: Why not: `impassable`, `too_far`, `carrying_alone`.
        handling: Weapons may be reloaded, changed or exchanged on the way.

    Source: STALKER: ZONA, СТАНДАРТНЫЕ ПЕРЕМЕЩЕНИЯ (M1 to M3), МЕСТНОСТЬ (T8).
    """

    allowance: int
    cost: Fraction
    left: Fraction
    legal: bool
    reasons: tuple[str, ...]
    handling: bool


def movement(
    zona: Zona,
    skill: int,
    path: Sequence[Stretch],
    mode: str = "standard",
    passed: int | None = None,
    carriers: int = 0,
    crossings: Crossings | None = None,
) -> Movement:
    """Return what a path costs and whether a figure can move it.

    Args:
        zona: The game's tables.
        skill: The figure's Skill.
        path: Stretches in any order.
        mode: `standard` or `fast`.
        passed: Dice passed in the fast movement roll; needed for `fast`.
        carriers: 0 not carrying, 1 carries a comrade alone, 2 with another.
        crossings: Borders of hilly ground and buildings passed.

    Raises:
        BadInput: A fast move without its roll.

    Source: STALKER: ZONA, ПЕРЕМЕЩЕНИЯ (M1, M3, M4, M7, M9), МЕСТНОСТЬ (T1 to T8).
    """
    fast = mode == "fast"
    if fast:
        allowance = zona.number("fast_inches", str(needed(passed, "passed")))
    else:
        allowance = standard_inches(zona, skill)
    cost, steps = Fraction(0), [step(f"stalker_movement.{mode}", inches=allowance)]
    for stretch in path:
        if stretch.terrain in FORBIDDEN:
            continue
        part = stretch.inches * zona.number("terrain_cost", stretch.terrain)
        cost += part
        steps.append(
            step(
                "stalker_terrain",
                terrain=stretch.terrain,
                inches=plain(stretch.inches),
                cost=plain(part),
            )
        )
    met = crossings or Crossings()
    for name, count in (("hilly", met.hilly), ("building", met.building)):
        if count:
            part = Fraction(count * zona.number("crossing_inches", name))
            cost += part
            steps.append(
                step("stalker_crossing", border=name, count=count, cost=plain(part))
            )
    checks = {
        "impassable": any(stretch.terrain in FORBIDDEN for stretch in path),
        "too_far": cost > allowance,
        "carrying_alone": fast and carriers == 1,
    }
    reasons = tuple(reason for reason, applies in checks.items() if applies)
    steps += [step(f"stalker_movement.{reason}") for reason in reasons]
    slow = skill <= zona.number("movement", "slow_skill_max")
    opened = [*(["M7"] if fast and (cost or slow) else []), *(["T8"] if cost else [])]
    return Movement(
        allowance=allowance,
        cost=cost,
        left=allowance - cost,
        legal=not reasons,
        reasons=reasons,
        handling=not fast,
        steps=tuple(steps),
        open=tuple(opened),
    )


def standard_inches(zona: Zona, skill: int) -> int:
    """Return the inches of a standard move.

    Source: STALKER: ZONA, СТАНДАРТНЫЕ ПЕРЕМЕЩЕНИЯ (M1).
    """
    slow = skill <= zona.number("movement", "slow_skill_max")
    return zona.number("movement", "slow_inches" if slow else "normal_inches")


@dataclass(frozen=True, slots=True)
class FastFigure:
    """How far one figure of a fast group gets.

    Source: STALKER: ZONA, БЫСТРОЕ ПЕРЕМЕЩЕНИЕ (M4).
    """

    id: str
    passed: int
    max_inches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FastMove(Answer):
    """A group's fast movement roll.

    Attributes:
        figures: Each figure's reach, in order.
        together_inches: How far all of them get together.
        moved_fast: Always True: whoever tries counts as having moved fast.

    Source: STALKER: ZONA, БЫСТРОЕ ПЕРЕМЕЩЕНИЕ (M4 to M6).
    """

    figures: tuple[FastFigure, ...]
    together_inches: int
    moved_fast: bool = True


def fast_move(zona: Zona, dice: Sequence[int], figures: Sequence[Figure]) -> FastMove:
    """Return how far the figures of a group move fast.

    Args:
        zona: The game's tables.
        dice: Two d6, one roll for the group.
        figures: The group, at least one.

    Source: STALKER: ZONA, БЫСТРОЕ ПЕРЕМЕЩЕНИЕ (M4 to M6).
    """
    moved = []
    for figure in figures:
        passed = sum(die <= figure.skill for die in dice)
        reach = zona.number("fast_inches", str(passed))
        moved.append(FastFigure(figure.id, passed, reach))
    together = min(figure.max_inches for figure in moved)
    steps = [
        step("stalker_fast", id=f.id, passed=f.passed, inches=f.max_inches)
        for f in moved
    ]
    steps.append(step("stalker_fast.together", inches=together))
    return FastMove(figures=tuple(moved), together_inches=together, steps=tuple(steps))
