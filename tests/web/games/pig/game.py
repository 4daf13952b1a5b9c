"""Pig as the table plays it: one throw, one counter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from device.games.game import Answer, CheckKind, Game, sheet_draft
from device.games.given import Args, refuse_unknown
from device.games.sheet import Change, settled
from device.rules.resolve import resolve
from device.table.events import Draft
from device.table.state import Check, Content, RolledDie, Want

TURN: Final = "turn:1"


def _points(content: Content) -> int:
    return int(content.sheet.get(TURN, {}).get("points", 0))


def _open(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    refuse_unknown(args, ("check",))
    given = {"check": "pig", "points": _points(content)}
    return Check(check_id, "pig", given, (Want("d6", 1),)), Answer()


def _resolve(content: Content, check: Check, dice: Sequence[RolledDie]) -> Answer:
    before = int(check.given["points"])
    asked = {"points": before, "die": int(dice[0].face or 0)}
    answer = resolve("pig", "turn", asked)
    change = Change(TURN, "points", answer["points"] - before)
    return Answer({"kind": "pig", **answer}, sheet=settled(content, check, [change]))


def _begin(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    return [sheet_draft("pig.began", {TURN: {"points": 0}})]


PIG: Final = Game(
    key="pig",
    dice_sets=("munchkin",),
    checks={"pig": CheckKind(_open, _resolve)},
    commands={"begin": (_begin, ())},
)
