"""How most makers number a d20 and a d10: which faces lie round each.

On strangers' photographs 80 of 84 d20s whose neighbours can be read have those of
`AROUND`, 3 of one die have them the other way round, and of one a neighbour is misread.
So have all of 13 d10s, of two makers, and all of 10 d%, of one. Of artists' dice in
another's renders 12 of 48 d20s, 21 of 25 d10s and 6 of 38 d% are numbered so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.synth.solids import Solid, solid

Ring = tuple[int, ...]
"""Numbers of the faces round one, clockwise as seen from above it."""

AROUND: Final[dict[str, dict[int, Ring]]] = {
    "d20": {
        1: (7, 19, 13),
        2: (12, 18, 20),
        3: (16, 19, 17),
        4: (11, 14, 18),
        5: (13, 18, 15),
        6: (9, 16, 14),
        7: (1, 15, 17),
        8: (10, 20, 16),
        9: (6, 11, 19),
        10: (8, 17, 12),
        11: (4, 13, 9),
        12: (2, 10, 15),
        13: (1, 11, 5),
        14: (4, 6, 20),
        15: (5, 12, 7),
        16: (3, 8, 6),
        17: (3, 7, 10),
        18: (2, 5, 4),
        19: (1, 3, 9),
        20: (2, 14, 8),
    },
    "d10": {
        0: (4, 8),
        1: (7, 9),
        2: (8, 6),
        3: (5, 7),
        4: (6, 0),
        5: (9, 3),
        6: (2, 4),
        7: (3, 1),
        8: (0, 2),
        9: (1, 5),
    },
}
"""By solid and number. On a d10 the two faces that meet it at its sharp tip; a d% has
ten times as much on each face. Opposite faces sum to 21, and to 9."""

USUAL_SHARE: Final = 0.8
"""Of the d20s, d10s and d% drawn: few makers number theirs otherwise."""

BESIDE: Final = 0.4
"""Cosine between two faces that lie beside each other; others have 0.34 at most."""


def faces_around(body: Solid, face: int) -> tuple[int, ...]:
    """Return the faces round a readable one: all that can be read from above.

    Args:
        body: A d10, d12 or d20.
        face: Index of the face.

    Returns:
        Indices, clockwise as seen from above that face; on a d10 the one left of the
        sharp tip first.
    """
    alike = body.normals @ body.normals[face]
    near = [k for k in range(body.readable) if k != face and alike[k] > BESIDE]
    away = body.normals[near]
    angle = np.arctan2(away @ body.rights[face], away @ body.ups[face])
    return tuple(near[at] for at in np.argsort(angle))


def usual_numbers(shape: str) -> list[int]:
    """Return a number for each face of a die, as most makers have it.

    Args:
        shape: ``d20`` or ``d10``.
    """
    body, around = solid(shape), AROUND[shape]
    highest = max(around)
    numbers = {0: highest}
    waiting = [0]
    while waiting:
        face = waiting.pop()
        ring, number = faces_around(body, face), around[numbers[face]]
        known = next((at for at, other in enumerate(ring) if other in numbers), 0)
        start = number.index(numbers[ring[known]]) if ring[known] in numbers else 0
        found = {
            other: number[(start + at - known) % len(ring)]
            for at, other in enumerate(ring)
        }
        found[int(body.opposite[face])] = min(around) + highest - numbers[face]
        waiting += [other for other in found if other not in numbers]
        numbers |= found
    return [numbers[face] for face in range(body.readable)]


def as_usual(shape: str, sides: Sequence[str]) -> tuple[str, ...]:
    """Return what each face of a die bears, where most makers put it.

    Args:
        shape: Its solid; only a d20 and a d10 have a usual order.
        sides: From the lowest number up.
    """
    if shape not in AROUND:
        return tuple(sides)
    return tuple(sides[number - min(AROUND[shape])] for number in usual_numbers(shape))
