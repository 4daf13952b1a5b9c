"""Fallout: Wasteland Warfare, put together."""

from __future__ import annotations

from typing import Final

from device.games.foww.battle import DEEDS
from device.games.foww.checks import CHECKS
from device.games.foww.editing import EDITS
from device.games.foww.flows.commands import COMMANDS, rolled
from device.games.foww.wounds import follow_correction
from device.games.game import Game
from device.table.army import SIDES

FOWW: Final = Game(
    key="foww",
    dice_sets=("foww", "demo"),
    checks=CHECKS,
    commands={**DEEDS, **EDITS, **COMMANDS},
    sides=SIDES,
    corrected=follow_correction,
    rolled=rolled,
)
