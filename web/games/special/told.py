"""Sentences of the log about a table of S.P.E.C.I.A.L., and results at a glance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from device.table.state import Check
from web.explain import step_text
from web.games.game import Headline
from web.games.lines import OWN_DEEDS, OWN_TELLERS, Params, Teller, ended_steps, line
from web.games.special import words
from web.language import gettext, ngettext
from web.language import marked as N_
from web.words import word


def _count(params: Params) -> str:
    return gettext(N_("%(who)s: %(what)s %(value)d.")) % {
        "who": params.get("who", ""),
        "what": word(words.COUNTERS, str(params.get("what", ""))),
        "value": int(params.get("value", 0)),
    }


def _skill(params: Params) -> str:
    said = gettext(N_("%(who)s: %(skill)s raised to %(value)d."))
    shown = {**params, "skill": word(words.SKILLS, str(params.get("skill", "")))}
    return said % shown


def _agreed(params: Params) -> str:
    told = []
    for name, value in (params.get("agreed") or {}).items():
        shown = {"light": words.LIGHTS, "night": words.NIGHTS}.get(name)
        text = word(shown, str(value)) if shown else value
        told.append(f"{word(words.AGREED, name)}: {text}")
    return gettext(N_("Agreed: %(what)s.")) % {"what": "; ".join(told)}


def _fight(params: Params) -> str:
    said = " ".join((gettext(N_("A fight begins.")), *ended_steps(params)))
    return said


def _range(params: Params) -> str:
    free, most = int(params.get("free", 0)), int(params.get("most", 0))
    said = gettext(N_("%(who)s: %(free)d hexes without penalty, %(most)d at most."))
    return said % {"who": params.get("who", ""), "free": free, "most": most}


def _reach(params: Params) -> str:
    hexes = int(params.get("hexes", 0))
    said = ngettext(
        "%(who)s can move %(num)d hex (%(terrain)s).",
        "%(who)s can move %(num)d hexes (%(terrain)s).",
        hexes,
    )
    terrain = word(words.TERRAINS, str(params.get("terrain", "")))
    return said % {"who": params.get("who", ""), "num": hexes, "terrain": terrain}


TELLERS: Final[Mapping[str, Teller]] = MappingProxyType(
    {
        **OWN_TELLERS,
        "special.joined": line(N_("%(who)s is at the table.")),
        "special.changed": line(N_("%(who)s: the sheet was changed.")),
        "special.left": line(N_("%(who)s has left the table.")),
        "special.count": _count,
        "special.weapon": line(N_("%(who)s gets a weapon: %(weapon)s.")),
        "special.unarmed": line(N_("A weapon goes: %(weapon)s.")),
        "special.reloaded": line(N_("Reloaded: %(weapon)s.")),
        "special.armour": line(N_("%(who)s puts on: %(name)s.")),
        "special.xp": line(N_("%(who)s: %(xp)d experience, level %(level)d.")),
        "special.skill": _skill,
        "special.rested": line(N_("%(who)s rests.")),
        "special.poisoned": line(N_("%(who)s: time passes with poison.")),
        "special.addicted": line(N_("%(who)s: addicted to %(name)s.")),
        "special.withdrawal": line(N_("%(who)s: withdrawal.")),
        "special.fight": _fight,
        "special.turn": line(N_("Round %(round)d: %(who)s acts.")),
        "special.fight_over": line(N_("The fight is over.")),
        "special.acted": line(N_("%(who)s spends %(cost)d action points.")),
        "special.agreed": _agreed,
        "special.range": _range,
        "special.reach": _reach,
    }
)
"""By what the log says."""

_SHEET: Final = N_("a change of a sheet")
_FIGHT: Final = N_("a step of the fight")

DEEDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **OWN_DEEDS,
        **dict.fromkeys((key for key in TELLERS if key.startswith("special.")), _SHEET),
        "special.count": N_("a counter"),
        "special.agreed": N_("an agreement"),
        "special.range": N_("lighting the ruler"),
        "special.reach": N_("lighting the ruler"),
        **dict.fromkeys(
            ("special.fight", "special.turn", "special.fight_over", "special.acted"),
            _FIGHT,
        ),
    }
)
"""What an undo took back."""


Glance = Callable[[Check, Mapping[str, Any]], Headline]

# --- Results -----------------------------------------------------------------------


def headline(check: Check, result: Mapping[str, Any]) -> Headline:
    """Return a throw at a glance."""
    kind = str(result["kind"])
    return _HEADLINES[kind](check, result)


def _throw(check: Check, result: Mapping[str, Any]) -> Headline:
    said = gettext(N_("Throw %(at)d of %(of)d."))
    return Headline(str(result["value"]), "plain", said % dict(result))


def _attack(check: Check, result: Mapping[str, Any]) -> Headline:
    outcome = str(result["outcome"])
    shown = word(words.OUTCOMES, outcome)
    tone = "good" if outcome in ("hit", "critical_hit") else "bad"
    said = gettext(N_("%(roll)d thrown, chance %(chance)d."))
    text = said % {"roll": result["roll"], "chance": check.rating or 0}
    if result.get("broken"):
        text += " " + gettext(N_("The weapon jams or breaks."))
    return Headline(shown, tone, text)


def _burst(check: Check, result: Mapping[str, Any]) -> Headline:
    hits = int(result["hits"])
    shown = ngettext("%(num)d hit", "%(num)d hits", hits) % {"num": hits}
    total = hits + int(result["misses"])
    text = gettext(N_("Of %(num)d bullets.")) % {"num": total}
    if result.get("knockdown_check"):
        text += " " + gettext(N_("Half of them hit: Endurance, or the target falls."))
    return Headline(shown, "good" if hits else "bad", text)


def _damage(check: Check, result: Mapping[str, Any]) -> Headline:
    total = int(result["total"])
    shown = ngettext("%(num)d damage", "%(num)d damage", total) % {"num": total}
    text, left = "", result.get("left")
    if left is not None:
        text = gettext(N_("Hit points left: %(num)d.")) % {"num": left}
    return Headline(shown, "bad" if total else "good", text)


def _last_step(tone: str) -> Glance:
    def told(check: Check, result: Mapping[str, Any]) -> Headline:
        return Headline(step_text(result["steps"][-1]), tone)

    return told


def _task(check: Check, result: Mapping[str, Any]) -> Headline:
    good = result.get("success", result.get("resisted"))
    if good is None:
        bad = result.get("addicted", result.get("down"))
        good = result.get("aware", not bad)
    shown = gettext(N_("Success")) if good else gettext(N_("Failure"))
    name = word(words.TASKS, str(result["task"]))
    said = gettext(N_("%(task)s: %(roll)d thrown, %(target)d needed or less."))
    values = {"task": name, "roll": result["roll"], "target": check.rating or 0}
    text = said % values
    return Headline(shown, "good" if good else "bad", f"{text[:1].upper()}{text[1:]}")


def _heal(check: Check, result: Mapping[str, Any]) -> Headline:
    hp = int(result["hp"])
    shown = ngettext("%(num)d hit point", "%(num)d hit points", hp) % {"num": hp}
    return Headline(f"+{shown}", "good")


def _stun(check: Check, result: Mapping[str, Any]) -> Headline:
    rounds = int(result["rounds"])
    shown = ngettext("%(num)d round", "%(num)d rounds", rounds) % {"num": rounds}
    return Headline(shown, "bad", gettext(N_("The target is unconscious.")))


def _tie(check: Check, result: Mapping[str, Any]) -> Headline:
    return Headline(str(result["roll"]), "plain", gettext(N_("For the order.")))


def _roll(check: Check, result: Mapping[str, Any]) -> Headline:
    return Headline(str(result["total"]), "plain", str(check.given.get("dice", "")))


_HEADLINES: Final[Mapping[str, Glance]] = {
    "throw": _throw,
    "attack": _attack,
    "burst": _burst,
    "damage": _damage,
    "fire": _damage,
    "critical": _last_step("bad"),
    "fumble": _last_step("bad"),
    "task": _task,
    "heal": _heal,
    "stun": _stun,
    "tie": _tie,
    "roll": _roll,
}
