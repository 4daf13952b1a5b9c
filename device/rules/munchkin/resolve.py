"""Questions about Munchkin Fallout as JSON asks them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from device.data.load import table
from device.rules.answer import Answer
from device.rules.fields import (
    FLAG,
    INT,
    NAT,
    OFF,
    ON,
    POSITIVE,
    TEXT,
    ListOf,
    Optional,
    Reader,
    Record,
    Whole,
    distinct,
    one_of,
    record,
)
from device.rules.munchkin import fights
from device.rules.munchkin.deck import Numbers, numbers, setup
from device.rules.munchkin.items import Item, equipment, hand, junk
from device.rules.munchkin.levels import level_change, sell

_D6 = Whole(1, 6)
_LEVEL = Whole(1, 9)


@cache
def _numbers() -> Numbers:
    return numbers(table("munchkin"))


def _with_numbers(rule: Callable[..., Answer], /, **fields: Reader) -> Record:
    """A question whose rule needs the game's numbers."""
    return Record(lambda **given: rule(_numbers(), **given), fields)


def _irradiation(
    numbers: Numbers, step: int | None, **given: Any
) -> fights.Irradiation:
    return fights.irradiation(numbers, step_size=step, **given)


_MODIFIER = record(
    fights.Modifier, value=one_of(*fights.MODIFIERS), treasures=Optional(INT, 0)
)

KINDS: Final[Mapping[str, Reader]] = {
    "setup": _with_numbers(setup, players=Whole(3, 6)),
    "level": _with_numbers(
        level_change,
        level=_LEVEL,
        change=INT,
        source=one_of("kill", "card", "sale", "other"),
    ),
    "hand": _with_numbers(hand, cards=NAT, limit=Optional(NAT)),
    "items": _with_numbers(
        equipment,
        items=ListOf(
            record(
                Item,
                id=TEXT,
                slot=one_of("head", "armour", "feet", "hand", "two_hands", "none"),
                big=OFF,
                in_use=ON,
                one_shot=OFF,
            ),
            check=distinct("id"),
        ),
        big_limit=Optional(NAT),
    ),
    "sell": _with_numbers(
        sell, level=_LEVEL, values=ListOf(NAT, 1), own_turn=ON, in_combat=OFF
    ),
    "combat": _with_numbers(
        fights.combat,
        players=ListOf(
            record(
                fights.Player,
                id=TEXT,
                level=_LEVEL,
                bonuses=Optional(ListOf(INT), ()),
            ),
            1,
            2,
        ),
        monsters=ListOf(
            record(
                fights.Monster,
                id=TEXT,
                strength=INT,
                treasures=POSITIVE,
                levels=Optional(NAT, 1),
                modifiers=Optional(ListOf(_MODIFIER), ()),
                removed=OFF,
                treasures_on_win=OFF,
            ),
            1,
        ),
    ),
    "run_away": record(
        fights.run_away,
        die=Optional(_D6),
        target=Optional(INT),
        bonus=Optional(INT, 0),
        sacrifice=OFF,
        forbidden=OFF,
    ),
    "radiation": record(
        fights.radiation,
        die=_D6,
        target=INT,
        bonus=Optional(INT, 0),
        strength=POSITIVE,
    ),
    "irradiation": _with_numbers(
        _irradiation,
        penalty=NAT,
        phase=one_of("turn_start", "turn_end"),
        step=Optional(NAT),
    ),
    "junk": record(junk, junk=FLAG, compensation=OFF, harsh=OFF, open=ON),
}
"""Reader of each kind of question."""
