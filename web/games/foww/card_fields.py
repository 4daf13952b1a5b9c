"""What a card says, field by field, in the order of the printed card.

Fields are named as in a roster's TOML, ``special.str``; `card_form` turns a form into
such a table, and the reader of rosters has the last word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from device.rosters import cards
from device.rules.dice import EFFECT_COLOURS
from web.language import marked as N_
from web.words import (
    ATTRIBUTES,
    COLOURS,
    CONDITIONS,
    DAMAGE,
    DICE,
    ICONS,
    ITEMS,
    SKILLS,
)

Words = Mapping[str, str]


ROOM: Final = 3
"""Rows of a list that a form has at least: most cards have no more."""


@dataclass(frozen=True, slots=True)
class CardField:
    """One field of a card.

    Attributes:
        key: In the TOML table; ``special.str`` lies in a table of its own.
        label: English words, marked for translation.
        kind: ``text``, ``whole``, ``rating``, ``yes`` (or no, or unknown), ``tick``
            (yes, or nothing said), ``word`` (the last part of the key stands in a
            list, or not) or ``choice``.
        low: Least whole number.
        high: Largest whole number.
        choices: Values and their words.
    """

    key: str
    label: str
    kind: str = "whole"
    low: int = 0
    high: int = cards.MOST
    choices: Words = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that belong together.

    Attributes:
        label: English words, marked for translation.
        fields: In the order of the printed card.
        rows: Name of a list of tables that each have these fields, "" for none.
        needed: Field of a row without which the row says nothing.
        folded: Few cards have this.
    """

    label: str
    fields: tuple[CardField, ...]
    rows: str = ""
    needed: str = ""
    folded: bool = False

    def row(self, number: int) -> tuple[CardField, ...]:
        """Return the fields of one of its rows, from 0."""
        return tuple(
            replace(one, key=f"{self.rows}.{number}.{one.key}") for one in self.fields
        )

    def lines(self, table: Mapping[str, Any]) -> tuple[tuple[CardField, ...], ...]:
        """Return its fields as shown: a line for each row, and room for more."""
        if not self.rows:
            return (self.fields,)
        said = len(table.get(self.rows) or ())
        return tuple(self.row(number) for number in range(max(ROOM, said + 1)))


@dataclass(frozen=True, slots=True)
class CardKind:
    """A kind of card.

    Attributes:
        key: ``unit``, ``weapon``, ``item`` or ``power_armour``.
        label: Of one card.
        plural: Of several.
        groups: What it says.
    """

    key: str
    label: str
    plural: str
    groups: tuple[Group, ...]


def _numbers(table: str, words: Words, high: int = cards.MOST, low: int = 0) -> Any:
    return tuple(
        CardField(f"{table}.{key}", label, low=low, high=high)
        for key, label in words.items()
    )


def _armour(table: str) -> tuple[CardField, ...]:
    return tuple(
        CardField(f"{table}.{key}", label, "rating") for key, label in DAMAGE.items()
    )


def _listed(table: str, words: Words) -> tuple[CardField, ...]:
    return tuple(
        CardField(f"{table}.{key}", label, "word") for key, label in words.items()
    )


def _ruler(key: str, label: str) -> CardField:
    return CardField(key, label, "choice", choices=RULERS)


# --- Words -------------------------------------------------------------------------

RULERS: Final = MappingProxyType({one: COLOURS[one] for one in cards.RULERS})
DIE_WORDS: Final = MappingProxyType({one: DICE[one] for one in EFFECT_COLOURS})
ICON_WORDS: Final = MappingProxyType({one: ICONS[one] for one in cards.ICONS})

WEAPON_SKILLS: Final = MappingProxyType(
    {
        "rifle": N_("rifle"),
        "pistol": N_("pistol"),
        "melee": N_("close combat"),
        "throw": N_("throwing"),
        "heavy": N_("heavy weapon"),
    }
)

UNIT_SKILLS: Final = MappingProxyType(
    {
        **WEAPON_SKILLS,
        **SKILLS,
        "battle_cry": N_("battle cry"),
        "resist_battle_cry": N_("battle cry resistance"),
    }
)

