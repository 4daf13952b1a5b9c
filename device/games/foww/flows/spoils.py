"""What a hit buys and whom it strikes: special effects, a shot into a fight.

Source: rulebook 2PB-002-111 §2.9 p.20, §2.13 p.26.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from device.games.foww.flows.arms import OBJECT
from device.games.foww.flows.ask import DONE, Script, choose, several, throw
from device.games.foww.flows.attack import Outcome
from device.games.foww.flows.hit import Hit
from device.games.foww.flows.scene import Scene
from device.games.foww.flows.view import Choice
from device.rules.foww.attacks import Damage
from device.rules.foww.icons import SpecialIcons
from device.rules.foww.melee import Neighbour, melee_allocation
from device.rules.foww.pool import SpecialEffect, Spend, SpentIcons, spend_icons
from device.table.cards import WeaponCard


def spend_effects(s: Scene, outcome: Outcome) -> Script[Outcome]:
    """Ask which special effects the rolled icons pay for."""
    blow, icons = outcome.blow, outcome.attack.icons
    offered = tuple(
        SpecialEffect(
            str(at),
            SpecialIcons(one.bottle, one.star, one.burst),
            one.limit,
            one.critical,
        )
        for at, one in enumerate(blow.weapon.effects)
    )
    wishes: list[Spend] = []
    while True:
        asked = {
            one.id: spend_icons(
                icons, offered, [*wishes, Spend(one.id, 1)], blow.critical
            )
            for one in offered
        }
        if not any(one.allowed for one in asked.values()):
            break
        choices = [_effect(blow.weapon, key, asked[key]) for key in asked]
        left = spend_icons(icons, offered, wishes, blow.critical).left
        counts = {"bottles": left.bottle, "stars": left.star, "bursts": left.burst}
        key = yield from choose("spend", [Choice(DONE), *choices], skip=DONE, **counts)
        if key == DONE:
            break
        wishes.append(Spend(key, 1))
    if wishes:
        s.note(spend_icons(icons, offered, wishes, blow.critical))
    used = tuple(blow.weapon.effects[int(one.id)] for one in wishes)
    return replace(outcome, used=used)


def _effect(weapon: WeaponCard, key: str, asked: SpentIcons) -> Choice:
    effect = weapon.effects[int(key)]
    why_not = "" if asked.allowed else asked.reason or ""
    return Choice(key, words=effect.does, number=effect.amount, why_not=why_not)


def who_is_hit(s: Scene, outcome: Outcome) -> Script[str]:
    """Return who a shot into a fight hits; else its target."""
    blow = outcome.blow
    if not blow.into_fight or blow.target == OBJECT:
        return blow.target
    shooter = blow.actor.model
    near = [one for _, one in s.others(shooter) if one.id != blow.target]
    choices = [Choice(one.id, s.thing(one.id)) for one in near]
    words: dict[str, Any] = {"who": s.thing(shooter), "target": s.thing(blow.target)}
    others = yield from several("bystanders", choices, **words)
    dice = yield from throw("who_is_hit", {"check": "single", "die": "armour"}, **words)
    standing = [Neighbour(one, contact=True, los=True) for one in others]
    answer = melee_allocation(blow.target, standing, dice.face("armour") or "1")
    s.note(answer)
    return answer.hit


def hit_on(outcome: Outcome, target: str, *, cover: int, aimed: bool = True) -> Hit:
    """Return what strikes a model.

    Args:
        outcome: A successful attack.
        target: Id of the model struck.
        cover: What shields it.
        aimed: It is the target; others in an area get the area's damage only.
    """
    blow, used = outcome.blow, outcome.used
    damage = outcome.attack.damage or tuple(  # a miss that scatters: no icons count
        Damage(one.type, one.value) for one in blow.weapon.damage
    )
    first = damage[0].type if damage else "physical"
    extra = sum(one.amount for one in used if one.does == "damage")
    parts = [*damage]
    if aimed:
        for more in blow.weapon.target_damage:
            parts = _added(parts, more.type, more.value)
    if extra:
        parts = _added(parts, first, extra)
    conditions = [one for one in used if one.does not in POINTS]
    push = next((one.range or "orange" for one in used if one.does == "push_back"), "")
    return Hit(
        target=target,
        damage=tuple(parts),
        penetration=outcome.attack.penetration
        + blow.bonus
        + sum(one.amount for one in used if one.does == "penetration"),
        cover=cover,
        ignore_armour=sum(one.amount for one in used if one.does == "ignore_armour"),
        conditions=tuple(one.does for one in conditions if not one.when_damaged),
        if_damaged=tuple(one.does for one in conditions if one.when_damaged),
        push=push,
    )


POINTS: Final = ("damage", "penetration", "ignore_armour", "push_back")
"""Effects that are no conditions."""


def _added(parts: list[Damage], kind: str, points: int) -> list[Damage]:
    if all(one.type != kind for one in parts):
        return [*parts, Damage(kind, points)]
    return [
        replace(one, amount=one.amount + points) if one.type == kind else one
        for one in parts
    ]
