"""Places where the rulebook is unclear, and how each is read, by the rules' own ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from web.language import gettext
from web.language import marked as N_

OPEN_POINTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "O1": N_(
            "Rating below 1: which face still succeeds is lost in the book. Read "
            "as the critical face."
        ),
        "O2": N_(
            "The row of the orange ruler is illegible in the table of falls. "
            "Read as +0."
        ),
        "O3": N_(
            "A bottle lowers the penetration of a fall, says the book, but a "
            "fall has none. Read as armour rating −1 each."
        ),
        "O4": N_(
            "Equal results and equal ratings: the book names no winner. Read as "
            "nobody wins; the players decide."
        ),
        "O5": N_(
            "Radiation damage with no regular token left to flip. Read as a new "
            "radiation token."
        ),
        "O6": N_(
            "Radiation damage on power armour: does anything flip? Read as one "
            "token a point, nothing flips."
        ),
        "O7": N_(
            "Does the endurance bonus of power armour raise the health? Read as "
            "no: it is what the armour itself holds."
        ),
        "O8": N_(
            "Does cover raise the rating of power armour? Read as yes: cover is no "
            "equipment."
        ),
        "O9": N_(
            "Damage icons with several types of damage: which type grows? Read "
            "as the first one listed."
        ),
        "O10": N_(
            "Does freedom of movement spare the shorter ruler of climbing? Read as no."
        ),
        "O11": N_(
            "Throwing while engaged: do both penalties apply? Read as yes, rating −2 "
            "and armour +1."
        ),
        "O13": N_(
            "Can accuracy bring a result below 1? Read as yes, there is no floor."
        ),
        "O14": N_(
            "Burning and poison: in which order, and is there a last gasp? Read "
            "as burning first, and none."
        ),
        "O16": N_(
            "A battle cry in which nobody succeeds. Read as a charge without "
            "battle cry."
        ),
        "O17": N_(
            "The leg is cured: does a slowed token of another cause stay? Read "
            "as no, it goes too."
        ),
        "O18": N_("Are blank and letter tokens removed? Read as yes, once looked at."),
        "O19": N_(
            "Scatter with a rating below 1: missed by how much? Read from the "
            "adjusted rating."
        ),
        "O20": N_(
            "Sharing an item: which ruler? Read as yellow, as the Russian book says."
        ),
        "O21": N_(
            "A hit on the model itself: are sight and distance needed to react? "
            "Read as never."
        ),
        "O22": N_("Critical points in quick actions. Read as earned."),
        "O23": N_("Cover with an armour rating of 0 or none. Read as rating 1."),
        "O24": N_(
            "Two ratings tie under the worse icon: which sturdy counts? Read as "
            "the smaller."
        ),
        "O25": N_(
            "Luck for accuracy with a rating below 1. Read as allowed, but a "
            "number cannot succeed."
        ),
        "O26": N_(
            "X in place of an armour rating is explained nowhere. Not computed: "
            "the players say."
        ),
        "O27": N_(
            "Do turrets need line of sight? Read as models do, except for attacks."
        ),
        "O28": N_(
            "What becomes of charges after use? Read as spent, unless the card says "
            "otherwise."
        ),
        "O29": N_("Two boost icons and no other sturdy armour: +1 or +2? Read as +1."),
        "O30": N_(
            "Push-back by effects other than a battle cry: how far? Read as the "
            "card says."
        ),
        "O31": N_(
            "Search icons have colours, yet the text asks for contact. Read as contact."
        ),
        "O32": N_(
            "After a hit, does one boost icon go or the whole token? Read as one icon."
        ),
        "O33": N_(
            "Do ready models left over count as activated? Read as only after "
            "“activate all”."
        ),
    }
)
"""A question and the reading used, one line each."""

UNCLEAR: Final = N_("The book is unclear here. %(point)s")


def open_words(keys: Iterable[str]) -> tuple[str, ...]:
    """Return sentences about open points, each once."""
    return tuple(
        gettext(UNCLEAR) % {"point": gettext(OPEN_POINTS.get(key, key))}
        for key in dict.fromkeys(keys)
    )
