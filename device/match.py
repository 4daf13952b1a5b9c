"""Matches the dice of a throw with what a check asks for.

One die is never taken for another: a roll is complete only when every wanted die is
there once, by name, and nothing else was thrown with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from device.rules.dice import DiceSet, Die
from device.table.state import Want


class Seen(Protocol):
    """A die in the tray, as far as matching needs it."""

    @property
    def id(self) -> str:
        """Stable while it lies there."""
        ...

    @property
    def die(self) -> str:
        """Name of a taught die, or an untaught kind."""
        ...


@dataclass(frozen=True, slots=True)
class Match:
    """What a throw has to do with a check.

    Attributes:
        taken: Ids of the dice that are wanted, with the name they are wanted as, in
            the order of the wants.
        missing: What is still to be thrown.
        surplus: Ids of wanted dice beyond the number wanted: all of that name, for
            nobody can say which of them is one too many.
        wrong: Ids of dice that were not asked for.
    """

    taken: tuple[tuple[str, str], ...]
    missing: tuple[Want, ...]
    surplus: tuple[str, ...]
    wrong: tuple[str, ...]

    @property
    def has_all(self) -> bool:
        """Every wanted die is there exactly once, whatever else is."""
        return not self.missing and not self.surplus

    @property
    def is_exact(self) -> bool:
        """Just the wanted dice and nothing else."""
        return self.has_all and not self.wrong


def match_dice(dice: Sequence[Seen], wants: Sequence[Want], known: DiceSet) -> Match:
    """Return how the dice of a throw fit what a check wants.

    Args:
        dice: Fresh dice only; old ones do not belong to the throw.
        wants: Still to be thrown; names of `known`.
        known: The dice in play.
    """
    names = {seen.id: _name(seen.die, known) for seen in dice}
    taken: list[tuple[str, str]] = []
    missing: list[Want] = []
    surplus: list[str] = []
    for want in wants:
        ids = [seen.id for seen in dice if names[seen.id] == want.die]
        if len(ids) > want.count:
            surplus += ids
        else:
            taken += ((one, want.die) for one in ids)
        if len(ids) < want.count:
            missing.append(Want(want.die, want.count - len(ids)))
    wanted = {want.die for want in wants}
    wrong = tuple(seen.id for seen in dice if names[seen.id] not in wanted)
    return Match(tuple(taken), tuple(missing), tuple(surplus), wrong)


def _name(die: str, known: DiceSet) -> str:
    """Return the name that a seen die has in the set.

    An untaught kind stands in for a die of the set only where the set has a single
    die of that shape and it bears plain numerals, each at the face that says so.
    Dice with icons, or with numbers of their own (a red d12 with 1 to 4), must be
    taught: no numeral is translated.
    """
    if any(own.name == die for own in known.dice):
        return die
    same = [own for own in known.dice if own.shape == die]
    return same[0].name if len(same) == 1 and _is_plain(same[0]) else die


def _is_plain(die: Die) -> bool:
    count = {"d4": 4, "d6": 6, "d8": 8, "d12": 12, "d20": 20}.get(die.shape, 0)
    numerals = [str(number) for number in range(1, count + 1)]
    return bool(numerals) and sorted(die.sides) == sorted(numerals)
