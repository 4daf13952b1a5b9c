"""Trains the networks that tell cubes from flat things.

``python -m vision.train.tiles``, after the finder:

1. Draw a bank of cubes, compose and photograph scenes of them, and scenes of printed
   things (`vision.synth.printed`) and of any clutter without a die.
2. Cut a crop wherever the finder takes something in them for a d6.
3. Train two networks on the crops, write their mean as ``vision/models/tiles.onnx``;
   seeded, with checkpoints under ``training/tiles``. Twenty minutes on one core.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from vision.find import Finder
from vision.frame import Pose
from vision.patches import plain_input
from vision.synth.bank import Bank, make_bank
from vision.synth.clutter import scatter
from vision.synth.ground import random_ground
from vision.synth.printed import printed
from vision.synth.scene import Layout, Scene, compose, photograph
from vision.synth.solids import SHAPES
from vision.tiles import CROP_PX, MODELS, tile_crop
from vision.train.find import COARSE_SHARE, ask, write
from vision.train.find_augment import recolour
from vision.train.find_data import magnified, tray_scenes
from vision.train.find_nets import Average, block, rate

WORK = Path("training/tiles")

SEED = 31_007

DICE = 12_000
"""Drawn for the bank; about a fifth are cubes that lie flat."""

CROPS = 9_000
"""Of cubes, and as many of what is none."""

NETWORKS = 2
STEPS = 5_000
"""Of each network."""
BATCH = 96
TOP = 3e-3
"""Highest learning rate."""

TRAY = 0.15
"""Share of the scenes with cubes that are the demonstration's tray."""

NEAR = 0.35
"""A find this near to a drawn cube's up face, in radii, is that cube."""

LOOKS = 2
"""Crops of each find, the second from a pose a little off."""


