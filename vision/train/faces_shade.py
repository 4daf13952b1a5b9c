"""Draws crops of endless random dice in whole batches, from pose maps and glyphs.

1. `Dice` says what each die of a batch is: glyph, size and turn on every face, body
   and ink colours, engraving.
2. `shade` looks everything up in the pose maps and lights it.
3. `camera` blurs, makes coarse, adds noise.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from vision.train.faces_bank import CELL_PX, UNITS_PER_PX
from vision.train.faces_maps import BLANK_SLOT, SLOTS, Maps

TILES = 240
TILE_PX = 64


@dataclass(slots=True)
class Dice:
    """`b` dice; colours are ``(b, channels)`` in 0..1 as a camera stores them.

    Attributes:
        glyph: ``(b, SLOTS)`` index into the bank.
        scale: ``(b, SLOTS)`` half the glyph's cell in mark radii.
        turn: ``(b, SLOTS)`` of the glyph on its face, radians clockwise from `ups`.
        shift: ``(b, SLOTS, 2)`` of the glyph on its face, mark radii.
        tile: ``(b, SLOTS)`` which pattern of `patterns` each face shows.
        weight: ``(b, 1)`` pixels of the cell by which strokes are bolder.
        body, second, ink: Colours; `second` is that of the marbling.
        engraving: ``(b, 1)`` depth, 0 for print.
        gloss: ``(b, 1)`` 0..1.
        wear: ``(b, 1)`` share of the ink that is gone.
    """

    glyph: torch.Tensor
    scale: torch.Tensor
    turn: torch.Tensor
    shift: torch.Tensor
    tile: torch.Tensor
    weight: torch.Tensor
    body: torch.Tensor
    second: torch.Tensor
    ink: torch.Tensor
    engraving: torch.Tensor
    gloss: torch.Tensor
    wear: torch.Tensor

    def take(self, index: torch.Tensor) -> Dice:
        """Return the dice at `index`, repeated as it says."""
        return Dice(*(getattr(self, name)[index] for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Seen:
    """Pose maps of one batch, of any mixture of shapes; see `faces_maps.Maps`."""

    slot: torch.Tensor
    u: torch.Tensor
    v: torch.Tensor
    edge: torch.Tensor
    normal: torch.Tensor


def see(picks: list[tuple[Maps, torch.Tensor]]) -> Seen:
    """Return the maps at the given indices, one shape after the other."""
    return Seen(
        slot=torch.cat([m.slot[i] for m, i in picks]).long(),
        u=torch.cat([m.u[i] for m, i in picks]).float(),
        v=torch.cat([m.v[i] for m, i in picks]).float(),
        edge=torch.cat([m.edge[i] for m, i in picks]).float(),
        normal=torch.cat([m.normal[i] for m, i in picks]).float() / 127,
    )


def joined(dice: list[Dice]) -> Dice:
    """Return several batches of dice as one."""
    names = Dice.__slots__
    return Dice(*(torch.cat([getattr(d, name) for d in dice]) for name in names))


def uniform(low: float, high: float, *shape: int) -> torch.Tensor:
    """Return uniform random numbers."""
    return torch.empty(*shape).uniform_(low, high)


def often(share: float, *shape: int) -> torch.Tensor:
    """Return 1 with probability `share`, else 0, as float."""
    return (torch.rand(*shape) < share).float()


def patterns(seed: int) -> torch.Tensor:
    """Return `TILES` patterns of 0..1, flat: marble, wood, glitter."""
    rng = np.random.default_rng(seed)

    def smooth(high: int, wide: int) -> np.ndarray:
        coarse = rng.standard_normal((high, wide)).astype(np.float32)
        return cv2.resize(coarse, (TILE_PX, TILE_PX), interpolation=cv2.INTER_CUBIC)

    tiles = []
    for at in range(TILES):
        if at % 6 == 4:
            tile = smooth(4, 40) + 0.5 * smooth(3, 9)
            tile = 0.5 + 0.5 * np.sin(tile * rng.uniform(1, 3))
        elif at % 6 == 5:
            grain = smooth(64, 64)
            tile = np.clip((grain - rng.uniform(1.2, 2.2)) * 2, 0, 1)
        else:
            rough = smooth(*rng.integers(3, 9, 2)) * rng.uniform(1, 6)
            tile = 0.5 + 0.5 * np.sin(rough + smooth(16, 16) * rng.uniform(0, 1))
        tiles.append(tile.astype(np.float32))
    return torch.from_numpy(np.stack(tiles)).reshape(-1)


def cloud(batch: int, size_px: int, coarse: int) -> torch.Tensor:
    """Return ``(batch, size_px**2)`` smooth noise of spread about 1."""
    noise = torch.randn(batch, 1, coarse, coarse)
    wide = F.interpolate(noise, (size_px, size_px), mode="bicubic", align_corners=False)
    return wide.reshape(batch, -1)


def glyphs(
    seen: Seen, dice: Dice, cells: torch.Tensor, px_per_mark_radius: torch.Tensor
) -> torch.Tensor:
    """Return ``(b, p)`` how far each pixel lies inside a glyph, in crop pixels."""
    slot = seen.slot
    sin, cos = torch.sin(dice.turn), torch.cos(dice.turn)

    def at(table: torch.Tensor) -> torch.Tensor:
        return table.gather(1, slot)

    u, v = seen.u - at(dice.shift[..., 0]), seen.v - at(dice.shift[..., 1])
    scale = at(dice.scale)
    x = (at(cos) * u - at(sin) * v) / scale
    y = (at(sin) * u + at(cos) * v) / scale
    column = ((x + 1) * CELL_PX / 2 - 0.5).clamp(0, CELL_PX - 1.001)
    row = ((1 - y) * CELL_PX / 2 - 0.5).clamp(0, CELL_PX - 1.001)
    c0, r0 = column.long(), row.long()
    fc, fr = column - c0, row - r0
    first = at(dice.glyph) * CELL_PX**2 + r0 * CELL_PX + c0
    upper = cells[first] * (1 - fc) + cells[first + 1] * fc
    lower = cells[first + CELL_PX] * (1 - fc) + cells[first + CELL_PX + 1] * fc
    deep = (upper * (1 - fr) + lower * fr - 128) / UNITS_PER_PX
    away = ((x.abs() > 0.98) | (y.abs() > 0.98) | (slot == BLANK_SLOT)).float()
    deep = deep * (1 - away) - 16 * away + dice.weight * (1 - away)
    return deep * scale * px_per_mark_radius * (2 / CELL_PX)


def shade(
    seen: Seen,
    dice: Dice,
    cells: torch.Tensor,
    tiles: torch.Tensor,
    px_per_mark_radius: torch.Tensor,
    size_px: int,
) -> torch.Tensor:
    """Return ``(b, channels, size_px, size_px)`` crops, lit, about 0..1.

    Args:
        seen: Pose maps of the batch.
        dice: What is on them.
        cells: `Bank.cells`.
        tiles: From `patterns`.
        px_per_mark_radius: ``(b, 1)``.
        size_px: Side of the crops.
    """
    b, p = seen.slot.shape
    hit = (seen.slot != BLANK_SLOT).float()
    soft = torch.rand(b, 1) * 0.8 + 0.45
    alpha = torch.sigmoid(glyphs(seen, dice, cells, px_per_mark_radius) * 4 * soft)
    pattern = tiles[
        dice.tile.gather(1, seen.slot) * TILE_PX**2
        + ((1 - seen.v.clamp(-0.99, 0.99)) * TILE_PX / 2).long() * TILE_PX
        + ((1 + seen.u.clamp(-0.99, 0.99)) * TILE_PX / 2).long()
    ]
    patchy = torch.sigmoid(3 * cloud(b, size_px, 9)) * often(0.5, b, 1)
    inked = alpha * (1 - dice.wear * (0.4 + 0.6 * patchy))
    body = torch.lerp(dice.body[..., None], dice.second[..., None], pattern[:, None])
    colour = torch.lerp(body, dice.ink[..., None], inked[:, None])
    light, lamp = _light(seen, dice)
    relief = _relief(alpha.reshape(b, size_px, size_px), lamp) * dice.engraving
    slow = cloud(b, size_px, 4)
    light = light * (1 + 0.18 * slow * torch.rand(b, 1)) * (1 + relief).clamp(0.25, 2.5)
    glare = _glare(seen, dice, slow, size_px) + 0.12 * relief.abs() * dice.gloss
    bevel = torch.exp(-((seen.edge / uniform(0.012, 0.07, b, 1)) ** 2))
    shine = torch.randn(b, 1) * 0.25 + 0.3 * cloud(b, size_px, 4) * torch.rand(b, 1)
    shine = shine * (1 + 2 * often(0.25, b, 1))
    die = colour**2 * light[:, None] * (1 + bevel * shine * 0.8).clamp(0.2, 3)[:, None]
    die = die + (glare + 0.15 * (bevel * shine).clamp(min=0))[:, None]
    die = die + _polish(bevel, alpha, size_px)[:, None]
    tray = _tray(b, p, size_px, colour.shape[1])
    lit = die * hit[:, None] + tray * (1 - hit[:, None])
    return _expose(lit, hit).reshape(b, -1, size_px, size_px)


def _light(seen: Seen, dice: Dice) -> tuple[torch.Tensor, torch.Tensor]:
    """Return ``(b, p)`` light on the surface and ``(b, 2)`` where most comes from."""
    b = len(seen.slot)
    lamps = torch.randn(b, 3, 3)
    lamps[:, :, 2] = lamps[:, :, 2].abs() + 0.35
    lamps = F.normalize(lamps, dim=2)
    power = torch.rand(b, 3, 1) * torch.tensor([1.0, 0.7, 0.5])[None, :, None]
    power = power * (torch.rand(b, 3, 1) < torch.tensor([0.8, 0.5, 0.3])[None, :, None])
    facing = torch.bmm(lamps, seen.normal).clamp(min=0)
    ambient = 0.25 + 0.35 * torch.rand(b, 1) * (seen.normal[:, 2] * 0.5 + 0.5)
    # Metal and other mirrors: every face shows another part of the room.
    spread = 0.13 + 0.35 * often(0.12, b, 1)
    uneven = spread * torch.randn(b, SLOTS)
    light = ambient + (facing * power).sum(1) + uneven.gather(1, seen.slot)
    tilted = (lamps * power).sum(1)[:, :2] + 0.3 * torch.randn(b, 2)
    return light.clamp(min=0.05), tilted


def _relief(alpha: torch.Tensor, lamp: torch.Tensor) -> torch.Tensor:
    """Return ``(b, p)`` how engraving catches the light."""
    b, size, _ = alpha.shape
    smooth = F.avg_pool2d(alpha[:, None], 3, 1, 1, count_include_pad=False)[:, 0]
    across = F.pad(smooth[:, :, 2:] - smooth[:, :, :-2], (1, 1))
    down = F.pad(smooth[:, 2:] - smooth[:, :-2], (0, 0, 1, 1))
    gain = across * lamp[:, 0, None, None] - down * lamp[:, 1, None, None]
    return gain.reshape(b, size * size)


def _glare(seen: Seen, dice: Dice, slow: torch.Tensor, size_px: int) -> torch.Tensor:
    """Return ``(b, p)`` light that a glossy surface throws back: faces and spots."""
    b = len(seen.slot)
    faces = often(0.2, b, SLOTS) * torch.rand(b, SLOTS) * 0.5
    glare = faces.gather(1, seen.slot) * (0.4 + 0.6 * torch.sigmoid(2 * slow))
    way = F.normalize(torch.randn(b, 3) + torch.tensor([0.0, 0.0, 1.5]), dim=1)
    mirror = torch.bmm(way[:, None], seen.normal)[:, 0].clamp(min=0)
    spot = mirror ** (uniform(2, 6, b, 1) ** 2) * often(0.6, b, 1) * torch.rand(b, 1)
    veil = 0.25 * often(0.3, b, 1) * torch.rand(b, 1)
    dots = torch.sigmoid(4 * cloud(b, size_px, 6) - 5) * often(0.3, b, 1)
    return (glare + spot * 0.7 + dots * 0.5) * (0.3 + 0.7 * dice.gloss) + veil


def _polish(bevel: torch.Tensor, alpha: torch.Tensor, size_px: int) -> torch.Tensor:
    """Return ``(b, p)`` what a polished body mirrors of windows and lamps.

    Arcs along edges and rims, and patches with sharp borders on the face, which the
    marks interrupt: they are cut or printed matt.
    """
    b = len(bevel)
    arcs = torch.sigmoid(5 * cloud(b, size_px, 4) + 1.5 * torch.randn(b, 1))
    arcs = arcs * bevel * often(0.35, b, 1) * uniform(0.1, 1.3, b, 1)
    patches = torch.sigmoid(14 * (cloud(b, size_px, 5) - uniform(0.5, 1.4, b, 1)))
    patches = patches * often(0.2, b, 1) * uniform(0.2, 1.3, b, 1)
    return arcs + patches * (1 - uniform(0.3, 1.0, b, 1) * alpha)


def _tray(b: int, p: int, size_px: int, channels: int) -> torch.Tensor:
    """Return ``(b, channels, p)`` what lies round the die, at times another die."""
    base = torch.rand(b, channels, 1) ** 2 * 0.7 + 0.01
    base = torch.lerp(base, uniform(0.4, 0.9, b, 1, 1), often(0.15, b, 1, 1))
    grain = 0.25 * cloud(b, size_px, 5) * torch.rand(b, 1)
    grain = grain + 0.2 * torch.randn(b, p) * torch.rand(b, 1)
    tray = base * (1 + grain)[:, None]
    at = (torch.arange(size_px) + 0.5) / size_px * 2 - 1
    way = torch.rand(b, 1) * 6.283
    x, y = at.repeat(size_px)[None], at.repeat_interleave(size_px)[None]
    beyond = x * torch.cos(way) + y * torch.sin(way) - uniform(0.5, 1.1, b, 1)
    other = torch.sigmoid(beyond * 30) * often(0.25, b, 1)
    return torch.lerp(tray, torch.rand(b, channels, 1) ** 2, other[:, None]).clamp(
        min=0
    )


def _expose(lit: torch.Tensor, hit: torch.Tensor) -> torch.Tensor:
    """Return linear light brought to a camera's range, its white balance off a bit."""
    b, channels, _ = lit.shape
    if channels == 3:
        lit = lit * uniform(0.8, 1.2, b, channels, 1)
    # Mostly the die sets the exposure; at times a bright tray does, the die is dark.
    grey = (lit.mean(1) * torch.maximum(hit, often(0.3, b, 1)))[:, ::7]
    bright = grey.kthvalue(int(grey.shape[1] * 0.93), 1)[0][:, None, None]
    lit = lit / bright.clamp(min=0.003) * uniform(0.3, 1.05, b, 1, 1)
    bend = torch.rand(b, 1, 1)
    return (1 - bend) * lit.clamp(0, 1.3) + bend * (1 - torch.exp(-1.5 * lit))


