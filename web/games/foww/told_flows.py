"""Sentences of the log about the guided flows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from device.games.foww.flows.view import Choice, Thing
from device.table.codec import from_json
from web.games.foww import flow_words, told
from web.games.foww.open_points import open_words
from web.games.foww.steps import named_steps
from web.hub import current_snapshot
from web.language import gettext
from web.language import marked as N_

Params = Mapping[str, Any]


def _flow(params: Params) -> str:
    """Return whose flow it is, and which: ``Paladin, Shoot``."""
    name = flow_words.flow_name(str(params.get("kind", "")))
    if params.get("quick"):
        name = f"{name} ({gettext(N_('quick action'))})"
    who = told.who(params) if params.get("name") else ""
    said = f"{who}, {name}" if who else name
    if not params.get("target"):
        return said
    target = flow_words.thing_words(from_json(Thing, params["target"]))
    return f"{said} → {target}"


def _with_steps(said: str, params: Params) -> str:
    armies = current_snapshot().state.armies
    lines = [said, *told.ended(named_steps(armies, params.get("steps")))]
    lines += told.ended(open_words(params.get("open") or ()))
    if reason := str(params.get("override") or ""):
        why = flow_words.reason(reason)
        lines.append(gettext(N_("Done by hand although: %(why)s")) % {"why": why})
    return " ".join(lines)


def _begun(params: Params) -> str:
    return _with_steps(f"{_flow(params)}.", params)


def _answered(params: Params) -> str:
    if params.get("number") is not None:
        answer = str(params["number"])
    else:
        chosen = [from_json(Choice, one) for one in params.get("chosen") or ()]
        answer = ", ".join(map(flow_words.choice_words, chosen)) or "–"
    return _with_steps(f"{_flow(params)}: {answer}.", params)


def _said(template: str) -> Callable[[Params], str]:
    return lambda params: gettext(template) % {"flow": _flow(params)}


TELLERS: Final[Mapping[str, Callable[[Params], str]]] = MappingProxyType(
    {
        "flow_begun": _begun,
        "flow_answered": _answered,
        "flow_rolled": _begun,
        "flow_back": _said(N_("%(flow)s: the last answer is taken back.")),
        "flow_resumed": _said(N_("%(flow)s: the dice are asked for again.")),
        "flow_left": _said(N_("%(flow)s: left, the rest is done by hand.")),
    }
)
"""By ``said``."""

DEEDS: Final = MappingProxyType(
    {
        "flow_begun": N_("a begun action"),
        "flow_answered": N_("an answer"),
        "flow_back": N_("an answer taken back"),
        "flow_resumed": N_("dice asked for again"),
        "flow_left": N_("leaving an action"),
    }
)
"""What an undo took back."""
