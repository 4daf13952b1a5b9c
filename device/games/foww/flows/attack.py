"""One attack: rating, dice, luck before and after, icons to spend, who is hit.

Source: rulebook 2PB-002-111 §2.4 p.10-11, §2.8-2.9 p.16-20, §2.13 p.24-26, §6.2-6.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from device.games.foww.flows.acting import BARE, Actor, rating_of
from device.games.foww.flows.arms import (
    OBJECT,
    ask_extras,
    has_critical,
    rules_weapon,
    target_thing,
    weapon_json,
)
from device.games.foww.flows.ask import Dice, Script, is_so, throw
from device.games.foww.flows.hit import toss_luck
from device.games.foww.flows.scene import Scene
from device.games.foww.tokens import MOST_AP
from device.rosters.cards import COLOURS
from device.rules.foww.attacks import Attack, attack
from device.rules.foww.checks import ModifiedRating, modified_rating
from device.rules.foww.luck import Check, LuckOnCheck, LuckOnGauge, luck
from device.table.cards import WeaponCard, WeaponEffect
from device.table.codec import JSON

LUCK: Final = -2
"""What accuracy adds to the own result, §6.2 p.52; a dodge adds as much the other
way."""


@dataclass(frozen=True, slots=True)
class Blow:
    """An attack about to be rolled.

    Attributes:
        actor: Who attacks.
        key: Of the weapon.
        weapon: The weapon, its damage known.
        target: Id of the target, or `OBJECT`.
        kind: ``shoot``, ``throw`` or ``melee``.
        skill: Skill that is checked.
        dice: Effect dice of the range chosen.
        cover: Covers on the line.
        into_fight: The target is engaged: who is hit is rolled.
        penalised: A ranged weapon in close combat.
        critical: Paid for with the full gauge.
        melee: What close combat adds, as `open_check` takes it.
        bonus: Penetration of earlier hits of rapid fire.
    """

    actor: Actor
    key: str
    weapon: WeaponCard
    target: str
    kind: str
    skill: str
    dice: Mapping[str, int]
    cover: int = 0
    into_fight: bool = False
    penalised: bool = False
    critical: bool = False
    melee: Mapping[str, JSON] | None = None
    bonus: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an attack came to, before armour.

    Attributes:
        blow: The attack.
        attack: What the rules made of it, luck included.
        dice: As thrown.
        rated: Its rating.
        modifier: Luck in the result: -2, 0 or 2.
        used: Special effects paid for.
    """

    blow: Blow
    attack: Attack
    dice: Dice
    rated: ModifiedRating
    modifier: int = 0
    used: tuple[WeaponEffect, ...] = ()


# --- Rolling --------------------------------------------------------------------------


def roll(s: Scene, blow: Blow) -> Script[Outcome]:
    """Throw the dice of an attack; luck for accuracy and a dodge change its result."""
    actor, model = blow.actor, s.model(blow.actor.model)
    bonus, more = yield from ask_extras(s)
    circumstances: dict[str, Any] = {
        "bonus": bonus,
        "quick_action": actor.quick,
        "attack": blow.kind,
        "cover": blow.cover,
        "ranged_weapon_in_melee": blow.penalised,
        "charge_reaction": actor.charged,
        "into_melee": blow.into_fight,
        "target_stunned": blow.kind == "melee" and _is_stunned(s, blow.target),
        "injured_arm": "injured_arm" in model.conditions,
        "frozen": "frozen" in model.conditions,
    }
    if blow.critical:  # it hits by itself: only what shields the target counts
        names = ("attack", "cover", "ranged_weapon_in_melee", "charge_reaction")
        circumstances = {name: circumstances[name] for name in names}
    circumstances = {key: one for key, one in circumstances.items() if one}
    printed = 0
    if not blow.critical:
        printed = yield from _printed(s, blow)
    rated = modified_rating(printed, **circumstances)
    dice = {c: blow.dice.get(c, 0) + more.get(c, 0) for c in COLOURS}
    asked: dict[str, JSON] = {
        "check": "skill_check",
        "rating": printed,
        **circumstances,
        "dice": {colour: count for colour, count in dice.items() if count},
        "weapon": weapon_json(blow.weapon),
        "has_critical": has_critical(s, actor.model),
        "crit_tokens": _points(s, blow),
        "target": _target_kind(s, blow),
    }
    if blow.melee is not None:
        asked["melee"] = blow.melee
    if blow.critical:
        asked["critical_attack"] = True
    thrown = Dice(())
    if not blow.critical or any(dice.values()) or blow.melee is not None:
        step = "critical_attack" if blow.critical else "attack"
        words: dict[str, Any] = {
            "who": s.thing(actor.model),
            "target": target_thing(s, blow.target),
        }
        thrown = yield from throw(step, asked, **words)
    outcome = resolved(s, Outcome(blow, _asked(s, blow, rated, thrown), thrown, rated))
    return (yield from _lucky(s, outcome))


def _printed(s: Scene, blow: Blow) -> Script[int]:
    rating = yield from rating_of(s, blow.actor.model, blow.skill)
    mutant = s.unit(blow.actor.model).card.kind == "super_mutant"
    if blow.penalised and mutant and blow.skill in ("pistol", "rifle"):
        # Super mutants may use their close-combat skill with these, §2.13 p.24.
        rating = max(rating, (yield from rating_of(s, blow.actor.model, "melee")))
    return rating


