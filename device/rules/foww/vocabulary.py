"""Readers of the words that questions about Fallout: Wasteland Warfare share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from device.errors import BadInput
from device.rules.dice import (
    ARMOUR_FACES,
    EFFECT_COLOURS,
    EFFECT_ICONS,
    LUCK_SIDES,
    MAX_ICONS,
    SKILL_FACES,
)
from device.rules.fields import (
    INT,
    NAT,
    TEXT,
    ListOf,
    MapOf,
    Nullable,
    Optional,
    Record,
    one_of,
    record,
)
from device.rules.foww.armour import (
    NO_PROTECTION,
    ArmourCard,
    ArmourModifier,
    Protection,
    check_one_card_a_type,
)
from device.rules.foww.icons import EffectDie, SpecialIcons, check_effect_cap
from device.rules.foww.opposed import Side

RULERS: Final = ("orange", "yellow", "red", "green", "blue", "black")
"""Ruler colours, short to long (rulebook 2PB-002-111 §2.2 p.9)."""

DAMAGE_TYPES: Final = ("physical", "energy", "radiation")
ATTRIBUTES: Final = ("str", "per", "end", "cha", "int", "agi", "luc")
CONDITIONS: Final = (
    "burning",
    "frozen",
    "injured_arm",
    "injured_leg",
    "poisoned",
    "slowed",
    "stunned",
)
STATES: Final = ("unready", "ready", "activated")

RULER = one_of(*RULERS)
SKILL = one_of(*SKILL_FACES)
ARMOUR_DIE = one_of(*ARMOUR_FACES)
ICON = one_of(*EFFECT_ICONS)
FACE = ListOf(ICON, 0, MAX_ICONS)
LUCK_SIDE = one_of(*LUCK_SIDES)
DAMAGE_TYPE = one_of(*DAMAGE_TYPES)
CONDITION = one_of(*CONDITIONS)
CONDITION_LIST = Optional(ListOf(CONDITION), ())
STATE = one_of(*STATES)
ATTRIBUTE_MAP = MapOf(INT, ATTRIBUTES)

EFFECTS = Optional(
    ListOf(
        record(EffectDie, die=one_of(*EFFECT_COLOURS), icons=FACE),
        check=check_effect_cap,
    ),
    (),
)
SIDE = record(Side, rating=Nullable(INT), skill=Optional(SKILL))
SPECIAL_ICONS = record(
    SpecialIcons,
    bottle=Optional(NAT, 0),
    star=Optional(NAT, 0),
    burst=Optional(NAT, 0),
)

_STURDY = re.compile(r"(\d{1,6})\+(\d{1,6})", re.ASCII)


class ProtectionReader:
    """Reads an armour rating value: an int, `r+s`, `-` or null.

    Source: the resolver's contract, section 3.
    """

    def read(self, value: Any, path: str) -> Protection:
        """Return the protection."""
        if value is None or value == "-":
            return NO_PROTECTION
        if isinstance(value, str):
            match = _STURDY.fullmatch(value)
            if match is None:
                raise BadInput(
                    f"an armour rating is a number, 'r+s' or '-', not {value!r}", path
                )
            return Protection(int(match[1]), int(match[2]))
        return Protection(INT.read(value, path))


def armour_card(card: str, **ratings: Protection) -> ArmourCard:
    """Return the armour card with these ratings by damage type.

    Source: the resolver's contract, section 4.9.
    """
    return ArmourCard(card, _stated(ratings))


def armour_modifier(card_type: str, **change: int) -> ArmourModifier:
    """Return the modifier card with these changes by damage type.

    Source: the resolver's contract, section 4.9.
    """
    return ArmourModifier(card_type, _stated(change))


def _stated(by_type: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in by_type.items() if value is not None}


ARMOUR_CARD = Record(
    armour_card,
    {"card": TEXT, **{t: Optional(ProtectionReader()) for t in DAMAGE_TYPES}},
)
ARMOUR_MODIFIERS = Optional(
    ListOf(
        Record(
            armour_modifier,
            {"card_type": TEXT, **{t: Optional(INT) for t in DAMAGE_TYPES}},
        ),
        check=check_one_card_a_type,
    ),
    (),
)
