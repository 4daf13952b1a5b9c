"""Sentences of the log about units, models and tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from device.games.foww.checks import is_guided
from device.table.state import Content
from device.table.view import Snapshot
from web.explain import step_texts
from web.games.foww.tokens import card_name, named, side_words, token_words
from web.games.game import Query
from web.language import gettext, ngettext
from web.language import marked as N_
from web.reasons import REASONS
from web.words import DAMAGE, word

Params = Mapping[str, Any]


def who(params: Params) -> str:
    """Return a unit or a model of it by name, as the log knows it."""
    name = card_name(params.get("name") or {})
    return named(name, int(params.get("number", 0)))


def _line(template: str) -> Callable[[Params], str]:
    """Return a teller of who it happened to, with the rules' steps behind it."""

    def tell(params: Params) -> str:
        said = gettext(template) % {"who": who(params)}
        return " ".join((said, *ended(step_texts(params.get("steps")))))

    return _by_hand(tell)


def ended(lines: tuple[str, ...]) -> list[str]:
    """Return lines that all end like sentences."""
    return [line if line.endswith((".", "!", "?")) else f"{line}." for line in lines]


def _by_hand(tell: Callable[[Params], str]) -> Callable[[Params], str]:
    """Add to a sentence that the rules were overridden, where they were."""

    def told(params: Params) -> str:
        said = tell(params)
        reason = str(params.get("override", ""))
        if not reason:
            return said
        why = gettext(REASONS.get(reason, reason))
        return f"{said} " + gettext(N_("Done by hand although: %(why)s")) % {"why": why}

    return told


def _added(params: Params) -> str:
    said = gettext(N_("%(side)s, on the table: %(names)s.")) % {
        "side": side_words(str(params.get("side", ""))),
        "names": _names(params.get("names") or ()),
    }
    missing = params.get("missing") or ()
    return f"{said} {unknown_words(missing)}" if missing else said


def unknown_words(names: Iterable[Any]) -> str:
    """Return a sentence about cards of which only the name is known."""
    return gettext(N_("Values unknown: %(names)s.")) % {"names": _names(names)}


def _names(names: Iterable[Any]) -> str:
    return ", ".join(card_name(name) for name in names)


def _health(params: Params) -> str:
    return gettext(N_("%(who)s: health %(health)d.")) % {
        "who": who(params),
        "health": params.get("health", 0),
    }


def _cards(params: Params) -> str:
    return gettext(N_("Cards filled in: %(names)s.")) % {
        "names": _names(params.get("names") or ())
    }


def _token(params: Params) -> str:
    what = card_name(params.get("what") or {})
    return f"{who(params)}: {_changed(params, what)}"


def _table_token(params: Params) -> str:
    side = side_words(str(params.get("side", "")))
    if side:
        return f"{side}: {_changed(params)}"
    return gettext(N_("On the table: %(what)s")) % {"what": _changed(params)}


def _changed(params: Params, what: str = "") -> str:
    sign = "+1" if int(params.get("change", 0)) > 0 else "−1"
    return f"{token_words(str(params.get('token', '')), what)} {sign}."


def _damage(params: Params) -> str:
    parts = [
        f"{word(DAMAGE, str(one['type']))} {one['amount']}"
        for one in params.get("damage") or ()
    ]
    said = gettext(N_("%(who)s takes damage: %(parts)s.")) % {
        "who": who(params),
        "parts": ", ".join(parts),
    }
    return " ".join((said, *ended(step_texts(params.get("steps")))))


def _round(params: Params) -> str:
    said = gettext(N_("Round %(number)d is over.")) % {"number": params.get("round", 0)}
    holder = str(params.get("advantage", ""))
    if holder == "random":
        return f"{said} " + gettext(N_("Toss for the advantage token."))
    side = side_words(holder)
    return f"{said} " + gettext(N_("Advantage token: %(side)s.")) % {"side": side}


def damage_words(kind: str, amount: int) -> str:
    """Return points of damage in words: ``3 points of damage (energy)``."""
    said = ngettext("%(num)d point of damage", "%(num)d points of damage", amount)
    return f"{said % {'num': amount}} ({word(DAMAGE, kind)})"


def to_give(content: Content) -> dict[str, str] | None:
    """Return the damage of the resolved check that nobody has been given yet."""
    check, result = content.check, content.result
    if check is None or result is None or is_guided(check):
        return None
    if any(one.check == check.id for one in content.applied):
        return None
    taken = int(result.get("taken", 0))
    kind = str(check.given.get("type") or "physical")
    return {"words": damage_words(kind, taken)} if taken else None


def give_view(snapshot: Snapshot, query: Query) -> dict[str, Any]:
    """Return what the buttons under a result need: damage that waits for a model."""
    return {"give": to_give(snapshot.state.content)}


TELLERS: Final[Mapping[str, Callable[[Params], str]]] = MappingProxyType(
    {
        "unit_added": _added,
        "unit_removed": _line(N_("Off the table: %(who)s.")),
        "health_set": _health,
        "cards_set": _cards,
        "unit_edited": _line(N_("Unit edited: %(who)s.")),
        "token_changed": _by_hand(_token),
        "table_token_changed": _table_token,
        "damage_taken": _by_hand(_damage),
        "result_applied": _by_hand(_damage),
        "healed": _line(N_("%(who)s is healed.")),
        "readied": _line(N_("%(who)s: ready.")),
        "activated": _line(N_("%(who)s: activation begins.")),
        "activation_ended": _line(N_("%(who)s: activation ends.")),
        "round_ended": _by_hand(_round),
    }
)
"""By kind of event."""

DEEDS: Final = MappingProxyType(
    {
        "unit_added": N_("units that came"),
        "unit_removed": N_("a unit that left"),
        "health_set": N_("a health value"),
        "cards_set": N_("values of cards"),
        "unit_edited": N_("an edited unit"),
        "token_changed": N_("a token"),
        "table_token_changed": N_("a token on the table"),
        "damage_taken": N_("damage"),
        "result_applied": N_("damage"),
        "healed": N_("healing"),
        "readied": N_("a readiness token"),
        "activated": N_("a beginning activation"),
        "activation_ended": N_("an ended activation"),
        "round_ended": N_("the end of a round"),
    }
)
"""What an undo took back, by kind of event."""
