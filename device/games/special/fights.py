"""Commands about a fight: order, rounds, action points; and what the ruler shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from device.errors import BadInput
from device.games.game import sheet_draft
from device.games.given import Args, choice, named, objects, refuse, whole
from device.games.sheet import entity, find, written
from device.games.special.sheet import (
    KEY,
    Character,
    Flow,
    Weapon,
    characters,
    derive,
    flow,
)
from device.rules.resolve import resolve
from device.rules.special.charts import LIGHTS, NIGHTS, TERRAINS
from device.rules.special.hitting import free_hexes
from device.table.codec import JSON, to_json
from device.table.events import Draft
from device.table.state import Content

AP_STANCE: Final = {
    "standing": "standing",
    "crouching": "crouching",
    "prone": "crawling",
}
"""How the rules' kind `ap` names a stance one moves in."""


def begin_fight(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Begin a fight: its order is set once (B1, B2); ties wait for a throw."""
    given = args.get("fighters")
    if given is None:
        given = [one.id for one in characters(content) if not one.dead]
    if not isinstance(given, list | tuple) or not given:
        raise BadInput("expected who fights", "fighters")
    for at, key in enumerate(given):
        if not isinstance(key, str) or entity(content, key, Character) is None:
            raise BadInput(f"there is no character {key!r}", f"fighters[{at}]")
    if len(set(given)) < len(given):
        raise BadInput("somebody is there twice", "fighters")
    starter = named(args, "starter", default="")
    if starter and starter not in given:
        raise BadInput("who starts must fight", "starter")
    now = replace(
        flow(content),
        fighters=tuple(given),
        starter=starter,
        ties={},
        order=(),
        round=1,
        turn="",
    )
    answer = order_of(content, now)
    set_ = {key: _rested(content, key) for key in given}
    after = in_order(now, answer)
    log = {"steps": answer["steps"], "ties": _names(content, answer["needs_roll"])}
    set_ |= written(after)
    return [sheet_draft("special.fight", set_, **log)]


def order_of(content: Content, now: Flow) -> dict[str, Any]:
    """Return what the rules say of the order of a fight."""
    fighters = []
    for key in now.fighters:
        character = entity(content, key, Character)
        if character is not None:
            sequence = derive(character).numbers["sequence"]
            one: dict[str, JSON] = {"id": key, "sequence": sequence}
            if key in now.ties:
                one["tie_roll"] = now.ties[key]
            fighters.append(one)
    asked: dict[str, JSON] = {"fighters": fighters}
    if now.starter:
        asked["starter"] = now.starter
    answer = resolve(KEY, "order", asked)
    names = {one.id: one.name for one in characters(content)}
    for step in answer["steps"]:  # sentences name people, not ids
        step["params"]["id"] = names.get(step["params"].get("id"), "?")
    return answer


def in_order(now: Flow, answer: dict[str, Any]) -> Flow:
    """Return the flow with the order set; without one while a tie is left."""
    if answer["order"] is None:
        return replace(now, order=(), turn="")
    first = now.starter or answer["order"][0]
    return replace(now, order=tuple(answer["order"]), turn=first)


def next_turn(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """End the turn; with ``defend`` the unspent action points protect (B11)."""
    now = flow(content)
    if not now.order:
        raise refuse("no_order")
    defends = args.get("defend", False)
    if not isinstance(defends, bool):
        raise BadInput("expected true or false", "defend")
    set_: dict[str, JSON] = {}
    actor = entity(content, now.turn, Character)
    if actor is not None and defends:
        set_ |= written(replace(actor, defending=1))
    at = now.order.index(now.turn) + 1 if now.turn in now.order else 0
    if now.starter:  # the one who began has acted before the order: it starts now
        at, now = 0, replace(now, starter="")
    number = now.round
    if at >= len(now.order):
        at, number = 0, number + 1
    key = now.order[at]
    acting = entity(content, key, Character)
    if acting is not None:  # action points come back when the own turn begins
        out = max(0, acting.unconscious - 1)
        acting = replace(acting, ap_spent=0, defending=0, unconscious=out)
        set_ |= written(acting)
    set_ |= written(replace(now, turn=key, round=number))
    who = acting.name if acting is not None else ""
    return [sheet_draft("special.turn", set_, who=who, round=number)]


def end_fight(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """End the fight: order and action points no longer count."""
    now = flow(content)
    if not now.round:
        raise refuse("no_fight")
    set_ = {key: _rested(content, key) for key in now.fighters if key in content.sheet}
    over = replace(now, fighters=(), order=(), ties={}, round=0, turn="", starter="")
    return [sheet_draft("special.fight_over", set_ | written(over))]


def _rested(content: Content, key: str) -> JSON:
    character = entity(content, key, Character)
    assert character is not None
    return to_json(replace(character, ap_spent=0, defending=0))


def act(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Spend action points on something other than an attack (B4 to B10)."""
    character = find(content, args, "character", Character)
    derived = derive(character)
    actions = [dict(one) for one in objects(args, "actions", 20)]
    for action in actions:
        if action.get("do") == "move":
            action.setdefault("stance", AP_STANCE[character.stance])
            action.setdefault("broken_legs", character.broken_legs)
        if action.get("do") == "stance":
            action.setdefault("from", character.stance)
    given = {
        "ap": max(0, derived.ap_left),
        "traits": list(character.traits),
        "actions": actions,
    }
    answer = resolve(KEY, "ap", given)
    if not answer["legal"] and not args.get("override", False):
        raise refuse(f"ap_{answer['reasons'][0]}")
    after = replace(character, ap_spent=character.ap_spent + answer["total"])
    for action in actions:
        if action["do"] == "stance":
            after = replace(after, stance=action["to"])
        if action["do"] == "stand_up":
            after = replace(after, down=0, stance="standing")
    log = {"who": character.name, "cost": answer["total"], "steps": answer["steps"]}
    return [sheet_draft("special.acted", written(after), **log)]


def agree(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Say what holds for the whole table; what is not given stays."""
    before = flow(content)
    after = replace(
        before,
        light=choice(args, "light", tuple(LIGHTS), before.light),
        night=choice(args, "night", tuple(NIGHTS), before.night),
        critical_from=whole(args, "critical_from", 2, 98, before.critical_from),
        hex_mm=whole(args, "hex_mm", 5, 200, before.hex_mm),
    )
    told = {name: getattr(after, name) for name in args}
    return [sheet_draft("special.agreed", written(after), agreed=told)]


# --- The ruler: metres are hexes ---------------------------------------------------


def show_range(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Light how far a character hits without penalty, and how far at all."""
    character = find(content, args, "character", Character)
    free = free_hexes(derive(character).perception)
    hexes = [free]
    if args.get("weapon") is not None:
        weapon = find(content, args, "weapon", Weapon)
        hexes.append(weapon.range)
    return [
        _lit(content, "special.range", character, hexes, free=free, most=sum(hexes))
    ]


def show_move(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Light how far the action points left carry a character."""
    character = find(content, args, "character", Character)
    terrain = choice(args, "terrain", tuple(TERRAINS), "dry")
    derived = derive(character)
    move = {
        "do": "move",
        "hexes": 1,
        "terrain": terrain,
        "stance": AP_STANCE[character.stance],
        "broken_legs": character.broken_legs,
    }
    each = resolve(KEY, "ap", {"ap": 99, "actions": [move]})["total"]
    hexes = max(0, derived.ap_left) // each
    most = derived.injury["max_hexes"]
    hexes = hexes if most is None else min(hexes, most)
    log = {"hexes": hexes, "terrain": terrain}
    return [_lit(content, "special.reach", character, [hexes], **log)]


def _lit(
    content: Content,
    said: str,
    character: Character,
    lit: Sequence[int],
    /,
    **log: JSON,
) -> Draft:
    """Return the event that lights so many hexes end to end."""
    each_mm = flow(content).hex_mm
    lengths = [each_mm * one for one in lit if one > 0]
    cue: dict[str, JSON] = {"off": True}
    if len(lengths) == 1:
        cue = {"length_mm": lengths[0]}
    elif lengths:
        cue = {"lengths_mm": lengths}
    draft = sheet_draft(said, who=character.name, **log)
    return replace(draft, data={**draft.data, "cue": cue})


def _names(content: Content, ids: Sequence[str]) -> list[str]:
    return [one.name for one in characters(content) if one.id in ids]
