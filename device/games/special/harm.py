"""Throws after a hit: damage through armour, critical hits and failures, fire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from device.errors import BadInput
from device.games.chain import THROWN, WORKED, once_more, thrown_before
from device.games.game import Answer
from device.games.given import Args, choice, flag, refuse_unknown, whole, whole_or_none
from device.games.sheet import Change, entity, find, settled
from device.games.special.sheet import KEY, MOST_BOXES, Character, Weapon, derive
from device.games.special.throws import MOST_HITS, ONE_TEN, parse_dice, ten
from device.rules.resolve import resolve
from device.rules.special.charts import AREA_OF
from device.table.codec import JSON, freeze, to_json
from device.table.state import Check, Content, RolledDie, Want

DAMAGE_FIELDS: Final = (
    "check",
    "dice",
    "hits",
    "attacker",
    "target",
    "dt",
    "dr",
    "armour_boxes",
    "ignore_armour",
    "finesse",
    "percent",
    "stage",
    "grouped",
    "flat",
    THROWN,
)
STAGES: Final = ("before", "after")
WHOLE: Final = 100


def open_damage(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Open a damage throw: dice for each hit, against the armour of the target."""
    refuse_unknown(args, DAMAGE_FIELDS)
    dice = parse_dice(args.get("dice"))
    hits, grouped = whole(args, "hits", 1, MOST_HITS, 1), flag(args, "grouped")
    worked = _armour(content, args)
    worked |= {
        "percent": whole(args, "percent", 1, 1000, WHOLE),
        "stage": choice(args, "stage", STAGES, "before"),
        "throws": 1 if grouped or dice.count == 1 else hits,
    }
    if args.get("attacker"):
        attacker = find(content, args, "attacker", Character, "character")
        worked["finesse"] |= "finesse" in attacker.traits
    thrown_before(args)
    one_throw = dice.count == 1 and not grouped
    check = Check(
        id=check_id,
        kind="damage",
        given=freeze({**_plain(args), WORKED: worked}),
        wants=(Want(dice.kind, hits if one_throw else dice.count),),
    )
    return check, Answer()


def _armour(content: Content, args: Args) -> dict[str, JSON]:
    """Return what stands between the hit and the target."""
    worn = Character("", "")
    if args.get("target"):
        worn = find(content, args, "target", Character, "character")
    given = {
        "dt": whole_or_none(args, "dt", 0, 999),
        "dr": whole_or_none(args, "dr", 0, 100),
        "armour_boxes": whole_or_none(args, "armour_boxes", 0, MOST_BOXES),
    }
    known = {
        "dt": worn.armour_dt,
        "dr": worn.armour_dr,
        "armour_boxes": worn.armour_boxes,
    }
    armour: dict[str, JSON] = {
        name: known[name] if value is None else value for name, value in given.items()
    }
    armour["ignore_armour"] = flag(args, "ignore_armour")
    armour["finesse"] = flag(args, "finesse")
    return armour


def resolve_damage(content: Content, check: Check, dice: Sequence[RolledDie]) -> Answer:
    """Return the damage that got through; the target loses it, its armour wears."""
    given, worked = check.given, check.given[WORKED]
    known = parse_dice(given["dice"])
    grouped = bool(given.get("grouped"))
    if known.count == 1 and not grouped:
        rolls = [known.total([die]) for die in dice]
    else:
        values = (*thrown_before(given), known.total(dice))
        again = once_more(check, values, worked["throws"])
        if again is not None:
            return again
        rolls = list(values)
    asked = {
        "rolls": rolls,
        "multiplier": Fraction(worked["percent"], WHOLE),
        "multiplier_stage": worked["stage"],
    }
    for name in ("dt", "dr", "armour_boxes", "ignore_armour", "finesse"):
        asked[name] = worked[name]
    if grouped and int(given.get("hits", 1)) > 1:
        asked["grouped_hits"] = given["hits"]
    answer = resolve(KEY, "damage", asked)
    changes = []
    if given.get("target"):
        target = str(given["target"])
        felt = sum(one > 0 for one in answer["per_hit"])
        changes = [
            Change(target, "hurt", answer["total"], -999),
            Change(target, "armour_hits", felt, 0, 5 * MOST_BOXES),
        ]
    result = {"kind": "damage", "rolls": rolls, **answer, "left": None}
    if given.get("target"):
        result["left"] = _left(content, check, answer["total"])
    return Answer(result, sheet=settled(content, check, changes))


def _left(content: Content, check: Check, total: int) -> int | None:
    """Return the target's hit points after a hit."""
    target = entity(content, str(check.given["target"]), Character)
    if target is None:
        return None
    note = content.sheet.get(f"done:{check.id}", {}).get("by", ())
    before = sum(
        int(by) for key, what, by in note if (key, what) == (target.id, "hurt")
    )
    return derive(target).hp_left + before - total


# --- Critical hits -----------------------------------------------------------------


