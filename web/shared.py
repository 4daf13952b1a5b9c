"""Screens that look the same to everybody are rendered once for all who ask at once.

One change at the table has every phone ask for the same screen in the same moment. The
first request renders it, the others wait for it and share it. What a screen may depend
on stands in its key, and a rendered screen is kept for a moment only: photographs come
to the disk a little later than the version that tells of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Final, TypeAlias

from flask import Flask, request

from web.again import PASSED, Again
from web.frame import FRAGMENT_HEADER
from web.hub import current_snapshot
from web.language import current
from web.visitors import visitor

SHARED: Final = ("now.show", "units.show", "rulers.show", "log.show", "dice.show")
"""Endpoints whose screens say of the device that looks no more than role and side."""

MOST_KEPT: Final = 64

Key: TypeAlias = tuple[Any, ...]


@dataclass(slots=True)
class _Entry:
    made_s: float
    lock: threading.Lock = field(default_factory=threading.Lock)
    screen: Any = None


class Shared:
    """Rendered screens, each kept for a moment; safe from several threads.

    Args:
        keep_s: How long; 0 keeps nothing.
        now_s: Monotonic seconds.
    """

    def __init__(self, keep_s: float, now_s: Callable[[], float]) -> None:
        self._keep_s = keep_s
        self._now_s = now_s
        self._lock = threading.Lock()
        self._entries: dict[Key, _Entry] = {}

    def get(self, key: Key, render: Callable[[], Any]) -> Any:
        """Return the screen of a key; render it where nobody has just done so."""
        entry = self._entry(key)
        with entry.lock:
            if entry.screen is None:
                entry.screen = render()
            return entry.screen

    def _entry(self, key: Key) -> _Entry:
        now = self._now_s()
        with self._lock:
            entry = self._entries.pop(key, None)
            if entry is None or now - entry.made_s >= self._keep_s:
                entry = _Entry(now)
            self._entries[key] = entry
            while len(self._entries) > MOST_KEPT:
                self._entries.pop(next(iter(self._entries)))
            return entry


def init_app(app: Flask) -> None:
    """Have the screens of `SHARED` shared, where our script asks for them alone.

    A whole document is another matter: it holds what belongs to one device.
    """
    here = app.extensions["dicelight"]
    shared = Shared(here.settings.share_s, here.settings.now_s)

    def sharing(view: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(view)
        def shown(**args: Any) -> Any:
            who = visitor()
            if FRAGMENT_HEADER not in request.headers or who is None:
                return view(**args)
            key = (
                request.full_path,
                current(),
                (who.role, who.side, who.is_host),
                current_snapshot().version,
            )
            screen = shared.get(key, lambda: view(**args))
            request.environ[PASSED] = (who.id, key)
            return screen

        return shown

    for endpoint in SHARED:
        app.view_functions[endpoint] = sharing(app.view_functions[endpoint])
    again = Again(app.wsgi_app, here, here.settings.share_s)
    # Flask's own way to wrap an application; to a type checker it is a method.
    app.wsgi_app = again  # type: ignore[method-assign,assignment]
