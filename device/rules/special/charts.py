"""The tables of S.P.E.C.I.A.L. as values, read from its data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from device.errors import UnknownTable
from device.rules.tables import named_tables, row_of, rows_of, whole_numbers

ATTACKS = ("unarmed", "cold", "light", "heavy", "energy", "bow", "thrown")
MELEE = ("unarmed", "cold")

AREA_OF = {
    "torso": "torso",
    "left_leg": "leg",
    "right_leg": "leg",
    "left_arm": "arm",
    "right_arm": "arm",
    "groin": "groin",
    "head": "head",
    "eyes": "eyes",
}
"""Row of the tables for aimed attacks, by location."""

_AREAS = ("torso", "leg", "arm", "groin", "head", "eyes")
_ONE_TO_TEN = tuple(str(number) for number in range(1, 11))

LIGHTS = (
    "clear",
    "few_clouds",
    "clouds",
    "overcast",
    "indoor_medium",
    "drizzle",
    "rain",
    "indoor_poor",
    "heavy_rain",
    "downpour",
    "storm",
    "dark_cave",
)
NIGHTS = ("none", "full_moon", "half_moon", "new_moon")
TERRAINS = ("dry", "rough", "mud", "loose", "water")
STANCES = ("standing", "crouching", "crawling")

_TABLES: dict[str, tuple[str, ...] | None] = {
    "melee_damage": _ONE_TO_TEN,
    "armour_wear": ("0", *_ONE_TO_TEN),
    "boxes": ("all", "penalty_from", "penalty", "hits_per_armour_box"),
    "light": LIGHTS,
    "night": NIGHTS,
    "aimed_melee": _AREAS,
    "aimed_ranged": _AREAS,
    "aimed_critical": _AREAS,
    "crouching": None,
    "prone": None,
    "hit": ("range_penalty", "blind_light", "one_handed", "two_handed"),
    "terrain_ap": TERRAINS,
    "stance_ap": STANCES,
    "action_ap": (
        "equip",
        "use",
        "pick_up",
        "stand_up",
        "stance",
        "prone_to_standing",
        "treat",
        "broken_leg_factor",
    ),
    "state_armour_class": ("crouching", "crawling", "using_skill", "down", "rolling"),
    "skill_price": None,
    "detect_factor": ("normal", "shadow", "dark"),
    "harm": (
        "poison_hours",
        "antibodies",
        "antirad",
        "knockdown_per_kg",
        "recovery_hours",
    ),
}


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon card of the text.

    Attributes:
        key: Its key.
        ru: Its Russian name.
        facts: What the text states of it, as printed.

    Source: S.P.E.C.I.A.L., Оружие (G3).
    """

    key: str
    ru: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Charts:
    """Every table of the game.

    Attributes:
        tables: Whole numbers by table and key.
        weapons: Weapon cards.

    Source: S.P.E.C.I.A.L.; the format of `device/data/special.toml`.
    """

    tables: Mapping[str, Mapping[str, int]]
    weapons: tuple[Weapon, ...]

    def number(self, table: str, key: str | int) -> int:
        """Return one number.

        Raises:
            UnknownTable: There is no such number.
        """
        try:
            return self.tables[table][str(key)]
        except KeyError as error:
            raise UnknownTable(f"no {key!r} in table {table!r}") from error


def charts(document: Mapping[str, Any]) -> Charts:
    """Return the game's tables from its document.

    Raises:
        UnknownTable: Something is missing, unknown or ill-formed.

    Source: house rule; the format of `device/data/special.toml`.
    """
    where = "special.toml"
    columns = {"format": int, "missing": list, "table": list, "weapon": list}
    head = row_of(document, where, columns)
    tables = named_tables(head, where, tuple(_TABLES))
    return Charts(
        {name: whole_numbers(tables, name, where, _TABLES[name]) for name in tables},
        tuple(
            _weapon(row, f"{where}: weapon {number}")
            for number, row in enumerate(rows_of(head, "weapon", where), 1)
        ),
    )


_WEAPON_FACTS = {
    "price": int,
    "min_strength": int,
    "weight_kg": float,
    "throw_range_m": int,
    "hit_ap": int,
    "hit_aimed_ap": int,
    "throw_ap": int,
    "throw_aimed_ap": int,
    "damage": str,
    "rating": list,
}


def _weapon(row: Mapping[str, Any], where: str) -> Weapon:
    required = {"key": str, "ru": str, "source": str, "verified": bool}
    row = row_of(row, where, required, _WEAPON_FACTS)
    facts = {name: row[name] for name in _WEAPON_FACTS if name in row}
    return Weapon(row["key"], row["ru"], facts)
