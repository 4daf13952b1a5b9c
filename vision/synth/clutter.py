"""What lies on tables and is no die: print, cards, hands, cables, rims, crumbs.

Everything is painted over a ``(h, w, 3)`` float32 picture of screen values, in place.
Sizes go with `unit`, the radius in px of the dice in the picture.
"""

from __future__ import annotations

import math
import string
from random import Random
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.ground import noise, tint

Array: TypeAlias = NDArray[np.floating[Any]]
Colour: TypeAlias = tuple[float, float, float]

FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_PLAIN,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
)


def _colour(rng: Random) -> Colour:
    pick = rng.random()
    if pick < 0.35:
        shade = rng.uniform(0, 0.2)
        return shade, shade, shade
    if pick < 0.6:
        shade = rng.uniform(0.8, 1)
        return shade, shade, shade
    b, g, r = tint(rng.random(), rng.uniform(0.3, 1), rng.uniform(0.2, 1))
    return float(b), float(g), float(r)


def _spot(rng: Random, picture: Array) -> tuple[int, int]:
    return rng.randrange(picture.shape[1]), rng.randrange(picture.shape[0])


def _lay(
    picture: Array, mask: NDArray[np.uint8], colour: Any, share: float = 1
) -> None:
    """Paint a colour, or a picture, where the mask is."""
    cover = (mask.astype(np.float32) * (share / 255))[..., None]
    picture += (np.asarray(colour, np.float32) - picture) * cover


def _blank(picture: Array) -> NDArray[np.uint8]:
    return np.zeros(picture.shape[:2], np.uint8)


def _box(rng: Random, where: tuple[int, int], wide: float, high: float) -> NDArray[Any]:
    """Return the corners of a turned rectangle."""
    turn = rng.uniform(0, math.tau)
    box = cv2.boxPoints((where, (wide, high), math.degrees(turn)))
    return np.round(box).astype(np.int32)


def text(rng: Random, picture: Array, unit: float) -> None:
    """Print lines of text or single large numerals, at any turn."""
    mask = _blank(picture)
    x, y = _spot(rng, picture)
    large = rng.random() < 0.45
    scale = unit * (rng.uniform(0.03, 0.1) if large else rng.uniform(0.012, 0.03))
    thick = max(1, round(scale * rng.uniform(0.8, 3)))
    for line in range(1 if large else rng.randint(1, 6)):
        if large:
            words = str(rng.randint(0, 99))
        else:
            alphabet = string.ascii_letters + string.digits + "    "
            words = "".join(rng.choices(alphabet, k=rng.randint(3, 24)))
        at = (x - rng.randint(0, 30), y + round(line * scale * 40))
        cv2.putText(
            mask, words, at, rng.choice(FONTS), scale, (255,), thick, cv2.LINE_AA
        )
    spin = cv2.getRotationMatrix2D((x, y), rng.uniform(0, 360), 1)
    mask = np.asarray(cv2.warpAffine(mask, spin, mask.shape[::-1]), np.uint8)
    _lay(picture, mask, _colour(rng))


def card(rng: Random, picture: Array, unit: float) -> None:
    """Lay a card with a border, printed pips, numerals or symbols."""
    where = _spot(rng, picture)
    kind = rng.choice(("pips", "numeral", "blocks"))
    wide, high = unit * rng.uniform(1.2, 7), unit * rng.uniform(3.2, 9)
    if kind == "pips" and 0.7 < wide / high < 1.4:
        # A square with pips printed on it could be a die seen from straight above.
        wide = high * rng.choice((0.65, 1.5))
    turn = rng.uniform(0, 360)
    mask = _blank(picture)
    box = np.round(cv2.boxPoints((where, (wide, high), turn))).astype(np.int32)
    cv2.fillPoly(mask, [box], (255,), cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.8, unit * 0.1))
    _lay(picture, np.asarray(soft, np.uint8), (0, 0, 0), 0.35)
    _lay(picture, mask, _colour(rng))
    ink, drawn = _colour(rng), _blank(picture)
    if rng.random() < 0.5:
        cv2.polylines(
            drawn, [box], True, (255,), max(1, round(unit * 0.1)), cv2.LINE_AA
        )
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    columns, rows = rng.randint(1, 3), rng.randint(1, 4)
    dot = unit * rng.uniform(0.1, 0.35)
    for i in range(columns):
        for j in range(rows):
            a = ((i + 0.5) / columns - 0.5) * wide * 0.8
            b = ((j + 0.5) / rows - 0.5) * high * 0.8
            x, y = (
                round(where[0] + a * cos - b * sin),
                round(where[1] + a * sin + b * cos),
            )
            if kind == "pips":
                cv2.circle(drawn, (x, y), max(1, round(dot)), (255,), -1, cv2.LINE_AA)
            elif kind == "blocks":
                tile = cv2.boxPoints(((x, y), (dot * 2, dot * 2), turn))
                cv2.fillPoly(drawn, [np.round(tile).astype(np.int32)], (255,))
            else:
                size = dot / 12
                word = str(rng.randint(0, 20))
                cv2.putText(
                    drawn, word, (x, y), 0, size, (255,), max(1, round(size * 3))
                )
    _lay(picture, np.minimum(drawn, mask), ink)


