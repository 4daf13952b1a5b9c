"""One step of an explanation: which rule acted, and with which numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

Param: TypeAlias = int | str
"""A number, or a word that stands for itself (a name, a colour key, "1.5")."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one rule did; its sentence is `texts.TEXTS[step.key]`.

    Attributes:
        rule: Key of the rule in the game's glossary, e.g. `cover`.
        params: What fills the sentence, by name.
        variant: Tells two sentences about the same rule apart, e.g. `armour`; may be
            empty.

    Source: house rule; the shape of `steps` in the resolver's contract, section 1.
    """

    rule: str
    params: tuple[tuple[str, Param], ...] = ()
    variant: str = ""

    @property
    def key(self) -> str:
        """Key of the sentence: `rule`, or `rule.variant`."""
        return f"{self.rule}.{self.variant}" if self.variant else self.rule


def step(key: str, **params: Param) -> Step:
    """Return the step of a sentence key, `rule` or `rule.variant`.

    Source: house rule.
    """
    rule, _, variant = key.partition(".")
    return Step(rule, tuple(params.items()), variant)


def plain(value: Fraction | int) -> Param:
    """Return a number as a sentence shows it: `3`, or `50.8` as text.

    Source: house rule.
    """
    if value == int(value):
        return int(value)
    digits = round(
        abs(Fraction(value)) * 10_000
    )  # exact: the text shows four of them at most
    whole, rest = divmod(digits, 10_000)
    text = f"{whole}.{rest:04d}".rstrip("0").rstrip(".")
    return f"-{text}" if value < 0 else text
