"""The glyphs that training prints on dice, as signed distances.

A signed distance keeps a glyph sharp at any size and lets the drawing make its strokes
bolder or thinner. 1 unit is 1/8 pixel of a 64 pixel cell, 128 lies on the outline,
more is ink.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from vision.synth import icons, marks, strokes

CELL_PX = 64
UNITS_PER_PX = 8.0

NUMERALS = (*(str(n) for n in range(21)), "00", *(str(n) for n in range(30, 91, 10)))
"""Strings that dice print; ``10`` and ``20`` stand on several kinds."""

SIX_OR_NINE = len(NUMERALS)
FIRST_PIP = SIX_OR_NINE + 1
REJECT = FIRST_PIP + 6

SYMMETRIC_IOU = 0.8
"""A glyph that covers its own half turn by more than this looks the same either way.
Measured for each glyph: a flagged 1 turned over is a wrong turn, a plain bar is not."""

Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Bank:
    """All glyphs and which of them belong on one die.

    Attributes:
        cells: ``(g * CELL_PX**2,)`` uint8 signed distances, flat.
        labels: ``(g,)`` class of each; icons are `REJECT`.
        symmetric: ``(g,)`` True where a half turn shows the same.
        numerals: ``(styles, len(NUMERALS))`` glyph of each string; 6 and 9 unmarked.
        marked: The same with the mark that tells 6 from 9, in the same order.
        pips: ``(styles, 6)``.
        icons: Glyphs that may stand on any die.
        emblems: Glyphs that stand in place of one number.
        sets: For dice of few symbols: faces of one such die, blanks not among them.
        blank: The empty glyph.
    """

    cells: torch.Tensor
    labels: torch.Tensor
    symmetric: torch.Tensor
    numerals: torch.Tensor
    marked: torch.Tensor
    pips: torch.Tensor
    icons: torch.Tensor
    emblems: torch.Tensor
    sets: tuple[torch.Tensor, ...]
    blank: int


class _Builder:
    """Collects glyphs and numbers them."""

    def __init__(self) -> None:
        self.cells: list[Mask] = []
        self.labels: list[int] = []

    def add(self, mask: Mask, label: int = REJECT) -> int:
        """Return the number of the new glyph."""
        self.cells.append(signed_distance(mask))
        self.labels.append(label)
        return len(self.cells) - 1

    def add_style(
        self, draw: Callable[[str, str], Mask], rng: random.Random
    ) -> tuple[list[int], list[int]]:
        """Draw all strings of one font, without and with marks."""
        mark = rng.choice(("line", "dot"))
        all_marked = rng.random() < 0.3
        plain, marked = [], []
        for at, text in enumerate(NUMERALS):
            unmarked = SIX_OR_NINE if text in ("6", "9") else at
            plain.append(self.add(draw(text, "none"), unmarked))
            wants = text in ("6", "9") or (
                all_marked and text in ("16", "19", "60", "90")
            )
            marked.append(self.add(draw(text, mark), at) if wants else plain[-1])
        return plain, marked


def signed_distance(mask: Mask) -> Mask:
    """Return the signed distance of a mask of any size in one cell."""
    inside = (mask > 127).astype(np.uint8)
    ink = cv2.distanceTransform(inside, cv2.DIST_L2, 5)
    none = cv2.distanceTransform(1 - inside, cv2.DIST_L2, 5)
    scale = CELL_PX / mask.shape[0]
    cell = cv2.resize(
        (ink - none) * scale, (CELL_PX, CELL_PX), interpolation=cv2.INTER_AREA
    )
    if not inside.any():
        cell = np.full((CELL_PX, CELL_PX), -16.0, np.float32)
    return np.clip(cell * UNITS_PER_PX + 128, 0, 255).astype(np.uint8)


def build_bank(
    seed: int,
    *,
    held_out: bool = False,
    styles: int = 220,
    pictures: int = 900,
    fonts: bool = True,
    most_fonts: int | None = None,
) -> Bank:
    """Draw a bank.

    Args:
        seed: Of everything drawn here.
        held_out: True takes the font families and icon sheets that training never
            sees.
        styles: Of our own stroke fonts.
        pictures: Random icons.
        fonts: False leaves font files out (no Pillow, no font packages needed).
        most_fonts: At most so many font files, picked at random.
    """
    rng = random.Random(seed * 2 + held_out)
    builder = _Builder()
    plain, marked = [], []
    for draw in _drawers(rng, styles, held_out, fonts, most_fonts):
        row = builder.add_style(draw, rng)
        plain.append(row[0])
        marked.append(row[1])
    pips = [
        [builder.add(marks.pips(n, style), FIRST_PIP + n - 1) for n in range(1, 7)]
        for style in (marks.pip_style(rng) for _ in range(60))
    ]
    masks = [icons.random_icon(rng, CELL_PX * 2) for _ in range(pictures)]
    masks += font_pictures(held_out) if fonts else []
    masks += [_pair(rng, masks) for _ in range(len(masks) // 3)]
    pictured = [builder.add(mask) for mask in masks]
    emblems = [builder.add(icons.emblem(rng, CELL_PX * 2)) for _ in range(150)]
    sets = tuple(
        torch.tensor([builder.add(mask) for mask in _few_symbols(rng, masks)])
        for _ in range(max(4, pictures // 10))
    )
    blank = builder.add(np.zeros((CELL_PX, CELL_PX), np.uint8))
    cells = torch.from_numpy(np.stack(builder.cells))
    return Bank(
        cells=cells.reshape(-1),
        labels=torch.tensor(builder.labels),
        symmetric=_half_turn_symmetric(cells),
        numerals=torch.tensor(plain),
        marked=torch.tensor(marked),
        pips=torch.tensor(pips),
        icons=torch.tensor(pictured),
        emblems=torch.tensor(emblems),
        sets=sets,
        blank=blank,
    )


def _half_turn_symmetric(cells: torch.Tensor) -> torch.Tensor:
    """Measure which glyphs look the same upside down."""
    ink = cells > 128
    turned = ink.flip(1, 2)
    both = (ink & turned).sum((1, 2)).float()
    either = (ink | turned).sum((1, 2)).clamp(min=1)
    return both / either > SYMMETRIC_IOU


def _drawers(
    rng: random.Random, styles: int, held_out: bool, fonts: bool, most_fonts: int | None
) -> list[Callable[[str, str], Mask]]:
    """Return one drawing function a font: font files, then our own strokes."""
    drawers: list[Callable[[str, str], Mask]] = []
    if fonts:
        train, held = marks.training_fonts()
        paths = held if held_out else train
        if most_fonts is not None and len(paths) > most_fonts:
            paths = rng.sample(paths, most_fonts)
        for path in paths:
            drawers.append(
                lambda text, mark, path=path: marks.font_numeral(
                    path, text, 128, mark, rng
                )
            )
    for _ in range(styles):
        style = strokes.stroke_style(rng)
        drawers.append(
            lambda text, mark, style=style: marks.numeral(text, style, 128, mark, rng)
        )
    return drawers


def font_pictures(held_out: bool) -> list[Mask]:
    """Return the pictures of icon fonts, one in five of them held out."""
    found: list[Mask] = []
    for name, first, last in (
        ("fontawesome-webfont.ttf", 0xF000, 0xF2E0),
        ("Symbola*.?tf", 0x2600, 0x27BF),
        ("MaterialIcons*.ttf", 0xE000, 0xE400),
    ):
        for path in sorted(marks.FONT_FOLDER.rglob(name))[:1]:
            for code in range(first, last):
                if (code % 5 == 0) == held_out:
                    found.extend(_picture(str(path), chr(code)))
    return found


def _picture(font_path: str, character: str) -> list[Mask]:
    """Draw one character as an icon; empty where the font has none."""
    from PIL import Image, ImageDraw, ImageFont

    side = CELL_PX * 2
    font = ImageFont.truetype(font_path, round(side * 0.7))
    left, top, right, bottom = font.getbbox(character)
    if right - left < 8 or bottom - top < 8 or max(right - left, bottom - top) > side:
        return []
    page = Image.new("L", (side, side), 0)
    where = ((side - left - right) / 2, (side - top - bottom) / 2)
    ImageDraw.Draw(page).text(where, character, fill=255, font=font)
    mask = np.array(page, dtype=np.uint8)
    return [mask] if 0.04 < mask.mean() / 255 < 0.6 else []


def _pair(rng: random.Random, masks: list[Mask]) -> Mask:
    """Return two icons on one face, often the same one twice."""
    first = rng.choice(masks)
    second = first if rng.random() < 0.4 else rng.choice(masks)
    turn = rng.choice((0, 0, 90, 45, -45))
    return icons.side_by_side([first, second], rng.uniform(0.5, 0.66), turn)


def _few_symbols(rng: random.Random, masks: list[Mask]) -> list[Mask]:
    """Return the faces of a die that shows few symbols, alone and in pairs."""
    symbols = [rng.choice(masks) for _ in range(rng.choice((3, 4, 4, 5)))]
    scale, turn = rng.uniform(0.5, 0.66), rng.choice((0, 0, 90, 45))
    faces = list(symbols)
    for i, first in enumerate(symbols):
        for second in symbols[i:]:
            faces.append(icons.side_by_side([first, second], scale, turn))
    return faces
