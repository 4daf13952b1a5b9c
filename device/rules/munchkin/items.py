"""Hands, items and junk (ОБРАЩЕНИЕ С КАРТАМИ, ШМОТКИ, ХЛАМ)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.rules.answer import Answer
from device.rules.munchkin.deck import Numbers
from device.rules.step import step

HANDS_OF = {"hand": 1, "two_hands": 2}
"""Hands that an item in use fills (I4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand(Answer):
    """The cards in a hand at the end of the own turn.

    Source: Munchkin Fallout 0.9.84, ОБРАЩЕНИЕ С КАРТАМИ (H1).
    """

    limit: int
    over: int
    ok: bool


def hand(numbers: Numbers, cards: int, limit: int | None = None) -> Hand:
    """Return how many cards are too many.

    Args:
        numbers: The game's numbers.
        cards: Cards in hand.
        limit: Cards allowed, where a card changes it.

    Source: Munchkin Fallout 0.9.84, ОБРАЩЕНИЕ С КАРТАМИ (H1).
    """
    limit = numbers.number("limits", "hand") if limit is None else limit
    over = max(0, cards - limit)
    key = "munchkin_hand.over" if over else "munchkin_hand"
    return Hand(
        limit=limit,
        over=over,
        ok=over == 0,
        steps=(step(key, cards=cards, limit=limit, over=over),),
    )


@dataclass(frozen=True, slots=True)
class Item:
    """An item in play.

    Attributes:
        id: Its name in this question.
        slot: `head`, `armour`, `feet`, `hand`, `two_hands` or `none`.
        big: A big item.
        in_use: Used, not in the backpack.
        one_shot: A one-shot item.

    Source: Munchkin Fallout 0.9.84, ШМОТКИ (I2 to I5).
    """

    id: str
    slot: str
    big: bool = False
    in_use: bool = True
    one_shot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Equipment(Answer):
    """Whether items may be carried and used together.

    Attributes:
        legal: They may.
        problems: `big`, `head`, `armour`, `feet`, `hands`, `one_shot`.
        big: Big items.
        hands: Hands filled.

    Source: Munchkin Fallout 0.9.84, ШМОТКИ (I2, I4, I5).
    """

    legal: bool
    problems: tuple[str, ...]
    big: int
    hands: int


def equipment(
    numbers: Numbers, items: Sequence[Item], big_limit: int | None = None
) -> Equipment:
    """Return what is wrong with a player's items.

    Args:
        numbers: The game's numbers.
        items: Items in play, used or not.
        big_limit: Big items allowed, where a card changes it.

    Source: Munchkin Fallout 0.9.84, ШМОТКИ (I2, I4, I5).
    """
    used = [item for item in items if item.in_use]
    big = sum(item.big for item in items)
    hands = sum(HANDS_OF.get(item.slot, 0) for item in used)
    limit = numbers.number("limits", "big") if big_limit is None else big_limit
    checks = {"big": big > limit}
    for slot in ("head", "armour", "feet"):
        worn = sum(item.slot == slot for item in used)
        checks[slot] = worn > numbers.number("limits", slot)
    checks["hands"] = hands > numbers.number("limits", "hands")
    checks["one_shot"] = any(item.one_shot for item in used)
    problems = tuple(name for name, wrong in checks.items() if wrong)
    steps = tuple(step(f"munchkin_items.{name}") for name in problems)
    return Equipment(
        legal=not problems,
        problems=problems,
        big=big,
        hands=hands,
        steps=steps or (step("munchkin_items", hands=hands, big=big),),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Junk(Answer):
    """A treasure drawn that may be junk.

    Attributes:
        draw_another: A replacement is drawn.
        must_show: The junk is shown first.
        another_open: The replacement is drawn openly; None without one.

    Source: Munchkin Fallout 0.9.84, Хлам (J1 to J3).
    """

    draw_another: bool
    must_show: bool
    another_open: bool | None


def junk(
    junk: bool, compensation: bool = False, harsh: bool = False, open: bool = True
) -> Junk:
    """Return whether a drawn card is replaced.

    Args:
        junk: The card is junk.
        compensation: It is a replacement itself.
        harsh: The harsh variant is played.
        open: It was drawn face up.

    Source: Munchkin Fallout 0.9.84, Хлам (J1, J2), Суровые правила (J3).
    """
    another = junk and not compensation and not harsh
    return Junk(
        draw_another=another,
        must_show=another and not open,
        another_open=open if another else None,
        steps=(step("munchkin_junk" if another else "munchkin_junk.none"),),
    )
