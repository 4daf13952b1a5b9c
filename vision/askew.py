"""Dice that lie unlike the others of their picture: one camera sees all of them.

Where the camera's place is not known, a die that leans looks like one that lies flat
and is seen from the side. Among several it gives itself away: from where the others'
up faces are seen, one line of sight follows for each place of the picture, and a die
that leans, or whose front was taken for its top, does not agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FEWEST = 4
"""Dice that it takes to tell the odd one."""

LIMIT = 0.25
"""Disagreement, in radii, from which a die lies otherwise. Of 598 dice read right on
strangers' photographs 99 in 100 disagreed by less than 0.19, none by more than this."""

AGREEING = 2 / 3
"""Share of the dice that must agree, or nothing is said of any."""

WIDEST = 1.2
"""Greatest change of the line of sight's slope across the width of a picture: a field
of view of 62 degrees."""

_WIDTHS = np.linspace(0, WIDEST, 7)


@dataclass(frozen=True, slots=True)
class Lie:
    """How one die lies in the picture.

    Attributes:
        place: Right and down of the picture's middle, in picture widths.
        beside: Where its up face is seen, right and down of where it would be from
            straight above, in radii.
        height: Of the up face over the die's middle, in radii.
    """

    place: tuple[float, float]
    beside: tuple[float, float]
    height: float


def askew(lies: Sequence[Lie]) -> tuple[bool, ...]:
    """Say of each die whether it lies unlike most of the others."""
    if len(lies) < FEWEST:
        return (False,) * len(lies)
    heights = np.array([lie.height for lie in lies])
    slopes = np.array([lie.beside for lie in lies]) / heights[:, None]
    places = np.array([lie.place for lie in lies])
    off = min(
        (_off(slopes - wide * places, heights) for wide in _WIDTHS),
        key=lambda one: float(np.minimum(one, LIMIT).sum()),
    )
    odd = off > LIMIT
    if odd.sum() > (1 - AGREEING) * len(lies):
        return (False,) * len(lies)
    return tuple(bool(one) for one in odd)


def _off(
    slopes: NDArray[np.float64], heights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return how far each up face is from where the usual slope puts it, in radii."""
    away: NDArray[np.float64] = np.linalg.norm(
        slopes - np.median(slopes, axis=0), axis=1
    )
    return away * heights
