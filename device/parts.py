"""Parts: which pieces of the hardware work, said on every phone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

from device.board import Board
from device.errors import HardwareError, HardwareNotFound
from device.table.view import Part


def kind_of(error: HardwareError) -> str:
    """Return how a part fails, as `device.table.view.Part.kind` has it."""
    return "absent" if isinstance(error, HardwareNotFound) else "failed"


class Parts:
    """Keeps the status of every part and publishes changes; safe from any thread.

    Args:
        board: Where it is published.
        wall_s: Seconds since the epoch.
    """

    def __init__(self, board: Board, wall_s: Callable[[], float]) -> None:
        self._board = board
        self._wall_s = wall_s
        self._lock = threading.Lock()
        self._parts: dict[str, Part] = {}

    def works(
        self, name: str, *, simulated: bool = False, label: str = "", notice: str = ""
    ) -> None:
        """Say that a part works; `notice` is what is still worth knowing."""
        self._set(name, ok=True, simulated=simulated, message=notice, label=label)

    def fails(
        self,
        name: str,
        message: str,
        *,
        simulated: bool | None = None,
        kind: str = "",
        since_s: float | None = None,
    ) -> None:
        """Say that a part is missing or fails, and why.

        Args:
            name: Of the part.
            message: Why.
            simulated: Whether it is; None keeps what was known.
            kind: As in `Part`.
            since_s: Seconds since the epoch; None is now, or since it was first said.
        """
        with self._lock:
            known = self._parts.get(name)
        self._set(
            name,
            ok=False,
            simulated=(known.simulated if known else False)
            if simulated is None
            else simulated,
            message=message,
            label=known.label if known else "",
            kind=kind,
            since_s=since_s,
        )

    def _set(
        self,
        name: str,
        *,
        ok: bool,
        simulated: bool,
        message: str,
        label: str,
        kind: str = "",
        since_s: float | None = None,
    ) -> None:
        with self._lock:
            known = self._parts.get(name)
            if since_s is None and known is not None and known.ok == ok:
                since_s = known.since_s
            part = Part(
                name=name,
                ok=ok,
                simulated=simulated,
                since_s=round(self._wall_s() if since_s is None else since_s, 3),
                message=message,
                label=label,
                kind=kind,
            )
            self._parts[name] = part
            parts = tuple(self._parts.values())
            self._board.change_live(lambda live: replace(live, parts=parts))
