"""How a part fares, in words: working, or what is wrong and since when."""

from __future__ import annotations

from typing import Final

from device.table.view import Part
from web.faults import fault_words
from web.language import gettext
from web.language import marked as N_
from web.told import clock
from web.words import word

KINDS: Final = {
    "absent": N_("not found"),
    "failed": N_("failed"),
    "hung": N_("does not answer"),
    "undervoltage": N_("under-voltage: the power supply is too weak"),
    "throttled": N_("slowed down by heat or a weak power supply"),
    "hot": N_("too hot: it needs air"),
    "capped": N_("slowed down by heat or a weak power supply"),
}
"""By `Part.kind`; the message says more."""


def fares(part: Part) -> str:
    """Return how a part fares, e.g. ``not working since 21:14: not found``."""
    message = ". ".join(map(fault_words, part.message.splitlines()))
    if part.ok:
        said = gettext(N_("working"))
        return f"{said}. {message}" if message else said
    said = gettext(N_("not working since %(time)s")) % {"time": clock(part.since_s)}
    if part.kind:
        said = f"{said}: {word(KINDS, part.kind)}"
    return f"{said}. {message}" if message else said
