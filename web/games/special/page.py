"""S.P.E.C.I.A.L. on the page, put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import request

from device.games.own import rows_of
from device.games.special.fights import order_of
from device.games.special.sheet import (
    STATS,
    armour_class,
    characters,
    derive,
    flow,
    weapons,
)
from device.games.special.tasks import TASKS
from device.table.view import Snapshot
from web.act import whole
from web.games.forms import (
    Fields,
    check_args,
    decimal,
    filled,
    number,
    said,
    several,
    ticked_only,
)
from web.games.game import Ask, GamePage, Query, Shown
from web.games.lines import unclear
from web.games.own import is_saved
from web.games.special import told, words
from web.language import marked as N_
from web.words import GAMES, word

_WHO: Final[Fields] = {"character": said}


def _stats(name: str) -> dict[str, int] | None:
    """Return the seven stats of a form; left out where it has none."""
    if f"{name}_st" not in request.form:
        return None
    return {stat: whole(f"{name}_{stat}") for stat in STATS}


def _traits(name: str) -> list[str] | None:
    """Return the traits ticked; left out where the form has no stats."""
    return several(name) if "special_st" in request.form else None


def _actions(name: str) -> list[dict[str, Any]]:
    """Return the one action that a button or its form stands for."""
    action: dict[str, Any] = {"do": request.form.get("do", "")}
    for field in ("terrain", "to"):
        if request.form.get(field):
            action[field] = request.form[field]
    for field in ("hexes", "items"):
        if request.form.get(field, "").strip():
            action[field] = whole(field)
    return [action]


def _successes(name: str) -> list[bool]:
    """Return hourly rolls as typed: ``+`` succeeded, ``-`` failed."""
    return [mark == "+" for mark in request.form.get(name, "") if mark in "+-−"]


_WEAPON: Final[Fields] = {
    "name": said,
    "attack": said,
    "damage": said,
    "hand_damage": ticked_only,
    "range": number,
    "ap": number,
    "aimed_ap": number,
    "min_strength": number,
    "hands": number,
    "burst": number,
    "many_barrels": ticked_only,
    "magazine": number,
}

_SHEET: Final[Fields] = {
    "name": filled,
    "side": filled,
    "special": _stats,
    "traits": _traits,
}

COMMANDS: Final[Mapping[str, Fields]] = {
    "add_character": _SHEET,
    "change_character": {**_WHO, **_SHEET},
    "remove_character": _WHO,
    "count": {**_WHO, "what": said, "change": number},
    "count_weapon": {"weapon": said, "what": said, "change": number},
    "add_weapon": {**_WHO, **_WEAPON},
    "remove_weapon": {"weapon": said},
    "reload": {"weapon": said},
    "wear": {
        **_WHO,
        "name": said,
        "ac": number,
        "dt": number,
        "dr": number,
        "boxes": number,
    },
    "gain_xp": {**_WHO, "xp": number},
    "raise_skill": {**_WHO, "skill": said, "to": number},
    "rest": {**_WHO, "resting_hours": number, "active_hours": number},
    "poison_hours": {**_WHO, "hours": number, "saves": number},
    "addict": {**_WHO, "drug": said},
    "withdrawal": {**_WHO, "hours": number, "checks": _successes},
    "begin_fight": {"starter": filled},
    "next_turn": {"defend": ticked_only},
    "end_fight": {},
    "act": {**_WHO, "actions": _actions, "override": ticked_only},
    "agree": {
        "light": filled,
        "night": filled,
        "critical_from": number,
        "hex_mm": number,
    },
    "show_range": {**_WHO, "weapon": filled},
    "show_move": {**_WHO, "terrain": filled},
    "own_weapon": _WEAPON,
    "own_armour": {"name": said, "ac": number, "dt": number, "dr": number},
    "drop_own": {"table": said, "at": number},
}
"""How the form of each command is read."""

ATTACK_FIELDS: Final[Fields] = {
    "attacker": said,
    "weapon": said,
    "target": filled,
    "target_ac": number,
    "distance": number,
    "aimed": filled,
    "cover": number,
    "bonus": number,
    "penalty": number,
    "mounted": ticked_only,
    "twice": ticked_only,
}

ASKS: Final[Mapping[str, tuple[str, Fields]]] = {
    "attack": (N_("Attack"), ATTACK_FIELDS),
    "burst": (N_("Burst"), {**ATTACK_FIELDS, "mode": said, "bullets": number}),
    "damage": (
        N_("Damage"),
        {
            "dice": said,
            "hits": number,
            "attacker": filled,
            "target": filled,
            "dt": number,
            "dr": number,
            "armour_boxes": number,
            "ignore_armour": ticked_only,
            "finesse": ticked_only,
            "percent": number,
            "stage": filled,
            "grouped": ticked_only,
        },
    ),
    "task": (
        N_("Task"),
        {
            "task": said,
            "character": said,
            "skill": filled,
            "stat": filled,
            "modifier": number,
            "target": filled,
            "weapon": filled,
            "light": filled,
            "sneaking": ticked_only,
            "in_combat": ticked_only,
            "antirad": ticked_only,
            "strength": number,
            "weapon_kg": decimal,
            "twice": ticked_only,
        },
    ),
    "fire": (
        N_("Fire or acid"),
        {"target": said, "rounds": number, "extinguish": ticked_only},
    ),
    "roll": (N_("Any dice"), {"dice": said}),
}


def table_view(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return what the templates show of the table."""
    content = snapshot.state.content
    everybody = characters(content)
    now = flow(content)
    waiting = order_of(content, now)["needs_roll"] if now.fighters else ()
    return {
        "characters": everybody,
        "names": {one.id: one.name for one in everybody},
        "flow": now,
        "ties": tuple(key for key in waiting if not now.order),
        "derive": derive,
        "armour_class": armour_class,
        "weapons_of": lambda key: weapons(content, key),
        "weapon_names": {one.id: one.name for one in weapons(content)},
        "special": words,
        "pairs": pairs,
        "own_weapons": rows_of(content, "weapon"),
        "own_armour": rows_of(content, "armour"),
        "saved": is_saved("special"),
    }


def pairs(shown: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return keys with their words in this language, for a list to choose from."""
    return [(key, word(shown, key)) for key in shown]


def ask_view(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return what the form of a throw shows, filled for whom the address names."""
    view = table_view(snapshot, query)
    view["tasks"] = TASKS
    named = {
        name: query[name]
        for name in ("attacker", "weapon", "character", "target", "task")
        if query.get(name)
    }
    if named:
        view |= {"given": named, "key": "-".join(named.values()).replace(":", "-")}
    return view


SPECIAL: Final = GamePage(
    key="special",
    name=GAMES["special"],
    asks={
        kind: Ask(
            name,
            Shown(f"special/ask_{kind}.html", ask_view),
            check_args(fields),
        )
        for kind, (name, fields) in ASKS.items()
    },
    headline=told.headline,
    units=Shown("special/units.html", table_view),
    panel=Shown("special/panel.html", table_view),
    tellers=told.TELLERS,
    deeds=told.DEEDS,
    check_words={
        "critical": N_("Critical hit"),
        "stun": N_("Rounds unconscious"),
        "fumble": N_("Critical failure"),
        "heal": N_("Hit points healed"),
        "tie": N_("Equal order"),
    },
    commands=COMMANDS,
    open_words=unclear,
)
