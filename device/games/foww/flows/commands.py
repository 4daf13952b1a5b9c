"""Commands of the guided flows, and what a flow makes of a roll."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from device.errors import BadInput, TableError
from device.games.foww.arguments import Args, choice, whole
from device.games.foww.flows.ask import Amount, Ask, Choose, Reply, Throw
from device.games.foww.flows.begin import refusal
from device.games.foww.flows.engine import (
    Flow,
    Run,
    answered,
    flow_of,
    kept_past,
    past_flow,
    replayed,
    replayed_past,
    run,
    stepped,
)
from device.games.foww.flows.scene import BASE, FLOW, PAST, Scene, photograph
from device.games.foww.flows.scripts import SCRIPTS
from device.games.foww.flows.view import Thing
from device.games.foww.flows.words import FLOWS, REASONS
from device.games.foww.logged import named
from device.table.codec import JSON, to_json
from device.table.events import Draft
from device.table.state import Check, Content

WHOLE_TABLE: Final = ("end_turn", "end_round", "first_player", "readings")
"""Flows of no single model."""

NO_OVERRIDE: Final = ("no_weapon", "no_enemies", "no_token")
"""Nobody can choose among nothing or use what is not there, whatever the rules say."""


def flow_begin(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Begin a flow: ``kind``, ``model`` where it is a model's, ``quick``."""
    kind = choice(args, "kind", tuple(FLOWS))
    model = "" if kind in WHOLE_TABLE else _model(content, args)
    quick = _flag(args, "quick")
    if (at_hand := flow_of(content)) is not None:
        playing = run(SCRIPTS, content, at_hand)
        if playing.ask is not None or playing.stuck:
            raise refuse("flow_running")
    _no_other_check(content, None)
    scene = Scene(content.armies, content.sheet)
    why_not = refusal(scene, kind, model, quick=quick)
    overridden = _flag(args, "override") and why_not not in NO_OVERRIDE
    if why_not and not overridden:
        raise refuse(why_not)
    base = photograph(content)
    flow = Flow(f"f{seq}", kind, base, model=model, quick=quick, override=why_not)
    log = _log(content, flow, "flow_begun") | ({"override": why_not} if why_not else {})
    draft = _draft(content, flow, seq, log)
    sheet = draft.data["sheet"]
    past = kept_past(content, at_hand)
    sheet = {"set": sheet["set"] | past, "drop": sheet["drop"] + [PAST] * (not past)}
    return [replace(draft, data={**draft.data, "sheet": sheet})]


