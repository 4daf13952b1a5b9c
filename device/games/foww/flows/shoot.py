"""Shooting, rapid fire and throwing: range lit, cover, dice, scatter, areas.

Source: rulebook 2PB-002-111 §2.8 p.16-18, §2.13 p.24-26, §5.1 p.44, §5.3 p.46-47.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from device.games.foww.flows.acting import (
    BARE,
    Actor,
    contacts,
    ruler_of,
    spend,
    weapon_card,
    weapon_damage,
    weapon_ranges,
)
from device.games.foww.flows.area import blast
from device.games.foww.flows.arms import (
    MOST_COVER,
    OBJECT,
    choose_target,
    choose_weapon,
    grenades,
    guns,
    may_be_critical,
    target_thing,
    unload,
)
from device.games.foww.flows.ask import Script, amount, choose, go_on, is_so, pick
from device.games.foww.flows.attack import (
    Blow,
    Outcome,
    dodged,
    earn_ap,
    earn_points,
    roll,
)
from device.games.foww.flows.hit import Hit, strike
from device.games.foww.flows.react import Provoked, reactions
from device.games.foww.flows.scene import Scene, card
from device.games.foww.flows.spoils import hit_on, spend_effects, who_is_hit
from device.games.foww.flows.view import Choice
from device.rosters.cards import RULERS
from device.rules.foww.weapons import Scatter, ScatterBand, scatter
from device.table.cards import WeaponCard

HOURS: Final = 12
"""Directions of the arrow token, as hours on a clock."""


def shoot(s: Scene, actor: Actor) -> Script[None]:
    """Shoot, once or with rapid fire; reactions come after the whole action."""
    key = yield from choose_weapon(s, actor, guns(s, actor.model))
    weapon = yield from _ready_weapon(s, actor, key)
    shots = max(1, weapon.rapid)
    provoked, row, last = Provoked("attack"), 0, ""
    had_ap = had_points = False
    for number in range(1, shots + 1):
        if number > 1 and not (yield from _again(s, weapon, number, shots)):
            break
        blow = yield from _aim(s, actor, key, weapon, number)
        if blow is None:
            break
        if number == 1:
            spend(s, actor, "shoot", heavy=weapon.skill == "heavy")
            unload(s, actor, key)
        row = row if blow.target == last else 0
        blow = replace(blow, bonus=row)
        outcome = yield from roll(s, blow)
        had_ap = (not had_ap and earn_ap(s, outcome)) or had_ap
        first = not had_points
        earned = yield from _carry_out(s, outcome, provoked, first=first)
        had_points = had_points or earned
        row, last = (row + 1 if outcome.attack.hit else 0), blow.target
    if not actor.silent:
        yield from reactions(s, actor, provoked)


def throw_weapon(s: Scene, actor: Actor) -> Script[None]:
    """Throw a weapon; a miss may scatter."""
    key = yield from choose_weapon(s, actor, grenades(s, actor.model))
    weapon = weapon_card(s, actor.model, key)
    ruler = weapon.short or (yield from ruler_of(s, actor.model, "throw"))
    weapon = yield from weapon_damage(s, actor.model, key)
    s.light(ruler)
    target = yield from choose_target(s, actor)
    engaged = bool(contacts(s, actor.model))
    blow = yield from _covered(s, actor, target)
    blow = replace(
        blow,
        key=key,
        weapon=weapon,
        kind="throw",
        skill="throw",
        dice=dict(weapon.short_dice),
    )
    if engaged and s.reading("O11") == "penalties":
        blow = replace(blow, kind="melee", penalised=True, cover=0, into_fight=False)
    spend(s, actor, "throw")
    outcome = yield from roll(s, blow)
    earn_ap(s, outcome)
    provoked = Provoked("attack")
    yield from _carry_out(s, outcome, provoked)
    if not actor.silent:
        yield from reactions(s, actor, provoked)


# --- Aiming ---------------------------------------------------------------------------


def _ready_weapon(s: Scene, actor: Actor, key: str) -> Script[WeaponCard]:
    """Return a weapon with everything known that a shot needs."""
    weapon = yield from weapon_ranges(s, actor.model, key)
    weapon = yield from weapon_damage(s, actor.model, key)
    if not weapon.skill:
        kinds = ("rifle", "pistol", "heavy")
        kind = yield from pick("fact.weapon_kind", kinds, weapon=card(weapon.name))
        weapon = replace(weapon, skill=kind)
    return weapon


def _again(s: Scene, weapon: WeaponCard, number: int, shots: int) -> Script[bool]:
    if weapon.rapid_range:
        s.light(weapon.rapid_range)
    return (yield from is_so("again", number=number, shots=shots))


def _aim(
    s: Scene, actor: Actor, key: str, weapon: WeaponCard, number: int
) -> Script[Blow | None]:
    """Choose target and range; None where the target is out of range."""
    critical = False
    if may_be_critical(s, actor, key, weapon):
        critical = yield from is_so("critical", weapon=card(weapon.name))
    s.light(*[ruler for ruler in (weapon.short, weapon.long) if ruler])
    target = yield from choose_target(s, actor)
    ranges = ["short", *(["long"] if weapon.long else [])]
    out = [Choice("out_of_range")]
    named: dict[str, Any] = {
        "weapon": card(weapon.name),
        "target": target_thing(s, target),
    }
    reach = yield from choose("range", [*map(Choice, ranges), *out], **named)
    if reach == "out_of_range":
        return None
    dice: Mapping[str, int] = dict(
        weapon.long_dice if reach == "long" else weapon.short_dice
    )
    if critical:
        dice = _sum(dice, dict(weapon.critical_dice))
    blow = yield from _covered(s, actor, target)
    return replace(
        blow, key=key, weapon=weapon, skill=weapon.skill, dice=dice, critical=critical
    )


def _sum(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in {*one, *other}}


def _covered(s: Scene, actor: Actor, target: str) -> Script[Blow]:
    """Ask what lies on the line to a target."""
    into = False
    if target != OBJECT and not contacts(s, actor.model):
        into = bool(contacts(s, target))
        if not into and not actor.charged:
            into = yield from is_so("fighting", target=s.thing(target))
    cover = yield from amount("cover", 0, MOST_COVER, 0)
    blank = weapon_card(s, actor.model, BARE)
    return Blow(actor, "", blank, target, "shoot", "", {}, cover=cover, into_fight=into)


# --- What becomes of it ---------------------------------------------------------------


def _carry_out(
    s: Scene, outcome: Outcome, provoked: Provoked, *, first: bool = True
) -> Script[bool]:
    """Give out what an attack did, to one model or to all in an area.

    Returns:
        Whether it earned critical points; only the ``first`` of an action does.
    """
    earned = False
    blow = outcome.blow
    cover = outcome.rated.target_armour_bonus
    if outcome.attack.hit:
        outcome = yield from spend_effects(s, outcome)
        struck = yield from who_is_hit(s, outcome)
        if blow.into_fight:
            outcome = yield from dodged(s, outcome, struck)
        if not outcome.attack.hit:
            return False
        earned = yield from earn_points(s, outcome, struck, first=first)
        if blow.weapon.area:
            yield from _explode(s, outcome, struck, provoked)
        elif struck != OBJECT:
            taken = yield from strike(s, hit_on(outcome, struck, cover=cover))
            provoked.struck(struck, taken)
    elif blow.weapon.area and (yield from _scatters(s, outcome)):
        yield from _explode(s, outcome, "", provoked)
    return earned


def _explode(
    s: Scene, outcome: Outcome, struck: str, provoked: Provoked
) -> Script[None]:
    """Strike everybody in the area round the model struck, or round where it went."""
    shot = outcome.rated.target_armour_bonus

    def hit(model: str, cover: int) -> Hit:
        aimed = model == struck
        return hit_on(outcome, model, cover=max(cover, shot * aimed), aimed=aimed)

    yield from blast(s, outcome.blow.weapon.area, hit, provoked)


def _scatters(s: Scene, outcome: Outcome) -> Script[bool]:
    """Ask where a miss goes; False where its card has no row for it."""
    blow = outcome.blow
    if not blow.weapon.scatter:
        return False
    rows = tuple(
        ScatterBand(row.least, row.most, row.range) for row in blow.weapon.scatter
    )
    answer: Scatter = scatter(
        RULERS,
        outcome.rated.rating or 0,
        outcome.dice.face("skill") or "x",
        rows,
        effects=outcome.dice.effects,
        result_modifier=outcome.modifier,
        grenade=blow.weapon.grenade,
    )
    s.note(answer)
    if answer.range is None:
        return False
    s.light(answer.range)
    yield from amount("direction", 1, HOURS, HOURS)
    yield from go_on("scattered", ruler=answer.range)
    return True
