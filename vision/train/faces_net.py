"""The two face networks as torch layers, and what their trainings have in common."""

from __future__ import annotations

import copy
import math
import pathlib

import torch
from torch import nn

from vision.train.faces_bank import REJECT
from vision.train.restart import start_stack

CLASSES = REJECT + 1
CHECKPOINTS = pathlib.Path("training")
"""Ignored by git; a stopped training goes on from here."""

MODELS = pathlib.Path(__file__).parent.parent / "models"

WARM_UP = 0.02
"""Part of a training in which the learning rate rises."""


def _block(inner: int, outer: int, side: int = 3, stride: int = 1) -> list[nn.Module]:
    conv = nn.Conv2d(inner, outer, side, stride, side // 2, bias=False)
    return [conv, nn.BatchNorm2d(outer), nn.ReLU(inplace=True)]


def numeral_net() -> nn.Sequential:
    """Return the network from `crops.numeral_input` to `CLASSES` scores.

    About 15 million multiply-adds; the last layers keep the layout of a 3 x 3 grid.
    """
    return nn.Sequential(
        *_block(24, 24),
        *_block(24, 24),
        nn.MaxPool2d(2),
        *_block(24, 48),
        *_block(48, 48),
        nn.MaxPool2d(2),
        *_block(48, 96),
        *_block(96, 96),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(96 * 9, 128),
        nn.ReLU(inplace=True),
        nn.Dropout(0.2),
        nn.Linear(128, CLASSES),
    )


def side_net() -> nn.Sequential:
    """Return the network from `crops.standardised_side` to 64 numbers.

    No pooling: where on the die something is seen is what tells faces apart.
    """
    return nn.Sequential(
        *_block(12, 24),
        *_block(24, 48, 3, 2),
        *_block(48, 48),
        *_block(48, 64, 3, 2),
        *_block(64, 32),
        nn.Flatten(),
        nn.Linear(32 * 64, 64),
    )


def learning_rate(step: int, steps: int, highest: float) -> float:
    """Return a cosine that rises quickly and falls slowly."""
    part = step / steps
    rise = min(1.0, part / WARM_UP + 0.02)
    return highest * rise * (0.5 + 0.5 * math.cos(math.pi * part)) + 1e-5


class Training:
    """A network, its optimiser, and the slow average of its weights that is shipped.

    Args:
        net: The network.
        name: Of the checkpoint.
        highest_rate: Of learning.
        decay: Of weights.
        average: Share of the slow average that each step keeps.
    """

    def __init__(
        self,
        net: nn.Sequential,
        name: str,
        highest_rate: float,
        decay: float,
        average: float,
    ) -> None:
        self.net = net.to(memory_format=torch.channels_last)
        self.slow = copy.deepcopy(net).eval()
        self.path = CHECKPOINTS / f"{name}.pt"
        self.step = 0
        self._highest_rate = highest_rate
        self._average = average
        self._optimiser = torch.optim.AdamW(
            net.parameters(), highest_rate, weight_decay=decay
        )

    def learn(self, loss: torch.Tensor, steps: int) -> None:
        """Take one step down the loss."""
        rate = learning_rate(self.step, steps, self._highest_rate)
        for group in self._optimiser.param_groups:
            group["lr"] = rate
        self._optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self._optimiser.step()
        self.step += 1
        keep = min(self._average, (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            fast = self.net.state_dict().values()
            for slow, now in zip(self.slow.state_dict().values(), fast, strict=True):
                if slow.dtype.is_floating_point:
                    slow.lerp_(now, 1 - keep)
                else:
                    slow.copy_(now)

    def save(self) -> None:
        """Write everything that a later run needs to go on."""
        self.path.parent.mkdir(exist_ok=True)
        state = {
            "net": self.net.state_dict(),
            "slow": self.slow.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "step": self.step,
        }
        fresh = self.path.with_suffix(".new")
        torch.save(state, fresh)
        fresh.replace(self.path)

    def start_from(self, path: pathlib.Path, sample: torch.Tensor) -> None:
        """Start a new training from a shipped network; see `vision.train.restart`."""
        start_stack(self.net, path, sample)
        self.slow.load_state_dict(self.net.state_dict())

    def resume(self, *, weights_only: bool = False) -> bool:
        """Go on from the checkpoint if there is one; False where there is none.

        Args:
            weights_only: Start a new training (step 0) from the slow average.
        """
        if not self.path.exists():
            return False
        state = torch.load(self.path, weights_only=True)
        self.slow.load_state_dict(state["slow"])
        self.net.load_state_dict(state["slow" if weights_only else "net"])
        if not weights_only:
            self._optimiser.load_state_dict(state["optimiser"])
            self.step = state["step"]
        return True
