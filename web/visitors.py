"""Who is asking: a device that joined, by its signed cookie, or a program's token."""

from __future__ import annotations

import unicodedata

from flask import g, request, session
from itsdangerous import BadSignature, URLSafeSerializer

from device.errors import BadInput
from device.table.army import SIDES
from web.hub import hub
from web.language import marked as N_
from web.people import Role, Visitor

NAME_LENGTH = 24
"""Letters of a name; longer ones do not fit beside a log line on a phone."""

SCHEME = "bearer "


def visitor() -> Visitor | None:
    """Return who asks, or None where this device has not joined.

    A program shows its token instead of a cookie; it is taken for the API alone.
    """
    if "visitor" not in g:
        g.visitor = _by_token() if is_program() else _by_cookie()
        if g.visitor is not None:
            hub().seen(g.visitor.id)
    found = g.visitor
    assert found is None or isinstance(found, Visitor)
    return found


def is_program() -> bool:
    """Say whether a token is shown where tokens are taken."""
    given = request.headers.get("Authorization", "").lower().startswith(SCHEME)
    return given and request.blueprint == "api"


def _by_token() -> Visitor | None:
    return hub().people.reader(request.headers["Authorization"][len(SCHEME) :].strip())


def _by_cookie() -> Visitor | None:
    return hub().people.find(str(session.get("id", "")), str(session.get("key", "")))


def join(name: str, role: str, side: str = "") -> Visitor:
    """Let this device in, or change its name, role or side; it keeps its id.

    Raises:
        BadInput: No name, or no such role or side; `field` says which.
        TableError: The table is full.
    """
    shown = short_name(name, "name")
    if role not in {known.value for known in Role}:
        raise BadInput(N_("Please choose: player or spectator."), "role")
    if side not in ("", *SIDES):
        raise BadInput(N_("Please choose one of the sides, or none."), "side")
    people = hub().people
    known = visitor()
    if known is not None:
        g.visitor = people.change(known.id, shown, Role(role), side)
    else:
        g.visitor, key = people.join(shown, Role(role), side)
        _keep_cookie(g.visitor.id, key)
    made = g.visitor
    assert isinstance(made, Visitor)
    return made


def short_name(name: str, field: str) -> str:
    """Return a name as it is shown: no control letters, single spaces.

    Raises:
        BadInput: Nothing is left, or too much.
    """
    shown = " ".join(
        "".join(
            letter
            for letter in unicodedata.normalize("NFC", name)
            if unicodedata.category(letter)[0] != "C"
        ).split()
    )
    if not 1 <= len(shown) <= NAME_LENGTH:
        raise BadInput(N_("Please type a name of 1 to 24 letters."), field)
    return shown


def leave() -> None:
    """Forget this device."""
    known = visitor()
    if known is not None:
        hub().dismiss(known.id, hub().people.leave)
    session.clear()


def _keep_cookie(visitor_id: str, key: str) -> None:
    session.clear()
    session.permanent = True
    session.update(id=visitor_id, key=key)


# --- The same device at another address --------------------------------------------


def return_ticket() -> str:
    """Return what brings this device back where the page gets another address.

    A browser shows its cookie to one address only. The ticket works once.
    """
    return str(_tickets().dumps([session.get("id", ""), session.get("key", "")]))


def come_back(ticket: str) -> Visitor | None:
    """Let the device of a ticket in under this address; its old cookie ends."""
    try:
        visitor_id, key = _tickets().loads(ticket)
    except (BadSignature, ValueError, TypeError):
        return None
    found = hub().people.find(str(visitor_id), str(key))
    if found is not None:
        _keep_cookie(found.id, hub().people.renew_key(found.id))
        g.visitor = found
    return found


def _tickets() -> URLSafeSerializer:
    return URLSafeSerializer(hub().settings.secret, salt="return")
