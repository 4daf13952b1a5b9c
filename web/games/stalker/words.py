"""Words of STALKER: ZONA; the Russian ones are those of its text and glossary."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from web.language import marked as N_

Words = Mapping[str, str]

ARMOURS: Final[Words] = MappingProxyType(
    {
        "none": N_("no armour"),
        "light": N_("light armour"),
        "medium": N_("medium armour"),
    }
)

MOTIVATIONS: Final[Words] = MappingProxyType(
    {
        "exploration": N_("exploration"),
        "destruction": N_("destruction"),
        "zeal": N_("religious zeal"),
        "profit": N_("profit"),
        "coercion": N_("coercion"),
    }
)

FLAGS: Final[Words] = MappingProxyType(
    {
        "prone": N_("prone"),
        "hidden": N_("hidden"),
        "covering": N_("covering"),
        "suppressed": N_("suppressed"),
        "fast": N_("moved fast"),
        "out": N_("out of play"),
    }
)

COUNTERS: Final[Words] = MappingProxyType(
    {
        "damage": N_("damage taken"),
        "xp": N_("other experience"),
        "loot": N_("other loot"),
        **FLAGS,
    }
)

TERRAINS: Final[Words] = MappingProxyType(
    {
        "open": N_("open ground"),
        "bushes": N_("bushes"),
        "hilly": N_("hilly ground"),
        "rough": N_("rough or wooded ground"),
        "road": N_("clear road"),
        "built_up": N_("built-up area"),
        "ford": N_("ford"),
    }
)

ALLOWED: Final[Words] = MappingProxyType(
    {
        "reload": N_("reload"),
        "change_weapon": N_("change weapons"),
        "pick_up": N_("pick things up"),
        "move_and_shoot": N_("move and shoot"),
        "stay_and_shoot": N_("stay and shoot"),
        "melee": N_("fight hand to hand"),
    }
)

ACTIONS: Final[Words] = MappingProxyType(
    {
        "shoot": N_("shoots"),
        "choose": N_("may shoot or stay hidden"),
        "hide_or_prone": N_("hides or goes prone"),
        "reveal": N_("becomes visible, does not shoot"),
        "nothing": N_("stands and does nothing"),
    }
)

AGREED: Final[Words] = MappingProxyType(
    {
        "mode": N_("kind of play"),
        "allies": N_("allies"),
        "night": N_("night-time"),
        "bad_weather": N_("bad weather"),
        "every_pair": N_("every pair of a group is near"),
        "markers": N_("event markers"),
        "deck": N_("event cards"),
        "versus": N_("two sides"),
        "solo": N_("alone"),
    }
)

DISTANCES: Final[Words] = MappingProxyType(
    {
        "group": N_("distance in a group"),
        "deployment": N_("depth of deployment"),
    }
)

STEPS: Final[Words] = MappingProxyType({**TERRAINS, "building": N_("buildings")})

REASONS: Final[Words] = MappingProxyType(
    {
        "side_empty": N_("One side has no figures in play."),
        "deck_empty": N_("All event cards have been drawn."),
    }
)

FIELDS: Final[Words] = MappingProxyType(
    {
        "figure": N_("figure"),
        "group": N_("group"),
        "leader": N_("leader"),
        "targets": N_("targets and shots"),
        "shots": N_("shots"),
        "inches": N_("inches"),
        "path": N_("way so far"),
        "test": N_("test"),
        "players": N_("players"),
        "hit_from": N_("hits from"),
        "miss_to": N_("misses up to"),
        "pairs": N_("distances in the group"),
        "armour": N_("armour"),
        "motivation": N_("motivation"),
        "move": N_("standard move"),
        "cover": N_("cover"),
    }
)
