"""Random dice ready to draw: marks chosen, sized and turned, edges and material.

A numeral's top points to a corner on most d8 d12 d20 and to an edge on some, to
either tip of a d10's kite, to any side of a d6; one maker's die is consistent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth import icons, marks, strokes
from vision.synth.looks import Look, random_look
from vision.synth.numbering import AROUND, USUAL_SHARE, usual_numbers
from vision.synth.render import Model
from vision.synth.solids import SHAPES, Solid, solid

Mask = NDArray[np.uint8]

MASK_PX = 80
"""Side of a mask: enough for sprites up to a radius of 80 px."""

CORNER_SHARE = 0.47
"""A d4's numerals stand this far from the middle to the corner."""


@dataclass(frozen=True, slots=True, eq=False)
class Dressed:
    """A die to draw and what is on its faces.

    Attributes:
        model: For the renderer.
        labels: One per readable face: a numeral's text, ``pips3``, or ``icon``.
    """

    model: Model
    labels: tuple[str, ...]


def numbering(rng: Random, count: int) -> list[int]:
    """Return numbers for faces in no order; see `number_faces` for opposite sums."""
    numbers = list(range(1, 1 + count))
    rng.shuffle(numbers)
    return numbers


def number_faces(rng: Random, body: Solid) -> list[int]:
    """Return a number for each face: as usual, or just opposite faces having one sum.

    Args:
        rng: Source of chance.
        body: What to number, from 1 on; a d10 from 0 on.
    """
    count, first = body.readable, 0 if body.shape == "d10" else 1
    if body.shape in ("d4", "coin"):
        return numbering(rng, count)
    if body.shape in AROUND and rng.random() < USUAL_SHARE:
        return usual_numbers(body.shape)
    numbers = [0] * count
    low = list(range(count // 2))
    rng.shuffle(low)
    pairs = [(f, int(o)) for f, o in enumerate(body.opposite) if f < o]
    for (face, other), value in zip(pairs, low, strict=True):
        swap = rng.random() < 0.5
        numbers[face] = first + (count - 1 - value if swap else value)
        numbers[other] = first + (value if swap else count - 1 - value)
    return numbers


def random_die(
    rng: Random, shape: str, *, look: Look | None = None, fonts: tuple[str, ...] = ()
) -> Dressed:
    """Return a random die of a shape.

    Args:
        rng: Source of chance.
        shape: One of `SHAPES`.
        look: Its material; None draws one.
        fonts: Font files to take numerals from, half of the time (needs Pillow).
    """
    body = solid(shape)
    masks, labels = _faces(rng, body, fonts)
    edge = rng.choice((18.0, 28.0, 40.0, 60.0))
    ball = 2.0
    if shape == "d6":
        edge = rng.choice((11.0, 16.0, 24.0, 36.0, 60.0))
        ball = rng.choice((2.0, 2.0, 0.72, 0.78, 0.85))
    elif shape == "coin":
        edge = rng.choice((30.0, 60.0))
    model = Model(shape, np.stack(masks), look or random_look(rng), edge, ball)
    return Dressed(model, tuple(labels))


def place(
    mask: Mask, scale: float, turn_rad: float, shift: tuple[float, float]
) -> Mask:
    """Return a mask scaled, turned clockwise and moved.

    Args:
        mask: Square.
        scale: About its middle.
        turn_rad: Clockwise as seen.
        shift: Right and down, over half the side.
    """
    size = mask.shape[0]
    middle = (size - 1) / 2
    turned = cv2.getRotationMatrix2D((middle, middle), -math.degrees(turn_rad), scale)
    turned[:, 2] += np.array(shift) * size / 2
    moved = cv2.warpAffine(mask, turned, (size, size), flags=cv2.INTER_LINEAR)
    return np.asarray(moved, np.uint8)


def _faces(
    rng: Random, body: Solid, fonts: tuple[str, ...]
) -> tuple[list[Mask], list[str]]:
    """Return the masks and labels of all faces."""
    if body.shape == "d6" and rng.random() < 0.6:
        return _pips(rng, body)
    if body.shape == "d4":
        return _corners(rng, body)
    if rng.random() < (0.25 if body.shape != "coin" else 0.7):
        return _icons(rng, body)
    numbers = number_faces(rng, body)
    texts = [str(number) for number in numbers]
    if body.shape == "d10" and rng.random() < 0.35:
        texts = [f"{number}0" for number in numbers]
    style, font = strokes.stroke_style(rng), None
    if fonts and rng.random() < 0.5:
        font = rng.choice(fonts)
    marked = rng.choice(marks.NUMERAL_MARKS)
    scale = rng.uniform(0.75, 1.2)
    step = math.tau / body.symmetry
    turn = rng.choice((0.0, 0.0, 0.5)) * step
    if body.shape == "d6":
        turn = 0.0
    masks = []
    for text in texts:
        mark = marked if text in ("6", "9") else "none"
        if font is not None:
            mask = marks.font_numeral(font, text, MASK_PX, mark, rng)
        else:
            mask = marks.numeral(text, style, MASK_PX, mark, rng)
        own = rng.randrange(4) * step if body.shape == "d6" else turn
        masks.append(place(mask, scale, own, (0, 0)))
    return masks, texts


def _pips(rng: Random, body: Solid) -> tuple[list[Mask], list[str]]:
    """Return pips, on some dice an emblem in place of the one or the six."""
    style = marks.pip_style(rng)
    numbers = number_faces(rng, body)
    swapped = rng.choice((1, 6)) if rng.random() < 0.12 else 0
    masks, labels = [], []
    for number in numbers:
        if number == swapped:
            masks.append(icons.emblem(rng, MASK_PX))
        else:
            quarter = rng.randrange(4) * math.tau / 4
            masks.append(place(marks.pips(number, style, MASK_PX), 1, quarter, (0, 0)))
        labels.append(f"pips{number}")
    return masks, labels


def _icons(rng: Random, body: Solid) -> tuple[list[Mask], list[str]]:
    """Return a few icons over the faces, single, in pairs, or none."""
    few = [icons.random_icon(rng, MASK_PX) for _ in range(rng.randint(2, 6))]
    masks = []
    for _ in range(body.readable):
        pick = rng.random()
        if pick < 0.1:
            masks.append(np.zeros((MASK_PX, MASK_PX), np.uint8))
        elif pick < 0.35:
            pair = [rng.choice(few), rng.choice(few)]
            masks.append(icons.side_by_side(pair, turn_deg=rng.choice((0, 90))))
        else:
            scale = rng.uniform(0.65, 0.95)
            masks.append(place(rng.choice(few), scale, 0, (0, 0)))
    return masks, ["icon"] * body.readable


def _corners(rng: Random, body: Solid) -> tuple[list[Mask], list[str]]:
    """Return a d4's faces: a numeral towards each corner, or along each edge."""
    style = strokes.stroke_style(rng)
    numbers = numbering(rng, 4)
    along_edges = rng.random() < 0.3
    size = rng.uniform(0.32, 0.48)
    digits = [marks.numeral(str(n), style, MASK_PX) for n in numbers]
    masks = []
    for face in range(4):
        mask = np.zeros((MASK_PX, MASK_PX), np.uint8)
        for k, vertex in enumerate(body.faces[face]):
            # Corner v is off face v: the die lies on it when that corner is on top.
            # Seen from outside, the corners follow each other counter-clockwise.
            turn = -k * math.tau / 3
            name = int(np.argmin(body.normals @ body.vertices[vertex]))
            far = CORNER_SHARE
            if along_edges:
                # The number at the foot of three faces names the face it lies on;
                # it stands upside down from the corner across.
                turn, far = turn + math.pi, 0.3
            shift = (far * math.sin(turn), -far * math.cos(turn))
            mask = np.maximum(mask, place(digits[name], size, turn, shift))
        masks.append(mask)
    return masks, [str(n) for n in numbers]


def random_shape(rng: Random) -> str:
    """Return a shape, those of six, twelve and twenty faces more often."""
    return rng.choices(SHAPES, (7, 25, 10, 15, 15, 20, 8))[0]