RANGES: Final = MappingProxyType(
    {
        "move": N_("movement"),
        "charge": N_("charge"),
        "throw": N_("throwing"),
        "awareness": N_("awareness"),
        "presence": N_("presence"),
        "battle_cry": N_("battle cry"),
    }
)

AP_USES: Final = MappingProxyType(
    {
        "move": N_("movement"),
        "attack": N_("attack"),
        "noncombat": N_("non-combat skill"),
        "overwatch": N_("overwatch"),
    }
)

ABILITIES: Final = MappingProxyType(
    {
        "freedom": N_("freedom of movement"),
        "cannot_climb": N_("cannot climb"),
        "charge_unseen": N_("charges without seeing the target"),
        "critical": N_("critical attacks"),
        "vats": N_("V.A.T.S."),
        "immune_battle_cry": N_("battle cry immunity"),
        "never_locked_out": N_("never locked out of a terminal"),
    }
)

UNIT_KINDS: Final = MappingProxyType(
    {
        "human": N_("human"),
        "super_mutant": N_("super mutant"),
        "creature": N_("creature"),
        "dog": N_("dog"),
        "turret": N_("turret"),
    }
)

EFFECTS: Final = MappingProxyType(
    {
        "damage": N_("extra damage"),
        "penetration": N_("penetration"),
        "ignore_armour": N_("ignores armour"),
        "push_back": N_("push-back"),
        **CONDITIONS,
    }
)

CATEGORIES: Final = MappingProxyType(
    {
        "chem": N_("chem"),
        "alcohol": N_("alcohol"),
        "food": N_("food and drink"),
        "clothing": N_("clothing"),
        "gear": N_("gear"),
        "armour": N_("armour"),
        "mod": N_("mod"),
        "junk": N_("junk"),
    }
)

DURATIONS: Final = MappingProxyType(
    {
        "instant": N_("instant"),
        "fixed": N_("fixed"),
        "decaying": N_("decaying"),
    }
)

# --- Cards -------------------------------------------------------------------------

NAMES: Final = Group(
    N_("Name"),
    (
        CardField("name.en", N_("In English"), "text"),
        CardField("name.ru", N_("In Russian"), "text"),
    ),
)

ORIGIN: Final = Group(
    N_("Where this is from"),
    (
        CardField("source", N_("Source"), "text"),
        CardField("verified", N_("Compared with the printed card"), "tick"),
    ),
)

UNIT: Final = CardKind(
    "unit",
    N_("Unit card"),
    N_("Unit cards"),
    (
        Group(N_("Attributes"), _numbers("special", ATTRIBUTES)),
        Group(
            N_("Health and armour"),
            (CardField("health", N_("health"), low=1), *_armour("armour")),
        ),
        Group(
            N_("Rulers"),
            tuple(_ruler(f"ranges.{key}", label) for key, label in RANGES.items()),
        ),
        Group(
            N_("Skills, and the attribute that each stands under"),
            tuple(
                CardField(f"skills.{key}", label, "choice", choices=ATTRIBUTES)
                for key, label in UNIT_SKILLS.items()
            ),
        ),
        Group(N_("Action points buy"), _listed("ap_use", AP_USES)),
        Group(N_("Rules of its own"), _listed("abilities", ABILITIES), folded=True),
        Group(N_("Immune to"), _listed("immune", CONDITIONS), folded=True),
        Group(
            N_("More"),
            (
                CardField("kind", N_("kind"), "choice", choices=UNIT_KINDS),
                CardField("unique", N_("unique: one in a force"), "yes"),
                CardField("faction", N_("faction"), "text"),
                CardField("robot", N_("Robot: immune to poison"), "tick"),
            ),
            folded=True,
        ),
        NAMES,
        ORIGIN,
    ),
)

