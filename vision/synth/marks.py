"""What is printed on a face, as masks: numerals, pips, and the demonstration set.

A mask is ``(size_px, size_px)`` uint8, upright, centred, 255 where ink is. A single
digit is `CAP_HEIGHT` of the mask high; icons and pips span about the same. The
renderer scales the whole mask into the face.

Font files are for training only. The Debian packages that training asks for:
fonts-dejavu fonts-liberation fonts-urw-base35 fonts-texgyre fonts-lato fonts-inter
fonts-roboto-unhinted fonts-roboto-slab fonts-open-sans fonts-ebgaramond fonts-vollkorn
fonts-league-spartan fonts-comfortaa fonts-jura fonts-dosis fonts-play fonts-okolaks
fonts-beteckna fonts-averia-sans-gwf fonts-averia-serif-gwf fonts-bebas-neue
fonts-adf-gillius fonts-adf-mekanus fonts-adf-oldania fonts-adf-tribun fonts-stix
fonts-dustin fonts-dkg-handwriting fonts-lobster fonts-kaushanscript fonts-sjfonts
fonts-osifont fonts-routed-gothic fonts-gotico-antiqua fonts-goudybookletter
fonts-font-awesome fonts-symbola; any other Latin family beside them is used as well.
"""

from __future__ import annotations

import hashlib
import pathlib
import random
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth import icons, strokes

Mask = NDArray[np.uint8]

CAP_HEIGHT = 0.56
"""Height of one digit over the side of its mask."""

INK = (255,)

NUMERAL_MARKS = ("none", "line", "dot")
"""What tells a 6 from a 9: nothing, a line below, a dot beside or below."""

FONT_FOLDER = pathlib.Path("/usr/share/fonts")

_FONT_WORDS_OUT = (
    "symbol awesome emoji math italic oblique thin hairline outline initials ornament "
    "opensymbol icons entypo isabella inverse glyphicons"
)
"""No digits, no readable digits, or only slanted twins of another file."""

_FILES_PER_FAMILY = 5
"""Weights of one family that training draws; more would drown the other families."""


def numeral(
    text: str,
    style: strokes.StrokeStyle,
    size_px: int = 128,
    mark: str = "none",
    rng: random.Random | None = None,
) -> Mask:
    """Draw a numeral with one of our stroke fonts.

    Args:
        text: Digits, e.g. ``"17"``, ``"00"``.
        style: From `strokes.stroke_style`, or `strokes.HOUSE_STYLE`.
        size_px: Side of the mask.
        mark: One of `NUMERAL_MARKS`.
        rng: Varies the mark's place and weight; None draws it plainly.
    """
    mask = strokes.draw_strokes(text, style, size_px, CAP_HEIGHT)
    return with_mark(mask, mark, rng)


def font_numeral(
    font_path: str,
    text: str,
    size_px: int = 128,
    mark: str = "none",
    rng: random.Random | None = None,
) -> Mask:
    """Draw a numeral from a font file (training only; needs Pillow)."""
    from PIL import Image, ImageDraw, ImageFont

    probe = ImageFont.truetype(font_path, 200)
    _, top, _, bottom = probe.getbbox("8")
    left, _, right, _ = probe.getbbox(text)
    scale = min(
        CAP_HEIGHT * size_px / max(1, bottom - top),
        0.92 * size_px / max(1, right - left),
    )
    font = ImageFont.truetype(font_path, max(4, round(200 * scale)))
    left, top, right, bottom = font.getbbox(text)
    page = Image.new("L", (size_px, size_px), 0)
    where = ((size_px - left - right) / 2, (size_px - top - bottom) / 2)
    ImageDraw.Draw(page).text(where, text, fill=255, font=font)
    return with_mark(np.array(page, dtype=np.uint8), mark, rng)


def with_mark(mask: Mask, mark: str, rng: random.Random | None = None) -> Mask:
    """Return the mask with the mark of a 6 or 9, both together centred again."""
    if mark == "none" or not mask.any():
        return mask
    vary = rng.uniform if rng is not None else lambda low, high: (low + high) / 2
    rows, columns = np.nonzero(mask > 127)
    x0, x1, y0, y1 = columns.min(), columns.max(), rows.min(), rows.max()
    high = y1 - y0
    out = mask.copy()
    if mark == "line":
        thick = max(1.0, high * vary(0.08, 0.15))
        gap = high * vary(0.07, 0.16)
        half = (x1 - x0) / 2 * vary(0.75, 1.2)
        middle = (x0 + x1) / 2
        corners = [(middle - half, y1 + gap), (middle + half, y1 + gap + thick)]
        a, b = (tuple(round(16 * v) for v in corner) for corner in corners)
        cv2.rectangle(out, a, b, INK, -1, cv2.LINE_AA, 4)
    elif mark == "dot":
        radius = high * vary(0.06, 0.11)
        below = rng is not None and rng.random() < 0.25
        x, y = x1 + radius * vary(1.6, 2.4), y1 - radius
        if below:
            x, y = (x0 + x1) / 2, y1 + radius + high * vary(0.06, 0.14)
        centre = (round(16 * x), round(16 * y))
        cv2.circle(out, centre, round(16 * radius), INK, -1, cv2.LINE_AA, 4)
    else:
        raise ValueError(f"mark must be one of {NUMERAL_MARKS}, not {mark!r}")
    return centred(out)


