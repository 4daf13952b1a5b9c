"""Seeing and shooting (STALKER: ZONA, ЛИНИЯ ВИДИМОСТИ, ПРОЦЕСС СТРЕЛЬБЫ)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.stalker.zona import Weapon, Zona
from device.rules.step import plain, step


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOfSight(Answer):
    """Whether a target is seen and may be shot at.

    Attributes:
        limit: Furthest distance of sight, inches; None without one.
        visible: The target is seen.
        can_shoot: And no more than one piece of cover lies on the line.

    Source: STALKER: ZONA, ЛИНИЯ ВИДИМОСТИ (S1 to S7).
    """

    limit: int | None
    visible: bool
    can_shoot: bool


def line_of_sight(
    zona: Zona,
    inches: Fraction,
    night: bool = False,
    woods: bool = False,
    woods_edge: bool = False,
    bad_weather: bool = False,
    lit_target: bool = False,
    night_vision: bool = False,
    blocked: bool = False,
    cover_pieces: int = 0,
) -> LineOfSight:
    """Return whether a target at a distance is seen.

    Args:
        zona: The game's tables.
        inches: Distance to the target.
        night: It is night.
        woods: The line runs in woods.
        woods_edge: Both look over the woods' edge: no limit by them.
        bad_weather: Fog, downpour or snow.
        lit_target: The target is well lit; lifts the limit of the night only.
        night_vision: The figure has night vision; likewise.
        blocked: Something solid is in the way.
        cover_pieces: Pieces of cover on the line.

    Source: STALKER: ZONA, ЛИНИЯ ВИДИМОСТИ (S1 to S7).
    """
    applying = {
        "night": night and not lit_target and not night_vision,
        "woods_night" if night else "woods": woods and not woods_edge,
        "weather_night" if night else "weather": bad_weather,
    }
    limits = {
        name: zona.number("sight_inches", name) for name, on in applying.items() if on
    }
    limit = min(limits.values(), default=None)
    visible = not blocked and (limit is None or inches <= limit)
    stops = zona.number("sight", "cover_pieces_that_stop_a_shot")
    steps = [step(f"stalker_sight.{name}", inches=n) for name, n in limits.items()]
    if blocked:
        steps.append(step("stalker_sight.blocked"))
    key = "stalker_sight" if visible else "stalker_sight.unseen"
    steps.append(step(key, inches=plain(inches)))
    if cover_pieces >= stops:
        steps.append(step("stalker_sight.cover", count=cover_pieces))
    lifted = night and (lit_target or night_vision) and bool(limits)
    return LineOfSight(
        limit=limit,
        visible=visible,
        can_shoot=visible and cover_pieces < stops,
        steps=tuple(steps),
        open=("S7",) if len(limits) > 1 or lifted else (),
    )


@dataclass(frozen=True, slots=True)
class Bounds:
    """A row of the shooting table.

    Attributes:
        hit_from: Totals from here hit; None for none.
        miss_to: Totals up to here miss; None for none.

    Source: STALKER: ZONA, ПРОЦЕСС СТРЕЛЬБЫ (H5).
    """

    hit_from: int | None = None
    miss_to: int | None = None

    def __post_init__(self) -> None:
        if (
            self.hit_from is not None
            and self.miss_to is not None
            and self.miss_to >= self.hit_from
        ):
            raise BadInput("a total cannot both hit and miss", "miss_to")

    def result(self, total: int) -> str:
        """Return `hit`, `miss` or `unresolved`."""
        if self.hit_from is not None and total >= self.hit_from:
            return "hit"
        if self.miss_to is not None and total <= self.miss_to:
            return "miss"
        return "unresolved"


@dataclass(frozen=True, slots=True)
class ShootingTable:
    """The players' own rows of the shooting table; None for the known cells.

    Source: STALKER: ZONA, ПРОЦЕСС СТРЕЛЬБЫ (H5).
    """

    first: Bounds | None = None
    later: Bounds | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """A target and the shots announced for it.

    Source: STALKER: ZONA, ВЫБОР ЦЕЛИ (H1).
    """

    id: str
    shots: int


@dataclass(frozen=True, slots=True)
class Shot:
    """What one die does.

    Source: STALKER: ZONA, ВЫБОР ЦЕЛИ (H2, H3).
    """

    target: str
    die: int
    total: int
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shooting(Answer):
    """A figure's shooting.

    Attributes:
        legal: It may be done as announced.
        reasons: Why not: `spread`.
        sorted: The dice from high to low.
        shots: What each die does, best dice at the first target.
        hits: Hits by target; empty if not legal.

    Source: STALKER: ZONA, ВЫБОР ЦЕЛИ, ПРОЦЕСС СТРЕЛЬБЫ (H1 to H6).
    """

    legal: bool
    reasons: tuple[str, ...]
    sorted: tuple[int, ...]
    shots: tuple[Shot, ...]
    hits: Mapping[str, int]


def shooting(
    zona: Zona,
    skill: int,
    rate: int,
    dice: Sequence[int],
    targets: Sequence[Target],
    skill_modifier: int = 0,
    span_inches: Fraction = Fraction(0),
    table: ShootingTable | None = None,
) -> Shooting:
    """Return which shots hit which targets.

    Args:
        zona: The game's tables.
        skill: The figure's Skill.
        rate: Rate of the weapon: most dice, and longest spread in inches.
        dice: One d6 a shot.
        targets: Targets in declared order.
        skill_modifier: Added to the Skill.
        span_inches: Length of the stretch that holds all targets.
        table: The players' own shooting table.

    Raises:
        BadInput: More shots than the rate, or not one die a shot.

    Source: STALKER: ZONA, ВЫБОР ЦЕЛИ, ПРОЦЕСС СТРЕЛЬБЫ (H1 to H6).
    """
    declared = sum(target.shots for target in targets)
    if declared > rate:
        raise BadInput(f"{declared} shots, but the rate is {rate}", "targets")
    if len(dice) != declared:
        raise BadInput(f"{declared} shots need {declared} dice", "dice")
    ordered = tuple(sorted(dice, reverse=True))
    if len(targets) > 1 and span_inches > rate:
        return Shooting(
            legal=False,
            reasons=("spread",),
            sorted=ordered,
            shots=(),
            hits={},
            steps=(step("stalker_shot.spread", inches=plain(span_inches), rate=rate),),
        )
    first, later = _rows(zona, table)
    shots: list[Shot] = []
    for number, target in enumerate(targets):
        row = later if number else first
        for die in ordered[len(shots) : len(shots) + target.shots]:
            total = die + skill + skill_modifier
            shots.append(Shot(target.id, die, total, row.result(total)))
    hits = {target.id: 0 for target in targets}
    for shot in shots:
        hits[shot.target] += shot.result == "hit"
    unresolved = any(shot.result == "unresolved" for shot in shots)
    return Shooting(
        legal=True,
        reasons=(),
        sorted=ordered,
        shots=tuple(shots),
        hits=hits,
        steps=tuple(
            step(f"stalker_shot.{s.result}", id=s.target, die=s.die, total=s.total)
            for s in shots
        ),
        open=("H5",) if unresolved or table is None else (),
    )


def _rows(zona: Zona, table: ShootingTable | None) -> tuple[Bounds, Bounds]:
    own = table or ShootingTable()
    first = own.first or Bounds(zona.number("shooting", "first_hit_from"), None)
    later = own.later or Bounds(None, zona.number("shooting", "later_miss_to"))
    return first, later


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponEffect(Answer):
    """What a weapon does to a target.

    Attributes:
        damage: By the target's armour.
        no_effect: The damage is 0.
        within_range: None if no distance was given.
        suppresses: None if the target's rating was not given.

    Source: STALKER: ZONA, ВООРУЖЕНИЕ (F2, F3, H8).
    """

    damage: int
    no_effect: bool
    within_range: bool | None
    suppresses: bool | None


def weapon_effect(
    zona: Zona,
    weapon: str | Weapon,
    armour: str,
    inches: Fraction | None = None,
    target_suppression: int | None = None,
) -> WeaponEffect:
    """Return a weapon's damage, reach and suppression.

    Args:
        zona: The game's tables.
        weapon: Key of a card, or the card itself.
        armour: The target's personal armour.
        inches: Distance to the target.
        target_suppression: Suppression rating of the target's weapon.

    Raises:
        BadInput: An unknown weapon, or one whose numbers the text does not state.

    Source: STALKER: ZONA, ВООРУЖЕНИЕ (F2, F3, H8, H9).
    """
    if isinstance(weapon, str):
        found = zona.weapons.get(weapon)
        if found is None:
            what = "has no numbers in the text" if weapon in zona.weapons else "unknown"
            raise BadInput(f"weapon {weapon!r}: {what}", "weapon")
        weapon = found
    damage = weapon.damage[armour] or 0
    within = None if inches is None else inches <= weapon.range
    suppresses = (
        None if target_suppression is None else weapon.suppression > target_suppression
    )
    steps = [step("stalker_weapon", armour=armour, damage=damage)]
    if within is not None:
        key = "stalker_weapon.within" if within else "stalker_weapon.beyond"
        steps.append(step(key, range=plain(weapon.range)))
    if suppresses:
        steps.append(step("stalker_weapon.suppresses"))
    return WeaponEffect(
        damage=damage,
        no_effect=damage == 0,
        within_range=within,
        suppresses=suppresses,
        steps=tuple(steps),
        open=("H9",) * (within is False) + ("H8",) * bool(suppresses),
    )
