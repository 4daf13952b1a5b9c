"""The guided flows in words: their questions, answers, reasons and open points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from device.games.foww.flows.view import Choice, Param, Thing
from device.games.foww.flows.words import (
    ANSWERS,
    FLOWS,
    QUESTIONS,
    REASONS,
)
from web.explain import STEP_WORDS
from web.games.foww.tokens import card_name, named, side_words
from web.language import gettext, pgettext
from web.language import marked as N_
from web.reasons import REASONS as ALL_REASONS

FLOW_CONTEXT: Final = "flow"
ANSWER_CONTEXT: Final = "answer"
"""In Russian an answer, or the name of a flow, reads otherwise than a button."""


SIDE_KEYS: Final = {"side_a": "a", "side_b": "b"}
"""Sides are called the same everywhere on the page."""


def flow_name(kind: str) -> str:
    """Return the name of a kind of flow."""
    return pgettext(FLOW_CONTEXT, FLOWS[kind]) if kind in FLOWS else kind


def question(step: str, params: Mapping[str, Param]) -> str:
    """Return what a step asks, its gaps filled."""
    if step not in QUESTIONS:
        return step
    said = gettext(QUESTIONS[step].text)
    return said.format(**{name: param_words(one) for name, one in params.items()})


def param_words(param: Param) -> str:
    """Return what fills a gap: a thing by name, a key in words, a number."""
    return thing_words(param) if isinstance(param, Thing) else key_words(str(param))


def thing_words(thing: Thing) -> str:
    """Return the name of a model or a card."""
    return named(card_name(thing.name), thing.number)


def key_words(key: str, number: int = 0) -> str:
    """Return an answer's word, a flow's name, or a word of the rules, in this order."""
    if key in SIDE_KEYS:
        return side_words(SIDE_KEYS[key])
    if key in ANSWERS:
        return pgettext(ANSWER_CONTEXT, ANSWERS[key]).format(number=number)
    if key in FLOWS:
        return flow_name(key)
    return gettext(STEP_WORDS[key]) if key in STEP_WORDS else key


def choice_words(choice: Choice) -> str:
    """Return what a choice says."""
    if choice.thing is not None:
        return thing_words(choice.thing)
    return key_words(choice.words or choice.key, choice.number)


def reason(key: str) -> str:
    """Return why the rules refuse something."""
    return gettext(REASONS.get(key) or ALL_REASONS.get(key, key))


def section_words(section: str) -> str:
    """Return a place in the rulebook, ``§2.8 p.16``, as this language writes it."""
    number, found, page = section.partition(" p.")
    if not found:
        return section
    return gettext(N_("%(number)s p.%(page)s")) % {"number": number, "page": page}


def side_of(thing: Thing) -> str:
    """Return the side of a model in words, "" for a card."""
    return side_words(thing.side) if thing.side else ""
