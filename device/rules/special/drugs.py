"""Drugs, addiction and withdrawal (S.P.E.C.I.A.L., Препараты)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from device.errors import BadInput
from device.rules.answer import Answer
from device.rules.step import step

FIRST_DAY, SECOND_DAY, THIRD_DAY = 24, 48, 72  # hours of withdrawal, X7
STREAK = 5  # equal Endurance rolls in a row that decide, X7


@dataclass(frozen=True, slots=True, kw_only=True)
class DrugTaken(Answer):
    """Whether a drug makes its user addicted.

    Source: S.P.E.C.I.A.L., Препараты, привыкание и отвыкание (X6).
    """

    chance: int
    addicted: bool


def take_drug(strength: int, roll: int, modifier: int = 0) -> DrugTaken:
    """Return whether a drug makes its user addicted: a roll up to its strength does.

    Source: S.P.E.C.I.A.L., Препараты, привыкание и отвыкание (X6).
    """
    chance = strength + modifier
    addicted = roll <= chance
    key = "special_drug.addicted" if addicted else "special_drug"
    return DrugTaken(
        chance=chance, addicted=addicted, steps=(step(key, roll=roll, chance=chance),)
    )


@dataclass(frozen=True, slots=True)
class DrugStats:
    """The stats that withdrawal lowers.

    Source: S.P.E.C.I.A.L., Препараты, привыкание и отвыкание (X7).
    """

    st: int
    pe: int
    en: int
    ag: int

    def less(self, st: int = 0, pe: int = 0, en: int = 0, ag: int = 0) -> DrugStats:
        """Return lowered stats, each at least 1."""
        return DrugStats(
            max(1, self.st - st),
            max(1, self.pe - pe),
            max(1, self.en - en),
            max(1, self.ag - ag),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal(Answer):
    """A body without its drug.

    Attributes:
        special: The stats now.
        outcome: `none`, `withdrawal`, `unconscious`, `recovered` or `dead`.
        can_heal: Healing works.

    Source: S.P.E.C.I.A.L., Препараты, привыкание и отвыкание (X7, X8).
    """

    special: DrugStats
    outcome: str
    can_heal: bool


def withdrawal(
    special: DrugStats, hours: int, checks: Sequence[bool] = ()
) -> Withdrawal:
    """Return what withdrawal does.

    Args:
        special: The stats before.
        hours: Since the last dose ran out.
        checks: Hourly Endurance rolls, from the third day's end on; five equal ones
            in a row decide, later ones are ignored.

    Raises:
        BadInput: Rolls before that hour.

    Source: S.P.E.C.I.A.L., Препараты, привыкание и отвыкание (X7, X8).
    """
    if checks and hours < THIRD_DAY:
        raise BadInput(f"Endurance is rolled from hour {THIRD_DAY} on", "checks")
    outcome = _outcome(hours, checks)
    now = special
    if outcome == "recovered":
        now = special.less(en=1)
    elif hours >= SECOND_DAY:
        now = special.less(st=1, pe=2, en=2, ag=3)
    elif hours >= FIRST_DAY:
        now = special.less(en=1, ag=1)
    return Withdrawal(
        special=now,
        outcome=outcome,
        can_heal=outcome in ("none", "recovered"),
        steps=(step(f"special_withdrawal.{outcome}", hours=hours),),
        open=("X8",) if hours >= SECOND_DAY else (),
    )


def _outcome(hours: int, checks: Sequence[bool]) -> str:
    if hours < FIRST_DAY:
        return "none"
    if hours < THIRD_DAY:
        return "withdrawal"
    for passed, run in groupby(checks):
        if len(list(run)) >= STREAK:
            return "recovered" if passed else "dead"
    return "unconscious"
