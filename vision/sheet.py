"""The printed frame in millimetres: what is on the sheet, and where.

One list of marks serves the printer (`vision.mat`), the finder of the frame
(`vision.rig`) and the simulated tray, so they cannot disagree. All lengths are in mm
on paper, x right, y down, origin at the sheet's top left corner (of the corner
pieces: at the inner corner of the top left piece once they lie round a tray).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

DICTIONARY = cv2.aruco.DICT_4X4_50
"""The smallest dictionary: its cells are the largest for a given marker."""

BAR_MM = 100.0
"""Length of the bar that set-up asks to measure; printers scale."""

MARKER_MM = 20.0
"""Side of a sheet's marker: 6 cells of 3.3 mm, 7 px each at 2 px/mm."""

EDGE_MM = 7.0
"""White between paper edge and marker: most printers leave 5 mm, a marker needs 3.3."""

TRAY_INSET_MM = 31.0
"""From the paper edge to the tray's outline."""

PIECE_MARKER_MM = 40.0
"""Side of a corner piece's marker: pieces are seen from farther away, and their
markers alone give the millimetres."""

PIECE_BORDER_MM = 7.0
"""White from a piece's marker to its cut edge."""

CORNERS_MAX_MM = 400.0
"""Largest inner side of a tray that the corner pieces are meant for."""

PATCH_LEVELS = (1.0, 0.65, 0.35, 0.0)
"""Lightness of the grey patches as printed, 1 = bare paper."""

PAPERS = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}
"""Width and height of the sheets, lying (landscape), in mm."""


@dataclass(frozen=True, slots=True)
class Marker:
    """One ArUco marker: its id, the top left corner and the side of its black."""

    id: int
    x_mm: float
    y_mm: float
    side_mm: float

    @property
    def corners_mm(self) -> NDArray[np.float64]:
        """``(4, 2)``: top left, top right, bottom right, bottom left."""
        x, y, s = self.x_mm, self.y_mm, self.side_mm
        return np.array([[x, y], [x + s, y], [x + s, y + s], [x, y + s]])


@dataclass(frozen=True, slots=True)
class Patch:
    """A grey rectangle; `level` is its lightness, 1 = bare paper, 0 = full ink."""

    x_mm: float
    y_mm: float
    width_mm: float
    height_mm: float
    level: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """A one-sheet frame.

    Attributes:
        name: ``a4`` or ``letter``.
        size_wh_mm: Of the paper, lying.
        markers: Top left, top right, bottom right, bottom left.
        patches: Grey patches, for white balance and exposure.
        bar_xy_mm: Left end of the horizontal bar of `BAR_MM`.
        tray_xywh_mm: The area dice are thrown in.
    """

    name: str
    size_wh_mm: tuple[float, float]
    markers: tuple[Marker, Marker, Marker, Marker]
    patches: tuple[Patch, ...]
    bar_xy_mm: tuple[float, float]
    tray_xywh_mm: tuple[float, float, float, float]

    @property
    def tray_outline_mm(self) -> NDArray[np.float64]:
        """``(4, 2)``, clockwise from the top left."""
        x, y, w, h = self.tray_xywh_mm
        return np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])


FIRST_ID = {"a4": 0, "letter": 4, "corners": 8}
"""Markers count up from here, so that the frame tells which one it is."""


@cache
def sheet(paper: str) -> Sheet:
    """Return the one-sheet frame for a paper.

    Raises:
        KeyError: Neither ``a4`` nor ``letter``.
    """
    width, height = PAPERS[paper]
    first = FIRST_ID[paper]
    right, bottom = width - EDGE_MM - MARKER_MM, height - EDGE_MM - MARKER_MM
    places = ((EDGE_MM, EDGE_MM), (right, EDGE_MM), (right, bottom), (EDGE_MM, bottom))
    one, two, three, four = (
        Marker(first + i, x, y, MARKER_MM) for i, (x, y) in enumerate(places)
    )
    size = 12.0
    start = (width - len(PATCH_LEVELS) * size) / 2
    patches = tuple(
        Patch(start + i * size, EDGE_MM, size, size, level)
        for i, level in enumerate(PATCH_LEVELS)
    )
    inset = TRAY_INSET_MM
    return Sheet(
        name=paper,
        size_wh_mm=(width, height),
        markers=(one, two, three, four),
        patches=patches,
        bar_xy_mm=((width - BAR_MM) / 2, height - EDGE_MM - 4.0),
        tray_xywh_mm=(inset, inset, width - 2 * inset, height - 2 * inset),
    )