def open_critical(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Open a critical hit: 1d10, or what the aim decides without a throw."""
    refuse_unknown(args, (*DAMAGE_FIELDS, "aimed", "rounds"))
    aimed = choice(args, "aimed", ("", *AREA_OF), "")
    if args.get("target"):
        find(content, args, "target", Character, "character")
    heavy = False
    if args.get("attacker"):
        attacker = find(content, args, "attacker", Character, "character")
        heavy = "heavy_handed" in attacker.traits
    check = Check(
        id=check_id,
        kind="critical",
        given=freeze({**_plain(args), WORKED: {"heavy_handed": heavy}}),
        wants=() if aimed else ONE_TEN,
        status="resolved" if aimed else "waiting",
    )
    return check, resolve_critical(content, check, ()) if aimed else Answer()


def resolve_critical(
    content: Content, check: Check, dice: Sequence[RolledDie]
) -> Answer:
    """Return what a critical hit does, and the damage throw with its factor."""
    given = check.given
    asked: dict[str, JSON] = {"heavy_handed": given[WORKED]["heavy_handed"]}
    if dice:
        asked["roll"] = ten(dice)
    else:
        asked["aimed"] = given["aimed"]
    answer = resolve(KEY, "critical", asked)
    changes = []
    if given.get("target"):
        changes = _struck(str(given["target"]), answer)
    offer: dict[str, JSON] | None = None
    if given.get("dice"):
        offer = {key: to_json(given[key]) for key in DAMAGE_FIELDS if key in given}
        offer |= {"check": "damage", "percent": answer["damage_percent"]}
        if answer["ignore_armour"]:
            offer["ignore_armour"] = True
        if answer["unconscious"]:
            offer = {**offer, "check": "stun"}
    return Answer(
        {"kind": "critical", **answer},
        offer=offer,
        sheet=settled(content, check, changes),
    )


def _struck(target: str, answer: Mapping[str, Any]) -> list[Change]:
    flags = {"blind": answer["blind"], "down": answer["down"], "dead": answer["dead"]}
    changes = [Change(target, name, 1, 0, 1) for name, on in flags.items() if on]
    limb = answer["limb"]
    if limb is not None:
        changes.append(Change(target, f"broken_{limb}s", 1, 0, 2))
    return changes


def open_stun(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Open the throw of 1d4 for how many rounds somebody is unconscious."""
    refuse_unknown(args, DAMAGE_FIELDS)
    find(content, args, "target", Character, "character")
    given = freeze(_plain(args))
    return Check(check_id, "stun", given, (Want("d4", 1),)), Answer()


def resolve_stun(content: Content, check: Check, dice: Sequence[RolledDie]) -> Answer:
    """Return the rounds, and the damage throw that follows."""
    rounds = int(dice[0].face or 0)
    change = Change(str(check.given["target"]), "unconscious", rounds)
    offer = None
    if check.given.get("dice"):
        offer = {**to_json(check.given), "check": "damage"}
    return Answer(
        {"kind": "stun", "rounds": rounds, "steps": []},
        offer=offer,
        sheet=settled(content, check, [change]),
    )


# --- Critical failures and fire ----------------------------------------------------


def open_fumble(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Open the throw of 1d10 after a critical failure."""
    refuse_unknown(args, ("check", "attacker", "weapon", "damage"))
    attacker = find(content, args, "attacker", Character, "character")
    weapon = find(content, args, "weapon", Weapon) if args.get("weapon") else None
    if weapon is not None and weapon.owner != attacker.id:
        raise BadInput("somebody else holds this weapon", "weapon")
    damage = whole_or_none(args, "damage", 0, 999)
    worked = {
        "ap_left": max(0, derive(attacker).ap_left),
        "boxes": weapon.boxes if weapon else 0,
        "ammo": weapon.ammo if weapon else 0,
        "damage": damage,
    }
    given = freeze({**_plain(args), WORKED: worked})
    return Check(check_id, "fumble", given, ONE_TEN), Answer()


def resolve_fumble(content: Content, check: Check, dice: Sequence[RolledDie]) -> Answer:
    """Return what a critical failure does to attacker and weapon."""
    given, worked = check.given, check.given[WORKED]
    asked = {"roll": ten(dice)}
    if worked["damage"] is not None:
        asked["damage"] = worked["damage"]
    answer = resolve(KEY, "fumble", asked)
    attacker, weapon = str(given["attacker"]), str(given.get("weapon", ""))
    changes = []
    if answer["ap_lost"] or answer["turns_lost"]:
        changes.append(Change(attacker, "ap_spent", worked["ap_left"], -99))
    if answer["down"]:
        changes.append(Change(attacker, "down", 1, 0, 1))
    if answer["self_damage"]:
        changes.append(Change(attacker, "hurt", answer["self_damage"], -999))
    if answer["effect"] == "weapon_destroyed" and weapon:
        changes.append(Change(weapon, "boxes", MOST_BOXES, 0, MOST_BOXES))
    if answer["effect"] == "ammo" and weapon:
        changes.append(Change(weapon, "ammo", -worked["ammo"]))
    result = {"kind": "fumble", **answer}
    return Answer(result, sheet=settled(content, check, changes))


def open_fire(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Open the throw for fire or acid: 1d6 a round (X1)."""
    refuse_unknown(args, ("check", "target", "rounds", "extinguish"))
    find(content, args, "target", Character, "character")
    rounds = whole(args, "rounds", 1, 12, 1)
    flag(args, "extinguish")
    given = freeze(_plain(args))
    return Check(check_id, "fire", given, (Want("d6", rounds),)), Answer()


def resolve_fire(content: Content, check: Check, dice: Sequence[RolledDie]) -> Answer:
    """Return the damage of fire or acid."""
    asked = {
        "hazard": "fire",
        "dice": [int(die.face or 0) for die in dice],
        "extinguish": bool(check.given.get("extinguish")),
    }
    answer = resolve(KEY, "hazard", asked)
    change = Change(str(check.given["target"]), "hurt", answer["damage"], -999)
    result = {"kind": "fire", **answer, "total": answer["damage"]}
    return Answer(result, sheet=settled(content, check, [change]))


def _plain(args: Args) -> dict[str, JSON]:
    return {key: to_json(value) for key, value in args.items() if value != ""}
