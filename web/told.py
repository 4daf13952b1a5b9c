"""Sentences: what happened (the log) and what the table says now (the message)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from device.data.load import bands
from device.rules.ranges import find_band
from device.table.state import LogEntry
from device.table.view import Message
from web.games import registry
from web.games.registry import check_words
from web.language import gettext, ngettext, number
from web.language import marked as N_
from web.words import band_words, die_words, face_words

Params = Mapping[str, Any]


def told(entry: LogEntry, game: str = "foww") -> str:
    """Return one line of the log as a sentence."""
    said = deed_of(entry)
    teller = _TELLERS.get(said)
    if teller is None:
        return said
    line = teller({**entry.params, "game": game})
    follows = entry.params.get("follows") or {}
    after = _TELLERS.get(str(follows.get("said", "")))
    return f"{line} {after(follows)}" if after else line


def clock(at_s: float) -> str:
    """Return a time of day by the device's clock, ``21:07``."""
    return time.strftime("%H:%M", time.localtime(at_s))


def deed_of(entry: LogEntry) -> str:
    """Return what an entry is told by: what its game says, else its kind."""
    return str(entry.params.get("said") or entry.kind)


def by_words(by: str) -> str:
    """Return who did it: a player's name, or a part of the device."""
    return gettext(AUTHORS[by]) if by in AUTHORS else by


def message_words(message: Message) -> str:
    """Return what the table says now, e.g. which dice are still missing."""
    params = message.params
    named = dice_list(params.get("dice") or ())
    template = MESSAGES.get(message.key)
    if template is None:
        return message.key
    return gettext(template) % {
        "dice": named,
        "die": die_words(str(params.get("die", ""))) or gettext(N_("a die")),
        "seconds": params.get("seconds", 0),
    }


def dice_list(dice: Iterable[Any]) -> str:
    """Return dice in words, ``2 × damage die (black), skill die``.

    Args:
        dice: ``{"die", "count"}`` or ``{"die", "face"}`` each, or just names.
    """
    said = []
    for die in dice:
        if not isinstance(die, Mapping):
            said.append(die_words(str(die)))
        elif "face" in die:
            said.append(f"{die_words(str(die['die']))}: {face_words(die['face'])}")
        else:
            count = int(die.get("count", 1))
            name = die_words(str(die["die"]))
            said.append(f"{count} × {name}" if count > 1 else name)
    return "; ".join(said)


AUTHORS: Final = MappingProxyType(
    {
        "": N_("the device"),
        "camera": N_("camera"),
        "panel": N_("buttons"),
    }
)
"""Who is not a player."""

MESSAGES: Final = MappingProxyType(
    {
        "throw_these": N_("Throw: %(dice)s."),
        "missing_dice": N_("Still missing: %(dice)s."),
        "surplus_dice": N_("Too many dice: %(dice)s. Take some out."),
        "wrong_dice": N_("Not asked for: %(dice)s. Take them out."),
        "cocked_die": N_(
            "A die is leaning: %(die)s. Throw it again, or tap it and say its face."
        ),
        "unsure_die": N_("Not sure about this one: %(die)s. Tap it in the photograph."),
        "lying_dice": N_(
            "Dice already lie in the tray. Throw, or accept them as they lie."
        ),
        "no_camera": N_("No camera picture. You can type the faces in."),
    }
)
"""By `Message.key`."""


def _said(template: str) -> Callable[[Params], str]:
    return lambda params: gettext(template)


def _opened(params: Params) -> str:
    check = check_words(str(params.get("check", "")))
    rating = params.get("rating")
    if rating is None:
        return gettext(N_("Opened: %(check)s.")) % {"check": check}
    return gettext(N_("Opened: %(check)s, rating %(rating)d.")) % {
        "check": check,
        "rating": rating,
    }


def _closed(params: Params) -> str:
    check = check_words(str(params.get("check", "")))
    return gettext(N_("Closed: %(check)s.")) % {"check": check}


def _rolled(template: str) -> Callable[[Params], str]:
    return lambda params: (
        gettext(template) % {"dice": dice_list(params.get("dice") or ())}
    )


def _entered(params: Params) -> str:
    return gettext(N_("Typed in: %(die)s: %(face)s.")) % {
        "die": die_words(str(params.get("die", ""))),
        "face": face_words(params.get("face")),
    }


