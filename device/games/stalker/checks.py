"""Throws of STALKER: ZONA: activation, tests, fast movement, shooting, deployment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from device.errors import BadInput
from device.games.chain import THROWN, WORKED, once_more, thrown_before
from device.games.game import Answer, CheckKind, sheet_change
from device.games.given import Args, choice, objects, refuse, refuse_unknown, whole
from device.games.own import rows_of
from device.games.sheet import Change, find, settled, written
from device.games.stalker.figures import BAND_OF
from device.games.stalker.sheet import (
    KEY,
    SIDES,
    Figure,
    Weapon,
    figures,
    flow,
    groups_of,
    shooting_table,
    weapons,
)
from device.rules.resolve import resolve
from device.table.codec import JSON, freeze, to_json
from device.table.state import Check, Content, RolledDie, Want

DIE: Final = "d6"
ONE: Final = (Want(DIE, 1),)


def _faces(dice: Sequence[RolledDie]) -> list[int]:
    return [int(die.face or 0) for die in dice]


# --- Activation --------------------------------------------------------------------


def _open_activation(
    content: Content, args: Args, check_id: str
) -> tuple[Check, Answer]:
    """Begin a turn: two dice alone, one after the other for two sides (A1)."""
    refuse_unknown(args, ("check", THROWN))
    now = flow(content)
    playing = SIDES if now.mode == "versus" else SIDES[:1]
    sides = [_side(content, side) for side in playing]
    for side in sides:
        if not side["groups"]:
            raise refuse("side_empty")
    thrown = thrown_before(args)
    worked = {"mode": now.mode, "turn": now.turn + 1, "sides": sides}
    given = freeze({"check": "activation", THROWN: list(thrown), WORKED: worked})
    wants = ONE if now.mode == "versus" else (Want(DIE, 2),)
    check = Check(check_id, "activation", given, wants)
    if thrown:
        return check, Answer()
    again = [replace(one, fast=0) for one in figures(content) if one.fast]
    return check, Answer(sheet=sheet_change(written(*again)))


def _side(content: Content, side: str) -> dict[str, Any]:
    groups = [
        {
            "id": f"{side}/{name}",
            "figures": [
                {"id": one.id, "skill": one.skill, "leader": one.leader}
                for one in members
            ],
        }
        for name, members in groups_of(content, side).items()
    ]
    return {"name": side, "groups": groups}


def _resolve_activation(
    content: Content, check: Check, dice: Sequence[RolledDie]
) -> Answer:
    worked = check.given[WORKED]
    values = (*thrown_before(check.given), *_faces(dice))
    again = once_more(check, values, 2)
    if again is not None:
        return again
    asked = {
        "mode": worked["mode"],
        "dice": list(values),
        "sides": to_json(worked["sides"]),
    }
    answer = resolve(KEY, "activation", asked)
    by_name = {side["name"]: side for side in answer["sides"]}
    for step in answer["steps"]:  # sentences call the sides 1 and 2
        if step["params"].get("side") in SIDES:
            step["params"]["side"] = 1 + SIDES.index(step["params"]["side"])
    now = replace(
        flow(content),
        turn=int(worked["turn"]),
        tie=answer["tie"],
        order=tuple(answer["order"]),
        thresholds=tuple(
            by_name[side]["threshold"] if side in by_name else None for side in SIDES
        ),
        active=tuple(one for side in answer["sides"] for one in side["active"]),
        groups=tuple(
            group for side in answer["order"] for group in by_name[side]["groups"]
        ),
    )
    result = {"kind": "activation", "dice": list(values), **answer}
    return Answer(result, sheet=sheet_change(written(now)))


# --- Tests -------------------------------------------------------------------------


def _open_test(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Open a test of Skill: any number of dice, or a test of the players' own (D2)."""
    refuse_unknown(args, ("check", "figure", "dice", "test"))
    figure = find(content, args, "figure", Figure)
    count = whole(args, "dice", 1, 3, 2)
    worked: dict[str, JSON] = {"skill": figure.skill, "who": figure.name}
    if args.get("test"):
        rows = {row["name"]: row for row in rows_of(content, "test")}
        if args["test"] not in rows:
            raise BadInput(f"there is no test {args['test']!r}", "test")
        own = rows[args["test"]]
        count = int(own["dice"])
        worked["rows"] = [own.get(f"passed_{passed}", "") for passed in range(4)]
    given = freeze({**_plain(args), WORKED: worked})
    wants = (Want(DIE, count),)
    return Check(check_id, "skill_test", given, wants, rating=figure.skill), Answer()


def _resolve_test(content: Content, check: Check, dice: Sequence[RolledDie]) -> Answer:
    worked = check.given[WORKED]
    answer = resolve(
        KEY, "skill_test", {"skill": worked["skill"], "dice": _faces(dice)}
    )
    rows = worked.get("rows", ())
    means = rows[answer["passed"]] if rows else ""
    return Answer({"kind": "skill_test", "means": means, **answer})


