"""Choosing for an attack: which weapon, whom, what cards add.

Source: rulebook 2PB-002-111 §2.8 p.16-17, §2.9 p.19, §5.3 p.46-47, §6.3 p.53.
"""

from __future__ import annotations

from typing import Any, Final

from device.games.foww.flows.acting import (
    BARE,
    Actor,
    activation,
    contacts,
    nobody,
    weapon_card,
)
from device.games.foww.flows.ask import Script, amount, choose, is_so, pick
from device.games.foww.flows.scene import Scene, card
from device.games.foww.flows.view import Choice, Thing
from device.rosters.cards import COLOURS
from device.rules.foww.attacks import BaseDamage, Weapon
from device.rules.foww.weapons import weapon_use
from device.table.cards import WeaponCard
from device.table.codec import JSON

OBJECT: Final = "object"
"""Key of a target that is no model."""

MOST_COVER: Final = 9
NOT_SHOT: Final = ("throw", "melee")
"""Skills of weapons that do not shoot."""


def guns(s: Scene, model: str) -> list[str]:
    """Return the keys of the weapons that a model can shoot with."""
    cards = enumerate(s.unit(model).card.weapons)
    return [str(at) for at, one in cards if one.skill not in NOT_SHOT and not one.mine]


def grenades(s: Scene, model: str) -> list[str]:
    """Return the keys of the weapons that a model can throw."""
    cards = enumerate(s.unit(model).card.weapons)
    return [str(at) for at, one in cards if one.skill == "throw" and not one.mine]


def mine_keys(s: Scene, model: str) -> list[str]:
    """Return the keys of the mines that a model carries."""
    return [str(at) for at, one in enumerate(s.unit(model).card.weapons) if one.mine]


def choose_weapon(
    s: Scene, actor: Actor, keys: list[str], *, melee: bool = False
) -> Script[str]:
    """Ask which weapon is used; those that cannot be say why."""
    choices = [
        Choice(key, card(weapon_card(s, actor.model, key).name), why_not=why)
        for key in keys
        for why in [_unusable(s, actor, key, melee=melee)]
    ]
    return (yield from choose("weapon", choices, who=s.thing(actor.model)))


def _unusable(s: Scene, actor: Actor, key: str, *, melee: bool) -> str:
    if key == BARE:
        return ""
    weapon, model = weapon_card(s, actor.model, key), s.model(actor.model)
    at = int(key)
    use = weapon_use(
        has_skill=True,
        slow_fire=("loaded" if model.loaded[at] else "unloaded")
        if weapon.slow_fire
        else None,
        heavy=weapon.skill == "heavy",
        heavy_used_this_activation=bool(activation(s, actor.model)["heavy"]),
        charges=int(s.entry(f"charged:{actor.model}").get(key, 0)),
        charges_needed=weapon.charges or None,
    )
    if use.reason:
        return use.reason
    return "no_melee" if melee and weapon.no_melee else ""


def unload(s: Scene, actor: Actor, key: str) -> None:
    """Turn the token of a slow-firing weapon; take the charges off a charged one."""
    if key == BARE:
        return
    weapon, model = weapon_card(s, actor.model, key), s.model(actor.model)
    if weapon.slow_fire:
        loaded = list(model.loaded)
        loaded[int(key)] = 0
        s.change(actor.model, loaded=tuple(loaded))
    if weapon.charges:
        entry = s.entry(f"charged:{actor.model}")
        if s.reading("O28") == "charges_spent":
            entry.pop(key, None)
        s.write(f"charged:{actor.model}", entry)


def may_be_critical(s: Scene, actor: Actor, key: str, weapon: WeaponCard) -> bool:
    """Say whether the critical gauge of a weapon is full and may be used."""
    if key == BARE or not has_critical(s, actor.model) or weapon.skill == "throw":
        return False
    gauge = weapon.critical_rating
    points = s.model(actor.model).criticals[int(key)]
    return gauge is not None and points >= gauge and not weapon.charges


def has_critical(s: Scene, model: str) -> bool:
    """Say whether a unit has the critical icon."""
    unit = s.unit(model).card
    return unit.hero or "critical" in unit.abilities


def choose_target(
    s: Scene, actor: Actor, *, step: str = "target", **params: Any
) -> Script[str]:
    """Ask who is attacked: enemies first, friends and objects may be."""
    if actor.only:
        return actor.only
    enemies = [one.id for one in s.enemies(actor.model)]
    friends = [one.id for one in s.friends(actor.model)]
    near = contacts(s, actor.model)
    choices = [
        Choice(one, s.thing(one), why_not="apart" if near and one not in near else "")
        for one in (*enemies, *friends)
    ]
    choices.append(Choice(OBJECT))
    return (yield from choose(step, choices, who=s.thing(actor.model), **params))


def target_thing(s: Scene, target: str) -> Thing:
    """Return a target by name."""
    return nobody(OBJECT) if target == OBJECT else s.thing(target)


def ask_extras(s: Scene) -> Script[tuple[int, dict[str, int]]]:
    """Ask what cards and items add: to the rating, and in dice."""
    if not (yield from is_so("extras")):
        return 0, {}
    bonus = yield from amount("bonus", -9, 9, 0)
    dice: dict[str, int] = {}
    while (colour := (yield from pick("more_dice", ("none", *COLOURS)))) != "none":
        dice[colour] = dice.get(colour, 0) + 1
    return bonus, dice


def rules_weapon(weapon: WeaponCard) -> Weapon:
    """Return a weapon as the rules want it."""
    damage = tuple(BaseDamage(one.type, one.value) for one in weapon.damage)
    critical = tuple(BaseDamage(one.type, one.value) for one in weapon.critical_damage)
    thrown = weapon.skill == "throw"
    return Weapon(damage, weapon.critical_rating, critical or None, thrown)


def weapon_json(weapon: WeaponCard) -> dict[str, JSON]:
    """Return a weapon as `open_check` takes it."""
    asked: dict[str, JSON] = {
        "damage": [{"type": one.type, "value": one.value} for one in weapon.damage],
        "crit_rating": weapon.critical_rating,
        "thrown": weapon.skill == "throw",
    }
    if weapon.critical_damage:
        asked["critical_damage"] = [
            {"type": one.type, "value": one.value} for one in weapon.critical_damage
        ]
    return asked
