"""Set-up: is the camera's picture good enough, and what to do where it is not. Pure.

1. The printed frame must be in view; whatever else is judged is judged on it.
2. Focus: how wide, in pixels, the edges of the markers are. An edge between black and
   white that takes three pixels from 10 to 90 per cent is as sharp as a numeral needs.
3. Exposure: how bright the bare paper is, in all four corners; white must be near the
   top and not clipped, and the lamp as bright on one side as on the other.
4. White balance: the gains that make the paper neutral.
5. Place: scale, tilt, and room round the frame.
6. Each corner's marker: where it is seen, or where it should be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from device.units import Pixels
from vision.frame import Image
from vision.markers import Points, find_markers
from vision.rig import Rig, find_rig
from vision.sheet import BAR_MM, FIRST_ID, PAPERS, sheet

SHARP_PX: Final[Pixels] = 3.0
"""Widest edge, 10 to 90 per cent, that is still sharp."""

LEAST_PX_PER_MM: Final = 2.5
"""A numeral of 5 mm is then 12 pixels high, the least that is read."""

WHITE_RANGE: Final = (140.0, 235.0)
"""How bright bare paper is in a good picture, of 255."""

WHITE_AIM: Final = 200.0
UNEVEN: Final = 1.6
"""The brightest corner of the frame against the darkest, as linear light."""

TINTED: Final = 1.35
"""Largest colour gain against the smallest before white balance is set anew."""

MOST_TILT_DEG: Final = 8.0
ENOUGH: Final = 3
"""Of the four markers, to find the frame by."""

GAMMA: Final = 2.2


Outline: TypeAlias = tuple[tuple[float, float], ...]
"""Four corners in pixels of the image, or none."""


@dataclass(frozen=True, slots=True)
class Corner:
    """The marker at one corner of the frame.

    Attributes:
        is_seen: It was found in the image.
        outline_px: Where it was found, else where it should be; empty where nothing
            tells. It may lie outside the image.
    """

    is_seen: bool = False
    outline_px: Outline = ()


@dataclass(frozen=True, slots=True)
class View:
    """What was measured in one image.

    Attributes:
        size_wh_px: Of the image.
        corners: Clockwise from the top left of the sheet as it was printed, which
            need not be the top left of the image.
        markers: How many of the frame's four are in view.
        edge_px: Width of the markers' edges, None without markers. Smaller is sharper.
        white: Brightness of the bare paper, 0..255, None where it is not seen.
        clipped: Share of the paper that is at the top of the scale, 0..1.
        uneven: Brightest corner against darkest, 1 and more, None as `white`.
        exposure_factor: By what to multiply exposure times gain for good white.
        colour_gains: Factors for red and blue that make the paper neutral.
        px_per_mm: At the middle of the tray, None without the frame.
        tilt_deg: Of the camera against the plumb line, None without the frame.
        problems: What is off, as keys of `ADVICE`, worst first.
    """

    size_wh_px: tuple[int, int]
    corners: tuple[Corner, ...]
    markers: int
    edge_px: float | None = None
    white: float | None = None
    clipped: float = 0.0
    uneven: float | None = None
    exposure_factor: float = 1.0
    colour_gains: tuple[float, float] = (1.0, 1.0)
    px_per_mm: float | None = None
    tilt_deg: float | None = None
    problems: tuple[str, ...] = ()

    @property
    def is_good(self) -> bool:
        """Nothing is off."""
        return not self.problems


ADVICE: Final = {
    "no_frame": "the printed frame is not in view: raise the camera until all four "
    "markers are in the picture, lay the sheet flat, light it",
    "bent": "the markers do not lie in one plane: lay the sheet flat, and one sheet "
    "only",
    "blurred": "out of focus: turn the lens, or have the focus set (dicelight camera "
    "--save); wipe the lens; see that the camera does not sway",
    "dark": "too dark: more light, or a longer exposure",
    "bright": "too bright: less light, or a shorter exposure",
    "uneven": "one side is much brighter than the other: light from two sides",
    "tinted": "white is not white: have the colour gains set (dicelight camera --save)",
    "far": "the camera is too high: numerals are too small to be read",
    "tilted": "the camera does not look straight down: level it",
    "marker_hidden": "one marker is hidden or out of the picture",
}
"""What to do about each problem, in English."""


def measure_view(image: Image, *, bar_mm: float = BAR_MM) -> View:
    """Judge one image of the frame; the tray may be empty or not.

    Args:
        image: ``(h, w, 3)`` uint8 BGR.
        bar_mm: What the 100 mm bar measures on this print.

    Raises:
        CalibrationError: `bar_mm` is no plausible length.
    """
    rig = find_rig(image, bar_mm=bar_mm)
    seen = find_markers(image)
    quads = [quad for number, quad in seen.items() if rig and number in rig.markers]
    edge_px = edge_width(image, quads or list(seen.values()))
    size = (image.shape[1], image.shape[0])
    corners = _corners(seen, rig, bar_mm / BAR_MM)
    if rig is None:
        count = sum(corner.is_seen for corner in corners)
        problem = "bent" if count >= ENOUGH else "no_frame"
        return View(size, corners, count, edge_px, problems=(problem,))
    paper = _paper(image, quads)
    light = (paper / 255) ** GAMMA
    white = None if rig.white_bgr is None else max(rig.white_bgr)
    blue, green, red = rig.gains_bgr
    uneven = float(light.max() / max(light.min(), 1e-4)) if len(light) else None
    factor = 1.0 if white is None else (WHITE_AIM / max(white, 1.0)) ** GAMMA
    view = View(
        size_wh_px=size,
        corners=corners,
        markers=len(rig.markers),
        edge_px=edge_px,
        white=white,
        clipped=float((paper >= 250).mean()) if len(paper) else 0.0,
        uneven=uneven,
        exposure_factor=factor,
        colour_gains=(red / green, blue / green),
        px_per_mm=rig.px_per_mm,
        tilt_deg=rig.tilt_deg,
    )
    return _judged(view, rig)


def _corners(
    seen: dict[int, Points], rig: Rig | None, scale: float
) -> tuple[Corner, ...]:
    """Return the markers of the frame that most are seen of, as its corners."""

    def count(first: int) -> int:
        return sum(number in seen for number in range(first, first + 4))

    name = rig.frame if rig else max(FIRST_ID, key=lambda one: count(FIRST_ID[one]))
    found = []
    for index in range(4):
        quad = seen.get(FIRST_ID[name] + index)
        is_seen = quad is not None
        if quad is None and rig is not None and name in PAPERS:
            quad = rig.to_px(sheet(name).markers[index].corners_mm * scale)
        found.append(Corner(is_seen, () if quad is None else _outline(quad)))
    return tuple(found)


def _outline(quad: Points) -> Outline:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in quad)


def edge_width(image: Image, quads: list[Points]) -> float | None:
    """Return how wide the markers' outer edges are, 10 to 90 per cent, in pixels.

    Args:
        image: BGR or grey.
        quads: Corners of the markers, ``(4, 2)`` pixels each.

    Returns:
        The median over all sides; None without a marker.
    """
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    widths = [w for quad in quads for w in _side_widths(np.asarray(grey), quad)]
    return float(np.median(widths)) if widths else None


def _side_widths(grey: Image, quad: Points) -> list[float]:
    """Return the edge width of each side of a marker, from its mean profile."""
    side = float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())
    # A module of the marker is a sixth or eighth of its side: stay within one.
    reach = side / 9
    steps = np.arange(-reach, reach, 0.25)
    along = np.linspace(0.15, 0.85, 32)[:, None]
    found = []
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        way = (end - start) / np.linalg.norm(end - start)
        out = np.array([way[1], -way[0]])
        spots = (start + along * (end - start))[:, None] + steps[:, None] * out
        places = spots.astype(np.float32)
        profile = cv2.remap(
            grey, places[..., 0], places[..., 1], cv2.INTER_LINEAR
        ).astype(np.float64)
        found += [w for row in profile if (w := _rise(row)) is not None]
    return found


def _rise(profile: NDArray[np.float64]) -> float | None:
    """Return the width of one rise from black to white in pixels, None for no rise."""
    low, high = np.percentile(profile, (10, 90))
    if high - low < 30:
        return None
    share = (profile - low) / (high - low)
    above = np.flatnonzero(share > 0.9)
    if not above.size:
        return None
    below = np.flatnonzero(share[: above[0]] < 0.1)
    return float(above[0] - below[-1]) * 0.25 if below.size else None


def _paper(image: Image, quads: list[Points]) -> NDArray[np.float64]:
    """Return how bright the paper is beside each marker, ``(n,)`` of 255."""
    grey = image if image.ndim == 2 else image.max(axis=2)
    height, width = grey.shape
    found = []
    for quad in quads:
        middle = quad.mean(axis=0)
        # A marker's white border: a little outside its black edge.
        ring = middle + (np.repeat(quad, 2, axis=0) - middle) * 1.09
        ring[1::2] = (ring[1::2] + np.roll(ring[1::2], -1, axis=0)) / 2
        whole = np.round(ring).astype(int)
        inside = (whole >= 0).all(axis=1) & (whole < [width, height]).all(axis=1)
        if inside.sum() >= 4:
            found.append(float(np.median(grey[whole[inside, 1], whole[inside, 0]])))
    return np.array(found)


def _judged(view: View, rig: Rig) -> View:
    """Return the view with its problems, worst first."""
    red, blue = view.colour_gains
    off = {
        "blurred": view.edge_px is not None and view.edge_px > SHARP_PX,
        "dark": view.white is not None and view.white < WHITE_RANGE[0],
        "bright": (view.white is not None and view.white > WHITE_RANGE[1])
        or view.clipped > 0.25,
        "far": rig.px_per_mm < LEAST_PX_PER_MM,
        "marker_hidden": view.markers < 4,
        "tilted": rig.tilt_deg > MOST_TILT_DEG,
        "uneven": view.uneven is not None and view.uneven > UNEVEN,
        "tinted": max(red, blue, 1.0) / min(red, blue, 1.0) > TINTED,
    }
    return replace(view, problems=tuple(name for name, bad in off.items() if bad))
