"""A hit: armour, luck, tokens on power armour and model, conditions, removal.

Source: rulebook 2PB-002-111 §2.9 p.19-20, §2.10 p.21, §5.2 p.45, §5.4 p.48, §6.2 p.52.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from device.games.foww.flows.acting import MOST_RATING, Actor, contacts, part
from device.games.foww.flows.arms import guns
from device.games.foww.flows.ask import Script, amount, choose, is_so, pick, throw
from device.games.foww.flows.scene import Scene
from device.games.foww.flows.view import Choice
from device.rules.answer import Answer
from device.rules.foww.activation import condition_event
from device.rules.foww.armour import armour_check
from device.rules.foww.attacks import Damage
from device.rules.foww.damage import Model as Damageable
from device.rules.foww.damage import PowerArmour, apply_damage
from device.rules.foww.luck import luck
from device.rules.foww.movement import EDGE_DAMAGE
from device.rules.step import step
from device.table.army import Unit

STOPS = ("nothing", "model", "cover", "blocking", "edge")
"""What may stop a model that is pushed."""

LAST_ACTIONS = ("shoot", "move", "charge", "melee")


@dataclass(frozen=True, slots=True)
class Hit:
    """What strikes one model.

    Attributes:
        target: Its id.
        damage: Before armour, one entry a type.
        penetration: Of the armour, for this hit.
        cover: 1 where something shields it, else 0.
        ignore_armour: Points that pass in full, of the first type.
        conditions: Gained by the hit.
        if_damaged: Gained only when damage is left.
        push: Ruler of a push-back, "" for none.
    """

    target: str
    damage: tuple[Damage, ...]
    penetration: int = 0
    cover: int = 0
    ignore_armour: int = 0
    conditions: tuple[str, ...] = ()
    if_damaged: tuple[str, ...] = ()
    push: str = ""


def strike(s: Scene, hit: Hit) -> Script[int]:
    """Carry out a hit and return the points of damage that it did."""
    if s.model(hit.target).removed:
        return 0
    parts = []
    for number, one in enumerate(hit.damage):
        passing = hit.ignore_armour if number == 0 else 0
        taken = yield from _through_armour(s, hit, one, passing)
        parts.append(replace(one, amount=taken))
    if hit.damage and (boost := s.model(hit.target).boost):
        s.change(hit.target, boost=boost - 1)  # one icon a hit, §2.10 p.21
    parts = yield from _toughness(s, hit.target, parts)
    total = sum(one.amount for one in parts)
    yield from suffer(s, hit.target, [one for one in parts if one.amount])
    if not s.model(hit.target).removed:
        gained = [*hit.conditions, *(hit.if_damaged if total else ())]
        for condition in gained:
            gain(s, hit.target, condition)
        if hit.push:
            yield from pushed(s, hit.target, hit.push)
    return total


def _through_armour(s: Scene, hit: Hit, one: Damage, passing: int) -> Script[int]:
    """Return the points of one type that armour does not stop."""
    if not one.amount:
        return 0
    rating, sturdy, worn = yield from _protection(s, hit.target, one.type)
    cover = hit.cover
    if cover and worn and s.reading("O8") == "cover_ignored":
        cover = 0
    boost = s.model(hit.target).boost
    args = {
        "amount": one.amount,
        "rating": rating,
        "sturdy": sturdy,
        "cover": cover,
        "penetration": hit.penetration,
        "boost_icons": boost,
        "ignore_armour": min(passing, one.amount),
    }
    die = None
    if rating + min(cover, 1) - hit.penetration > 0:
        asked = {"check": "armour_check", "type": one.type, **args}
        dice = yield from throw("armour", asked, target=s.thing(hit.target))
        die = dice.face("armour")
    answer = armour_check(**args, die=die)
    s.note(answer)
    return answer.taken


def armour_of(s: Scene, target: str, kind: str) -> Script[tuple[int, int]]:
    """Return the rating and the sturdy bonus that protect against a type of damage."""
    rating, sturdy, _ = yield from _protection(s, target, kind)
    return rating, sturdy


def _protection(s: Scene, target: str, kind: str) -> Script[tuple[int, int, bool]]:
    """Return rating and sturdy bonus, and whether power armour gives them."""
    unit, model = s.unit(target), s.model(target)
    printed = str(getattr(unit.card.armour, kind))
    armour, worn = unit.card.power_armour, False
    fact = f"{unit.card.name.any}:armour:{kind}"
    if armour is not None:
        kinds = ("power_armour", "own_armour")
        choice = yield from pick("wear", kinds, target=s.thing(target))
        worn = choice == "power_armour"
    if armour is not None and worn:
        side = armour.broken if model.broken else armour.armour
        printed = str(getattr(side, kind))
        fact = f"{armour.name.any}:armour:{kind}:{model.broken}"
    found = re.fullmatch(r"(\d+)(?:\+(\d+))?", printed)
    if found:
        return int(found[1]), int(found[2] or 0), worn
    if printed == "-":
        return 0, 0, worn
    if printed == "X":
        s.open.append("O26")
    rating = s.known(fact)
    if rating is None:
        rating = yield from amount(
            "fact.armour", 0, MOST_RATING, 0, target=s.thing(target), damage=kind
        )
        s.learn(fact, rating)
    return int(rating), 0, worn


def _toughness(s: Scene, target: str, parts: list[Damage]) -> Script[list[Damage]]:
    total = sum(one.amount for one in parts)
    tokens = s.model(target).luck
    if not total or not tokens:
        return parts
    words: dict[str, Any] = {"target": s.thing(target), "damage": total}
    if not (yield from is_so("luck_toughness", **words)):
        return parts
    side = yield from toss_luck(s, target)
    answer = luck("toughness", tokens, side, damage=total)
    s.note(answer)
    if not answer.success:
        return parts
    at = next(at for at, one in enumerate(parts) if one.amount)
    less = replace(parts[at], amount=parts[at].amount - 1)
    return [*parts[:at], less, *parts[at + 1 :]]


def toss_luck(s: Scene, model: str) -> Script[str]:
    """Toss one of a model's luck tokens, which is spent either way; return its side."""
    dice = yield from throw("luck_toss", {"check": "toss"}, who=s.thing(model))
    s.change(model, luck=s.model(model).luck - 1)
    return dice.face("luck") or "blank"


