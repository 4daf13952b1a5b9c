"""``/join``: a phone with the code becomes a player's or a spectator's."""

from __future__ import annotations

import hmac
import logging
import unicodedata
from collections.abc import Mapping

from flask import Blueprint, redirect, render_template, request, session, url_for
from werkzeug.wrappers import Response

from device.errors import DicelightError
from device.games.registry import find_game
from web.hub import current_snapshot, hub
from web.language import marked as N_
from web.people import Role
from web.reasons import Refused
from web.refusals import refused, wants_json
from web.visitors import come_back, join, leave, visitor

logger = logging.getLogger(__name__)

bp = Blueprint("join", __name__)

SCANNED = "code"
"""In the cookie: the code of the address that was opened, until the form is sent."""

TYPED = ("name", "side", "code")
"""What a refused form is filled with again; the role is the button that is pressed."""

MOST_SHOWN = 64
"""Letters of each; more than any field takes."""

CODE_LENGTH = 32
"""Nobody types more; a cookie keeps no more."""


@bp.get("/join")
def show() -> str:
    """Ask for a name, a role and a side; for the code where none was scanned."""
    who = visitor()
    given = {"name": who.name, "side": who.side} if who is not None else {}
    return render_template("join.html", **_form(given))


def _form(given: Mapping[str, str]) -> dict[str, object]:
    """Return what the form shows: whether it asks for the code, what is filled in."""
    return {"sides": sides(), "scanned": SCANNED in session, "given": given}


def sides() -> tuple[str, ...]:
    """Return the sides that players of the game in play take, () where it has none."""
    return find_game(current_snapshot().state.game).sides


@bp.get("/j/<code>")
def scanned(code: str) -> Response:
    """Take the code from the address; it is looked at when the form is sent."""
    who = visitor()
    if who is not None and who.may_act:
        return redirect(url_for("now.show"), 303)
    session[SCANNED] = code[:CODE_LENGTH]
    return redirect(url_for(".show"), 303)


@bp.post("/join")
def enter() -> Response:
    """Let this device in; where it is refused, ask again with all that was typed."""
    try:
        return _enter()
    except DicelightError as error:
        if wants_json():
            raise
        given = {name: request.form.get(name, "")[:MOST_SHOWN] for name in TYPED}
        return refused(error, "join.html", **_form(given))


def _enter() -> Response:
    if not hub().joins.allow(request.remote_addr or ""):
        raise Refused(429, N_("Too many tries. Please wait a minute."))
    form, known = request.form, visitor()
    if known is None or (not known.may_act and form.get("role") == Role.PLAYER):
        # Who could only watch, or has stolen a watcher's way in, cannot promote itself.
        _check_code(form.get("code") or session.get(SCANNED, ""))
    side = form.get("side")
    if side is None:  # this game has none: what was taken in another one stays
        side = known.side if known is not None else ""
    join(form.get("name", ""), form.get("role", ""), side)
    return redirect(url_for("now.show"), 303)


@bp.post("/leave")
def depart() -> Response:
    """Forget this device."""
    leave()
    return redirect(url_for("join.show"), 303)


@bp.get("/r/<ticket>")
def back(ticket: str) -> str | Response:
    """Let a device in again that knew the page by another address.

    The page that answers goes on to the table by itself: a browser that came from
    another address would not show its new cookie after a redirect.
    """
    if visitor() is None and come_back(ticket) is None:
        return redirect(url_for(".show"), 303)
    return render_template("back.html")


@bp.post("/take-over")
def take_over() -> Response:
    """Make this player the host, where nothing was heard of the host for long."""
    who, here = visitor(), hub()
    if who is None or not who.may_act:
        raise Refused(403, N_("Only a player can be the host."))
    if not can_take_over():
        raise Refused(409, N_("The host is still here."))
    here.people.hand_over(who.id)
    logger.warning("a player took over from an absent host")
    return redirect(url_for("hosting.show"), 303)


def can_take_over() -> bool:
    """Say whether the host has been away for long."""
    here = hub()
    host = next((one for one in here.people.everyone() if one.is_host), None)
    return host is None or here.absent_s(host.id) >= here.settings.host_absent_s


def _check_code(given: str) -> None:
    """Refuse a device that does not know the code.

    Raises:
        Refused: Wrong, or too many were wrong lately.
    """
    here, address = hub(), request.remote_addr or ""
    if here.wrong_codes.is_full(address) or here.wrong_in_all.is_full(""):
        raise Refused(429, N_("Too many tries. Please wait a minute."))
    plain = "".join(
        letter for letter in unicodedata.normalize("NFKC", given) if letter.isalnum()
    )
    if hmac.compare_digest(plain.encode(), here.people.code.encode()):
        return
    session.pop(SCANNED, None)
    if not plain:
        raise Refused(403, N_("Please type the code of the table."), "code")
    here.wrong_codes.allow(address)
    here.wrong_in_all.allow("")
    logger.warning("refused a wrong code from %s", address)
    raise Refused(
        403, N_("That is not the code of the table. The host's phone shows it."), "code"
    )
