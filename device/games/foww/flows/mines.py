"""Mines: laid down, armed in their owner's next turn, set off by enemies.

Source: rulebook 2PB-002-111 §5.3 p.46.
"""

from __future__ import annotations

from collections.abc import Iterator

from device.games.foww.flows.acting import (
    Actor,
    contacts,
    spend,
    weapon_damage,
)
from device.games.foww.flows.area import blast
from device.games.foww.flows.arms import choose_weapon, mine_keys, unload
from device.games.foww.flows.ask import Script, choose, go_on
from device.games.foww.flows.hit import Hit
from device.games.foww.flows.react import Provoked, reactions
from device.games.foww.flows.scene import Scene, card
from device.games.foww.flows.view import Choice
from device.rules.foww.attacks import Damage
from device.rules.foww.mines import arm_mine, mine_event, place_mine
from device.table.cards import CardName
from device.table.codec import JSON, from_json, to_json

LAID_WITHIN = "orange"


def place(s: Scene, actor: Actor) -> Script[None]:
    """Lay a mine: a move action without moving."""
    answer = place_mine(bool(contacts(s, actor.model)))
    key = yield from choose_weapon(s, actor, mine_keys(s, actor.model))
    weapon = yield from weapon_damage(s, actor.model, key)
    s.light(LAID_WITHIN)
    yield from go_on("placed", who=s.thing(actor.model), ruler=LAID_WITHIN)
    s.note(answer)
    spend(s, actor, "mine")
    unload(s, actor, key)
    numbers = [int(key.partition(":")[2]) for key, _ in mines(s)]
    entry: dict[str, JSON] = {
        "side": s.unit(actor.model).side,
        "armed": False,
        "name": to_json(weapon.name),
        "zone": weapon.short,
        "area": weapon.area or weapon.short,
        "damage": [{"type": one.type, "amount": one.value} for one in weapon.damage],
    }
    s.write(f"mine:{max(numbers, default=0) + 1}", entry)
    s.set_table(mine=s.armies.mine + 1)
    if not actor.silent:
        yield from reactions(s, actor, Provoked("move"))


def mines(s: Scene) -> Iterator[tuple[str, dict[str, JSON]]]:
    """Iterate over the mines on the table, by their entry of the sheet."""
    for key in sorted(s.sheet):
        if key.startswith("mine:"):
            yield key, s.entry(key)


def arm(s: Scene, side: str) -> None:
    """Arm the mines of a side: its turn begins."""
    for key, mine in list(mines(s)):
        if mine["side"] == side and not mine["armed"]:
            s.note(arm_mine())
            s.write(key, mine | {"armed": True})


def mine_zone(s: Scene, model: str) -> Script[None]:
    """Ask whether a model that moved or acted has set off an enemy's mine."""
    if s.model(model).removed:
        return
    side = s.unit(model).side
    near = [key for key, mine in mines(s) if mine["armed"] and mine["side"] != side]
    if not near:
        return
    choices = [Choice(key, card(_name(s, key))) for key in near]
    who = s.thing(model)
    which = yield from choose(
        "mine_zone", [Choice("none"), *choices], skip="none", who=who
    )
    if which == "none":
        return
    s.note(mine_event(True, "enemy", "passes_through"))
    yield from go_off(s, which)


def go_off(s: Scene, key: str) -> Script[None]:
    """Let a mine go off: an area effect on its token."""
    mine = s.entry(key)
    parts = tuple(Damage(one["type"], one["amount"]) for one in mine["damage"])
    s.write(key, {})
    s.set_table(mine=max(0, s.armies.mine - 1))
    if mine["area"]:
        yield from blast(
            s,
            mine["area"],
            lambda model, cover: Hit(model, parts, cover=cover),
            Provoked("attack"),
        )


def _name(s: Scene, key: str) -> CardName:
    return from_json(CardName, s.entry(key)["name"])
