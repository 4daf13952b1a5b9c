"""Both armies at a glance, and every token one tap away."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, request, url_for
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response

from device.errors import BadInput
from device.games.foww.flows.show import beside_view
from device.rosters.battlescribe import MOST_BYTES, import_roster, is_foreign
from device.rosters.cards import Cards
from device.rosters.problems import RosterError, problem
from device.rosters.roster import Roster, parse_roster, unknown
from device.rosters.store import STARTERS, known_cards, remember_cards, starter
from device.rosters.writing import roster_toml
from device.rules.foww.damage import health_limit
from device.table.army import SIDES, Armies, Unit
from device.table.state import Content
from device.table.view import Snapshot
from web.act import act, text, ticked, whole
from web.games.foww import tokens
from web.games.foww.flow import starts_of
from web.games.foww.flow_words import thing_words
from web.games.foww.known import lacking
from web.games.foww.lying import at_a_glance, brief, model_tokens, table_tokens
from web.games.foww.told import to_give, unknown_words
from web.games.game import Query
from web.hub import current_snapshot, hub
from web.language import gettext, ngettext
from web.language import marked as N_
from web.words import DAMAGE

bp: Final = Blueprint("foww", __name__)

UPLOAD_BYTES: Final = MOST_BYTES + (16 << 10)
"""The largest roster and the form around it."""


def health(unit: Unit) -> int | None:
    """Return how many damage tokens remove a model of a unit, None unknown."""
    known = unit.card.health
    return None if known is None else health_limit(known, unit.card.hero)


def view(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return what the screen shows: both armies."""
    content = snapshot.state.content
    return {
        "armies": content.armies,
        "sides": SIDES,
        "starters": dict(zip(SIDES, STARTERS, strict=True)),
        "tokens": tokens,
        "model_tokens": model_tokens,
        "table_tokens": table_tokens(content.armies),
        "at_a_glance": at_a_glance,
        "health": health,
        "unknown": unknown,
        "lacking": lacking(content.armies),
        "unknown_words": unknown_words,
        "give": to_give(content),
        "starts": starts_of(content),
        "brief": brief,
        "beside": beside_words(content),
        "free": "free" in query,
        "more": query.get("more", ""),
        "damage_types": DAMAGE,
    }


def beside_words(content: Content) -> dict[str, tuple[str, ...]]:
    """Return what lies beside each model that is no token of its own, in words."""
    found = {}
    for _, model in content.armies.models():
        beside = beside_view(content, model.id)
        lines = [
            ngettext("%(what)s: %(num)d token", "%(what)s: %(num)d tokens", left)
            % {"what": tokens.card_name(name), "num": left}
            for name, left in beside.effects
        ]
        lines += [
            ngettext("%(what)s: %(num)d charge", "%(what)s: %(num)d charges", count)
            % {"what": tokens.card_name(name), "num": count}
            for name, count in beside.charges
        ]
        if beside.contacts:
            names = ", ".join(map(thing_words, beside.contacts))
            lines.append(gettext(N_("In contact with: %(names)s")) % {"names": names})
        found[model.id] = tuple(lines)
    return found


def _back() -> str:
    """Return the way back to the same model, with the same things open."""
    where, more = request.form.get("model", ""), request.form.get("more", "")
    known = _model_ids()
    return url_for(
        "units.show",
        free=1 if ticked("override") else None,  # None leaves it out of the address
        more=more if more in known else None,
        _anchor=f"m-{where}" if where in known else None,
    )


def _model_ids() -> frozenset[str]:
    armies = current_snapshot().state.armies
    return frozenset(model.id for _, model in armies.models())


def _free(args: dict[str, Any]) -> dict[str, Any]:
    """Return arguments with the override, where the page was told so."""
    return args | {"override": True} if ticked("override") else args


# --- Armies ------------------------------------------------------------------------


