"""The words for keys of the table and the rules: English, marked for translation.

Russian words are the rulebook's own (glossary of the rules).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from device.rules.dice import BLANK, EFFECT_ICONS
from web.games import words as more
from web.language import gettext, ngettext
from web.language import marked as N_


def _words(words: dict[str, str]) -> Mapping[str, str]:
    return MappingProxyType(words)


DICE: Final = _words(
    {
        "skill": N_("skill die"),
        "armour": N_("armour die"),
        "black": N_("damage die (black)"),
        "yellow": N_("penetration die (yellow)"),
        "green": N_("accuracy die (green)"),
        "blue": N_("special effect die (blue)"),
        "luck": N_("luck token"),
        "d4": N_("four-sided die"),
        "d6": N_("six-sided die"),
        "d8": N_("eight-sided die"),
        "d10": N_("ten-sided die"),
        "d%": N_("percentile die"),
        "d12": N_("twelve-sided die"),
        "d20": N_("twenty-sided die"),
        "coin": N_("token"),
        **more.DICE,
    }
)
"""Names of dice in the sets, and the kinds of untaught dice."""

ICONS: Final = _words(
    {
        "dmg": N_("extra damage"),
        "pen": N_("penetration"),
        "acc": N_("accuracy"),
        "acc1": N_("accuracy −1"),
        "acc2": N_("accuracy −2"),
        "acc3": N_("accuracy −3"),
        "bottle": N_("bottle"),
        "star": N_("star"),
        "burst": N_("burst"),
        "ap": N_("action point"),
        "crit": N_("critical point"),
        "x": N_("fail (X)"),
        "luck": N_("clover"),
    }
)

FACES: Final = _words(
    {
        "ap": N_("1 with an action point"),
        "crit": N_("1 with a critical point"),
        "x": N_("X, a failure"),
        "x_ap": N_("X with an action point"),
        "luck": N_("clover"),
        BLANK: N_("blank"),
        **more.FACES,
    }
)
"""Faces that are neither a number nor icons joined by ``+``."""

COLOURS: Final = _words(
    {
        "orange": N_("orange"),
        "yellow": N_("yellow"),
        "red": N_("red"),
        "green": N_("green"),
        "blue": N_("blue"),
        "black": N_("black"),
        "white": N_("white"),
        "grey": N_("grey"),
    }
)

DIE_CONTEXT: Final = "die"
"""Colours of dice; in Russian they go with another gender than rulers."""

DIE_COLOURS: Final = ("black", "yellow", "green", "blue")

DAMAGE: Final = _words(
    {
        "physical": N_("physical"),
        "energy": N_("energy"),
        "radiation": N_("radiation"),
    }
)

ATTACKS: Final = _words(
    {
        "none": N_("no attack"),
        "shoot": N_("shooting"),
        "throw": N_("throwing"),
        "melee": N_("close combat"),
    }
)

CONDITIONS: Final = _words(
    {
        "burning": N_("burning"),
        "frozen": N_("frozen"),
        "injured_arm": N_("injured arm"),
        "injured_leg": N_("injured leg"),
        "poisoned": N_("poisoned"),
        "slowed": N_("slowed"),
        "stunned": N_("stunned"),
    }
)

SKILLS: Final = _words(
    {
        "search": N_("search"),
        "computers": N_("computers"),
        "lockpick": N_("lockpick"),
        "presence": N_("presence"),
    }
)

ITEMS: Final = _words(
    {
        "stimpak": N_("stimpak"),
        "robot_repair_kit": N_("robot repair kit"),
        "antidote": N_("antidote"),
    }
)

ATTRIBUTES: Final = _words(
    {
        "str": N_("strength"),
        "per": N_("perception"),
        "end": N_("endurance"),
        "cha": N_("charisma"),
        "int": N_("intelligence"),
        "agi": N_("agility"),
        "luc": N_("luck"),
    }
)

SOURCES: Final = _words(
    {"check": N_("Dice of this check"), "over_black": N_("over black")}
)
"""Words that steps use for where something comes from."""

PHASES: Final = _words(
    {
        "empty": N_("The tray is empty."),
        "moving": N_("Dice are rolling."),
        "settling": N_("Dice are coming to rest."),
        "still": N_("The tray lies still."),
        "hand": N_("A hand is over the tray."),
        "no_camera": N_("No camera picture. You can type the faces in."),
    }
)

STATUS: Final = _words(
    {
        "ok": N_("read"),
        "unsure": N_("not sure"),
        "cocked": N_("leaning"),
    }
)

PARTS: Final = _words(
    {
        "camera": N_("Camera"),
        "strip": N_("LED ruler"),
        "panel": N_("Buttons and lamps"),
        "journal": N_("Log on disk"),
        "reader": N_("Dice reader"),
        "dice": N_("Taught dice"),
        "light": N_("Tray light"),
        "web": N_("Page"),
        "page": N_("Page"),
        "start": N_("Start-up"),
        "power": N_("Power and heat"),
    }
)

MARKS: Final = _words(
    {
        "top_left": N_("top left"),
        "top_right": N_("top right"),
        "bottom_left": N_("bottom left"),
        "bottom_right": N_("bottom right"),
    }
)

GAMES: Final = _words(
    {
        "foww": "Fallout: Wasteland Warfare",
        "stalker": "STALKER: ZONA",
        "special": "S.P.E.C.I.A.L.",
        "munchkin": "Munchkin Fallout",
    }
)
"""Names of games are not translated."""


def word(words: Mapping[str, str], key: str) -> str:
    """Return the translated word of a key; a key without a word stands for itself."""
    return gettext(words[key]) if key in words else key


def band_words(name: str) -> str:
    """Return a band's name: a colour, or how far it reaches (``6in``, ``8hex``)."""
    count, unit = name.rstrip("inchex"), name.lstrip("0123456789")
    if count.isdecimal() and unit == "in":
        return ngettext("%(num)d inch", "%(num)d inches", int(count)) % {
            "num": int(count)
        }
    if count.isdecimal() and unit == "hex":
        return ngettext("%(num)d hex", "%(num)d hexes", int(count)) % {
            "num": int(count)
        }
    return word(COLOURS, name)


def face_words(key: str | None) -> str:
    """Return a face in words: ``7``, ``2 × extra damage``, ``X, a failure``."""
    if key is None:
        return gettext(N_("not read"))
    if key in FACES:
        return word(FACES, key)
    icons = key.split("+")
    if all(icon in EFFECT_ICONS for icon in icons):
        counts = {icon: icons.count(icon) for icon in icons}
        return ", ".join(
            word(ICONS, icon) if count == 1 else f"{count} × {word(ICONS, icon)}"
            for icon, count in counts.items()
        )
    return key


def die_words(name: str) -> str:
    """Return the name of a die."""
    return word(DICE, name)


def part_words(name: str) -> str:
    """Return the name of a part: ``strip:ruler`` is the LED ruler ``ruler``."""
    kind, _, own = name.partition(":")
    return f"{word(PARTS, kind)} ({own})" if own else word(PARTS, kind)
