"""Activations, conditions and action points (rulebook §4.3 p.40, §5.4 p.48)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.fields import needed
from device.rules.foww.checks import FROZEN, INJURED_ARM, QUICK_ACTION, skill_check
from device.rules.foww.damage import health_limit
from device.rules.step import Step, step

BURNING_DAMAGE = 1  # regular, without armour, §5.4 p.48
POISON_DAMAGE = 1  # regular, without armour, §5.4 p.48

REPLACES = {"burning": "frozen", "frozen": "burning"}
"""A condition takes the place of the other, §5.4 p.48."""

LIMBS = ("injured_arm", "injured_leg")

ICON_OF_ACTION = {
    "move": "move",
    "charge": "move",
    "shoot": "attack",
    "melee": "attack",
    "throw": "attack",
    "heavy": "attack",
    "computers": "noncombat",
    "lockpick": "noncombat",
    "search": "noncombat",
    "presence": "noncombat",
    "overwatch": "overwatch",
}
"""AP-use icon that a quick action needs, §4.3 p.40."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivationStart(Answer):
    """A model at the start of its activation.

    Attributes:
        damage: Regular damage by burning and poison.
        regular: Regular tokens afterwards.
        radiation: Radiation tokens, unchanged.
        removed: The model leaves the battle.
        conditions: Conditions afterwards, sorted.
        ap: Action points from V.A.T.S.
        reaction_tokens: Always 0: an unused reaction is lost.
        slow_fire: `loaded`, or None without a slow-firing weapon.

    Source: rulebook 2PB-002-111 §4.3 p.40, §4.4 p.41, §5.3 p.46, §5.4 p.48.
    """

    damage: int
    regular: int
    radiation: int
    removed: bool
    conditions: tuple[str, ...]
    ap: int
    reaction_tokens: int
    slow_fire: str | None


def activation_start(
    health: int,
    regular: int,
    radiation: int,
    conditions: Sequence[str] = (),
    hero: bool = False,
    luck_token: str | None = None,
    vats: bool = False,
    blue_die: Sequence[str] | None = None,
    reaction_tokens: int = 0,
    slow_fire: str | None = None,
) -> ActivationStart:
    """Return what happens to a model when its activation starts.

    Args:
        health: Health without the hero's bonus.
        regular: Regular damage tokens.
        radiation: Radiation damage tokens.
        conditions: Conditions on it.
        hero: Has a hero card.
        luck_token: Side of the token tossed against burning; needed if the model burns
            and is not removed.
        vats: May roll for action points.
        blue_die: Icons of that blue die; needed with `vats` unless removed.
        reaction_tokens: Reaction tokens not used.
        slow_fire: `loaded`, `unloaded` or None.

    Raises:
        BadInput: A toss or a die is missing.

    Source: rulebook 2PB-002-111 §4.3 p.40, §4.4 p.41, §5.3 p.46, §5.4 p.48.
    """
    burning, poisoned = "burning" in conditions, "poisoned" in conditions
    steps: list[Step] = []
    if burning:
        steps.append(step("burning"))
    if poisoned:
        steps.append(step("poisoned"))
    damage = BURNING_DAMAGE * burning + POISON_DAMAGE * poisoned
    after, limit = regular + damage, health_limit(health, hero)
    removed = after + radiation >= limit
    kept, ap = set(conditions), 0
    if removed:
        steps.append(step("removed", tokens=after + radiation, limit=limit))
    else:
        if burning and _puts_out(luck_token, steps):
            kept.discard("burning")
        if vats:
            if blue_die is None:
                raise BadInput("'blue_die' is missing: V.A.T.S. rolls one", "blue_die")
            ap = blue_die.count("bottle")
            steps.append(step("vats", ap=ap))
    if reaction_tokens:
        steps.append(step("reaction_token.lost"))
    if slow_fire == "unloaded":
        steps.append(step("loaded"))
    return ActivationStart(
        damage=damage,
        regular=after,
        radiation=radiation,
        removed=removed,
        conditions=tuple(sorted(kept)),
        ap=ap,
        reaction_tokens=0,
        slow_fire=None if slow_fire is None else "loaded",
        steps=tuple(steps),
        open=("O14",) if burning and (poisoned or removed) else (),
    )


def _puts_out(luck_token: str | None, steps: list[Step]) -> bool:
    if luck_token is None:
        raise BadInput(
            "'luck_token' is missing: a burning model tosses one", "luck_token"
        )
    out = luck_token == "luck"
    steps.append(step("burning.out" if out else "burning.on"))
    return out


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivationEnd(Answer):
    """A model at the end of its activation.

    Source: rulebook 2PB-002-111 §2.6 p.13, §4.3 p.40, §5.4 p.48.
    """

    conditions: tuple[str, ...]
    ap: int = 0
    ready: str = "activated"


def activation_end(
    conditions: Sequence[str] = (), ap: int = 0, ready: str = "ready"
) -> ActivationEnd:
    """Return a model after its activation: thawed, without action points.

    Args:
        conditions: Conditions on it.
        ap: Action points not spent; they are lost.
        ready: Its state before; it is activated afterwards.

    Source: rulebook 2PB-002-111 §2.6 p.13, §4.3 p.40, §5.4 p.48.
    """
    steps = []
    if "frozen" in conditions:
        steps.append(step("frozen.ends"))
    if ap:
        steps.append(step("ap.lost", count=ap))
    if ready != "activated":
        steps.append(step("activated"))
    kept = sorted(set(conditions) - {"frozen"})
    return ActivationEnd(conditions=tuple(kept), steps=tuple(steps))


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition(Answer):
    """Conditions after something happened to them.

    Attributes:
        conditions: Conditions afterwards, sorted.
        changed: Something is different.
        rating_modifier: What they add to all ratings.
        can_overwatch: Whether the model may take overwatch.
        actions: `any`, or `unstun_only`.

    Source: rulebook 2PB-002-111 §5.4 p.48.
    """

    conditions: tuple[str, ...]
    changed: bool
    rating_modifier: int
    can_overwatch: bool
    actions: str


