"""Munchkin Fallout as the table plays it."""

from __future__ import annotations

from typing import Final

from device.games.game import Game
from device.games.munchkin import fights, players
from device.games.munchkin.checks import CHECKS

MUNCHKIN: Final = Game(
    key="munchkin",
    dice_sets=("munchkin",),
    checks=CHECKS,
    commands={
        "add_player": (players.add_player, ("name",)),
        "remove_player": (players.remove_player, ("player",)),
        "level": (players.level, ("player", "change", "source")),
        "count": (players.count, ("player", "what", "change")),
        "add_item": (
            players.add_item,
            (
                "player",
                "name",
                "slot",
                "bonus",
                "price",
                "big",
                "one_shot",
                "in_use",
            ),
        ),
        "use_item": (players.use_item, ("player", "item", "in_use")),
        "drop_item": (players.drop_item, ("player", "item")),
        "sell": (players.sell, ("player", "items", "caps")),
        "companion": (players.companion, ("player", "name")),
        "trap": (players.trap, ("player", "name", "over")),
        "irradiate": (players.irradiate, ("player", "over")),
        "die": (players.die, ("player",)),
        "turn": (players.turn, ("player",)),
        "agree": (
            players.agree,
            (
                "run_away_target",
                "radiation_target",
                "start_level",
                "hand_limit",
                "irradiation_step",
                "harsh",
                "bars",
            ),
        ),
        "junk": (players.junk, ("compensation", "open")),
        "begin_fight": (fights.begin, ("player",)),
        "add_monster": (
            fights.add_monster,
            ("name", "strength", "treasures", "levels", "radiation"),
        ),
        "modify_monster": (fights.modify_monster, ("monster", "value", "treasures")),
        "remove_monster": (
            fights.remove_monster,
            ("monster", "removed", "treasures_on_win"),
        ),
        "ask_helper": (fights.ask_helper, ("player",)),
        "fight_bonus": (fights.fight_bonus, ("change",)),
        "decide_fight": (fights.decide_fight, ()),
        "end_fight": (fights.end_fight, ()),
    },
)
