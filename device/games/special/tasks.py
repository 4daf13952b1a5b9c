"""Throws against a skill or a stat: what each task asks, and what it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from device.errors import BadInput
from device.games.chain import THROWN, WORKED, once_more, thrown_before
from device.games.game import Answer, CheckKind
from device.games.given import Args, choice, flag, refuse_unknown, whole
from device.games.sheet import Change, find, settled, written
from device.games.special import attacks, harm
from device.games.special.fights import in_order, order_of
from device.games.special.sheet import (
    HITS_PER_BOX,
    KEY,
    MOST_BOXES,
    STATS,
    Character,
    Derived,
    Weapon,
    derive,
    flow,
)
from device.games.special.throws import (
    ONE_TEN,
    PERCENT,
    digit,
    from_digits,
    parse_dice,
    percent,
    ten,
)
from device.rules.fields import Number
from device.rules.resolve import resolve
from device.table.codec import JSON, freeze, to_json
from device.table.state import Check, Content, RolledDie, Want

TASK_FIELDS: Final = (
    "check",
    "task",
    "character",
    "skill",
    "stat",
    "modifier",
    "target",
    "weapon",
    "light",
    "sneaking",
    "in_combat",
    "antirad",
    "strength",
    "weapon_kg",
    "twice",
    THROWN,
)

Asked = tuple[str, dict[str, JSON], int]
"""Kind of the rules' question, its fields without the roll, and what to reach."""


@dataclass(frozen=True, slots=True)
class Task:
    """A throw against a number.

    Attributes:
        asks: Makes the rules' question from who tries.
        changes: What the answer does to counters.
        roll: Name of the roll in the question.
    """

    asks: Callable[[Content, Args, Character, Derived], Asked]
    changes: Callable[[Mapping[str, JSON], Mapping[str, Any]], list[Change]] = (
        lambda given, answer: []
    )
    roll: str = "roll"


def _plain_check(
    content: Content, args: Args, who: Character, derived: Derived
) -> Asked:
    modifier = whole(args, "modifier", -300, 300, 0)
    if args.get("stat"):
        stat = choice(args, "stat", STATS)
        now = dict(derived.numbers["special"])
        now |= {"ag": derived.agility, "pe": derived.perception}
        value, die = now[stat], 10
    else:
        value, die = derived.skills[choice(args, "skill", tuple(derived.skills))], 100
    asked = {"value": value, "die": die, "modifier": modifier}
    return "check", asked, value + modifier


def _with_skill(kind: str, skill: str, **fixed: JSON) -> Callable[..., Asked]:
    def asks(content: Content, args: Args, who: Character, derived: Derived) -> Asked:
        modifier = whole(args, "modifier", -300, 300, 0)
        value = derived.skills[skill]
        more = {}
        if kind == "stealth":
            more = {"sneaking": flag(args, "sneaking")}
        asked = {"skill": value, "modifier": modifier, **fixed, **more}
        return kind, asked, value + modifier + 40 * bool(more.get("sneaking"))

    return asks


def _sneak(content: Content, args: Args, who: Character, derived: Derived) -> Asked:
    kind, asked, _ = _with_skill("stealth", "stealth", action="sneak")(
        content, args, who, derived
    )
    return kind, asked, int(asked["skill"]) + int(asked["modifier"])


def _detect(content: Content, args: Args, who: Character, derived: Derived) -> Asked:
    light = choice(args, "light", ("normal", "shadow", "dark"), "normal")
    asked: dict[str, JSON] = {
        "action": "detect",
        "perception": derived.perception,
        "light": light,
    }
    factor = {"normal": 8, "shadow": 5, "dark": 2}[light]
    return "stealth", asked, factor * derived.perception


def _trap(stage: str) -> Callable[..., Asked]:
    def asks(content: Content, args: Args, who: Character, derived: Derived) -> Asked:
        die = 100 if stage in ("disarm", "set") else 10
        stat = derived.perception if stage == "detect" else derived.agility
        value = derived.skills["repair"] if die == 100 else stat
        return "trap", {"stage": stage, "value": value, "die": die}, value

    return asks


def _encounter(content: Content, args: Args, who: Character, derived: Derived) -> Asked:
    survival = derived.skills["survival"]
    asked = {"topic": "encounter", "perception": derived.perception}
    return "travel", {**asked, "survival": survival}, survival


def _resist(against: str) -> Callable[..., Asked]:
    def asks(content: Content, args: Args, who: Character, derived: Derived) -> Asked:
        asked: dict[str, JSON] = {
            "against": against,
            "endurance": derived.numbers["special"]["en"],
        }
        if against == "poison":
            asked |= {
                "fast_metabolism": "fast_metabolism" in who.traits,
                "recoveries": who.recoveries,
                "level": who.poison,
            }
        else:
            asked["antirad"] = flag(args, "antirad")
        shown = resolve(KEY, "resist", {**asked, "roll": 1})
        return "resist", asked, shown["resistance"]

    return asks


