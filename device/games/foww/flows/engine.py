"""Runs a flow's script over its replies: where it stands, and what it has changed.

The state of a flow is data: its kind, its replies, and a photograph of the table from
its beginning. `run` plays the script from the start each time. So a reply that is put
right, or taken back, is no special case: the replies are changed and played again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from device.games.foww.checks import CHECKS
from device.games.foww.flows.ask import Amount, Ask, Choose, Reply, Script, Throw
from device.games.foww.flows.scene import (
    BASE,
    FLOW,
    PAST,
    TABLE,
    Gone,
    Scene,
    difference,
    from_photograph,
    indexed,
    overlay,
    own_sheet,
)
from device.table.codec import JSON, from_json, to_json
from device.table.state import Check, Content

FACT: Final = "fact."
"""Steps that ask what a card says: not asked where somebody has said it since."""


@dataclass(frozen=True, slots=True)
class Flow:
    """A flow as it lies on the sheet.

    Attributes:
        id: Unique in the night: ``f17``.
        kind: Key in `words.FLOWS`.
        base: The table when it began, see `scene.photograph`.
        model: Id of the model whose flow it is, "" for the whole table.
        quick: A quick action for an action point.
        override: The rules refused it; a person decided.
        replies: So far.
        check: Id of the check that it waits for, "" for none.
    """

    id: str
    kind: str
    base: Mapping[str, JSON]
    model: str = ""
    quick: bool = False
    override: str = ""
    replies: tuple[Reply, ...] = ()
    check: str = ""


Begin: TypeAlias = Callable[[Scene, Flow], Script[None]]
"""A script, from its scene and its flow."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A step that is over: what was asked and answered, and what the rules said."""

    ask: Ask | None
    reply: Reply | None
    steps: tuple[Mapping[str, JSON], ...] = ()
    open: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """Where a flow stands after its replies.

    Attributes:
        scene: The table as the script leaves it.
        ask: What is asked next, None when the flow is over or stuck.
        passed: Steps so far; the first has neither ask nor reply.
        replies: Those that were used; others no longer fitted.
        stuck: A model that it needs has gone.
        surprised: Models that were changed by hand meanwhile and stay so.
    """

    scene: Scene
    ask: Ask | None
    passed: tuple[Passed, ...]
    replies: tuple[Reply, ...]
    stuck: bool = False
    surprised: tuple[str, ...] = ()


def flow_of(content: Content) -> Flow | None:
    """Return the flow at hand, running or over."""
    data = content.sheet.get(FLOW)
    if data is None:
        return None
    return from_json(Flow, {**data, "base": content.sheet[BASE]})


def past_flow(content: Content) -> Flow | None:
    """Return the flow before, whose dice can still be put right."""
    data = content.sheet.get(PAST)
    return from_json(Flow, data) if data is not None else None


def kept_past(content: Content, flow: Flow | None) -> dict[str, JSON]:
    """Return what is kept of a flow that another one follows, as a sheet's change."""
    checks = (content.check, content.last.check if content.last else None)
    ids = {check.id for check in checks if check is not None}
    asked = {reply.check for reply in flow.replies} if flow is not None else set()
    return {PAST: to_json(flow)} if asked & ids else {}


def written(content: Content, flow: Flow) -> dict[str, JSON]:
    """Return the entries of the sheet that hold a flow, as far as they are new."""
    data = to_json(flow)
    base = data.pop("base")
    known = to_json(content.sheet.get(BASE))
    return {FLOW: data} if known == base else {FLOW: data, BASE: base}


@dataclass
class _Player:
    """One playing of a script."""

    scene: Scene
    script: Script[None]
    ask: Ask | None = None
    stuck: bool = False
    passed: list[Passed] = field(default_factory=list)
    used: list[Reply] = field(default_factory=list)
    surprised: list[str] = field(default_factory=list)

    def go(self, reply: Reply | None) -> None:
        """Send a reply (None to begin) and note what comes of it."""
        asked = self.ask
        try:
            self.ask = next(self.script) if reply is None else self.script.send(reply)
        except StopIteration:
            self.ask = None
        except Gone:
            self.ask, self.stuck = None, True
        steps, opened = tuple(self.scene.steps), tuple(dict.fromkeys(self.scene.open))
        self.scene.steps.clear()
        self.scene.open.clear()
        self.passed.append(Passed(asked, reply, steps, opened))


