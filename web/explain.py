"""The rules' steps in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from device.rules.texts import TEXTS
from web.games.words import STEPS
from web.language import gettext, pgettext
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
)

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
        **STEPS,
    }
)
"""Keys that a step may carry as a parameter."""

DIE_STEPS: Final = ("effect_die", "charge_token", "effect_cap")
"""Steps whose colours are those of dice, not of rulers."""


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
