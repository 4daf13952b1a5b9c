"""Draws what was read over a photograph, so that a phone can show it.

Never colour alone: a face vouched for has a whole outline and its face, an unsure one
a dashed outline and a question mark, a leaning one a triangle and an exclamation mark,
an old die a thin outline and no plate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from vision.frame import Detection, Image

Colour = tuple[int, int, int]

INK: dict[str, Colour] = {
    "ok": (120, 200, 40),
    "unsure": (0, 180, 255),
    "cocked": (200, 90, 230),
}
"""BGR; apart in lightness as well."""

OLD: Colour = (150, 150, 150)
PLATE: Colour = (24, 20, 18)

PHONE_PX = 360
"""Width that the picture is still read at; a label is then this high:"""

LABEL_PX = 13


class Outlined(Protocol):
    """What is drawn of a die; a detection's outline or a live die of the table."""

    @property
    def die(self) -> str:
        """Name or kind."""
        ...

    @property
    def face(self) -> str | None:
        """Face key, or None."""
        ...

    @property
    def status(self) -> str:
        """``ok``, ``unsure`` or ``cocked``."""
        ...

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Upright box ``(x, y, w, h)`` in pixels."""
        ...

    @property
    def fresh(self) -> bool:
        """False for an old die."""
        ...


@dataclass(frozen=True, slots=True)
class Outline:
    """A die to draw; see `Outlined`."""

    die: str
    face: str | None
    status: str
    box: tuple[float, float, float, float]
    fresh: bool = True


def outline(detection: Detection, *, fresh: bool = True) -> Outline:
    """Return what is drawn of a detection."""
    return Outline(
        detection.die,
        detection.face,
        str(detection.status),
        detection.box_xywh_px,
        fresh,
    )


def annotate(image: Image, dice: Sequence[Outlined]) -> Image:
    """Return a copy of the image with the dice outlined and labelled.

    Args:
        image: ``(h, w, 3)`` uint8 BGR; not changed.
        dice: Old ones are drawn first, so that new ones stay readable.
    """
    drawn = image.copy()
    unit = max(1.0, image.shape[1] / PHONE_PX)
    for die in sorted(dice, key=lambda d: d.fresh):
        _draw(drawn, die, unit)
    return drawn


def label(die: Outlined) -> str:
    """Return a die's text: its face, and a sign of its status."""
    face = (die.face or "").encode("ascii", "replace").decode()
    if die.status == "ok":
        return face
    return f"{face}{'!' if die.status == 'cocked' else '?'}"


def _draw(drawn: Image, die: Outlined, unit: float) -> None:
    """Draw one die; `unit` is the image's pixels per pixel of a phone."""
    x, y, w, h = die.box
    ink = INK.get(die.status, INK["unsure"]) if die.fresh else OLD
    thick = max(1, round((2.2 if die.fresh else 1.0) * unit))
    corners = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
    if die.status == "cocked":
        corners = np.array([[x + w / 2, y - h * 0.1], [x + w, y + h], [x, y + h]])
    dashed = die.status == "unsure"
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        _line(drawn, start, end, PLATE, thick + max(1, round(unit)), dashed)
        _line(drawn, start, end, ink, thick, dashed)
    text = label(die)
    if text:
        _plate(drawn, text, (x + w / 2, y), ink, unit, solid=die.fresh)


def _line(
    drawn: Image,
    start: np.ndarray,
    end: np.ndarray,
    colour: Colour,
    thick: int,
    dashed: bool,
) -> None:
    """Draw a line, or a third of it in each of its dashes."""
    pieces = [(0.0, 1.0)] if not dashed else [(0, 0.22), (0.39, 0.61), (0.78, 1)]
    for first, last in pieces:
        one, two = (start + (end - start) * part for part in (first, last))
        ends = [(round(float(p[0])), round(float(p[1]))) for p in (one, two)]
        cv2.line(drawn, ends[0], ends[1], colour, thick, cv2.LINE_AA)


def _plate(
    drawn: Image,
    text: str,
    above: tuple[float, float],
    ink: Colour,
    unit: float,
    *,
    solid: bool,
) -> None:
    """Write a text on a dark plate over a point, kept inside the image."""
    font = cv2.FONT_HERSHEY_SIMPLEX
    high = LABEL_PX * unit * (1.0 if solid else 0.75)
    scale = high / 22
    weight = max(1, round(high / 8))
    (wide, tall), _ = cv2.getTextSize(text, font, scale, weight)
    rim = round(high * 0.3)
    left = round(above[0] - wide / 2)
    left = min(max(left, rim), max(rim, drawn.shape[1] - wide - rim))
    base = max(round(above[1] - rim * 1.6), tall + rim)
    if solid:
        corner = (left - rim, base - tall - rim)
        cv2.rectangle(drawn, corner, (left + wide + rim, base + rim), PLATE, -1)
        cv2.rectangle(
            drawn, corner, (left + wide + rim, base + rim), ink, max(1, weight // 2)
        )
    else:
        cv2.putText(
            drawn, text, (left, base), font, scale, PLATE, weight + 2, cv2.LINE_AA
        )
    white = (255, 255, 255) if solid else OLD
    cv2.putText(drawn, text, (left, base), font, scale, white, weight, cv2.LINE_AA)