def run(scripts: Mapping[str, Begin], content: Content, flow: Flow) -> Run:
    """Play a flow from its beginning over all of its replies."""
    scene = from_photograph(content, flow.base)
    player = _Player(scene, scripts[flow.kind](scene, flow))
    player.go(None)
    for reply in flow.replies:
        if reply.hand is not None:
            player.surprised += overlay(scene, reply.hand)
            player.used.append(reply)
            continue
        ask = player.ask
        if reply.step.startswith(FACT) and (ask is None or ask.step != reply.step):
            continue
        if ask is None or not fits(content, ask, reply):
            break
        player.used.append(reply)
        player.go(reply)
    return Run(
        scene=scene,
        ask=player.ask,
        passed=tuple(player.passed),
        replies=tuple(player.used),
        stuck=player.stuck,
        surprised=tuple(dict.fromkeys(player.surprised)),
    )


def fits(content: Content, ask: Ask, reply: Reply) -> bool:
    """Say whether a reply answers an ask."""
    if ask.step != reply.step:
        return False
    if isinstance(ask, Amount):
        return reply.number is not None and ask.low <= reply.number <= ask.high
    if isinstance(ask, Choose):
        keys = {choice.key for choice in ask.choices}
        is_count = ask.several or len(reply.chosen) == 1
        return is_count and set(reply.chosen) <= keys
    wanted = [
        want.die
        for want in open_check(content, ask, "").wants
        for _ in range(want.count)
    ]
    return sorted(wanted) == sorted(die for die, _ in reply.dice)


def open_check(content: Content, ask: Throw, check_id: str) -> Check:
    """Return the check of a throw; scripts throw only where there are dice to throw."""
    return CHECKS[ask.args["check"]].open(content, ask.args, check_id)[0]


# --- A step, as data of an event ------------------------------------------------------


def stepped(
    scripts: Mapping[str, Begin], content: Content, flow: Flow, seq: int
) -> dict[str, JSON]:
    """Return what an event about a flow with its newest reply carries.

    Args:
        scripts: By kind of flow.
        content: As it is now.
        flow: With its newest reply.
        seq: Number of the event.
    """
    playing = run(scripts, content, flow)
    if not isinstance(playing.ask, Throw):
        return _data(content, playing, replace(flow, check=""), None)
    check = open_check(content, playing.ask, f"{flow.id}.c{seq}")
    return _data(content, playing, replace(flow, check=check.id), check)


def _data(
    content: Content, playing: Run, flow: Flow, check: Check | None
) -> dict[str, JSON]:
    flow = replace(flow, replies=playing.replies)
    data = changes(content, playing.scene)
    data["sheet"]["set"] |= written(content, flow)
    if check is not None:
        data["next"] = to_json(check)
    if playing.ask is None:
        data["cue"] = {"off": True}
    elif playing.scene.cue is not None:
        data["cue"] = to_json(playing.scene.cue)
    return data


def changes(content: Content, scene: Scene) -> dict[str, Any]:
    """Return as event data what a scene has otherwise than the table."""
    known = indexed(content.armies)
    models = [
        model
        for _, model in scene.armies.models()
        if model.id in known and known[model.id][1] != model
    ]
    was, now = to_json(own_sheet(content.sheet)), to_json(scene.sheet)
    table = {
        name: getattr(scene.armies, name)
        for name in TABLE
        if getattr(content.armies, name) != getattr(scene.armies, name)
    }
    return {
        "models": to_json(models),
        "table": table,
        "sheet": {
            "set": {key: one for key, one in now.items() if was.get(key) != one},
            "drop": [key for key in was if key not in now],
        },
    }


def answered(
    scripts: Mapping[str, Begin], content: Content, flow: Flow, reply: Reply
) -> Flow:
    """Return a flow with a reply, after what was changed by hand before it."""
    playing = run(scripts, content, flow)
    hand = difference(playing.scene, content)
    by_hand = (Reply(hand=hand),) if hand else ()
    return replace(flow, replies=(*playing.replies, *by_hand, reply))


