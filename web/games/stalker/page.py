"""STALKER: ZONA on the page, put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import request

from device.games.own import rows_of
from device.games.stalker.figures import earned
from device.games.stalker.sheet import (
    FLAGS,
    SIDES,
    cards,
    figures,
    flow,
    groups_of,
    leader_of,
    shipped_weapons,
    weapons,
)
from device.table.view import Snapshot
from web.act import whole
from web.games.forms import (
    LONGEST,
    Fields,
    check_args,
    cleared,
    decimal,
    filled,
    number,
    said,
    several,
    switch,
    tick,
    ticked_only,
)
from web.games.game import Ask, GamePage, Query, Shown
from web.games.lines import unclear
from web.games.own import is_saved
from web.games.stalker import told, words
from web.language import marked as N_
from web.words import GAMES, word

MOST_TARGETS: Final = 4
"""Targets that the form offers; three is the best rate of the text."""

MOST_STRETCHES: Final = 3


def _targets(name: str) -> list[dict[str, Any]]:
    """Return targets with their shots, in the order of the form."""
    found = []
    for at in range(MOST_TARGETS):
        figure = request.form.get(f"target_{at}", "")
        if figure:
            found.append({"figure": figure, "shots": whole(f"shots_{at}", 1)})
    return found


def _path(name: str) -> list[dict[str, Any]] | None:
    """Return the stretches of a way; left out where there are none."""
    found = []
    for at in range(MOST_STRETCHES):
        inches = decimal(f"inches_{at}")
        if inches:
            terrain = request.form.get(f"terrain_{at}", "open")
            found.append({"terrain": terrain, "inches": inches})
    return found or None


def _pairs(name: str) -> list[dict[str, Any]]:
    """Return distances between members: ``a|b`` is the field of each pair."""
    found = []
    for field in request.form:
        if field.startswith("pair_"):
            a, _, b = field.removeprefix("pair_").partition("|")
            los = request.form.get(f"los_{a}|{b}") == "1"
            inches = decimal(field)
            found.append({"a": a, "b": b, "inches": inches or 0, "los": los})
    return found


def _names(name: str) -> list[str]:
    """Return names as typed, one a line or parted by commas."""
    typed = request.form.get(name, "")[:LONGEST].replace("\n", ",")
    return [one.strip() for one in typed.split(",") if one.strip()]


_WHO: Final[Fields] = {"figure": said}

_WEAPON: Final[Fields] = {
    "name": said,
    "range": number,
    "rate": number,
    "damage_none": number,
    "damage_light": number,
    "damage_medium": number,
    "suppression": number,
}

_FIGURE: Final[Fields] = {
    "name": filled,
    "side": filled,
    "group": filled,
    "skill": number,
    "armour": filled,
    "motivation": said,
    "leader": switch,
    "radio": switch,
    "move": cleared,
}

COMMANDS: Final[Mapping[str, Fields]] = {
    "add_figure": _FIGURE,
    "change_figure": {**_WHO, **_FIGURE},
    "remove_figure": _WHO,
    "count": {**_WHO, "what": said, "change": number},
    "add_weapon": {**_WHO, **_WEAPON},
    "remove_weapon": {"weapon": said},
    "draw_card": {**_WHO, "name": said, "xp": number, "loot": number},
    "remove_card": {"card": said},
    "agree": {
        "mode": filled,
        "allies": switch,
        "night": switch,
        "bad_weather": switch,
        "every_pair": switch,
        "markers": number,
        "deck": number,
    },
    "check_group": {"side": said, "group": said, "pairs": _pairs},
    "show_move": {
        **_WHO,
        "terrain": filled,
        "mode": filled,
        "passed": number,
        "path": _path,
        "carriers": number,
        "hilly": number,
        "building": number,
    },
    "show_range": {"weapon": said},
    "show_inches": {"what": said},
    "show_sight": {
        "woods": ticked_only,
        "woods_edge": ticked_only,
        "lit_target": ticked_only,
        "night_vision": ticked_only,
    },
    "sight_trigger": {
        "seen_at_start": tick,
        "seen_now": tick,
        "in_range_at_start": tick,
        "in_range_now": tick,
    },
    "own_weapon": _WEAPON,
    "own_shooting": {"name": said, "hit_from": number, "miss_to": number},
    "own_test": {
        "name": said,
        "dice": number,
        "passed_0": filled,
        "passed_1": filled,
        "passed_2": filled,
        "passed_3": filled,
    },
    "own_event": {"name": said, "xp": number, "loot": number},
    "drop_own": {"table": said, "at": number},
}
"""How the form of each command is read."""


_GROUP: Final[Fields] = {
    "side": lambda name: request.form.get("of", "").partition("/")[0],
    "group": lambda name: request.form.get("of", "").partition("/")[2],
}

ASKS: Final[Mapping[str, tuple[str, Fields]]] = {
    "activation": (N_("Activation"), {}),
    "shooting": (
        N_("Shooting"),
        {
            "figure": said,
            "weapon": said,
            "targets": _targets,
            "span": decimal,
            "skill_modifier": number,
        },
    ),
    "in_sight": (N_("In sight"), {**_GROUP, "cover": several}),
    "fast_move": (N_("Fast movement"), _GROUP),
    "skill_test": (
        N_("Test of Skill"),
        {"figure": said, "dice": number, "test": filled},
    ),
    "deployment": (N_("Deployment"), {"players": _names}),
}


def table_view(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return what the templates show of the table."""
    content = snapshot.state.content
    everybody = figures(content)
    groups = {
        f"{side}/{name}": members
        for side in SIDES
        for name, members in groups_of(content, side).items()
    }
    return {
        "figures": everybody,
        "names": {one.id: one.name for one in everybody},
        "flow": flow(content),
        "groups": groups,
        "leaders": {key: leader_of(members) for key, members in groups.items()},
        "sides": SIDES,
        "side_names": told.SIDE_NAMES,
        "flags": FLAGS,
        "weapons_of": lambda key: weapons(content, key),
        "cards_of": lambda key: cards(content, key),
        "earned": earned(content),
        "stalker": words,
        "pairs": pairs,
        "shipped": shipped_weapons(),
        "own": {
            name: rows_of(content, name)
            for name in ("weapon", "shooting", "test", "event")
        },
        "saved": is_saved("stalker"),
    }


def pairs(shown: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return keys with their words in this language, for a list to choose from."""
    return [(key, word(shown, key)) for key in shown]


def ask_view(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return what the form of a throw shows, filled for whom the address names."""
    view = table_view(snapshot, query)
    view["most_targets"] = MOST_TARGETS
    named = {
        name: query[name] for name in ("figure", "weapon", "of") if query.get(name)
    }
    if named:
        key = "-".join(named.values()).replace(":", "-").replace("/", "-")
        view |= {"given": named, "key": key}
    return view


STALKER: Final = GamePage(
    key="stalker",
    name=GAMES["stalker"],
    asks={
        kind: Ask(
            name,
            Shown(f"stalker/ask_{kind}.html", ask_view),
            check_args(fields),
        )
        for kind, (name, fields) in ASKS.items()
    },
    headline=told.headline,
    units=Shown("stalker/units.html", table_view),
    panel=Shown("stalker/panel.html", table_view),
    tellers=told.TELLERS,
    deeds=told.DEEDS,
    commands=COMMANDS,
    open_words=unclear,
)
