"""Dice that lie unlike the others of their picture: one camera sees all of them.

Where the camera's place is not known, a die that leans looks like one that lies flat
and is seen from the side. Among several it gives itself away: from where the others'
up faces are seen, one line of sight follows for each place of the picture, and a die
that leans, or whose front was taken for its top, does not agree. And where the dice
agree, it is the camera that slants, however much each alone seems to lean.

Even one die alone can give itself away: somebody who looks at a table aslant sees up
faces farther up in the picture than from straight above, not to a side and not lower.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Slopes: TypeAlias = NDArray[np.float64]

FEWEST = 3
"""Dice that it takes to tell the odd one. Of three in drawn scenes, slanted up to 38
degrees, 26 of 95 leaning and 14 of 237 flat ones are told odd; of four 22 of 79 and 10
of 222; of three on strangers' photographs and renders none of 33 read right."""

LIMIT = 0.25
"""Disagreement, in radii, from which a die lies otherwise. Of 598 dice read right on
strangers' photographs 99 in 100 disagreed by less than 0.19, none by more than this."""

TOGETHER = 0.12
"""Disagreement with the others up to which a die lies as they do. Of 743 dice read
right on strangers' photographs and renders nine in ten disagree by less. In drawn
scenes of 2 to 5 dice under a slanting camera, a quarter of them leaning, it clears 14
of the 53 flat dice that the pose network alone took for leaning, and 4 of the 46 that
did lean; at 0.2 21 and 15."""

SIDEWAYS = 0.3
"""Slope to a side or downwards from which no upright camera sees a flat die's up face.
On strangers' photographs and renders the 903 dice vouched for in pictures without a
mistake have less than 0.28; of 17 read wrong alone 5 had more, 4 of them d20 whose
front was taken for the top."""

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
    odd = _off(lies, _usual) > LIMIT
    if odd.sum() > (1 - AGREEING) * len(lies):
        return (False,) * len(lies)
    return tuple(bool(one) for one in odd)


def together(lies: Sequence[Lie]) -> tuple[bool, ...]:
    """Say of each die whether it lies as the others do: then it lies flat."""
    if len(lies) < 2:
        return (False,) * len(lies)
    like = _off(lies, _others) <= TOGETHER
    if like.sum() < AGREEING * len(lies):
        return (False,) * len(lies)
    return tuple(bool(one) for one in like)


def sideways(lies: Sequence[Lie]) -> tuple[bool, ...]:
    """Say of each die whether no camera held upright would see its up face there."""
    return tuple(_slope_sideways(lie) > SIDEWAYS for lie in lies)


def _slope_sideways(lie: Lie) -> float:
    """Return the slope to a side or downwards that the field of view leaves open."""
    right, down = (part / lie.height for part in lie.beside)
    x, y = lie.place
    return min(math.hypot(right - w * x, max(0.0, down - w * y)) for w in _WIDTHS)


def _off(lies: Sequence[Lie], expected: Callable[[Slopes], Slopes]) -> Slopes:
    """Return how far each up face is from where it is expected, in radii.

    Args:
        lies: Two or more.
        expected: Returns the slope expected of each die, from the slopes of all.
    """
    heights = np.array([lie.height for lie in lies])
    slopes = np.array([lie.beside for lie in lies]) / heights[:, None]
    places = np.array([lie.place for lie in lies])
    levelled = (slopes - wide * places for wide in _WIDTHS)
    offs = (np.linalg.norm(s - expected(s), axis=1) * heights for s in levelled)
    return min(offs, key=lambda off: float(np.minimum(off, LIMIT).sum()))


def _usual(slopes: Slopes) -> Slopes:
    """Return the usual slope."""
    return np.asarray(np.median(slopes, axis=0))


def _others(slopes: Slopes) -> Slopes:
    """Return for each die the usual slope of the others."""
    rest = (np.delete(slopes, k, axis=0) for k in range(len(slopes)))
    return np.array([np.median(some, axis=0) for some in rest])