def _asked(
    s: Scene, blow: Blow, rated: ModifiedRating, dice: Dice, modifier: int = 0
) -> Attack:
    return attack(
        rated.rating or 0,
        rules_weapon(blow.weapon),
        None if blow.critical else dice.face("skill"),
        dice.effects,
        quick_action=blow.actor.quick,
        result_modifier=modifier,
        critical_attack=blow.critical,
        has_critical=has_critical(s, blow.actor.model),
        crit_tokens=_points(s, blow),
        target=_target_kind(s, blow),
    )


def resolved(s: Scene, outcome: Outcome) -> Outcome:
    """Tell what the rules made of an attack."""
    s.note(outcome.attack)
    return outcome


def _lucky(s: Scene, outcome: Outcome) -> Script[Outcome]:
    """Let luck change a result: accuracy on a miss, the dodge on a hit."""
    blow = outcome.blow
    if blow.critical:
        return outcome
    face = outcome.dice.face("skill")
    who = blow.actor.model
    tokens = s.model(who).luck
    missed = not outcome.attack.hit and face not in ("x", "x_ap")
    words: dict[str, Any] = {"who": s.thing(who)}
    if missed and tokens and (yield from is_so("luck_accuracy", **words)):
        side = yield from toss_luck(s, who)
        outcome = _changed(s, outcome, "accuracy", tokens, side, LUCK)
    return outcome if blow.into_fight else (yield from dodged(s, outcome, blow.target))


def dodged(s: Scene, outcome: Outcome, target: str) -> Script[Outcome]:
    """Let the model that is hit use luck to dodge; a critical attack always hits."""
    if not outcome.attack.hit or outcome.blow.critical or target == OBJECT:
        return outcome
    tokens = s.model(target).luck
    words: dict[str, Any] = {"target": s.thing(target)}
    if tokens and (yield from is_so("luck_dodge", **words)):
        side = yield from toss_luck(s, target)
        outcome = _changed(s, outcome, "dodge", tokens, side, -LUCK)
    return outcome


def _changed(
    s: Scene, outcome: Outcome, use: str, tokens: int, side: str, by: int
) -> Outcome:
    check = Check(
        outcome.rated.rating,
        outcome.dice.face("skill"),
        outcome.dice.effects,
        outcome.modifier,
    )
    answer = luck(use, tokens, side, check=check)
    s.note(answer)
    if not isinstance(answer, LuckOnCheck) or not answer.success:
        return outcome
    modifier = outcome.modifier + by
    blow, rated, dice = outcome.blow, outcome.rated, outcome.dice
    after = _asked(s, blow, rated, dice, modifier)
    return resolved(s, replace(outcome, attack=after, modifier=modifier))


def earn_ap(s: Scene, outcome: Outcome) -> bool:
    """Give the attacker its action point; return whether there was one."""
    actor = outcome.blow.actor
    model = s.model(actor.model)
    if not outcome.attack.ap or actor.quick:
        return False
    if model.active:
        s.change(model.id, ap=min(MOST_AP, model.ap + 1))
    return True


def earn_points(
    s: Scene, outcome: Outcome, struck: str, *, first: bool = True
) -> Script[bool]:
    """Give the weapon its critical points, or take those of a critical attack.

    Args:
        s: The scene.
        outcome: A successful attack.
        struck: Whom it hit: friends and objects give no points.
        first: No points were earned before in this action (rapid fire earns once).

    Returns:
        Whether it earned any.
    """
    blow = outcome.blow
    if blow.key == BARE:
        return False
    who, at = blow.actor.model, int(blow.key)
    aimed = replace(blow, target=struck)
    asked = _asked(s, aimed, outcome.rated, outcome.dice, outcome.modifier)
    if blow.critical:
        _set_points(s, who, at, asked.crit_tokens)
        return False
    if not asked.crit_points or not first:
        return False
    if blow.actor.quick:
        s.open.append("O22")
    before = s.model(who).criticals[at]
    most = before + 1 if blow.weapon.rapid else asked.crit_tokens
    _set_points(s, who, at, min(most, asked.crit_tokens))
    yield from _lucky_point(s, who, at, blow.weapon.critical_rating or 0)
    return True


def _lucky_point(s: Scene, who: str, at: int, gauge: int) -> Script[None]:
    """Let luck add a critical point, right after a successful attack."""
    tokens, points = s.model(who).luck, s.model(who).criticals[at]
    words: dict[str, Any] = {"who": s.thing(who)}
    if points >= gauge or not tokens:
        return
    if not (yield from is_so("luck_crit_point", **words)):
        return
    side = yield from toss_luck(s, who)
    answer = luck(
        "crit_point", tokens, side, hit=True, crit_tokens=points, crit_rating=gauge
    )
    s.note(answer)
    if isinstance(answer, LuckOnGauge):
        _set_points(s, who, at, answer.crit_tokens)


def _set_points(s: Scene, model: str, at: int, points: int) -> None:
    criticals = list(s.model(model).criticals)
    criticals[at] = points
    s.change(model, criticals=tuple(criticals))


def _points(s: Scene, blow: Blow) -> int:
    if blow.key == BARE:
        return 0
    return s.model(blow.actor.model).criticals[int(blow.key)]


def _target_kind(s: Scene, blow: Blow) -> str:
    if blow.target == OBJECT:
        return OBJECT
    same = s.unit(blow.target).side == s.unit(blow.actor.model).side
    return "friendly" if same else "enemy"


def _is_stunned(s: Scene, target: str) -> bool:
    return target != OBJECT and "stunned" in s.model(target).conditions