@bp.post("/units/starter")
def starter_army() -> Response:
    """Put a shipped army on one side."""
    name = text("army")
    if name not in STARTERS:
        raise BadInput(N_("Something is missing in the form."), "army")
    args = {"side": text("side"), "roster": roster_toml(starter(name))}
    return act("add_unit", args, back=url_for("units.show"))


@bp.post("/units/roster")
def upload() -> Response:
    """Put an uploaded roster on one side: TOML, .ros or .rosz."""
    request.max_content_length = UPLOAD_BYTES
    try:
        sent = request.files.get("file")
        data = b""
        if sent is not None:
            data = sent.read(MOST_BYTES + 1)
            sent.close()
    except RequestEntityTooLarge as error:
        raise RosterError(problem("too_large", most=MOST_BYTES >> 10)) from error
    if not data:
        raise BadInput(N_("Choose a roster file first."), "file")
    folder = hub().settings.state
    read = import_roster if is_foreign(data) else parse_roster
    roster = read(data, known_cards(folder))
    args = {"side": text("side"), "roster": roster_toml(roster)}
    digest = hashlib.sha256(data).hexdigest()
    response = act("add_unit", args, back=_after(roster), content=digest)
    _remember(folder, roster)
    return response


def _after(roster: Roster) -> str:
    """Return where an added army leads: to the values that it lacks, if any."""
    units = tuple(Unit("", "", one.card, ()) for one in roster.units)
    lacks = lacking(Armies(units=units))
    return url_for("army.ask") if lacks else url_for("units.show")


def _remember(folder: Path | None, roster: Roster) -> None:
    if folder is not None:
        remember_cards(folder, roster.cards)


@bp.post("/units/remove")
def remove() -> Response:
    """Take a unit off the table."""
    return act("remove_unit", {"unit": text("unit")}, back=url_for("units.show"))


@bp.post("/units/health")
def set_health() -> Response:
    """Say a unit's health, and remember it for later nights."""
    wanted, value = text("unit"), whole("health")
    units = current_snapshot().state.armies.units
    args = {"unit": wanted, "health": value}
    response = act("set_health", args, back=url_for("units.show"))
    folder = hub().settings.state
    for unit in units:
        if folder is not None and unit.id == wanted:
            card = replace(unit.card, health=value, verified=False)
            remember_cards(folder, Cards(units=(card,)))
    return response


# --- Tokens ------------------------------------------------------------------------


@bp.post("/units/token")
def token() -> Response:
    """Put one token down or take one away: ``put`` is ``regular +1``."""
    name, _, change = text("put").rpartition(" ")
    if change not in ("+1", "-1"):
        raise BadInput(N_("Something is missing in the form."), "token")
    args: dict[str, Any] = {"token": name, "change": int(change)}
    if request.form.get("model"):
        args["model"] = text("model")
    return act("token", _free(args), back=_back())


@bp.post("/units/damage")
def damage() -> Response:
    """Give damage that armour did not stop, or heal."""
    model, amount, kind = text("model"), whole("amount"), text("type")
    if request.form.get("what") == "heal":
        healed = "radiation" if kind == "radiation" else "regular"
        args = {"model": model, "kind": healed, "amount": amount}
        return act("heal", _free(args), back=_back())
    parts = [{"type": kind, "amount": amount}]
    return act("damage", _free({"model": model, "damage": parts}), back=_back())


@bp.post("/units/apply")
def apply_result() -> Response:
    """Give a model what the armour check let through."""
    return act("apply_result", _free({"model": text("model")}), back=_back())


# --- Turns -------------------------------------------------------------------------


@bp.post("/units/turn")
def turn() -> Response:
    """Make a model ready, begin its activation or end it."""
    what = text("what")
    if what not in ("ready", "activate", "end_activation"):
        raise BadInput(N_("Something is missing in the form."), "what")
    args: dict[str, Any] = {"model": text("model")}
    if what == "activate" and request.form.get("luck_token"):
        args["luck_token"] = text("luck_token")
    return act(what, _free(args), back=_back())


@bp.post("/units/round")
def end_round() -> Response:
    """End the round."""
    return act("end_round", _free({}), back=_back())
