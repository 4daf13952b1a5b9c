"""The finder and the pose network, their losses, and how they become ONNX files."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import nn
from torch.nn import functional

from vision.find import SHAPES
from vision.patches import CROP_PX


def block(inside: int, outside: int, size: int = 3, stride: int = 1) -> nn.Sequential:
    """Return convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, size // 2, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class FinderNet(nn.Module):
    """Middles of dice at stride 4, with context from stride 8.

    Answers ``(n, 4, h / 4, w / 4)``: heat (logit), ln(radius / 11), offset x, y.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(block(3, 16, 5, 2), block(16, 32, 3, 2))
        self.down = block(32, 40, 3, 2)
        self.context = nn.ModuleList([block(40, 40) for _ in range(3)])
        self.up = nn.Conv2d(40, 32, 1)
        self.join = block(32, 24)
        self.head = nn.Conv2d(24, 4, 1)
        with torch.no_grad():
            self.head.bias.zero_()
            self.head.bias[0] = -3.5

    def forward(self, image: torch.Tensor) -> torch.Tensor:
        """Return the answers for a batch of images."""
        near = self.stem(image)
        far = self.down(near)
        for layer in self.context:
            far = far + layer(far)
        wide = functional.interpolate(self.up(far), scale_factor=2.0, mode="nearest")
        return self.head(self.join(functional.relu(near + wide)))


class PoseNet(nn.Module):
    """How the die in the middle of a crop lies.

    Answers ``(n, 28)``: logits of `SHAPES` and "none" (8), middle x y, top x y, ln
    radius (5), flat (1), cosine and sine of the turn for each of `SHAPES` (14).
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(block(6, 24, 5, 2), block(24, 40, 3, 2))
        self.fine = block(40, 40)
        self.shrink = block(40, 72, 3, 2)
        self.coarse = block(72, 72)
        self.narrow = block(72, 14, 1)
        self.join = nn.Linear(14 * (CROP_PX // 8) ** 2, 72)
        self.head = nn.Linear(72, 28)

    def forward(self, crop: torch.Tensor) -> torch.Tensor:
        """Return the answers for a batch of crops."""
        x = self.body(crop)
        x = x + self.fine(x)
        x = self.shrink(x)
        x = x + self.coarse(x)
        x = self.narrow(x).flatten(1)
        return self.head(functional.relu(self.join(x)))


def finder_loss(
    answer: torch.Tensor, goal: torch.Tensor, weight: torch.Tensor
) -> torch.Tensor:
    """Return the penalty-reduced focal loss of the heat plus the places' error."""
    heat = torch.sigmoid(answer[:, 0]).clamp(1e-4, 1 - 1e-4)
    peak = goal[:, 0] >= 0.999
    sure = -torch.log(heat) * (1 - heat) ** 2
    none = -torch.log(1 - heat) * heat**2 * (1 - goal[:, 0]) ** 4
    focal = torch.where(peak, sure, none) * weight[:, 0]
    count = peak.sum().clamp(min=1)
    off = functional.smooth_l1_loss(
        answer[:, 1:], goal[:, 1:], reduction="none", beta=0.1
    )
    scale = torch.tensor([2.0, 0.7, 0.7]).view(1, 3, 1, 1)
    placed = (off * scale * weight[:, 1:]).sum() / weight[:, 1].sum().clamp(min=1)
    return focal.sum() / count + placed


def pose_loss(
    answer: torch.Tensor,
    shapes: torch.Tensor,
    places: torch.Tensor,
    turns: torch.Tensor,
    flats: torch.Tensor,
) -> tuple[torch.Tensor, dict[str, float]]:
    """Return the loss and its parts."""
    count = len(SHAPES)
    kind = functional.cross_entropy(
        answer[:, : count + 1], shapes, label_smoothing=0.01
    )
    die = shapes < count
    steady = (0.25 + 0.75 * flats) * die
    total = steady.sum().clamp(min=1)
    off = functional.smooth_l1_loss(
        answer[:, 8:13], places, reduction="none", beta=0.03
    )
    where = (off * torch.tensor([1.0, 1, 2, 2, 2])).sum(1)
    where = (where * steady).sum() / total
    pairs = answer[:, 14:].view(-1, count, 2)
    picked = pairs[torch.arange(len(shapes)), shapes.clamp(max=count - 1)]
    length = picked.norm(dim=1, keepdim=True).clamp(min=1e-3)
    wrong = (picked / length - turns).norm(dim=1)
    turned = wrong + 0.1 * (length[:, 0] - 1) ** 2
    has_turn = steady * (shapes != count - 1)
    turn = (turned * has_turn).sum() / has_turn.sum().clamp(min=1)
    lying = functional.binary_cross_entropy_with_logits(
        answer[:, 13], flats, reduction="none"
    )
    flat = (lying * die).sum() / die.sum().clamp(min=1)
    loss = kind + 4 * where + 1.2 * turn + 0.4 * flat
    parts = {"kind": kind, "where": where, "turn": turn, "flat": flat}
    return loss, {name: float(part.detach()) for name, part in parts.items()}


class Average:
    """Keeps a slow average of a network's weights; it reads better than the last."""

    def __init__(self, net: nn.Module, decay: float = 0.998) -> None:
        self.decay = decay
        self.steps = 0
        self.state = {k: v.detach().clone() for k, v in net.state_dict().items()}

    def update(self, net: nn.Module) -> None:
        """Move the average towards the network as it is now."""
        self.steps += 1
        keep = min(self.decay, (1 + self.steps) / (10 + self.steps))
        for name, value in net.state_dict().items():
            if value.dtype.is_floating_point:
                self.state[name].lerp_(value.detach(), 1 - keep)
            else:
                self.state[name] = value.detach().clone()


def rate(step: int, steps: int, top: float) -> float:
    """Return the learning rate: a short rise, then a cosine to nothing."""
    rise = min(1.0, (step + 1) / 100)
    return top * rise * (0.5 + 0.5 * math.cos(math.pi * step / steps)) + 1e-5


def export(net: nn.Module, sample: torch.Tensor, path: Path, *, any_size: bool) -> None:
    """Write a network as ONNX with its weights in float16."""
    net.eval()
    axes = (
        {"image": {2: "h", 3: "w"}, "answer": {2: "h4", 3: "w4"}} if any_size else None
    )
    torch.onnx.export(
        net, (sample,), str(path), dynamo=False, opset_version=13,
        input_names=["image"], output_names=["answer"], dynamic_axes=axes,
    )  # fmt: skip
    model = onnx.load(str(path))
    halve(model)
    onnx.save(model, str(path))


def halve(model: onnx.ModelProto) -> None:
    """Store the weights as float16; cv2.dnn makes float32 of them when it loads."""
    for weight in model.graph.initializer:
        values = onnx.numpy_helper.to_array(weight)
        if values.dtype == np.float32 and values.size > 64:
            small = values.astype(np.float16)
            weight.CopyFrom(onnx.numpy_helper.from_array(small, weight.name))
