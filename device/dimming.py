"""When strips beside the tray are dim: from a movement until the dice have been read.

LEDs near the tray colour the dice and shine back from them. They go dim when something
moves in the tray and come back once the tray has rested long enough for the reading and
its second look. Becoming bright again is a change in the picture too: what seems to
move in that moment does not make them dim again, else they would flicker.
"""

from __future__ import annotations

from typing import Final

from device.ports import Clock
from device.units import Seconds

READ_S: Final[Seconds] = 0.5
"""Rest after which the reading and its second look (0.25 s later) are done."""

LONGEST_S: Final[Seconds] = 8.0
"""A hand that stays over the tray does not keep the ruler dim for ever."""

SETTLES_S: Final[Seconds] = 1.0
"""So long after becoming bright again nothing counts as movement; dice roll longer."""

MOVING: Final = frozenset({"moving", "settling", "hand"})
"""Phases of the tray in which dice may come to rest at any moment."""


class Dimming:
    """Follows the tray's phase; not thread-safe.

    Args:
        clock: Time.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._is_dim = False
        self._dim_s = self._bright_s = self._rest_s = clock.now_s() - LONGEST_S

    @property
    def is_dim(self) -> bool:
        """Whether strips near the tray are to be dim."""
        return self._is_dim

    def update(self, phase: str) -> bool:
        """Take the tray's phase and return whether to be dim now.

        Args:
            phase: See `device.table.view.Live`.
        """
        now_s = self._clock.now_s()
        moves = phase in MOVING
        if moves:
            self._rest_s = now_s
        if not self._is_dim:
            if moves and now_s - self._bright_s > SETTLES_S:
                self._is_dim, self._dim_s = True, now_s
        elif now_s - self._rest_s > READ_S or now_s - self._dim_s > LONGEST_S:
            self._is_dim, self._bright_s = False, now_s
        return self._is_dim
