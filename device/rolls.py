"""Rolls: what a settled tray means for the open check. Pure.

Only fresh dice belong to a throw; every wanted die must be there once, and nothing
else with it. What a person gave by hand stays as given while the die does not move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from device.decisions import (
    SURE,
    Situation,
    add_dice,
    hand_dice,
    rolled,
    set_roll,
)
from device.games.game import missing
from device.match import Match, match_dice
from device.table.codec import JSON, freeze
from device.table.events import Draft
from device.table.state import Check, Roll, RolledDie, Want
from device.table.view import Live, LiveDie, Message

MOVED: Final = 0.25
"""A die is where it was while its box's corner is nearer than this share of it."""


def judge_throw(now: Situation, *, free_rolls: bool) -> Sequence[Draft]:
    """Return the events that the dice lying in the tray cause, usually none.

    Args:
        now: The situation, its live dice just read.
        free_rolls: Keep throws that no check has asked for.
    """
    check = now.fold.content.check
    fresh = _throw(now.live, check)
    if check is None:
        return [_free_roll(now, fresh)] if fresh and free_rolls else []
    if not fresh or check.status == "resolved":
        return []
    match = match_dice(fresh, _camera_wants(check), now.dice)
    if not match.is_exact:
        return []
    roll = _read_roll(now, check, fresh, match)
    if check.roll is not None and check.roll.dice == roll.dice:
        return []
    again = any(die.by == "camera" for die in check.roll.dice) if check.roll else False
    return [set_roll(now, "roll_read", check, roll, amends=again)]


def doubt_dice(now: Situation, ids: Sequence[str]) -> Sequence[Draft]:
    """Return the events of a second look that saw other faces on these dice.

    It may only withdraw: a face becomes unsure, never another face.
    """
    content = now.fold.content
    for check in (content.check, content.last.check if content.last else None):
        if check is None or check.roll is None:
            continue
        dice = tuple(_doubted(die, ids) for die in check.roll.dice)
        if dice != check.roll.dice:
            roll = replace(check.roll, dice=dice)
            return [set_roll(now, "roll_doubted", check, roll, amends=True)]
    if content.seen is not None:
        dice = tuple(_doubted(die, ids) for die in content.seen.dice)
        if dice != content.seen.dice:
            seen = replace(content.seen, dice=dice)
            return [set_roll(now, "roll_doubted", None, seen, amends=True)]
    return []


def advise(now: Situation) -> Live:
    """Return the live tray with what is missing, what is too much, what to say."""
    live = replace(now.live, missing=(), surplus=(), message=None)
    check = now.fold.content.check
    if check is None or check.status == "resolved":
        return live
    if check.status == "unsure":
        return replace(live, message=_doubtful(check))
    fresh = _throw(live, check)
    wants = _camera_wants(check)
    match = match_dice(fresh, wants, now.dice)
    live = replace(live, missing=match.missing, surplus=(*match.surplus, *match.wrong))
    return replace(live, message=_advice(now, match, fresh, wants))


def _advice(
    now: Situation, match: Match, fresh: Sequence[LiveDie], wants: Sequence[Want]
) -> Message:
    if any(part.name == "camera" and not part.ok for part in now.live.parts):
        return Message("no_camera")
    if not fresh:
        lying = match_dice(now.live.dice, wants, now.dice)
        if now.live.dice and lying.has_all:
            return Message("lying_dice", freeze({"dice": _named(wants)}))
        return Message("throw_these", freeze({"dice": _named(wants)}))
    by_id = {die.id: die for die in fresh}
    if match.surplus:
        names = [by_id[one].die for one in match.surplus]
        return Message("surplus_dice", freeze({"dice": _counted(names)}))
    if match.wrong:
        names = [by_id[one].die for one in match.wrong]
        return Message("wrong_dice", freeze({"dice": _counted(names)}))
    return Message("missing_dice", freeze({"dice": _named(match.missing)}))


def _doubtful(check: Check) -> Message | None:
    """Return what to say of a roll's first doubtful die."""
    for die in check.roll.dice if check.roll else ():
        if die.status == "cocked":
            return Message("cocked_die", freeze({"die": die.die}))
        if die.status != SURE:
            return Message("unsure_die", freeze({"die": die.die}))
    return None


def _throw(live: Live, check: Check | None) -> list[LiveDie]:
    """Return the dice of the throw at hand.

    While a roll is doubtful its other dice stay in it, though they lie where they lay.
    """
    dice = check.roll.dice if check is not None and check.roll is not None else ()
    ids = {die.id for die in dice}
    return [die for die in live.dice if die.fresh or die.id in ids]


def _free_roll(now: Situation, fresh: Sequence[LiveDie]) -> Draft:
    dice = tuple(rolled(die, die.die) for die in fresh)
    roll = Roll(f"r{now.next_seq}", dice, photo=True)
    told = [
        {"die": die.die, "face": die.face, "status": die.status} for die in roll.dice
    ]
    return set_roll(now, "throw_seen", None, roll, {"dice": told})


def _camera_wants(check: Check) -> tuple[Want, ...]:
    """Return what the camera is to find: all but the dice typed in."""
    return missing(check.wants, hand_dice(check))


def _read_roll(
    now: Situation, check: Check, fresh: Sequence[LiveDie], match: Match
) -> Roll:
    by_id = {die.id: die for die in fresh}
    seen = [_kept(rolled(by_id[one], name), check) for one, name in match.taken]
    base = replace(check, roll=_without_camera(check))
    return add_dice(base, seen, f"r{now.next_seq}")


def _without_camera(check: Check) -> Roll | None:
    """Return the roll with only the dice typed in; its id stays."""
    if check.roll is None:
        return None
    return replace(check.roll, dice=hand_dice(check))


def _kept(die: RolledDie, check: Check) -> RolledDie:
    """Return the die as a person corrected it, or doubtful as a second look left it.

    Both hold until it moves.
    """
    for old in check.roll.dice if check.roll else ():
        stays = old.by == "hand" or (old.doubted and old.status != SURE)
        if old.id == die.id and stays and _lies_still(old, die):
            return old
    return die


def _lies_still(old: RolledDie, new: RolledDie) -> bool:
    if old.box is None or new.box is None:
        return False
    near = MOVED * max(old.box[2], old.box[3])
    return all(abs(a - b) <= near for a, b in zip(old.box, new.box, strict=True))


def _doubted(die: RolledDie, ids: Sequence[str]) -> RolledDie:
    if die.id not in ids or die.by != "camera" or die.status != SURE:
        return die
    return replace(die, status="unsure", doubted=True)


def _named(wants: Sequence[Want]) -> list[dict[str, JSON]]:
    return [{"die": want.die, "count": want.count} for want in wants]


def _counted(names: Sequence[str]) -> list[dict[str, JSON]]:
    return [{"die": name, "count": names.count(name)} for name in dict.fromkeys(names)]