PIECE_MM = PIECE_MARKER_MM + 2 * PIECE_BORDER_MM
"""Side of a square corner piece: marker and white border."""


def piece_marker(index: int) -> Marker:
    """Return the marker of a corner piece, origin at the piece's own top left.

    Args:
        index: 0..3: top left, top right, bottom right, bottom left.
    """
    return Marker(
        FIRST_ID["corners"] + index, PIECE_BORDER_MM, PIECE_BORDER_MM, PIECE_MARKER_MM
    )


def piece_patches() -> tuple[Patch, ...]:
    """Return a corner piece's grey patches, in its own mm, above its marker."""
    width, height = PIECE_MARKER_MM / len(PATCH_LEVELS), PIECE_BORDER_MM - 3.0
    return tuple(
        Patch(PIECE_BORDER_MM + i * width, 1.0, width, height, level)
        for i, level in enumerate(PATCH_LEVELS)
    )


def marker_cells(marker_id: int) -> NDArray[np.bool_]:
    """Return a marker's ``(6, 6)`` cells, True = black, border included."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    drawn = np.asarray(cv2.aruco.generateImageMarker(dictionary, marker_id, 6))
    return np.asarray(drawn < 128)


def draw_sheet(frame: Sheet, px_per_mm: float) -> Image:
    """Draw the frame as seen from straight above: white paper, marks, no text.

    Args:
        frame: The sheet.
        px_per_mm: Scale, >= 1.

    Returns:
        ``(h, w)`` uint8 grey.
    """
    x, y, w, h = frame.tray_xywh_mm
    line = 0.4
    outline = (
        Patch(x, y, w, line, 0.6),
        Patch(x, y + h - line, w, line, 0.6),
        Patch(x, y, line, h, 0.6),
        Patch(x + w - line, y, line, h, 0.6),
    )
    bar = Patch(*frame.bar_xy_mm, BAR_MM, 1.0, 0.0)
    marks = (*frame.patches, bar, *outline)
    return _draw(frame.size_wh_mm, frame.markers, marks, px_per_mm)


def draw_piece(index: int, px_per_mm: float) -> Image:
    """Draw a corner piece as seen from straight above; arguments as elsewhere.

    Returns:
        ``(h, w)`` uint8 grey.
    """
    size = (PIECE_MM, PIECE_MM)
    return _draw(size, (piece_marker(index),), piece_patches(), px_per_mm)


def _draw(
    size_wh_mm: tuple[float, float],
    markers: tuple[Marker, ...],
    patches: tuple[Patch, ...],
    px_per_mm: float,
) -> Image:
    """Paint black cells and grey patches on white, four times finer, then shrink."""
    finer = 4
    width, height = (round(side * px_per_mm) for side in size_wh_mm)
    paper = np.full((height * finer, width * finer), 255, np.uint8)
    unit = px_per_mm * finer
    cells = tuple(
        Patch(
            marker.x_mm + column * marker.side_mm / 6,
            marker.y_mm + row * marker.side_mm / 6,
            marker.side_mm / 6,
            marker.side_mm / 6,
            0.0,
        )
        for marker in markers
        for row, column in np.argwhere(marker_cells(marker.id))
    )
    for patch in (*cells, *patches):
        left, top = round(patch.x_mm * unit), round(patch.y_mm * unit)
        right = round((patch.x_mm + patch.width_mm) * unit)
        bottom = round((patch.y_mm + patch.height_mm) * unit)
        paper[top:bottom, left:right] = round(patch.level * 255)
    small = cv2.resize(paper, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)
