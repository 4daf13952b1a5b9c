"""What lies on a table of STALKER: ZONA, as frozen values of its sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from device.data.load import table
from device.games.own import rows_of
from device.games.sheet import entities, single
from device.table.codec import JSON
from device.table.state import Content

KEY: Final = "stalker"
FIGURE: Final = "figure"
WEAPON: Final = "weapon"
CARD: Final = "card"
FLOW: Final = "flow"
SIDES: Final = ("a", "b")

ARMOURS: Final = ("none", "light", "medium")
MOTIVATIONS: Final = ("exploration", "destruction", "zeal", "profit", "coercion")
FLAGS: Final = ("prone", "hidden", "covering", "suppressed", "fast", "out")
"""What a figure is or is not, as 1 or 0."""


@dataclass(frozen=True, slots=True)
class Weapon:
    """A weapon of a figure.

    Attributes:
        id: ``weapon:12``.
        owner: Id of its figure.
        name: As typed.
        range: Inches.
        rate: Most dice of one shooting; 0 for what is not shot with.
        damage_none: Against no armour; None for no effect.
        damage_light: Against light armour.
        damage_medium: Against medium armour.
        suppression: Its rating.
    """

    id: str
    owner: str
    name: str
    range: int = 0
    rate: int = 0
    damage_none: int | None = None
    damage_light: int | None = None
    damage_medium: int | None = None
    suppression: int = 0

    def asked(self) -> dict[str, JSON]:
        """Return the weapon as the rules ask for it."""
        return {
            "range": self.range,
            "rate": self.rate,
            "damage": {
                "none": self.damage_none,
                "light": self.damage_light,
                "medium": self.damage_medium,
            },
            "suppression": self.suppression,
        }


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure.

    Attributes:
        id: ``figure:12``.
        name: As typed.
        side: ``a`` or ``b``.
        group: Name of its group on that side.
        skill: 1 to 5.
        armour: One of `ARMOURS`.
        motivation: One of `MOTIVATIONS`, or "" for none said.
        leader: The group's named leader.
        radio: Carries a personal transmitter, or has a like ability.
        move: Inches of a standard move where its card overrides the rule (F7).
        damage: Damage taken; what it does is not in the text.
        prone: 1 while it lies.
        hidden: 1 while it is not placed on the table (U6).
        covering: 1 while it covers (R3).
        suppressed: 1 while suppressed (H8).
        fast: 1 where it has tried to move fast in this turn (M5).
        out: 1 where it is out of play.
        xp: Experience by other means than cards.
        loot: Loot by other means than cards.
    """

    id: str
    name: str
    side: str = "a"
    group: str = "1"
    skill: int = 3
    armour: str = "none"
    motivation: str = ""
    leader: bool = False
    radio: bool = False
    move: int | None = None
    damage: int = 0
    prone: int = 0
    hidden: int = 0
    covering: int = 0
    suppressed: int = 0
    fast: int = 0
    out: int = 0
    xp: int = 0
    loot: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """An event card that a figure has drawn (E3).

    Attributes:
        id: ``card:12``.
        figure: Who drew it.
        name: As typed.
        xp: Experience that the reaction earned.
        loot: Loot that it earned.
    """

    id: str
    figure: str
    name: str
    xp: int = 0
    loot: int = 0


@dataclass(frozen=True, slots=True)
class Flow:
    """The turn, and what the players have agreed on.

    Attributes:
        id: ``flow``.
        mode: ``versus`` or ``solo``.
        turn: Turns begun; 0 before the first.
        tie: Both dice were equal: nobody moves or shoots (A2).
        order: Sides in playing order.
        thresholds: Lowest Skill that may act, by side as in `SIDES`; None without one.
        active: Figures that may act.
        groups: Groups with such a figure, as ``a/1``, first to act first.
        allies: The players are allies.
        night: The game is played at night.
        bad_weather: Fog, downpour or snow.
        every_pair: Every two members of a group must be near, not only a chain (G5).
        markers: Event markers on the table.
        deck: Event cards at the start.
    """

    id: str = FLOW
    mode: str = "versus"
    turn: int = 0
    tie: bool = False
    order: tuple[str, ...] = ()
    thresholds: tuple[int | None, ...] = ()
    active: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    allies: bool = False
    night: bool = False
    bad_weather: bool = False
    every_pair: bool = False
    markers: int = 24
    deck: int = 24


def figures(content: Content, side: str = "") -> tuple[Figure, ...]:
    """Return every figure, or those of one side, oldest first."""
    every = entities(content, FIGURE, Figure)
    return tuple(one for one in every if side in ("", one.side))


def weapons(content: Content, owner: str = "") -> tuple[Weapon, ...]:
    """Return every weapon, or those of one figure."""
    every = entities(content, WEAPON, Weapon)
    return tuple(one for one in every if owner in ("", one.owner))


def cards(content: Content, figure: str = "") -> tuple[Card, ...]:
    """Return every card drawn, or those of one figure."""
    every = entities(content, CARD, Card)
    return tuple(one for one in every if figure in ("", one.figure))


def flow(content: Content) -> Flow:
    """Return the turn and what was agreed on."""
    return single(content, FLOW, Flow)


def groups_of(content: Content, side: str) -> dict[str, tuple[Figure, ...]]:
    """Return one side's groups, those out of play left out."""
    found: dict[str, tuple[Figure, ...]] = {}
    for one in figures(content, side):
        if not one.out:
            found[one.group] = (*found.get(one.group, ()), one)
    return found


def leader_of(group: tuple[Figure, ...]) -> Figure | None:
    """Return who leads a group: the named one, else the only best (L1 to L3)."""
    named = [one for one in group if one.leader]
    if named or not group:
        return named[0] if named else None
    best = max(one.skill for one in group)
    able = [one for one in group if one.skill == best]
    return able[0] if len(able) == 1 else None


def shipped_weapons() -> tuple[dict[str, Any], ...]:
    """Return the weapons whose numbers the text states, as rows of a table."""
    return tuple(
        {
            "name": row["ru"],
            "range": row["range"],
            "rate": row["rate"],
            **{f"damage_{armour}": row["damage"][armour] for armour in ARMOURS},
            "suppression": row["suppression"],
        }
        for row in table("stalker")["weapon"]
        if "damage" in row
    )


def shooting_table(content: Content) -> dict[str, JSON] | None:
    """Return the players' own shooting table as the rules take it, None without one."""
    rows = {row["name"]: row for row in rows_of(content, "shooting")}
    if not rows:
        return None
    return {
        name: {"hit_from": row.get("hit_from"), "miss_to": row.get("miss_to")}
        for name, row in rows.items()
    }
