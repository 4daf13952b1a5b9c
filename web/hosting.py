"""``/people``: who is at the table; its host invites, removes, and hands over."""

from __future__ import annotations

import logging

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from web.hub import hub
from web.invitation import invite, qr_svg, urls, wifi_text
from web.join import can_take_over, sides
from web.language import marked as N_
from web.people import Visitor
from web.reasons import Refused
from web.visitors import return_ticket, short_name, visitor

logger = logging.getLogger(__name__)

bp = Blueprint("hosting", __name__, url_prefix="/people")


@bp.get("")
def show() -> str:
    """Show who has joined; to the host also the code and what it may do."""
    here, who = hub(), visitor()
    assert who is not None  # checked before every request
    view = invitation() if who.is_host else {}
    people = here.people.everyone()
    return render_template(
        "people.html",
        people=people,
        sides=sides(),
        host=next((one for one in people if one.is_host), None),
        is_here=lambda one: here.absent_s(one.id) == 0.0 or one.id == who.id,
        can_take_over=who.may_act and not who.is_host and can_take_over(),
        tokens=here.people.tokens() if who.is_host else (),
        fresh_token=here.fresh_token(who.id),
        **view,
    )


def invitation() -> dict[str, object]:
    """Return how other phones get here, with the QR codes drawn."""
    here = hub()
    made = invite(
        here.settings,
        here.port,
        here.people.code,
        host=request.headers.get("Host", ""),
        remote=request.remote_addr or "",
    )
    return {
        "invitation": made,
        "qr": qr_svg(made.join_url),
        "hotspot_qr": qr_svg(wifi_text(made.hotspot)) if made.hotspot else "",
    }


def elsewhere() -> tuple[str, ...]:
    """Return the addresses by which this device comes back if its present one ends."""
    here, ticket = hub(), return_ticket()
    known = urls(
        here.settings,
        here.port,
        host=request.headers.get("Host", ""),
        remote=request.remote_addr or "",
    )
    return tuple(f"{url}r/{ticket}" for url in known if url != request.host_url)


# --- What only the host may do -----------------------------------------------------


@bp.post("/remove")
def remove() -> Response:
    """Take a device off the table; the code it knew is changed."""
    _, here = _host(), hub()
    here.dismiss(_field("person"), here.people.remove)
    return _back()


@bp.post("/host")
def hand_over() -> Response:
    """Make another player the host."""
    _host()
    hub().people.hand_over(_field("person"))
    return _back()


@bp.post("/code")
def renew_code() -> Response:
    """Change the code."""
    _host()
    hub().people.renew_code()
    return _back()


@bp.post("/tokens")
def make_token() -> Response:
    """Make a token for a program; its host's page shows it for a while."""
    who, here = _host(), hub()
    name = short_name(request.form.get("program", ""), "program")
    here.show_token(who.id, here.people.make_token(name))
    logger.info("the host made a token")
    return _back()


@bp.post("/tokens/revoke")
def revoke_token() -> Response:
    """Make a program's token worthless; what it listens to ends."""
    _, here = _host(), hub()
    here.dismiss(_field("program"), here.people.revoke_token)
    return _back()


def _host() -> Visitor:
    """Return who asks, the host.

    Raises:
        Refused: Somebody else asks.
    """
    who = visitor()
    if who is None or not who.is_host:
        logger.warning(
            "refused %s by no host from %s", request.path, request.remote_addr
        )
        raise Refused(403, N_("Only the host may do that."))
    return who


def _field(name: str) -> str:
    return request.form.get(name, "")


def _back() -> Response:
    return redirect(url_for(".show"), 303)
