"""The level track and sales (ПРОТИВОРЕЧИЯ, ПРОДАЖА ШМОТОК ЗА УРОВНИ)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.rules.answer import Answer
from device.rules.munchkin.deck import Numbers
from device.rules.step import step


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelChange(Answer):
    """A player's level after a change.

    Attributes:
        level: The new level.
        change: What was really applied.
        won: The game is won.
        capped: Some of the change was lost.

    Source: Munchkin Fallout 0.9.84, Противоречия между картами и правилами (V1, V4).
    """

    level: int
    change: int
    won: bool
    capped: bool


def level_change(numbers: Numbers, level: int, change: int, source: str) -> LevelChange:
    """Return a level after a change: never below 1, the last one only by a kill.

    Args:
        numbers: The game's numbers.
        level: The level before, 1 to 9.
        change: Levels gained or lost.
        source: `kill`, `card`, `sale` or `other`.

    Source: Munchkin Fallout 0.9.84, Противоречия между картами и правилами (V1, V4).
    """
    winning = numbers.number("level", "winning")
    highest = winning if source == "kill" else winning - 1
    new = max(numbers.number("level", "min"), min(level + change, highest))
    capped = new != level + change
    steps = [step("munchkin_level", level=new, change=f"{new - level:+d}")]
    if capped:
        steps.append(step("munchkin_level.capped"))
    if new == winning:
        steps.append(step("munchkin_level.won"))
    return LevelChange(
        level=new,
        change=new - level,
        won=new == winning,
        capped=capped,
        steps=tuple(steps),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sale(Answer):
    """Items sold for levels.

    Attributes:
        allowed: They may be sold now.
        reasons: Why not: `not_own_turn`, `in_combat`, `under_1000`, `winning_level`.
        total: Worth in caps.
        gained: Levels bought.
        level: The new level.
        wasted: Caps that bought nothing.

    Source: Munchkin Fallout 0.9.84, Продажа Шмоток за Уровни (S1 to S4).
    """

    allowed: bool
    reasons: tuple[str, ...]
    total: int
    gained: int
    level: int
    wasted: int


def sell(
    numbers: Numbers,
    level: int,
    values: Sequence[int],
    own_turn: bool = True,
    in_combat: bool = False,
) -> Sale:
    """Return the levels that items buy; no change is given.

    Args:
        numbers: The game's numbers.
        level: The level before, 1 to 9.
        values: Caps of each item, with its modifiers' prices.
        own_turn: It is the player's turn.
        in_combat: A fight is going on.

    Source: Munchkin Fallout 0.9.84, Продажа Шмоток за Уровни (S1 to S4).
    """
    price = numbers.number("sale", "caps_per_level")
    room = numbers.number("level", "winning") - 1 - level
    total = sum(values)
    checks = {
        "not_own_turn": not own_turn,
        "in_combat": in_combat,
        "under_1000": total < price,
        "winning_level": room <= 0,
    }
    reasons = tuple(reason for reason, applies in checks.items() if applies)
    gained = 0 if reasons else min(total // price, room)
    wasted = 0 if reasons else total - price * gained
    steps = [step(f"munchkin_sale.{reason}") for reason in reasons]
    if not reasons:
        steps.append(step("munchkin_sale", total=total, gained=gained, wasted=wasted))
    return Sale(
        allowed=not reasons,
        reasons=reasons,
        total=total,
        gained=gained,
        level=level + gained,
        wasted=wasted,
        steps=tuple(steps),
        open=("S4",) if room <= 0 or wasted >= price else (),
    )
