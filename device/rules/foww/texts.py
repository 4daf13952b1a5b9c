"""English sentences of the steps of Fallout: Wasteland Warfare, in our own words."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, str]] = {
    "rating": "Rating {rating}",
}
"""Template by `Step.key`."""
