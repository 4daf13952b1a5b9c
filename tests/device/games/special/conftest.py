"""A table with Vic, who has a rifle, and a raider in leather."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.device.games.play import Night
from tests.device.games.special.scene import RIFLE, STATS, raider, vic


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    made = Night(tmp_path, "special")
    made.do("add_character", name="Vic", special=STATS, traits=["finesse"])
    made.do("add_character", name="Raider", side="b", special=dict(STATS, ag=4))
    made.do("add_weapon", character=vic(made).id, **RIFLE)
    made.do("wear", character=raider(made).id, name="Leather", ac=5, dt=2, dr=25)
    yield made
    made.close()
