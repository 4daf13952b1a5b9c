"""Every game that the page can show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from web.games.foww.page import FOWW
from web.games.game import GamePage
from web.games.munchkin.page import MUNCHKIN
from web.games.special.page import SPECIAL
from web.games.stalker.page import STALKER
from web.language import gettext

PAGES: Final[Mapping[str, GamePage]] = MappingProxyType(
    {page.key: page for page in (FOWW, STALKER, SPECIAL, MUNCHKIN)}
)
"""By key, in the order in which they are offered."""

CHECKS: Final[Mapping[str, str]] = MappingProxyType(
    {
        kind: words
        for page in PAGES.values()
        for kind, words in (
            *((kind, ask.words) for kind, ask in page.asks.items()),
            *page.check_words.items(),
        )
    }
)
"""Names of checks of all games, marked; no two games share a kind."""

TELLERS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = MappingProxyType(
    {key: tell for page in PAGES.values() for key, tell in page.tellers.items()}
)

DEEDS: Final[Mapping[str, str]] = MappingProxyType(
    {key: words for page in PAGES.values() for key, words in page.deeds.items()}
)


def check_words(kind: str) -> str:
    """Return the name of a kind of check; an unknown one stands for itself."""
    return gettext(CHECKS[kind]) if kind in CHECKS else kind
