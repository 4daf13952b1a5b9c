"""Killed at random moments: nothing that was told is lost (`dicelight bench`)."""

from __future__ import annotations

from pathlib import Path

from device.kills import count_losses


def test_a_killed_loop_loses_no_acknowledged_event(tmp_path: Path) -> None:
    tally = count_losses(tmp_path, kills=4, seed=1)
    assert tally.kills == 4
    assert tally.told > 10
    assert tally.clean, tally
