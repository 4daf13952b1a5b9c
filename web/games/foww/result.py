"""Results at a glance: the one big word, and the line under it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from device.rules.dice import BLANK
from device.table.state import Check
from web.games.game import Headline
from web.language import gettext, ngettext
from web.language import marked as N_
from web.words import DAMAGE, face_words, word

PLAIN: Final = ("single", "toss")
"""Kinds of check that only ask what a die, or a token, shows."""

SPENT: Final = ("dmg", "pen", "bottle", "star", "burst")
"""Icons of a skill check, in the order shown."""


def headline(check: Check, result: Mapping[str, Any]) -> Headline:
    """Return the result of a resolved check at a glance."""
    if check.kind == "armour_check":
        return _armour(result)
    if check.kind in PLAIN:
        return _plain(check, result)
    if not result.get("can_attempt", True):
        return Headline(gettext(N_("Cannot try")), "bad", gettext(N_("No such skill.")))
    good = bool(result.get("success", result.get("hit", False)))
    if "hit" in result:
        shown = gettext(N_("Hit")) if good else gettext(N_("Miss"))
        return Headline(shown, "good" if good else "bad", _harm(result))
    shown = gettext(N_("Success")) if good else gettext(N_("Failure"))
    return Headline(shown, "good" if good else "bad", _numbers(check, result))


def _plain(check: Check, result: Mapping[str, Any]) -> Headline:
    """Return what a single die, or a tossed token, shows."""
    face = str(result.get("face") or BLANK)
    tone = "plain"
    if check.kind == "toss":
        tone = "bad" if face == BLANK else "good"
    said = face_words(face)
    return Headline(said[:1].upper() + said[1:], tone)


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
