"""Shorthand for questions in these tests."""

from __future__ import annotations

from typing import Any

from tests.device.rules.asking import Game

FOWW = Game("foww")
ask, fault = FOWW.ask, FOWW.fault


def dice(colour: str, *faces: str) -> list[dict[str, Any]]:
    """Return rolled effect dice; a face is icons joined by +, or empty."""
    return [{"die": colour, "icons": [i for i in f.split("+") if i]} for f in faces]
