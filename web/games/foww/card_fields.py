"""What a card says, field by field: how the editor asks for it and reads it back.

Fields are named as in a roster's TOML, ``special.str``; a form is turned into such a
table, and the reader of rosters has the last word.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from device.errors import BadInput
from device.rosters.cards import MOST
from device.rosters.reading import NAME_LETTERS, RATING
from device.rules.dice import EFFECT_COLOURS
from web.language import gettext
from web.language import marked as N_
from web.reasons import Refused
from web.words import ATTRIBUTES as ATTRIBUTE_WORDS
from web.words import DAMAGE, DICE, SKILLS

Words = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CardField:
    """One field of a card.

    Attributes:
        key: In the TOML table; ``special.str`` lies in a table of its own.
        label: English words, marked for translation.
        kind: ``text``, ``whole``, ``rating``, ``yes`` (or no, or unknown), ``tick``
            (yes, or nothing said) or ``choice``.
        low: Least whole number.
        high: Largest whole number.
        choices: Values and their words.
    """

    key: str
    label: str
    kind: str = "whole"
    low: int = 0
    high: int = MOST
    choices: Words = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Group:
    """Fields that belong together.

    Attributes:
        label: English words, marked for translation.
        fields: In the order of the printed card.
        narrow: They fit side by side.
    """

    label: str
    fields: tuple[CardField, ...]
    narrow: bool = False


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

    @property
    def fields(self) -> tuple[CardField, ...]:
        """Every field."""
        return tuple(one for group in self.groups for one in group.fields)


def _numbers(table: str, words: Words, high: int) -> tuple[CardField, ...]:
    return tuple(
        CardField(f"{table}.{key}", label, high=high) for key, label in words.items()
    )


def _armour(table: str) -> tuple[CardField, ...]:
    return tuple(
        CardField(f"{table}.{key}", label, "rating") for key, label in DAMAGE.items()
    )


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

DIE_WORDS: Final = MappingProxyType({one: DICE[one] for one in EFFECT_COLOURS})

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
        Group(
            N_("Attributes"), _numbers("special", ATTRIBUTE_WORDS, MOST), narrow=True
        ),
        Group(
            N_("Health and armour"),
            (CardField("health", N_("health"), low=1), *_armour("armour")),
            narrow=True,
        ),
        Group(
            N_("Skills, and the attribute that each stands under"),
            tuple(
                CardField(f"skills.{key}", label, "choice", choices=ATTRIBUTE_WORDS)
                for key, label in UNIT_SKILLS.items()
            ),
            narrow=True,
        ),
        Group(
            N_("More"),
            (
                CardField("faction", N_("Faction"), "text"),
                CardField("unique", N_("Unique: one in a force"), "yes"),
                CardField("robot", N_("Robot: immune to poison"), "tick"),
            ),
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
                *_numbers("damage", DAMAGE, MOST),
            ),
            narrow=True,
        ),
        Group(N_("Dice at short range"), _numbers("short_dice", DIE_WORDS, 4), True),
        Group(N_("Dice at long range"), _numbers("long_dice", DIE_WORDS, 4), True),
        Group(
            N_("More"),
            (
                CardField("critical_rating", N_("Length of the critical gauge"), low=1),
                CardField("slow_fire", N_("Slow-firing: loaded or unloaded"), "tick"),
            ),
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
            (CardField("consumable", N_("Discarded after use"), "yes"),),
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
                CardField("strength", ATTRIBUTE_WORDS["str"]),
            ),
            narrow=True,
        ),
        Group(N_("Armour"), _armour("armour"), narrow=True),
        Group(N_("Armour once broken"), _armour("broken"), narrow=True),
        NAMES,
        ORIGIN,
    ),
)

KINDS: Final[Mapping[str, CardKind]] = MappingProxyType(
    {kind.key: kind for kind in (UNIT, WEAPON, ITEM, POWER_ARMOUR)}
)


# --- Between a form and a table ----------------------------------------------------


def shown(table: Mapping[str, Any], key: str) -> str:
    """Return what a table says in a field, as typed into the form; "" for nothing."""
    value: Any = table
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def read_table(kind: CardKind, form: Mapping[str, str]) -> dict[str, Any]:
    """Return the table that a form stands for; what is left empty says nothing.

    Raises:
        Refused: A field holds what its card cannot say.
    """
    table: dict[str, Any] = {}
    for one in kind.fields:
        text = " ".join(form.get(one.key, "").split())
        if not text:
            continue
        outer, _, inner = one.key.partition(".")
        value = _read(one, text)
        if inner:
            table.setdefault(outer, {})[inner] = value
        else:
            table[outer] = value
    if "name" not in table:
        raise BadInput("a card has a name", "card")
    return table


def _read(one: CardField, text: str) -> Any:
    if one.kind == "whole" and text.isascii() and text.isdecimal() and len(text) < 4:
        if one.low <= int(text) <= one.high:
            return int(text)
    elif one.kind == "rating" and RATING.fullmatch(text.replace("−", "-").upper()):
        return text.replace("−", "-").upper()
    elif one.kind in ("yes", "tick") and text in ("yes", "no"):
        return text == "yes"
    elif (one.kind == "choice" and text in one.choices) or (
        one.kind == "text" and len(text) <= NAME_LETTERS and text.isprintable()
    ):
        return text
    raise Refused(400, _fault(one))


def _fault(one: CardField) -> str:
    said = {
        "whole": N_("%(field)s: a whole number, %(low)d to %(high)d."),
        "rating": N_("%(field)s: a number, 3+1, - for none, or X."),
        "text": N_("%(field)s: a text of 80 letters at most."),
    }.get(one.kind, N_("%(field)s: one of the choices."))
    return gettext(said) % {
        "field": _capital(gettext(one.label)),
        "low": one.low,
        "high": one.high,
    }


def _capital(said: str) -> str:
    return said[:1].upper() + said[1:]
