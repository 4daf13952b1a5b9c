"""A roll's photograph as the page shows it: cut to the dice, each with its face.

Dice are small in a picture of the whole tray. On a phone the part with the dice is
shown, so that they can be seen and hit with a finger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flask import url_for

from device.table.state import Roll, RolledDie
from web.hub import Hub
from web.pictures import jpeg_size
from web.shapes import badge

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, width, height in pixels of the photograph."""

TARGET_SHARE = 0.165
"""A die in the photograph can be hit in this share of the shown width at least:
44 of 270 px on the narrowest phone."""

LEAST_SHARE = 0.45
"""The part shown is never less of the picture's width: one die alone needs its
surroundings."""

ASPECT = 4 / 3
MARGIN_SIZES = 1.3
"""Room around the dice, in sizes of the largest one."""

BADGE_SHARE = 1 / 18
"""Height of a sign on a badge, of the shown width: 15 px on the narrowest phone."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A die in a photograph, drawn over it and large enough for a finger.

    Attributes:
        die: The die.
        box: Around it as seen.
        target: What can be tapped.
        badge: Where its face is written.
    """

    die: RolledDie
    box: Box
    target: Box
    badge: Box


@dataclass(frozen=True, slots=True)
class Photo:
    """A roll's photograph with its dice.

    Attributes:
        url: Of the picture.
        size: Width and height in pixels.
        shown: The part that is shown.
        spots: The dice that were seen in it.
    """

    url: str
    size: tuple[int, int]
    shown: Box
    spots: tuple[Spot, ...]


def has_photo(roll: Roll | None) -> bool:
    """Say whether a photograph was taken, be it not yet kept on disk."""
    return roll is not None and roll.photo


def photo(hub: Hub, night: str, roll: Roll | None) -> Photo | None:
    """Return a roll's photograph, or None where none was kept."""
    if roll is None or not has_photo(roll):
        return None
    return photo_of(hub, night, roll, hub.companion.reading_of(roll.id))


def photo_of(hub: Hub, night: str, roll: Roll, seq: int) -> Photo | None:
    """Return the photograph of one reading of a roll, or None where none was kept.

    Args:
        hub: Of the request.
        night: Of the roll.
        roll: Its dice as that reading saw them.
        seq: Event that tells of the reading.
    """
    picture = hub.companion.roll_jpeg(roll.id, seq, night)
    size = jpeg_size(picture) if picture else None
    if size is None:
        return None
    url = url_for("pictures.roll", roll_id=roll.id, night=night, seq=seq)
    boxes = [die.box for die in roll.dice if die.box is not None]
    shown = shown_part(boxes, size)
    return Photo(url, size, shown, spots(roll.dice, shown))


def shown_part(boxes: Sequence[Box], size: tuple[int, int]) -> Box:
    """Return the part of a picture that holds all dice with room around them."""
    width_px, height_px = size
    if not boxes:
        return (0.0, 0.0, float(width_px), float(height_px))
    margin = MARGIN_SIZES * max(max(w, h) for _, _, w, h in boxes)
    left = min(x for x, _, _, _ in boxes) - margin
    top = min(y for _, y, _, _ in boxes) - margin
    right = max(x + w for x, _, w, _ in boxes) + margin
    bottom = max(y + h for _, y, _, h in boxes) + margin
    width = max(right - left, (bottom - top) * ASPECT, LEAST_SHARE * width_px)
    width = min(width, width_px, height_px * ASPECT)
    height = width / ASPECT
    x = _inside((left + right - width) / 2, width, width_px)
    y = _inside((top + bottom - height) / 2, height, height_px)
    return (x, y, width, height)


def spots(dice: Sequence[RolledDie], shown: Box) -> tuple[Spot, ...]:
    """Return where each die can be tapped and where its face is written."""
    boxes = [die.box for die in dice if die.box is not None]
    taken: list[Box] = list(boxes)
    found = []
    for die in dice:
        if die.box is None:
            continue
        written = _badge(die, shown, taken)
        taken.append(written)
        found.append(Spot(die, die.box, _target(die.box, shown), written))
    return tuple(found)


def _target(box: Box, shown: Box) -> Box:
    x, y, w, h = box
    side = max(w, h, TARGET_SHARE * shown[2])
    left = shown[0] + _inside(x + w / 2 - side / 2 - shown[0], side, shown[2])
    top = shown[1] + _inside(y + h / 2 - side / 2 - shown[1], side, shown[3])
    return (left, top, side, side)


def _badge(die: RolledDie, shown: Box, taken: Sequence[Box]) -> Box:
    """Return a place beside a die that hides no other one, above it if that is free."""
    assert die.box is not None
    x, y, w, h = die.box
    high = BADGE_SHARE * shown[2]
    wide = high * (len(badge(die.face)) + 0.4)
    high, gap = high * 1.25, high * 0.15
    middle_x, middle_y = x + w / 2 - wide / 2, y + h / 2 - high / 2
    places = [
        (middle_x, y - high - gap, wide, high),
        (middle_x, y + h + gap, wide, high),
        (x + w + gap, middle_y, wide, high),
        (x - wide - gap, middle_y, wide, high),
    ]
    free = (
        place
        for place in places
        if _holds(shown, place) and not any(_meet(place, other) for other in taken)
    )
    return next(free, places[0])


def _inside(start: float, length: float, whole: float) -> float:
    return min(max(start, 0.0), max(whole - length, 0.0))


def _holds(outer: Box, inner: Box) -> bool:
    return (
        inner[0] >= outer[0]
        and inner[1] >= outer[1]
        and inner[0] + inner[2] <= outer[0] + outer[2]
        and inner[1] + inner[3] <= outer[1] + outer[3]
    )


def _meet(one: Box, other: Box) -> bool:
    return (
        one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )
