"""Throws of Munchkin Fallout: running away, radiation protection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from device.errors import BadInput
from device.games.game import Answer, CheckKind, sheet_change
from device.games.given import Args, flag, refuse_unknown, whole, whole_or_none
from device.games.munchkin.players import KEY
from device.games.munchkin.sheet import Player, flow
from device.games.sheet import Change, find, settled, written
from device.rules.resolve import resolve
from device.table.codec import JSON, freeze
from device.table.state import Check, Content, RolledDie, Want

DIE: Final = "d6"


def _open_run_away(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Run away from one monster: a throw, or a companion is left behind (W1, W2)."""
    refuse_unknown(
        args, ("check", "player", "target", "bonus", "sacrifice", "forbidden")
    )
    player = find(content, args, "player", Player)
    sacrifice, forbidden = flag(args, "sacrifice"), flag(args, "forbidden")
    if sacrifice and not player.companion:
        raise BadInput("this player has no companion", "sacrifice")
    given: dict[str, JSON] = {"check": "run_away", "player": player.id}
    given |= {"who": player.name, "bonus": whole(args, "bonus", -20, 20, 0)}
    if sacrifice or forbidden:
        asked = {"sacrifice": sacrifice, "forbidden": forbidden}
        answer = resolve(KEY, "run_away", asked)
        left = {}
        if answer["companion_lost"]:
            left = written(replace(player, companion=""))
        check = Check(check_id, "run_away", freeze(given | asked), (), "resolved")
        return check, Answer(_result("run_away", answer), sheet=sheet_change(left))
    target = _target(args, flow(content).run_away_target)
    check = Check(
        id=check_id,
        kind="run_away",
        given=freeze(given | {"target": target}),
        wants=(Want(DIE, 1),),
        rating=target,
    )
    return check, Answer()


def _resolve_run_away(
    content: Content, check: Check, dice: Sequence[RolledDie]
) -> Answer:
    asked = {"die": _face(dice), **_some(check.given, "target", "bonus")}
    return Answer(_result("run_away", resolve(KEY, "run_away", asked)))


def _open_radiation(
    content: Content, args: Args, check_id: str
) -> tuple[Check, Answer]:
    """Throw for radiation protection on meeting a radioactive monster (R1 to R3)."""
    refuse_unknown(args, ("check", "player", "target", "bonus", "strength"))
    player = find(content, args, "player", Player)
    target = _target(args, flow(content).radiation_target)
    given = {
        "check": "radiation",
        "player": player.id,
        "who": player.name,
        "bonus": whole(args, "bonus", -20, 20, 0),
        "strength": whole(args, "strength", 1, 20),
        "target": target,
    }
    check = Check(
        id=check_id,
        kind="radiation",
        given=freeze(given),
        wants=(Want(DIE, 1),),
        rating=target,
    )
    return check, Answer()


def _resolve_radiation(
    content: Content, check: Check, dice: Sequence[RolledDie]
) -> Answer:
    names = ("target", "bonus", "strength")
    asked = {"die": _face(dice), **_some(check.given, *names)}
    answer = resolve(KEY, "radiation", asked)
    change = Change(str(check.given["player"]), "radiation", answer["penalty"])
    return Answer(_result("radiation", answer), sheet=settled(content, check, [change]))


CHECKS: Final[Mapping[str, CheckKind]] = {
    "run_away": CheckKind(_open_run_away, _resolve_run_away),
    "radiation": CheckKind(_open_radiation, _resolve_radiation),
}
"""Every kind of check, in the order in which the page offers them."""


def _target(args: Args, agreed: int | None) -> int:
    """Return the number to reach: given, or agreed on; the rules state none."""
    target = whole_or_none(args, "target", -20, 20)
    target = agreed if target is None else target
    if target is None:
        raise BadInput("the rules state no number to reach: say one", "target")
    return target


def _face(dice: Sequence[RolledDie]) -> int:
    return int(dice[0].face or 0)


def _some(given: Mapping[str, JSON], *names: str) -> dict[str, Any]:
    return {name: given[name] for name in names if name in given}


def _result(kind: str, answer: Mapping[str, Any]) -> Mapping[str, JSON]:
    return {"kind": kind, **answer}
