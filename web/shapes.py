"""Our own drawings of dice and icons: shape, not colour, tells them apart."""

from __future__ import annotations

import math
from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

CENTRE = 24.0
RADIUS = 22.0
"""Dice are drawn in a box of 48 by 48."""


def _polygon(
    corners: int, radius: float, turn: float = 0.0, centre: float = CENTRE
) -> list[tuple[float, float]]:
    """Return the corners of a regular polygon, the first one up (plus `turn` rad)."""
    return [
        (
            centre + radius * math.sin(turn + 2 * math.pi * corner / corners),
            centre - radius * math.cos(turn + 2 * math.pi * corner / corners),
        )
        for corner in range(corners)
    ]


def _star(points: int, outer: float, inner: float) -> str:
    """Return a closed star in the icons' box of 24 by 24."""
    tips = _polygon(points, outer, centre=12.0)
    dents = _polygon(points, inner, math.pi / points, centre=12.0)
    return _closed(
        [corner for pair in zip(tips, dents, strict=True) for corner in pair]
    )


def _closed(corners: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z"


def _chevrons(count: int) -> str:
    """Return so many chevrons, one over another, in the icons' box."""
    step = 7.0
    first = 15.0 - step * (count - 1) / 2
    return "".join(
        f"M4 {first + step * n:.1f}L12 {first - 7 + step * n:.1f}"
        f"L20 {first + step * n:.1f}"
        for n in range(count)
    )


def _edges(
    starts: Iterable[tuple[float, float]], ends: Iterable[tuple[float, float]]
) -> str:
    return "".join(
        f"M{a:.1f} {b:.1f}L{x:.1f} {y:.1f}"
        for (a, b), (x, y) in zip(starts, ends, strict=True)
    )


def _d20() -> tuple[str, str]:
    outline, front = _polygon(6, RADIUS), _polygon(3, 15.0)
    edges = _closed(front)
    for corner in range(3):
        around = [outline[(2 * corner + step) % 6] for step in (-1, 0, 1)]
        edges += _edges([front[corner]] * 3, around)
    return _closed(outline), edges


def _d12() -> tuple[str, str]:
    outline, front = _polygon(10, RADIUS), _polygon(5, 14.0)
    return _closed(outline), _closed(front) + _edges(front, outline[::2])


def _square() -> tuple[str, str]:
    return (
        "M9 5H39A4 4 0 0 1 43 9V39A4 4 0 0 1 39 43H9A4 4 0 0 1 5 39V9A4 4 0 0 1 9 5Z",
        "",
    )


def _kite() -> tuple[str, str]:
    return (
        "M24 2L45 20L24 46L3 20Z",
        "M24 2L34 24L24 32L14 24ZM34 24L45 20M14 24L3 20M24 32V46",
    )


def _d8() -> tuple[str, str]:
    outline, front = _polygon(6, RADIUS), _polygon(3, RADIUS)
    return _closed(outline), _closed(front)


def _d4() -> tuple[str, str]:
    return "M24 4L45 41H3Z", ""


def _coin() -> tuple[str, str]:
    return "M24 2A22 22 0 1 1 23.9 2Z", "M24 6A18 18 0 1 1 23.9 6Z"


SHAPES: Final = MappingProxyType(
    {
        "d20": _d20(),
        "d12": _d12(),
        "d10": _kite(),
        "d%": _kite(),
        "d8": _d8(),
        "d6": _square(),
        "d4": _d4(),
        "coin": _coin(),
    }
)
"""Outline and inner edges of each die."""

ICONS: Final = MappingProxyType(
    {
        "dmg": ("fill", "M12 1L18.2 13.2A6.9 6.9 0 1 1 5.8 13.2Z"),
        "burst": ("fill", _star(8, 11.0, 5.5) + "M12 9A3 3 0 1 0 12.1 9Z"),
        "star": ("fill", _star(5, 11.0, 4.6)),
        "pen": ("line", "M2 15H22M12 22.5V3M6.5 8.5L12 2.5L17.5 8.5"),
        "acc": ("line", _chevrons(2)),
        "acc1": ("line", _chevrons(1)),
        "acc2": ("line", _chevrons(2)),
        "acc3": ("line", _chevrons(3)),
        "bottle": (
            "fill",
            "M10 1H14V6.5L16.5 11V21A2 2 0 0 1 14.5 23H9.5A2 2 0 0 1 7.5 21V11L10 6.5Z",
        ),
        "ap": (
            "line",
            "M12 8.5A3.5 3.5 0 1 1 11.9 8.5ZM12 1.5V5M12 19V22.5M1.5 12H5M19 12H22.5"
            "M4.6 4.6L7 7M17 17L19.4 19.4M19.4 4.6L17 7M7 17L4.6 19.4"
            "M12 5A7 7 0 1 1 11.9 5Z",
        ),
        "crit": ("fill", "M14 1L4 13.5H10.5L9 23L20 9.5H13Z"),
        "x": ("line", "M4 4L20 20M20 4L4 20"),
        "shield": ("fill", "M12 1L21 4V11C21 17 17 21 12 23C7 21 3 17 3 11V4Z"),
        "clover": (
            "fill",
            "M12 11C8 8 8 2 12 2S16 8 12 11C15 7 22 7 22 11.5S15 15 12 12.5"
            "C9 15 2 16 2 11.5S9 7 12 11ZM11 13H13L14.5 22H12.5Z",
        ),
    }
)
"""How to draw each icon (filled or as a line) in a box of 24 by 24, and its path. They
look like those on the drawn dice of the demonstration."""

MARKS: Final = MappingProxyType(
    {
        "armour": "shield",
        "black": "dmg",
        "yellow": "pen",
        "green": "acc",
        "blue": "bottle",
        "luck": "clover",
    }
)
"""The icon on the front of a die, so that dice differ without colour."""

BODIES: Final = MappingProxyType(
    {
        "skill": "white",
        "armour": "red",
        "black": "black",
        "yellow": "yellow",
        "green": "green",
        "blue": "blue",
        "luck": "grey",
    }
)
"""Colour class of the dice that every set has."""

FORMS: Final = MappingProxyType(
    {
        "skill": "d20",
        "armour": "d12",
        "black": "d12",
        "yellow": "d12",
        "green": "d12",
        "blue": "d12",
        "luck": "coin",
    }
)
"""Shape of the dice that every set has; other names are kinds themselves."""


def badge(face: str | None) -> tuple[tuple[str, str], ...]:
    """Return a face in short: ``("text", "7")``, ``("icon", "dmg")``, one each sign.

    For the photograph, where there is no room for words.
    """
    if face is None:
        return (("text", "?"),)
    signs = []
    for part in ["x", "ap"] if face == "x_ap" else face.split("+"):
        if part.startswith("acc"):
            signs.append(("text", f"−{part[3:]}"))
        elif part in ICONS:
            signs.append(("icon", part))
        elif part == "luck":
            signs.append(("icon", "clover"))
        else:
            signs.append(("text", "–" if part == "blank" else part))
    return tuple(signs)


def form(die: str) -> str:
    """Return the shape of a die by its name; an unknown one is drawn as a token."""
    shape = FORMS.get(die, die)
    return shape if shape in SHAPES else "coin"