def _open_fast(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Open a group's fast movement (M4)."""
    refuse_unknown(args, ("check", "side", "group"))
    members = _group(content, args)
    worked = {
        "figures": [{"id": one.id, "skill": one.skill} for one in members],
        "names": [one.name for one in members],
    }
    given = freeze({**_plain(args), WORKED: worked})
    return Check(check_id, "fast_move", given, (Want(DIE, 2),)), Answer()


def _resolve_fast(content: Content, check: Check, dice: Sequence[RolledDie]) -> Answer:
    worked = check.given[WORKED]
    asked = {"dice": _faces(dice), "figures": to_json(worked["figures"])}
    answer = resolve(KEY, "fast_move", asked)
    _name_steps(answer, worked)
    changes = [Change(str(one["id"]), "fast", 1, 0, 1) for one in worked["figures"]]
    cue = {"bands": [BAND_OF[answer["together_inches"]]]}
    result = {"kind": "fast_move", **answer}
    return Answer(result, sheet=settled(content, check, changes), cue=cue)


def _open_in_sight(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Open the in-sight test of a group: one roll, each with its own Skill (R1)."""
    refuse_unknown(args, ("check", "side", "group", "cover"))
    members = _group(content, args)
    covering = {bool(one.covering) for one in members}
    if len(covering) > 1:
        raise BadInput("figures that cover are tested apart from the others", "group")
    cover = args.get("cover", ())
    if not isinstance(cover, list | tuple):
        raise BadInput("expected the figures in cover", "cover")
    led = any(one.leader for one in members)
    asked = [
        {
            "skill": one.skill,
            "covering": bool(one.covering),
            "hidden": bool(one.hidden),
            "leader": led,
            "cover": one.id in cover,
        }
        for one in members
    ]
    worked = {
        "asked": asked,
        "figures": [{"id": one.id} for one in members],
        "names": [one.name for one in members],
    }
    given = freeze({**_plain(args), WORKED: worked})
    wants = (Want(DIE, 3 if True in covering else 2),)
    return Check(check_id, "in_sight", given, wants), Answer()


def _resolve_in_sight(
    content: Content, check: Check, dice: Sequence[RolledDie]
) -> Answer:
    worked, told, steps, points = check.given[WORKED], [], [], []
    changes = []
    for asked, one, name in zip(
        worked["asked"], worked["figures"], worked["names"], strict=True
    ):
        answer = resolve(KEY, "in_sight", {**asked, "dice": _faces(dice)})
        told.append({"name": name, **{k: answer[k] for k in _TOLD}})
        steps += answer["steps"]
        points += [point for point in answer["open"] if point not in points]
        if asked["hidden"] and answer["becomes_visible"]:
            changes.append(Change(str(one["id"]), "hidden", -1, 0, 1))
    result = {"kind": "in_sight", "figures": told, "steps": steps, "open": points}
    return Answer(result, sheet=settled(content, check, changes))


_TOLD: Final = ("passed", "action", "skill_modifier", "full_rate", "becomes_visible")


# --- Shooting ----------------------------------------------------------------------


def _open_shooting(content: Content, args: Args, check_id: str) -> tuple[Check, Answer]:
    """Open a shooting: targets and shots are announced before the throw (H1)."""
    refuse_unknown(
        args, ("check", "figure", "weapon", "targets", "span", "skill_modifier")
    )
    figure = find(content, args, "figure", Figure)
    weapon = find(content, args, "weapon", Weapon)
    if weapon.owner != figure.id:
        raise BadInput("somebody else holds this weapon", "weapon")
    if not weapon.rate:
        raise BadInput("nobody shoots with this weapon", "weapon")
    targets: list[dict[str, Any]] = []
    effects = []
    for at, one in enumerate(objects(args, "targets", 20)):
        target = find(content, one, "figure", Figure)
        if target.hidden:
            raise BadInput("a hidden figure cannot be shot at", f"targets[{at}].figure")
        shots = whole(one, "shots", 1, 20)
        targets.append({"id": target.id, "name": target.name, "shots": shots})
        effects.append(_effect(content, weapon, target))
    if not targets:
        raise BadInput("at whom?", "targets")
    worked = {
        "skill": figure.skill,
        "rate": weapon.rate,
        "targets": targets,
        "effects": effects,
        "table": shooting_table(content),
        "who": figure.name,
    }
    check = Check(
        id=check_id,
        kind="shooting",
        given=freeze({**_plain(args), WORKED: worked}),
        wants=(Want(DIE, sum(one["shots"] for one in targets)),),
    )
    _ask_shooting(check, [1] * check.wants[0].count)  # refuses shots beyond the rate
    return check, Answer()


def _effect(content: Content, weapon: Weapon, target: Figure) -> dict[str, JSON]:
    """Return what a hit does to a target, by its armour and its own weapon (H8)."""
    asked: dict[str, JSON] = {"weapon": weapon.asked(), "armour": target.armour}
    own = [one.suppression for one in weapons(content, target.id)]
    if own:
        asked["target_suppression"] = max(own)
    answer = resolve(KEY, "weapon_effect", asked)
    return {"damage": answer["damage"], "suppresses": bool(answer["suppresses"])}


def _ask_shooting(check: Check, dice: Sequence[int]) -> dict[str, Any]:
    worked = check.given[WORKED]
    asked: dict[str, JSON] = {
        "skill": worked["skill"],
        "rate": worked["rate"],
        "dice": list(dice),
        "targets": [
            {"id": one["id"], "shots": one["shots"]} for one in worked["targets"]
        ],
        "skill_modifier": check.given.get("skill_modifier", 0),
        "span_inches": check.given.get("span", 0),
    }
    if worked["table"] is not None:
        asked["table"] = to_json(worked["table"])
    return resolve(KEY, "shooting", asked)


def _resolve_shooting(
    content: Content, check: Check, dice: Sequence[RolledDie]
) -> Answer:
    worked = check.given[WORKED]
    answer = _ask_shooting(check, _faces(dice))
    names = {one["id"]: one["name"] for one in worked["targets"]}
    for step in answer["steps"]:
        if step["params"].get("id") in names:
            step["params"]["id"] = names[step["params"]["id"]]
    hurt, changes = [], [Change(str(check.given["figure"]), "hidden", -1, 0, 1)]
    for target, effect in zip(worked["targets"], worked["effects"], strict=True):
        hits = answer["hits"].get(target["id"], 0)
        damage = hits * effect["damage"]
        hurt.append({"name": target["name"], "hits": hits, "damage": damage})
        changes.append(Change(str(target["id"]), "damage", damage))
        if hits and effect["suppresses"]:
            changes.append(Change(str(target["id"]), "suppressed", 1, 0, 1))
    result = {"kind": "shooting", "hurt": hurt, **answer}
    return Answer(result, sheet=settled(content, check, changes))


# --- Deployment --------------------------------------------------------------------


def _open_deployment(
    content: Content, args: Args, check_id: str
) -> tuple[Check, Answer]:
    """Open the throws for who chooses a table side first: one die a player (U3)."""
    refuse_unknown(args, ("check", "players", THROWN))
    players = args.get("players")
    if not isinstance(players, list | tuple) or not 1 <= len(players) <= 6:
        raise BadInput("expected one to six names", "players")
    if len(set(players)) < len(players) or not all(
        isinstance(one, str) and one for one in players
    ):
        raise BadInput("expected different names", "players")
    done = len(thrown_before(args))
    if done >= len(players):
        raise BadInput("everybody has thrown", THROWN)
    worked = {"allies": flow(content).allies, "next": players[done]}
    given = freeze({**_plain(args), WORKED: worked})
    return Check(check_id, "deployment", given, ONE), Answer()


def _resolve_deployment(
    content: Content, check: Check, dice: Sequence[RolledDie]
) -> Answer:
    players = list(check.given["players"])
    values = (*thrown_before(check.given), *_faces(dice))
    again = once_more(check, values, len(players))
    if again is not None:
        return again
    pairs = zip(players, values, strict=True)
    rolls = [{"player": player, "die": die} for player, die in pairs]
    asked = {"rolls": rolls, "allies": check.given[WORKED]["allies"]}
    answer = resolve(KEY, "deployment", asked)
    offer = None
    if answer["tie"]:
        offer = {"check": "deployment", "players": answer["reroll"]}
    return Answer({"kind": "deployment", **answer}, offer=offer, cue={"bands": ["6in"]})


# --- Shared ------------------------------------------------------------------------


def _group(content: Content, args: Args) -> tuple[Figure, ...]:
    side = choice(args, "side", SIDES)
    members = groups_of(content, side).get(str(args.get("group", "")))
    if not members:
        raise BadInput(f"there is no group {args.get('group')!r}", "group")
    return members


def _name_steps(answer: Mapping[str, Any], worked: Mapping[str, Any]) -> None:
    """Let the rules' steps name figures, not their ids."""
    ids = [one["id"] for one in worked["figures"]]
    names = dict(zip(ids, worked["names"], strict=True))
    for step in answer["steps"]:
        if step["params"].get("id") in names:
            step["params"]["id"] = names[step["params"]["id"]]
    for one in answer["figures"]:
        one["name"] = names[one["id"]]


def _plain(args: Args) -> dict[str, JSON]:
    return {key: to_json(value) for key, value in args.items() if value != ""}


CHECKS: Final[Mapping[str, CheckKind]] = {
    "activation": CheckKind(_open_activation, _resolve_activation),
    "shooting": CheckKind(_open_shooting, _resolve_shooting),
    "in_sight": CheckKind(_open_in_sight, _resolve_in_sight),
    "fast_move": CheckKind(_open_fast, _resolve_fast),
    "skill_test": CheckKind(_open_test, _resolve_test),
    "deployment": CheckKind(_open_deployment, _resolve_deployment),
}
"""Every kind of check, in the order in which the page offers them."""
