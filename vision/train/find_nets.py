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
from vision.patches import ANGLES, RINGS

FEATURES = 64
"""Of the pose network at each angle."""

WAVE_GAIN = 8.0
"""So that answers of about 1 need weights as small as those of other layers."""


def block(inside: int, outside: int, size: int = 3, stride: int = 1) -> nn.Sequential:
    """Return convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, size, stride, size // 2, bias=False),
        nn.BatchNorm2d(outside),
        nn.ReLU(inplace=True),
    )


class FinderNet(nn.Module):
    """Middles of dice at stride 4, with context from stride 8.

    Shown `in_blocks`. Answers ``(n, 4, h / 4, w / 4)`` for pictures of ``h`` by ``w``
    pixels: heat (logit), ln(radius / 11), offset x, y.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(block(12, 16), block(16, 32, 3, 2))
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


class Ring(nn.Module):
    """A convolution over an unrolled crop whose left and right ends meet."""

    def __init__(
        self, inside: int, outside: int, tall: int, wide: int, step: tuple[int, int],
        spread: int = 1, rows: int = 0,
    ) -> None:  # fmt: skip
        super().__init__()
        self.room = (wide // 2) * spread
        self.layer = nn.Sequential(
            nn.Conv2d(
                inside, outside, (tall, wide), step, (rows, 0), (1, spread), bias=False
            ),
            nn.BatchNorm2d(outside),
            nn.ReLU(inplace=True),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the layer's answer, as wide as the input over the step."""
        ends = [x[..., -self.room :], x, x[..., : self.room]]
        return self.layer(torch.cat(ends, dim=3))


ORDERS = (3, 4, 3, 1, 5, 3, 1)
"""Symmetry of the turn of each of `SHAPES`: the wave it is read from."""


POWERS = (1, 2, 3, 4, 5, 6, 8, 10)
"""Waves whose strength tells shapes apart: squares have 4 and 8, pentagons 5 and 10."""


class PoseNet(nn.Module):
    """How the die in the middle of an unrolled crop lies.

    Turning the die shifts everything sideways. What does not turn with it (shape,
    size) is read from the mean, the maximum and the strength of waves over all angles,
    what does from the waves themselves: a place from one
    wave round, a triangle's turn from three, a square's from four.

    Answers ``(n, 40)``: logits of `SHAPES` and "none" (8), ln radius, flat (2), middle
    x y (2), top x y for each of `SHAPES` (14), cosine and sine of symmetry times turn
    for each (14).
    """

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            Ring(24, 20, 3, 3, (1, 1), rows=1),
            Ring(20, 32, 3, 3, (1, 1), rows=1),
            Ring(32, 48, 3, 3, (2, 1), rows=1),
            Ring(48, FEATURES, RINGS // 4, 3, (1, 1)),
        )
        self.around = nn.ModuleList(
            [Ring(FEATURES, FEATURES, 1, 5, (1, 1), spread) for spread in (1, 2, 4)]
        )
        self.join = nn.Linear((2 + len(POWERS)) * FEATURES, 64)
        self.plain = nn.Linear(64, 10)
        # Two numbers for each answer and feature: along the wave and a quarter off it.
        self.waves = nn.Parameter(torch.randn(1 + 7 + 7, 2, FEATURES) * 0.02)
        steps = ANGLES // 2
        # A column sees the input round its own angle.
        turns = (torch.arange(steps) * 2 + 1.0) * math.pi * 2 / ANGLES
        orders = torch.tensor([1.0] * 8 + [float(n) for n in ORDERS])
        powers = torch.tensor([float(n) for n in POWERS])[:, None] * turns
        basis = torch.cat([torch.cos(powers), torch.sin(powers)]) * 2 / steps
        self.register_buffer("basis", basis.t().contiguous())
        self.register_buffer("cos", torch.cos(orders[:, None] * turns))
        self.register_buffer("sin", torch.sin(orders[:, None] * turns))

    def features(self, crop: torch.Tensor) -> torch.Tensor:
        """Return ``(n, FEATURES, ANGLES / 2)``."""
        x = self.body(crop)
        for layer in self.around:
            x = x + layer(x)
        return x[:, :, 0]

    def plain_answers(self, x: torch.Tensor) -> torch.Tensor:
        """Return what does not turn with the die, ``(n, 10)``."""
        pooled = torch.cat([x.mean(dim=2), x.amax(dim=2), self.strengths(x)], dim=1)
        return self.plain(functional.relu(self.join(pooled)))

    def strengths(self, x: torch.Tensor) -> torch.Tensor:
        """Return how strong each of `POWERS` is in each feature, flat."""
        waves = torch.matmul(x, self.basis)
        along, off = waves[:, :, : len(POWERS)], waves[:, :, len(POWERS) :]
        return torch.sqrt(along * along + off * off + 1e-4).flatten(1)

    def wave_weights(self) -> torch.Tensor:
        """Return ``(FEATURES * ANGLES / 2, 30)``: the waves as one linear layer."""
        along, off = self.waves[:, 0, :, None], self.waves[:, 1, :, None]
        cos, sin = self.cos[:, None], self.sin[:, None]
        first = along * cos - off * sin
        second = along * sin + off * cos
        # A place: right is the sine of an angle from up, down is minus its cosine.
        right = torch.cat([second[:8], first[8:]])
        down = torch.cat([-first[:8], second[8:]])
        both = torch.stack([right, down], dim=1).flatten(0, 1)
        return both.flatten(1).t() / self.cos.shape[1]

    def set_wave_weights(self, weights: torch.Tensor) -> None:
        """Take the waves back out of what `wave_weights` makes of them."""
        steps = self.cos.shape[1]
        both = (weights * steps).t().reshape(-1, 2, FEATURES, steps)
        right, down = both[:, 0], both[:, 1]
        first = torch.cat([-down[:8], right[8:]])
        second = torch.cat([right[:8], down[8:]])
        cos, sin = self.cos[:, None], self.sin[:, None]
        self.waves[:, 0] = (first * cos + second * sin).mean(2)
        self.waves[:, 1] = (second * cos - first * sin).mean(2)

    def forward(self, crop: torch.Tensor) -> torch.Tensor:
        """Return the answers for a batch of unrolled crops."""
        x = self.features(crop)
        turning = x.flatten(1) @ self.wave_weights()
        return torch.cat([self.plain_answers(x), turning * WAVE_GAIN], dim=1)


class FoldedPose(nn.Module):
    """A pose network with its waves folded into one linear layer, for export."""

    def __init__(self, net: PoseNet) -> None:
        super().__init__()
        self.net = net
        weights = (net.wave_weights() * WAVE_GAIN).t().detach()
        self.waves = nn.Linear(weights.shape[1], weights.shape[0], bias=False)
        self.waves.weight = nn.Parameter(weights.contiguous())
        steps = ANGLES // 2
        self.mean = nn.AvgPool2d((1, steps))
        self.most = nn.MaxPool2d((1, steps))

    def forward(self, crop: torch.Tensor) -> torch.Tensor:
        """Return the same answers as the network itself."""
        x = self.net.body(crop)
        for layer in self.net.around:
            x = x + layer(x)
        whole = torch.cat([self.mean(x), self.most(x)], dim=1).flatten(1)
        pooled = torch.cat([whole, self.net.strengths(x[:, :, 0])], dim=1)
        plain = self.net.plain(functional.relu(self.net.join(pooled)))
        return torch.cat([plain, self.waves(x.flatten(1))], dim=1)


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
    row, own = torch.arange(len(shapes)), shapes.clamp(max=count - 1)
    tops = answer[:, 12:26].view(-1, count, 2)[row, own]
    placed = torch.cat([answer[:, 10:12], tops, answer[:, 8:9]], dim=1)
    off = functional.smooth_l1_loss(placed, places, reduction="none", beta=0.03)
    where = (off * torch.tensor([1.0, 1, 2, 2, 2])).sum(1)
    where = (where * steady).sum() / total
    picked = answer[:, 26:].view(-1, count, 2)[row, own]
    length = picked.norm(dim=1, keepdim=True).clamp(min=1e-3)
    wrong = (picked / length - turns).norm(dim=1)
    turned = wrong + 0.1 * (length[:, 0] - 1) ** 2
    has_turn = steady * (shapes != count - 1)
    turn = (turned * has_turn).sum() / has_turn.sum().clamp(min=1)
    lying = functional.binary_cross_entropy_with_logits(
        answer[:, 9], flats, reduction="none"
    )
    flat = (lying * die).sum() / die.sum().clamp(min=1)
    loss = 1.5 * kind + 4 * where + 1.2 * turn + 0.8 * flat
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