def camera(crops: torch.Tensor, rng: random.Random, coarsest: int) -> torch.Tensor:
    """Return crops as a camera stores them: coarse, blurred, noisy, 0..1, gamma.

    Args:
        crops: ``(b, channels, s, s)`` linear light.
        rng: Chooses for each small group.
        coarsest: Fewest pixels across a crop.
    """
    b, _, size, _ = crops.shape
    out = torch.empty_like(crops)
    order = torch.randperm(b)
    for part in order.split(8):
        some = crops[part]
        across = size if rng.random() < 0.4 else rng.randint(coarsest, size)
        if across < size:
            some = F.interpolate(some, (across, across), mode="area")
        some = _blur(some, rng.choice((0.0, 0.0, 0.35, 0.5, 0.7, 1.0)), rng)
        if rng.random() < 0.35:
            some = _coarse_colour(some)
        noise = rng.uniform(0.001, 0.02)
        spread = (some.clamp(0, 1) * noise * 0.25 + noise * noise * 0.3).sqrt()
        some = some + torch.randn_like(some) * spread
        some = some.clamp(0, 1) ** (1 / rng.uniform(1.8, 2.4))
        if across < size:
            some = F.interpolate(some, (size, size), mode="bilinear")
        out[part] = some
    return out


def _coarse_colour(crops: torch.Tensor) -> torch.Tensor:
    """Return crops whose colour is kept at half the size, as JPEG and video do."""
    grey = crops.mean(1, keepdim=True)
    hue = F.avg_pool2d(crops - grey, 2, ceil_mode=True, count_include_pad=False)
    return grey + F.interpolate(hue, crops.shape[2:], mode="bilinear")


def _blur(crops: torch.Tensor, sigma: float, rng: random.Random) -> torch.Tensor:
    """Return crops blurred, now and then along one direction only."""
    if sigma < 0.2:
        return crops
    channels = crops.shape[1]
    at = torch.arange(-3, 4).float()
    kernel = torch.exp(-(at**2) / (2 * sigma**2))
    kernel = (kernel / kernel.sum()).repeat(channels, 1)[:, None, None]
    wide = F.pad(crops, (3, 3, 3, 3), mode="reflect")
    across = F.conv2d(wide, kernel, groups=channels)
    if rng.random() < 0.12:
        return across[:, :, 3:-3]
    return F.conv2d(across, kernel.transpose(2, 3), groups=channels)
