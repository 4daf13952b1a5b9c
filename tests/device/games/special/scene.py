"""Two characters, a rifle, and how dice are typed in."""

from __future__ import annotations

from typing import Any

from device.games.special.sheet import characters, weapons
from tests.device.games.play import Night

STATS = {"st": 6, "pe": 6, "en": 6, "ch": 4, "in": 5, "ag": 8, "lk": 5}
RIFLE = {
    "name": "Rifle",
    "attack": "light",
    "damage": "1d10+6",
    "range": 20,
    "ap": 5,
    "aimed_ap": 6,
    "burst": 8,
    "magazine": 10,
    "hands": 2,
}


def vic(night: Night) -> Any:
    return characters(night.content)[0]


def raider(night: Night) -> Any:
    return characters(night.content)[1]


def rifle(night: Night) -> Any:
    return weapons(night.content, vic(night).id)[0]


def shot(night: Night, **more: Any) -> dict[str, Any]:
    args = {"attacker": vic(night).id, "weapon": rifle(night).id}
    return {**args, "target": raider(night).id, "distance": 10, **more}


def d100(roll: int) -> tuple[tuple[str, str], ...]:
    return ("d%", f"{roll // 10 % 10}0"), ("d10", str(roll % 10))