def flow_choose(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Answer the question: ``choose`` (a key, or a list of keys) or ``number``."""
    flow, playing = _running(content)
    reply = _reply(playing.ask, args)
    return _answer(content, seq, flow, playing, reply)


def flow_skip(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Answer for those who do not want it."""
    flow, playing = _running(content)
    ask = playing.ask
    if not isinstance(ask, Choose) or not (ask.skip or ask.several):
        raise refuse("cannot_skip")
    chosen = () if ask.several else (ask.skip,)
    return _answer(content, seq, flow, playing, Reply(ask.step, chosen=chosen))


def flow_back(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Take back the last answer, or the last roll, with what followed from it."""
    flow = _flow(content)
    playing = run(SCRIPTS, content, flow)
    if not playing.replies:
        raise refuse("nothing_to_take_back")
    if playing.replies[-1].hand is not None:
        raise refuse("changed_since")
    data, kept = replayed(SCRIPTS, content, flow, playing.replies[:-1], seq)
    log = _log(content, flow, "flow_back") | {"step": playing.replies[-1].step}
    log["kept"] = _kept(content, kept)
    return [Draft("sheet_changed", {**data, "log": log, "amends": True})]


def flow_resume(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Ask for the dice again, where their check was closed by hand."""
    flow, playing = _running(content)
    if not isinstance(playing.ask, Throw) or _waits(content, flow):
        raise refuse("nothing_to_resume")
    _no_other_check(content, flow)
    return [_draft(content, flow, seq, _log(content, flow, "flow_resumed"))]


def flow_cancel(content: Content, seq: int, args: Args) -> Sequence[Draft]:
    """Leave the flow; what it has done stays."""
    flow = _flow(content)
    data: dict[str, JSON] = {
        "sheet": {"set": {}, "drop": [FLOW, BASE]},
        "cue": {"off": True},
        "log": _log(content, flow, "flow_left"),
    }
    if _waits(content, flow):
        data["next"] = None
    return [Draft("sheet_changed", data)]


# --- Rolls ----------------------------------------------------------------------------


def rolled(content: Content, check: Check, seq: int) -> Mapping[str, JSON]:
    """Return what a roll changes through the flow that asked for it.

    Args:
        content: Before the roll.
        check: With all of its dice, none of them doubtful.
        seq: Number of the event.

    Returns:
        More data of the event; empty where no flow asked for it.
    """
    if check.roll is None:
        return {}
    dice = tuple((die.die, die.face or "") for die in check.roll.dice)
    flow = flow_of(content)
    for one, again in ((flow, replayed), (past_flow(content), replayed_past)):
        if one is not None and any(r.check == check.id for r in one.replies):
            replies = [
                replace(reply, dice=dice) if reply.check == check.id else reply
                for reply in one.replies
            ]
            data, kept = again(SCRIPTS, content, one, replies, seq)
            return {**data, "offer": None, "kept": _kept(content, kept)}
    if flow is None or flow.check != check.id:
        return {}
    ask = run(SCRIPTS, content, flow).ask
    if not isinstance(ask, Throw):
        return {}
    reply = Reply(ask.step, dice=dice, check=check.id)
    after = answered(SCRIPTS, content, flow, reply)
    follows = _log(content, flow, "flow_rolled") | _target(ask) | _told(content, after)
    data = stepped(SCRIPTS, content, after, seq)
    return {**data, "offer": None, "follows": follows}


# --- Inside ---------------------------------------------------------------------------


def refuse(reason: str) -> TableError:
    """Return the error of a reason."""
    return TableError(REASONS[reason], reason)


def _answer(
    content: Content, seq: int, flow: Flow, playing: Run, reply: Reply
) -> list[Draft]:
    log = _log(content, flow, "flow_answered") | {"step": reply.step}
    log |= _target(playing.ask)
    if reply.number is not None:
        log["number"] = reply.number
    if isinstance(playing.ask, Choose):
        chosen = [one for one in playing.ask.choices if one.key in reply.chosen]
        log["chosen"] = to_json(chosen)
        if reply.override:
            log["override"] = next(one.why_not for one in chosen if one.why_not)
    _no_other_check(content, flow)
    after = answered(SCRIPTS, content, flow, reply)
    return [_draft(content, after, seq, log)]


def _draft(content: Content, flow: Flow, seq: int, log: dict[str, JSON]) -> Draft:
    data = stepped(SCRIPTS, content, flow, seq)
    return Draft("sheet_changed", {**data, "log": log | _told(content, flow)})


def _told(content: Content, flow: Flow) -> dict[str, JSON]:
    """Return what the rules said of a flow's newest reply, for the log."""
    passed = run(SCRIPTS, content, flow).passed[-1]
    return {"steps": to_json(passed.steps), "open": list(passed.open)}


def _target(ask: Ask | None) -> dict[str, JSON]:
    """Return whom a question was about, for the log."""
    target = ask.params.get("target") if ask is not None else None
    return {"target": to_json(target)} if isinstance(target, Thing) else {}


def _reply(ask: Ask | None, args: Args) -> Reply:
    """Return the reply that a player gives, checked."""
    if isinstance(ask, Throw):
        raise refuse("throw_dice")
    if isinstance(ask, Amount):
        return Reply(ask.step, number=_number(ask, args))
    if not isinstance(ask, Choose):
        raise refuse("no_flow")
    given = args.get("choose")
    keys: list[Any] = (
        list(given) if isinstance(given, list | tuple) and ask.several else [given]
    )
    by_key = {choice.key: choice for choice in ask.choices}
    if any(not isinstance(key, str) or key not in by_key for key in keys):
        raise BadInput(f"expected one of {', '.join(by_key)}", "choose")
    why_not = next(filter(None, (by_key[key].why_not for key in keys)), "")
    overridden = _flag(args, "override") and why_not not in NO_OVERRIDE
    if why_not and not overridden:
        raise refuse(why_not)
    chosen = tuple(choice.key for choice in ask.choices if choice.key in keys)
    return Reply(ask.step, chosen=chosen, override=bool(why_not))


def _number(ask: Amount, args: Args) -> int:
    return whole(args, "number", ask.low, ask.high)


def _flag(args: Args, name: str) -> bool:
    value = args.get(name, False)
    if not isinstance(value, bool):
        raise BadInput("expected true or false", name)
    return value


def _model(content: Content, args: Args) -> str:
    wanted = args.get("model")
    if not isinstance(wanted, str) or content.armies.find(wanted) is None:
        raise BadInput(f"there is no model {wanted!r}", "model")
    return wanted


def _flow(content: Content) -> Flow:
    flow = flow_of(content)
    if flow is None:
        raise refuse("no_flow")
    return flow


def _running(content: Content) -> tuple[Flow, Run]:
    flow = _flow(content)
    playing = run(SCRIPTS, content, flow)
    if playing.stuck:
        raise refuse("stuck")
    if playing.ask is None:
        raise refuse("no_flow")
    return flow, playing


def _waits(content: Content, flow: Flow) -> bool:
    """Say whether the check that a flow asked for is still open."""
    check = content.check
    return bool(flow.check) and check is not None and check.id == flow.check


def _no_other_check(content: Content, flow: Flow | None) -> None:
    """Refuse to go on over a check that somebody has opened by hand."""
    check = content.check
    if check is None or check.status == "resolved":
        return
    if flow is None or check.id != flow.check:
        raise TableError("another check is open; close it first", "check_open")


def _log(content: Content, flow: Flow, said: str) -> dict[str, JSON]:
    found = content.armies.find(flow.model)
    who = named(*found) if found is not None else {}
    return {"said": said, "kind": flow.kind, "quick": flow.quick, **who}


def _kept(content: Content, models: Sequence[str]) -> list[JSON]:
    found = [content.armies.find(one) for one in models]
    return [named(*one) for one in found if one is not None]


COMMANDS: Final = {
    "flow_begin": (flow_begin, ("kind", "model", "quick", "override")),
    "flow_choose": (flow_choose, ("choose", "number", "override")),
    "flow_skip": (flow_skip, ()),
    "flow_back": (flow_back, ()),
    "flow_resume": (flow_resume, ()),
    "flow_cancel": (flow_cancel, ()),
}
"""Every command of the flows, with the arguments it takes."""
