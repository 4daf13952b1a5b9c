"""Goes on training from the shipped files: the committed weights are a start.

Exporting folds each normalisation into the convolution before it. It is taken apart
again by what a sample of the training data shows, so that a network answers in training
as its file does.
"""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from vision.train.find_nets import WAVE_GAIN, PoseNet

Folded = tuple[torch.Tensor, torch.Tensor]
"""Weight and bias of a convolution with its normalisation folded in."""


def stored_weights(path: pathlib.Path) -> dict[str, torch.Tensor]:
    """Return the weights of an ONNX file by name, float32, in the file's order."""
    stored = onnx.load(str(path)).graph.initializer
    arrays = ((one.name, numpy_helper.to_array(one)) for one in stored)
    return {name: torch.from_numpy(a.astype(np.float32)) for name, a in arrays}


@torch.no_grad()
def unfold(net: nn.Module, folded: Sequence[Folded], sample: torch.Tensor) -> None:
    """Give a network's normalised convolutions their weights back.

    Args:
        net: Its convolutions without a bias are normalised, in the order of `folded`.
        folded: From the file.
        sample: Input of a few hundred training examples.

    Raises:
        ValueError: The weights are those of another network.
    """
    convs = [
        layer
        for layer in net.modules()
        if isinstance(layer, nn.Conv2d) and layer.bias is None
    ]
    if [conv.weight.shape for conv in convs] != [weight.shape for weight, _ in folded]:
        raise ValueError("these are the weights of another network")
    for conv, (weight, _) in zip(convs, folded, strict=True):
        conv.weight.copy_(weight)
    biases = iter([bias for _, bias in folded])
    norms = [layer for layer in net.modules() if isinstance(layer, nn.BatchNorm2d)]
    hooks = [norm.register_forward_pre_hook(_fit(biases)) for norm in norms]
    net.eval()
    net(sample)
    for hook in hooks:
        hook.remove()


@torch.no_grad()
def start_stack(net: nn.Sequential, path: pathlib.Path, sample: torch.Tensor) -> None:
    """Give a face network the weights of its shipped file.

    Args:
        net: As `faces_export.write_onnx` wrote it.
        path: Of the file.
        sample: Input of a few hundred training examples.
    """
    weights = list(stored_weights(path).values())
    pairs = list(zip(weights[::2], weights[1::2], strict=True))
    linear = [layer for layer in net if isinstance(layer, nn.Linear)]
    for layer, (weight, bias) in zip(linear, pairs[-len(linear) :], strict=True):
        layer.weight.copy_(weight)
        layer.bias.copy_(bias)
    unfold(net, pairs[: -len(linear)], sample)


@torch.no_grad()
def start_found(net: nn.Module, path: pathlib.Path, sample: torch.Tensor) -> None:
    """Give the finder or the pose network the weights of its shipped file.

    Args:
        net: As `find_nets.export` wrote it.
        path: Of the file.
        sample: Input of a few hundred training examples.
    """
    weights = stored_weights(path)
    named = {name.removeprefix("net."): value for name, value in weights.items()}
    for name, own in net.named_parameters():
        if name in named:
            own.copy_(named[name])
    if isinstance(net, PoseNet):
        (waves,) = (w for name, w in weights.items() if "MatMul" in name)
        net.set_wave_weights(waves / WAVE_GAIN)
    nameless = [value for name, value in weights.items() if "Conv" in name]
    unfold(net, list(zip(nameless[::2], nameless[1::2], strict=True)), sample)


def _fit(
    biases: Iterator[torch.Tensor],
) -> Callable[[nn.BatchNorm2d, tuple[torch.Tensor, ...]], None]:
    """Return a hook that makes a normalisation one that only adds the next bias."""

    def hook(norm: nn.BatchNorm2d, inputs: tuple[torch.Tensor, ...]) -> None:
        (seen,) = inputs
        norm.running_mean = seen.mean((0, 2, 3))
        norm.running_var = seen.var((0, 2, 3))
        norm.weight.copy_(torch.sqrt(norm.running_var + norm.eps))
        norm.bias.copy_(next(biases) + norm.running_mean)

    return hook
