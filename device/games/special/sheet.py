"""What lies on a table of S.P.E.C.I.A.L., as frozen values of its sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from device.games.sheet import entities, single
from device.rules.resolve import resolve
from device.table.state import Content

KEY: Final = "special"
CHARACTER: Final = "character"
WEAPON: Final = "weapon"
FLOW: Final = "flow"

STATS: Final = ("st", "pe", "en", "ch", "in", "ag", "lk")
HITS_PER_BOX: Final = 5
"""Damaging hits that fill one box of armour (W6)."""

MOST_BOXES: Final = 10

SKILL_OF: Final = MappingProxyType(
    {
        "unarmed": "unarmed",
        "cold": "cold",
        "light": "firearms",
        "energy": "energy",
        "bow": "archery",
        "thrown": "throwing",
    }
)
"""Skill by kind of attack; heavy weapons have none in the text (it is typed in)."""


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon of a character.

    Attributes:
        id: ``weapon:12``.
        owner: Id of its character.
        name: As typed.
        attack: Kind of attack.
        damage: Dice, ``1d10+2``.
        hand_damage: The hand's damage is added (rocks, knives).
        range: Hexes beyond the free ones.
        ap: Action points of an attack.
        aimed_ap: Of an aimed one, 0 where it cannot be aimed.
        min_strength: Strength that it needs, 0 for none.
        hands: 1 or 2.
        burst: Most bullets of a burst, 0 for none.
        many_barrels: A mounted or many-barrelled gun.
        magazine: Rounds that it holds, 0 for a weapon without.
        ammo: Rounds in it.
        boxes: Filled boxes of condition, 0 to 10.
    """

    id: str
    owner: str
    name: str
    attack: str = "light"
    damage: str = "1d6"
    hand_damage: bool = False
    range: int = 0
    ap: int = 5
    aimed_ap: int = 0
    min_strength: int = 0
    hands: int = 1
    burst: int = 0
    many_barrels: bool = False
    magazine: int = 0
    ammo: int = 0
    boxes: int = 0


