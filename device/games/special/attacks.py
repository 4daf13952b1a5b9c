"""Throws to hit: single shots and blows, bursts both ways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from device.errors import BadInput
from device.games.chain import THROWN, WORKED, once_more, thrown_before
from device.games.game import Answer
from device.games.given import Args, choice, flag, refuse_unknown, whole, whole_or_none
from device.games.sheet import Change, find, settled
from device.games.special.sheet import (
    KEY,
    MOST_BOXES,
    SKILL_OF,
    Character,
    Derived,
    Weapon,
    armour_class,
    derive,
    flow,
)
from device.games.special.throws import (
    MOST_HITS,
    ONE_TEN,
    PERCENT,
    UNITS,
    Dice,
    digit,
    from_digits,
    parse_dice,
    percent,
)
from device.rules.resolve import resolve
from device.rules.special.charts import AREA_OF, LIGHTS, NIGHTS
from device.table.codec import JSON, freeze, to_json
from device.table.state import Check, Content, RolledDie, Want

AIMS: Final = ("", *AREA_OF)
MODES: Final = ("single", "grouped")
LEAST_BULLETS: Final = 3
"""Of a burst (U1)."""

HIT_FIELDS: Final = (
    "check",
    "attacker",
    "weapon",
    "target",
    "target_ac",
    "distance",
    "aimed",
    "cover",
    "bonus",
    "penalty",
    "light",
    "night",
    "mounted",
    "twice",
    THROWN,
)
"""Arguments of every throw to hit."""


def open_attack(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Open a single attack: the chance with each modifier, then d100."""
    refuse_unknown(args, HIT_FIELDS)
    attacker, weapon = _armed(content, args)
    aimed = choice(args, "aimed", AIMS, "")
    if aimed and "fast_shot" in attacker.traits and weapon.attack in _SHOTS:
        raise BadInput("who shoots fast never aims", "aimed")
    worked = _worked(content, args, attacker, weapon)
    cost = weapon.aimed_ap if aimed and weapon.aimed_ap else weapon.ap
    worked["cost"] = _cost(attacker, weapon, cost)
    twice = flag(args, "twice")
    thrown_before(args)
    check = Check(
        id=check_id,
        kind="attack",
        given=freeze({**_plain(args), WORKED: worked}),
        wants=ONE_TEN if twice else PERCENT,
        rating=worked["chance"],
        notes=freeze(worked.pop("steps")),
    )
    return check, Answer()


def resolve_attack(content: Content, check: Check, dice: Sequence[RolledDie]) -> Answer:
    """Return hit or miss, the weapon's wear, and what follows."""
    given, worked = check.given, check.given[WORKED]
    if given.get("twice"):
        digits = (*thrown_before(given), digit(dice))
        again = once_more(check, digits, 2)
        if again is not None:
            return again
        roll = from_digits(digits)
    else:
        roll = percent(dice)
    asked = {
        "chance": worked["chance"],
        "roll": roll,
        "crit_chance": worked["crit_chance"],
        "boxes": worked["boxes"],
        "critical_from": worked["critical_from"],
    }
    if given.get("aimed"):
        asked["aimed"] = given["aimed"]
    answer = resolve(KEY, "attack", asked)
    failed = answer["outcome"] in ("miss", "critical_failure")
    changes = [
        Change(str(given["weapon"]), "boxes", int(failed), 0, MOST_BOXES),
        Change(str(given["attacker"]), "ap_spent", worked["cost"], -99),
        Change(str(given["weapon"]), "ammo", -worked["ammo"]),
    ]
    result = {"kind": "attack", "roll": roll, **answer}
    result["steps"] = [*check.notes, *answer["steps"]]
    return Answer(
        result,
        offer=_after_attack(check, answer["outcome"]),
        sheet=settled(content, check, changes),
    )


def _after_attack(check: Check, outcome: str) -> Mapping[str, JSON] | None:
    """Return the check that an attack asks for next."""
    given, worked = check.given, check.given[WORKED]
    hit = {
        "check": "damage",
        "attacker": given["attacker"],
        "dice": worked["dice"],
        **{name: given[name] for name in ("target",) if given.get(name)},
    }
    if outcome == "hit":
        return hit
    if outcome == "critical_hit":
        aimed = {"aimed": given["aimed"]} if given.get("aimed") else {}
        return {**hit, "check": "critical", **aimed}
    if outcome == "critical_failure":
        weapon = {"weapon": given["weapon"]}
        return {"check": "fumble", "attacker": given["attacker"], **weapon}
    return None


# --- Bursts ------------------------------------------------------------------------


