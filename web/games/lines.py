"""Sentences of the log that games share: who, what, the rules' steps behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from web.explain import STEP_WORDS, step_texts
from web.language import gettext, ngettext
from web.language import marked as N_
from web.words import word

Params = Mapping[str, Any]
Teller = Callable[[Params], str]


def line(template: str) -> Teller:
    """Return a teller of a sentence, the rules' steps behind it."""

    def tell(params: Params) -> str:
        values = {"who": "", "name": "", "item": "", **params}
        return " ".join((gettext(template) % values, *ended_steps(params)))

    return tell


def ended_steps(params: Params) -> list[str]:
    """Return the rules' steps as sentences."""
    return [
        one if one.endswith((".", "!", "?")) else f"{one}."
        for one in step_texts(params.get("steps"))
    ]


def unclear(points: Iterable[str]) -> tuple[str, ...]:
    """Return a sentence about places where a text is unclear: rule ids, or words."""
    shown = ", ".join(word(STEP_WORDS, str(one)) for one in points)
    if not shown:
        return ()
    said = gettext(N_("The text is unclear here; reading used: %(points)s."))
    return (said % {"points": shown},)


ROW_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {"first": N_("First target"), "later": N_("Later targets")}
)
"""Rows that are not named by the players."""


def row_words(name: str) -> str:
    """Return what a row of an own table is called."""
    return word(ROW_NAMES, name)


def _row(template: str) -> Teller:
    return lambda params: (
        gettext(template) % {"name": row_words(str(params.get("name", ""))) or "–"}
    )


def _loaded(params: Params) -> str:
    count = int(params.get("count", 0))
    said = ngettext(
        "Own tables: %(num)d row taken over.",
        "Own tables: %(num)d rows taken over.",
        count,
    )
    return said % {"num": count}


OWN_TELLERS: Final[Mapping[str, Teller]] = MappingProxyType(
    {
        "own.row": _row(N_("Own tables: %(name)s.")),
        "own.gone": _row(N_("Own tables: without %(name)s.")),
        "own.loaded": _loaded,
    }
)
"""About tables that players fill in themselves."""

OWN_DEEDS: Final[Mapping[str, str]] = MappingProxyType(
    dict.fromkeys(OWN_TELLERS, N_("a row of an own table"))
)