def _corrected(params: Params) -> str:
    said = gettext(N_("Put right: %(die)s, %(was)s → %(face)s.")) % {
        "die": die_words(str(params.get("die", ""))),
        "was": face_words(params.get("was")),
        "face": face_words(params.get("face")),
    }
    kept = [_who(one, params) for one in params.get("kept") or ()]
    if not kept:
        return said
    return f"{said} " + gettext(
        N_("More has happened to %(who)s since: check the tokens by hand.")
    ) % {"who": ", ".join(kept)}


def _who(named: Any, params: Params) -> str:
    """Return what the game calls somebody of whom the log keeps the name."""
    page = registry.PAGES.get(str(params["game"]))
    return page.who(named) if page else str(named)


def _undone(params: Params) -> str:
    count = int(params.get("count", 1))
    if count == 1:
        return gettext(N_("Taken back: %(what)s.")) % {"what": _what(params)}
    return ngettext("%(num)d step taken back.", "%(num)d steps taken back.", count) % {
        "num": count
    }


def _redone(params: Params) -> str:
    return gettext(N_("Done again: %(what)s.")) % {"what": _what(params)}


def _what(params: Params) -> str:
    return gettext(DEEDS.get(str(params.get("what", "")), SOME_STEP))


SOME_STEP: Final = N_("a step")

DEEDS: Final = MappingProxyType(
    {
        "check_opened": N_("a check"),
        "check_closed": N_("closing a check"),
        "roll_read": N_("a roll"),
        "roll_confirmed": N_("confirming a roll"),
        "roll_doubted": N_("a doubt about a roll"),
        "die_entered": N_("a typed-in die"),
        "die_corrected": N_("a correction"),
        "throw_seen": N_("a throw"),
        "ruler_lit": N_("lighting the ruler"),
        "ruler_off": N_("turning the ruler off"),
        "game_chosen": N_("choosing a game"),
        **registry.DEEDS,
    }
)
"""What an undo took back, by kind of event."""


def _chosen(params: Params) -> str:
    key = str(params.get("game", ""))
    name = registry.PAGES[key].name if key in registry.PAGES else key
    if params.get("fresh"):
        return gettext(N_("A fresh table: %(game)s.")) % {"game": name}
    return gettext(N_("Table: %(game)s.")) % {"game": name}


def _lit(params: Params) -> str:
    return gettext(N_("Ruler lit: %(what)s.")) % {
        "what": cue_words(params.get("cue") or {}, str(params["game"]))
    }


def cue_words(cue: Mapping[str, Any], game: str) -> str:
    """Return a cue in words: ``yellow + green, 304.8 mm``."""
    names = cue.get("bands") or ([cue["band"]] if "band" in cue else [])
    if names:
        known = [find_band(bands(game), name) for name in names]
        total = sum(band.length_mm for band in known if band is not None)
        shown = " + ".join(band_words(name) for name in names)
        return gettext(N_("%(bands)s, %(mm)s mm")) % {
            "bands": shown,
            "mm": number(total),
        }
    if "length_mm" in cue:
        return gettext(N_("%(mm)s mm")) % {"mm": number(cue["length_mm"])}
    if "lengths_mm" in cue:
        shown = " + ".join(number(one) for one in cue["lengths_mm"])
        return gettext(N_("%(mm)s mm")) % {"mm": shown}
    if "bars" in cue:
        reached = ", ".join(str(one) for one in cue["bars"]["lit"])
        return gettext(N_("level bars: %(levels)s")) % {"levels": reached}
    if "area" in cue:
        return gettext(N_("from %(start)s to %(end)s mm")) % {
            "start": number(cue["area"]["from_mm"]),
            "end": number(cue["area"]["to_mm"]),
        }
    return gettext(N_("nothing"))


_TELLERS: Final[Mapping[str, Callable[[Params], str]]] = MappingProxyType(
    {
        "night_started": _said(N_("The game night began.")),
        "state_restored": _said(
            N_("The log on disk was damaged; the table was restored from its copy.")
        ),
        "check_opened": _opened,
        "check_closed": _closed,
        "roll_read": _rolled(N_("Rolled: %(dice)s.")),
        "roll_confirmed": _rolled(N_("Confirmed: %(dice)s.")),
        "roll_doubted": _rolled(N_("A second look is not sure: %(dice)s.")),
        "throw_seen": _rolled(N_("Thrown without a check: %(dice)s.")),
        "die_entered": _entered,
        "die_corrected": _corrected,
        "ruler_lit": _lit,
        "ruler_off": _said(N_("Ruler turned off.")),
        "game_chosen": _chosen,
        **registry.TELLERS,
        "undone": _undone,
        "redone": _redone,
    }
)