def open_burst(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Open a burst: d100 for each bullet, or grouped d10 in one throw (U2, U4)."""
    refuse_unknown(args, (*HIT_FIELDS, "mode", "bullets"))
    attacker, weapon = _armed(content, args)
    if not weapon.burst:
        raise BadInput("this weapon fires no bursts", "weapon")
    mode = choice(args, "mode", MODES, "grouped")
    bullets = whole(args, "bullets", LEAST_BULLETS, min(MOST_HITS, weapon.burst))
    if weapon.magazine and bullets > weapon.ammo:
        raise BadInput(f"{weapon.ammo} rounds are left", "bullets")
    worked = _worked(content, args, attacker, weapon)
    worked |= {"cost": _cost(attacker, weapon, weapon.ap), "bullets": bullets}
    worked["mounted"] = weapon.many_barrels or flag(args, "mounted")
    thrown_before(args)
    wants: tuple[Want, ...] = PERCENT
    if mode == "grouped":
        wants = (Want(UNITS, bullets),)
    elif flag(args, "twice"):
        wants = ONE_TEN
    check = Check(
        id=check_id,
        kind="burst",
        given=freeze({**_plain(args), "mode": mode, WORKED: worked}),
        wants=wants,
        rating=worked["chance"],
        notes=freeze(worked.pop("steps")),
    )
    return check, Answer()


def resolve_burst(content: Content, check: Check, dice: Sequence[RolledDie]) -> Answer:
    """Return which bullets hit, once all have been thrown for."""
    given, worked = check.given, check.given[WORKED]
    if given["mode"] == "grouped":
        rolls = [int(die.face or 0) % 10 for die in dice]
    else:
        twice = bool(given.get("twice"))
        shown = digit(dice) if twice else percent(dice)
        values = (*thrown_before(given), shown)
        again = once_more(check, values, worked["bullets"] * (2 if twice else 1))
        if again is not None:
            return again
        rolls = list(values)
        if twice:
            rolls = [
                from_digits(values[at : at + 2]) for at in range(0, len(values), 2)
            ]
    asked = {
        "mode": given["mode"],
        "chance": worked["chance"],
        "rolls": rolls,
        "mounted": worked["mounted"],
        "crit_chance": worked["crit_chance"],
    }
    answer = resolve(KEY, "burst", asked)
    weapon = str(given["weapon"])
    changes = [
        Change(str(given["attacker"]), "ap_spent", worked["cost"], -99),
        Change(weapon, "ammo", -worked["bullets"] if worked["magazine"] else 0),
        Change(weapon, "boxes", int(answer["hits"] == 0), 0, MOST_BOXES),
    ]
    result = {"kind": "burst", "rolls": rolls, **answer}
    result["steps"] = [*check.notes, *answer["steps"]]
    return Answer(
        result,
        offer=_after_burst(check, answer),
        sheet=settled(content, check, changes),
    )


def _after_burst(check: Check, answer: Mapping[str, Any]) -> Mapping[str, JSON] | None:
    given, worked = check.given, check.given[WORKED]
    if not answer["hits"]:
        return None
    hit: dict[str, JSON] = {
        "check": "damage",
        "attacker": given["attacker"],
        "dice": worked["dice"],
        "hits": answer["hits"],
    }
    if given.get("target"):
        hit["target"] = given["target"]
    return {**hit, "check": "critical"} if answer["critical"] else hit


# --- Shared ------------------------------------------------------------------------

_SHOTS: Final = ("light", "heavy", "energy", "bow")


def _armed(content: Content, args: Args) -> tuple[Character, Weapon]:
    attacker = find(content, args, "attacker", Character, "character")
    weapon = find(content, args, "weapon", Weapon)
    if weapon.owner != attacker.id:
        raise BadInput("somebody else holds this weapon", "weapon")
    return attacker, weapon


def _worked(
    content: Content, args: Args, attacker: Character, weapon: Weapon
) -> dict[str, Any]:
    """Return the chance to hit, and what the sheets say while the check is opened."""
    derived, now = derive(attacker), flow(content)
    target_ac = whole_or_none(args, "target_ac", 0, 999)
    if args.get("target"):
        target = find(content, args, "target", Character, "character")
        if target_ac is None:
            target_ac = armour_class(target, derive(target))["total"]
    asked = {
        **_weapon_part(attacker, weapon, derived),
        "distance": whole(args, "distance", 1, 9999, 1),
        "light": choice(args, "light", tuple(LIGHTS), now.light),
        "night": choice(args, "night", tuple(NIGHTS), now.night),
        "target_ac": target_ac or 0,
        "cover": whole(args, "cover", 0, 100, 0),
        "bonus": whole(args, "bonus", 0, 300, 0),
        "penalty": whole(args, "penalty", 0, 300, 0),
        "mounted": flag(args, "mounted"),
    }
    aimed = choice(args, "aimed", AIMS, "")
    if aimed:
        asked["aimed"] = aimed
    chance = resolve(KEY, "hit_chance", asked)
    hand = derived.numbers["melee_damage"] if weapon.hand_damage else 0
    return {
        "chance": chance["chance"],
        "parts": chance["parts"],
        "can_decline": chance["can_decline"],
        "steps": chance["steps"],
        "crit_chance": derived.numbers["crit_chance"],
        "critical_from": now.critical_from,
        "boxes": weapon.boxes,
        "ammo": 1 if weapon.magazine else 0,
        "magazine": weapon.magazine,
        "dice": _with_hand(weapon.damage, hand),
    }


def _weapon_part(
    attacker: Character, weapon: Weapon, derived: Derived
) -> dict[str, JSON]:
    skill = SKILL_OF.get(weapon.attack)
    lasting = derived.numbers["special"]
    asked: dict[str, JSON] = {
        "skill": attacker.heavy_skill if skill is None else derived.skills[skill],
        "attack": weapon.attack,
        "perception": derived.perception,
        "strength": lasting["st"],
        "weapon_range": weapon.range,
        "boxes": weapon.boxes,
        "stance": attacker.stance,
        "blind": bool(attacker.blind),
    }
    if weapon.min_strength:
        asked["min_strength"] = weapon.min_strength
    if "one_hander" in attacker.traits:
        asked |= {"one_hander": True, "hands": weapon.hands}
    return asked


def _with_hand(dice: str, more: int) -> str:
    """Return dice with the hand's damage added to what they show."""
    known = parse_dice(dice)
    return str(Dice(known.count, known.kind, known.plus + more))


def _cost(attacker: Character, weapon: Weapon, cost: int) -> int:
    """Return the action points of an attack, with the traits that change them."""
    action = {"do": "attack", "attack": weapon.attack, "cost": cost}
    asked = {"ap": 99, "traits": list(attacker.traits), "actions": [action]}
    return int(resolve(KEY, "ap", asked)["total"])


def _plain(args: Args) -> dict[str, JSON]:
    return {key: to_json(value) for key, value in args.items() if value != ""}
