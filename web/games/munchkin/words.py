"""Words of Munchkin Fallout; the Russian ones are those of its glossary."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from web.language import marked as N_

SLOTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "none": N_("neither worn nor held"),
        "head": N_("headgear"),
        "armour": N_("body armour"),
        "feet": N_("footwear"),
        "hand": N_("one-handed"),
        "two_hands": N_("two-handed"),
    }
)

PROBLEMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "big": N_("Too many big items."),
        "head": N_("More than one headgear in use."),
        "armour": N_("More than one body armour in use."),
        "feet": N_("More than one footwear in use."),
        "hands": N_("More items in use than two hands hold."),
        "one_shot": N_("One-shot items are not kept in use."),
    }
)

COUNTERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "hand": N_("cards in hand"),
        "bonus": N_("other bonuses and penalties"),
        "radiation": N_("radiation penalty"),
    }
)

AGREED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "run_away_target": N_("number to run away"),
        "radiation_target": N_("number for radiation protection"),
        "start_level": N_("level at the start"),
        "hand_limit": N_("cards allowed in hand"),
        "irradiation_step": N_("growth of gradual irradiation"),
        "harsh": N_("harsh rule: junk is not replaced"),
        "bars": N_("levels shown on the ruler"),
    }
)

REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "no_room": N_("There is no more room at this table."),
        "game_won": N_("This player has won already."),
        "no_players": N_("Nobody plays yet."),
        "fight_goes_on": N_("A fight is going on. End it first."),
        "no_fight": N_("There is no fight."),
        "fight_decided": N_("This fight is decided. End it."),
        "no_monsters": N_("There is no monster to fight."),
        "no_companion": N_("This player has no companion."),
        "no_swap_in_fight": N_("Items are not swapped in a fight."),
        "nothing_follows": N_("Nothing follows from this result."),
        "sale_not_own_turn": N_("Items are sold only in the own turn."),
        "sale_in_combat": N_("Nothing is sold in a fight."),
        "sale_under_1000": N_("Worth less than 1000 caps."),
        "sale_winning_level": N_("The winning level cannot be bought."),
    }
)

FIELDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "player": N_("player"),
        "target": N_("number to reach"),
        "strength": N_("strength"),
        "treasures": N_("treasures"),
        "monster": N_("monster"),
        "value": N_("value"),
        "item": N_("item"),
        "items": N_("items"),
        "sacrifice": N_("companion left behind"),
        "caps": N_("caps"),
        "game": N_("game"),
    }
)
