"""Movement, climbing, falls and push-back (rulebook §2.7 p.15, §4.2 p.37-39)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from device.rules.answer import Answer
from device.rules.fields import needed
from device.rules.foww.armour import armour_check
from device.rules.foww.checks import skill_check
from device.rules.ranges import RangeBand, next_shorter
from device.rules.step import Step, plain, step

FALL_DAMAGE = {"orange": 0, "yellow": 2, "red": 4, "green": 6, "blue": 8, "black": 10}
"""Damage added to the black die by height, §4.2 p.39; orange has no row (O2)."""

OVER_BLACK = "over_black"
EDGE_DAMAGE = 1  # regular, without armour, §4.2 p.39


@dataclass(frozen=True, slots=True, kw_only=True)
class MovementRange(Answer):
    """With which ruler a model moves.

    Attributes:
        can_move: False while stunned.
        range: Ruler colour; None if it cannot move.
        shorter_by: Steps really taken.

    Source: rulebook 2PB-002-111 §4.2 p.37, §5.4 p.48.
    """

    can_move: bool
    range: str | None
    shorter_by: int


def movement_range(
    bands: Sequence[RangeBand],
    range: str | None = None,
    slowed: bool = False,
    frozen: bool = False,
    quick: bool = False,
    difficult: bool = False,
    climb: bool = False,
    freedom: bool = False,
    stunned: bool = False,
) -> MovementRange:
    """Return the ruler of a move after everything that shortens it.

    Args:
        bands: The game's rulers, short to long.
        range: Ruler of the card; not needed while stunned.
        slowed: One step, before everything else.
        frozen: One step.
        quick: A quick action: one step.
        difficult: Crosses difficult terrain: one step, however much.
        climb: Climbs, which counts as difficult terrain; the two are one step.
        freedom: Freedom of movement: ignores difficult terrain, not climbing (O10).
        stunned: Cannot move.

    Raises:
        BadInput: The ruler is missing.

    Source: rulebook 2PB-002-111 §4.2 p.37-38, §4.3 p.40, §5.4 p.48.
    """
    if stunned:
        return MovementRange(
            can_move=False, range=None, shorter_by=0, steps=(step("stunned.move"),)
        )
    name = needed(range, "range")
    reasons = {
        "slowed": slowed,
        "frozen.move": frozen,
        "quick_action.move": quick,
        "climb.move": climb,
        "difficult": difficult and not freedom and not climb,
    }
    steps = [step(key) for key, applies in reasons.items() if applies]
    if difficult and freedom:
        steps.append(step("freedom"))
    band, taken = next_shorter(bands, name, sum(reasons.values()))
    steps.append(step("next_shorter", range=band.name, steps=taken))
    return MovementRange(
        can_move=True,
        range=band.name,
        shorter_by=taken,
        steps=tuple(steps),
        open=("O10",) if climb and freedom else (),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb(Answer):
    """A climb.

    Attributes:
        allowed: False with the cannot-climb icon.
        success: The agility check succeeded.
        falls: It failed: the model falls from the starting height.
        range: Ruler of the climb; None if not climbing.
        action_ends: The action is over.

    Source: rulebook 2PB-002-111 §4.2 p.38.
    """

    allowed: bool
    success: bool
    falls: bool
    range: str | None
    action_ends: bool


def climb(
    bands: Sequence[RangeBand],
    rating: int,
    skill: str | None = None,
    range: str | None = None,
    can_climb: bool = True,
    slowed: bool = False,
    frozen: bool = False,
    quick: bool = False,
) -> Climb:
    """Return whether a climb succeeds and how far it goes.

    Args:
        bands: The game's rulers, short to long.
        rating: Adjusted agility.
        skill: Face of the skill die; needed if the model can climb.
        range: Ruler of the move; needed if the model can climb.
        can_climb: False with the cannot-climb icon.
        slowed: One ruler step shorter.
        frozen: One ruler step shorter.
        quick: A quick action: one ruler step shorter.

    Raises:
        BadInput: The skill die or the ruler is missing.

    Source: rulebook 2PB-002-111 §4.2 p.38.
    """
    if not can_climb:
        return Climb(
            allowed=False,
            success=False,
            falls=False,
            range=None,
            action_ends=False,
            steps=(step("cannot_climb"),),
        )
    name = needed(range, "range")
    check = skill_check(rating, skill, quick_action=quick)
    moved = movement_range(
        bands, name, slowed=slowed, frozen=frozen, quick=quick, climb=True
    )
    after = moved.steps if check.success else (step("climb.fall"),)
    return Climb(
        allowed=True,
        success=check.success,
        falls=not check.success,
        range=moved.range if check.success else None,
        action_ends=not check.success,
        steps=(*check.steps, *after),
        open=check.open,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall(Answer):
    """A fall or a jump down.

    Attributes:
        row: Row of the falling table used, `over_black`, or None if nothing is rolled.
        damage: Physical damage before armour.
        penetration: Bottles rolled, each lowers the armour by 1.
        taken: Damage after armour.
        removed: Fell from more than black.
        action_ends: Damage was taken, or the model was removed.

    Source: rulebook 2PB-002-111 §4.2 p.39.
    """

    row: str | None
    damage: int
    penetration: int
    taken: int
    removed: bool
    action_ends: bool


def fall(
    height: str,
    jump: bool = False,
    black_die: Sequence[str] | None = None,
    power_armour: bool = False,
    rating: int = 0,
    sturdy: int = 0,
    armour_die: str | None = None,
) -> Fall:
    """Return the damage of a fall.

    Args:
        height: The shortest ruler that covers it, or `over_black`.
        jump: Jumped on purpose: the next shorter row.
        black_die: Icons of the black die; needed where damage is rolled.
        power_armour: Wears power armour, which ignores all of it.
        rating: Physical armour rating.
        sturdy: Its sturdy bonus.
        armour_die: Face of the armour die; needed where a check is.

    Raises:
        BadInput: A die is missing.

    Source: rulebook 2PB-002-111 §4.2 p.39, §5.2 p.45.
    """
    row = _fall_row(height, jump)
    if power_armour or row is None:
        return _harmless(step("power_armour.fall") if power_armour else step("jump"))
    if row == OVER_BLACK:
        return Fall(
            row=row,
            damage=0,
            penetration=0,
            taken=0,
            removed=True,
            action_ends=True,
            steps=(step("fall.removed"),),
        )
    rolled = needed(black_die, "black_die")
    icons, bottles = rolled.count("dmg"), rolled.count("bottle")
    damage = FALL_DAMAGE[row] + icons
    steps = [step("fall", row=row, added=FALL_DAMAGE[row], icons=icons, damage=damage)]
    if bottles:
        steps.append(step("bottle.fall", count=bottles))
    taken = 0
    if damage:
        if rating > bottles:
            needed(armour_die, "armour_die")
        check = armour_check(
            damage, rating, sturdy, penetration=bottles, die=armour_die
        )
        taken, steps = check.taken, [*steps, *check.steps]
    opened = [*(["O2"] if row == "orange" else []), *(["O3"] if bottles else [])]
    return Fall(
        row=row,
        damage=damage,
        penetration=bottles,
        taken=taken,
        removed=False,
        action_ends=taken > 0,
        steps=tuple(steps),
        open=tuple(opened),
    )


def _fall_row(height: str, jump: bool) -> str | None:
    rows = [*FALL_DAMAGE, OVER_BLACK]
    number = rows.index(height) - jump
    return rows[number] if number >= 0 else None


def _harmless(why: Step) -> Fall:
    return Fall(
        row=None,
        damage=0,
        penetration=0,
        taken=0,
        removed=False,
        action_ends=False,
        steps=(why,),
    )


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Something in the way of a pushed model.

    Attributes:
        kind: `model`, `cover`, `blocking` or `edge` (of the table).
        at: Its distance along the push, mm.

    Source: rulebook 2PB-002-111 §4.1 p.36, §4.2 p.39.
    """

    kind: str
    at: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class PushBack(Answer):
    """A push-back.

    Attributes:
        moved: How far the model moves, mm.
        stopped_by: None, the kind of obstacle, or `immovable`.
        damage: Regular damage without armour, 0 or 1.
        free_attack: Always False: a push provokes none.

    Source: rulebook 2PB-002-111 §4.1 p.36, §4.2 p.39.
    """

    moved: Fraction
    stopped_by: str | None
    damage: int
    free_attack: bool = False


