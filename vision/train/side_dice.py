"""Endless random dice of any sort, several shots of several faces of each.

Unlike `faces_dice.py` a die keeps its marks on all faces over all its shots, so that
the neighbours of the up face are the same each time and can be learned from.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import torch

from vision import crops
from vision.embedder import TOP_SCALE
from vision.synth.solids import SYMMETRY, solid
from vision.train import faces_shade as shading
from vision.train.faces_bank import NUMERALS, Bank
from vision.train.faces_dice import random_looks
from vision.train.faces_maps import SLOTS, Jitter, Maps, build_maps

JITTER = Jitter(centre=0.07, turn_deg=6.0, scale=0.06, tilt_deg=18.0)

SHARES = {"d6": 0.18, "d8": 0.08, "d10": 0.1, "d12": 0.24, "d20": 0.34, "coin": 0.06}
"""How often each solid comes."""

MAPS_A_FACE = {"d6": 110, "d8": 80, "d10": 70, "d12": 70, "d20": 60, "coin": 90}

TOP_DICE = 0.4
"""Share of dice seen up close, as `vision.embedder` looks at the up face."""

MOST_FACES = 12
"""Faces of one die in a batch."""


@dataclass(frozen=True, slots=True)
class Shots:
    """Crops of a few dice with what is on them.

    Attributes:
        crops: ``(n, 3, 64, 64)`` 0..1 as a camera stores it.
        die: ``(n,)`` number of the die.
        face: ``(n,)`` its up face.
        turns: ``(n,)`` ways that face's polygon looks alike (24 for a coin).
    """

    crops: torch.Tensor
    die: torch.Tensor
    face: torch.Tensor
    turns: torch.Tensor


class SideCrops:
    """Makes shots of random dice.

    Args:
        bank: What is printed on the dice.
        rng: Source of the poses and of what goes on a die.
        maps_share: Of `MAPS_A_FACE` that is kept.
        jitter: Errors put on every pose.
    """

    def __init__(
        self,
        bank: Bank,
        rng: random.Random,
        maps_share: float = 1.0,
        jitter: Jitter = JITTER,
    ) -> None:
        self.bank = bank
        self.rng = rng
        self.tiles = shading.patterns(rng.randrange(1 << 30))
        self.maps: dict[tuple[str, float], Maps] = {}
        for shape, each in MAPS_A_FACE.items():
            for scale, part in ((1.0, 0.7), (TOP_SCALE, 0.4)):
                self.maps[shape, scale] = build_maps(
                    shape,
                    max(2, round(each * maps_share * part)) * solid(shape).readable,
                    crops.SIDE_PX,
                    crops.SIDE_HALF_WIDTH * scale,
                    jitter,
                    rng,
                    half_turns=False,
                )

    def shots(
        self, dice: int, each: int, shape: str | None = None, top: float = TOP_DICE
    ) -> Shots:
        """Return `each` shots of up to `MOST_FACES` faces of new random dice.

        Args:
            dice: How many.
            each: Shots of a face.
            shape: Their solid; None takes them by `SHARES`.
            top: Share of dice seen up close.
        """
        picks, looks, owner, faces, turns, scales = [], [], [], [], [], []
        for number in range(dice):
            form = shape or self.rng.choices(list(SHARES), list(SHARES.values()))[0]
            near = TOP_SCALE if self.rng.random() < top else 1.0
            maps, count = self.maps[form, near], solid(form).readable
            chosen = self.rng.sample(range(count), min(count, MOST_FACES))
            up = torch.tensor(chosen).repeat_interleave(each)
            one = self._die(form, count)
            picks.append(
                (maps, up + count * torch.randint(len(maps) // count, up.shape))
            )
            looks.append(_rolled(one, up, count))
            owner.append(torch.full_like(up, number))
            faces.append(up)
            turns.append(
                torch.full_like(up, crops.TURNS[form] // 2 if form != "d6" else 4)
            )
            mark = solid(form).mark_radius(0) * crops.SIDE_PX / 2
            scales.append(torch.full((len(up), 1), mark / crops.SIDE_HALF_WIDTH / near))
        lit = shading.shade(
            shading.see(picks),
            shading.joined(looks),
            self.bank.cells,
            self.tiles,
            torch.cat(scales),
            crops.SIDE_PX,
        )
        taken = shading.camera(lit, self.rng, coarsest=34)
        return Shots(taken, torch.cat(owner), torch.cat(faces), torch.cat(turns))

    def _die(self, shape: str, count: int) -> shading.Dice:
        """Return one random die, its tables in the order of its faces."""
        glyph = torch.full((1, SLOTS), self.bank.blank)
        kind = self._marks(shape, count)
        glyph[0, :count] = kind
        pips = bool((kind[:, None] == self.bank.pips.reshape(1, -1)).any())
        low, high = (0.85, 1.08) if pips else (0.55, 1.15)
        if shape == "coin":
            low, high = 0.5, 0.95
        scale = torch.full((1, SLOTS), self.rng.uniform(low, high))
        step = math.tau / SYMMETRY[shape]
        base = self.rng.choice((0.0, 0.0, step / 2, self.rng.uniform(0, math.tau)))
        turn = base + step * torch.randint(0, 60, (1, SLOTS))
        if self.rng.random() < 0.25:
            turn = shading.uniform(0, math.tau, 1, SLOTS)
        shift = 0.03 * torch.randn(1, SLOTS, 2)
        return random_looks(1, glyph, scale, turn, shift, 3)

    def _marks(self, shape: str, count: int) -> torch.Tensor:
        """Return ``(count,)`` glyphs for the faces of one die."""
        rng, bank = self.rng, self.bank
        how = rng.random()
        if shape == "d6" and how < 0.25:
            kind = bank.pips[rng.randrange(len(bank.pips))]
        elif how < 0.45:
            rows = bank.marked if rng.random() < 0.7 else bank.numerals
            row = rows[rng.randrange(len(rows))]
            first = 0 if shape == "d10" and rng.random() < 0.6 else 1
            if shape == "d10" and first and rng.random() < 0.6:
                tens = ["00", *(str(n) for n in range(10, 91, 10))]
                kind = row[torch.tensor([NUMERALS.index(text) for text in tens])]
            else:
                kind = row[first : first + count]
        elif how < 0.65:
            few = bank.sets[rng.randrange(len(bank.sets))]
            few = torch.cat([few, torch.tensor([bank.blank])])
            kind = few[torch.randint(len(few), (count,))]
            if len(few) >= count:
                kind = few[torch.randperm(len(few))[:count]]
        else:
            kind = bank.icons[torch.randint(len(bank.icons), (count,))]
        kind = kind[torch.randperm(len(kind))].clone()
        if rng.random() < 0.15:
            kind[rng.randrange(count)] = bank.blank
        if rng.random() < 0.15:
            kind[rng.randrange(count)] = bank.emblems[rng.randrange(len(bank.emblems))]
        return kind


def _rolled(die: shading.Dice, up: torch.Tensor, count: int) -> shading.Dice:
    """Return the die once per shot, its tables beginning with the up face."""
    order = (torch.arange(count)[None] + up[:, None]) % count
    rest = torch.arange(count, SLOTS)[None].expand(len(up), -1)
    order = torch.cat([order, rest], 1)
    shots = die.take(torch.zeros_like(up))
    for name in ("glyph", "scale", "turn", "tile"):
        setattr(shots, name, getattr(shots, name).gather(1, order))
    shots.shift = shots.shift.gather(1, order[..., None].expand(-1, -1, 2))
    return shots
