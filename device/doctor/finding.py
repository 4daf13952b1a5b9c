"""One thing that the doctor looked at."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, and what was found.

    Attributes:
        name: What it is.
        state: ``ok``, ``note`` (works without), or ``missing`` (needed).
        found: What was found.
        advice: What to do; "" where nothing.
    """

    name: str
    state: str
    found: str
    advice: str = ""