def marker(rng: Random, picture: Array, unit: float) -> None:
    """Print a square code, as the corners of the tray's frame have."""
    names = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    code = cv2.aruco.generateImageMarker(names, rng.randrange(50), 6)
    side = unit * rng.uniform(1, 4)
    x, y = _spot(rng, picture)
    corners = cv2.boxPoints(((x, y), (side, side), rng.uniform(0, 360)))
    square = np.array([[0, 6], [0, 0], [6, 0], [6, 6]], np.float32)
    place = cv2.getPerspectiveTransform(square - 0.5, corners.astype(np.float32))
    size = picture.shape[1], picture.shape[0]
    shown = cv2.warpPerspective(255 - code, place, size, flags=cv2.INTER_NEAREST)
    if rng.random() < 0.8:
        paper = _blank(picture)
        around = cv2.boxPoints(((x, y), (side * 1.4, side * 1.4), 0))
        cv2.fillPoly(paper, [np.round(around).astype(np.int32)], (255,), cv2.LINE_AA)
        _lay(picture, paper, (0.9, 0.9, 0.9))
    _lay(picture, np.asarray(shown, np.uint8), (0.06, 0.06, 0.06))


def disc(rng: Random, picture: Array, unit: float) -> None:
    """Print a flat round spot or ring: on a mat, on a card, a cup's stain."""
    mask, at = _blank(picture), _spot(rng, picture)
    radius = max(1, round(unit * rng.choice((0.15, 0.3, 0.6, 1.0, 1.5, 3)) * 0.9))
    wide = -1 if rng.random() < 0.35 and radius < unit * 0.5 else rng.randint(1, 3)
    cv2.circle(mask, at, radius, (255,), wide, cv2.LINE_AA)
    _lay(picture, mask, _colour(rng), rng.uniform(0.3, 1))


def knob(rng: Random, picture: Array, unit: float) -> None:
    """Set a knob, a lid, a rounded tile: shaded, casting a shadow.

    Not quite round: a plain round one cannot be told from a token lying there, and
    tokens are to be found.
    """
    height, width = picture.shape[:2]
    (x, y), radius = _spot(rng, picture), unit * rng.uniform(0.35, 1.3)
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    a, b = (columns - x) / radius, (rows - y) / (radius * rng.uniform(0.85, 1.15))
    power = rng.choice((3.0, 5.0))
    reach = (np.abs(a) ** power + np.abs(b) ** power) ** (1 / power)
    around = np.clip(1.5 - reach, 0, 1) * 255 * rng.uniform(0, 0.8)
    _lay(picture, around.astype(np.uint8), (0, 0, 0), 0.6)
    mask = np.clip((1 - reach) * radius + 0.5, 0, 1) * 255
    turn, slope = rng.uniform(0, math.tau), rng.uniform(0, 0.4)
    lit = 1 + slope * (a * math.cos(turn) + b * math.sin(turn))
    if rng.random() < 0.4:
        lit = lit * np.where(reach > rng.uniform(0.6, 0.9), rng.uniform(0.5, 1.4), 1)
    body = np.array(_colour(rng), np.float32) * lit[..., None]
    _lay(picture, mask.astype(np.uint8), np.clip(body, 0, 1))


def hand(rng: Random, picture: Array, unit: float) -> None:
    """Reach in with a hand: round-ended fingers of one skin, shaded across."""
    height, width = picture.shape[:2]
    dark = rng.uniform(0.25, 0.95)
    skin = tint(rng.uniform(0.02, 0.08), rng.uniform(0.3, 0.6), dark)
    side = rng.randrange(4)
    edge = [(0, 0.5), (1, 0.5), (0.5, 0), (0.5, 1)][side]
    start = np.array([edge[0] * width, edge[1] * height])
    start += np.array([rng.uniform(-0.4, 0.4) * width, rng.uniform(-0.4, 0.4) * height])
    aim = math.atan2(height / 2 - start[1], width / 2 - start[0]) + rng.uniform(
        -0.5, 0.5
    )
    thick = unit * rng.uniform(0.8, 1.7)
    mask, shade = _blank(picture), _blank(picture)
    for k in range(rng.randint(1, 5)):
        fan = aim + (k - 2) * rng.uniform(0.08, 0.22)
        base = start + (k - 2) * thick * np.array([-math.sin(aim), math.cos(aim)])
        tip = base + rng.uniform(0.3, 0.75) * width * np.array(
            [math.cos(fan), math.sin(fan)]
        )
        ends = [(round(p[0]), round(p[1])) for p in (base, tip)]
        cv2.line(mask, ends[0], ends[1], (255,), max(2, round(thick)), cv2.LINE_AA)
        inner = max(1, round(thick * 0.4))
        cv2.line(shade, ends[0], ends[1], (255,), inner, cv2.LINE_AA)
    around = cv2.GaussianBlur(mask, (0, 0), max(1, unit * 0.3))
    _lay(picture, np.asarray(around, np.uint8), (0, 0, 0), 0.5)
    glow = cv2.GaussianBlur(shade, (0, 0), max(1, thick * 0.3)).astype(np.float32) / 255
    rough = noise(rng, (width, height), width / 3) * 0.12
    body = skin * (0.7 + 0.45 * glow + rough)[..., None]
    _lay(picture, mask, body)


