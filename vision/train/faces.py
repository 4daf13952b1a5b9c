"""Trains the numeral network from nothing: ``python -m vision.train.faces``.

Everything is drawn here: stroke fonts of our own, font files where Debian's font
packages are installed (`vision/synth/marks.py` lists them), poses, looks, light.
With the default steps it takes about 40 minutes of one x86 core. How the shipped
network came about: ``vision/models/CARD.md``.
"""

from __future__ import annotations

import argparse
import random
import time

import cv2
import torch
import torch.nn.functional as F

from vision.crops import GRAIN, MIN_SPREAD, RIM
from vision.train.faces_bank import NUMERALS, REJECT, build_bank
from vision.train.faces_calibrate import QUICK_MODELS
from vision.train.faces_dice import NumeralCrops
from vision.train.faces_export import write_onnx
from vision.train.faces_net import (
    CHECKPOINTS,
    CLASSES,
    MODELS,
    Training,
    numeral_net,
)
from vision.train.faces_replay import Replay, cached_replay

BATCH = 56
CAST_BATCH = 96
"""Crops of a step from pose maps, and from ray-cast dice."""
PIP_BATCH = 48
"""Crops of a step from small ray-cast cubes of pips."""

REPLAYED = 16_000
QUICK_REPLAYED = 1500
"""Ray-cast dice, and as many cubes of pips. A network trained on 9,000 of each read
1,397 of 1,750 drawn dice right with 5 wrong; after two more stages, with 44,000 dice
and 14,000 cubes, 1,462."""

CAST_SEED = 3
"""Ray-cast dice are drawn once and serve every stage of a training."""

STEPS = 9000
QUICK_STEPS = 500
RATE = 3e-3
REFINING_RATE = 2e-3
REPORT_EVERY = 250
RING = 160
"""Batches kept, lit but not yet photographed, to be taken again with other noise."""

COARSE_SHARE = 0.7
"""Of the steps taken in bfloat16, a third cheaper on processors that have it."""

SAMPLE = 400
"""Crops by which a shipped network is made ready for more training."""

TEEN_WEIGHT = 1.25
SMOOTHING = 0.02

UNREADABLE = 0.1
CAST_UNREADABLE = 0.02
"""Shares of the marks in a batch that are not learned from: of those from pose maps, of
which nobody checked whether they could be read, and of ray-cast ones, which could
before they were taken again. After 6,000 steps with 0.02 the network reads 1,495 of
1,750 drawn dice right with 5 wrong; it was 1,462 with a tenth of both left out."""


def main(argv: list[str] | None = None) -> None:
    """Train, print the progress, write ``vision/models/numerals.onnx``."""
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
    source = NumeralCrops(build_bank(options.seed, fonts=fonts), rng, 1600)
    held = build_bank(options.seed, held_out=True, styles=40, pictures=100, fonts=fonts)
    check = NumeralCrops(held, random.Random(options.seed + 1), 150).batch(1500)
    count = QUICK_REPLAYED if options.quick else REPLAYED
    kept = CHECKPOINTS / f"faces_cast{CAST_SEED}_{count}.pt"
    replay = cached_replay(kept, count, CAST_SEED, fonts=fonts)
    kept = CHECKPOINTS / f"faces_pips{CAST_SEED}_{count}.pt"
    cubes = cached_replay(kept, count, CAST_SEED, pips=True)
    rate = REFINING_RATE if options.refine else RATE
    name = "faces-quick" if options.quick else "faces"
    training = Training(numeral_net(), name, rate, 2e-2, 0.998)
    known = (options.resume or options.refine) and training.resume(
        weights_only=options.refine
    )
    if options.refine and not known:
        shipped = MODELS / "numerals.onnx"
        training.start_from(shipped, network_input(source.batch(SAMPLE)[0]))
    train(training, source, (replay, cubes), check, steps, rng)
    path = (QUICK_MODELS if options.quick else MODELS) / "numerals.onnx"
    write_onnx(training.slow, (24, 24, 24), path)
    print(f"wrote {path}")


