"""The forms of a skill check and an armour check, as arguments of `open_check`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from device.errors import BadInput
from device.rules.dice import EFFECT_COLOURS
from web.act import ticked, whole
from web.language import marked as N_

RANGED: Final = ("shoot", "throw")
TICKS: Final = {
    "specialisation": ("none", "shoot", "throw", "melee"),
    "quick_action": ("none", "shoot", "throw", "melee"),
    "injured_arm": ("none", "shoot", "throw", "melee"),
    "frozen": ("none", "shoot", "throw", "melee"),
    "into_melee": RANGED,
    "ranged_weapon_in_melee": ("melee",),
    "target_stunned": ("melee",),
}
"""Yes-or-no modifiers, and the attacks with which each may be given."""

TICK_WORDS: Final = {
    "specialisation": N_("Speciality (+2)"),
    "quick_action": N_("Quick action (−2)"),
    "injured_arm": N_("Injured arm (−2)"),
    "frozen": N_("Frozen (−2)"),
    "into_melee": N_("Shooting into a fight (+2)"),
    "ranged_weapon_in_melee": N_("Ranged weapon in close combat (−2)"),
    "target_stunned": N_("Target stunned (+2)"),
}

ATTACKS: Final = ("none", "shoot", "throw", "melee")
DAMAGE_TYPES: Final = ("physical", "energy", "radiation")
ARMOUR_NUMBERS: Final = (
    "amount",
    "rating",
    "sturdy",
    "penetration",
    "boost_icons",
    "ignore_armour",
)


def armour_args(form: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments of an armour check.

    Raises:
        BadInput: A number that is none.
    """
    args: dict[str, Any] = {"check": "armour_check"}
    args |= {name: whole(name, 0) for name in ARMOUR_NUMBERS}
    if form.get("type"):
        args["type"] = form["type"]  # the rules refuse an unknown one
    return args | {"cover": int(ticked("cover"))}


def skill_args(form: Mapping[str, str]) -> dict[str, Any]:
    """Return the arguments of a skill check.

    Modifiers that do not go with the chosen kind of attack are left out: the form
    hides them, but keeps what was ticked before.

    Raises:
        BadInput: An unknown attack, or a number that is none.
    """
    attack = form.get("attack", "none")
    if attack not in ATTACKS:
        raise BadInput(N_("Please choose a kind of attack."), "attack")
    args: dict[str, Any] = {
        "check": "skill_check",
        "rating": whole("rating"),
        "dice": {
            colour: count
            for colour in EFFECT_COLOURS
            if (count := whole(f"dice_{colour}", 0))
        },
    }
    if bonus := whole("bonus", 0):
        args["bonus"] = bonus
    if attack != "none":
        args["attack"] = attack
    if attack in RANGED and (cover := whole("cover", 0)):
        args["cover"] = cover
    for name, attacks in TICKS.items():
        if attack in attacks and ticked(name):
            args[name] = True
    if attack != "none" and (damage := whole("weapon_damage", 0)):
        args["weapon"] = {
            "damage": damage,
            "type": form.get("weapon_type", DAMAGE_TYPES[0]),
        }
    return args
