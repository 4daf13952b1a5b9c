"""Decisions: what a command means for what is true at the table now.

Each decision is pure: it checks the command's arguments against the state and
answers with drafts of events, or refuses. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from device.errors import BadInput, RulesError, TableError
from device.games.game import Answer, Deed, Game, answered, check_draft, missing
from device.games.registry import find_game
from device.match import match_dice
from device.rules.dice import DiceSet
from device.table.codec import JSON, to_json
from device.table.events import Draft
from device.table.fold import Fold, Step
from device.table.state import Check, Roll, RolledDie
from device.table.view import Live, LiveDie

SURE: Final = "ok"


@dataclass(frozen=True, slots=True)
class Situation:
    """What a decision may look at.

    Attributes:
        fold: What is true, and what undo could restore.
        live: The tray as last published.
        dice: The dice in play.
        check_cue: Refuses a ruler cue that this table cannot show, with BadInput.
        step_below: Looks up the step under those that undo keeps.
    """

    fold: Fold
    live: Live
    dice: DiceSet
    check_cue: Callable[[JSON], None]
    step_below: Callable[[], Step | None] = lambda: None

    @property
    def next_seq(self) -> int:
        """Number that the next event will have."""
        return self.fold.seq + 1

    @property
    def game(self) -> Game:
        """The game in play."""
        return find_game(self.fold.content.game)


Args: TypeAlias = Mapping[str, JSON]
Decision: TypeAlias = Callable[[Situation, Args], Sequence[Draft]]


def decide(situation: Situation, name: str, args: Args) -> Sequence[Draft]:
    """Return the events that a command causes.

    Raises:
        BadInput: An unknown command, or arguments that are missing or wrong.
        TableError: It does not fit what is true now.
    """
    own = situation.game.commands
    if name in own:
        deed, fields = own[name]
        decision = _deed(deed)
    elif name in DECISIONS:
        decision, fields = DECISIONS[name]
    else:
        known = ", ".join(sorted([*DECISIONS, *own]))
        raise BadInput(f"no command {name!r}; there are {known}", "name")
    if fields is not None:
        for field in args:
            if field not in fields:
                raise BadInput(f"{name} takes no such argument", field)
    return decision(situation, args)


# --- Checks ------------------------------------------------------------------------


def _open_check(now: Situation, args: Args) -> Sequence[Draft]:
    current = now.fold.content.check
    if current is not None and current.status != "resolved":
        raise TableError("another check is open; close it first", "check_open")
    kind, kinds = args.get("check"), now.game.checks
    if not isinstance(kind, str) or kind not in kinds:
        raise BadInput(f"expected one of {', '.join(kinds)}", "check")
    check, answer = kinds[kind].open(now.fold.content, args, f"c{now.next_seq}")
    return [check_draft(check, answer)]


def _close_check(now: Situation, args: Args) -> Sequence[Draft]:
    check = _current(now)
    return [Draft("check_closed", {"log": {"check": check.kind}})]


def _confirm(now: Situation, args: Args) -> Sequence[Draft]:
    """Take doubtful faces as read, or the dice lying there as the roll."""
    check = _current(now)
    if check.status == "unsure" and check.roll is not None:
        dice = tuple(_vouched(die) for die in check.roll.dice)
        return [set_roll(now, "roll_confirmed", check, replace(check.roll, dice=dice))]
    if check.status != "waiting":
        raise TableError("there is nothing to confirm", "nothing_to_confirm")
    dice = _lying(now, check)
    roll = add_dice(check, dice, f"r{now.next_seq}")
    return [set_roll(now, "roll_read", check, roll)]


def _vouched(die: RolledDie) -> RolledDie:
    if die.face is None:
        raise TableError("one die shows no face; tap it and say which", "no_face")
    return replace(die, status=SURE)


def _lying(now: Situation, check: Check) -> tuple[RolledDie, ...]:
    """Return the dice lying in the tray that are just what the check wants."""
    wants = missing(check.wants, hand_dice(check))
    fresh = [die for die in now.live.dice if die.fresh]
    for dice in (fresh, list(now.live.dice)):
        match = match_dice(dice, wants, now.dice)
        if match.has_all:
            by_id = {die.id: die for die in dice}
            return tuple(
                _vouched(rolled(by_id[one], name)) for one, name in match.taken
            )
    raise TableError(
        "the dice in the tray are not those that the check asks for", "dice_differ"
    )


# --- Faces by hand -----------------------------------------------------------------


def _enter_die(now: Situation, args: Args) -> Sequence[Draft]:
    check = _current(now)
    if check.status != "waiting":
        raise TableError("the check has its dice; correct one instead", "has_dice")
    die, face = _text(args, "die"), _text(args, "face")
    dice = check.roll.dice if check.roll else ()
    if die not in {want.die for want in check.wants}:
        raise BadInput(f"this check does not ask for a {die} die", "die")
    if die not in {want.die for want in missing(check.wants, dice)}:
        raise TableError(f"all {die} dice are already there", "has_dice")
    _check_face(now.dice, die, face)
    entered = RolledDie(id=f"h{len(dice) + 1}", die=die, face=face, by="hand")
    roll = add_dice(check, (entered,), f"r{now.next_seq}")
    return [set_roll(now, "die_entered", check, roll, {"die": die, "face": face})]


def _correct_die(now: Situation, args: Args) -> Sequence[Draft]:
    roll_id, die_id = _text(args, "roll"), _text(args, "die")
    face = _text(args, "face")
    check, roll = _find_roll(now, roll_id)
    die = next((die for die in roll.dice if die.id == die_id), None)
    if die is None:
        raise BadInput(f"roll {roll_id} has no die {die_id!r}", "die")
    if check is not None or any(die.die == known.name for known in now.dice.dice):
        _check_face(now.dice, die.die, face)
    changed = die.face != face
    corrected = replace(
        die,
        face=face,
        status=SURE,
        confidence=1.0,
        by="hand",
        corrected_from=(die.corrected_from or die.face)
        if changed
        else die.corrected_from,
    )
    dice = tuple(corrected if one.id == die_id else one for one in roll.dice)
    told = {"die": die.die, "was": die.face, "face": face, "roll": roll_id}
    told["id"] = die_id
    roll = replace(roll, dice=dice)
    draft = set_roll(now, "die_corrected", check, roll, told, amends=True)
    if check is None:
        return [draft]
    content, result = now.fold.content, draft.data["result"]
    more = dict(now.game.corrected(content, check, result))
    kept = [*draft.data["log"].get("kept", []), *more.pop("kept", [])]
    log = dict(draft.data["log"]) | {"kept": kept}
    return [replace(draft, data={**draft.data, **more, "log": log})]


def _find_roll(now: Situation, roll_id: str) -> tuple[Check | None, Roll]:
    """Return a roll that can still be corrected, with the check it belongs to."""
    content = now.fold.content
    checks = [content.check, content.last.check if content.last else None]
    for check in checks:
        if check is not None and check.roll is not None and check.roll.id == roll_id:
            return check, check.roll
    if content.seen is not None and content.seen.id == roll_id:
        return None, content.seen
    raise TableError(
        "only the dice of the last two checks can be corrected", "roll_gone"
    )


def _check_face(dice: DiceSet, die: str, face: str) -> None:
    try:
        dice.die(die).face(face)
    except RulesError as error:
        raise BadInput(str(error), "face") from error


# --- Undo and redo -----------------------------------------------------------------


def _undo(now: Situation, args: Args) -> Sequence[Draft]:
    past = now.fold.past
    if not past and args.get("seq") is None:
        return [_undone_below(now)]
    if args.get("seq") is None:
        seqs = [past[-1].seq]
    else:
        first = _whole(args, "seq")
        seqs = [step.seq for step in reversed(past) if step.seq >= first]
        if not seqs or seqs[-1] != first:
            raise TableError(f"event {first} cannot be undone", "cannot_undo")
    told = [entry.kind for entry in now.fold.log if entry.seq == seqs[-1]]
    log = {"what": told[0] if told else "", "count": len(seqs)}
    return [Draft("undone", {"seqs": seqs, "log": log, "amends": True})]


def _undone_below(now: Situation) -> Draft:
    """Take back a step that the fold keeps no more: what was true goes along."""
    step = now.step_below() if now.fold.below else None
    if step is None:
        raise TableError("there is nothing to undo", "nothing_to_undo")
    told = {"log": {"what": "", "count": 1}, "amends": True}
    return Draft(
        "undone", {"seqs": [step.seq], "content": to_json(step.content), **told}
    )


def _redo(now: Situation, args: Args) -> Sequence[Draft]:
    if not now.fold.future:
        raise TableError("there is nothing to redo", "nothing_to_redo")
    seq = now.fold.future[-1].seq
    told = [entry.kind for entry in now.fold.log if entry.seq == seq]
    log = {"what": told[0] if told else "", "count": 1}
    return [Draft("redone", {"seqs": [seq], "log": log, "amends": True})]


# --- The ruler ---------------------------------------------------------------------


def _light_ruler(now: Situation, args: Args) -> Sequence[Draft]:
    if "cue" not in args:
        raise BadInput("which cue?", "cue")
    cue = args["cue"]
    if not isinstance(cue, Mapping):
        raise BadInput("expected an object", "cue")
    try:
        now.check_cue(to_json(cue))
    except RulesError as error:
        field = f"cue.{error.field}" if error.field else "cue"
        raise BadInput(str(error), field) from error
    if cue.get("off") is True:
        return _ruler_off(now, {})
    return [Draft("ruler_lit", {"cue": to_json(cue), "log": {"cue": to_json(cue)}})]


def _ruler_off(now: Situation, args: Args) -> Sequence[Draft]:
    return [Draft("ruler_off")] if now.fold.content.ruler is not None else []


def _choose_game(now: Situation, args: Args) -> Sequence[Draft]:
    """Open the table of another game, or a fresh one; the old one is kept aside."""
    game, fresh = find_game(_text(args, "game")), args.get("fresh", False)
    if not isinstance(fresh, bool):
        raise BadInput("expected true or false", "fresh")
    if game.key == now.fold.content.game and not fresh:
        return []
    data = {"game": game.key, "fresh": fresh}
    return [Draft("game_chosen", {**data, "log": data})]


def _deed(deed: Deed) -> Decision:
    """Return a command of the game as a decision."""
    return lambda now, args: deed(now.fold.content, now.next_seq, args)


DECISIONS: Final[dict[str, tuple[Decision, tuple[str, ...] | None]]] = {
    # `open_check` knows its arguments by the kind of check.
    "open_check": (_open_check, None),
    "close_check": (_close_check, ()),
    "enter_die": (_enter_die, ("die", "face")),
    "correct_die": (_correct_die, ("roll", "die", "face")),
    "confirm": (_confirm, ()),
    "undo": (_undo, ("seq",)),
    "redo": (_redo, ()),
    "light_ruler": (_light_ruler, ("cue",)),
    "ruler_off": (_ruler_off, ()),
    "choose_game": (_choose_game, ("game", "fresh")),
}
"""Every command that all games have, with the arguments it takes."""


# --- Rolls, shared with the loop ---------------------------------------------------


def set_roll(
    now: Situation,
    kind: str,
    check: Check | None,
    roll: Roll,
    log: Mapping[str, JSON] | None = None,
    *,
    amends: bool = False,
) -> Draft:
    """Return the event that gives a check its roll, with what the rules say of it."""
    status, answer = "waiting", Answer()
    more: dict[str, JSON] = {}
    if check is not None and not missing(check.wants, roll.dice):
        status = (
            "resolved" if all(die.status == SURE for die in roll.dice) else "unsure"
        )
        if status == "resolved":
            rules = now.game.checks[check.kind]
            answer = rules.resolve(now.fold.content, check, roll.dice)
            whole = replace(check, roll=roll)
            more = dict(now.game.rolled(now.fold.content, whole, now.next_seq))
    kept, follows = more.pop("kept", []), more.pop("follows", {})
    told = log or {"dice": [{"die": one.die, "face": one.face} for one in roll.dice]}
    data = {
        "check": check.id if check is not None else "",
        "roll": to_json(roll),
        "status": status,
        **answered(answer),
        **more,
        "log": {"roll": roll.id, "photo": roll.photo, **told, "status": status},
        "amends": amends,
    }
    if kept:
        data["log"]["kept"] = kept
    if follows:
        data["log"]["follows"] = follows
    return Draft(kind, data)


def add_dice(check: Check, dice: Sequence[RolledDie], roll_id: str) -> Roll:
    """Return the check's roll with more dice, in the order of its wants."""
    old = check.roll or Roll(roll_id, ())
    order = [want.die for want in check.wants]
    every = sorted((*old.dice, *dice), key=lambda die: order.index(die.die))
    photo = old.photo or any(die.by == "camera" for die in dice)
    return replace(old, dice=tuple(every), photo=photo)


def hand_dice(check: Check) -> tuple[RolledDie, ...]:
    """Return the dice of a check that were typed in, not seen."""
    dice = check.roll.dice if check.roll else ()
    return tuple(die for die in dice if die.box is None)


def rolled(die: LiveDie, name: str) -> RolledDie:
    """Return a die lying in the tray as a die of a roll."""
    return RolledDie(
        id=die.id,
        die=name,
        face=die.face,
        status=die.status,
        confidence=die.confidence,
        box=die.box,
        alternatives=die.alternatives,
    )


def _current(now: Situation) -> Check:
    if now.fold.content.check is None:
        raise TableError("no check is open", "no_open_check")
    return now.fold.content.check


def _text(args: Args, name: str) -> str:
    value = args.get(name)
    if not isinstance(value, str) or not value:
        raise BadInput("expected a text", name)
    return value


def _whole(args: Args, name: str) -> int:
    value = args.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput("expected a whole number", name)
    return value
