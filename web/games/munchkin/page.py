"""Munchkin Fallout on the page, put together."""

from __future__ import annotations

from typing import Any, Final

from device.games.munchkin.fights import strengths
from device.games.munchkin.players import item_problems
from device.games.munchkin.sheet import SLOTS, fight, flow, players
from device.table.view import Snapshot
from web.games.forms import (
    Fields,
    check_args,
    cleared,
    filled,
    number,
    said,
    several,
    switch,
    ticked_only,
)
from web.games.game import Ask, GamePage, Query, Shown
from web.games.lines import unclear
from web.games.munchkin import told, words
from web.language import marked as N_
from web.words import GAMES, word

_WHO: Final[Fields] = {"player": said}

COMMANDS: Final[dict[str, Fields]] = {
    "add_player": {"name": said},
    "remove_player": _WHO,
    "level": {**_WHO, "change": number, "source": filled},
    "count": {**_WHO, "what": said, "change": number},
    "add_item": {
        **_WHO,
        "name": said,
        "slot": filled,
        "bonus": number,
        "price": number,
        "big": ticked_only,
        "one_shot": ticked_only,
        "in_use": ticked_only,
    },
    "use_item": {**_WHO, "item": said, "in_use": switch},
    "drop_item": {**_WHO, "item": said},
    "sell": {**_WHO, "items": several, "caps": number},
    "companion": {**_WHO, "name": said},
    "trap": {**_WHO, "name": said, "over": switch},
    "irradiate": {**_WHO, "over": switch},
    "die": _WHO,
    "turn": {"player": filled},
    "agree": {
        "run_away_target": cleared,
        "radiation_target": cleared,
        "start_level": number,
        "hand_limit": number,
        "irradiation_step": number,
        "harsh": switch,
        "bars": switch,
    },
    "junk": {"compensation": switch, "open": switch},
    "begin_fight": _WHO,
    "add_monster": {
        "name": said,
        "strength": number,
        "treasures": number,
        "levels": number,
        "radiation": number,
    },
    "modify_monster": {"monster": said, "value": number, "treasures": number},
    "remove_monster": {
        "monster": said,
        "removed": switch,
        "treasures_on_win": switch,
    },
    "ask_helper": {"player": filled},
    "fight_bonus": {"change": number},
    "decide_fight": {},
    "end_fight": {},
}
"""How the form of each command is read."""


def table_view(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return what the templates show of the table."""
    content = snapshot.state.content
    everybody = players(content)
    return {
        "players": everybody,
        "names": {player.id: player.name for player in everybody},
        "flow": flow(content),
        "fight": fight(content),
        "strengths": strengths(content),
        "problems": item_problems,
        "munchkin": words,
        "slot_words": [(slot, word(words.SLOTS, slot)) for slot in SLOTS],
        "more": query.get("more", ""),
    }


def ask_view(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return what the form of a throw shows: who, and against which monster."""
    view = table_view(snapshot, query)
    view["chosen"] = query.get("player", "") or view["flow"].turn
    view["radioactive"] = query.get("strength", "")
    view["key"] = f"{view['chosen']}-{view['radioactive']}".replace(":", "-")
    if query.get("player"):
        view["given"] = {}
    return view


MUNCHKIN: Final = GamePage(
    key="munchkin",
    name=GAMES["munchkin"],
    asks={
        "run_away": Ask(
            N_("Running away"),
            Shown("munchkin/ask_run_away.html", ask_view),
            check_args(
                {
                    **_WHO,
                    "target": number,
                    "bonus": number,
                    "sacrifice": ticked_only,
                    "forbidden": ticked_only,
                }
            ),
        ),
        "radiation": Ask(
            N_("Radiation protection"),
            Shown("munchkin/ask_radiation.html", ask_view),
            check_args({**_WHO, "target": number, "bonus": number, "strength": number}),
        ),
    },
    headline=told.headline,
    units=Shown("munchkin/units.html", table_view),
    panel=Shown("munchkin/panel.html", table_view),
    tellers=told.TELLERS,
    deeds=told.DEEDS,
    commands=COMMANDS,
    open_words=unclear,
)
