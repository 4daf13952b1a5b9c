"""Commands about characters: their sheets, gear, experience, recovery."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from device.errors import BadInput
from device.games.game import sheet_draft
from device.games.given import Args, choice, flag, named, refuse, whole
from device.games.sheet import find, written
from device.games.special.sheet import (
    HITS_PER_BOX,
    KEY,
    MOST_BOXES,
    STATS,
    WEAPON,
    Character,
    Weapon,
    characters,
    derive,
    flow,
    weapons,
)
from device.games.special.throws import parse_dice
from device.rules.resolve import resolve
from device.rules.special.character import TRAITS
from device.rules.special.charts import ATTACKS
from device.table.codec import JSON, to_json
from device.table.events import Draft
from device.table.state import Content

MOST_CHARACTERS: Final = 40
MOST_WEAPONS: Final = 12
SIDES: Final = ("a", "b")

COUNTERS: Final = {
    "hurt": (-999, 9999),
    "ap_spent": (-99, 99),
    "poison": (0, 99),
    "recoveries": (0, 99),
    "radiation": (0, 9999),
    "broken_arms": (0, 2),
    "broken_legs": (0, 2),
    "blind": (0, 1),
    "down": (0, 1),
    "unconscious": (0, 99),
    "dead": (0, 1),
    "armour_hits": (0, HITS_PER_BOX * MOST_BOXES),
    "medicine_today": (0, 99),
    "points_extra": (-999, 999),
    "money": (-999_999, 999_999),
    "heavy_skill": (0, 300),
    "clean_hours": (0, 999),
}
"""Counters of a character that are set by hand, with their limits."""

WEAPON_COUNTERS: Final = {"ammo": (0, 999), "boxes": (0, MOST_BOXES)}


def add_character(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Put a character on the table."""
    if len(characters(content)) >= MOST_CHARACTERS:
        raise refuse("no_room")
    made = Character(id=f"character:{seq}", name=named(args))
    return [_character_draft("special.joined", _described(made, args))]


def change_character(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Change what a character is: name, side, stats, traits; the rest stays."""
    character = find(content, args, "character", Character)
    return [_character_draft("special.changed", _described(character, args))]


def _described(character: Character, args: Args) -> Character:
    special, traits = args.get("special"), args.get("traits")
    changed = replace(
        character,
        name=named(args, default=character.name),
        side=choice(args, "side", SIDES, character.side),
        special=character.special if special is None else _stats(special),
        traits=character.traits if traits is None else _traits(traits),
    )
    asked = {"special": dict(changed.special), "traits": list(changed.traits)}
    resolve(KEY, "character", asked)  # refuses stats and traits that cannot be
    return changed


def _stats(given: JSON) -> dict[str, int]:
    if not isinstance(given, Mapping):
        raise BadInput("expected the seven stats", "special")
    return {name: given.get(name) for name in STATS}  # type: ignore[misc]


def _traits(given: JSON) -> tuple[str, ...]:
    if not isinstance(given, list | tuple):
        raise BadInput("expected a list of traits", "traits")
    for at, one in enumerate(given):
        if one not in TRAITS:
            raise BadInput(f"expected one of {', '.join(TRAITS)}", f"traits[{at}]")
    return tuple(given)


def remove_character(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Take a character with its weapons off the table."""
    character = find(content, args, "character", Character)
    own = [weapon.id for weapon in weapons(content, character.id)]
    now = flow(content)
    now = replace(
        now,
        order=tuple(one for one in now.order if one != character.id),
        fighters=tuple(one for one in now.fighters if one != character.id),
        turn="" if now.turn == character.id else now.turn,
    )
    drop = [character.id, *own]
    return [sheet_draft("special.left", written(now), drop, who=character.name)]


def count(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Put so many more or fewer on a counter of a character."""
    character = find(content, args, "character", Character)
    what = choice(args, "what", tuple(COUNTERS))
    after = _counted(character, what, whole(args, "change"), COUNTERS[what])
    value = getattr(after, what)
    return [_character_draft("special.count", after, what=what, value=value)]


def count_weapon(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Put so many more or fewer on a counter of a weapon: rounds, condition boxes."""
    weapon = find(content, args, "weapon", Weapon)
    what = choice(args, "what", tuple(WEAPON_COUNTERS))
    after = _counted(weapon, what, whole(args, "change"), WEAPON_COUNTERS[what])
    log = {"who": weapon.name, "what": what, "value": getattr(after, what)}
    return [sheet_draft("special.count", written(after), **log)]


def _counted(one: Any, what: str, change: int, limits: tuple[int, int]) -> Any:
    value = max(limits[0], min(limits[1], getattr(one, what) + change))
    if value == getattr(one, what):
        raise refuse("no_token" if change < 0 else "token_limit")
    return replace(one, **{what: value})


# --- Gear --------------------------------------------------------------------------


def add_weapon(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Give a character a weapon."""
    character = find(content, args, "character", Character)
    if len(weapons(content, character.id)) >= MOST_WEAPONS:
        raise refuse("token_limit")
    weapon = weapon_of(args, f"weapon:{seq}", character.id)
    log = {"who": character.name, "weapon": weapon.name}
    return [sheet_draft("special.weapon", written(weapon), **log)]


WEAPON_FIELDS: Final = (
    "name",
    "attack",
    "damage",
    "hand_damage",
    "range",
    "ap",
    "aimed_ap",
    "min_strength",
    "hands",
    "burst",
    "many_barrels",
    "magazine",
)
"""What describes a weapon, as the players' own tables hold it too."""


def weapon_of(args: Args, key: str, owner: str) -> Weapon:
    """Return the weapon that arguments describe, its magazine full.

    Raises:
        BadInput: One of them is wrong.
    """
    magazine = whole(args, "magazine", 0, 999, 0)
    return Weapon(
        id=key,
        owner=owner,
        name=named(args),
        attack=choice(args, "attack", ATTACKS),
        damage=str(parse_dice(args.get("damage"), "damage")),
        hand_damage=flag(args, "hand_damage"),
        range=whole(args, "range", 0, 999, 0),
        ap=whole(args, "ap", 1, 20),
        aimed_ap=whole(args, "aimed_ap", 0, 20, 0),
        min_strength=whole(args, "min_strength", 0, 20, 0),
        hands=whole(args, "hands", 1, 2, 1),
        burst=whole(args, "burst", 0, 30, 0),
        many_barrels=flag(args, "many_barrels"),
        magazine=magazine,
        ammo=magazine,
    )


def weapon_row(args: Args) -> dict[str, JSON]:
    """Return a weapon as a row of the players' own table."""
    weapon = to_json(weapon_of(args, "", ""))
    return {name: weapon[name] for name in WEAPON_FIELDS}


ARMOUR_FIELDS: Final = ("name", "ac", "dt", "dr")


def armour_row(args: Args) -> dict[str, JSON]:
    """Return armour as a row of the players' own table."""
    return {
        "name": named(args),
        "ac": whole(args, "ac", 0, 200, 0),
        "dt": whole(args, "dt", 0, 200, 0),
        "dr": whole(args, "dr", 0, 100, 0),
    }


def remove_weapon(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Take a weapon away."""
    weapon = find(content, args, WEAPON, Weapon)
    return [sheet_draft("special.unarmed", drop=[weapon.id], weapon=weapon.name)]


def reload(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Fill a weapon's magazine."""
    weapon = find(content, args, WEAPON, Weapon)
    if weapon.ammo == weapon.magazine:
        raise refuse("token_limit")
    after = replace(weapon, ammo=weapon.magazine)
    return [sheet_draft("special.reloaded", written(after), weapon=weapon.name)]


def wear(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Put armour on, as good as new unless ``boxes`` says otherwise."""
    character = find(content, args, "character", Character)
    after = replace(
        character,
        armour_name=named(args, default=""),
        armour_ac=whole(args, "ac", 0, 200, 0),
        armour_dt=whole(args, "dt", 0, 200, 0),
        armour_dr=whole(args, "dr", 0, 100, 0),
        armour_hits=HITS_PER_BOX * whole(args, "boxes", 0, MOST_BOXES, 0),
    )
    return [_character_draft("special.armour", after, name=after.armour_name)]


# --- Experience --------------------------------------------------------------------


def gain_xp(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Give experience; levels, hit points and skill points follow from it."""
    character = find(content, args, "character", Character)
    xp = max(0, character.xp + whole(args, "xp", -999_999, 999_999))
    after = replace(character, xp=xp)
    before, now = derive(character), derive(after)
    log = {"xp": xp, "level": now.level, "gained": now.level - before.level}
    return [_character_draft("special.xp", after, **log)]


def raise_skill(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Raise a skill for skill points, at the price of each step (V3)."""
    character = find(content, args, "character", Character)
    now = derive(character)
    skill = choice(args, "skill", tuple(now.skills))
    before = now.skills[skill]
    to = whole(args, "to", 0, 300)
    price = resolve(KEY, "skill_cost", {"from": before, "to": to})
    if price["cost"] > now.points:
        raise refuse("points_short")
    after = replace(
        character,
        raised=dict(character.raised)
        | {skill: character.raised.get(skill, 0) + to - before},
        points_spent=character.points_spent + price["cost"],
    )
    log = {"skill": skill, "value": to, "steps": price["steps"]}
    return [_character_draft("special.skill", after, **log)]


# --- Recovery ----------------------------------------------------------------------


def rest(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Let hours pass: heal rate every six at rest, every 24 active (X9)."""
    character = find(content, args, "character", Character)
    given = {
        "heal_rate": derive(character).numbers["heal_rate"],
        "resting_hours": whole(args, "resting_hours", 0, 9999, 0),
        "active_hours": whole(args, "active_hours", 0, 9999, 0),
        "withdrawal": bool(character.drug) and character.clean_hours >= 24,
    }
    answer = resolve(KEY, "healing", {"method": "rest", **given})
    hurt = max(min(0, character.hurt), character.hurt - answer["hp"])
    after = replace(character, hurt=hurt)
    return [_character_draft("special.rested", after, steps=answer["steps"])]


def poison_hours(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Let hours pass with animal poison: a hit point each, less those saved (X3)."""
    character = find(content, args, "character", Character)
    given = {
        "hours": whole(args, "hours", 0, 999),
        "saves": whole(args, "saves", 0, 18, 0),
    }
    answer = resolve(KEY, "hazard", {"hazard": "animal_poison", **given})
    after = replace(character, hurt=character.hurt + answer["damage"])
    return [_character_draft("special.poisoned", after, steps=answer["steps"])]


def addict(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Say to which drug a character is addicted, nobody with an empty name."""
    character = find(content, args, "character", Character)
    name = named(args, "drug", default="")
    after = replace(character, drug=name, clean_hours=0)
    return [_character_draft("special.addicted", after, name=name)]


def withdrawal(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Say what withdrawal does after so many hours without the drug (X7)."""
    character = find(content, args, "character", Character)
    checks = args.get("checks", ())
    if not isinstance(checks, list | tuple):
        raise BadInput("expected a list of true and false", "checks")
    hours = whole(args, "hours", 0, 999)
    lasting = derive(character).numbers["special"]
    given = {
        "special": {name: lasting[name] for name in ("st", "pe", "en", "ag")},
        "hours": hours,
        "checks": list(checks),
    }
    answer = resolve(KEY, "addiction", {"stage": "withdrawal", **given})
    after = replace(character, clean_hours=hours)
    if answer["outcome"] == "dead":
        after = replace(after, dead=1)
    if answer["outcome"] == "recovered":
        special = dict(character.special)
        special["en"] = max(1, special["en"] - 1)
        after = replace(after, drug="", clean_hours=0, special=special)
    log = {"steps": answer["steps"], "outcome": answer["outcome"]}
    return [_character_draft("special.withdrawal", after, **log)]


def _character_draft(said: str, character: Character, **params: JSON) -> Draft:
    return sheet_draft(said, written(character), who=character.name, **params)
