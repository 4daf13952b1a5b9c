"""Tokens on the page: their names and our own drawings; shape, not colour, tells."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from device.table.army import Model, Unit
from device.table.cards import CardName
from web.language import current, gettext
from web.language import marked as N_
from web.shapes import ICONS
from web.words import CONDITIONS, word

TOKENS: Final = MappingProxyType(
    {
        "regular": N_("damage token"),
        "radiation": N_("radiation token"),
        "reaction": N_("reaction token"),
        "luck": N_("luck token"),
        "ap": N_("action point"),
        "boost": N_("armour boost"),
        "charge_black": N_("charge token (black)"),
        "charge_green": N_("charge token (green)"),
        "power_armour": N_("token on the power armour"),
        "critical": N_("critical point: %(what)s"),
        "loaded": N_("loaded: %(what)s"),
        "item": "%(what)s",
        **CONDITIONS,
        "advantage": N_("advantage token"),
        "mine": N_("mine"),
        "search": N_("search token"),
        "investigation": N_("investigation token"),
        "marker": N_("scenario marker"),
    }
)

SHAPES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "regular": ICONS["dmg"],
        "radiation": (
            "fill",
            "M12 9.5A2.5 2.5 0 1 0 12.1 9.5ZM12 7.5L7 1.5A12 12 0 0 1 17 1.5Z"
            "M8 14L.6 12.6A12 12 0 0 0 6 21.6ZM16 14L23.4 12.6A12 12 0 0 1 18 21.6Z",
        ),
        "reaction": (
            "line",
            "M2 12C6 4 18 4 22 12C18 20 6 20 2 12ZM12 9A3 3 0 1 1 11.9 9",
        ),
        "luck": ICONS["clover"],
        "ap": ICONS["ap"],
        "boost": (
            "line",
            "M12 2L20 5V11C20 17 16 20 12 22C8 20 4 17 4 11V5ZM12 8V16M8 12H16",
        ),
        "charge_black": ("fill", "M2 4L11 12L2 20ZM12 4L22 12L12 20Z"),
        "charge_green": ("line", "M4 5L11 12L4 19M13 5L20 12L13 19"),
        "power_armour": ("line", "M5 22V10A7 7 0 0 1 19 10V22ZM5 12H19M9 17H15"),
        "critical": ICONS["crit"],
        "loaded": ("fill", "M9 8C9 4 11 2 12 1C13 2 15 4 15 8V17H9ZM8 18.5H16V23H8Z"),
        "item": ("line", "M3 8H21V21H3ZM8 8V3H16V8M12 11V18M8.5 14.5H15.5"),
        "burning": (
            "fill",
            "M13 1C14 6 20 9 20 15A8 8 0 0 1 4 15C4 11 7 10 7 6C9 7 10 9 10 11"
            "C12 9 13 5 13 1Z",
        ),
        "frozen": (
            "line",
            "M12 1V23M2.5 6.5L21.5 17.5M21.5 6.5L2.5 17.5M9 3L12 6L15 3"
            "M9 21L12 18L15 21",
        ),
        "poisoned": (
            "fill",
            "M12 1A9 9 0 0 1 17 17.5V22H7V17.5A9 9 0 0 1 12 1ZM8.5 8A2 2 0 1 0 8.6 8Z"
            "M15.5 8A2 2 0 1 0 15.6 8Z",
        ),
        "stunned": ("line", "M12 12A2 2 0 1 1 14 14A5 5 0 1 1 17 9A9 9 0 1 1 8 3.5"),
        "slowed": ("line", "M5 2H19M5 22H19M7 2C7 10 17 14 17 22M17 2C17 10 7 14 7 22"),
        "injured_arm": ("line", "M4 20L10 14L14 18L20 4M3 4L9 10M9 4L3 10"),
        "injured_leg": ("line", "M9 2V12L13 16V22H20M15 4L21 10M21 4L15 10"),
        "advantage": ICONS["star"],
        "mine": ("line", "M12 6A6 6 0 1 1 11.9 6ZM12 2V6M12 18V22M2 12H6M18 12H22"),
        "search": ("line", "M10 3A7 7 0 1 1 9.9 3ZM15.5 15.5L22 22"),
        "investigation": ("line", "M8 8A4 4 0 1 1 12 13V16M12 20V20.5"),
        "marker": ("line", "M6 22V3L19 7L6 12"),
    }
)
"""How to draw each token in a box of 24 by 24, filled or as a line."""

READINESS: Final = MappingProxyType(
    {
        "unready": N_("not ready"),
        "ready": N_("ready"),
        "active": N_("being activated"),
        "activated": N_("activated"),
        "removed": N_("out of the battle"),
    }
)

SIDES: Final = MappingProxyType({"a": N_("First side"), "b": N_("Second side")})


def card_name(name: CardName | Mapping[str, Any]) -> str:
    """Return a card's name in this language, else in the other."""
    if isinstance(name, Mapping):
        name = CardName(str(name.get("en", "")), str(name.get("ru", "")))
    return (name.ru if current() == "ru" else name.en) or name.any


def kind_of(token: str) -> str:
    """Return what a token is drawn and called by: ``critical:0`` is ``critical``."""
    return token.partition(":")[0]


def token_words(token: str, what: str = "") -> str:
    """Return a token's name; weapons and items are named by `what`."""
    return word(TOKENS, kind_of(token)) % {"what": what or "?"}


def carried_name(unit: Unit, token: str) -> str:
    """Return the weapon or item that a token belongs to, "" for other tokens."""
    kind, _, place = token.partition(":")
    if not place:
        return ""
    if kind == "item":
        return card_name(unit.card.items[int(place)].item.name)
    return card_name(unit.card.weapons[int(place)].name)


def readiness(model: Model) -> str:
    """Return a key of `READINESS`."""
    if model.removed:
        return "removed"
    return "active" if model.active else model.readiness


def model_name(unit: Unit, model: Model) -> str:
    """Return what a model is called: its unit, numbered where there are several."""
    return named(card_name(unit.card.name), model.number, len(unit.models))


def named(name: str, number: int, count: int = 2) -> str:
    """Return a model's name with its number."""
    return f"{name} {number}" if count > 1 and number else name


def side_words(side: str) -> str:
    """Return the name of a side."""
    return gettext(SIDES[side]) if side in SIDES else side
