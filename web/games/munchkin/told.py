"""Sentences of the log about a table of Munchkin Fallout, and results at a glance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from device.table.state import Check
from web.games.game import Headline
from web.games.lines import line
from web.games.munchkin.words import AGREED, COUNTERS
from web.language import gettext, ngettext
from web.language import marked as N_
from web.words import word

Params = Mapping[str, Any]


def _count(params: Params) -> str:
    return gettext(N_("%(who)s: %(what)s %(value)d.")) % {
        "who": params.get("who", ""),
        "what": word(COUNTERS, str(params.get("what", ""))),
        "value": int(params.get("value", 0)),
    }


def _monster(params: Params) -> str:
    name = str(params.get("name", "")) or gettext(N_("A monster"))
    said = gettext(N_("%(name)s joins the fight, strength %(strength)d."))
    return said % {"name": name, "strength": int(params.get("strength", 0))}


def _named(template: str) -> Callable[[Params], str]:
    """Return a teller about a monster that may have no name."""
    return lambda params: (
        gettext(template)
        % {**params, "name": str(params.get("name", "")) or gettext(N_("A monster"))}
    )


def _agreed(params: Params) -> str:
    said = []
    for name, value in (params.get("agreed") or {}).items():
        text = "–" if value is None else value
        if isinstance(value, bool):
            text = gettext(N_("yes")) if value else gettext(N_("no"))
        said.append(f"{word(AGREED, name)}: {text}")
    return gettext(N_("Agreed: %(what)s.")) % {"what": "; ".join(said)}


def _killed(params: Params) -> str:
    treasures = int(params.get("treasures", 0))
    won = ngettext("%(num)d treasure", "%(num)d treasures", treasures)
    said = gettext(N_("%(who)s wins the fight: level %(level)d, %(treasures)s."))
    return said % {**params, "treasures": won % {"num": treasures}}


TELLERS: Final[Mapping[str, Callable[[Params], str]]] = MappingProxyType(
    {
        "munchkin.joined": line(N_("%(who)s plays along.")),
        "munchkin.left": line(N_("%(who)s has left the game.")),
        "munchkin.level": line(N_("%(who)s: new level.")),
        "munchkin.count": _count,
        "munchkin.item": line(N_("%(who)s gets an item: %(item)s.")),
        "munchkin.used": line(N_("%(who)s uses: %(item)s.")),
        "munchkin.stowed": line(N_("%(who)s puts into the backpack: %(item)s.")),
        "munchkin.dropped": line(N_("%(who)s loses: %(item)s.")),
        "munchkin.sold": line(N_("%(who)s sells for %(caps)d caps: level %(level)d.")),
        "munchkin.companion": line(N_("%(who)s has a companion: %(name)s.")),
        "munchkin.companion_left": line(N_("%(who)s loses the companion: %(name)s.")),
        "munchkin.trap": line(N_("A trap acts on %(who)s: %(name)s.")),
        "munchkin.trap_over": line(N_("A trap on %(who)s is over: %(name)s.")),
        "munchkin.irradiated": line(N_("%(who)s: gradual irradiation.")),
        "munchkin.cured": line(N_("%(who)s is cured of radiation.")),
        "munchkin.died": line(N_("%(who)s has died.")),
        "munchkin.turn": line(N_("%(who)s: the turn begins.")),
        "munchkin.agreed": _agreed,
        "munchkin.junk": line(N_("Junk.")),
        "munchkin.fight": line(N_("%(who)s begins a fight.")),
        "munchkin.monster": _monster,
        "munchkin.modifier": _named(N_("%(name)s: monster modifier %(value)+d.")),
        "munchkin.monster_gone": _named(N_("%(name)s leaves the fight.")),
        "munchkin.monster_back": _named(N_("%(name)s is back in the fight.")),
        "munchkin.helper": line(N_("%(who)s helps.")),
        "munchkin.alone": line(N_("Nobody helps.")),
        "munchkin.bonus": line(N_("Bonus in this fight: %(change)+d.")),
        "munchkin.kill": _killed,
        "munchkin.lose": line(N_("%(who)s does not win the fight.")),
        "munchkin.no_monsters": line(N_("No monster is left to fight.")),
        "munchkin.fight_over": line(N_("The fight is over.")),
    }
)
"""By what the log says."""

DEEDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "munchkin.joined": N_("a player who came"),
        "munchkin.left": N_("a player who left"),
        "munchkin.level": N_("a level"),
        "munchkin.count": N_("a counter"),
        "munchkin.sold": N_("a sale"),
        "munchkin.turn": N_("a turn"),
        "munchkin.died": N_("a death"),
        "munchkin.agreed": N_("an agreement"),
        **dict.fromkeys(
            (
                "munchkin.item",
                "munchkin.used",
                "munchkin.stowed",
                "munchkin.dropped",
            ),
            N_("an item"),
        ),
        **dict.fromkeys(
            (
                "munchkin.companion",
                "munchkin.companion_left",
                "munchkin.trap",
                "munchkin.trap_over",
                "munchkin.irradiated",
                "munchkin.cured",
                "munchkin.junk",
            ),
            N_("a card"),
        ),
        **dict.fromkeys(
            (
                "munchkin.fight",
                "munchkin.monster",
                "munchkin.modifier",
                "munchkin.monster_gone",
                "munchkin.monster_back",
                "munchkin.helper",
                "munchkin.alone",
                "munchkin.bonus",
                "munchkin.kill",
                "munchkin.lose",
                "munchkin.no_monsters",
                "munchkin.fight_over",
            ),
            N_("a step of the fight"),
        ),
    }
)
"""What an undo took back."""


def headline(check: Check, result: Mapping[str, Any]) -> Headline:
    """Return a throw at a glance."""
    who = str(check.given.get("who", ""))
    if check.kind == "run_away":
        good = bool(result["escaped"])
        shown = gettext(N_("Escaped")) if good else gettext(N_("Caught"))
    else:
        good = bool(result["protected"])
        shown = gettext(N_("Protected")) if good else gettext(N_("Irradiated"))
    total, target = result.get("total"), check.given.get("target")
    numbers = ""
    if total is not None:
        said = gettext(N_("%(total)d thrown, %(target)d needed."))
        numbers = said % {"total": total, "target": target}
    if result.get("companion_lost"):
        numbers = gettext(N_("The companion is left behind."))
    return Headline(shown, "good" if good else "bad", f"{who}. {numbers}".strip())