def condition_event(
    event: str,
    conditions: Sequence[str] = (),
    condition: str | None = None,
    robot: bool = False,
    immune: Sequence[str] = (),
    item: str | None = None,
    action: str | None = None,
    rating: int | None = None,
    skill: str | None = None,
) -> Condition:
    """Return a model's conditions after it gains, cures or shakes off one.

    Args:
        event: `gain`, `cure` or `action`.
        conditions: Conditions on it.
        condition: The one gained; needed to gain.
        robot: The model is a robot.
        immune: Conditions that its card excludes.
        item: `stimpak`, `robot_repair_kit` or `antidote`; needed to cure.
        action: `unstun` or `extinguish`; needed for an action.
        rating: Adjusted agility; needed to extinguish.
        skill: Face of the skill die; needed to put out a fire.

    Raises:
        BadInput: A field that this event needs is missing.

    Source: rulebook 2PB-002-111 §5.4 p.48, §6.1 p.51.
    """
    before = frozenset(conditions)
    if event == "gain":
        after, why = _gained(before, needed(condition, "condition"), robot, immune)
    elif event == "cure":
        after, why = _cured(before, needed(item, "item"), robot)
    elif needed(action, "action") == "unstun":
        after = before - {"stunned"}
        why = (step("stunned.ends"),) if "stunned" in before else ()
    else:
        after, why = _extinguished(before, needed(rating, "rating"), skill)
    leg_cured = "injured_leg" in before - after and "slowed" in before - after
    return Condition(
        conditions=tuple(sorted(after)),
        changed=after != before,
        rating_modifier=FROZEN * ("frozen" in after)
        + INJURED_ARM * ("injured_arm" in after),
        can_overwatch=not after & {"frozen", "stunned"},
        actions="unstun_only" if "stunned" in after else "any",
        steps=why,
        open=("O17",) if leg_cured else (),
    )


_Outcome = tuple[frozenset[str], tuple[Step, ...]]


def _gained(
    before: frozenset[str], condition: str, robot: bool, immune: Sequence[str]
) -> _Outcome:
    if condition in immune or (robot and condition == "poisoned"):
        return before, (step(f"{condition}.immune", condition=condition),)
    if condition in before:
        return before, (step(f"{condition}.twice", condition=condition),)
    after = (before | {condition}) - {REPLACES.get(condition)}
    steps = [step(f"{condition}.gained", condition=condition)]
    if REPLACES.get(condition) in before:
        steps.append(step(f"{condition}.replaces"))
    if condition == "injured_leg" and "slowed" not in immune:
        after |= {"slowed"}
        steps.append(step("injured_leg"))
    return frozenset(after), tuple(steps)


def _cured(before: frozenset[str], item: str, robot: bool) -> _Outcome:
    if item == "antidote":
        cured = before & {"poisoned"}
    elif (item == "robot_repair_kit") == robot:
        cured = before & set(LIMBS)
        if "injured_leg" in cured:
            cured |= before & {"slowed"}
    else:
        return before, (step("robot.wrong_item", item=item),)
    steps = tuple(
        step(f"{name}.cured", condition=name, item=item) for name in sorted(cured)
    )
    return before - cured, steps


def _extinguished(before: frozenset[str], rating: int, skill: str | None) -> _Outcome:
    if "stunned" in before:
        return before, (step("stunned.action"),)
    if "burning" not in before:
        return before, (step("burning.none"),)
    check = skill_check(rating, skill)
    out = step("burning.put_out" if check.success else "burning.on")
    after = before - {"burning"} if check.success else before
    return after, (*check.steps, out)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentAp(Answer):
    """Whether an action point buys a quick action.

    Attributes:
        allowed: It does.
        reason: None, `no_icon`, `icon_used` or `no_ap`.
        icon: AP-use icon that the action needs.
        ap_left: Action points afterwards.
        rating_modifier: Of the quick action's check, if it has one.
        range_steps: By how many rulers its movement is shorter.

    Source: rulebook 2PB-002-111 §4.3 p.40.
    """

    allowed: bool
    reason: str | None
    icon: str
    ap_left: int
    rating_modifier: int
    range_steps: int


def spend_ap(
    ap: int, icons: Sequence[str], used: Sequence[str], action: str
) -> SpentAp:
    """Return whether a quick action can be bought with an action point.

    Args:
        ap: Action points.
        icons: AP-use icons of the model.
        used: Icons used in this activation; each once.
        action: The quick action wanted.

    Source: rulebook 2PB-002-111 §4.3 p.40, §4.4 p.41.
    """
    icon = ICON_OF_ACTION[action]
    reason = None
    if icon not in icons:
        reason = "no_icon"
    elif icon in used:
        reason = "icon_used"
    elif not ap:
        reason = "no_ap"
    checked, moves = icon in ("attack", "noncombat"), icon == "move"
    steps = [step(f"ap_use.{reason}" if reason else "ap_use", icon=icon)]
    if reason is None and checked:
        steps.append(step("quick_action", change=f"{QUICK_ACTION:+d}"))
    if reason is None and moves:
        steps.append(step("quick_action.move"))
    return SpentAp(
        allowed=reason is None,
        reason=reason,
        icon=icon,
        ap_left=ap if reason else ap - 1,
        rating_modifier=QUICK_ACTION if checked else 0,
        range_steps=int(moves),
        steps=tuple(steps),
    )
