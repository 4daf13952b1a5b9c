"""A game as the page shows it; entered in `web.games.registry`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from flask import Blueprint

from device.table.state import Check
from device.table.view import Snapshot
from web.games.forms import Fields

Params: TypeAlias = Mapping[str, Any]
Query: TypeAlias = Mapping[str, str]

View: TypeAlias = Callable[[Snapshot, Query], dict[str, Any]]
"""Variables of a template, from what is true and the address's query."""


Icons: TypeAlias = Callable[[Mapping[str, Any]], tuple[tuple[str, int], ...]]


@dataclass(frozen=True, slots=True)
class Headline:
    """A result at a glance.

    Attributes:
        word: The one big word (or a short phrase).
        tone: ``good``, ``bad`` or ``plain``; drawn with a sign, not by colour alone.
        line: The numbers behind it, one sentence; may be empty.
    """

    word: str
    tone: str
    line: str = ""

    @property
    def spoken(self) -> str:
        """All of it for a screen reader."""
        return f"{self.word}. {self.line}".strip()


@dataclass(frozen=True, slots=True)
class Shown:
    """A part of a screen: a template and what it is filled with."""

    template: str
    view: View = lambda snapshot, query: {}


@dataclass(frozen=True, slots=True)
class Ask:
    """How a kind of check is asked for.

    Attributes:
        words: Its name, marked for translation.
        form: The fields inside the form; ``given`` holds what it starts with, as
            arguments of `open_check`. Its view may give ``key`` (tells forms apart
            that start differently) and other ``given`` values.
        args: From the form to the arguments of `open_check`. Raises BadInput.
        intro: What stands above the form, or None.
    """

    words: str
    form: Shown
    args: Callable[[Mapping[str, str]], dict[str, Any]]
    intro: Shown | None = None


@dataclass(frozen=True, slots=True)
class GamePage:
    """A game on the page.

    Attributes:
        key: As in `device.games`.
        name: Not translated.
        asks: Every kind of check that a person opens, in the order offered.
        headline: A resolved check and its result at a glance.
        units: The screen "Units".
        icons: What of a result can be spent or counts, ``(icon, count)`` each.
        who: Words for somebody whom the log has kept in `kept`.
        panel: What stands at the top of "Now", or None. Its view may give ``leads``
            (no form of a new check unless somebody asks for it), ``owned`` (it tells
            the result of the check at hand itself) and ``said`` (for screen readers).
        after: What stands among the buttons under a result, or None.
        tellers: Sentences of the log: by ``said`` of a changed sheet, or by kind of
            event where the game has events of its own.
        deeds: What an undo took back, marked, by the same keys.
        check_words: Names, marked, of kinds that only follow from others and are
            never asked for.
        open_words: Sentences about places where the rulebook is unclear.
        commands: How the form of each command sent to ``/play`` is read.
        blueprints: Its own routes.
    """

    key: str
    name: str
    asks: Mapping[str, Ask]
    headline: Callable[[Check, Mapping[str, Any]], Headline]
    units: Shown
    icons: Icons = lambda result: ()
    who: Callable[[Any], str] = str
    panel: Shown | None = None
    after: Shown | None = None
    tellers: Mapping[str, Callable[[Params], str]] = field(default_factory=dict)
    deeds: Mapping[str, str] = field(default_factory=dict)
    check_words: Mapping[str, str] = field(default_factory=dict)
    open_words: Callable[[Iterable[str]], tuple[str, ...]] = tuple
    commands: Mapping[str, Fields] = field(default_factory=dict)
    blueprints: tuple[Blueprint, ...] = ()
