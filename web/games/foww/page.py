"""Fallout: Wasteland Warfare on the page, put together."""

from __future__ import annotations

from typing import Final

from web.games.foww import asks, editor, prefill, result, told, units
from web.games.game import Ask, GamePage, Shown
from web.language import marked as N_
from web.words import GAMES

FOWW: Final = GamePage(
    key="foww",
    name=GAMES["foww"],
    asks={
        "skill_check": Ask(
            N_("Skill check"),
            Shown("foww/ask_skill_check.html", prefill.attack_form),
            asks.skill_args,
            Shown("foww/ask_intro.html", prefill.intro),
        ),
        "armour_check": Ask(
            N_("Armour check"),
            Shown("foww/ask_armour_check.html", prefill.armour_form),
            asks.armour_args,
            Shown("foww/ask_intro.html", prefill.intro),
        ),
    },
    headline=result.headline,
    icons=result.spendable,
    who=told.who,
    units=Shown("foww/units.html", units.view),
    after=Shown(
        "foww/after.html",
        told.give_view,
    ),
    tellers=told.TELLERS,
    deeds=told.DEEDS,
    blueprints=(units.bp, editor.bp),
)
