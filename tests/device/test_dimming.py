"""Strips beside the tray are dim while dice come to rest, and do not flicker."""

from __future__ import annotations

from device.dimming import LONGEST_S, READ_S, SETTLES_S, Dimming
from hardware.sim.clock import ManualClock

STEP_S = 0.1


def play(
    clock: ManualClock, dimming: Dimming, phase: str, seconds: float
) -> list[bool]:
    """Hold a phase; return what was shown at each step."""
    shown = []
    for _ in range(round(seconds / STEP_S)):
        clock.advance(STEP_S)
        shown.append(dimming.update(phase))
    return shown


def test_strips_are_dim_from_the_first_movement_until_the_dice_are_read() -> None:
    clock = ManualClock()
    dimming = Dimming(clock)
    assert not any(play(clock, dimming, "empty", 3))
    assert all(play(clock, dimming, "moving", 1))
    assert all(play(clock, dimming, "settling", 0.3))
    still = play(clock, dimming, "still", 1)
    assert all(still[: round(READ_S / STEP_S) - 1])
    assert not any(still[-3:])


def test_becoming_bright_again_does_not_make_them_dim_again() -> None:
    clock = ManualClock()
    dimming = Dimming(clock)
    play(clock, dimming, "moving", 1)
    play(clock, dimming, "still", 1)
    changes = 0
    before = dimming.is_dim
    for _ in range(20):
        # The change of light is taken for movement, each time it happens.
        changed = dimming.is_dim != before
        changes += changed
        before = dimming.is_dim
        play(clock, dimming, "moving" if changed else "still", 0.2)
    assert changes <= 1


def test_a_throw_soon_after_a_reading_is_dim_before_it_can_rest() -> None:
    clock = ManualClock()
    dimming = Dimming(clock)
    play(clock, dimming, "moving", 1)
    play(clock, dimming, "still", 0.8)
    shown = play(clock, dimming, "moving", SETTLES_S + 0.3)
    assert shown[-1]


def test_a_hand_that_stays_does_not_keep_the_ruler_dim() -> None:
    clock = ManualClock()
    dimming = Dimming(clock)
    shown = play(clock, dimming, "hand", LONGEST_S + 0.5)
    assert shown[0] and not shown[-1]