def _poisoned(given: Mapping[str, JSON], answer: Mapping[str, Any]) -> list[Change]:
    change = Change(str(given["character"]), "poison", int(not answer["resisted"]))
    return [change]


def _medicine(content: Content, args: Args, who: Character, derived: Derived) -> Asked:
    skill = derived.skills["medicine"]
    out = False
    if args.get("target"):
        target = find(content, args, "target", Character, "character")
        out = target.unconscious > 0
    asked: dict[str, JSON] = {
        "method": "medicine",
        "skill": skill,
        "uses_today": who.medicine_today,
        "in_combat": flag(args, "in_combat"),
        "target_unconscious": out,
        # how much it heals is thrown only after a success
        "heal_die": 1,
    }
    return "healing", asked, skill


def _treated(given: Mapping[str, JSON], answer: Mapping[str, Any]) -> list[Change]:
    changes = []
    if answer["allowed"]:
        changes.append(Change(str(given["character"]), "medicine_today", 1))
    if answer["success"] and given.get("in_combat") and given.get("target"):
        changes.append(Change(str(given["target"]), "hurt", -1, 0))
    return changes


def _repair_weapon(
    content: Content, args: Args, who: Character, derived: Derived
) -> Asked:
    weapon = find(content, args, "weapon", Weapon)
    skill = derived.skills["repair"]
    asked = {"item": "weapon", "action": "repair", "boxes": weapon.boxes}
    return "condition", {**asked, "repair_skill": skill}, skill


def _mended_weapon(
    given: Mapping[str, JSON], answer: Mapping[str, Any]
) -> list[Change]:
    return [Change(str(given["weapon"]), "boxes", -answer["cleared"], 0, MOST_BOXES)]


def _repair_armour(
    content: Content, args: Args, who: Character, derived: Derived
) -> Asked:
    owner = find(content, args, "target", Character, "character")
    skill = derived.skills["repair"]
    asked = {"item": "armour", "action": "repair", "boxes": owner.armour_boxes}
    return "condition", {**asked, "repair_skill": skill}, skill


def _mended_armour(
    given: Mapping[str, JSON], answer: Mapping[str, Any]
) -> list[Change]:
    hits = HITS_PER_BOX * answer["cleared"]
    return [Change(str(given["target"]), "armour_hits", -hits)]


def _drug(content: Content, args: Args, who: Character, derived: Derived) -> Asked:
    strength = whole(args, "strength", 0, 100)
    modifier = whole(args, "modifier", -100, 100, 0)
    asked = {"stage": "take", "strength": strength, "modifier": modifier}
    return "addiction", asked, strength + modifier


def _knockdown(content: Content, args: Args, who: Character, derived: Derived) -> Asked:
    kilos = Number(0).read(args.get("weapon_kg"), "weapon_kg")
    asked = {"hazard": "knockdown", "weapon_kg": args["weapon_kg"]}
    return "hazard", asked, 3 * kilos // 1


def _knocked(given: Mapping[str, JSON], answer: Mapping[str, Any]) -> list[Change]:
    return [Change(str(given["character"]), "down", int(answer["down"]), 0, 1)]


def _repair_machine(
    content: Content, args: Args, who: Character, derived: Derived
) -> Asked:
    skill = derived.skills["repair"]
    asked = {"item": "machine", "action": "repair", "repair_skill": skill}
    # how much it restores is thrown only after a success
    return "condition", {**asked, "dice": [1, 1, 1]}, skill


TASKS: Final[Mapping[str, Task]] = {
    "check": Task(_plain_check),
    "lockpick": Task(_with_skill("lockpick", "lockpick")),
    "sneak": Task(_sneak),
    "steal": Task(_with_skill("stealth", "stealth", action="steal")),
    "detect": Task(_detect),
    "encounter": Task(_encounter),
    "trap_detect": Task(_trap("detect")),
    "trap_disarm": Task(_trap("disarm")),
    "trap_set": Task(_trap("set")),
    "trap_avoid": Task(_trap("avoid")),
    "poison": Task(_resist("poison"), _poisoned),
    "radiation": Task(_resist("radiation")),
    "medicine": Task(_medicine, _treated),
    "repair_weapon": Task(_repair_weapon, _mended_weapon, "repair_roll"),
    "repair_armour": Task(_repair_armour, _mended_armour, "repair_roll"),
    "repair_machine": Task(_repair_machine, roll="repair_roll"),
    "knockdown": Task(_knockdown, _knocked),
    "drug": Task(_drug),
}
"""By name, in the order in which the page offers them."""


