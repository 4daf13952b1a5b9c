"""The English sentence of every step; the page translates them by these texts."""

from __future__ import annotations

from typing import Final

from device.rules.foww import texts as foww
from device.rules.munchkin import texts as munchkin
from device.rules.special import texts as special
from device.rules.stalker import texts as stalker
from device.rules.step import Step

TEXTS: Final[dict[str, str]] = {
    **foww.TEXTS,
    **munchkin.TEXTS,
    **special.TEXTS,
    **stalker.TEXTS,
}
"""Template by `Step.key`, with `{name}` where a parameter goes."""


def english(step: Step) -> str:
    """Return the step's sentence in English.

    Raises:
        KeyError: The step has no template, or lacks one of its parameters.

    Source: house rule.
    """
    return TEXTS[step.key].format(**dict(step.params))
