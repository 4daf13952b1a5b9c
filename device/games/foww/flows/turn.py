"""Turns and rounds: ready or activate, the start and the end of an activation.

Source: rulebook 2PB-002-111 §2.6 p.13-14, §3.3 p.33-34, §4.3 p.40, §5.4 p.48.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from device.games.foww.flows.acting import ACTIONS, Actor, activation
from device.games.foww.flows.ask import Script, choose, pick, throw
from device.games.foww.flows.engine import Flow
from device.games.foww.flows.hit import health_now, remove
from device.games.foww.flows.mines import arm
from device.games.foww.flows.react import Provoked, reactions
from device.games.foww.flows.scene import Scene
from device.games.foww.flows.view import Choice, Thing
from device.rules.foww.activation import (
    BURNING_DAMAGE,
    POISON_DAMAGE,
    activation_end,
    activation_start,
)
from device.rules.foww.damage import health_limit
from device.rules.foww.items import LastingItem, item_tick
from device.rules.foww.rounds import Counts, Marked, advantage, round_end, turn
from device.table.army import SIDES
from device.table.cards import CardName
from device.table.codec import JSON, from_json


def ready(s: Scene, flow: Flow) -> Script[None]:
    """Make a model ready; then activate none, or all ready models of its side."""
    settle_turn(s)
    side = s.unit(flow.model).side
    if not s.entry("turn").get("begun"):
        arm(s, side)
        s.write("turn", {"side": side, "left": [], "begun": True})
    marked = standing(s, side)
    answer = turn(marked, ready=flow.model, activate=True)
    s.change(flow.model, readiness="ready", active=False, ap=0)
    after = standing(s, side)
    must = not turn(marked, ready=flow.model, activate=False).allowed
    choices = [
        Choice("activate_all"),
        Choice("activate_none", why_not="must_activate" if must else ""),
    ]
    which = yield from choose("turn", choices, side=f"side_{side}")
    if which == "activate_none":
        pass_turn(s, side)
        return
    s.note(replace(answer, steps=()))
    left = [one.id for one in after if one.state == "ready"]
    s.write("turn", {"side": side, "left": left, "begun": True})


def standing(s: Scene, side: str) -> list[Marked]:
    """Return the models of a side that are in the battle, with their readiness."""
    return [
        Marked(model.id, model.readiness)
        for unit in s.armies.side(side)
        for model in unit.models
        if not model.removed
    ]


def settle_turn(s: Scene) -> None:
    """Pass a turn on in which nobody is left to act, whoever has ended it."""
    entry = s.entry("turn")
    if not entry.get("begun") or any(one.active for _, one in s.armies.models()):
        return
    left = [one for one in entry["left"] if _may_act(s, one)]
    if left:
        s.write("turn", entry | {"left": left})
    else:
        pass_turn(s, str(entry["side"]))


def _may_act(s: Scene, model: str) -> bool:
    found = s.find(model)
    return found is not None and found[1].readiness == "ready" and not found[1].removed


def pass_turn(s: Scene, side: str) -> None:
    """Give the turn to the other side; one that is through takes none."""
    other = SIDES[1 - SIDES.index(side)]
    done = all(one.state == "activated" for one in standing(s, other))
    s.write("turn", {"side": side if done else other, "left": []})
    s.write("locked", {})


def end_turn(s: Scene, flow: Flow) -> Script[None]:
    """End a turn early: ready models left over count as activated (O33)."""
    entry = s.entry("turn")
    for model in entry.get("left", ()):
        if not s.model(model).removed:
            s.change(model, readiness="activated", active=False, ap=0)
    s.open.append("O33")
    pass_turn(s, str(entry.get("side") or SIDES[0]))
    return
    yield


# --- Activations ----------------------------------------------------------------------


def activate(s: Scene, flow: Flow) -> Script[None]:
    """Begin an activation: burning and poison, V.A.T.S., items, loading."""
    who = flow.model
    unit, model = s.unit(who), s.model(who)
    for other in [one for _, one in s.others(who) if one.active]:
        s.change(other.id, active=False, ap=0)
    health = yield from health_now(s, who)
    hurt = BURNING_DAMAGE * ("burning" in model.conditions)
    hurt += POISON_DAMAGE * ("poisoned" in model.conditions)
    lives = model.regular + hurt + model.radiation < health_limit(
        health, unit.card.hero
    )
    side, icons = None, None
    if lives and "burning" in model.conditions:
        dice = yield from throw("burning_toss", {"check": "toss"}, who=s.thing(who))
        side = dice.face("luck")
    vats = unit.card.hero or "vats" in unit.card.abilities
    if lives and vats:
        asked = {"check": "single", "die": "blue"}
        icons = (yield from throw("vats", asked, who=s.thing(who))).icons("blue")
    slow = [one.slow_fire for one in unit.card.weapons]
    model = s.model(who)
    unloaded = any(
        is_slow and not loaded
        for is_slow, loaded in zip(slow, model.loaded, strict=True)
    )
    answer = activation_start(
        health,
        model.regular,
        model.radiation,
        model.conditions,
        hero=unit.card.hero,
        luck_token=side,
        vats=vats,
        blue_die=icons,
        reaction_tokens=model.reaction,
        slow_fire="unloaded" if unloaded else None,
    )
    s.note(answer)
    s.change(
        who,
        readiness="ready",
        active=not answer.removed,
        ap=answer.ap,
        regular=answer.regular,
        conditions=answer.conditions,
        reaction=answer.reaction_tokens,
        loaded=(1,) * len(slow),
    )
    if answer.removed:
        remove(s, who)
        leave_turn(s, who)
        return
    empty: dict[str, JSON] = {"actions": ACTIONS, "used": [], "heavy": False}
    s.write("act", {"model": who, **empty})
    yield from _tick(s, who)


def _tick(s: Scene, who: str) -> Script[None]:
    """Move every item in force one activation on, §3.3 p.33-34."""
    cards = list(s.entry(f"items:{who}").get("cards", ()))
    kept: list[Mapping[str, JSON]] = []
    for card in cards:
        if card["state"] == "addicted":
            kept.append(card)
            continue
        after = yield from tick(s, who, card, "activation")
        if after is not None:
            kept.append(after)
    s.write(f"items:{who}", {"cards": kept} if kept else {})


def tick(
    s: Scene, who: str, card: Mapping[str, Any], event: str
) -> Script[Mapping[str, JSON] | None]:
    """Return an item in force after its use or an activation; None where it ended."""
    item = LastingItem(
        duration=str(card["duration"]),
        printed=card["printed"],
        tokens=int(card["tokens"]),
        columns=tuple(dict(column) for column in card["columns"]),
        hidden=int(card["hidden"]),
        addiction=str(card["addiction"]) or None,
    )
    icons = None
    if item.addiction is not None:
        ends = item_tick(event, replace(item, addiction=None)).ended
        if ends:
            named = Thing(from_json(CardName, card["name"]))
            asked = {"check": "single", "die": "blue"}
            words = {"item": named, "who": s.thing(who)}
            icons = (yield from throw("addiction", asked, **words)).icons("blue")
    answer = item_tick(event, item, icons)
    s.note(answer)
    if answer.card == "addiction":
        return {**card, "state": "addicted", "tokens": 0, "hidden": 0}
    if answer.ended:
        return None
    return {**card, "tokens": answer.tokens, "hidden": answer.hidden}


def end_activation(s: Scene, flow: Flow) -> Script[None]:
    """End an activation: frost ends, action points are lost."""
    who = flow.model
    unused = int(activation(s, who)["actions"])
    model = s.model(who)
    answer = activation_end(model.conditions, model.ap, model.readiness)
    s.note(answer)
    s.change(
        who,
        readiness=answer.ready,
        conditions=answer.conditions,
        ap=answer.ap,
        active=False,
    )
    s.write("act", {})
    if unused and any(_is_turret(s, one.id) for one in s.enemies(who)):
        yield from reactions(s, Actor(who), Provoked("unused_action"))
    leave_turn(s, who)


def _is_turret(s: Scene, model: str) -> bool:
    return s.unit(model).card.kind == "turret"


def leave_turn(s: Scene, who: str) -> None:
    """Take a model off those that still act in this turn; the last one ends it."""
    entry = s.entry("turn")
    left = [
        one
        for one in entry.get("left", ())
        if one != who and s.find(one) and not s.model(one).removed
    ]
    side = s.unit(who).side
    if entry.get("begun") and not left:
        pass_turn(s, side)
    elif entry:
        s.write("turn", entry | {"left": left})


# --- Rounds ---------------------------------------------------------------------------


def end_round(s: Scene, flow: Flow) -> Script[None]:
    """End the round: readiness off, the advantage token moves on, its holder begins."""
    s.note(round_end([one for side in SIDES for one in standing(s, side)]))
    for _, model in list(s.armies.models()):
        s.change(model.id, readiness="unready", active=False, ap=0)
        if s.unit(model.id).card.kind == "turret" and not model.removed:
            s.change(model.id, reaction=1)
    s.write("act", {})
    s.write("locked", {})
    s.set_table(round=s.armies.round + 1)
    yield from _begins(s)


def first_player(s: Scene, flow: Flow) -> Script[None]:
    """Give out the advantage token and ask who begins."""
    yield from _begins(s)


def _begins(s: Scene) -> Script[None]:
    counts = {side: len(standing(s, side)) for side in SIDES}
    holder = s.armies.advantage or None
    answer = advantage(s.armies.round, Counts(**counts), holder)
    s.note(answer)
    after = answer.holder
    if after == "random":
        after = (yield from pick("first", ("side_a", "side_b")))[-1]
    s.set_table(advantage=after)
    first = yield from pick("first_passes", ("side_a", "side_b"))
    s.write("turn", {"side": first[-1], "left": []})
