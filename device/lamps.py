"""The panel's lamps and buzzer: lit where the button under them does something."""

from __future__ import annotations

from typing import Final

from device.ports import Panel
from device.table.view import Snapshot
from device.units import Seconds

BEEP_S: Final[Seconds] = 0.08
"""A roll was taken: heard across the table, no alarm."""


class PanelLamps:
    """Follows the snapshots; touches the panel only where something changes.

    Args:
        panel: Open.
    """

    def __init__(self, panel: Panel) -> None:
        self._panel = panel
        self._lit = {"confirm": False, "undo": False}
        self._roll: str | None = None

    def show(self, snapshot: Snapshot) -> None:
        """Set the lamps, and beep for a new roll.

        Raises:
            HardwareError: From the panel.
        """
        state, message = snapshot.state, snapshot.live.message
        doubtful = state.check is not None and state.check.status == "unsure"
        lying = message is not None and message.key == "lying_dice"
        roll = state.check.roll if state.check is not None else None
        self._light("confirm", doubtful or lying)
        self._light("undo", state.can_undo)
        if roll is not None and roll.photo and roll.id != self._roll:
            self._panel.buzz(BEEP_S)
        self._roll = roll.id if roll is not None else self._roll

    def _light(self, name: str, lit: bool) -> None:
        if self._lit[name] != lit:
            self._panel.lamp(name, lit)
            self._lit[name] = lit
