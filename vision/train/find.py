"""Trains the finder and the pose network from nothing: ``python -m vision.train.find``.

1. Draw a bank of dice, then scenes (kept under ``training/find``; remade when
   missing), and train the finder on them.
2. Draw crops round dice and round what the finder takes for dice; train the pose
   network on them. One thread, with checkpoints; an interrupted run goes on.
3. Write ``vision/models/find.onnx`` and ``pose.onnx`` and compare cv2.dnn with torch.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import TypeAlias, TypeVar

import cv2
import numpy as np
import torch
from torch import nn

from vision.patches import ANGLES, RINGS, plain_input, pose_input
from vision.spots import MODELS, Spotter
from vision.synth.bank import load_bank, make_bank
from vision.train.find_augment import recolour, unroll
from vision.train.find_data import (
    Crops,
    Scenes,
    composed_scenes,
    finder_scenes,
    finder_targets,
    pose_crops,
    spotted_crops,
    tray_scenes,
)
from vision.train.find_nets import (
    Average,
    FinderNet,
    FoldedPose,
    PoseNet,
    export,
    finder_loss,
    pose_loss,
    rate,
)
from vision.train.restart import start_found

WORK = Path("training/find")

SEED = 20_301
"""Of everything; what it drew and learned carries it in the file's name."""

FINDER_STAGES = ((12_000, 3_500, 3e-3), (6_000, 1_200, 1.5e-3))
"""Scenes drawn, steps, highest learning rate: 10 minutes on one core of 2026."""

POSE_STAGES = ((80_000, 2_400, 3e-3), (40_000, 2_000, 2e-3), (40_000, 14_000, 1.5e-3))
"""The same in crops: the first anywhere, the others where the finder marks dice. 45
minutes on one core of 2026 that computes in bfloat16."""

TRAY_CROPS = 12_000
"""Of the last stage: dice in the demonstration's tray."""

TRAY_SHARE = 0.2
"""Of a batch then; the other sorts of crops have equal parts of the rest."""

SLANTING_RAD = 0.65
"""Reach of the tilt of a camera held in a hand; at more, a cube's front is as good an
up face as its top."""

SAMPLE = 300
"""Crops by which a shipped network is made ready for more training."""

BATCH = 96
"""Crops in a step of the pose network."""

COARSE_SHARE = 0.7
"""Of the steps taken in bfloat16, half as dear on processors that have it."""


Data = TypeVar("Data", Scenes, Crops)
Batch: TypeAlias = Callable[[bool], torch.Tensor]
"""Returns the loss of a fresh batch, computed coarsely or not."""


def main() -> None:
    """Train what the command line asks for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--only", choices=("finder", "pose"))
    asked.add_argument(
        "--quick", action="store_true", help="a tenth of everything, not shipped"
    )
    asked.add_argument("--fresh", action="store_true", help="forget checkpoints")
    asked.add_argument(
        "--refine",
        action="store_true",
        help="the last stage alone, from *-last.pt or else the shipped networks",
    )
    given = asked.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    WORK.mkdir(parents=True, exist_ok=True)
    share = 10 if given.quick else 1
    if given.only != "pose":
        train_finder(share, given.fresh, given.refine)
    if given.only != "finder":
        train_pose(share, given.fresh, given.refine)


def home(share: int) -> Path:
    """Return where to write: a quick run must not replace what is shipped."""
    return MODELS if share == 1 else WORK


def bank(count: int, part: int = 0) -> Path:
    """Return the path of the bank of drawn dice, drawing it when it is missing."""
    path = WORK / f"bank-{SEED + part}-{count}.npz"
    if not path.exists():
        print(f"drawing {count} dice", flush=True)
        make_bank(Random(SEED + part), count, slanting=SLANTING_RAD).save(path)
    return path


def cached(name: str, make: Callable[[], Data], kind: type[Data]) -> Data:
    """Return training data from the cache, making it when it is missing."""
    path = WORK / f"{name}-{SEED}.npz"
    if not path.exists():
        start = time.time()
        print(f"drawing {name}", flush=True)
        data = make()
        np.savez(path, **{field: getattr(data, field) for field in kind.__slots__})
        print(f"  {time.time() - start:.0f} s", flush=True)
    with np.load(path) as file:
        return kind(**{field: file[field] for field in kind.__slots__})


def train_finder(share: int, fresh: bool, refine: bool) -> None:
    """Train the finder, and again with more scenes at a lower rate."""
    dice = bank(4_000 if refine else 6_000 // share)
    torch.manual_seed(SEED)
    net = FinderNet()
    data: list[Scenes] = []
    for stage, (count, steps, top) in enumerate(FINDER_STAGES):
        if refine and stage < len(FINDER_STAGES) - 1:
            continue
        data.append(drawn_scenes(stage, count // share, dice))
        batch = finder_batch(net, data)
        if refine:
            images = data[0].images[:SAMPLE]
            _start(net, "finder", "find", torch.from_numpy(plain_input(images)))
        name = f"finder{stage}"
        net.load_state_dict(_train(name, net, batch, steps // share, top, fresh))
    torch.save(net.state_dict(), WORK / "finder-last.pt")
    write(net, torch.zeros(1, 12, 96, 96), home(share) / "find.onnx", any_size=True)


def drawn_scenes(stage: int, count: int, dice: Path) -> Scenes:
    """Return scenes for a stage of the finder's training."""
    seed = SEED + stage
    name = f"scenes{stage}-{count}"
    return cached(name, lambda: finder_scenes(seed, load_bank(dice), count), Scenes)