WEAPON: Final = CardKind(
    "weapon",
    N_("Weapon card"),
    N_("Weapon cards"),
    (
        Group(
            N_("Skill and damage"),
            (
                CardField("skill", N_("skill"), "choice", choices=WEAPON_SKILLS),
                *_numbers("damage", DAMAGE),
            ),
        ),
        Group(
            N_("Short range"),
            (_ruler("short", N_("ruler")), *_numbers("short_dice", DIE_WORDS, 4)),
        ),
        Group(
            N_("Long range"),
            (_ruler("long", N_("ruler")), *_numbers("long_dice", DIE_WORDS, 4)),
        ),
        Group(
            N_("Critical attack"),
            (
                CardField("critical_rating", N_("length of the gauge"), low=1),
                *_numbers("critical_damage", DAMAGE),
                *_numbers("critical_dice", DIE_WORDS, 4),
            ),
            folded=True,
        ),
        Group(
            N_("Special effects"),
            (
                CardField("does", N_("effect"), "choice", choices=EFFECTS),
                *_numbers("cost", ICON_WORDS),
                CardField("amount", N_("points")),
                _ruler("range", N_("ruler of a push-back")),
                CardField("limit", N_("uses in an attack"), low=1),
                CardField("critical", N_("Only in a critical attack"), "tick"),
                CardField("when_damaged", N_("Only if damage is left"), "tick"),
            ),
            rows="effects",
            needed="does",
            folded=True,
        ),
        Group(
            N_("Area, grenade, mine"),
            (
                _ruler("area", N_("diameter of the area")),
                *_numbers("target_damage", DAMAGE),
                CardField("grenade", N_("Grenade: scatters from its target"), "tick"),
                CardField("mine", N_("Mine: placed, not thrown"), "tick"),
            ),
            folded=True,
        ),
        Group(
            N_("Scatter"),
            (
                CardField("from", N_("missed by, from")),
                CardField("to", N_("to")),
                _ruler("range", N_("ruler")),
            ),
            rows="scatter",
            needed="range",
            folded=True,
        ),
        Group(
            N_("More"),
            (
                CardField("rapid", N_("rapid fire: shots")),
                _ruler("rapid_range", N_("rapid fire: ruler to the next target")),
                CardField("charges", N_("charges it needs")),
                CardField("slow_fire", N_("Slow-firing: loaded or unloaded"), "tick"),
                CardField("no_melee", N_("Not used in close combat"), "tick"),
            ),
            folded=True,
        ),
        NAMES,
        ORIGIN,
    ),
)

ITEM: Final = CardKind(
    "item",
    N_("Item card"),
    N_("Item cards"),
    (
        Group(
            N_("Use"),
            (
                CardField("consumable", N_("discarded after use"), "yes"),
                CardField("category", N_("category"), "choice", choices=CATEGORIES),
                CardField("duration", N_("lasts"), "choice", choices=DURATIONS),
                CardField("tokens", N_("tokens on it")),
            ),
        ),
        Group(
            N_("Heals"),
            (
                CardField("heals", N_("regular damage")),
                CardField("heals_radiation", N_("radiation damage")),
                CardField("cures", N_("cures as"), "choice", choices=ITEMS),
                CardField("boost", N_("armour boost icons"), high=2),
            ),
        ),
        Group(
            N_("Attributes, one column after another"),
            tuple(
                CardField(key, label, low=-cards.MOST)
                for key, label in ATTRIBUTES.items()
            ),
            rows="columns",
            folded=True,
        ),
        Group(
            N_("Addiction"),
            (
                CardField("addiction", N_("icon"), "choice", choices=ICON_WORDS),
                *_numbers("addicted", ATTRIBUTES, low=-cards.MOST),
            ),
            folded=True,
        ),
        Group(
            N_("More"),
            (CardField("dogs", N_("Dogs may carry it"), "tick"),),
            folded=True,
        ),
        NAMES,
        ORIGIN,
    ),
)

POWER_ARMOUR: Final = CardKind(
    "power_armour",
    N_("Power armour card"),
    N_("Power armour cards"),
    (
        Group(
            N_("Bonus"),
            (
                CardField("endurance", N_("endurance: tokens it holds"), low=1),
                CardField("strength", ATTRIBUTES["str"]),
            ),
        ),
        Group(N_("Armour"), _armour("armour")),
        Group(N_("Armour once broken"), _armour("broken")),
        NAMES,
        ORIGIN,
    ),
)

KINDS: Final[Mapping[str, CardKind]] = MappingProxyType(
    {kind.key: kind for kind in (UNIT, WEAPON, ITEM, POWER_ARMOUR)}
)
