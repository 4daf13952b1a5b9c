"""Close combat: extra dice, charge tokens, free attacks, the slide.

Source: rulebook 2PB-002-111 §2.12 p.23, §2.13 p.24-26.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from device.games.foww.flows.acting import (
    BARE,
    Actor,
    attributes,
    contacts,
    drop_charge,
    spend,
    touch,
    weapon_damage,
)
from device.games.foww.flows.arms import (
    choose_weapon,
    may_be_critical,
    unload,
)
from device.games.foww.flows.ask import Script, amount, choose, go_on, is_so
from device.games.foww.flows.attack import Blow, earn_ap, earn_points, roll
from device.games.foww.flows.hit import strike
from device.games.foww.flows.react import Provoked, reactions
from device.games.foww.flows.scene import Scene, card
from device.games.foww.flows.spoils import hit_on, spend_effects
from device.games.foww.flows.view import Choice
from device.rules.foww.melee import Opponent, melee_exit
from device.table.codec import JSON

CLOSE: str = "melee"
"""Skill of close-combat weapons."""


def blades(s: Scene, model: str) -> list[str]:
    """Return the keys of what a model can fight with: everything but mines."""
    cards = [
        (str(at), one)
        for at, one in enumerate(s.unit(model).card.weapons)
        if not one.mine
    ]
    close = [key for key, one in cards if one.skill == CLOSE]
    far = [key for key, one in cards if one.skill != CLOSE]
    return [*close, *far] if close else [BARE, *far]


def melee(s: Scene, actor: Actor) -> Script[None]:
    """Attack an enemy in contact."""
    key = yield from choose_weapon(s, actor, blades(s, actor.model), melee=True)
    weapon = yield from weapon_damage(s, actor.model, key)
    target = yield from _opponent(s, actor)
    critical = False
    if may_be_critical(s, actor, key, weapon):
        critical = yield from is_so("critical", weapon=card(weapon.name))
    close = weapon.skill == CLOSE
    extra = yield from _close_combat(s, actor, target, close=close)
    dice = dict(weapon.short_dice)
    if critical:
        for colour, count in weapon.critical_dice:
            dice[colour] = dice.get(colour, 0) + count
    skill = CLOSE if close or not weapon.skill else weapon.skill
    blow = Blow(
        actor,
        key,
        weapon,
        target,
        "melee",
        skill,
        dice,
        penalised=not close,
        critical=critical,
        melee=extra,
    )
    spend(s, actor, "melee", heavy=weapon.skill == "heavy")
    unload(s, actor, key)
    drop_charge(s, actor.model)
    outcome = yield from roll(s, blow)
    earn_ap(s, outcome)
    provoked = Provoked("attack")
    if outcome.attack.hit:
        yield from earn_points(s, outcome, target)
        outcome = yield from spend_effects(s, outcome)
        cover = outcome.rated.target_armour_bonus
        taken = yield from strike(s, hit_on(outcome, target, cover=cover))
        provoked.struck(target, taken)
    if actor.pays and contacts(s, actor.model):
        yield from go_on("slide", who=s.thing(actor.model))
    if not actor.silent:
        yield from reactions(s, actor, provoked)


def _opponent(s: Scene, actor: Actor) -> Script[str]:
    """Return whom to attack: one in contact, or any enemy where nobody has noted it."""
    if actor.only:
        return actor.only
    near = contacts(s, actor.model)
    enemies = [one.id for one in s.enemies(actor.model)]
    choices = [
        Choice(one, s.thing(one), why_not="" if not near or one in near else "apart")
        for one in sorted(enemies, key=lambda one: one not in near)
    ]
    target = yield from choose("target", choices, who=s.thing(actor.model))
    touch(s, actor.model, target)
    return target


def _close_combat(
    s: Scene, actor: Actor, target: str, *, close: bool
) -> Script[dict[str, JSON]]:
    """Return what close combat adds to the dice, as `open_check` takes it."""
    model = s.model(actor.model)
    strength = 0
    if close:
        found = attributes(s, actor.model)
        s.note(replace(found, steps=()))
        known = found.final.get("str")
        if known is None:
            known = yield from amount("strength", 0, 20, 5, who=s.thing(actor.model))
        strength = known
    many = len(contacts(s, target)) > 1
    if not many:
        many = yield from is_so("outnumbered", target=s.thing(target))
    tokens = ["black"] * model.charge_black + ["green"] * model.charge_green
    charged = s.entry(f"charge:{actor.model}").get("target", "")
    return {
        "strength": strength,
        "close_combat_weapon": close,
        "target_outnumbered": many,
        "charge_tokens": tokens,
        "target_is_charge_target": bool(tokens) and charged == target,
    }


def free_attacks(s: Scene, leaver: str, enemies: Sequence[str]) -> Script[None]:
    """Let the enemies strike with whom a model breaks contact by moving away."""
    standing = [
        Opponent(
            one,
            other_engaged=any(other != leaver for other in contacts(s, one)),
            stunned="stunned" in s.model(one).conditions,
        )
        for one in enemies
    ]
    answer = melee_exit("move", standing)
    for attacker in answer.free_attacks:
        if s.model(leaver).removed:
            return
        words: dict[str, Any] = {
            "attacker": s.thing(attacker),
            "target": s.thing(leaver),
        }
        if (yield from is_so("free_attack", **words)):
            actor = Actor(attacker, quick=True, only=leaver, silent=True)
            yield from melee(s, actor)
