"""Pig on the page; in the product its words would stand in the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint

from device.table.state import Check
from device.table.view import Snapshot
from web.games.forms import check_args
from web.games.game import Ask, GamePage, Headline, Query, Shown
from web.games.lines import line


def _view(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    turn = snapshot.state.content.sheet.get("turn:1", {})
    return {"points": turn.get("points", 0)}


def _headline(check: Check, result: Mapping[str, Any]) -> Headline:
    return Headline(str(result["points"]), "bad" if result["lost"] else "good")


PIG: Final = GamePage(
    key="pig",
    name="Pig",
    asks={"pig": Ask("Throw", Shown("pig/ask.html", _view), check_args({}))},
    headline=_headline,
    units=Shown("pig/units.html", _view),
    tellers={"pig.began": line("The turn begins.")},
    deeds={"pig.began": "a turn"},
    commands={"begin": {}},
    blueprints=(Blueprint("pig", __name__, template_folder="templates"),),
)
