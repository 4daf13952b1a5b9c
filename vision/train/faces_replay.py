"""Ray-cast dice as a second source of numeral crops: drawn once, cropped many times.

Drawing takes 15 ms a die, so a few thousand are kept as wide patches, upright, and
every use turns, moves and tints one anew.
"""

from __future__ import annotations

import math
import pathlib
import random

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from vision import crops
from vision.synth import marks
from vision.synth.solids import SYMMETRY
from vision.train.faces_bank import FIRST_PIP, NUMERALS, REJECT, SIX_OR_NINE
from vision.train.faces_cast import EMBLEM, CastDie, Photograph, numeral_die, shoot
from vision.train.faces_dice import CUBE_JITTER, JITTER, WRONG_TURNS, wrong_turns
from vision.train.faces_shade import cloud, often, uniform

PATCH_PX = 80
PATCH_WIDER = 1.45
"""A patch is wider than a crop by this: room for turning and moving."""

SHARES = {"d20": 28, "d12": 14, "d10": 12, "d%": 10, "d8": 9, "d6": 9, "pips": 26}

PIPS_ALONE = {"pips": 1}
"""Shares of a second set: small glossy cubes are where most photographs are doubted."""

RADII_PX = (20.0, 64.0)
SMALL_RADII_PX = (13.0, 42.0)
"""Of the dice in the whole set, and in the one of pips."""

RUNNING = 0.25
"""Share of the crops in which colours run."""

LIGHT = torch.tensor([0.11, 0.59, 0.30]).view(1, 3, 1, 1)
"""Shares of blue, green and red in what an eye calls light."""

FAINTEST = 0.05
"""Contrast of ink below which a crop would only teach to guess."""


