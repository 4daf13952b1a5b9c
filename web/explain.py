"""Results in words: the one big word, the line under it, and every step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from device.rules.texts import TEXTS
from device.table.state import Check
from web.language import gettext, ngettext, pgettext
from web.language import marked as N_
from web.words import (
    ATTACKS,
    ATTRIBUTES,
    COLOURS,
    CONDITIONS,
    DAMAGE,
    DIE_COLOURS,
    DIE_CONTEXT,
    FACES,
    ICONS,
    ITEMS,
    SKILLS,
    SOURCES,
    word,
)

SPENT: Final = ("dmg", "pen", "bottle", "star", "burst")
"""Icons of a skill check, in the order shown."""

STEP_WORDS: Final = MappingProxyType(
    {
        **SOURCES,
        **ATTRIBUTES,
        **ITEMS,
        **SKILLS,
        **CONDITIONS,
        **DAMAGE,
        **ATTACKS,
        **ICONS,
        **FACES,
        **COLOURS,
    }
)
"""Keys that a step may carry as a parameter."""

DIE_STEPS: Final = ("effect_die", "charge_token", "effect_cap")
"""Steps whose colours are those of dice, not of rulers."""


@dataclass(frozen=True, slots=True)
class Headline:
    """A result at a glance.

    Attributes:
        word: The one big word (or a short phrase).
        tone: ``good``, ``bad`` or ``plain``; drawn with a sign, not by colour alone.
        line: The numbers behind it, one sentence; may be empty.
    """

    word: str
    tone: str
    line: str = ""

    @property
    def spoken(self) -> str:
        """All of it for a screen reader."""
        return f"{self.word}. {self.line}".strip()


def headline(check: Check, result: Mapping[str, Any]) -> Headline:
    """Return the result of a resolved check at a glance."""
    if check.kind == "armour_check":
        return _armour(result)
    if not result.get("can_attempt", True):
        return Headline(gettext(N_("Cannot try")), "bad", gettext(N_("No such skill.")))
    good = bool(result.get("success", result.get("hit", False)))
    if "hit" in result:
        shown = gettext(N_("Hit")) if good else gettext(N_("Miss"))
        return Headline(shown, "good" if good else "bad", _harm(result))
    shown = gettext(N_("Success")) if good else gettext(N_("Failure"))
    return Headline(shown, "good" if good else "bad", _numbers(check, result))


def _harm(result: Mapping[str, Any]) -> str:
    parts = [
        gettext(N_("%(type)s damage: %(amount)d"))
        % {"type": word(DAMAGE, entry["type"]), "amount": entry["amount"]}
        for entry in result.get("damage") or ()
    ]
    if result.get("penetration"):
        parts.append(
            gettext(N_("penetration: %(num)d")) % {"num": result["penetration"]}
        )
    line = "; ".join(parts)
    return f"{line[:1].upper()}{line[1:]}." if line else ""


def _numbers(check: Check, result: Mapping[str, Any]) -> str:
    if result.get("auto_fail"):
        return gettext(N_("X on the skill die: a failure whatever else shows."))
    score, rating = result.get("result"), check.rating
    if score is None or rating is None:
        return ""
    if rating < 1:
        return gettext(N_("Result %(score)d. Rating below 1.")) % {"score": score}
    return gettext(N_("Result %(score)d, needed %(rating)d or less.")) % {
        "score": score,
        "rating": rating,
    }


def _armour(result: Mapping[str, Any]) -> Headline:
    taken, blocked = int(result["taken"]), int(result["blocked"])
    line = ngettext("%(num)d point blocked.", "%(num)d points blocked.", blocked) % {
        "num": blocked
    }
    if taken == 0:
        return Headline(gettext(N_("No damage")), "good", line)
    shown = ngettext("%(num)d damage", "%(num)d damage", taken) % {"num": taken}
    return Headline(shown, "bad", line)


def spendable(result: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    """Return the icons that count, with how many of each, none left out with 0."""
    icons = result.get("icons")
    counts = [
        (icon, int(icons.get(icon, 0)) if isinstance(icons, Mapping) else 0)
        for icon in SPENT
    ]
    counts.append(("ap", int(result.get("ap") or 0)))
    crit = result.get("crit_icons") or result.get("crit_points")
    counts.append(("crit", int(crit or 0)))
    return tuple((icon, count) for icon, count in counts if count)


def step_text(step: Mapping[str, Any]) -> str:
    """Return one step of an explanation in the language of this request.

    A step of no known template is shown as the rules wrote it, in English.
    """
    template = TEXTS.get(str(step.get("key", "")))
    if template is None:
        return str(step.get("text", ""))
    try:
        params = _translated(str(step["key"]), step.get("params") or {})
        return gettext(template).format(**params)
    except (KeyError, IndexError, ValueError):
        return str(step.get("text", ""))


def step_texts(steps: Iterable[Mapping[str, Any]] | None) -> tuple[str, ...]:
    """Return every step in words, in the order in which the rules were applied."""
    return tuple(step_text(step) for step in steps or ())


def _translated(key: str, params: Mapping[str, Any]) -> dict[str, Any]:
    about_dice = key.startswith(DIE_STEPS)
    return {
        name: _param_words(value, about_dice) if isinstance(value, str) else value
        for name, value in params.items()
    }


def _param_words(value: str, about_dice: bool) -> str:
    if about_dice and value in DIE_COLOURS:
        return pgettext(DIE_CONTEXT, value)
    return gettext(STEP_WORDS[value]) if value in STEP_WORDS else value
