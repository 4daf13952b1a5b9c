"""What each screen shows, made from a snapshot; templates only place it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from types import MappingProxyType
from typing import Any, Final

from device.errors import UnknownTable
from device.rules.dice import BLANK, EFFECT_COLOURS, EFFECT_ICONS, face_key
from device.table.state import Check, Finished, TableState
from device.table.view import Snapshot
from web import explain
from web.games.choose import is_untouched
from web.games.game import Ask
from web.games.registry import PAGES
from web.hub import Hub
from web.photo import has_photo, photo

KINDS: Final = MappingProxyType(
    {
        f"d{sides}": tuple(str(face) for face in range(1, sides + 1))
        for sides in (4, 6, 8, 12, 20)
    }
    | {
        "d10": tuple("0123456789"),
        "d%": tuple(f"{ten}0" for ten in range(10)),
    }
)
"""Faces of untaught dice, by kind."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Dice of one name that a check asks for.

    Attributes:
        die: Name in the dice set.
        count: How many.
        missing: How many of them are not there yet.
    """

    die: str
    count: int
    missing: int


def now(hub: Hub, snapshot: Snapshot, query: Mapping[str, str]) -> dict[str, Any]:
    """Return what the screen "Now" shows."""
    state, live = snapshot.state, snapshot.live
    check, result = state.check, state.result
    game = PAGES[state.game]
    panel = game.panel.view(snapshot, query) if game.panel else {}
    open_kind = query.get("open", "")
    if open_kind not in game.asks:
        open_kind = "" if check or panel.get("leads") else next(iter(game.asks))
    picture = photo(hub, state.night, check.roll) if check else None
    view: dict[str, Any] = {
        "check": check,
        "result": result,
        "asked": asked(check, snapshot),
        "live": live,
        "open_kind": open_kind,
        "typing": "type" in query and check is not None and bool(live.missing),
        "faces_of": lambda die: faces(hub, state.game, die),
        "photo": picture,
        "soon": picture is None and check is not None and has_photo(check.roll),
        "fix": fix(hub, snapshot, query),
        "seen": state.seen if check is None else None,
        "seen_photo": photo(hub, state.night, state.seen) if check is None else None,
        "last": finished(hub, state, state.last),
        "offer": state.offer,
        "asks": game.asks,
        "panel": game.panel.template if game.panel else "",
        "after": game.after.template if game.after else "",
        "untouched": is_untouched(state),
    }
    if open_kind:
        view |= {"given": form_values(snapshot, open_kind), "key": ""}
        view |= asked_by(game.asks[open_kind], snapshot, {**query, "open": open_kind})
    view |= panel
    view |= game.after.view(snapshot, query) if game.after else {}
    if check is not None and result is not None:
        view["headline"] = game.headline(check, result)
        view["icons"] = game.icons(result)
        view["steps"] = explain.step_texts(result.get("steps"))
        view["open_points"] = game.open_words(result.get("open") or ())
    if check is not None:
        view["notes"] = explain.step_texts(check.notes)
    return view


def asked(check: Check | None, snapshot: Snapshot) -> tuple[Asked, ...]:
    """Return the dice that the check asks for, with how many are still missing."""
    if check is None:
        return ()
    missing = {want.die: want.count for want in snapshot.live.missing}
    waiting = check.status == "waiting"
    return tuple(
        Asked(want.die, want.count, missing.get(want.die, 0) if waiting else 0)
        for want in check.wants
    )


def fix(
    hub: Hub, snapshot: Snapshot, query: Mapping[str, str]
) -> dict[str, Any] | None:
    """Return the die that somebody wants to put right, with its faces, or None.

    The likely faces come first, as the reader ordered them; then every face.
    """
    state = snapshot.state
    checks = (state.check, state.last.check if state.last else None)
    rolls = [check.roll for check in checks if check is not None]
    for roll in (*rolls, state.seen):
        if roll is None:
            continue
        if query.get("roll", roll.id) != roll.id:
            continue
        for die in roll.dice:
            if die.id == query.get("die"):
                return {
                    "die": die,
                    "roll": roll,
                    "photo": photo(hub, state.night, roll),
                    "likely": tuple(face for face, _ in die.alternatives[:3]),
                    "faces": faces(hub, state.game, die.die),
                }
    return None


def asked_by(ask: Ask, snapshot: Snapshot, query: Mapping[str, str]) -> dict[str, Any]:
    """Return the form of a new check: its fields and what stands above them."""
    view = {"form": ask.form.template, **ask.form.view(snapshot, query)}
    if ask.intro is not None:
        view |= {"intro": ask.intro.template, **ask.intro.view(snapshot, query)}
    return view


def finished(
    hub: Hub, state: TableState, last: Finished | None
) -> dict[str, Any] | None:
    """Return the check before, or None."""
    if last is None:
        return None
    headline = PAGES[state.game].headline
    return {
        "check": last.check,
        "headline": headline(last.check, last.result) if last.result else None,
        "steps": explain.step_texts(last.result.get("steps")) if last.result else (),
        "photo": photo(hub, state.night, last.check.roll),
    }


def faces(hub: Hub, game: str, die: str) -> tuple[str, ...]:
    """Return the faces of a die as people look for them; none for an unknown die.

    Numbers rise; then what is simple comes before what is double, and blank is last.
    An effect die whose faces are not all known may show anything an effect die can.
    """
    try:
        known = hub.companion.dice.die(die)
    except UnknownTable:
        return KINDS.get(die, ())
    keys = {face.key for face in known.faces}
    if not known.complete and die in EFFECT_COLOURS:
        pairs = combinations_with_replacement(EFFECT_ICONS, 2)
        keys |= {BLANK, *EFFECT_ICONS, *map(face_key, pairs)}
    return tuple(sorted(keys, key=sought))


def sought(key: str) -> tuple[int, int, str]:
    """Return where a face stands among those of its die, for sorting."""
    if key.isdecimal():
        return 0, int(key), key
    return (2 if key == BLANK else 1), key.count("+") + key.count("_"), key


def form_values(snapshot: Snapshot, kind: str) -> Mapping[str, Any]:
    """Return what the form of a new check starts with.

    What follows from the result comes first (the armour check after a hit), else
    the last check of the kind.
    """
    state = snapshot.state
    if state.offer is not None and state.offer.get("check") == kind:
        return state.offer
    for check in (state.check, state.last.check if state.last else None):
        if check is not None and check.kind == kind:
            return check.given
    return {}
