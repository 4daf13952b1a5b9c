"""Words of S.P.E.C.I.A.L.; the Russian ones are those of its text and glossary."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from web.language import marked as N_

Words = Mapping[str, str]

STATS: Final[Words] = MappingProxyType(
    {
        "st": N_("Strength"),
        "pe": N_("Perception"),
        "en": N_("Endurance"),
        "ch": N_("Charisma"),
        "in": N_("Intellect"),
        "ag": N_("Agility"),
        "lk": N_("Luck"),
    }
)

GROUPS: Final[Words] = MappingProxyType({"a": N_("Party"), "b": N_("Opponents")})
"""Whom a character belongs to, by its side: the game master plays the second."""

SKILLS: Final[Words] = MappingProxyType(
    {
        "energy": N_("energy weapons"),
        "firearms": N_("firearms"),
        "archery": N_("archery"),
        "cold": N_("cold weapons"),
        "unarmed": N_("unarmed combat"),
        "throwing": N_("throwing"),
        "lockpick": N_("lockpicking"),
        "medicine": N_("medicine"),
        "repair": N_("repair"),
        "science": N_("science"),
        "stealth": N_("stealth"),
        "performance": N_("performance"),
        "trade": N_("trade"),
        "survival": N_("survival"),
        "animals": N_("handling animals"),
        "riding": N_("riding"),
        "driving": N_("driving"),
    }
)

TRAITS: Final[Words] = MappingProxyType(
    {
        "fast_metabolism": N_("fast metabolism"),
        "bruiser": N_("bruiser"),
        "small_frame": N_("small frame"),
        "one_hander": N_("one-hander"),
        "finesse": N_("finesse"),
        "kamikaze": N_("kamikaze"),
        "heavy_handed": N_("heavy-handed"),
        "fast_shot": N_("fast shot"),
        "jinxed": N_("jinxed"),
        "heavy_throw": N_("heavy throw"),
        "night_person": N_("night person"),
        "gifted": N_("gifted"),
        "sex_appeal": N_("sex appeal"),
        "technomage": N_("technomage"),
    }
)

ATTACKS: Final[Words] = MappingProxyType(
    {
        "light": N_("light weapon"),
        "heavy": N_("heavy weapon"),
        "energy": N_("energy weapon"),
        "bow": N_("bow"),
        "thrown": N_("thrown weapon"),
        "cold": N_("cold weapon"),
        "unarmed": N_("bare hands"),
    }
)

AREAS: Final[Words] = MappingProxyType(
    {
        "torso": N_("torso"),
        "left_leg": N_("left leg"),
        "right_leg": N_("right leg"),
        "left_arm": N_("left arm"),
        "right_arm": N_("right arm"),
        "groin": N_("groin"),
        "head": N_("head"),
        "eyes": N_("eyes"),
    }
)

LIGHTS: Final[Words] = MappingProxyType(
    {
        "clear": N_("sunny or well lit"),
        "few_clouds": N_("small clouds (−5)"),
        "clouds": N_("clouds (−10)"),
        "overcast": N_("overcast (−15)"),
        "indoor_medium": N_("fairly lit room (−20)"),
        "drizzle": N_("drizzle or dust (−30)"),
        "rain": N_("rain (−40)"),
        "indoor_poor": N_("poorly lit room (−50)"),
        "heavy_rain": N_("heavy rain (−60)"),
        "downpour": N_("downpour, sandstorm (−80)"),
        "storm": N_("storm (−150)"),
        "dark_cave": N_("pitch dark (−200)"),
    }
)

NIGHTS: Final[Words] = MappingProxyType(
    {
        "none": N_("no night"),
        "full_moon": N_("full moon (−10)"),
        "half_moon": N_("half moon (−20)"),
        "new_moon": N_("new moon (−40)"),
    }
)

TERRAINS: Final[Words] = MappingProxyType(
    {
        "dry": N_("dry and flat"),
        "rough": N_("rough or wet"),
        "mud": N_("hummocks or mud"),
        "loose": N_("loose stones"),
        "water": N_("water"),
    }
)

STANCES: Final[Words] = MappingProxyType(
    {
        "standing": N_("standing"),
        "crouching": N_("crouching"),
        "prone": N_("crawling"),
    }
)

TASKS: Final[Words] = MappingProxyType(
    {
        "check": N_("skill or stat"),
        "lockpick": N_("picking a lock"),
        "sneak": N_("sneaking"),
        "steal": N_("stealing"),
        "detect": N_("noticing a sneaker"),
        "encounter": N_("an encounter on the way"),
        "trap_detect": N_("noticing a trap"),
        "trap_disarm": N_("disarming a trap"),
        "trap_set": N_("setting a trap"),
        "trap_avoid": N_("avoiding a trap"),
        "poison": N_("resisting poison"),
        "radiation": N_("resisting radiation"),
        "medicine": N_("treating wounds"),
        "repair_weapon": N_("repairing a weapon"),
        "repair_armour": N_("repairing armour"),
        "repair_machine": N_("repairing a machine"),
        "knockdown": N_("hit by a cold weapon: staying on the feet"),
        "drug": N_("addiction to a drug"),
    }
)

DARKNESS: Final[Words] = MappingProxyType(
    {
        "normal": N_("in the light"),
        "shadow": N_("in shadow"),
        "dark": N_("in full darkness"),
    }
)

COUNTERS: Final[Words] = MappingProxyType(
    {
        "hurt": N_("hit points lost"),
        "ap_spent": N_("action points spent"),
        "poison": N_("poison level"),
        "recoveries": N_("poisonings overcome"),
        "radiation": N_("radiation"),
        "broken_arms": N_("broken arms"),
        "broken_legs": N_("broken legs"),
        "blind": N_("blind"),
        "down": N_("knocked down"),
        "unconscious": N_("rounds unconscious"),
        "dead": N_("dead"),
        "armour_hits": N_("damaging hits on the armour"),
        "medicine_today": N_("uses of medicine today"),
        "points_extra": N_("extra skill points"),
        "money": N_("money"),
        "heavy_skill": N_("skill with heavy weapons"),
        "clean_hours": N_("hours without the drug"),
        "ammo": N_("rounds in the magazine"),
        "boxes": N_("boxes of condition"),
    }
)

AGREED: Final[Words] = MappingProxyType(
    {
        "light": N_("light"),
        "night": N_("night-time"),
        "critical_from": N_("failures are critical from"),
        "hex_mm": N_("length of a hex, mm"),
    }
)

OUTCOMES: Final[Words] = MappingProxyType(
    {
        "critical_hit": N_("Critical hit"),
        "hit": N_("Hit"),
        "miss": N_("Miss"),
        "critical_failure": N_("Critical failure"),
    }
)

OPEN: Final[Words] = MappingProxyType(
    {
        "archery": N_("archery by Charisma"),
        "head": N_("critical hits to the head"),
        "resistances": N_("resistances in percent"),
        "strength_step": N_("lack of Strength"),
        "small_frame": TRAITS["small_frame"],
        "bruiser": TRAITS["bruiser"],
        "gifted": TRAITS["gifted"],
    }
)
"""Places where the text is unclear and has no number."""

STEPS: Final[Words] = MappingProxyType({**OPEN, **TRAITS})

REASONS: Final[Words] = MappingProxyType(
    {
        "points_short": N_("Not enough skill points."),
        "no_order": N_("No fight is going on, or its order is not set yet."),
        "no_own_tables": N_("No tables of another night are kept."),
        "ap_two_broken_legs": N_("With two broken legs one hex a round is left."),
        "ap_fast_shot_no_aim": N_("A fast shot is never aimed."),
        "ap_not_enough_ap": N_("Not enough action points."),
    }
)

FIELDS: Final[Words] = MappingProxyType(
    {
        "character": N_("character"),
        "attacker": N_("attacker"),
        "special": N_("stats"),
        **{key: STATS[key] for key in STATS},
        "traits": N_("traits"),
        "aimed": N_("aim"),
        "bullets": N_("bullets"),
        "hits": N_("hits"),
        "dice": N_("dice"),
        "dr": N_("damage resistance"),
        "dt": N_("damage threshold"),
        "ap": N_("action points"),
        "skill": N_("skill"),
        "to": N_("new value"),
        "task": N_("task"),
        "distance": N_("distance"),
        "hours": N_("hours"),
        "checks": N_("Endurance rolls"),
        "tables": N_("own tables"),
        "format": N_("format of the file"),
        "weapon_kg": N_("weight of the weapon"),
        "magazine": N_("magazine"),
        "xp": N_("experience"),
        "hexes": N_("hexes"),
        "fighters": N_("who fights"),
        "starter": N_("who starts"),
    }
)
