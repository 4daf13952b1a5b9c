"""Endless random numeral dice as crops of their up face, with labels.

Every crop shows a whole die's geometry round its up face: the marks of the neighbour
faces run in from the sides. Two in five crops are turned wrongly, as the reader tries
the polygon's other turns; those, blank faces, icons, emblems, edges and corners are
`REJECT`.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace

import torch

from vision import crops
from vision.synth.looks import TOLD_BY_HUE
from vision.synth.solids import SYMMETRY, solid
from vision.train import faces_shade as shading
from vision.train.faces_bank import NUMERALS, REJECT, SIX_OR_NINE, Bank
from vision.train.faces_maps import SLOTS, Jitter, Maps, build_maps

JITTER = Jitter(centre=0.11, turn_deg=6.0, scale=0.09, tilt_deg=26.0, wider=0.1)

CUBE_JITTER = replace(JITTER, wider=0.4)
"""The radius of a small, well rounded d6 is often taken for too large."""

BARE = 0.06
"""Share of dice whose marks are cut but not painted: only light shows them."""

WRONG_TURNS = 0.4
"""Share of numeral crops that are turned wrongly."""

UNMARKED = 0.4
"""Share of dice whose 6 and 9 bear no mark."""


def _places(texts: list[str]) -> tuple[int, ...]:
    return tuple(NUMERALS.index(text) for text in texts)


@dataclass(frozen=True, slots=True)
class Kind:
    """One sort of die in the training mixture.

    Attributes:
        shape: Its solid.
        share: Of all crops.
        faces: Places of its strings in `NUMERALS`; none for pips and icons.
        tallest, smallest: Range of the glyph cell's half width in mark radii.
    """

    shape: str
    share: float
    faces: tuple[int, ...]
    smallest: float
    tallest: float


KINDS = {
    "d20": Kind("d20", 0.27, _places([str(n) for n in range(1, 21)]), 0.70, 1.12),
    "d12": Kind("d12", 0.14, _places([str(n) for n in range(1, 13)]), 0.60, 1.10),
    "d10": Kind("d10", 0.13, _places([str(n) for n in range(11)]), 0.65, 1.15),
    "d%": Kind(
        "d10", 0.11, _places(["00", *(str(n) for n in range(10, 91, 10))]), 0.65, 1.05
    ),
    "d8": Kind("d8", 0.09, _places([str(n) for n in range(1, 9)]), 0.65, 1.15),
    "d6": Kind("d6", 0.07, _places([str(n) for n in range(1, 7)]), 0.60, 1.20),
    "pips": Kind("d6", 0.22, (), 0.85, 1.08),
    "icons": Kind("", 0.04, (), 0.70, 1.15),
}

_OFTEN = {"1": 1.5, "7": 1.5, "6": 1.6, "9": 1.6, "10": 1.2, "20": 1.2}
"""Faces drawn more often than others: those that are taken for one another. The teens
come 1.4 times as often."""


def _weights(faces: tuple[int, ...]) -> torch.Tensor:
    def weight(text: str) -> float:
        teen = len(text) == 2 and text[0] == "1"
        return _OFTEN.get(text, 1.4 if teen else 1.0)

    return torch.tensor([weight(NUMERALS[face]) for face in faces])


class NumeralCrops:
    """Makes batches of crops with labels.

    Args:
        bank: What is printed on the dice.
        rng: Source of the poses; torch's own generator makes the rest.
        maps_each: Poses kept for each shape.
    """

    def __init__(self, bank: Bank, rng: random.Random, maps_each: int) -> None:
        self.bank = bank
        self.rng = rng
        self.tiles = shading.patterns(rng.randrange(1 << 30))
        self.maps: dict[str, Maps] = {}
        for shape in ("d6", "d8", "d10", "d12", "d20"):
            self.maps[shape] = build_maps(
                shape,
                maps_each,
                crops.NUMERAL_PX,
                crops.NUMERAL_HALF_WIDTH[shape],
                CUBE_JITTER if shape == "d6" else JITTER,
                rng,
                off_face=0.08,
            )
        self.maps["pips"] = build_maps(
            "d6",
            maps_each,
            crops.NUMERAL_PX,
            crops.NUMERAL_HALF_WIDTH["d6"],
            CUBE_JITTER,
            rng,
            any_turn=0.35,
            off_face=0.1,
        )

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return ``(size, 3, 48, 48)`` crops in 0..1 and ``(size,)`` labels."""
        lit, labels = self.lit(size)
        return self.photographed(lit), labels

    def photographed(self, lit: torch.Tensor) -> torch.Tensor:
        """Return what a camera makes of crops; other noise each time."""
        mixed = lit.float()[:, torch.randperm(3)]
        return shading.camera(mixed, self.rng, coarsest=20)

    def lit(self, size: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return crops in linear light, float16, and their labels."""
        names = list(KINDS)
        shares = torch.tensor([KINDS[name].share for name in names])
        counts = torch.multinomial(shares, size, replacement=True).bincount(
            minlength=len(names)
        )
        picks, dice, labels, scales = [], [], [], []
        for name, count in zip(names, counts.tolist(), strict=True):
            if not count:
                continue
            shape = KINDS[name].shape or self.rng.choice(tuple(self.maps))
            shape = "pips" if name == "pips" else shape
            maps = self.maps[shape]
            index = torch.randint(len(maps), (count,))
            some, label = self._dice(name, maps, index)
            picks.append((maps, index))
            dice.append(some)
            labels.append(label)
            scales.append(torch.full((count, 1), px_per_mark_radius(maps.shape)))
        lit = shading.shade(
            shading.see(picks),
            shading.joined(dice),
            self.bank.cells,
            self.tiles,
            torch.cat(scales),
            crops.NUMERAL_PX,
        )
        return lit.half(), torch.cat(labels)

    def _dice(
        self, name: str, maps: Maps, index: torch.Tensor
    ) -> tuple[shading.Dice, torch.Tensor]:
        """Draw the dice of one kind and say what is up."""
        b = len(index)
        step = math.tau / SYMMETRY[maps.shape]
        glyph = self._glyphs(name, b)
        upright = -maps.offset[index]
        turn = upright[:, None] + step * torch.randint(0, 60, (b, SLOTS))
        labels = self.bank.labels[glyph[:, 0]].clone()
        if KINDS[name].faces:
            same = self.bank.symmetric[glyph[:, 0]] | (labels == SIX_OR_NINE)
            wrong, away = wrong_turns(same, torch.full((b,), step), WRONG_TURNS)
            turn[:, 0] = upright + away
            labels[wrong] = REJECT
        labels[maps.off_face[index]] = REJECT
        turn = turn + 0.05 * torch.randn(b, SLOTS)
        kind = KINDS[name]
        scale = shading.uniform(kind.smallest, kind.tallest, b, 1).repeat(1, SLOTS)
        shift = 0.05 * torch.randn(b, SLOTS, 2)
        if maps.shape == "d10":
            shift[..., 1] += shading.uniform(-0.2, 0.2, b, 1)
        if name == "pips":
            shift *= 0.3
        return random_looks(b, glyph, scale, turn, shift, 3), labels

    def _glyphs(self, name: str, b: int) -> torch.Tensor:
        """Return ``(b, SLOTS)`` glyphs; slot 0 is up."""
        bank = self.bank
        if name == "pips":
            style = torch.randint(len(bank.pips), (b, 1))
            glyph = bank.pips[style, torch.randint(0, 6, (b, SLOTS))]
            odd = torch.rand(b, SLOTS) < torch.tensor([0.1] + [0.04] * (SLOTS - 1))
            other = bank.emblems[torch.randint(len(bank.emblems), (b, SLOTS))]
            glyph = torch.where(odd, other, glyph)
        elif name == "icons":
            glyph = bank.icons[torch.randint(len(bank.icons), (b, SLOTS))]
        else:
            kind = KINDS[name]
            faces = torch.tensor(kind.faces)
            pick = torch.multinomial(_weights(kind.faces), b * SLOTS, replacement=True)
            text = faces[pick].reshape(b, SLOTS)
            style = torch.randint(len(bank.numerals), (b, 1))
            plain, marked = bank.numerals[style, text], bank.marked[style, text]
            glyph = torch.where(torch.rand(b, 1) < UNMARKED, plain, marked)
        blank = torch.rand(b, SLOTS) < 0.03
        return torch.where(blank, torch.full_like(glyph, bank.blank), glyph)


def wrong_turns(
    same: torch.Tensor, step: torch.Tensor, share: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return which crops are turned wrongly and by how much, radians.

    Args:
        same: ``(b,)`` True where the mark looks the same upside down.
        step: ``(b,)`` turn of the polygon that looks alike.
        share: Of crops turned wrongly: a quarter of those about upside down, half to
            the polygon's corners and edges, the others anyhow.
    """
    b = len(same)
    wrong = torch.rand(b) < share
    steps = torch.round(2 * math.tau / step).clamp(min=4)
    polygon = (1 + torch.floor(torch.rand(b) * (steps - 1))) * (math.tau / steps)
    upside = math.pi + shading.uniform(-0.26, 0.26, b)
    anyhow = shading.uniform(0.52, math.tau - 0.52, b)
    how = torch.rand(b)
    away = torch.where(how < 0.25, upside, torch.where(how < 0.7, polygon, anyhow))
    near = (away - math.pi).abs() < 0.66
    away = torch.where(same & near, shading.uniform(0.61, 2.4, b), away)
    return wrong, torch.where(wrong, away, torch.zeros(b))


def px_per_mark_radius(shape: str, half_width: float | None = None) -> float:
    """Return how many pixels of a numeral crop one mark radius is."""
    wide = half_width or crops.NUMERAL_HALF_WIDTH[shape]
    return solid(shape).mark_radius(0) * crops.NUMERAL_PX / 2 / wide


def random_looks(
    b: int,
    glyph: torch.Tensor,
    scale: torch.Tensor,
    turn: torch.Tensor,
    shift: torch.Tensor,
    channels: int,
) -> shading.Dice:
    """Return dice with random bodies, inks, patterns and wear."""
    grey = torch.rand(b, 1) < 0.3
    body = torch.rand(b, channels) ** 1.3
    body = torch.where(grey, body[:, :1], body)
    body = body * (1 - shading.often(0.2, b, 1) * shading.uniform(0.3, 0.9, b, 1))
    marbled = torch.rand(b, 1) < 0.45
    second = torch.where(marbled, torch.lerp(body, torch.rand(b, channels), 0.55), body)
    ink = _inks(body, second, b, channels)
    bare = torch.rand(b, 1) < BARE
    return shading.Dice(
        glyph=glyph,
        scale=scale,
        turn=turn,
        shift=shift,
        tile=torch.randint(0, shading.TILES, (b, SLOTS)),
        weight=torch.randn(b, 1) * 0.6,
        body=body,
        second=second,
        ink=torch.where(bare, body * 0.85, ink),
        engraving=shading.often(0.7, b, 1) * shading.uniform(0.1, 1.6, b, 1)
        + bare * 1.5,
        gloss=torch.rand(b, 1),
        wear=shading.often(0.25, b, 1) * shading.uniform(0, 0.8, b, 1),
    )


def _inks(
    body: torch.Tensor, second: torch.Tensor, b: int, channels: int
) -> torch.Tensor:
    """Return ink colours: white, black, gold, any; telling from both of the body's."""
    sort = torch.randint(0, 7, (b, 1))
    gold = (
        torch.tensor([0.85, 0.68, 0.25])[:channels] if channels == 3 else torch.rand(1)
    )
    ink = torch.rand(b, channels)
    ink = torch.where(sort < 3, shading.uniform(0.75, 1.0, b, 1), ink)
    ink = torch.where(sort == 3, shading.uniform(0.0, 0.15, b, 1), ink)
    ink = torch.where(sort == 4, gold * shading.uniform(0.6, 1.1, b, 1), ink)
    need = shading.uniform(0.12, 0.35, b, 1)
    bodies = torch.stack([body, second])
    levels = bodies.mean(2, keepdim=True)
    darkest, lightest = levels.amin(0), levels.amax(0)
    darker, lighter = bodies.amin(0) - need - 0.12, bodies.amax(0) + need + 0.12
    away = torch.where(darkest > 1 - lightest, darker, lighter)
    close = ((ink.mean(1, keepdim=True) - levels).abs() < need).any(0)
    if channels == 3:
        # A full colour tells by its hue alone, if one channel is far enough off.
        full = torch.rand(b, channels)
        low, high = full.amin(1, keepdim=True), full.amax(1, keepdim=True)
        full = (full - low) / (high - low) * shading.uniform(0.35, 1.0, b, 1)
        told = ((full - bodies).abs().amax(2, keepdim=True) > 0.35).all(0)
        told = told & (torch.rand(b, 1) < TOLD_BY_HUE)
        ink, close = torch.where(told, full, ink), close & ~told
    return torch.where(close, away, ink).clamp(0, 1)
