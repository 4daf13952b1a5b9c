"""Fallout: Wasteland Warfare on the page, put together."""

from __future__ import annotations

from typing import Final

from web.games.foww import (
    acting,
    asks,
    editor,
    flow,
    open_points,
    prefill,
    result,
    told,
    told_flows,
    units,
)
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
    panel=Shown("foww/flow.html", flow.panel),
    units=Shown("foww/units.html", units.view),
    after=Shown(
        "foww/after.html",
        told.give_view,
    ),
    tellers={**told.TELLERS, **told_flows.TELLERS},
    deeds={**told.DEEDS, **told_flows.DEEDS},
    check_words={"single": N_("One die"), "toss": N_("Luck token")},
    open_words=open_points.open_words,
    blueprints=(units.bp, editor.bp, acting.bp),
)
