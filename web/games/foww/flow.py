"""The guided flow on the page: what is asked, what may be begun, what was done.

One template draws every flow, see `device.games.foww.flows.view`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from device.data.load import bands
from device.games.foww.flows.show import flow_view, turn_view
from device.games.foww.flows.view import (
    Beginning,
    Choice,
    FlowView,
    Told,
    TurnView,
)
from device.rules.dice import EFFECT_COLOURS
from device.rules.ranges import RangeBand, find_band
from device.table.army import Armies
from device.table.state import Check, Content
from device.table.view import Snapshot
from web.games.foww import flow_words, result, tokens
from web.games.foww.card_form import capital
from web.games.foww.lying import Token, brief
from web.games.foww.open_points import open_words
from web.games.foww.steps import named_steps
from web.games.foww.tokens import card_name, model_name
from web.games.game import Headline, Query
from web.rulers import Span, band_name, spans
from web.words import die_words, face_words

DICE_STEPS: Final = ("charge_token", "more_dice")
"""Steps whose colours are those of dice; elsewhere a colour is a ruler."""

ONE_TAP: Final = 13
"""So many numbers still fit on a phone as buttons of their own."""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice as shown.

    Attributes:
        key: As the command takes it.
        words: What it says.
        side: Side of a model in words, "" otherwise.
        tokens: What lies beside a model.
        why_not: Why the rules refuse it, "" where they do not.
        band: The ruler that it stands for, or None.
        die: The die that it stands for, "" for none.
    """

    key: str
    words: str
    side: str = ""
    tokens: tuple[Token, ...] = ()
    why_not: str = ""
    band: RangeBand | None = None
    die: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """A step that is over, in words.

    Attributes:
        question: What was asked, "" where nothing was.
        answer: What was answered.
        section: Of the rulebook.
        steps: What the rules made of it.
        open: Where the rulebook is unclear.
        override: What the rules would have refused, "" for nothing.
    """

    question: str
    answer: str
    section: str
    steps: tuple[str, ...]
    open: tuple[str, ...]
    override: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The flow at its current step, in words.

    Attributes:
        view: As the rules tell it.
        name: Of the flow.
        who: Whose flow it is, "" for the whole table.
        question: What is asked.
        section: Of the rulebook.
        options: What may be answered.
        refused: What the rules would not allow, with the reason.
        numbers: Buttons for a number, empty where it is typed.
        done: Steps so far.
        open: Where the rulebook is unclear, and the last step depended on it.
    """

    view: FlowView
    name: str
    who: str
    question: str
    section: str
    options: tuple[Option, ...]
    refused: tuple[Option, ...]
    numbers: tuple[int, ...]
    done: tuple[Done, ...]
    open: tuple[str, ...]

    @property
    def outcome(self) -> tuple[str, ...]:
        """What the rules made of the last step that changed anything."""
        told = [one.steps for one in self.done if one.steps]
        return told[-1] if told else ()

    @property
    def is_running(self) -> bool:
        """Something is still asked, or stands in its way."""
        return self.view.asks != "over"


@dataclass(frozen=True, slots=True)
class Start:
    """A flow that may be begun, in words.

    Attributes:
        kind: Of the flow.
        model: Id of the model, "" for the whole table.
        quick: For an action point.
        words: Name of the flow.
        name: Of the model, "" for the whole table.
        side: Side of the model in words.
        tokens: What lies beside the model.
        why_not: Why the rules refuse it, "" where they do not.
    """

    kind: str
    model: str
    quick: bool
    words: str
    name: str
    side: str
    tokens: tuple[Token, ...]
    why_not: str


# --- What the template gets ---------------------------------------------------------


def panel(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return what the top of "Now" shows; it leads as soon as there are armies."""
    content = snapshot.state.content
    if not content.armies.units:
        return {"leads": False, "owned": False, "turn": None, "flow": None}
    flow, turn = flow_view(content), turn_view(content)
    asked = said_flow(content, flow) if flow is not None else None
    last = last_result(content, flow)
    shown = {
        "leads": True,
        # While a flow runs, what an earlier check came to would only distract.
        "owned": flow is not None
        and (flow.asks != "over" or is_of(content.check, flow)),
        "turn": turn,
        "flow": asked,
        "starts": starts(content, turn),
        "active": model_name(*found) if (found := _active(content)) else "",
        "side_words": tokens.side_words,
        "tokens": tokens,
        "effects": [(card_name(name), left) for name, left in turn.effects],
        "contacts": [flow_words.thing_words(one) for one in turn.contacts],
        "flow_result": last,
        "lit": lit(snapshot),
        "band_name": band_name,
    }
    return shown | {"said": spoken(asked, last)}


def starts_of(content: Content) -> Mapping[str, tuple[Start, ...]]:
    """Return what each model may begin, by its id; models without any left out."""
    found: dict[str, list[Start]] = {}
    for one in turn_view(content).beginnings:
        if one.model:
            found.setdefault(one.model, []).append(_start(content.armies, one))
    return {model: tuple(ones) for model, ones in found.items()}