def network_input(crops: torch.Tensor) -> torch.Tensor:
    """Return crops as `vision.crops.numeral_input` gives them to the network."""
    count, size = len(crops), crops.shape[-1]
    mean = crops.mean((1, 2, 3), keepdim=True)
    spread = crops.std((1, 2, 3), keepdim=True, correction=0) + MIN_SPREAD
    rim = size // RIM
    colours = crops[:, :, rim:-rim, rim:-rim].reshape(count, 3, -1)
    centre = colours.mean(2, keepdim=True)
    off = colours - centre
    power = off @ off.transpose(1, 2) / off.shape[2] + torch.eye(3) * GRAIN**2
    powers, ways = torch.linalg.eigh(power)
    stretch = (ways * powers.rsqrt().unsqueeze(1)) @ ways.transpose(1, 2)
    white = (stretch @ (crops.reshape(count, 3, -1) - centre)).reshape(crops.shape)
    both = F.pixel_unshuffle(torch.cat([(crops - mean) / spread, white], 1), 2)
    return both.contiguous(memory_format=torch.channels_last)


def train(
    training: Training,
    source: NumeralCrops,
    replays: tuple[Replay, Replay],
    check: tuple[torch.Tensor, torch.Tensor],
    steps: int,
    rng: random.Random,
) -> None:
    """Run the steps that are left, saving a checkpoint at each report."""
    weights = torch.ones(CLASSES)
    weights[NUMERALS.index("10") : NUMERALS.index("20")] = TEEN_WEIGHT
    ring: list[tuple[torch.Tensor, torch.Tensor]] = []
    started, average = time.process_time(), 0.0
    while training.step < steps:
        if len(ring) < 20 or training.step % 2 == 0:
            ring.append(source.lit(BATCH))
            if len(ring) > RING:
                ring.pop(0)
            lit, labels = ring[-1]
        else:
            lit, labels = rng.choice(ring)
        training.net.train()
        cast, cast_labels = replays[0].batch(CAST_BATCH)
        cubes, cube_labels = replays[1].batch(PIP_BATCH)
        crops = network_input(torch.cat([source.photographed(lit), cast, cubes]))
        labels = torch.cat([labels, cast_labels, cube_labels])
        coarse = training.step < COARSE_SHARE * steps
        with torch.autocast("cpu", torch.bfloat16, enabled=coarse):
            answer = training.net(crops).float()
        each = F.cross_entropy(
            answer,
            labels,
            weight=weights,
            label_smoothing=SMOOTHING,
            reduction="none",
        )
        loss = each[_learnable(each.detach(), labels, len(lit))].mean()
        training.learn(loss, steps)
        average = loss.item() if not average else 0.98 * average + 0.02 * loss.item()
        if training.step % REPORT_EVERY == 0 or training.step == steps:
            training.save()
            spent = time.process_time() - started
            print(
                f"step {training.step}/{steps} cpu {spent:.0f} s loss {average:.3f} "
                f"held out: {_score(training, check)}",
                flush=True,
            )


def _learnable(each: torch.Tensor, labels: torch.Tensor, maps: int) -> torch.Tensor:
    """Return which crops to learn from: all but the marks that read worst.

    Among those are the ones that nobody could read; learning them makes a network
    doubt the others as well. What is to be refused is always learned.

    Args:
        each: ``(n,)`` the loss of each crop.
        labels: ``(n,)`` their classes.
        maps: So many of the first come from pose maps, the others from cast dice.
    """
    kept = labels == REJECT
    for part, share in (
        (slice(None, maps), UNREADABLE),
        (slice(maps, None), CAST_UNREADABLE),
    ):
        marks = labels[part] != REJECT
        worst = torch.quantile(each[part][marks], 1 - share)
        kept[part] |= each[part] <= worst
    return kept


@torch.no_grad()
def _score(training: Training, check: tuple[torch.Tensor, torch.Tensor]) -> str:
    """Count upright marks read right, and wrong turns refused."""
    crops, labels = check
    best = torch.cat(
        [training.slow(network_input(part)).argmax(1) for part in crops.split(256)]
    )
    upright = labels != REJECT
    right = ((best == labels) & upright).sum()
    wrong = ((best != labels) & (best != REJECT) & upright).sum()
    refused = ((best == REJECT) & ~upright).sum()
    return (
        f"{right}/{upright.sum()} right, {wrong} wrong, "
        f"{refused}/{(~upright).sum()} refused"
    )


if __name__ == "__main__":
    main()
