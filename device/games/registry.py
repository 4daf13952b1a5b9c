"""Every game that a table can be opened for."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from device.data.load import load_dice_set
from device.errors import BadInput
from device.games.foww.game import FOWW
from device.games.game import Game
from device.games.munchkin.game import MUNCHKIN
from device.games.special.game import SPECIAL
from device.games.stalker.game import STALKER
from device.rules.dice import DiceSet

GAMES: Final[Mapping[str, Game]] = MappingProxyType(
    {game.key: game for game in (FOWW, STALKER, SPECIAL, MUNCHKIN)}
)
"""By key, in the order in which the page offers them."""


def find_game(key: str) -> Game:
    """Return a game.

    Raises:
        BadInput: There is none of that key.
    """
    if key not in GAMES:
        raise BadInput(f"expected one of {', '.join(GAMES)}", "game")
    return GAMES[key]


def dice_in_play(game: str, wanted: str) -> DiceSet:
    """Return the dice that a game is played with.

    Args:
        game: Its key.
        wanted: Name of the set that the config asks for; a game that it does not
            serve takes its own first one.

    Raises:
        BadInput: There is no such game.
    """
    sets = find_game(game).dice_sets
    return load_dice_set(wanted if wanted in sets else sets[0])


def other_dice(game: str) -> tuple[DiceSet, ...]:
    """Return the first dice set of every game but one."""
    return tuple(
        load_dice_set(one.dice_sets[0]) for one in GAMES.values() if one.key != game
    )
