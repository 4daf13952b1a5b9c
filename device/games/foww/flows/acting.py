"""Who acts; what an activation keeps count of; contacts; what cards say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from device.games.foww.flows.ask import Script, amount, pick
from device.games.foww.flows.scene import Scene, card
from device.games.foww.flows.view import Thing
from device.rosters.cards import ATTRIBUTES, DAMAGE_TYPES, RULERS
from device.rules.foww.activation import ICON_OF_ACTION, SpentAp, spend_ap
from device.rules.foww.items import ArmourBonus, Stats, stats
from device.table.army import Unit
from device.table.cards import CardName, UnitCard, WeaponCard, WeaponDamage
from device.table.codec import JSON

ACTIONS: Final = 2
"""Of an activation, §2.6 p.14."""

HERO_AP_USE: Final = ("move", "attack", "noncombat")
"""AP-use icons of the one hero card that the rulebook shows, §4.3 p.40, §6.1 p.50; a
unit card with ``ap_use`` says otherwise. Not compared with other hero cards."""

ICONS: Final = MappingProxyType(
    {
        **ICON_OF_ACTION,
        "mine": "move",
        "extinguish": "move",
        "unstun": "move",
        "skill": "noncombat",
    }
)
"""AP-use icon by kind of action."""

RULE_ACTION: Final = MappingProxyType(
    {"mine": "move", "extinguish": "move", "unstun": "move", "skill": "search"}
)
"""Action of the rules that stands for one of ours: the same icon."""

MOST_RATING: Final = 20
IMPROVISED: Final = WeaponCard(
    CardName("Improvised weapon", "Импровизированное оружие"),
    skill="melee",
    source="rulebook §2.13 p.24; its profile is lost with the picture",
)
BARE: Final = "improvised"
"""Key of the improvised weapon among the weapons."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts, and on what terms.

    Attributes:
        model: Its id.
        quick: A quick action: -2, shorter rulers, no action points.
        pays: ``action``, ``ap``, or "" for a reaction or a free action.
        only: The one model that it may attack, "" for any.
        charged: It was charged just now: its one shot is free of penalties.
        silent: What it does is no provocation.
    """

    model: str
    quick: bool = False
    pays: str = ""
    only: str = ""
    charged: bool = False
    silent: bool = False


# --- Activations ----------------------------------------------------------------------


def activation(s: Scene, model: str) -> dict[str, JSON]:
    """Return what the activation of a model keeps count of."""
    entry = s.entry("act")
    if entry.get("model") != model:
        return {"model": model, "actions": ACTIONS, "used": [], "heavy": False}
    return entry


def spend(s: Scene, actor: Actor, action: str, *, heavy: bool = False) -> None:
    """Pay for an action, and lose the charge tokens that it does not use.

    Source: rulebook 2PB-002-111 §2.6 p.14, §2.12 p.23, §4.3 p.40, §5.3 p.46.
    """
    model = s.model(actor.model)
    if action != "melee":
        drop_charge(s, actor.model)
    if not actor.pays:
        return
    entry = activation(s, actor.model)
    if actor.pays == "ap":
        spent = price(s, actor.model, action)
        s.note(spent)
        used = [*entry["used"], ICONS[action]]
        entry = entry | {"used": list(dict.fromkeys(used))}
        s.change(actor.model, ap=max(0, model.ap - 1))
    else:
        entry = entry | {"actions": max(0, int(entry["actions"]) - 1)}
    s.write("act", entry | {"heavy": bool(entry["heavy"]) or heavy})


def price(s: Scene, model: str, action: str) -> SpentAp:
    """Return whether an action point buys a quick action."""
    unit = s.unit(model)
    used = tuple(activation(s, model)["used"])
    name = RULE_ACTION.get(action, action)
    return spend_ap(s.model(model).ap, ap_use(unit.card), used, name)


def ap_use(unit: UnitCard) -> tuple[str, ...]:
    """Return the AP-use icons of a unit."""
    return unit.ap_use or (HERO_AP_USE if unit.hero else ())


def drop_charge(s: Scene, model: str) -> None:
    """Take the charge tokens off a model, §2.12 p.23."""
    s.change(model, charge_black=0, charge_green=0)
    s.write(f"charge:{model}", {})


# --- Contacts -------------------------------------------------------------------------


def contacts(s: Scene, model: str) -> list[str]:
    """Return the enemies known to be in contact with a model."""
    enemies = {one.id for one in s.enemies(model)}
    pairs = s.entry("contacts").get("pairs", ())
    touched = [other for pair in pairs if model in pair for other in pair]
    return [one for one in dict.fromkeys(touched) if one != model and one in enemies]


def touch(s: Scene, model: str, other: str) -> None:
    """Note that two enemies are in contact."""
    pairs = [list(pair) for pair in s.entry("contacts").get("pairs", ())]
    pair = sorted((model, other))
    if pair not in pairs:
        s.write("contacts", {"pairs": sorted([*pairs, pair])})


def part(s: Scene, model: str, *others: str) -> None:
    """Note that a model has broken contact with others; with all if none is named."""
    pairs = [list(pair) for pair in s.entry("contacts").get("pairs", ())]
    left = [
        pair
        for pair in pairs
        if model not in pair or (others and not set(pair) & set(others))
    ]
    s.write("contacts", {"pairs": left} if left else {})


# --- What cards say -------------------------------------------------------------------


def attributes(s: Scene, model: str) -> Stats:
    """Return a model's attributes with its cards in force; unknown ones are absent."""
    unit = s.unit(model)
    special = {
        short: value
        for short, name in ATTRIBUTES.items()
        if (value := getattr(unit.card.special, name)) is not None
    }
    columns: tuple[Mapping[str, int], ...] = ()
    hidden, other = 0, []
    for item in s.entry(f"items:{model}").get("cards", ()):
        if item["state"] == "addicted":
            other.append(dict(item["addicted"]))
        elif item["duration"] == "decaying":
            columns = tuple(dict(column) for column in item["columns"])
            hidden = int(item["hidden"])
        else:
            other += [dict(column) for column in item["columns"]]
    return stats(special, _worn(s, unit, model), columns, hidden, other)