# --- Replies put right ----------------------------------------------------------------


def replayed(
    scripts: Mapping[str, Begin],
    content: Content,
    flow: Flow,
    replies: Sequence[Reply],
    seq: int,
) -> tuple[dict[str, JSON], list[str]]:
    """Return what other replies than those given change, and which models stay.

    A model that anything else has happened to since keeps its tokens: nobody can say
    any more what they would be. Replies that no longer fit are asked anew.

    Args:
        scripts: By kind of flow.
        content: As it is now.
        flow: As it is now.
        replies: As they should have been.
        seq: Number of the event.
    """
    before = run(scripts, content, flow)
    after = run(scripts, content, replace(flow, replies=tuple(replies)))
    kept = [*after.surprised]
    armies, known = content.armies, indexed(content.armies)
    for _, model in after.scene.armies.models():
        was, now = before.scene.find(model.id), known.get(model.id)
        if was is None or now is None or was[1] == model:
            continue
        if now[1] != was[1]:
            kept.append(model.id)
        else:
            armies = armies.with_model(model)
    table = {
        name: getattr(after.scene.armies, name)
        for name in TABLE
        if getattr(armies, name) == getattr(before.scene.armies, name)
    }
    scene = Scene(replace(armies, **table), _sheet(content, before, after))
    scene.cue = after.scene.cue
    played = replace(flow, replies=after.replies)
    data = _data(content, replace(after, scene=scene), played, None)
    data |= _same_check(content, flow, after, f"{flow.id}.c{seq}")
    data["sheet"]["set"][FLOW]["check"] = _waits(data, after, flow)
    return data, list(dict.fromkeys(kept))


def replayed_past(
    scripts: Mapping[str, Begin],
    content: Content,
    flow: Flow,
    replies: Sequence[Reply],
    seq: int,
) -> tuple[dict[str, JSON], list[str]]:
    """Return what other replies of the flow before change, and which models stay.

    Where it would have to ask anything more, nobody can say what would have come of
    it: then all stays as it is.
    """
    after = run(scripts, content, replace(flow, replies=tuple(replies)))
    if after.ask is not None or after.stuck:
        return {}, [flow.model]
    data, kept = replayed(scripts, content, flow, replies, seq)
    entries = data["sheet"]["set"]
    entries.pop(BASE, None)
    entries[PAST] = {**entries.pop(FLOW), "base": to_json(flow.base)}
    changed = {"models": data["models"], "table": data["table"], "sheet": data["sheet"]}
    return changed, kept


def _sheet(content: Content, before: Run, after: Run) -> Mapping[str, JSON]:
    """Return the sheet with what follows, but for entries that were changed since."""
    sheet = own_sheet(content.sheet)
    for key in {*before.scene.sheet, *after.scene.sheet}:
        was = to_json(before.scene.sheet.get(key))
        if to_json(sheet.get(key)) != was:
            continue
        sheet.pop(key, None)
        if key in after.scene.sheet:
            sheet[key] = after.scene.sheet[key]
    return sheet


def _same_check(
    content: Content, flow: Flow, after: Run, check_id: str
) -> dict[str, JSON]:
    """Return the check to be opened, or closed, where it is not the one that waits."""
    waiting = content.check
    if waiting is not None and (waiting.id != flow.check or not flow.check):
        waiting = None
    if not isinstance(after.ask, Throw):
        return {"next": None} if waiting is not None else {}
    wanted = open_check(content, after.ask, check_id)
    if waiting is not None and _alike(waiting, wanted):
        return {}
    return {"next": to_json(wanted)}


def _alike(one: Check, other: Check) -> bool:
    return (one.kind, one.given, one.wants, one.rating) == (
        other.kind,
        other.given,
        other.wants,
        other.rating,
    )


def _waits(data: Mapping[str, JSON], after: Run, flow: Flow) -> str:
    if not isinstance(after.ask, Throw):
        return ""
    check = data.get("next")
    return str(check["id"]) if check else flow.check
