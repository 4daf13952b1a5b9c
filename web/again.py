"""A shared screen asked for again is answered before Flask is troubled.

A hundred phones hear of one change and ask for one screen in one moment. Rendering is
shared already (`web.shared`); what is left is to find out a hundred times who asks. So
what Flask has checked and answered is kept here as it went out: who asked, by all that
Flask judged them by, and the screen, by all that it depends on. Anything else, or
anything that may have changed since, goes the whole way.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any, Final, Generic, TypeAlias, TypeVar

from web.frame import FRAGMENT_HEADER
from web.hub import Hub

PASSED: Final = "dicelight.shared"
"""In the WSGI environment: the id of who asked, and the key of the screen that was
shared with them. Set by the view."""

MOST_ASKERS: Final = 1024
MOST_SCREENS: Final = 64
MOST_COOKIE: Final = 2048
"""Bytes of cookies that are remembered; ours have three hundred."""

Environment: TypeAlias = dict[str, Any]
Start: TypeAlias = Callable[..., Any]
App: TypeAlias = Callable[[Environment, Start], Iterable[bytes]]
Asker: TypeAlias = tuple[str, ...]
Head: TypeAlias = tuple[str, list[tuple[str, str]]]

FRAGMENT: Final = "HTTP_" + FRAGMENT_HEADER.upper().replace("-", "_")

K = TypeVar("K")
V = TypeVar("V")


class Kept(Generic[K, V]):
    """A few of the newest things by key; safe from several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._things: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """Return what is kept, or None."""
        return self._things.get(key)

    def put(self, key: K, thing: V) -> None:
        """Keep a thing; the oldest goes where there are too many."""
        with self._lock:
            self._things.pop(key, None)
            self._things[key] = thing
            while len(self._things) > self._most:
                self._things.pop(next(iter(self._things)))


class Again:
    """WSGI application around the page's.

    Args:
        app: The page.
        hub: Of the page.
        keep_s: How long a screen may be answered again.
    """

    def __init__(self, app: App, hub: Hub, keep_s: float) -> None:
        self._app = app
        self._hub = hub
        self._keep_s = keep_s
        self._askers: Kept[Asker, tuple[int, str, tuple[Any, ...]]] = Kept(MOST_ASKERS)
        self._screens: Kept[tuple[Any, ...], tuple[float, Head, bytes]] = Kept(
            MOST_SCREENS
        )

    def __call__(self, environ: Environment, start: Start) -> Iterable[bytes]:
        """Answer."""
        asker = _asker(environ)
        if asker is None or self._keep_s <= 0:
            return self._app(environ, start)
        # Before Flask looks: who is removed meanwhile must not be known afterwards.
        revision = self._hub.people.revision
        known = self._askers.get(asker)
        if known is not None and known[0] == revision:
            version = self._hub.companion.snapshot().version
            made = self._screens.get((*known[2], version))
            if made is not None and self._now_s() - made[0] < self._keep_s:
                self._hub.seen(known[1])
                start(*made[1])
                return (made[2],)
        return self._ask(environ, start, asker, revision)

    def _now_s(self) -> float:
        return self._hub.settings.now_s()

    def _ask(
        self, environ: Environment, start: Start, asker: Asker, revision: int
    ) -> Iterable[bytes]:
        heads: list[Head] = []

        def started(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            heads.append((status, headers))
            return start(status, headers, *more)

        asked_s = self._now_s()
        answer = self._app(environ, started)
        if PASSED not in environ or len(heads) != 1 or not _is_plain(heads[0]):
            return answer
        try:
            body = b"".join(answer)
        finally:
            if hasattr(answer, "close"):
                answer.close()
        visitor_id, (*what, version) = environ[PASSED]
        self._askers.put(asker, (revision, visitor_id, tuple(what)))
        self._screens.put((*what, version), (asked_s, heads[0], body))
        return (body,)


def _asker(environ: Environment) -> Asker | None:
    """Return all that tells who asks for what; None where it is no shared screen."""
    cookie = environ.get("HTTP_COOKIE", "")
    if (
        environ["REQUEST_METHOD"] != "GET"
        or FRAGMENT not in environ
        or "HTTP_AUTHORIZATION" in environ
        or not 0 < len(cookie) <= MOST_COOKIE
    ):
        return None
    return (
        cookie,
        environ.get("HTTP_HOST", ""),
        environ.get("HTTP_ACCEPT_LANGUAGE", ""),
        environ.get("PATH_INFO", ""),
        environ.get("QUERY_STRING", ""),
    )


def _is_plain(head: Head) -> bool:
    """Say whether an answer is the screen and gives its phone nothing of its own."""
    status, headers = head
    return status.startswith("200 ") and not any(
        name.lower() == "set-cookie" for name, _ in headers
    )
