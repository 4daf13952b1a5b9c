"""Under-voltage and heat are said on the page, and taken back when they are over."""

from __future__ import annotations

from device.ailing import PERIOD_S, Ailing
from device.board import Board
from device.parts import Parts
from device.table.state import TableState
from hardware.board import Power
from hardware.sim.clock import ManualClock


def power(*now: str, before: tuple[str, ...] = ()) -> Power:
    return Power(frozenset(now), frozenset((*now, *before)))


def test_under_voltage_is_said_and_taken_back() -> None:
    clock, board = ManualClock(), Board(TableState(), 0)
    says: list[Power | None] = [
        None,
        power(),
        power("throttled", "undervoltage"),
        power(before=("undervoltage",)),
    ]
    ailing = Ailing(Parts(board, clock.wall_s), clock, lambda: says.pop(0))

    ailing.look()
    assert board.snapshot.live.parts == (), "a laptop says nothing of it"
    clock.advance(PERIOD_S)
    ailing.look()
    ailing.look()
    assert board.snapshot.live.parts[0].ok
    clock.advance(PERIOD_S)
    ailing.look()
    part = board.snapshot.live.parts[0]
    assert (part.ok, part.kind) == (False, "undervoltage")
    assert "power supply" in part.message
    clock.advance(PERIOD_S)
    ailing.look()
    part = board.snapshot.live.parts[0]
    assert part.ok and "undervoltage" in part.message
    assert says == []
