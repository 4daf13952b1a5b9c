"""S.P.E.C.I.A.L. as the table plays it."""

from __future__ import annotations

from typing import Final

from device.games.game import Game
from device.games.own import own_commands
from device.games.special import fights, people
from device.games.special.tasks import CHECKS

_WHO: Final = ("character",)
_SHEET: Final = ("name", "side", "special", "traits")

SPECIAL: Final = Game(
    key="special",
    dice_sets=("special",),
    checks=CHECKS,
    commands={
        "add_character": (people.add_character, _SHEET),
        "change_character": (people.change_character, (*_WHO, *_SHEET)),
        "remove_character": (people.remove_character, _WHO),
        "count": (people.count, (*_WHO, "what", "change")),
        "count_weapon": (people.count_weapon, ("weapon", "what", "change")),
        "add_weapon": (people.add_weapon, (*_WHO, *people.WEAPON_FIELDS)),
        "remove_weapon": (people.remove_weapon, ("weapon",)),
        "reload": (people.reload, ("weapon",)),
        "wear": (people.wear, (*_WHO, "name", "ac", "dt", "dr", "boxes")),
        "gain_xp": (people.gain_xp, (*_WHO, "xp")),
        "raise_skill": (people.raise_skill, (*_WHO, "skill", "to")),
        "rest": (people.rest, (*_WHO, "resting_hours", "active_hours")),
        "poison_hours": (people.poison_hours, (*_WHO, "hours", "saves")),
        "addict": (people.addict, (*_WHO, "drug")),
        "withdrawal": (people.withdrawal, (*_WHO, "hours", "checks")),
        "begin_fight": (fights.begin_fight, ("fighters", "starter")),
        "next_turn": (fights.next_turn, ("defend",)),
        "end_fight": (fights.end_fight, ()),
        "act": (fights.act, (*_WHO, "actions", "override")),
        "agree": (fights.agree, ("light", "night", "critical_from", "hex_mm")),
        "show_range": (fights.show_range, (*_WHO, "weapon")),
        "show_move": (fights.show_move, (*_WHO, "terrain")),
        **own_commands(
            {"weapon": people.weapon_row, "armour": people.armour_row},
            {"weapon": people.WEAPON_FIELDS, "armour": people.ARMOUR_FIELDS},
        ),
    },
)