def push_back(
    distance: Fraction, obstacles: Sequence[Obstacle] = (), turret: bool = False
) -> PushBack:
    """Return how far a model is pushed and what stops it.

    Args:
        distance: Length of the push, mm.
        obstacles: What lies in the way; one counts when nearer than the push is long.
        turret: Turrets are never moved.

    Source: rulebook 2PB-002-111 §4.1 p.36, §4.2 p.39, §6.1 p.51.
    """
    if turret:
        return PushBack(
            moved=Fraction(0),
            stopped_by="immovable",
            damage=0,
            steps=(step("turret.immovable"),),
        )
    in_way = [obstacle for obstacle in obstacles if obstacle.at < distance]
    nearest = min(in_way, key=lambda obstacle: obstacle.at, default=None)
    if nearest is None:
        steps: tuple[Step, ...] = (step("push_back", moved=plain(distance)),)
        return PushBack(moved=distance, stopped_by=None, damage=0, steps=steps)
    edge = nearest.kind == "edge"
    steps = (
        step(f"push_back.{nearest.kind}", moved=plain(nearest.at)),
        *((step("table_edge"),) if edge else ()),
    )
    return PushBack(
        moved=nearest.at,
        stopped_by=nearest.kind,
        damage=EDGE_DAMAGE if edge else 0,
        steps=steps,
    )
