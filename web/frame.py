"""What stands around every screen: the bar, who asks, which parts are simulated."""

from __future__ import annotations

from flask import has_request_context, request

from web.hub import current_snapshot, hub
from web.visitors import visitor

FRAGMENT_HEADER = "X-Dicelight-Fragment"
"""Sent by our script, which wants the screen without the document around it."""


def frame() -> dict[str, object]:
    """Return what the templates need on every screen."""
    if not has_request_context():
        return {}
    here = hub()
    snapshot = current_snapshot()
    fragment = FRAGMENT_HEADER in request.headers
    parts = snapshot.live.parts
    return {
        "layout": "fragment.html" if fragment else "base.html",
        "who": visitor(),
        "snapshot": snapshot,
        "simulated": [part for part in parts if part.simulated],
        "failing": [part for part in parts if not part.ok],
        "heartbeat_s": here.settings.heartbeat_s,
        "here_path": request.full_path.rstrip("?"),
    }