def cable(rng: Random, picture: Array, unit: float) -> None:
    """Lay a cable, a pencil or a string."""
    points = [np.array(_spot(rng, picture), float) for _ in range(rng.choice((2, 4)))]
    steps = np.linspace(0, 1, 20)[:, None]
    if len(points) == 2:
        path = points[0] * (1 - steps) + points[1] * steps
    else:
        a, b, c, d = points
        path = (
            a * (1 - steps) ** 3
            + 3 * b * steps * (1 - steps) ** 2
            + 3 * c * steps**2 * (1 - steps)
            + d * steps**3
        )
    line, colour = [np.round(path).astype(np.int32)], _colour(rng)
    thick = max(1, round(unit * rng.uniform(0.1, 0.8)))
    mask = _blank(picture)
    cv2.polylines(mask, line, False, (255,), thick, cv2.LINE_AA)
    _lay(picture, mask, colour)
    if thick > 3:
        mask[:] = 0
        cv2.polylines(mask, line, False, (255,), thick // 3, cv2.LINE_AA)
        _lay(picture, mask, (1, 1, 1), 0.3)


def rim(rng: Random, picture: Array, unit: float) -> None:
    """Draw a tray's wall along a side: bands of light and shade."""
    height, width = picture.shape[:2]
    turn = rng.choice((0, 90, 180, 270)) + rng.choice((0.0, rng.uniform(-8, 8)))
    way = np.array([math.cos(math.radians(turn)), math.sin(math.radians(turn))])
    y, x = np.mgrid[:height, :width]
    reach = (x - width / 2) * way[0] + (y - height / 2) * way[1]
    at = rng.uniform(0.1, 0.48) * width
    for _ in range(rng.randint(1, 3)):
        mask = np.clip((reach - at) * 2, 0, 1) * 255
        _lay(picture, mask.astype(np.uint8), _colour(rng))
        at += unit * rng.uniform(0.1, 1.2)


def crumbs(rng: Random, picture: Array, unit: float) -> None:
    """Scatter crumbs, dust and chips."""
    mask = _blank(picture)
    for _ in range(rng.randint(3, 30)):
        x, y = _spot(rng, picture)
        size = unit * rng.uniform(0.03, 0.3)
        corners = [
            (round(x + size * rng.uniform(-1, 1)), round(y + size * rng.uniform(-1, 1)))
            for _ in range(rng.randint(3, 6))
        ]
        hull = cv2.convexHull(np.array(corners, np.int32))
        cv2.fillPoly(mask, [hull], (255,), cv2.LINE_AA)
    _lay(picture, mask, _colour(rng), rng.uniform(0.5, 1))


def slab(rng: Random, picture: Array, unit: float) -> None:
    """Lay a flat thing with straight sides: an eraser, a phone, a box, a tile."""
    mask, where = _blank(picture), _spot(rng, picture)
    box = _box(rng, where, unit * rng.uniform(0.8, 5), unit * rng.uniform(3.2, 9))
    cv2.fillPoly(mask, [box], (255,), cv2.LINE_AA)
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.8, unit * 0.25))
    _lay(picture, np.asarray(soft, np.uint8), (0, 0, 0), 0.5)
    size = picture.shape[1], picture.shape[0]
    shade = 1 + noise(rng, size, 3)[..., None] * rng.uniform(0, 0.5)
    _lay(picture, mask, np.clip(np.array(_colour(rng)) * shade, 0, 1))


def glow(rng: Random, picture: Array, unit: float) -> None:
    """Throw coloured light or a moving shadow over a part of the picture."""
    # A quarter of the size will do: it is all blur.
    small = np.zeros((picture.shape[0] // 4, picture.shape[1] // 4), np.uint8)
    spread = max(1.0, unit * rng.uniform(0.5, 2))
    cv2.circle(small, _spot(rng, small), round(spread), (255,), -1)
    soft = cv2.GaussianBlur(small, (0, 0), spread * rng.uniform(0.1, 0.6))
    wide = cv2.resize(soft, (picture.shape[1], picture.shape[0]))
    share = (np.asarray(wide, np.float32) / 255)[..., None]
    light = tint(rng.random(), rng.uniform(0, 1), 1) * rng.uniform(0, 1.2)
    picture *= 1 + share * (light - 0.5)
    np.clip(picture, 0, 1, out=picture)


CLUTTER = (
    (text, 16),
    (card, 12),
    (marker, 6),
    (disc, 10),
    (knob, 3),
    (hand, 8),
    (cable, 8),
    (rim, 10),
    (crumbs, 8),
    (slab, 9),
    (glow, 8),
)


def scatter(rng: Random, picture: Array, unit: float, count: int) -> None:
    """Lay that many random things."""
    things = rng.choices(
        [draw for draw, _ in CLUTTER], [weight for _, weight in CLUTTER], k=count
    )
    for draw in things:
        draw(rng, picture, unit)