@dataclass(frozen=True, slots=True)
class Character:
    """A character; every counter is a whole number.

    Attributes:
        id: ``character:12``.
        name: As typed.
        side: Who belongs together in a fight, ``a`` or ``b``.
        special: The seven stats as bought.
        traits: None to two.
        raised: Percent added to skills, by skill.
        xp: Experience.
        points_spent: Skill points used up.
        points_extra: Skill points by other means than levels.
        hurt: Hit points lost.
        ap_spent: Action points spent in this round.
        defending: 1 where the turn was ended by defending (B11).
        poison: Level of poisoning.
        recoveries: Poisonings overcome naturally.
        radiation: Radiation taken, counted by the players.
        broken_arms: 0 to 2.
        broken_legs: 0 to 2.
        blind: 1 where blind.
        down: 1 where lying knocked down.
        unconscious: Rounds to go.
        dead: 1 where dead.
        stance: ``standing``, ``crouching`` or ``prone``.
        heavy_skill: Skill with heavy weapons, which the text's list lacks.
        armour_name: What is worn.
        armour_ac: Its armour class.
        armour_dt: Its damage threshold.
        armour_dr: Its damage resistance, percent.
        armour_hits: Damaging hits that it has taken; every five fill a box.
        medicine_today: Uses of medicine in these 24 hours.
        drug: Drug that the character is addicted to, "" for none.
        clean_hours: Hours since its last dose ran out.
        money: Coins.
    """

    id: str
    name: str
    side: str = "a"
    special: Mapping[str, int] = field(default_factory=dict)
    traits: tuple[str, ...] = ()
    raised: Mapping[str, int] = field(default_factory=dict)
    xp: int = 0
    points_spent: int = 0
    points_extra: int = 0
    hurt: int = 0
    ap_spent: int = 0
    defending: int = 0
    poison: int = 0
    recoveries: int = 0
    radiation: int = 0
    broken_arms: int = 0
    broken_legs: int = 0
    blind: int = 0
    down: int = 0
    unconscious: int = 0
    dead: int = 0
    stance: str = "standing"
    heavy_skill: int = 0
    armour_name: str = ""
    armour_ac: int = 0
    armour_dt: int = 0
    armour_dr: int = 0
    armour_hits: int = 0
    medicine_today: int = 0
    drug: str = ""
    clean_hours: int = 0
    money: int = 0

    @property
    def armour_boxes(self) -> int:
        """Filled boxes of the armour (W6)."""
        return min(MOST_BOXES, self.armour_hits // HITS_PER_BOX)


@dataclass(frozen=True, slots=True)
class Flow:
    """The round, and what holds for the whole table.

    Attributes:
        id: ``flow``.
        order: Ids in the order of the fight, once it is set.
        round: From 1; 0 outside a fight.
        turn: Whose turn it is.
        fighters: Who is in the fight.
        starter: Who began it, "" for nobody.
        ties: Throws of 1d10 for equal order, by id.
        light: Light at the place.
        night: Moon, at night.
        critical_from: Failures from here are critical for everybody near a jinxed.
        hex_mm: How long a hex lies on the table; the text gives no scale.
    """

    id: str = FLOW
    order: tuple[str, ...] = ()
    round: int = 0
    turn: str = ""
    fighters: tuple[str, ...] = ()
    starter: str = ""
    ties: Mapping[str, int] = field(default_factory=dict)
    light: str = "clear"
    night: str = "none"
    critical_from: int = 98
    hex_mm: int = 25


def characters(content: Content) -> tuple[Character, ...]:
    """Return every character, oldest first."""
    return entities(content, CHARACTER, Character)


def weapons(content: Content, owner: str = "") -> tuple[Weapon, ...]:
    """Return every weapon, or those of one character."""
    every = entities(content, WEAPON, Weapon)
    return tuple(one for one in every if owner in ("", one.owner))


def flow(content: Content) -> Flow:
    """Return the round and what holds for the table."""
    return single(content, FLOW, Flow)


# --- What follows from a sheet -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Derived:
    """What the rules make of a character.

    Attributes:
        numbers: Their kind ``character``: ``ap``, ``hp``, ``special``, ...
        skills: Percent by skill, with what was raised.
        level: Level by experience.
        next_xp: Where the next level begins.
        hp: Most hit points, with those of levels.
        hp_left: Hit points left.
        points: Skill points to spend.
        ap_left: Action points left in this round.
        agility: As broken limbs leave it.
        perception: As blindness leaves it.
        injury: Their kind ``injury``.
    """

    numbers: Mapping[str, Any]
    skills: Mapping[str, int]
    level: int
    next_xp: int
    hp: int
    hp_left: int
    points: int
    ap_left: int
    agility: int
    perception: int
    injury: Mapping[str, Any]


def derive(character: Character) -> Derived:
    """Return what the rules make of a character's sheet."""
    asked = {"special": dict(character.special), "traits": list(character.traits)}
    numbers = resolve(KEY, "character", asked)
    lasting = numbers["special"]
    skills = dict(resolve(KEY, "skills", asked)["skills"])
    for name, more in character.raised.items():
        skills[name] = skills[name] + more
    level = resolve(
        KEY,
        "level",
        {
            "xp": character.xp,
            "endurance": lasting["en"],
            "intelligence": lasting["in"],
            "gifted": "gifted" in character.traits,
        },
    )
    gained = level["level"] - 1
    injury = resolve(
        KEY,
        "injury",
        {
            "agility": lasting["ag"],
            "perception": lasting["pe"],
            "broken_arms": character.broken_arms,
            "broken_legs": character.broken_legs,
            "blind": bool(character.blind),
        },
    )
    hp = numbers["hp"] + gained * level["hp_gain"]
    earned = gained * level["skill_points"] + character.points_extra
    return Derived(
        numbers=numbers,
        skills=skills,
        level=level["level"],
        next_xp=level["next_xp"],
        hp=hp,
        hp_left=hp - character.hurt,
        points=earned - character.points_spent,
        ap_left=numbers["ap"] - character.ap_spent,
        agility=injury["agility"],
        perception=injury["perception"],
        injury=injury,
    )


def armour_class(character: Character, derived: Derived) -> dict[str, Any]:
    """Return how hard a character is to hit now (B11, B12)."""
    state = {"standing": "normal", "crouching": "crouching", "prone": "crawling"}
    return resolve(
        KEY,
        "armour_class",
        {
            "agility": derived.agility,
            "armour": character.armour_ac,
            "state": "down" if character.down else state[character.stance],
            "unspent_ap": max(0, derived.ap_left),
            "defending": bool(character.defending),
            "kamikaze": "kamikaze" in character.traits,
        },
    )
