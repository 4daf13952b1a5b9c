"""The flow at hand and the turn, as a page shows them."""

from __future__ import annotations

from device.games.foww.flows.acting import activation, contacts
from device.games.foww.flows.ask import Amount, Ask, Choose, Throw
from device.games.foww.flows.begin import beginnings
from device.games.foww.flows.engine import Flow, Passed, Run, flow_of, open_check, run
from device.games.foww.flows.scene import Scene
from device.games.foww.flows.scripts import SCRIPTS
from device.games.foww.flows.view import Beside, Choice, FlowView, Thing, Told, TurnView
from device.games.foww.flows.words import QUESTIONS
from device.table.cards import CardName
from device.table.codec import from_json
from device.table.state import Content


def flow_view(content: Content) -> FlowView | None:
    """Return the flow at hand, running or over; None where none was begun."""
    flow = flow_of(content)
    if flow is None:
        return None
    playing = run(SCRIPTS, content, flow)
    ask = playing.ask
    choices = ask.choices if isinstance(ask, Choose) else ()
    wants = open_check(content, ask, "").wants if isinstance(ask, Throw) else ()
    low, high, start = (
        (ask.low, ask.high, ask.start) if isinstance(ask, Amount) else (0, 0, 0)
    )
    skips = isinstance(ask, Choose) and bool(ask.skip or ask.several)
    return FlowView(
        kind=flow.kind,
        id=flow.id,
        who=_who(playing.scene, flow),
        quick=flow.quick,
        asks=_asks(content, flow, playing),
        step=ask.step if ask is not None else "",
        section=_section(ask),
        params=ask.params if ask is not None else {},
        choices=choices,
        low=low,
        high=high,
        start=start,
        wants=wants,
        check=flow.check,
        told=tuple(map(_told, playing.passed)),
        can_skip=skips,
        can_back=bool(playing.replies) and playing.replies[-1].hand is None,
    )


def turn_view(content: Content) -> TurnView:
    """Return where the turn stands and what may be begun."""
    s = Scene(content.armies, content.sheet)
    active = next((m for _, m in s.armies.models() if m.active), None)
    flow = flow_of(content)
    playing = run(SCRIPTS, content, flow) if flow is not None else None
    busy = playing is not None and (playing.ask is not None or playing.stuck)
    begin = () if busy else tuple(beginnings(s))
    side = str(s.entry("turn").get("side") or "")
    view = TurnView(content.armies.round, side, beginnings=begin)
    if active is None:
        return view
    entry = activation(s, active.id)
    return TurnView(
        round=view.round,
        side=s.unit(active.id).side,
        active=s.thing(active.id),
        actions=int(entry["actions"]),
        ap=active.ap,
        used=tuple(entry["used"]),
        effects=tuple(_effects(s, active.id)),
        contacts=tuple(s.thing(one) for one in contacts(s, active.id)),
        beginnings=begin,
    )


def _effects(s: Scene, model: str) -> list[tuple[CardName, int]]:
    found = []
    for card in s.entry(f"items:{model}").get("cards", ()):
        left = int(card["tokens"])
        if card["duration"] == "decaying":
            left = len(card["columns"]) - int(card["hidden"])
        found.append((from_json(CardName, card["name"]), left))
    return found


def beside_view(content: Content, model: str) -> Beside:
    """Return what lies beside a model that is no token of its own."""
    s = Scene(content.armies, content.sheet)
    weapons = s.unit(model).card.weapons
    charged = s.entry(f"charged:{model}")
    return Beside(
        effects=tuple(_effects(s, model)),
        charges=tuple(
            (weapons[int(key)].name, int(count))
            for key, count in sorted(charged.items())
            if int(key) < len(weapons) and count
        ),
        contacts=tuple(s.thing(one) for one in contacts(s, model)),
    )


def _who(s: Scene, flow: Flow) -> Thing | None:
    known = flow.model and s.find(flow.model)
    return s.thing(flow.model) if known else None


def _asks(content: Content, flow: Flow, playing: Run) -> str:
    if playing.stuck:
        return "stuck"
    ask = playing.ask
    if isinstance(ask, Choose):
        return "several" if ask.several else "choice"
    if isinstance(ask, Amount):
        return "number"
    if isinstance(ask, Throw):
        check = content.check
        return "dice" if check is not None and check.id == flow.check else "lost"
    return "over"


def _section(ask: Ask | None) -> str:
    return QUESTIONS[ask.step].section if ask is not None else ""


def _told(passed: Passed) -> Told:
    ask, reply = passed.ask, passed.reply
    if ask is None or reply is None:
        return Told("", steps=passed.steps, open=passed.open)
    chosen: tuple[Choice, ...] = ()
    if isinstance(ask, Choose):
        chosen = tuple(one for one in ask.choices if one.key in reply.chosen)
    why = next((one.why_not for one in chosen if one.why_not), "")
    return Told(
        step=ask.step,
        section=_section(ask),
        params=ask.params,
        chosen=chosen,
        number=reply.number,
        faces=reply.dice,
        check=reply.check,
        steps=passed.steps,
        open=passed.open,
        override=why if reply.override else "",
    )