class TilesNet(nn.Module):
    """How likely a crop shows something flat: ``(n, 1)`` log odds."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            block(12, 16),
            block(16, 24),
            block(24, 32, 3, 2),
            block(32, 32),
            block(32, 40, 3, 2),
            block(40, 40),
        )
        self.mean = nn.AvgPool2d(CROP_PX // 8)
        self.most = nn.MaxPool2d(CROP_PX // 8)
        self.join = nn.Linear(80, 32)
        self.head = nn.Linear(32, 1)

    def forward(self, crop: torch.Tensor) -> torch.Tensor:
        """Return the log odds of a batch."""
        x = self.body(crop)
        whole = torch.cat([self.mean(x), self.most(x)], dim=1).flatten(1)
        answer: torch.Tensor = self.head(functional.relu(self.join(whole)))
        return answer


class Mean(nn.Module):
    """The mean of what some networks answer."""

    def __init__(self, nets: list[nn.Module]) -> None:
        super().__init__()
        self.nets = nn.ModuleList(nets)

    def forward(self, crop: torch.Tensor) -> torch.Tensor:
        """Return the log odds of a batch."""
        answer = self.nets[0](crop)
        for net in self.nets[1:]:
            answer = answer + net(crop)
        return answer / len(self.nets)


def cubes(rng: Random, count: int) -> Bank:
    """Draw that many dice and keep the cubes that lie flat."""
    bank = make_bank(rng, count)
    kept = (bank.shapes == SHAPES.index("d6")) & (bank.flats > 0.5)
    return Bank(**{name: getattr(bank, name)[kept] for name in Bank.__slots__})


def cube_scenes(rng: Random, bank: Bank) -> Iterator[Scene]:
    """Yield photographs of cubes, without end."""
    tray = tray_scenes(rng)
    while True:
        if rng.random() < TRAY:
            yield next(tray)
            continue
        radius = _radius(rng)
        side = round(radius * rng.uniform(7, 11))
        layout = Layout((side, side), radius, rng.choice((2, 6)), 3, mirrored=False)
        yield _taken(rng, compose(rng, bank, layout))


def flat_scenes(rng: Random) -> Iterator[Scene]:
    """Yield photographs of printed things and clutter without a die, without end."""
    while True:
        radius = _radius(rng)
        side = round(radius * rng.uniform(7, 11))
        picture = random_ground(rng, (side, side)).astype(np.float32)
        bare = rng.random() < 0.15
        scatter(rng, picture, radius, rng.randint(4, 9) if bare else rng.randint(0, 2))
        for _ in range(0 if bare else rng.randint(1, 5)):
            printed(rng, picture, radius)
        image = (np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8)
        yield _taken(rng, Scene(image, ()))


def _radius(rng: Random) -> float:
    return math.exp(rng.uniform(math.log(12), math.log(40)))


def _taken(rng: Random, scene: Scene) -> Scene:
    """Return the scene photographed, sometimes so near that it is coarse."""
    seen = photograph(rng, scene, rough=rng.choice((0.3, 1.0)))
    return magnified(seen, rng.uniform(1.3, 2.5)) if rng.random() < 0.25 else seen


def found_crops(
    rng: Random, scenes: Iterator[Scene], finder: Finder, count: int
) -> np.ndarray:
    """Return crops of what the finder takes for a d6: ``(count, px, px, 3)``.

    In a scene with dice only those finds count that are a cube, seen whole.
    """
    images = np.zeros((count, CROP_PX, CROP_PX, 3), np.uint8)
    done = 0
    for scene in scenes:
        for pose in finder.find(scene.image):
            if pose.shape != "d6" or (scene.dice and not _is_cube(pose, scene)):
                continue
            for look in range(LOOKS):
                if done == count:
                    return images
                near = _nudged(rng, pose) if look else pose
                images[done] = tile_crop(scene.image, near)
                done += 1
    return images


def _is_cube(pose: Pose, scene: Scene) -> bool:
    """True where a find is a cube that lies flat and is seen whole."""
    for die in scene.dice:
        away = math.dist(pose.top_xy_px, die.pose.top_xy_px) / die.pose.radius_px
        if away < NEAR:
            whole = die.visible > 0.85 and die.pose.flat > 0.5
            return whole and die.pose.shape == "d6"
    return False


def _nudged(rng: Random, pose: Pose) -> Pose:
    """Return the pose a little off, as another finder would give it."""
    x, y = pose.top_xy_px
    step = 0.05 * pose.radius_px
    return replace(
        pose,
        top_xy_px=(x + rng.gauss(0, step), y + rng.gauss(0, step)),
        radius_px=pose.radius_px * math.exp(rng.gauss(0, 0.05)),
        turn_rad=pose.turn_rad + rng.gauss(0, 0.06),
    )


def drawn(count: int, dice: int) -> tuple[np.ndarray, np.ndarray]:
    """Return crops of cubes and of flat things, from the cache when they are there."""
    path = WORK / f"crops-{count}-{SEED}.npz"
    if not path.exists():
        finder = Finder()
        rng = Random(SEED)
        start = time.time()
        flat = found_crops(rng, flat_scenes(rng), finder, count)
        print(f"{count} crops of flat things: {time.time() - start:.0f} s", flush=True)
        bank = cubes(rng, dice)
        print(f"{len(bank.shapes)} cubes: {time.time() - start:.0f} s", flush=True)
        solid = found_crops(rng, cube_scenes(rng, bank), finder, count)
        print(f"{count} crops of cubes: {time.time() - start:.0f} s", flush=True)
        np.savez(path, solid=solid, flat=flat)
    with np.load(path) as file:
        return file["solid"], file["flat"]


def batches(
    solid: np.ndarray, flat: np.ndarray, seed: int
) -> Callable[[], torch.Tensor]:
    """Return what gives a fresh batch, the first half cubes: turned and recoloured."""
    chance = np.random.default_rng(seed)
    half = BATCH // 2

    def batch() -> torch.Tensor:
        chosen = [d[chance.integers(0, len(d), half)] for d in (solid, flat)]
        images = np.concatenate(chosen)
        images = np.rot90(images, chance.integers(0, 4), (1, 2))
        if chance.random() < 0.5:
            images = images[:, :, ::-1]
        return torch.from_numpy(plain_input(recolour(images, chance)))

    return batch


def train(
    net: nn.Module, batch: Callable[[], torch.Tensor], steps: int, seed: int
) -> None:
    """Train with AdamW and a cosine; leave the averaged weights in the network."""
    optimiser = torch.optim.AdamW(net.parameters(), lr=TOP, weight_decay=0.02)
    average, kept = Average(net), WORK / f"net-{steps}-{seed}.pt"
    truth = torch.cat([torch.zeros(BATCH // 2, 1), torch.ones(BATCH // 2, 1)])
    truth = truth * 0.98 + 0.01
    first, recent, start = 0, [], time.process_time()
    if kept.exists():
        state = torch.load(kept)
        net.load_state_dict(state["net"])
        optimiser.load_state_dict(state["optimiser"])
        average.state, average.steps = state["average"], state["step"]
        first = state["step"]
    net.to(memory_format=torch.channels_last)
    net.train()
    for step in range(first, steps):
        for group in optimiser.param_groups:
            group["lr"] = rate(step, steps, TOP)
        answer = ask(net, batch(), step < COARSE_SHARE * steps)
        loss = functional.binary_cross_entropy_with_logits(answer, truth)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        average.update(net)
        recent.append(float(loss.detach()))
        done = step + 1
        if done % 250 == 0 or done == steps:
            spent = time.process_time() - start
            print(f"tiles {done}/{steps} loss {np.mean(recent):.4f} {spent:.0f} CPU-s",
                  flush=True)  # fmt: skip
            recent = []
            torch.save(
                {
                    "net": net.state_dict(),
                    "optimiser": optimiser.state_dict(),
                    "average": average.state,
                    "step": done,
                },
                kept,
            )
    net.load_state_dict(average.state)


def main() -> None:
    """Draw, train, write."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--quick", action="store_true", help="a tenth, not shipped")
    given = asked.parse_args()
    share = 10 if given.quick else 1
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    WORK.mkdir(parents=True, exist_ok=True)
    solid, flat = drawn(CROPS // share, DICE // share)
    nets: list[nn.Module] = []
    for seed in range(SEED, SEED + NETWORKS):
        torch.manual_seed(seed)
        nets.append(TilesNet())
        train(nets[-1], batches(solid, flat, seed), STEPS // share, seed)
    home = WORK if given.quick else MODELS
    sample = torch.zeros(1, 12, CROP_PX // 2, CROP_PX // 2)
    write(Mean(nets), sample, home / "tiles.onnx", any_size=False)


if __name__ == "__main__":
    main()
