"""Effect dice as rolled, and the icons on them (rulebook 2PB-002-111 §2.4 p.10-11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from device.errors import BadInput
from device.rules.dice import EFFECT_COLOURS

MAX_DICE_A_COLOUR = 4
"""The effect cap of one check, §2.4 p.11."""

ACCURACY = {"acc1": 1, "acc2": 2, "acc3": 3}
"""What an accuracy icon takes off the skill die, §2.4 p.11."""

COUNTED_ICONS = ("dmg", "pen", "bottle", "star", "burst")
"""Icons that count only on a success, §2.4 p.10."""


@dataclass(frozen=True, slots=True)
class EffectDie:
    """One rolled effect die.

    Attributes:
        die: Colour, one of the four effect dice.
        icons: What its up face shows, at most two.

    Source: rulebook 2PB-002-111 §2.4 p.11.
    """

    die: str
    icons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Icons:
    """How many icons of each kind count.

    Source: rulebook 2PB-002-111 §2.4 p.11.
    """

    dmg: int = 0
    pen: int = 0
    bottle: int = 0
    star: int = 0
    burst: int = 0


@dataclass(frozen=True, slots=True)
class SpecialIcons:
    """Icons that pay for special effects.

    Source: rulebook 2PB-002-111 §2.4 p.11, §2.9 p.20.
    """

    bottle: int = 0
    star: int = 0
    burst: int = 0


NO_ICONS = Icons()


def check_effect_cap(effects: Sequence[EffectDie]) -> None:
    """Refuse more effect dice of one colour than a check may have.

    Raises:
        BadInput: More than four of one colour; the list itself is at fault.

    Source: rulebook 2PB-002-111 §2.4 p.11.
    """
    counts = Counter(effect.die for effect in effects)
    for colour in EFFECT_COLOURS:
        if counts[colour] > MAX_DICE_A_COLOUR:
            raise BadInput(
                f"{counts[colour]} {colour} dice; a check has at most "
                f"{MAX_DICE_A_COLOUR} of one colour, drop the others before rolling"
            )


def count_icons(effects: Iterable[EffectDie]) -> Icons:
    """Return how often each counted icon was rolled.

    Source: rulebook 2PB-002-111 §2.4 p.11.
    """
    counts = Counter(icon for effect in effects for icon in effect.icons)
    return Icons(**{icon: counts[icon] for icon in COUNTED_ICONS})


def accuracy_of(effects: Iterable[EffectDie]) -> int:
    """Return what the accuracy icons add to the skill die, <= 0.

    Source: rulebook 2PB-002-111 §2.4 p.11.
    """
    return -sum(ACCURACY.get(icon, 0) for effect in effects for icon in effect.icons)
