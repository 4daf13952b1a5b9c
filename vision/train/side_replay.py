"""Ray-cast dice as a second source of side crops: drawn once, cropped many times."""

from __future__ import annotations

import math
import pathlib
import random
from dataclasses import replace

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from vision import crops
from vision.embedder import TOP_SCALE
from vision.synth import icons, marks
from vision.train.faces_bank import font_pictures
from vision.train.faces_cast import (
    MASK_PX,
    CastDie,
    Mask,
    icon_die,
    numeral_die,
    shoot,
)
from vision.train.faces_shade import uniform
from vision.train.side_dice import JITTER, MOST_FACES, SHARES, TOP_DICE, Shots

PATCH_PX = 80
PATCH_WIDER = 1.25
"""A patch is wider than a crop by this: room for moving it."""

SHOTS = 3

SLOPES_TOLD = 0.75
"""Share of the dice of which it is known how the camera looked at them."""


def icon_pool(
    rng: random.Random, count: int, *, held_out: bool, fonts: bool
) -> list[Mask]:
    """Return icons to dress dice with: drawn at random, and from icon fonts."""
    pool = [icons.random_icon(rng, MASK_PX) for _ in range(count)]
    if fonts:
        size = (MASK_PX, MASK_PX)
        for mask in font_pictures(held_out):
            small = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
            pool.append(small.astype(np.uint8))
    return pool


def random_die(
    rng: random.Random, shape: str, fonts: list[str], pool: list[Mask]
) -> CastDie:
    """Return a die of numerals, pips or icons."""
    kinds = {"d6": ("pips", "d6"), "d10": ("d10", "d%")}.get(shape, (shape,))
    if shape != "coin" and rng.random() < 0.5:
        return numeral_die(rng, rng.choice(kinds), fonts)
    return icon_die(rng, shape, pool)


class SideReplay:
    """Patches of many dice, each with some faces, each with `SHOTS` shots."""

    def __init__(
        self, dice: int, rng: random.Random, fonts: list[str], pool: list[Mask]
    ) -> None:
        patches, owner, faces, turns = [], [], [], []
        for number in range(dice):
            shape = rng.choices(list(SHARES), list(SHARES.values()))[0]
            die = random_die(rng, shape, fonts, pool)
            count = len(die.keys)
            told = rng.random() < SLOPES_TOLD
            for face in rng.sample(range(count), min(count, MOST_FACES)):
                for _ in range(SHOTS):
                    seen = shoot(rng, die, face, rng.uniform(24, 48))
                    turn = seen.upright_rad - die.turns[face]
                    known = seen.pose if told else replace(seen.pose, slope=(0.0, 0.0))
                    part, pose = crops.side_patch(seen.image, known)
                    wide = crops.SIDE_HALF_WIDTH * PATCH_WIDER
                    patches.append(crops.crop(part, pose, wide, turn, PATCH_PX))
                    owner.append(number)
                    faces.append(face)
                    turns.append(crops.TURNS[shape] // 2 if shape != "d6" else 4)
        stacked = torch.from_numpy(np.stack(patches))
        self.patches = stacked.permute(0, 3, 1, 2).contiguous()
        self.owner = torch.tensor(owner)
        self.faces = torch.tensor(faces)
        self.turns = torch.tensor(turns)

    def shots(self, dice: int) -> Shots:
        """Return all shots of some dice, each cropped anew, all recoloured alike."""
        chosen = torch.randperm(int(self.owner[-1]) + 1)[:dice]
        index = torch.nonzero(torch.isin(self.owner, chosen))[:, 0]
        n = len(index)
        turn = math.radians(JITTER.turn_deg) * torch.randn(n).clamp(-2.2, 2.2)
        near = TOP_SCALE if torch.rand(1).item() < TOP_DICE else 1.0
        scale = uniform(1 - JITTER.scale, 1 + JITTER.scale, n) * near / PATCH_WIDER
        reach, way = JITTER.centre * torch.rand(n).sqrt(), uniform(0, math.tau, n)
        grid = torch.zeros(n, 2, 3)
        grid[:, 0, 0] = grid[:, 1, 1] = torch.cos(turn) * scale
        grid[:, 0, 1] = -torch.sin(turn) * scale
        grid[:, 1, 0] = torch.sin(turn) * scale
        grid[:, 0, 2] = torch.cos(way) * reach / PATCH_WIDER
        grid[:, 1, 2] = torch.sin(way) * reach / PATCH_WIDER
        shape = [n, 3, crops.SIDE_PX, crops.SIDE_PX]
        some = F.grid_sample(
            self.patches[index][:, torch.randperm(3)].float() / 255,
            F.affine_grid(grid, shape, align_corners=False),
            padding_mode="border",
            align_corners=False,
        )
        white = uniform(0.7, 1.3, n, 1, 1, 1) * uniform(0.88, 1.12, n, 3, 1, 1)
        some = (some * white).clamp(0, 1)
        some = some ** uniform(0.75, 1.35, n, 1, 1, 1)
        some = some + torch.randn_like(some) * uniform(0, 0.03, n, 1, 1, 1)
        taken = some.clamp(0, 1)
        return Shots(taken, self.owner[index], self.faces[index], self.turns[index])

    def save(self, path: pathlib.Path) -> None:
        """Keep the patches for the next training."""
        path.parent.mkdir(exist_ok=True)
        torch.save([self.patches, self.owner, self.faces, self.turns], path)

    @classmethod
    def load(cls, path: pathlib.Path) -> SideReplay:
        """Read what `save` kept."""
        replay = cls.__new__(cls)
        parts = torch.load(path, weights_only=True)
        replay.patches, replay.owner, replay.faces, replay.turns = parts
        return replay


def cached_replay(
    path: pathlib.Path, dice: int, seed: int, *, fonts: bool = True
) -> SideReplay:
    """Return the patches kept at `path`, drawing them first where there are none."""
    if path.exists():
        return SideReplay.load(path)
    cv2.setNumThreads(1)
    rng = random.Random(seed + 99)
    files = marks.training_fonts()[0] if fonts else []
    pool = icon_pool(rng, 600, held_out=False, fonts=fonts)
    replay = SideReplay(dice, rng, files, pool)
    replay.save(path)
    return replay


def together(first: Shots, second: Shots) -> Shots:
    """Return two batches as one, the dice of the second numbered on."""
    return Shots(
        torch.cat([first.crops, second.crops]),
        torch.cat([first.die, second.die + first.die.max() + 1]),
        torch.cat([first.face, second.face]),
        torch.cat([first.turns, second.turns]),
    )