def finder_batch(net: nn.Module, data: Sequence[Scenes]) -> Batch:
    """Return what gives the loss of a batch drawn evenly from the data."""
    chance = np.random.default_rng(SEED)
    each = 20 // len(data)

    def batch(coarse: bool) -> torch.Tensor:
        chosen = [chance.integers(0, len(d.images), each) for d in data]
        pairs = list(zip(data, chosen, strict=True))
        images = np.concatenate([d.images[k] for d, k in pairs])
        rows = np.concatenate([d.dice[k] for d, k in pairs])
        if chance.random() < 0.5:
            images = images[:, :, ::-1]
            there = rows[:, :, 2] > 0
            rows[:, :, 0] = np.where(there, images.shape[1] - rows[:, :, 0], 0)
        if chance.random() < 0.5:
            images = images.transpose(0, 2, 1, 3)
            rows[:, :, :2] = rows[:, :, 1::-1]
        goal, weight = finder_targets(rows)
        shown = torch.from_numpy(plain_input(recolour(images, chance)))
        answer = ask(net, shown, coarse)
        return finder_loss(answer, torch.from_numpy(goal), torch.from_numpy(weight))

    return batch


def train_pose(share: int, fresh: bool, refine: bool) -> None:
    """Train the pose network: on any crops, then on what the finder marks as well."""
    dice = bank(4_000 if refine else 6_000 // share)
    more = dice if refine else bank(6_000 // share, 1)
    torch.manual_seed(SEED)
    net = PoseNet()
    data: list[Crops] = []
    for stage, (count, steps, top) in enumerate(POSE_STAGES):
        part = count // share
        if refine and stage < len(POSE_STAGES) - 1:
            continue
        if refine:
            data.append(anywhere(stage, part // 2, dice))
        if stage == 0:
            data.append(anywhere(stage, part, dice))
        else:
            data.append(spotted(stage, part, more))
        shares = [1.0 / len(data)] * len(data)
        if stage == len(POSE_STAGES) - 1:
            shares = [(1 - TRAY_SHARE) * one for one in shares] + [TRAY_SHARE]
            data.append(in_tray(TRAY_CROPS // share))
        batch = pose_batch(net, data, shares)
        if refine:
            chance = np.random.default_rng(SEED)
            _start(net, "pose", "pose", pose_shown(data, shares, SAMPLE, chance)[0])
        name = f"pose{stage}"
        net.load_state_dict(_train(name, net, batch, steps // share, top, fresh))
    torch.save(net.state_dict(), WORK / "pose-last.pt")
    sample = torch.zeros(1, 24, RINGS // 2, ANGLES // 2)
    write(FoldedPose(net), sample, home(share) / "pose.onnx", any_size=False)


def anywhere(stage: int, count: int, dice: Path) -> Crops:
    """Return crops round dice and round what is none."""
    seed, name = SEED + stage, f"crops{stage}-{count}"
    return cached(name, lambda: pose_crops(seed, load_bank(dice), count), Crops)


def spotted(stage: int, count: int, dice: Path) -> Crops:
    """Return crops where the finder, trained by now, marks dice of a bank."""

    def make() -> Crops:
        rng = Random(SEED + stage)
        return spotted_crops(
            rng, composed_scenes(rng, load_bank(dice)), Spotter(), count
        )

    return cached(f"spotted{stage}-{count}", make, Crops)


def in_tray(count: int) -> Crops:
    """Return crops where the finder marks dice in the demonstration's tray."""

    def make() -> Crops:
        rng = Random(SEED)
        return spotted_crops(rng, tray_scenes(rng), Spotter(), count)

    return cached(f"tray-{count}", make, Crops)


def pose_shown(
    data: Sequence[Crops],
    shares: Sequence[float],
    count: int,
    chance: np.random.Generator,
) -> tuple[torch.Tensor, Crops]:
    """Return the pose network's input for a batch of these shares, and its crops."""
    counts = [round(count * share) for share in shares]
    parts = [
        d.some(chance.integers(0, len(d.shapes), n))
        for d, n in zip(data, counts, strict=True)
    ]
    part = unroll(parts, chance)
    whole = len(part.shapes)
    known = (chance.random(whole) < 0.5).astype(np.float32)[:, None]
    guess = part.views * (1 + chance.normal(0, 0.15, (whole, 1)))
    guess = guess + chance.normal(0, 0.02, guess.shape)
    views = np.concatenate([guess * known, known], axis=1)
    shown = pose_input(recolour(part.images, chance), views)
    return torch.from_numpy(shown), part


def pose_batch(net: nn.Module, data: Sequence[Crops], shares: Sequence[float]) -> Batch:
    """Return what gives the loss of a batch of these shares of the data."""
    chance = np.random.default_rng(SEED)

    def batch(coarse: bool) -> torch.Tensor:
        shown, part = pose_shown(data, shares, BATCH, chance)
        answer = ask(net, shown, coarse)
        truth = (part.shapes, part.places, part.turns, part.flats)
        loss, _ = pose_loss(answer, *(torch.from_numpy(np.array(t)) for t in truth))
        return loss

    return batch


def ask(net: nn.Module, shown: torch.Tensor, coarse: bool) -> torch.Tensor:
    """Return the network's answer, float32, computed coarsely or not."""
    packed = shown.contiguous(memory_format=torch.channels_last)
    with torch.autocast("cpu", torch.bfloat16, enabled=coarse):
        answer: torch.Tensor = net(packed)
    return answer.float()


def _start(net: nn.Module, kept: str, shipped: str, sample: torch.Tensor) -> None:
    """Load what an earlier training left, or else the shipped network."""
    path = WORK / f"{kept}-last.pt"
    if path.exists():
        net.load_state_dict(torch.load(path))
    else:
        start_found(net, MODELS / f"{shipped}.onnx", sample)


def _train(
    name: str, net: nn.Module, batch: Batch, steps: int, top: float, fresh: bool
) -> dict[str, torch.Tensor]:
    """Train with AdamW and a cosine; return the averaged weights."""
    net.to(memory_format=torch.channels_last)
    net.train()
    optimiser = torch.optim.AdamW(net.parameters(), lr=top, weight_decay=0.01)
    average = Average(net)
    kept = WORK / f"{name}-{steps}-{SEED}.pt"
    first = 0
    if kept.exists() and not fresh:
        state = torch.load(kept)
        net.load_state_dict(state["net"])
        optimiser.load_state_dict(state["optimiser"])
        average.state, average.steps = state["average"], state["step"]
        first = state["step"]
    start, recent = time.process_time(), []
    for step in range(first, steps):
        for group in optimiser.param_groups:
            group["lr"] = rate(step, steps, top)
        loss = batch(step < COARSE_SHARE * steps)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        average.update(net)
        recent.append(float(loss.detach()))
        done = step + 1
        if done % 100 == 0:
            spent = time.process_time() - start
            print(
                f"{name} {done}/{steps} loss {np.mean(recent):.4f} {spent:.0f} CPU-s",
                flush=True,
            )
            recent = []
        if done % 500 == 0 or done == steps:
            state = {
                "net": net.state_dict(),
                "optimiser": optimiser.state_dict(),
                "average": average.state,
                "step": done,
            }
            torch.save(state, kept)
    return average.state


def write(net: nn.Module, sample: torch.Tensor, path: Path, *, any_size: bool) -> None:
    """Export a network and compare what cv2.dnn and torch make of noise."""
    net = net.to(memory_format=torch.contiguous_format)
    net.eval()
    path.parent.mkdir(exist_ok=True)
    export(net, sample, path, any_size=any_size)
    noise = torch.randn(sample.shape, generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        wanted = net(noise).numpy()
    read = cv2.dnn.readNetFromONNX(str(path))
    read.setInput(noise.numpy())
    gap = float(np.abs(read.forward() - wanted).max())
    size = path.stat().st_size / 1024
    count = sum(p.numel() for p in net.parameters())
    print(f"{path.name}: {size:.0f} KiB, {count} weights, cv2.dnn off by {gap:.1e}")


if __name__ == "__main__":
    main()
