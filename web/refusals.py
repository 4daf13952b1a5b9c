"""Errors become one clear line and a status: as a page, or as JSON for our script."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from flask import Flask, Response, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from device.errors import (
    DicelightError,
    HardwareError,
    JournalError,
    RulesError,
    TableError,
)
from device.rosters.problems import PROBLEMS, RosterError
from device.table.codec import to_json
from web.faults import fault_words, is_known
from web.language import current, gettext, is_page_text
from web.language import marked as N_
from web.reasons import FIELDS, REASONS, Refused

logger = logging.getLogger(__name__)

SCRIPT_HEADER = "X-Dicelight"
"""Sent by our script with every command; it wants JSON."""

PLAIN = {
    400: N_("That could not be understood."),
    401: N_("Join the table first."),
    403: N_("That is not allowed from here."),
    404: N_("There is nothing here (yet)."),
    405: N_("That cannot be asked in this way."),
    409: N_("That does not fit what is happening at the table now."),
    413: N_("That is too large."),
    429: N_("Too many tries. Please wait a minute."),
    500: N_("Something went wrong inside. The log of the device says more."),
    503: N_("Not available right now. Please try again in a moment."),
}
"""Used where nothing better is known."""


SUSPICIOUS = frozenset({401, 403, 413, 429})
"""Statuses that a player who only uses the page hardly ever sees."""

MOST_PROBLEMS = 12
"""Mistakes in a roster told at once; a phone shows no more."""


def wants_json() -> bool:
    """Say whether the answer goes to a script."""
    return SCRIPT_HEADER in request.headers or request.path.startswith("/api/")


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a request was refused.

    Attributes:
        field: The input at fault, "" where there is no single one.
        message: One line in the language of the request.
    """

    field: str
    message: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a refused request is answered."""

    error: Problem


def refusal(
    status: int,
    message: str,
    field: str = "",
    page: str = "refusal.html",
    **shown: object,
) -> Response:
    """Return a refusal as a page or as JSON.

    Args:
        status: HTTP status.
        message: One line, translated.
        field: The input at fault, "" for none.
        page: Template that tells it to a person.
        **shown: What else that template needs.
    """
    if wants_json():
        response = jsonify(to_json(Refusal(Problem(field, message))))
    else:
        response = make_response(
            render_template(page, status=status, message=message, field=field, **shown)
        )
    response.status_code = status
    return response


def own_words(text: str, instead: str) -> str:
    """Return a text translated; where nobody has translated it, say less instead."""
    translated = gettext(text)
    return translated if current() == "en" or translated != text else gettext(instead)


def sentence(error: DicelightError) -> tuple[int, str, str]:
    """Return status, translated line and field of one of our errors."""
    if isinstance(error, Refused):
        return error.status, gettext(str(error)), error.field
    if isinstance(error, TableError):
        known = REASONS.get(error.reason, str(error))
        return 409, own_words(known, PLAIN[409]), ""
    if isinstance(error, RosterError):
        told = error.problems[:MOST_PROBLEMS]
        lines = [gettext(PROBLEMS[one.key]) % dict(one.params) for one in told]
        return 400, "; ".join(lines), "file"
    if isinstance(error, RulesError):
        label = FIELDS.get(error.field.split("[")[0].split(".")[-1])
        if label is None:
            return 400, own_words(str(error), PLAIN[400]), error.field
        line = gettext(N_("Please check: %(field)s.")) % {"field": gettext(label)}
        if is_page_text(str(error)):
            line += " " + gettext(str(error))
        return 400, line, error.field
    if isinstance(error, HardwareError | JournalError):
        is_telling = is_known(str(error))
        return 503, fault_words(str(error)) if is_telling else gettext(PLAIN[503]), ""
    return 500, gettext(PLAIN[500]), ""


def refused(
    error: DicelightError, page: str = "refusal.html", **shown: object
) -> Response:
    """Return one of our errors as a refusal, and log it.

    Args:
        error: What was raised.
        page: Template that tells it: a form may come back as it was filled in.
        **shown: What else that template needs.
    """
    status, line, field = sentence(error)
    _log(status, str(error), upload=isinstance(error, RosterError))
    return refusal(status, line, field, page, **shown)


def init_app(app: Flask) -> None:
    """Turn errors into refusals; only here and nowhere else in `web`."""

    @app.errorhandler(DicelightError)
    def ours(error: DicelightError) -> Response:
        return refused(error)

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response:
        status = error.code or 500
        _log(status, error.name)
        return refusal(status, gettext(PLAIN.get(status, PLAIN[400])))

    @app.errorhandler(Exception)
    def unexpected(error: Exception) -> Response:
        logger.exception("%r failed", request.path)
        return refusal(500, gettext(PLAIN[500]))


def _log(status: int, why: str, *, upload: bool = False) -> None:
    """Log a refusal: loudly what an attack may look like, quietly what players do.

    Paths and reasons come from outside; as `repr` they stay on their line.
    """
    level = logging.INFO
    if upload or status in SUSPICIOUS:
        level = logging.WARNING
    if status >= 500:
        level = logging.ERROR
    logger.log(
        level, "%s for %s: %r, %r", status, request.remote_addr, request.path, why
    )