def centred(mask: Mask) -> Mask:
    """Return the mask moved so that the box of its ink is in the middle."""
    rows, columns = np.nonzero(mask > 127)
    if len(rows) == 0:
        return mask
    size = mask.shape[0]
    dx = (size - 1 - columns.min() - columns.max()) / 2
    dy = (size - 1 - rows.min() - rows.max()) / 2
    move = np.array([[1, 0, dx], [0, 1, dy]], dtype=np.float64)
    moved: Mask = cv2.warpAffine(mask, move, (size, size)).astype(np.uint8)
    return moved


@dataclass(frozen=True, slots=True)
class PipStyle:
    """How one d6 shows its spots.

    Attributes:
        spread: Distance of a corner pip from the middle, over half the mask.
        radius: Of a pip, over half the mask.
        one_scale: The single pip of a 1 is larger by this factor.
        ring: Pips are rings.
        turned: The 2, 3 and 6 lie along the other direction.
        straight_two: The 2 lies along an edge instead of a diagonal.
        narrow_six: Columns of the 6 stand closer, by this factor.
    """

    spread: float = 0.46
    radius: float = 0.15
    one_scale: float = 1.0
    ring: bool = False
    turned: bool = False
    straight_two: bool = False
    narrow_six: float = 1.0


def pip_style(rng: random.Random) -> PipStyle:
    """Return a random style of pips."""
    spread = rng.uniform(0.38, 0.64)
    return PipStyle(
        spread=spread,
        radius=rng.uniform(0.09, min(0.2, spread * 0.42, 0.82 - spread)),
        one_scale=rng.choice((1.0, 1.0, rng.uniform(1.2, 1.9))),
        ring=rng.random() < 0.06,
        turned=rng.random() < 0.5,
        straight_two=rng.random() < 0.12,
        narrow_six=rng.choice((1.0, rng.uniform(0.8, 1.0))),
    )


_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}


def pips(count: int, style: PipStyle | None = None, size_px: int = 128) -> Mask:
    """Draw the pips of a d6 face.

    Args:
        count: 1..6.
        style: None draws plain pips.
        size_px: Side of the mask; the whole mask is the face, edge to edge.
    """
    style = style or PipStyle()
    big = np.zeros((2 * size_px, 2 * size_px), dtype=np.uint8)
    half = float(size_px)
    for px, py in _PIPS[count]:
        dx, dy = px * style.spread, py * style.spread
        if count == 6:
            dx *= style.narrow_six
        if count == 2 and style.straight_two:
            dy = 0.0
        if style.turned:
            dx, dy = -dy, dx
        radius = style.radius * (style.one_scale if count == 1 else 1.0)
        centre = (round(16 * half * (1 + dx)), round(16 * half * (1 + dy)))
        wide = max(1, round(half * radius * 0.45)) if style.ring else -1
        cv2.circle(big, centre, round(16 * half * radius), INK, wide, cv2.LINE_AA, 4)
    small: Mask = cv2.resize(
        big, (size_px, size_px), interpolation=cv2.INTER_AREA
    ).astype(np.uint8)
    return small


def face_mask(key: str, size_px: int = 128) -> Mask:
    """Draw a face of the demonstration set (its own icons, not the printed dice).

    Args:
        key: Digits (6 and 9 get a line), an icon of `icons.NAMES`, ``blank``, or two
            of them joined by ``+``.
        size_px: Side of the mask.

    Raises:
        KeyError: No such icon.
    """
    if key == "blank":
        return np.zeros((size_px, size_px), dtype=np.uint8)
    if key.isdigit():
        mark = "line" if key in ("6", "9") else "none"
        return numeral(key, strokes.HOUSE_STYLE, size_px, mark)
    parts = [icons.icon(part, size_px) for part in key.split("+")]
    return parts[0] if len(parts) == 1 else icons.side_by_side(parts)


def training_fonts(folder: pathlib.Path = FONT_FOLDER) -> tuple[list[str], list[str]]:
    """Return font files with readable digits: for training, and held out.

    The split goes by family (a weight of a held-out family is never trained on) and
    depends on the family's name only. Needs Pillow.
    """
    from PIL import ImageFont

    families: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*")):
        name = path.name.lower()
        if path.suffix.lower() not in (".ttf", ".otf"):
            continue
        if any(word in name for word in _FONT_WORDS_OUT.split()):
            continue
        try:
            family = (ImageFont.truetype(str(path), 20).getname()[0] or name).split()[0]
        except OSError:
            continue
        if _has_digits(str(path)):
            families.setdefault(family.lower(), []).append(str(path))
    train: list[str] = []
    held: list[str] = []
    for family, files in sorted(families.items()):
        digest = hashlib.sha256(family.encode()).digest()[0]
        step = max(1, len(files) // _FILES_PER_FAMILY)
        (held if digest % 5 == 0 else train).extend(files[::step][:_FILES_PER_FAMILY])
    return train, held


def _has_digits(font_path: str) -> bool:
    """True where the ten digits are drawn, each different from the others."""
    try:
        drawn = [font_numeral(font_path, digit, 32) for digit in "0123456789"]
    except (OSError, ValueError):
        return False
    different = len({mask.tobytes() for mask in drawn}) == len(drawn)
    return different and all(0.02 < mask.mean() / 255 < 0.4 for mask in drawn)
