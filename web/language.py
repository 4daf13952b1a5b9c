"""English and Russian: catalogues read straight from the ``.po`` files.

The English text is the message id, so English needs no catalogue. A language is
chosen by the visitor's cookie, else by what the browser says it accepts.
"""

from __future__ import annotations

import io
import math
import time
from collections.abc import Mapping
from datetime import date
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from babel.dates import format_date
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from flask import Blueprint, Flask, g, has_request_context, redirect, request
from werkzeug.wrappers import Response as AnyResponse

TRANSLATIONS = Path(__file__).parent / "translations"

LANGUAGES: Mapping[str, str] = {"en": "English", "ru": "Русский"}
"""Code and own name of every language of the page."""

COOKIE = "language"

COOKIE_AGE_S = 400 * 24 * 3600
"""The longest that browsers keep a cookie."""


@cache
def catalogue(language: str) -> NullTranslations:
    """Return the messages of one language, read on first use.

    Args:
        language: A key of `LANGUAGES`.
    """
    path = TRANSLATIONS / language / "LC_MESSAGES" / "messages.po"
    if not path.exists():
        return NullTranslations()
    with path.open("rb") as file:
        messages = read_po(file, locale=language)
    binary = io.BytesIO()
    write_mo(binary, messages)
    binary.seek(0)
    return GNUTranslations(binary)


def current() -> str:
    """Return the language of this request, a key of `LANGUAGES`."""
    if not has_request_context():
        return "en"
    if "language" not in g:
        asked = request.cookies.get(COOKIE, "")
        g.language = asked if asked in LANGUAGES else _accepted()
    return str(g.language)


def _accepted() -> str:
    """Return the first of ours that the browser names: ``ru-RU`` means ``ru``."""
    for accepted in request.accept_languages.values():
        primary = accepted.split("-")[0].lower()
        if primary in LANGUAGES:
            return primary
    return "en"


def gettext(message: str) -> str:
    """Translate a text into the language of this request."""
    return catalogue(current()).gettext(message)


def ngettext(singular: str, plural: str, number: int) -> str:
    """Translate a text that depends on a number, with the right plural form."""
    return catalogue(current()).ngettext(singular, plural, number)


def pgettext(context: str, message: str) -> str:
    """Translate a text that reads differently in some context (gender of a colour)."""
    return catalogue(current()).pgettext(context, message)


def is_page_text(message: str) -> bool:
    """Say whether this is a text of the page, which every language has."""
    others = (catalogue(language) for language in LANGUAGES if language != "en")
    return all(other.gettext(message) != message for other in others)


def number(value: float) -> str:
    """Write a number as this language does: ``101.6`` or ``101,6``."""
    return format_decimal(value, format="#,##0.##", locale=current())


def percent(share: float, *, up: bool = False) -> str:
    """Write a share of one in hundredths: ``99.8``.

    Rounded down, never up to all; or `up`, never down to nothing.
    """
    tenths = min(max(share, 0.0), 1.0) * 1000
    shown = (math.ceil(tenths - 1e-9) if up else math.floor(tenths + 1e-9)) / 10
    return format_decimal(shown, format="0.#", locale=current())


def date_words(when: time.struct_time) -> str:
    """Write a day as this language does: ``28 November 2026``."""
    day = date(when.tm_year, when.tm_mon, when.tm_mday)
    return format_date(day, format="d MMMM y", locale=current())


def marked(message: str) -> str:
    """Mark a text for translation without translating it yet (usually ``N_``)."""
    return message


def init_app(app: Flask) -> None:
    """Give the templates ``_``, ``ngettext`` and the list of languages."""
    app.jinja_env.add_extension("jinja2.ext.i18n")
    install = app.jinja_env.install_gettext_callables  # type: ignore[attr-defined]
    install(gettext, ngettext, newstyle=True)
    app.jinja_env.filters["number"] = number

    @app.context_processor
    def languages() -> dict[str, object]:
        return {"language": current(), "languages": LANGUAGES}


bp = Blueprint("language", __name__)


@bp.post("/language")
def choose() -> AnyResponse:
    """Keep the language that this browser wants, and go back."""
    wanted = request.form.get("language", "")
    back = request.form.get("back", "/")
    if not back.startswith("/") or back.startswith(("//", "/\\")):
        back = "/"
    response = redirect(back, 303)
    if wanted in LANGUAGES:
        response.set_cookie(
            COOKIE, wanted, max_age=COOKIE_AGE_S, samesite="Strict", httponly=True
        )
    return response
