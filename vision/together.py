"""Searches that run side by side, so that a network is asked about all of them at once.

A search is a generator: it asks for looks, is sent what they show, and returns what it
found. One thing done for every die before the next is quicker than everything for one
die after another, for what the processor keeps at hand is used again.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.crops import View
from vision.frame import Pose

Floats = NDArray[np.float32]

AT_ONCE = 2
"""Crops that a network is given at a time: for more it is slower, a batch of 16 by a
fifth, for what one layer hands the next no longer fits beside the processor. Reading
five untaught dice takes 22.7 ms by twos, 23.7 by fours and by ones."""

T = TypeVar("T")

Look: TypeAlias = tuple[Pose, Sequence[View]]
"""A die and the ways to crop it."""

Search: TypeAlias = Generator[Look, Floats, T]
"""Yields looks; is sent for each ``(len(views), n)``: what a network answers."""


def together(
    searches: Sequence[Search[T]], see: Callable[[Sequence[Look]], Sequence[Floats]]
) -> list[T]:
    """Run searches to their ends and return what they found, in their order.

    Args:
        searches: Not yet begun.
        see: Answers the looks that all searches ask for at one time.
    """
    found: dict[int, T] = {}
    waiting = {at: search.__next__ for at, search in enumerate(searches)}
    while waiting:
        asked: dict[int, Look] = {}
        for at, going_on in waiting.items():
            try:
                asked[at] = going_on()
            except StopIteration as done:
                found[at] = done.value
        told = see([*asked.values()]) if asked else ()
        waiting = {
            at: partial(searches[at].send, answer)
            for at, answer in zip(asked, told, strict=True)
        }
    return [found[at] for at in range(len(searches))]


def shared_out(answers: Floats, asked: Sequence[Look]) -> list[Floats]:
    """Return for each look its rows of the answers to all views, in their order."""
    ends = itertools.accumulate(len(views) for _, views in asked)
    return [
        answers[end - len(views) : end]
        for (_, views), end in zip(asked, ends, strict=True)
    ]
