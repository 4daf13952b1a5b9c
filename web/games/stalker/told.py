"""Sentences of the log about a table of STALKER: ZONA, and results at a glance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from device.table.state import Check
from web.games.game import Headline
from web.games.lines import OWN_DEEDS, OWN_TELLERS, Params, Teller, line
from web.games.stalker import words
from web.language import gettext, ngettext
from web.language import marked as N_
from web.words import word

SIDE_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {"a": N_("First side"), "b": N_("Second side")}
)


def _count(params: Params) -> str:
    return gettext(N_("%(who)s: %(what)s %(value)d.")) % {
        "who": params.get("who", ""),
        "what": word(words.COUNTERS, str(params.get("what", ""))),
        "value": int(params.get("value", 0)),
    }


def _agreed(params: Params) -> str:
    told = []
    for name, value in (params.get("agreed") or {}).items():
        text = word(words.AGREED, value) if isinstance(value, str) else value
        if isinstance(value, bool):
            text = gettext(N_("yes")) if value else gettext(N_("no"))
        told.append(f"{word(words.AGREED, name)}: {text}")
    return gettext(N_("Agreed: %(what)s.")) % {"what": "; ".join(told)}


def _inches(params: Params) -> str:
    said = gettext(N_("On the ruler: %(what)s, %(inches)d inches."))
    what = word(words.DISTANCES, str(params.get("what", "")))
    return said % {"what": what, "inches": int(params.get("inches", 0))}


def _sight(params: Params) -> str:
    inches = params.get("inches")
    if inches is None:
        return gettext(N_("Sight has no limit here."))
    said = gettext(N_("On the ruler: sight, %(inches)d inches."))
    return said % {"inches": int(inches)}


TELLERS: Final[Mapping[str, Teller]] = MappingProxyType(
    {
        **OWN_TELLERS,
        "stalker.joined": line(N_("%(who)s is at the table.")),
        "stalker.changed": line(N_("%(who)s: the sheet was changed.")),
        "stalker.left": line(N_("%(who)s has left the table.")),
        "stalker.count": _count,
        "stalker.weapon": line(N_("%(who)s gets a weapon: %(weapon)s.")),
        "stalker.unarmed": line(N_("A weapon goes: %(weapon)s.")),
        "stalker.card": line(
            N_("%(who)s draws a card: %(name)s. Experience %(xp)d, loot %(loot)d.")
        ),
        "stalker.card_back": line(N_("A card goes back: %(name)s.")),
        "stalker.agreed": _agreed,
        "stalker.group": line(N_("Group %(who)s.")),
        "stalker.move": line(N_("%(who)s can move %(inches)s inches.")),
        "stalker.range": line(N_("On the ruler: %(weapon)s, %(inches)d inches.")),
        "stalker.inches": _inches,
        "stalker.sight": _sight,
        "stalker.trigger": line(N_("An enemy moves.")),
    }
)
"""By what the log says."""

DEEDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **OWN_DEEDS,
        **dict.fromkeys(
            (key for key in TELLERS if key.startswith("stalker.")),
            N_("a change of a sheet"),
        ),
        "stalker.count": N_("a counter"),
        "stalker.agreed": N_("an agreement"),
        "stalker.card": N_("a card"),
        "stalker.card_back": N_("a card"),
        **dict.fromkeys(
            (
                "stalker.move",
                "stalker.range",
                "stalker.inches",
                "stalker.sight",
            ),
            N_("lighting the ruler"),
        ),
    }
)
"""What an undo took back."""


# --- Results -----------------------------------------------------------------------

Glance = Callable[[Check, Mapping[str, Any]], Headline]


def headline(check: Check, result: Mapping[str, Any]) -> Headline:
    """Return a throw at a glance."""
    return _HEADLINES[str(result["kind"])](check, result)


def _throw(check: Check, result: Mapping[str, Any]) -> Headline:
    said = gettext(N_("Throw %(at)d of %(of)d."))
    return Headline(str(result["value"]), "plain", said % dict(result))


def _activation(check: Check, result: Mapping[str, Any]) -> Headline:
    allowed = ", ".join(word(words.ALLOWED, one) for one in result["allowed"])
    text = gettext(N_("Allowed: %(what)s.")) % {"what": allowed}
    if result["tie"]:
        return Headline(gettext(N_("A tie")), "plain", text)
    first = word(SIDE_NAMES, str(result["order"][0]))
    return Headline(gettext(N_("%(side)s acts")) % {"side": first}, "plain", text)


def _shooting(check: Check, result: Mapping[str, Any]) -> Headline:
    if not result["legal"]:
        shown = gettext(N_("Not possible"))
        return Headline(shown, "bad", gettext(N_("The targets are too far apart.")))
    hits = sum(result["hits"].values())
    shown = ngettext("%(num)d hit", "%(num)d hits", hits) % {"num": hits}
    said = gettext(N_("%(name)s: hits %(hits)d, damage %(damage)d."))
    told = [said % dict(one) for one in result["hurt"] if one["hits"]]
    if any(shot["result"] == "unresolved" for shot in result["shots"]):
        told.append(gettext(N_("Some results are not in the text: the players say.")))
    return Headline(shown, "good" if hits else "bad", " ".join(told))


def _in_sight(check: Check, result: Mapping[str, Any]) -> Headline:
    told = [
        f"{one['name']}: {word(words.ACTIONS, str(one['action']))}."
        for one in result["figures"]
    ]
    shoots = any(one["action"] in ("shoot", "choose") for one in result["figures"])
    shown = gettext(N_("Reaction")) if shoots else gettext(N_("No shot"))
    return Headline(shown, "good" if shoots else "bad", " ".join(told))


def _fast(check: Check, result: Mapping[str, Any]) -> Headline:
    inches = int(result["together_inches"])
    shown = ngettext("%(num)d inch", "%(num)d inches", inches) % {"num": inches}
    said = gettext(N_("%(name)s: up to %(max_inches)d inches."))
    return Headline(
        shown, "plain", " ".join(said % dict(one) for one in result["figures"])
    )


def _test(check: Check, result: Mapping[str, Any]) -> Headline:
    passed = int(result["passed"])
    shown = ngettext("%(num)d die passed", "%(num)d dice passed", passed)
    means = str(result.get("means", ""))
    return Headline(shown % {"num": passed}, "good" if passed else "bad", means)


def _deployment(check: Check, result: Mapping[str, Any]) -> Headline:
    if result["tie"]:
        names = ", ".join(str(one) for one in result["reroll"])
        said = gettext(N_("They throw again: %(names)s.")) % {"names": names}
        return Headline(gettext(N_("A tie")), "plain", said)
    text = gettext(N_("Chooses a table side first. Figures start within 6 inches."))
    return Headline(str(result["first"]), "plain", text)


_HEADLINES: Final[Mapping[str, Glance]] = {
    "throw": _throw,
    "activation": _activation,
    "shooting": _shooting,
    "in_sight": _in_sight,
    "fast_move": _fast,
    "skill_test": _test,
    "deployment": _deployment,
}