def open_task(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Open a throw against a skill or a stat."""
    refuse_unknown(args, TASK_FIELDS)
    name = choice(args, "task", tuple(TASKS), "check")
    who = find(content, args, "character", Character)
    kind, asked, target = TASKS[name].asks(content, args, who, derive(who))
    if name == "medicine" and who.medicine_today >= 4:
        raise BadInput("medicine has been used four times in these 24 hours", "task")
    die = asked.get("die", 100)
    twice = flag(args, "twice") and die == 100
    thrown_before(args)
    worked = {"kind": kind, "asked": asked, "die": die, "twice": twice}
    wants = ONE_TEN if die == 10 or twice else PERCENT
    given = freeze({**_plain(args), "task": name, WORKED: worked})
    return Check(check_id, "task", given, wants, rating=target), Answer()


def resolve_task(content: Content, check: Check, dice: Sequence[RolledDie]) -> Answer:
    """Return success or failure, and what it changes."""
    given, worked = check.given, check.given[WORKED]
    if worked["twice"]:
        digits = (*thrown_before(given), digit(dice))
        again = once_more(check, digits, 2)
        if again is not None:
            return again
        roll = from_digits(digits)
    else:
        roll = ten(dice) if worked["die"] == 10 else percent(dice)
    task = TASKS[str(given["task"])]
    asked = {**to_json(worked["asked"]), task.roll: roll}
    answer = resolve(KEY, worked["kind"], asked)
    offer: dict[str, JSON] | None = None
    if given["task"] == "medicine":
        if answer["success"] and not given.get("in_combat"):
            offer = {"check": "heal", "target": given.get("target", given["character"])}
        answer["hp"] = None if offer else answer["hp"]
        answer["steps"] = []
    if given["task"] == "repair_machine" and answer["success"]:
        offer = {"check": "roll", "dice": "3d10"}
        answer |= {"hp_restored": None, "steps": []}
    return Answer(
        {"kind": "task", "task": given["task"], "roll": roll, **answer},
        offer=offer,
        sheet=settled(content, check, task.changes(given, answer)),
    )


def _open_heal(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Open the throw of 1d10 hit points after medicine (X10)."""
    refuse_unknown(args, ("check", "target"))
    find(content, args, "target", Character, "character")
    return Check(check_id, "heal", freeze(_plain(args)), ONE_TEN), Answer()


def _resolve_heal(content: Content, check: Check, dice: Sequence[RolledDie]) -> Answer:
    hp = ten(dice)
    change = Change(str(check.given["target"]), "hurt", -hp)
    result = {"kind": "heal", "hp": hp, "steps": []}
    return Answer(result, sheet=settled(content, check, [change]))


def _open_tie(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Open the throw of 1d10 for one of those whose order is equal (B2)."""
    refuse_unknown(args, ("check", "character"))
    who = find(content, args, "character", Character)
    if who.id not in order_of(content, flow(content))["needs_roll"]:
        raise BadInput("this character's place is settled", "character")
    return Check(check_id, "tie", freeze(_plain(args)), ONE_TEN), Answer()


def _resolve_tie(content: Content, check: Check, dice: Sequence[RolledDie]) -> Answer:
    now = flow(content)
    roll = ten(dice)
    ties = dict(now.ties) | {str(check.given["character"]): roll}
    now = replace(now, ties=ties)
    answer = order_of(content, now)
    left = answer["needs_roll"]
    lacking = [key for key in left if key not in ties]
    if left and not lacking:  # equal again: all of them throw anew
        ties = {key: roll for key, roll in ties.items() if key not in left}
        lacking = list(left)
    now = in_order(replace(now, ties=ties), answer)
    offer = {"check": "tie", "character": lacking[0]} if lacking else None
    result = {"kind": "tie", "roll": roll, "left": len(left), "steps": answer["steps"]}
    return Answer(result, offer=offer, sheet={"set": written(now), "drop": []})


def _open_roll(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Open a throw of any dice, for what has no rule here."""
    refuse_unknown(args, ("check", "dice"))
    dice = parse_dice(args.get("dice"))
    given = freeze({"check": "roll", "dice": str(dice)})
    return Check(check_id, "roll", given, (Want(dice.kind, dice.count),)), Answer()


def _resolve_roll(content: Content, check: Check, dice: Sequence[RolledDie]) -> Answer:
    total = parse_dice(check.given["dice"]).total(dice)
    return Answer({"kind": "roll", "total": total, "steps": []})


def _plain(args: Args) -> dict[str, JSON]:
    return {key: to_json(value) for key, value in args.items() if value != ""}


CHECKS: Final[Mapping[str, CheckKind]] = {
    "attack": CheckKind(attacks.open_attack, attacks.resolve_attack),
    "burst": CheckKind(attacks.open_burst, attacks.resolve_burst),
    "damage": CheckKind(harm.open_damage, harm.resolve_damage),
    "task": CheckKind(open_task, resolve_task),
    "fire": CheckKind(harm.open_fire, harm.resolve_fire),
    "roll": CheckKind(_open_roll, _resolve_roll),
    "critical": CheckKind(harm.open_critical, harm.resolve_critical),
    "stun": CheckKind(harm.open_stun, harm.resolve_stun),
    "fumble": CheckKind(harm.open_fumble, harm.resolve_fumble),
    "heal": CheckKind(_open_heal, _resolve_heal),
    "tie": CheckKind(_open_tie, _resolve_tie),
}
"""Every kind of check; the page offers the first ones, the others follow from them."""
