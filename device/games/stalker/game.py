"""STALKER: ZONA as the table plays it."""

from __future__ import annotations

from typing import Final

from device.games.game import Game
from device.games.own import own_commands
from device.games.stalker import figures
from device.games.stalker.checks import CHECKS
from device.games.stalker.sheet import SIDES

_WHO: Final = ("figure",)

STALKER: Final = Game(
    key="stalker",
    dice_sets=("stalker",),
    checks=CHECKS,
    sides=SIDES,
    commands={
        "add_figure": (figures.add_figure, figures.FIGURE_FIELDS),
        "change_figure": (figures.change_figure, (*_WHO, *figures.FIGURE_FIELDS)),
        "remove_figure": (figures.remove_figure, _WHO),
        "count": (figures.count, (*_WHO, "what", "change")),
        "add_weapon": (figures.add_weapon, (*_WHO, *figures.WEAPON_FIELDS)),
        "remove_weapon": (figures.remove_weapon, ("weapon",)),
        "draw_card": (figures.draw_card, (*_WHO, *figures.EVENT_FIELDS)),
        "remove_card": (figures.remove_card, ("card",)),
        "agree": (
            figures.agree,
            (
                "mode",
                "allies",
                "night",
                "bad_weather",
                "every_pair",
                "markers",
                "deck",
            ),
        ),
        "check_group": (figures.check_group, ("side", "group", "pairs")),
        "show_move": (
            figures.show_move,
            (
                *_WHO,
                "terrain",
                "mode",
                "passed",
                "path",
                "carriers",
                "hilly",
                "building",
            ),
        ),
        "show_range": (figures.show_range, ("weapon",)),
        "show_inches": (figures.show_inches, ("what",)),
        "show_sight": (
            figures.show_sight,
            ("woods", "woods_edge", "lit_target", "night_vision"),
        ),
        "sight_trigger": (
            figures.sight_trigger,
            ("seen_at_start", "seen_now", "in_range_at_start", "in_range_now"),
        ),
        **own_commands(
            {
                "weapon": figures.weapon_row,
                "shooting": figures.shooting_row,
                "test": figures.test_row,
                "event": figures.event_row,
            },
            {
                "weapon": figures.WEAPON_FIELDS,
                "shooting": figures.SHOOTING_FIELDS,
                "test": figures.TEST_FIELDS,
                "event": figures.EVENT_FIELDS,
            },
        ),
    },
)
