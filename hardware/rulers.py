"""Cues to pixels: which LEDs light, in which colour, at what current. Pure.

1. A cue becomes spans in millimetres, each with a colour and a dash pattern.
2. LEDs whose centre lies in a span belong to it; on a border, to the nearer span.
3. The first and the last LED of a span are lit, the dash pattern decides between.
4. Gamma and white balance turn colours into duty.
5. If the estimated current is above the strip's limit, all duty is scaled down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from device.errors import BadInput
from device.rules.ranges import RangeBand, find_band
from device.units import Millimetres
from hardware.cues import OFF, Cue, parse_cue
from hardware.pixels import Colours
from hardware.strips import Gap, Strip, load_strips, parse_strips
from vision.frame import read_only

__all__ = [
    "OFF",
    "Cue",
    "Gap",
    "Strip",
    "StripLight",
    "estimate_ma",
    "light",
    "load_strips",
    "parse_cue",
    "parse_strips",
    "uncovered_mm",
]

IDLE_MA: Final = 1.0
"""What one LED of a strip draws when dark."""

CHANNEL_MA: Final = 20.0
"""What one colour of one LED draws at full duty; 60 mA an LED in white. Measured
strips draw less (about 16), so the estimate errs to the safe side."""

BORDER_MM: Final[Millimetres] = 1e-6
"""A centre this near a border lies on it: far below any pitch, above float noise."""

LENGTH_LIGHT: Final = ("ffffff", "#")
"""Colour and dash of a plain length: white, unbroken, as no band is."""

DIM: Final = 0.3
"""Brightness for the eye of strips near the tray while dice come to rest: a twelfth of
the light, still seen."""

FURTHER_LIGHT: Final = ("ff8030", "##.#.")
"""Colour and dash of every second one of plain lengths end to end; no band's dash."""

AREA_LIGHT: Final = ("ff8030", "#.#..")
"""Colour and dash of an area; the dash is no band's."""


@dataclass(frozen=True, slots=True, eq=False)
class StripLight:
    """What one strip shows.

    Attributes:
        name: Of the strip.
        pixels: ``(n, 3)`` uint8 RGB, linear duty, read-only.
        milliamps: Estimated current, rounded up; never above the strip's limit.
    """

    name: str
    pixels: Colours
    milliamps: int

    def as_json(self) -> dict[str, object]:
        """Return name, pixels as six hex digits each, and milliamps."""
        digits = self.pixels.tobytes().hex()
        colours = [digits[at : at + 6] for at in range(0, len(digits), 6)]
        return {"name": self.name, "pixels": colours, "milliamps": self.milliamps}


@dataclass(frozen=True, slots=True)
class _Span:
    """A piece of the ruler to light; the border at `from_mm` is not its own."""

    from_mm: Millimetres
    to_mm: Millimetres
    colour: str
    dash: str


def light(
    cue: Cue,
    strips: Sequence[Strip],
    bands: Sequence[RangeBand],
    level: float = 1.0,
    *,
    dim_near_tray: bool = False,
) -> tuple[StripLight, ...]:
    """Return what each strip shows for a cue.

    Strips one after the other on the ruler are one line of light, over which a dash
    pattern runs on; strips side by side each show the whole.

    Args:
        cue: What to light.
        strips: Of the ruler.
        bands: Of the game.
        level: Brightness for the eye, 0..1; 0 is dark.
        dim_near_tray: Whether strips near the tray are at most `DIM` now.

    Returns:
        One for each strip, in the order given.

    Raises:
        BadInput: The cue names a band that the game lacks.
        ValueError: `level` out of range.
    """
    if not 0.0 <= level <= 1.0:
        raise ValueError(f"level is 0 to 1, not {level}")
    near = min(level, DIM) if dim_near_tray else level
    spans = _spans(cue, bands)
    seen = [np.zeros((0, 3))] * len(strips)
    for chain in _chains(tuple(strips)):
        colours = np.zeros((len(chain.order), 3))
        for span in spans:
            _draw(span, chain, colours)
        start = 0
        for index in chain.strips:
            end = start + strips[index].pixels
            seen[index], start = colours[start:end], end
    return tuple(
        _strip_light(strip, colours * (near if strip.near_tray else level))
        for strip, colours in zip(strips, seen, strict=True)
    )


def estimate_ma(pixels: Colours) -> float:
    """Return the milliamperes that a strip draws when it shows these duties.

    Args:
        pixels: ``(n, 3)`` uint8 RGB.
    """
    duty = int(pixels.sum(dtype=np.int64))
    return len(pixels) * IDLE_MA + duty * CHANNEL_MA / 255


def limited(strip: Strip, pixels: Colours) -> Colours:
    """Return linear duty as a strip may show it: within its limit of current.

    Args:
        strip: Whose limit.
        pixels: ``(n, 3)`` uint8 RGB.
    """
    if estimate_ma(pixels) <= math.floor(strip.limit_ma):
        return pixels
    duty = pixels.astype(np.float64)
    lit = np.asarray(pixels.any(axis=1))
    return _limited(strip, duty, lit, math.floor(strip.limit_ma))


def uncovered_mm(
    cue: Cue, strips: Sequence[Strip], bands: Sequence[RangeBand]
) -> Millimetres:
    """Return how much of the cue's far end lies beyond the last LED, 0 for none.

    Less than one pitch beyond it is not counted: the strip reaches as far as whole
    LEDs can.
    """
    spans = _spans(cue, bands)
    if not spans or not strips:
        return 0.0
    end_mm = max(float(strip.positions_mm().max()) + strip.pitch_mm for strip in strips)
    beyond_mm = spans[-1].to_mm - end_mm
    return beyond_mm if beyond_mm > 0 else 0.0