class Replay:
    """Patches of ray-cast dice.

    Args:
        count: How many.
        rng: Source of chance.
        fonts: See `faces_cast.numeral_die`.
        pips: Only small dice of pips, not all kinds.
    """

    def __init__(
        self, count: int, rng: random.Random, fonts: list[str], *, pips: bool = False
    ) -> None:
        patches, labels, steps, same = [], [], [], []
        shares = PIPS_ALONE if pips else SHARES
        radii_px = SMALL_RADII_PX if pips else RADII_PX
        while len(patches) < count:
            kind = rng.choices(list(shares), list(shares.values()))[0]
            die = numeral_die(rng, kind, fonts)
            for _ in range(2):
                face = rng.randrange(len(die.keys))
                seen = shoot(rng, die, face, rng.uniform(*radii_px))
                if seen.contrast < FAINTEST and seen.key != EMBLEM:
                    continue
                patches.append(_patch(seen))
                labels.append(_label(die, face))
                steps.append(math.tau / SYMMETRY[die.model.shape])
                same.append(_half_turn_same(die.model.masks[face]))
        self.patches = torch.from_numpy(np.stack(patches)).permute(0, 3, 1, 2)
        self.labels = torch.tensor(labels)
        self.steps = torch.tensor(steps)
        self.same = torch.tensor(same) | (self.labels == SIX_OR_NINE)

    def save(self, path: pathlib.Path) -> None:
        """Keep the patches for the next training."""
        path.parent.mkdir(exist_ok=True)
        torch.save(
            [self.patches.contiguous(), self.labels, self.steps, self.same], path
        )

    @classmethod
    def load(cls, path: pathlib.Path) -> Replay:
        """Read what `save` kept."""
        replay = cls.__new__(cls)
        parts = torch.load(path, weights_only=True)
        replay.patches, replay.labels, replay.steps, replay.same = parts
        return replay

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return ``(size, 3, 48, 48)`` crops in 0..1 and their labels."""
        index = torch.randint(len(self.labels), (size,))
        labels = self.labels[index].clone()
        wrong, away = wrong_turns(self.same[index], self.steps[index], WRONG_TURNS)
        pips = (labels >= FIRST_PIP) & (labels < REJECT)
        quarter = torch.randint(0, 4, (size,)) * (math.tau / 4)
        anyhow = torch.where(
            torch.rand(size) < 0.35, uniform(0, math.tau, size), quarter
        )
        away = torch.where(pips, anyhow, away)
        labels[wrong & ~pips] = REJECT
        turn = away + math.radians(JITTER.turn_deg) * torch.randn(size).clamp(-2.2, 2.2)
        cube = (self.steps[index] - math.tau / 4).abs() < 1e-3
        wider = torch.where(cube, CUBE_JITTER.wider, JITTER.wider)
        reach = 2 * JITTER.scale + wider
        scale = (1 - JITTER.scale + torch.rand(size) * reach) / PATCH_WIDER
        reach = JITTER.centre / 0.65 / PATCH_WIDER
        grid = torch.zeros(size, 2, 3)
        grid[:, 0, 0] = grid[:, 1, 1] = torch.cos(turn) * scale
        grid[:, 0, 1] = -torch.sin(turn) * scale
        grid[:, 1, 0] = torch.sin(turn) * scale
        grid[:, :, 2] = uniform(-1, 1, size, 2) * reach * 0.8
        shape = [size, 3, crops.NUMERAL_PX, crops.NUMERAL_PX]
        some = F.grid_sample(
            self.patches[index].float() / 255,
            F.affine_grid(grid, shape, align_corners=False),
            padding_mode="border",
            align_corners=False,
        )
        return _retaken(some), labels


def _retaken(some: torch.Tensor) -> torch.Tensor:
    """Return crops with another white balance, gamma, now and then negative, noisy."""
    b = len(some)
    some = torch.where(often(RUNNING, b, 1, 1, 1) > 0, _colours_run(some), some)
    some = some * uniform(0.85, 1.15, b, 3, 1, 1) * uniform(0.7, 1.25, b, 1, 1, 1)
    some = some.clamp(0, 1) ** uniform(0.75, 1.35, b, 1, 1, 1)
    negative = often(0.15, b, 1, 1, 1)
    some = some + negative * (1 - 2 * some)
    size = some.shape[-1]
    patches = torch.sigmoid(14 * (cloud(b, size, 5) - uniform(0.7, 1.6, b, 1)))
    patches = patches * often(0.12, b, 1) * uniform(0.2, 1.0, b, 1)
    some = some + patches.reshape(b, 1, size, size)
    some = some + torch.randn_like(some) * uniform(0, 0.03, b, 1, 1, 1)
    return some.clamp(0, 1)[:, torch.randperm(3)]


def _colours_run(some: torch.Tensor) -> torch.Tensor:
    """Return crops whose colours are blurred and whose light is not.

    So cameras store them: colour at half the size, and smoothed against noise.

    Args:
        some: ``(n, 3, h, w)`` BGR, 0..1.
    """
    light = (some * LIGHT).sum(1, keepdim=True)
    side = 2 * int(torch.randint(1, 4, (1,))) + 1
    wide = F.pad(some - light, [side // 2] * 4, mode="replicate")
    return light + F.avg_pool2d(wide, side, 1)


def _patch(seen: Photograph) -> np.ndarray:
    """Return the wide upright patch of one photograph."""
    wide = crops.NUMERAL_HALF_WIDTH[seen.pose.shape] * PATCH_WIDER
    return crops.crop(seen.image, seen.pose, wide, seen.upright_rad, PATCH_PX)


def _label(die: CastDie, face: int) -> int:
    """Return the class of a face."""
    key = die.keys[face]
    if key == EMBLEM:
        return REJECT
    if die.kind == "pips":
        return FIRST_PIP + int(key) - 1
    if key in ("6", "9") and not die.marked:
        return SIX_OR_NINE
    return NUMERALS.index(key)


def _half_turn_same(mask: np.ndarray) -> bool:
    """True where a mark looks the same upside down."""
    ink = mask > 127
    turned = ink[::-1, ::-1]
    return bool((ink & turned).sum() > 0.8 * max(1, (ink | turned).sum()))


def cached_replay(
    path: pathlib.Path,
    count: int,
    seed: int,
    *,
    fonts: bool = True,
    pips: bool = False,
) -> Replay:
    """Return the patches kept at `path`, drawing them first where there are none."""
    if path.exists():
        return Replay.load(path)
    cv2.setNumThreads(1)
    files = marks.training_fonts()[0] if fonts and not pips else []
    replay = Replay(count, random.Random(seed + 77 + pips), files, pips=pips)
    replay.save(path)
    return replay
