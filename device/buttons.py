"""The panel kept alive: opened, opened again when it failed, its lamps kept true.

A panel that is missing, fails or hangs degrades alone: the page does everything its
buttons do.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from device.errors import HardwareError
from device.lamps import PanelLamps
from device.parts import Parts, kind_of
from device.ports import Clock, Panel
from device.retry import Backoff
from device.table.view import Snapshot
from device.units import Seconds

logger = logging.getLogger(__name__)

HUNG_S: Final[Seconds] = 3.0
"""Pins answer within milliseconds."""

PART: Final = "panel"


class PanelWatch:
    """Owns the panel; used from the light's thread, `look_after` from any.

    Args:
        open_it: Opens the panel; raises HardwareError.
        press: Takes presses, from the driver's thread.
        parts: Where a failing panel is said.
        clock: Time.
    """

    def __init__(
        self,
        open_it: Callable[[], Panel],
        press: Callable[[str], None],
        parts: Parts,
        clock: Clock,
    ) -> None:
        self._open_it = open_it
        self._press = press
        self._parts = parts
        self._clock = clock
        self._backoff = Backoff(clock)
        self._panel: Panel | None = None
        self._lamps: PanelLamps | None = None
        self._busy_since_s: Seconds | None = None
        self._is_hung = False

    def open(self) -> None:
        """Open the panel where that is due; a failure is said, never raised."""
        if self._panel is not None or not self._backoff.is_due():
            return
        self._guarded(self._opened)

    def show(self, snapshot: Snapshot) -> None:
        """Keep the lamps true to a snapshot; opens a panel that is not open."""
        self.open()
        lamps = self._lamps
        if lamps is not None:
            self._guarded(lambda: lamps.show(snapshot))

    def look_after(self) -> None:
        """Say so where the driver hangs; call about once a second."""
        since_s = self._busy_since_s
        if since_s is None or self._is_hung:
            return
        if self._clock.now_s() - since_s > HUNG_S:
            self._is_hung = True
            self._parts.fails(PART, "its driver does not answer", kind="hung")

    def close(self) -> None:
        """Release the pins; may be called twice."""
        panel, self._panel, self._lamps = self._panel, None, None
        if panel is None:
            return
        try:
            panel.close()
        except HardwareError as error:
            logger.info("closing the panel: %s", error)

    def _opened(self) -> None:
        panel = self._open_it()
        self._panel = panel
        panel.listen(self._press)
        panel.tray_light(True)
        self._lamps = PanelLamps(panel)
        self._works(panel)

    def _works(self, panel: Panel) -> None:
        self._backoff.worked()
        self._parts.works(PART, simulated=panel.simulated, label="buttons")

    def _guarded(self, work: Callable[[], None]) -> None:
        self._busy_since_s = self._clock.now_s()
        try:
            work()
        except HardwareError as error:
            logger.warning("the panel: %s", error)
            self._parts.fails(PART, str(error), kind=kind_of(error))
            self._backoff.failed()
            self.close()
        else:
            if self._is_hung and self._panel is not None:
                self._works(self._panel)
        self._is_hung = False
        self._busy_since_s = None
