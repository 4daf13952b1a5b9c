"""Trains the side network from nothing: ``python -m vision.train.side``.

It learns to put shots of the same face of a die close together and other faces of the
same die far away, on endless random dice, so that it can tell the faces of a die it
has never seen (supervised contrastive loss within one die). With the default steps it
takes about forty minutes of one x86 core. How the shipped network came about:
``vision/models/CARD.md``.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from dataclasses import replace

import cv2
import torch
import torch.nn.functional as F

from vision import crops
from vision.train.faces_bank import build_bank
from vision.train.faces_calibrate import QUICK_MODELS
from vision.train.faces_export import write_onnx
from vision.train.faces_net import (
    CHECKPOINTS,
    MODELS,
    Training,
    side_net,
)
from vision.train.side_dice import SHARES, Shots, SideCrops
from vision.train.side_replay import SHOTS, SideReplay, cached_replay, together

DICE = 1
CAST_DICE = 2
"""Dice of a step from pose maps, and ray-cast ones."""

REPLAYED_DICE = 800
QUICK_REPLAYED_DICE = 60
CAST_SEED = 3
"""Ray-cast dice are drawn once and serve every stage of a training."""

STEPS = 12_000
QUICK_STEPS = 500
REPORT_EVERY = 250
COARSE_SHARE = 0.7
"""Of the steps taken in bfloat16, cheaper on processors that have it."""

GREY_DICE = (0.15, 0.5)
"""Share of dice with grey shots, and of those the share that has no others."""

SAMPLE_DICE = 12
"""By whose crops a shipped network is made ready for more training."""

TEMPERATURE = 0.08
STRANGER_EASE = 1.5
"""Taken off the likeness (over the temperature) to other dice's shots in the loss."""

RATE = 3e-3
REFINING_RATE = 2e-3


