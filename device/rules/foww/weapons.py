"""Weapons with rules of their own (rulebook §5.1 p.44, §5.3 p.46-47)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.foww.checks import SkillCheck, skill_check
from device.rules.foww.icons import EffectDie
from device.rules.step import Step, step

MAX_AP_PER_BURST = 1  # action and critical points of one rapid-fire action, §5.3 p.47


@dataclass(frozen=True, slots=True)
class ScatterBand:
    """A row of a card's scatter table.

    Attributes:
        from_: Smallest miss of the row.
        to: Largest miss; None for no end.
        range: Ruler of the scatter.

    Source: rulebook 2PB-002-111 §5.3 p.47.
    """

    from_: int
    to: int | None
    range: str

    def __post_init__(self) -> None:
        if self.to is not None and self.to < self.from_:
            raise BadInput("a band ends where it begins or later", "to")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter(Answer):
    """Where a shot or throw with an area effect goes.

    Attributes:
        hit: The check succeeded.
        scatters: It failed, and the weapon scatters.
        margin: How far the result missed the rating; None on an X or a hit.
        range: Ruler of the scatter, or None.
        line_from: Where the line to the new point starts, `target` or `shooter`.

    Source: rulebook 2PB-002-111 §5.3 p.47.
    """

    hit: bool
    scatters: bool
    margin: int | None
    range: str | None
    line_from: str | None


def scatter(
    ruler_order: Sequence[str],
    rating: int,
    skill: str,
    bands: Sequence[ScatterBand],
    effects: Sequence[EffectDie] = (),
    result_modifier: int = 0,
    scatter_icon: bool = True,
    grenade: bool = False,
) -> Scatter:
    """Return whether and how far a failed shot or throw scatters.

    Args:
        ruler_order: Ruler colours, short to long.
        rating: Adjusted.
        skill: Face of the skill die.
        bands: The card's scatter table.
        effects: The rolled effect dice.
        result_modifier: Added to the result (luck).
        scatter_icon: The weapon has the scatter icon.
        grenade: Has the grenade icon: obstacles are looked for from the first target.

    Source: rulebook 2PB-002-111 §5.1 p.44, §5.3 p.47.
    """
    check = skill_check(rating, skill, effects, result_modifier=result_modifier)
    scatters = not check.success and scatter_icon
    found = None
    if scatters and check.margin is None:
        ranges = [band.range for band in bands]
        found = max(ranges, key=ruler_order.index, default=None)
    elif scatters and check.margin is not None:
        found = _band_of(bands, check.margin)
    line_from = ("target" if grenade else "shooter") if scatters else None
    steps = list(check.steps)
    if scatters:
        key = "scatter" if found else "scatter.none"
        steps.append(step(key, margin=_shown(check.margin), range=found or "-"))
        steps.append(step(f"scatter.{line_from}"))
    return Scatter(
        hit=check.success,
        scatters=scatters,
        margin=None if check.success else check.margin,
        range=found,
        line_from=line_from,
        steps=tuple(steps),
        open=(*check.open, "O19") if scatters and rating < 1 else check.open,
    )


def _band_of(bands: Sequence[ScatterBand], margin: int) -> str | None:
    for band in bands:
        if band.from_ <= margin and (band.to is None or margin <= band.to):
            return band.range
    return None


def _shown(margin: int | None) -> int | str:
    return "X" if margin is None else margin


@dataclass(frozen=True, slots=True)
class Target:
    """A model near an area effect.

    Attributes:
        id: Its name in this question.
        pos: Centre of its base, mm.
        base: Diameter of its base, mm.
        between: What lies between it and the centre: None, `cover` or `blocking`.

    Source: rulebook 2PB-002-111 §5.3 p.46.
    """

    id: str
    pos: tuple[Fraction, Fraction]
    base: Fraction
    between: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaEffect(Answer):
    """Who is in an area effect.

    Attributes:
        affected: Models in it, in input order.
        armour_bonus: 1 for each affected model shielded by an object, else 0.
        damage: Points of damage of each affected model.

    Source: rulebook 2PB-002-111 §5.3 p.46-47.
    """

    affected: tuple[str, ...]
    armour_bonus: Mapping[str, int]
    damage: Mapping[str, int]


def area_effect(
    centre: tuple[Fraction, Fraction],
    diameter: Fraction,
    damage: int,
    models: Sequence[Target],
    target: str | None = None,
    target_damage: int = 0,
) -> AreaEffect:
    """Return which models an area effect hits, wholly or partly inside.

    Args:
        centre: Centre of the area, mm.
        diameter: Its diameter, mm.
        damage: Points for every model in it.
        models: Models near it, friend and foe.
        target: The model that was aimed at, if any.
        target_damage: Further points for that model.

    Source: rulebook 2PB-002-111 §5.3 p.46-47.
    """
    inside = [model for model in models if _reaches(centre, diameter, model)]
    hit = [model for model in inside if model.between != "blocking"]
    points = {
        model.id: damage + (target_damage if model.id == target else 0) for model in hit
    }
    steps = []
    for model in inside:
        if model.between == "blocking":
            steps.append(step("area_effect.shielded", id=model.id))
            continue
        steps.append(step("area_effect", id=model.id, damage=points[model.id]))
        if model.between == "cover":
            steps.append(step("area_effect.cover", id=model.id))
    return AreaEffect(
        affected=tuple(model.id for model in hit),
        armour_bonus={model.id: int(model.between == "cover") for model in hit},
        damage=points,
        steps=tuple(steps),
    )


def _reaches(
    centre: tuple[Fraction, Fraction], diameter: Fraction, model: Target
) -> bool:
    """Whether base and area touch; compared as squares, so exactly."""
    across, along = model.pos[0] - centre[0], model.pos[1] - centre[1]
    return across**2 + along**2 <= ((diameter + model.base) / 2) ** 2


@dataclass(frozen=True, slots=True, kw_only=True)
class WeaponUse(Answer):
    """Whether a heavy, slow-firing or charged weapon may be used.

    Attributes:
        allowed: It may.
        reason: None, `no_skill`, `unloaded`, `heavy_used` or `not_charged`.
        slow_fire: Side of its loading token afterwards; None without one.

    Source: rulebook 2PB-002-111 §5.3 p.46-47.
    """

    allowed: bool
    reason: str | None
    slow_fire: str | None


def weapon_use(
    has_skill: bool = False,
    slow_fire: str | None = None,
    heavy: bool = False,
    heavy_used_this_activation: bool = False,
    charges: int = 0,
    charges_needed: int | None = None,
) -> WeaponUse:
    """Return whether a weapon may be used now.

    Args:
        has_skill: The unit has the weapon's skill icon.
        slow_fire: `loaded`, `unloaded`, or None for a weapon without the rule.
        heavy: A heavy weapon: one use per activation.
        heavy_used_this_activation: One was used already.
        charges: Charges collected.
        charges_needed: Charges that the weapon needs; None without the rule.

    Source: rulebook 2PB-002-111 §5.3 p.46-47.
    """
    reason = None
    if not has_skill:
        reason = "no_skill"
    elif slow_fire == "unloaded":
        reason = "unloaded"
    elif heavy and heavy_used_this_activation:
        reason = "heavy_used"
    elif charges_needed is not None and charges < charges_needed:
        reason = "not_charged"
    steps: list[Step] = []
    if reason is not None:
        rule = {"no_skill": "rating.none", "not_charged": "charged"}
        steps.append(step(rule.get(reason, f"heavy.{reason}")))
    elif slow_fire == "loaded":
        steps.append(step("slow_fire"))
        slow_fire = "unloaded"
    return WeaponUse(
        allowed=reason is None, reason=reason, slow_fire=slow_fire, steps=tuple(steps)
    )


@dataclass(frozen=True, slots=True)
class Shot:
    """One shot of a rapid-fire action as rolled.

    Source: rulebook 2PB-002-111 §5.3 p.47.
    """

    target: str
    rating: int
    skill: str
    effects: tuple[EffectDie, ...] = ()


@dataclass(frozen=True, slots=True)
class ShotResult:
    """What one shot of a rapid-fire action does.

    Attributes:
        hit: It hit.
        bonus_penetration: Earlier hits in a row on this target; 0 on a miss.
        penetration: That and the penetration icons; 0 on a miss.

    Source: rulebook 2PB-002-111 §5.3 p.47.
    """

    hit: bool
    bonus_penetration: int
    penetration: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RapidFire(Answer):
    """A rapid-fire action.

    Source: rulebook 2PB-002-111 §5.3 p.47.
    """

    shots: tuple[ShotResult, ...]
    ap: int
    crit_points: int


def rapid_fire(
    max_shots: int,
    shots: Sequence[Shot],
    quick_action: bool = False,
    has_critical: bool = False,
) -> RapidFire:
    """Return what the shots of one rapid-fire action do; all targets are enemies.

    Args:
        max_shots: Shots that the weapon allows.
        shots: The shots in order.
        quick_action: A quick action: no action point.
        has_critical: The unit has the critical icon.

    Raises:
        BadInput: More shots than allowed.

    Source: rulebook 2PB-002-111 §5.3 p.47.
    """
    if len(shots) > max_shots:
        raise BadInput(f"at most {max_shots} shots, not {len(shots)}", "shots")
    results, steps = [], []
    opened: set[str] = set()
    row, last, ap = 0, None, 0
    for number, shot in enumerate(shots, 1):
        check = skill_check(shot.rating, shot.skill, shot.effects, quick_action)
        if shot.target != last:
            row = 0
        bonus = row if check.success else 0
        results.append(_shot_result(check, bonus))
        row = row + 1 if check.success else 0
        last, ap = shot.target, ap + check.ap
        key = "rapid_fire" if check.success else "rapid_fire.miss"
        steps.append(step(key, number=number, id=shot.target, bonus=bonus))
        opened.update(check.open)
    any_hit = any(result.hit for result in results)
    return RapidFire(
        shots=tuple(results),
        ap=min(ap, MAX_AP_PER_BURST),
        crit_points=int(any_hit and has_critical),
        steps=tuple(steps),
        open=tuple(sorted(opened)),
    )


def _shot_result(check: SkillCheck, bonus: int) -> ShotResult:
    return ShotResult(check.success, bonus, bonus + check.icons.pen)
