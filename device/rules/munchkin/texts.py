"""English sentences of the steps of Munchkin Fallout, in our own words."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "munchkin_setup": "Everybody draws {doors} doors and {treasures} treasures",
    "munchkin_level": "Level {level} ({change})",
    "munchkin_level.capped": "The rest of the change is lost",
    "munchkin_level.won": "The game is won",
    "munchkin_sale": "{total} caps buy {gained} levels, {wasted} wasted",
    "munchkin_sale.not_own_turn": "Items are sold only in the own turn",
    "munchkin_sale.in_combat": "Nothing is sold in a fight",
    "munchkin_sale.under_1000": "Worth less than 1000 caps",
    "munchkin_sale.winning_level": "The winning level cannot be bought",
    "munchkin_hand": "{cards} cards, {limit} allowed",
    "munchkin_hand.over": "{cards} cards, {limit} allowed: {over} too many",
    "munchkin_items": "All may be used: {hands} hands, {big} big",
    "munchkin_items.big": "Too many big items",
    "munchkin_items.head": "More than one headgear in use",
    "munchkin_items.armour": "More than one body armour in use",
    "munchkin_items.feet": "More than one footwear in use",
    "munchkin_items.hands": "More items in use than two hands hold",
    "munchkin_items.one_shot": "One-shot items are not kept in use",
    "munchkin_junk": "Junk: draw one more treasure",
    "munchkin_junk.none": "No replacement",
    "munchkin_strength": "Players {ours}, monsters {theirs}",
    "munchkin_combat.kill": "Killed: {levels} levels, {treasures} treasures",
    "munchkin_combat.lose": "The monsters are not exceeded: run away",
    "munchkin_combat.no_monsters": "No monster is left: {treasures} treasures",
    "munchkin_escape": "{total} reaches {target}: escaped",
    "munchkin_escape.failed": "{total} is below {target}: caught",
    "munchkin_escape.companion": "A companion is left behind: escaped",
    "munchkin_escape.forbidden": "This monster forbids escape",
    "munchkin_radiation": "{total} reaches {target}: protected",
    "munchkin_radiation.failed": "{total} is below {target}: penalty {penalty}",
    "munchkin_irradiation": "The penalty grows to {penalty}",
    "munchkin_irradiation.alive": "Penalty {penalty}: survives the turn",
    "munchkin_irradiation.dead": "Penalty {penalty}: dies",
}
"""Template by `Step.key`."""
