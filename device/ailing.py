"""Ailing: under-voltage and heat, said on every phone before they ruin an evening."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from device.parts import Parts
from device.ports import Clock
from device.units import Seconds
from hardware.board import Power, read_power

PERIOD_S: Final[Seconds] = 5.0
"""How often the firmware is asked: it costs one small read."""

PART: Final = "power"

WORST_FIRST: Final = {
    "undervoltage": "the supply is too weak or its cable too thin: use the board's own "
    "power supply, and never feed strips from the board",
    "throttled": "the processor is slowed down, by heat or a weak supply",
    "hot": "the board is hot: give it air or a heat sink",
    "capped": "the processor's clock is limited, by heat or a weak supply",
}
"""What to say, by name in `hardware.board.POWER_BITS`."""


class Ailing:
    """Looks at the board's power and heat now and then.

    Args:
        parts: Where it is said.
        clock: Time.
        read: Reads them; None where the machine says nothing.
    """

    def __init__(
        self,
        parts: Parts,
        clock: Clock,
        read: Callable[[], Power | None] = read_power,
    ) -> None:
        self._parts = parts
        self._clock = clock
        self._read = read
        self._due_s = clock.now_s()

    def look(self) -> None:
        """Look where that is due; call about once a second."""
        if self._clock.now_s() < self._due_s:
            return
        self._due_s = self._clock.now_s() + PERIOD_S
        power = self._read()
        if power is None:
            return
        for name, advice in WORST_FIRST.items():
            if name in power.now:
                self._parts.fails(PART, advice, kind=name)
                return
        past = [name for name in WORST_FIRST if name in power.before]
        self._parts.works(PART, notice=f"since the start: {past[0]}" if past else "")
