"""The printed frame's markers, drawn over the camera picture they were found in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from device.workshop import Look
from web.language import gettext
from web.words import MARKS

NAMES: Final = tuple(
    MARKS[name] for name in ("top_left", "top_right", "bottom_right", "bottom_left")
)
"""Of the sheet as it was printed, by `Look.view.corners`."""

SIGN_SHARE: Final = 1 / 11
"""Width of a corner's sign, of the picture's: 26 px on the narrowest phone."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One corner's marker in the picture.

    Attributes:
        number: 1 to 4, clockwise from the sheet's top left.
        kind: ``seen``, or ``awaited`` where it should be and is not.
        points: Of its outline, as SVG has them.
        sign_xy: Middle of its sign, in pixels of the picture.
        sign_px: Width of its sign.
    """

    number: int
    kind: str
    points: str
    sign_xy: tuple[float, float]
    sign_px: float


def marks(look: Look) -> tuple[Mark, ...]:
    """Return what is drawn over the picture; a corner that nothing tells of is not."""
    width, height = look.view.size_wh_px
    sign = width * SIGN_SHARE
    found = []
    for number, corner in enumerate(look.view.corners, 1):
        if not corner.outline_px:
            continue
        xs, ys = zip(*corner.outline_px, strict=True)
        x, y = sum(xs) / 4, sum(ys) / 4
        away = max(max(xs) - min(xs), max(ys) - min(ys)) / 2 + sign * 0.6
        found.append(
            Mark(
                number,
                "seen" if corner.is_seen else "awaited",
                " ".join(f"{x:.1f},{y:.1f}" for x, y in corner.outline_px),
                (_towards(x, away, width, sign), _towards(y, 0.0, height, sign)),
                sign,
            )
        )
    return tuple(found)


def _towards(at: float, away: float, whole: float, sign: float) -> float:
    """Return a place that far towards the middle, never half out of the picture."""
    moved = at + away if at < whole / 2 else at - away
    return min(max(moved, sign / 2), whole - sign / 2)


def said(look: Look) -> str:
    """Return in words which markers were found, and which corners are missing."""
    missing = [n for n, corner in enumerate(look.view.corners) if not corner.is_seen]
    count = 4 - len(missing)
    if not missing:
        return gettext("All 4 found.")
    if not count:
        return gettext("None of the 4 found.")
    return gettext("%(num)d of 4 found. Missing: %(corners)s.") % {
        "num": count,
        "corners": _named(missing),
    }


def _named(corners: Iterable[int]) -> str:
    """Return corners as ``2 (top right), 4 (bottom left)``."""
    return ", ".join(f"{index + 1} ({gettext(NAMES[index])})" for index in corners)