def main(argv: list[str] | None = None) -> None:
    """Train, print the progress, write ``vision/models/side.onnx``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the steps")
    parser.add_argument("--steps", type=int, default=None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="go on from training/")
    parser.add_argument(
        "--refine",
        action="store_true",
        help="start again from the weights there, or else from the shipped ones",
    )
    parser.add_argument("--no-fonts", action="store_true", help="our strokes only")
    options = parser.parse_args(argv)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(options.seed)
    rng = random.Random(options.seed)
    steps = options.steps or (QUICK_STEPS if options.quick else STEPS)
    fonts = not options.no_fonts
    source = SideCrops(build_bank(options.seed, fonts=fonts), rng)
    held = build_bank(options.seed, held_out=True, styles=40, pictures=200, fonts=fonts)
    other = SideCrops(held, random.Random(options.seed + 1), 0.12)
    checks = {
        shape: [other.shots(1, 4, shape, top=0.0) for _ in range(6)]
        for shape in SHARES
        if shape != "coin"
    }
    dice = QUICK_REPLAYED_DICE if options.quick else REPLAYED_DICE
    kept = CHECKPOINTS / f"side_cast{CAST_SEED}_{dice}.pt"
    replay = cached_replay(kept, dice, CAST_SEED, fonts=fonts)
    rate = REFINING_RATE if options.refine else RATE
    name = "side-quick" if options.quick else "side"
    training = Training(side_net(), name, rate, 1e-2, 0.997)
    known = (options.resume or options.refine) and training.resume(
        weights_only=options.refine
    )
    if options.refine and not known:
        sample = standardised(source.shots(SAMPLE_DICE, SHOTS).crops)
        training.start_from(MODELS / "side.onnx", sample)
    train(training, source, replay, checks, steps)
    path = (QUICK_MODELS if options.quick else MODELS) / "side.onnx"
    write_onnx(training.slow, (12, 32, 32), path)
    print(f"wrote {path}")


_MASK = torch.from_numpy(crops.side_mask())[None, None]


def standardised(shots: torch.Tensor) -> torch.Tensor:
    """Return crops as `vision.crops.standardised_side` gives them to the network."""
    count = _MASK.sum()
    mean = (shots * _MASK).sum((2, 3), keepdim=True) / count
    centred = (shots - mean) * _MASK
    power = (centred**2).sum((1, 2, 3), keepdim=True) / (3 * count)
    spread = power.sqrt() + 0.02
    level = F.pixel_unshuffle((centred / spread).clamp(-4, 4), 2)
    return level.contiguous(memory_format=torch.channels_last)


def turned(shots: torch.Tensor, angle_rad: torch.Tensor) -> torch.Tensor:
    """Return crops turned by one angle each."""
    sin, cos = torch.sin(angle_rad), torch.cos(angle_rad)
    none = torch.zeros_like(sin)
    rows = [torch.stack([cos, -sin, none], 1), torch.stack([sin, cos, none], 1)]
    grid = F.affine_grid(torch.stack(rows, 1), list(shots.shape), align_corners=False)
    return F.grid_sample(shots, grid, padding_mode="border", align_corners=False)


def greyed(shots: Shots) -> Shots:
    """Return shots of which some are grey, as old galleries and some cameras have."""
    dice = torch.rand(int(shots.die.max()) + 1, 1) < torch.tensor(GREY_DICE)
    grey = dice[shots.die, 0] & (
        dice[shots.die, 1] | (torch.rand(len(shots.die)) < 0.5)
    )
    level = shots.crops.mean(1, keepdim=True).expand_as(shots.crops)
    return replace(
        shots, crops=torch.where(grey[:, None, None, None], level, shots.crops)
    )


def contrast(shots: Shots, training: Training, *, coarse: bool) -> torch.Tensor:
    """Return the loss of one batch, a wrongly turned copy of each face added.

    A shot should be closer to the other shots of its face than to all shots of the
    die's other faces, turned rightly or wrongly; and, weighing less, than to shots of
    other dice, so that a stranger is not taken for a taught die.
    """
    n = len(shots.face)
    copied = torch.arange(0, n, SHOTS) + torch.randint(0, SHOTS, (n // SHOTS,))
    turns = shots.turns[copied]
    steps = 1 + (torch.rand(len(copied)) * (turns - 1)).long()
    # A d10's only wrong turn is upside down.
    angle = torch.where(turns == 1, math.pi, steps * math.tau / turns.clamp(min=1))
    wrong = turned(shots.crops[copied], angle)
    whole = standardised(torch.cat([shots.crops, wrong]))
    with torch.autocast("cpu", torch.bfloat16, enabled=coarse):
        answer = training.net(whole).float()
    found = F.normalize(answer, dim=1)
    alike = found[:n] @ found.t() / TEMPERATURE
    die = torch.cat([shots.die, shots.die[copied]])
    face = torch.cat([shots.face, shots.face[copied]])
    upright = torch.arange(len(die)) < n
    same_die = die[:n, None] == die[None]
    same_face = face[:n, None] == face[None]
    positive = same_die & same_face & upright[None]
    positive[torch.arange(n), torch.arange(n)] = False
    others = (alike - STRANGER_EASE * ~same_die).masked_fill(same_die & same_face, -1e4)
    hardest = torch.logsumexp(others, 1, keepdim=True)
    return (F.softplus(hardest - alike) * positive).sum() / positive.sum()


def train(
    training: Training,
    source: SideCrops,
    replay: SideReplay,
    checks: dict[str, list[Shots]],
    steps: int,
) -> None:
    """Run the steps that are left, saving a checkpoint at each report."""
    started, average = time.process_time(), 0.0
    while training.step < steps:
        training.net.train()
        shots = greyed(together(source.shots(DICE, SHOTS), replay.shots(CAST_DICE)))
        coarse = training.step < COARSE_SHARE * steps
        loss = contrast(shots, training, coarse=coarse)
        training.learn(loss, steps)
        average = loss.item() if not average else 0.98 * average + 0.02 * loss.item()
        if training.step % REPORT_EVERY == 0 or training.step == steps:
            training.save()
            spent = time.process_time() - started
            scores = " ".join(
                f"{shape} {_score(training, shots)}" for shape, shots in checks.items()
            )
            print(
                f"step {training.step}/{steps} cpu {spent:.0f} s loss {average:.3f} "
                f"held out, one crop, 3 shots: {scores}",
                flush=True,
            )


@torch.no_grad()
def _score(training: Training, dice: list[Shots]) -> str:
    """Count fourth shots of a face that lie nearest to one of its first three."""
    right = whole = 0
    for shots in dice:
        found = F.normalize(training.slow(standardised(shots.crops)), dim=1)
        asked = torch.arange(len(found)) % 4 == 3
        alike = found[asked] @ found[~asked].t()
        nearest = shots.face[~asked][alike.argmax(1)]
        right += int((nearest == shots.face[asked]).sum())
        whole += int(asked.sum())
    return f"{right}/{whole}"


if __name__ == "__main__":
    main()