def starts(content: Content, turn: TurnView) -> dict[str, list[Start]]:
    """Return what may be begun, refused flows of others left out.

    ``table`` are those of no model, ``refused`` what the rules would not allow;
    ``actions`` and ``quick`` are those of the active model, ``models`` those of others.
    """
    active = turn.active.model if turn.active is not None else ""
    found: dict[str, list[Start]] = {
        name: [] for name in ("actions", "quick", "models", "table", "refused")
    }
    for one in turn.beginnings:
        start = _start(content.armies, one)
        if one.why_not:
            if one.model in ("", active):
                found["refused"].append(start)
        elif not one.model:
            found["table"].append(start)
        elif one.model == active:
            found["quick" if one.quick else "actions"].append(start)
        else:
            found["models"].append(start)
    return found


def said_flow(content: Content, view: FlowView) -> Asked:
    """Return a flow in words."""
    options = [_option(content.armies, view, one) for one in view.choices]
    few = view.high - view.low < ONE_TAP
    last = view.told[-1].open if view.told else ()
    return Asked(
        view=view,
        name=flow_words.flow_name(view.kind),
        who=flow_words.thing_words(view.who) if view.who is not None else "",
        question=flow_words.question(view.step, view.params) if view.step else "",
        section=flow_words.section_words(view.section),
        options=tuple(one for one in options if not one.why_not),
        refused=tuple(one for one in options if one.why_not),
        numbers=tuple(range(view.low, view.high + 1)) if few else (),
        done=tuple(_done(content.armies, one) for one in view.told),
        open=open_words(last),
    )


def is_of(check: Check | None, flow: FlowView) -> bool:
    """Say whether a check was asked for by a flow."""
    if check is None:
        return False
    return check.id == flow.check or any(one.check == check.id for one in flow.told)


def last_result(content: Content, flow: FlowView | None) -> dict[str, Any] | None:
    """Return the newest result of the flow's own checks at a glance.

    None while the next dice are awaited: then those are what matters.
    """
    if flow is None or flow.asks == "dice":
        return None
    pairs = [(content.check, content.result)]
    if content.last is not None:
        pairs.append((content.last.check, content.last.result))
    for check, found in pairs:
        if check is not None and found is not None and is_of(check, flow):
            return {
                "check": check,
                "headline": result.headline(check, found),
                "icons": result.spendable(found),
                "steps": named_steps(content.armies, found.get("steps")),
            }
    return None


def lit(snapshot: Snapshot) -> tuple[Span, ...]:
    """Return what the ruler shows, nearest first."""
    return spans(snapshot.state.ruler, bands(snapshot.state.game))


def spoken(asked: Asked | None, last: Mapping[str, Any] | None) -> str:
    """Return what a screen reader is told when something has changed."""
    parts = []
    if last is not None:
        headline: Headline = last["headline"]
        parts.append(headline.spoken)
    if asked is not None and asked.question:
        parts.append(asked.question)
    return " ".join(parts)


# --- Parts ---------------------------------------------------------------------------


def _option(armies: Armies, view: FlowView, choice: Choice) -> Option:
    about_dice = view.step in DICE_STEPS
    die = choice.key.removesuffix("_token")
    is_plain = choice.thing is None and not choice.words
    return Option(
        key=choice.key,
        words=capital(flow_words.choice_words(choice)),
        side=flow_words.side_of(choice.thing) if choice.thing else "",
        tokens=_tokens(armies, choice.thing.model if choice.thing else ""),
        why_not=flow_words.reason(choice.why_not) if choice.why_not else "",
        band=None
        if about_dice or not is_plain
        else find_band(bands("foww"), choice.key),
        die=die if about_dice and die in EFFECT_COLOURS else "",
    )


def _start(armies: Armies, one: Beginning) -> Start:
    found = armies.find(one.model)
    return Start(
        kind=one.kind,
        model=one.model,
        quick=one.quick,
        words=flow_words.flow_name(one.kind),
        name=model_name(*found) if found else "",
        side=tokens.side_words(found[0].side) if found else "",
        tokens=_tokens(armies, one.model),
        why_not=flow_words.reason(one.why_not) if one.why_not else "",
    )


def _tokens(armies: Armies, model: str) -> tuple[Token, ...]:
    found = armies.find(model)
    if found is None:
        return ()
    return brief(*found)


def _active(content: Content) -> tuple[Any, Any] | None:
    return next((pair for pair in content.armies.models() if pair[1].active), None)


def _done(armies: Armies, told: Told) -> Done:
    return Done(
        question=flow_words.question(told.step, told.params) if told.step else "",
        answer=_answer(told),
        section=flow_words.section_words(told.section),
        steps=named_steps(armies, told.steps),
        open=open_words(told.open),
        override=flow_words.reason(told.override) if told.override else "",
    )


def _answer(told: Told) -> str:
    if told.faces:
        return _faces(told.faces)
    if told.number is not None:
        return str(told.number)
    return ", ".join(map(flow_words.choice_words, told.chosen))


def _faces(faces: Iterable[tuple[str, str]]) -> str:
    return "; ".join(f"{die_words(die)}: {face_words(face)}" for die, face in faces)
