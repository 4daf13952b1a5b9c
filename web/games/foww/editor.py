"""``/army``: units made and equipped, cards filled in once, army lists taken home."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Response, abort, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.rosters.cards import Cards
from device.rosters.roster import MOST_MODELS, Roster, RosterUnit, parse_cards
from device.rosters.store import entered_cards, remember_cards
from device.rosters.writing import card_table, roster_toml, table_toml
from device.table.army import SIDES, Armies, Unit
from device.table.cards import UnitCard
from web.act import act, text
from web.games.foww import card_fields, card_form, known, tokens, unit_form
from web.hub import current_snapshot, hub

bp = Blueprint("army", __name__, url_prefix="/army")

NAME_LENGTH: Final = 80


def _armies() -> Armies:
    return current_snapshot().state.armies


def _folder() -> Path | None:
    return hub().settings.state


def _cards() -> Cards:
    return known.every_card(_folder(), _armies())


def _unit(unit_id: str) -> Unit:
    for unit in _armies().units:
        if unit.id == unit_id:
            return unit
    abort(404)


def _kind(key: str) -> card_fields.CardKind:
    if key not in card_fields.KINDS:
        abort(404)
    return card_fields.KINDS[key]


# --- Units -------------------------------------------------------------------------


@bp.get("/new")
def new() -> str:
    """Ask for a new unit. Query: ``side``."""
    side = request.args.get("side", SIDES[0])
    return _unit_page(None, side if side in SIDES else SIDES[0])


@bp.get("/unit/<unit_id>")
def edit(unit_id: str) -> str:
    """Ask what a unit carries."""
    unit = _unit(unit_id)
    return _unit_page(unit, unit.side)


def _unit_page(unit: Unit | None, side: str) -> str:
    cards = _cards()
    return render_template(
        "foww/army_unit.html",
        unit=unit,
        side=side,
        rows=unit_form.rows(unit),
        choices={
            kind: _sorted(known.cards_of(kind, cards)) for kind in card_fields.KINDS
        },
        is_lacking=known.is_lacking,
        most_models=MOST_MODELS,
        tokens=tokens,
    )


def _sorted(cards: tuple[known.Card, ...]) -> list[known.Card]:
    return sorted(cards, key=lambda card: tokens.card_name(card.name).casefold())


@bp.post("/new")
def add() -> AnyResponse:
    """Put a new unit on a side."""
    roster = unit_form.read_unit(request.form, None, _cards())
    args = {"side": text("side"), "roster": roster}
    return act("add_unit", args, back=url_for("units.show"))


@bp.post("/unit/<unit_id>")
def change(unit_id: str) -> AnyResponse:
    """Change what a unit carries."""
    unit = _unit(unit_id)
    roster = unit_form.read_unit(request.form, unit, _cards())
    back = url_for(".edit", unit_id=unit_id)
    return act("edit_unit", {"unit": unit_id, "roster": roster}, back=back)


@bp.get("/list/<side>.toml")
def take_home(side: str) -> Response:
    """Send one side as an army list."""
    if side not in SIDES:
        abort(404)
    units = _armies().side(side)
    if not units:
        abort(404)
    listed = tuple(RosterUnit(one.card, len(one.models), one.points) for one in units)
    roster = Roster(tokens.side_words(side), listed, Cards())
    answer = Response(roster_toml(roster), mimetype="application/toml")
    answer.headers["Content-Disposition"] = f'attachment; filename="army-{side}.toml"'
    return answer


# --- Cards -------------------------------------------------------------------------


@bp.get("/cards")
def cards() -> str:
    """Show every known card, what is lacking first."""
    cards, entered = _cards(), entered_cards(_folder())
    return render_template(
        "foww/army_cards.html",
        kinds=card_fields.KINDS,
        cards={
            kind: _sorted(known.cards_of(kind, cards)) for kind in card_fields.KINDS
        },
        entered={
            kind: {card.name for card in known.cards_of(kind, entered)}
            for kind in card_fields.KINDS
        },
        lacking=known.lacking(_armies()),
        is_lacking=known.is_lacking,
        tokens=tokens,
    )


@bp.get("/cards/<kind>")
def card(kind: str) -> str:
    """Ask what one card says. Query: ``name``, none for a new card."""
    name = " ".join(request.args.get("name", "").split())[:NAME_LENGTH]
    return _card_page(_kind(kind), name, then=_way_back())


def _way_back() -> str:
    unit = request.args.get("unit", "")
    if any(one.id == unit for one in _armies().units):
        return url_for(".edit", unit_id=unit)
    return url_for(".cards")


@bp.get("/ask")
def ask() -> AnyResponse | str:
    """Ask for the next card that lacks something.

    Query: ``at`` is how many have been passed over, ``done`` the one just saved.
    """
    left = known.lacking(_armies())
    at = min(max(request.args.get("at", 0, type=int), 0), len(left))
    done = request.args.get("done", "")
    if at < len(left) and done == left[at][1].any:
        at += 1  # its owner does not know more: go on, do not ask again
    if at >= len(left):
        names = ", ".join(tokens.card_name(name) for _, name in left)
        return render_template("foww/army_asked.html", left=left, names=names)
    kind, name = left[at]
    asked: dict[str, Any] = {"at": at, "of": len(left)}
    then = url_for(".ask", at=at, done=name.any)
    return _card_page(_kind(kind), name.any, then=then, asked=asked)


def _card_page(
    kind: card_fields.CardKind,
    name: str,
    *,
    then: str,
    asked: dict[str, Any] | None = None,
) -> str:
    cards = _cards()
    found = known.find(kind.key, cards, name) if name else None
    entered = known.cards_of(kind.key, entered_cards(_folder()))
    return render_template(
        "foww/army_card.html",
        kind=kind,
        found=found,
        table=card_table(found) if found else {},
        shown=card_form.shown,
        is_filled=card_form.is_filled,
        capital=card_form.capital,
        saved=_digest(found),
        is_entered=any(found and known.is_named(c.name, name) for c in entered),
        then=then,
        asked=asked,
        tokens=tokens,
    )


def _digest(found: known.Card | None) -> str:
    """Return what tells this card from what it said before: then its form is new."""
    return hashlib.sha256(repr(found).encode()).hexdigest()[:8]


@bp.post("/cards/<kind>")
def save(kind: str) -> AnyResponse:
    """Keep what a card says: here on the table, and for later nights."""
    table = card_form.read_table(_kind(kind), request.form)
    told = table_toml(kind, table)
    back = request.form.get("then", "")
    here = back if back.startswith(url_for(".cards")[:-5]) else url_for(".cards")
    cards = parse_cards(told.encode())
    response = act("set_cards", {"cards": told}, back=here)
    folder = _folder()
    if folder is not None:
        remember_cards(folder, _with_equipment(cards, folder))
    return response


def _with_equipment(cards: Cards, folder: Path) -> Cards:
    """Return cards to remember; a unit keeps what it was known to carry."""
    before = entered_cards(folder)
    units = []
    for card in cards.units:
        old = known.find_or_blank(before.units, card.name.any, UnitCard)
        units.append(
            replace(
                card,
                hero=old.hero,
                weapons=old.weapons,
                items=old.items,
                power_armour=old.power_armour,
            )
        )
    return replace(cards, units=tuple(units))
