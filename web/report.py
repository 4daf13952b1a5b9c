"""``/log/report``: a night as a page for printing, in either language."""

from __future__ import annotations

import calendar
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, g, render_template, request

from device.report import Line, make_report
from device.table.army import SIDES, Model
from device.table.state import RolledDie
from web import explain
from web.games.foww.tokens import READINESS, model_name, side_words, token_words
from web.games.registry import PAGES, check_words
from web.hub import current_snapshot, hub
from web.language import LANGUAGES, current, date_words, gettext
from web.language import marked as N_
from web.told import by_words, clock, told
from web.words import CONDITIONS, GAMES, die_words, face_words, word

bp = Blueprint("report", __name__)

COUNTED: Final = (
    "regular",
    "radiation",
    "luck",
    "reaction",
    "boost",
    "charge_black",
    "charge_green",
    "power_armour",
)
"""Tokens of a model that the report names, where there are any."""


def night_words(night: str) -> str:
    """Return when a night began: ``28 November 2026, 19:05``; its id if it is odd."""
    try:
        began = time.strptime(night[:15], "%Y%m%d-%H%M%S")
    except ValueError:
        return night
    local = time.localtime(calendar.timegm(began))
    return f"{date_words(local)}, {time.strftime('%H:%M', local)}"


@bp.get("/log/report")
def show() -> str:
    """Show a night from its first check to its last token.

    Query: ``night``, this one where it is left out; ``language``.
    """
    asked = request.args.get("language", "")
    if asked in LANGUAGES:
        g.language = asked
    nights = hub().companion.nights
    night = request.args.get("night") or current_snapshot().state.night
    nights.read(night).close()  # an unknown night is refused before anything is read
    report = make_report(lambda: nights.read(night))
    return render_template(
        "report.html",
        report=report,
        title=night_words(report.night),
        game=word(GAMES, report.game),
        language=current(),
        lines=[line_words(line, report.game) for line in report.lines],
        sides=SIDES,
        side_words=side_words,
        model_name=model_name,
        model_words=lambda model: ", ".join(model_words(model)),
    )


@dataclass(frozen=True, slots=True)
class Told:
    """A line of the report in words.

    Attributes:
        time: Of day.
        by: Who did it.
        title: What happened: the check's name, or the whole sentence.
        word: The result in one word, "" for none.
        line: The numbers behind it.
        dice: Each die with its face.
        steps: How the rules came to it.
        photo: Event under which the photograph is kept; 0 for none.
        chapter: It ends a round.
    """

    time: str
    by: str
    title: str
    word: str = ""
    line: str = ""
    dice: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    photo: int = 0
    chapter: bool = False


def line_words(line: Line, game: str) -> Told:
    """Return a line of the report in the language of this request."""
    entry = line.entry
    at, by = clock(entry.at_s), by_words(entry.by)
    dice = tuple(_die(die) for die in line.roll.dice) if line.roll else ()
    if line.check is None:
        chapter = entry.kind == "round_ended"
        said = told(entry, game)
        return Told(at, by, said, dice=dice, photo=line.photo, chapter=chapter)
    title = check_words(line.check.kind)
    if line.result is None:
        closed = gettext(N_("closed without a result"))
        return Told(at, by, title, line=closed, dice=dice, photo=line.photo)
    head = PAGES[game].headline(line.check, line.result)
    steps = explain.step_texts(line.result.get("steps"))
    return Told(at, by, title, head.word, head.line, dice, steps, line.photo)


def _die(die: RolledDie) -> str:
    said = f"{die_words(die.die)}: {face_words(die.face)}"
    if die.corrected_from is not None:
        was = gettext(N_("the camera had read: %(face)s"))
        return f"{said} ({was % {'face': face_words(die.corrected_from)}})"
    return said


def model_words(model: Model) -> Iterator[str]:
    """Yield how a model stands: whether it is out, its conditions, its tokens."""
    if model.removed:
        yield gettext(READINESS["removed"])
    yield from (word(CONDITIONS, one) for one in model.conditions)
    for token in COUNTED:
        if count := getattr(model, token):
            yield f"{token_words(token)}: {count}"
