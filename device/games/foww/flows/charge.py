"""Charging: contact, the charge token, the battle cry, the push-back.

Source: rulebook 2PB-002-111 §2.12 p.23, §4.1 p.36.
"""

from __future__ import annotations

from typing import Any, Final

from device.games.foww.flows.acting import (
    Actor,
    circumstances,
    contacts,
    drop_charge,
    part,
    rating_of,
    ruler_of,
    skill_value,
    spend,
    touch,
)
from device.games.foww.flows.ask import Script, choose, is_so, pick, throw
from device.games.foww.flows.hit import pushed
from device.games.foww.flows.mines import mine_zone
from device.games.foww.flows.move import walk
from device.games.foww.flows.react import Provoked, reactions
from device.games.foww.flows.scene import Scene
from device.games.foww.flows.view import Choice
from device.rules.answer import Answer
from device.rules.foww.checks import modified_rating
from device.rules.foww.melee import Charge
from device.rules.foww.melee import charge as charging
from device.rules.foww.opposed import Side, opposed_check
from device.table.codec import JSON

TOKENS: Final = ("black", "green")
CRY, RESIST = "battle_cry", "resist_battle_cry"


def charge(s: Scene, actor: Actor) -> Script[None]:
    """Charge an enemy and end in contact with it."""
    who = s.thing(actor.model)
    drop_charge(s, actor.model)
    terrain = yield from pick("terrain", ("open", "difficult"), who=who)
    yield from walk(s, actor, terrain, "charge")
    target = actor.only
    if not target:
        enemies = [Choice(one.id, s.thing(one.id)) for one in s.enemies(actor.model)]
        target = yield from choose("charge_target", enemies, who=who)
    seen = "charge_unseen" in s.unit(actor.model).card.abilities
    if not seen:
        seen = yield from is_so("charge_sight", who=who, target=s.thing(target))
    reached = yield from is_so("contact", who=who, target=s.thing(target))
    token = "black"
    if seen and reached:
        words = [Choice(f"{one}_token") for one in TOKENS]
        token = (yield from choose("charge_token", words, who=who)).partition("_")[0]
    engaged = bool(contacts(s, actor.model))
    answer = charging(engaged, seen, reached, token=token)
    if not answer.allowed:
        s.note(answer)
        return
    spend(s, actor, "charge")
    touch(s, actor.model, target)
    winner = yield from _cry(s, actor, target)
    answer = charging(engaged, seen, reached, token=token, battle_cry=winner)
    s.note(answer)
    s.change(
        actor.model,
        charge_black=int("black" in answer.tokens),
        charge_green=int("green" in answer.tokens),
    )
    if answer.tokens:
        s.write(f"charge:{actor.model}", {"target": target})
    yield from _consequences(s, actor, target, answer)
    yield from mine_zone(s, actor.model)
    if not actor.silent and not s.model(actor.model).removed:
        won = winner == "attacker"
        yield from reactions(s, actor, Provoked("charge", charged=target, cry_won=won))


def _consequences(s: Scene, actor: Actor, target: str, answer: Charge) -> Script[None]:
    """Push the target back, or let it leave, as the battle cry went."""
    who = s.thing(actor.model)
    both: dict[str, Any] = {"who": who, "target": s.thing(target)}
    if answer.push_back and (yield from is_so("push", **both)):
        ruler = yield from ruler_of(s, actor.model, CRY)
        yield from pushed(s, target, ruler)
        if (yield from is_so("follows", **both)):
            touch(s, actor.model, target)
    may_leave = answer.defender_may_leave and s.model(target).reaction
    if may_leave and (yield from is_so("defender_leaves", **both)):
        s.change(target, reaction=s.model(target).reaction - 1)
        part(s, target, actor.model)
        yield from walk(s, Actor(target, quick=True), "open")


def _cry(s: Scene, actor: Actor, target: str) -> Script[str | None]:
    """Raise a battle cry; return who won it, None for nobody."""
    who, whom = s.thing(actor.model), s.thing(target)
    immune = "immune_battle_cry" in s.unit(target).card.abilities
    if skill_value(s, actor.model, CRY) is None or immune:
        return None
    if not (yield from is_so("battle_cry", who=who, target=whom)):
        return None
    mine, ours = yield from _rated(s, actor, CRY)
    cry = yield from throw("cry", ours, who=who)
    # The coloured icon is both skills, a white one resistance only.
    resists = CRY if _has(s, target, CRY) else RESIST
    theirs: int | None = None
    can = yield from _resists(s, target, resists)
    if can:
        theirs, asked = yield from _rated(s, Actor(target), resists)
    face = None
    if theirs is not None:
        face = (yield from throw("resist", asked, target=whom)).face("skill")
    result = opposed_check(
        Side(mine, cry.face("skill")), Side(theirs, face), "attacker"
    )
    s.note(result)
    if result.winner is None:
        s.note(Answer(open=("O16",)))
        return None
    return "attacker" if result.winner == "a" else "defender"


def _rated(s: Scene, actor: Actor, skill: str) -> Script[tuple[int, dict[str, JSON]]]:
    """Return the adjusted rating of a skill, and its check."""
    printed = yield from rating_of(s, actor.model, skill)
    terms = circumstances(s, actor)
    rated = modified_rating(printed, **terms)
    return rated.rating or 0, {"check": "skill_check", "rating": printed, **terms}


def _resists(s: Scene, target: str, skill: str) -> Script[bool]:
    """Say whether the target has the skill, asking where its card is not known."""
    if _has(s, target, skill):
        return True
    return (yield from is_so("has_resistance", target=s.thing(target)))


def _has(s: Scene, model: str, skill: str) -> bool:
    return skill_value(s, model, skill) is not None
