"""Questions about STALKER: ZONA as JSON asks them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from device.data.load import table
from device.rules.answer import Answer
from device.rules.fields import (
    FLAG,
    INT,
    LENGTH,
    NAT,
    OFF,
    POSITIVE,
    TEXT,
    ListOf,
    Nullable,
    Optional,
    Reader,
    Record,
    Whole,
    distinct,
    one_of,
    record,
)
from device.rules.stalker.groups import (
    Figure,
    Group,
    Pair,
    Side,
    activation,
    check_one_leader,
    group_check,
)
from device.rules.stalker.movement import Crossings, Stretch, fast_move, movement
from device.rules.stalker.reactions import in_sight, sight_trigger, skill_test
from device.rules.stalker.setup import (
    DrawnCard,
    EdgeRoll,
    Placed,
    deployment,
    events,
)
from device.rules.stalker.shooting import (
    Bounds,
    ShootingTable,
    Target,
    line_of_sight,
    shooting,
    weapon_effect,
)
from device.rules.stalker.zona import ARMOURS, Weapon, Zona, zona

_D6 = Whole(1, 6)
_SKILL = Whole(1, 5)
_ZERO = Optional(NAT, 0)
_BOUND = Optional(Nullable(INT))


@cache
def _zona() -> Zona:
    return zona(table("stalker"))


def _with_tables(rule: Callable[..., Answer], /, **fields: Reader) -> Record:
    """A question whose rule needs the game's tables."""
    return Record(lambda **given: rule(_zona(), **given), fields)


_DAMAGE: dict[str, Reader] = {armour: Nullable(NAT) for armour in ARMOURS}
_CARD = record(
    Weapon, range=LENGTH, rate=NAT, damage=Record(dict, _DAMAGE), suppression=NAT
)


class WeaponReader:
    """Reads a weapon: the key of a card, or the card itself.

    Source: the resolver's contract, section 2.10.
    """

    card = _CARD

    def read(self, value: Any, path: str) -> str | Weapon:
        """Return the key or the card."""
        if isinstance(value, str):
            return TEXT.read(value, path)
        return self.card.read(value, path)  # type: ignore[no-any-return]


_FIGURES = ListOf(
    record(Figure, id=TEXT, skill=_SKILL, leader=OFF), 1, check=check_one_leader
)
_ROW = Optional(record(Bounds, hit_from=_BOUND, miss_to=_BOUND))

_FIGURE_KINDS: dict[str, Reader] = {
    "skill_test": record(skill_test, skill=_SKILL, dice=ListOf(_D6, 1, 3)),
    "activation": record(
        activation,
        mode=one_of("solo", "versus"),
        dice=ListOf(_D6, 2, 2),
        sides=ListOf(
            record(
                Side,
                name=TEXT,
                groups=ListOf(record(Group, id=TEXT, figures=_FIGURES), 1),
            ),
            1,
            2,
        ),
    ),
    "group": _with_tables(
        group_check,
        figures=ListOf(
            record(Figure, id=TEXT, skill=_SKILL, leader=OFF, out=OFF, radio=OFF),
            1,
            check=check_one_leader,
        ),
        pairs=Optional(
            ListOf(record(Pair, a=TEXT, b=TEXT, inches=LENGTH, los=FLAG)), ()
        ),
        rule=Optional(one_of("chain", "every_pair"), "chain"),
    ),
    "movement": _with_tables(
        movement,
        skill=_SKILL,
        mode=Optional(one_of("standard", "fast"), "standard"),
        passed=Optional(Whole(0, 2)),
        carriers=Optional(Whole(0, 2), 0),
        path=ListOf(
            record(
                Stretch,
                terrain=one_of(
                    "open",
                    "bushes",
                    "hilly",
                    "rough",
                    "road",
                    "built_up",
                    "ford",
                    "impassable",
                    "river",
                ),
                inches=LENGTH,
            )
        ),
        crossings=Optional(record(Crossings, hilly=_ZERO, building=_ZERO)),
    ),
    "fast_move": _with_tables(
        fast_move,
        dice=ListOf(_D6, 2, 2),
        figures=ListOf(record(Figure, id=TEXT, skill=_SKILL, leader=OFF), 1),
    ),
    "sight_trigger": record(
        sight_trigger,
        seen_at_start=FLAG,
        seen_now=FLAG,
        in_range_at_start=FLAG,
        in_range_now=FLAG,
    ),
    "in_sight": record(
        in_sight,
        skill=_SKILL,
        dice=ListOf(_D6),
        covering=OFF,
        hidden=OFF,
        leader=OFF,
        cover=OFF,
    ),
}

_TABLE_KINDS: dict[str, Reader] = {
    "line_of_sight": _with_tables(
        line_of_sight,
        inches=LENGTH,
        night=OFF,
        woods=OFF,
        woods_edge=OFF,
        bad_weather=OFF,
        lit_target=OFF,
        night_vision=OFF,
        blocked=OFF,
        cover_pieces=_ZERO,
    ),
    "shooting": _with_tables(
        shooting,
        skill=_SKILL,
        skill_modifier=Optional(Whole(-5, 5), 0),
        rate=POSITIVE,
        dice=ListOf(_D6, 1),
        targets=ListOf(
            record(Target, id=TEXT, shots=POSITIVE), 1, check=distinct("id")
        ),
        span_inches=Optional(LENGTH, 0),
        table=Optional(record(ShootingTable, first=_ROW, later=_ROW)),
    ),
    "weapon_effect": _with_tables(
        weapon_effect,
        weapon=WeaponReader(),
        armour=one_of(*ARMOURS),
        inches=Optional(LENGTH),
        target_suppression=Optional(NAT),
    ),
    "deployment": _with_tables(
        deployment,
        allies=OFF,
        rolls=ListOf(
            record(EdgeRoll, player=TEXT, die=_D6), 1, 6, check=distinct("player")
        ),
        figures=Optional(ListOf(record(Placed, id=TEXT, from_edge=LENGTH)), ()),
    ),
    "events": _with_tables(
        events,
        markers=Optional(POSITIVE),
        deck=NAT,
        drawn=Optional(ListOf(record(DrawnCard, figure=TEXT, xp=NAT, loot=NAT)), ()),
    ),
}

KINDS: Final[Mapping[str, Reader]] = {**_FIGURE_KINDS, **_TABLE_KINDS}
"""Reader of each kind of question."""