def _worn(s: Scene, unit: Unit, model: str) -> ArmourBonus | None:
    armour = unit.card.power_armour
    if armour is None:
        return None
    strength = {"str": armour.strength or 0}
    # Its END bonus is used up by the armour's own tokens (open point O7).
    broken = s.model(model).broken
    return ArmourBonus(broken=broken, bonus=strength, broken_bonus=strength)


def skill_value(s: Scene, model: str, skill: str) -> int | None:
    """Return the rating of a skill, None where nobody has said it."""
    unit = s.unit(model)
    attribute = dict(unit.card.skills).get(skill)
    if skill in ATTRIBUTES:
        attribute = skill
    value = attributes(s, model).final.get(attribute) if attribute else None
    if value is None:
        told = s.known(f"{unit.card.name.any}:rating:{skill}")
        return None if told is None else int(told)
    return value


def rating_of(s: Scene, model: str, skill: str) -> Script[int]:
    """Return the rating of a skill, asking where nobody has said it."""
    known = skill_value(s, model, skill)
    if known is not None:
        return known
    words: dict[str, Any] = {"skill": skill} if skill else {}
    rating = yield from amount(
        "fact.rating", -9, MOST_RATING, 5, who=s.thing(model), **words
    )
    s.learn(f"{s.unit(model).card.name.any}:rating:{skill}", rating)
    return rating


def circumstances(s: Scene, actor: Actor) -> dict[str, Any]:
    """Return what changes every check of a model, as `open_check` names it."""
    conditions = s.model(actor.model).conditions
    found = {
        "quick_action": actor.quick,
        "injured_arm": "injured_arm" in conditions,
        "frozen": "frozen" in conditions,
    }
    return {key: one for key, one in found.items() if one}


def ruler_of(s: Scene, model: str, what: str) -> Script[str]:
    """Return the ruler that a unit card names, asking where nobody has said it."""
    unit = s.unit(model).card
    fact = f"{unit.name.any}:range:{what}"
    known = dict(unit.ranges).get(what) or s.known(fact)
    if known:
        return str(known)
    ruler = yield from pick("fact.ruler", RULERS, who=s.thing(model), what=what)
    s.learn(fact, ruler)
    return ruler


def weapon_card(s: Scene, model: str, key: str) -> WeaponCard:
    """Return a weapon of a model by its key: its place, or `BARE`."""
    found = IMPROVISED
    if key != BARE:
        found = s.unit(model).card.weapons[int(key)]
    told = s.known(f"{found.name.any}:weapon") or {}
    filled: dict[str, Any] = {
        name: value for name, value in told.items() if not getattr(found, name, None)
    }
    if "damage" in filled:
        pairs = filled["damage"].items()
        filled["damage"] = tuple(WeaponDamage(kind, value) for kind, value in pairs)
    return replace(found, **filled) if filled else found


def learn_weapon(s: Scene, weapon: WeaponCard, **facts: JSON) -> None:
    """Remember what somebody has said of a weapon."""
    key = f"{weapon.name.any}:weapon"
    s.learn(key, dict(s.known(key) or {}) | facts)


def weapon_ranges(s: Scene, model: str, key: str) -> Script[WeaponCard]:
    """Return a weapon with its ranges, asking where nobody has said them."""
    weapon = weapon_card(s, model, key)
    if not weapon.short:
        named = card(weapon.name)
        short = yield from pick("fact.weapon_range", RULERS, weapon=named)
        long = yield from pick("fact.weapon_long", (*RULERS, "none"), weapon=named)
        learn_weapon(s, weapon, short=short, long="" if long == "none" else long)
    return weapon_card(s, model, key)


def weapon_damage(s: Scene, model: str, key: str) -> Script[WeaponCard]:
    """Return a weapon with its damage, asking where nobody has said it."""
    weapon = weapon_card(s, model, key)
    if not weapon.damage:
        named = card(weapon.name)
        kind = yield from pick("fact.damage_type", DAMAGE_TYPES, weapon=named)
        value = yield from amount("fact.damage", 0, 20, 2, weapon=named)
        learn_weapon(s, weapon, damage={kind: value})
    return weapon_card(s, model, key)


def nobody(name: str) -> Thing:
    """Return a target that is no model."""
    return Thing(CardName(name, name))