def _spans(cue: Cue, bands: Sequence[RangeBand]) -> tuple[_Span, ...]:
    if cue.area_mm is not None:
        from_mm, to_mm = (cue.origin_mm + edge for edge in cue.area_mm)
        return (_Span(from_mm - 2 * BORDER_MM, to_mm, *AREA_LIGHT),)
    # The ruler's own start belongs to the first span, unlike borders between spans.
    at_mm = cue.origin_mm
    if cue.bars is not None:
        return tuple(
            _Span(at_mm + from_mm - 2 * BORDER_MM, at_mm + to_mm, colour, "#")
            for from_mm, to_mm, colour in cue.bars.places()
        )
    if cue.length_mm is not None:
        return (_Span(at_mm - 2 * BORDER_MM, at_mm + cue.length_mm, *LENGTH_LIGHT),)
    spans: list[_Span] = []
    for index, length_mm in enumerate(cue.lengths_mm):
        from_mm = at_mm if spans else at_mm - 2 * BORDER_MM
        look = (LENGTH_LIGHT, FURTHER_LIGHT)[index % 2]
        spans.append(_Span(from_mm, at_mm + length_mm, *look))
        at_mm += length_mm
    for index, name in enumerate(cue.bands):
        band = find_band(bands, name)
        if band is None:
            raise BadInput(f"no band {name!r}", f"bands[{index}]")
        from_mm = at_mm if spans else at_mm - 2 * BORDER_MM
        spans.append(_Span(from_mm, at_mm + band.length_mm, band.light, band.dash))
        at_mm += band.length_mm
    return tuple(spans)


@dataclass(frozen=True, slots=True, eq=False)
class _Chain:
    """Strips that lie end to end.

    Attributes:
        strips: Their indices.
        order: Of their LEDs, counted through, along the ruler.
        at_mm: Where those lie, ascending.
    """

    strips: tuple[int, ...]
    order: NDArray[np.intp]
    at_mm: NDArray[np.float64]


@lru_cache(maxsize=16)
def _chains(strips: tuple[Strip, ...]) -> tuple[_Chain, ...]:
    """Return the chains; once, for a moving ruler asks thirty times a second."""
    positions = [strip.positions_mm() for strip in strips]
    chains: list[list[int]] = []
    for index in sorted(range(len(positions)), key=lambda i: positions[i].min()):
        for chain in chains:
            if positions[chain[-1]].max() < positions[index].min():
                chain.append(index)
                break
        else:
            chains.append([index])
    return tuple(_chain(indices, positions) for indices in chains)


def _chain(indices: list[int], positions: Sequence[NDArray[np.float64]]) -> _Chain:
    joined_mm = np.concatenate([positions[index] for index in indices])
    order = np.argsort(joined_mm, kind="stable")
    return _Chain(tuple(indices), order, joined_mm[order])


def _draw(span: _Span, chain: _Chain, colours: NDArray[np.float64]) -> None:
    """Colour the LEDs of a span that its dash lights; `colours` is 0..1."""
    borders_mm = (span.from_mm + BORDER_MM, span.to_mm + BORDER_MM)
    first, end = np.searchsorted(chain.at_mm, borders_mm, side="right")
    along = chain.order[first:end]
    if along.size == 0:
        return
    colour = np.frombuffer(bytes.fromhex(span.colour), np.uint8) / 255
    for mark, dash in enumerate(span.dash):
        if dash == "#":
            colours[along[mark :: len(span.dash)]] = colour
    colours[along[[0, -1]]] = colour


def _strip_light(strip: Strip, colours: NDArray[np.float64]) -> StripLight:
    """Return what the strip shows: colours 0..1 for the eye become limited duty."""
    duty = 255 * colours**strip.gamma * np.asarray(strip.white)
    lit = np.asarray(colours.any(axis=1))
    pixels = _visible(np.rint(duty).astype(np.uint8), duty, lit)
    most_ma = math.floor(strip.limit_ma)
    if estimate_ma(pixels) > most_ma:
        pixels = _limited(strip, duty, lit, most_ma)
    milliamps = math.ceil(estimate_ma(pixels))
    return StripLight(strip.name, read_only(pixels), milliamps)


def _limited(
    strip: Strip, duty: NDArray[np.float64], lit: NDArray[np.bool_], most_ma: int
) -> Colours:
    """Return the duty scaled down to the limit, no lit LED quite dark."""
    step_ma = CHANNEL_MA / 255
    # `_visible` may add one step to each lit LED: keep that in reserve.
    spare_ma = most_ma - strip.pixels * IDLE_MA - int(lit.sum()) * step_ma
    scale = max(0.0, spare_ma) / (float(duty.sum()) * step_ma)
    return _visible(np.floor(duty * scale).astype(np.uint8), duty, lit)


def _visible(
    pixels: Colours, duty: NDArray[np.float64], lit: NDArray[np.bool_]
) -> Colours:
    """Return `pixels` with every lit LED showing at least its strongest colour."""
    lost = np.flatnonzero(lit & ~pixels.any(axis=1))
    pixels[lost, duty[lost].argmax(axis=1)] = 1
    return pixels