def suffer(s: Scene, target: str, parts: Sequence[Damage]) -> Script[None]:
    """Lay down the tokens of damage that nothing stopped; remove the model if due."""
    unit, model = s.unit(target), s.model(target)
    if not parts or model.removed:
        return
    worn = None
    if unit.card.power_armour is not None and not model.broken:
        endurance = yield from _endurance(s, target)
        worn = PowerArmour(endurance, model.power_armour, model.broken)
    health = yield from health_now(s, target)
    hurt = Damageable(
        health=health,
        hero=unit.card.hero,
        regular=model.regular,
        radiation=model.radiation,
        ready="activated" if model.active else model.readiness,
        power_armour=worn,
    )
    answer = apply_damage(hurt, parts)
    after = replace(model, regular=answer.regular, radiation=answer.radiation)
    if answer.power_armour is not None:
        tokens, broken = answer.power_armour.tokens, answer.power_armour.broken
        after = replace(after, power_armour=tokens, broken=broken)
    s.put(after)
    s.note(answer)
    if answer.removed:
        if answer.last_gasp == "toss_needed":
            yield from _last_gasp(s, target)
        remove(s, target)


def health_now(s: Scene, target: str) -> Script[int]:
    """Return the health of a model's unit, asking where nobody has said it."""
    unit = s.unit(target)
    known = unit.card.health or known_health(s, unit)
    if known is None:
        known = yield from amount(
            "fact.health", 1, MOST_RATING, 4, target=s.thing(target)
        )
        s.learn(f"{unit.card.name.any}:health", known)
    return known


def known_health(s: Scene, unit: Unit) -> int | None:
    """Return the health of a unit as a flow was told it, None where it was not."""
    told = s.known(f"{unit.card.name.any}:health")
    return None if told is None else int(told)


def _endurance(s: Scene, target: str) -> Script[int]:
    armour = s.unit(target).card.power_armour
    assert armour is not None
    fact = f"{armour.name.any}:endurance"
    known = armour.endurance or s.known(fact)
    if known is None:
        known = yield from amount(
            "fact.endurance", 1, MOST_RATING, 4, target=s.thing(target)
        )
        s.learn(fact, known)
    return int(known)


def _last_gasp(s: Scene, target: str) -> Script[None]:
    """Let a ready model act once more before it is removed, §2.9 p.19."""
    dice = yield from throw("last_gasp", {"check": "toss"}, who=s.thing(target))
    clover = dice.face("luck") == "luck"
    s.note(Answer(steps=(step("last_gasp.yes" if clover else "last_gasp.no"),)))
    if not clover:
        return
    near = contacts(s, target)
    kinds = ("melee", "move", "none") if near else (*LAST_ACTIONS, "none")
    cannot = {"shoot": "" if guns(s, target) else "no_weapon"}
    choices = [Choice(kind, why_not=cannot.get(kind, "")) for kind in kinds]
    action = yield from choose("last_action", choices, skip="none", who=s.thing(target))
    if action != "none":
        yield from s.actions[action](s, Actor(target, quick=True))


def remove(s: Scene, target: str) -> None:
    """Take a model out of the battle."""
    s.change(target, removed=True, active=False, ap=0)
    part(s, target)


def gain(s: Scene, target: str, condition: str) -> None:
    """Give a model a condition, as far as it can have it."""
    unit, model = s.unit(target), s.model(target)
    answer = condition_event(
        "gain",
        model.conditions,
        condition,
        robot=unit.card.robot,
        immune=unit.card.immune,
    )
    s.note(answer)
    s.change(target, conditions=answer.conditions)


def pushed(s: Scene, target: str, ruler: str) -> Script[None]:
    """Push a model back; the edge of the table costs it a point of damage."""
    if s.unit(target).card.kind == "turret":
        s.note(Answer(steps=(step("turret.immovable"),)))
        return
    s.light(ruler)
    stop = yield from pick("pushed", STOPS, target=s.thing(target))
    part(s, target)
    s.note(Answer(steps=(step("push_back.exit"),), open=("O30",)))
    if stop == "edge":
        s.note(Answer(steps=(step("table_edge"),)))
        yield from suffer(s, target, [Damage("physical", EDGE_DAMAGE)])
