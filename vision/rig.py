"""Where the camera stands: the printed frame in view gives millimetres and white.

Pipeline of `find_rig`:

1. Find the ArUco markers; three of the frame's four are enough.
2. Fit the homography from image to the paper's plane, in millimetres. The one-sheet
   frames have known places; loose corner pieces only a known size, so there the
   homography is the one that makes every marker a square of that size.
3. Refuse what does not fit (a marker on a bent sheet, a photograph of a marker).
4. Read the grey patches for white balance and exposure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from device.errors import CalibrationError, TrayNotFound
from vision.frame import Image, read_only
from vision.markers import (
    Points,
    apply,
    find_markers,
    fit_pieces,
    fit_sheet,
    inverse,
    patch_places,
)
from vision.sheet import BAR_MM, FIRST_ID, PAPERS

FIELD_OF_VIEW_DEG = 66.0
"""Horizontal field of view assumed for parallax: Raspberry Pi Camera Module 3."""

FLAT_TILT_DEG = 2.5
"""Below this tilt the given image serves as top view, without resampling."""

CLIPPED = 250.0
"""A white patch brighter than this (of 255) tells of over-exposure."""


@dataclass(frozen=True, slots=True, eq=False)
class Rig:
    """The camera's place over the frame.

    Attributes:
        frame: ``a4``, ``letter`` or ``corners``.
        size_wh_px: Of the images it holds for.
        homography: ``(3, 3)`` float64, image pixels to mm in the paper's plane.
        px_per_mm: Scale at the middle of the tray, in the given image.
        tray_outline_px: ``(4, 2)`` float64, clockwise from the tray's top left.
        tray_outline_mm: The same in mm.
        camera_mm: Camera centre ``(x, y, height)`` over the plane, for parallax.
        tilt_deg: Of the optical axis against the plumb line.
        white_bgr: Bare paper as seen, 0..255, or None where it cannot be judged.
        black_bgr: Full ink as seen.
        markers: Ids of the markers in view.
    """

    frame: str
    size_wh_px: tuple[int, int]
    homography: Points
    px_per_mm: float
    tray_outline_px: Points
    tray_outline_mm: Points
    camera_mm: tuple[float, float, float]
    tilt_deg: float
    white_bgr: tuple[float, float, float] | None
    black_bgr: tuple[float, float, float] | None
    markers: tuple[int, ...]

    def __post_init__(self) -> None:
        for array in (self.homography, self.tray_outline_px, self.tray_outline_mm):
            read_only(array)

    @property
    def gains_bgr(self) -> tuple[float, float, float]:
        """Factors that make the paper neutral; ``(1, 1, 1)`` where unknown."""
        if self.white_bgr is None or min(self.white_bgr) < 1:
            return (1.0, 1.0, 1.0)
        mean = sum(self.white_bgr) / 3
        blue, green, red = (mean / channel for channel in self.white_bgr)
        return (blue, green, red)

    @property
    def over_exposed(self) -> bool:
        """True where the paper is clipped: lower the exposure."""
        return self.white_bgr is not None and max(self.white_bgr) > CLIPPED

    def to_mm(self, points_px: Points) -> Points:
        """Map ``(n, 2)`` pixels of the given image to mm in the paper's plane."""
        return apply(self.homography, points_px)

    def to_px(self, points_mm: Points) -> Points:
        """Map ``(n, 2)`` mm in the paper's plane to pixels of the given image."""
        return apply(inverse(self.homography), points_mm)

    def has_in_tray(self, point_px: tuple[float, float], margin_mm: float = 0) -> bool:
        """True where a point lies in the tray, or at most `margin_mm` outside."""
        x, y = _mapped(self.homography, point_px)
        outline = self.tray_outline_mm.astype(np.float32)
        inside = cv2.pointPolygonTest(outline, (x, y), True)
        return bool(inside >= -margin_mm)


@dataclass(frozen=True, slots=True, eq=False)
class TopView:
    """The tray as seen from straight above.

    Attributes:
        image: ``(h, w, 3)`` uint8 BGR; the given image itself where it is flat enough.
        px_per_mm: Its scale.
        to_given: ``(3, 3)`` float64, its pixels to those of the given image.
    """

    image: Image
    px_per_mm: float
    to_given: Points

    def box_to_given(
        self, box_xywh_px: tuple[float, float, float, float]
    ) -> tuple[float, float, float, float]:
        """Map an upright box to the upright box round it in the given image."""
        x, y, w, h = box_xywh_px
        corners = np.array([[x, y], [x + w, y], [x + w, y + h], [x, y + h]])
        mapped = apply(self.to_given, corners)
        (left, top), (right, bottom) = mapped.min(axis=0), mapped.max(axis=0)
        return (float(left), float(top), float(right - left), float(bottom - top))

    def point_to_given(self, point_px: tuple[float, float]) -> tuple[float, float]:
        """Map one point to the given image."""
        return _mapped(self.to_given, point_px)

    def point_to_view(self, point_px: tuple[float, float]) -> tuple[float, float]:
        """Map one point of the given image to the view."""
        return _mapped(inverse(self.to_given), point_px)


def _mapped(homography: Points, point: tuple[float, float]) -> tuple[float, float]:
    """Map one point; quicker than `apply`."""
    x, y, w = (homography @ (*point, 1.0)).tolist()
    return (x / w, y / w)


def find_rig(image: Image, *, bar_mm: float = BAR_MM) -> Rig | None:
    """Find the printed frame.

    Args:
        image: ``(h, w, 3)`` BGR or ``(h, w)`` grey, uint8.
        bar_mm: What the 100 mm bar measures on this print.

    Returns:
        The rig, or None where the frame is not in view (fewer than three of its four
        markers, or markers that do not fit one flat sheet).

    Raises:
        CalibrationError: `bar_mm` is no plausible length of the bar.
    """
    if not 50 <= bar_mm <= 200:
        raise CalibrationError(
            f"the 100 mm bar cannot measure {bar_mm:g} mm: 50 to 200"
        )
    seen = find_markers(image)
    scale = bar_mm / BAR_MM
    for name, first in FIRST_ID.items():
        mine = {i - first: seen[i] for i in range(first, first + 4) if i in seen}
        if len(mine) < 3:
            continue
        fitted = (
            fit_sheet(name, mine, scale) if name in PAPERS else fit_pieces(mine, scale)
        )
        if fitted is not None:
            homography, outline_mm = fitted
            marks = patch_places(name, mine, homography, scale)
            ids = tuple(sorted(i + first for i in mine))
            return _rig(image, name, homography, outline_mm, marks, ids)
    return None


def read_rig(image: Image, *, bar_mm: float = BAR_MM) -> Rig:
    """Find the printed frame where it must be in view.

    Raises:
        TrayNotFound: It is not; the text says how many markers were seen.
        CalibrationError: As `find_rig`.
    """
    rig = find_rig(image, bar_mm=bar_mm)
    if rig is None:
        count = len(find_markers(image))
        raise TrayNotFound(
            f"the printed frame is not in view: {count} of its 4 markers seen, 3 are "
            "needed; move the camera up, light the tray evenly, lay the sheet flat"
        )
    return rig


def straighten(image: Image, rig: Rig, px_per_mm: float | None = None) -> TopView:
    """Return the tray from straight above, a die's height inside the outline included.

    Args:
        image: Of the size the rig was found in, BGR.
        rig: Where the camera stands.
        px_per_mm: Scale wanted; by default that of the given image.

    Raises:
        CalibrationError: The image has another size than the rig.
    """
    height, width = image.shape[:2]
    if (width, height) != rig.size_wh_px:
        wide, high = rig.size_wh_px
        raise CalibrationError(
            f"the rig is for {wide}x{high} pixels, this image has {width}x{height}"
        )
    scale = rig.px_per_mm if px_per_mm is None else px_per_mm
    margin = 12.0
    low = rig.tray_outline_mm.min(axis=0) - margin
    high_mm = rig.tray_outline_mm.max(axis=0) + margin
    if px_per_mm is None and rig.tilt_deg < FLAT_TILT_DEG:
        corners = np.array([low, [high_mm[0], low[1]], high_mm, [low[0], high_mm[1]]])
        box = rig.to_px(corners)
        left, top = np.maximum(np.floor(box.min(axis=0)), 0).astype(int)
        right, bottom = np.ceil(box.max(axis=0)).astype(int)
        shift = np.array([[1.0, 0, left], [0, 1, top], [0, 0, 1]])
        return TopView(image[top:bottom, left:right], scale, shift)
    to_top = np.array(
        [[scale, 0, -low[0] * scale], [0, scale, -low[1] * scale], [0, 0, 1]]
    )
    matrix = to_top @ rig.homography
    size = np.ceil((high_mm - low) * scale).astype(int)
    warped = cv2.warpPerspective(image, matrix, (int(size[0]), int(size[1])))
    return TopView(np.asarray(warped, np.uint8), scale, inverse(matrix))


def top_view(image: Image, rig: Rig | None) -> TopView:
    """Return the top view; the image itself, its scale 0, where no frame gives one.

    Raises:
        CalibrationError: The image has another size than the rig.
    """
    if rig is None:
        return TopView(image, 0.0, np.eye(3))
    return straighten(image, rig)


def camera_over_px(view: TopView, rig: Rig) -> tuple[float, float, float]:
    """Return where the camera hangs over a top view, and how high, in its pixels."""
    x_mm, y_mm, height_mm = rig.camera_mm
    x, y = rig.to_px(np.array([[x_mm, y_mm]]))[0]
    u, v, w = np.linalg.inv(view.to_given) @ [x, y, 1.0]
    return (float(u / w), float(v / w), height_mm * view.px_per_mm)


def _seen(image: Image, places: Points) -> tuple[float, float, float] | None:
    """Return the median colour at some places, or None where most lie outside."""
    if image.ndim == 2:
        return None
    height, width = image.shape[:2]
    whole = np.round(places).astype(int)
    inside = (whole >= 0).all(axis=1) & (whole < [width, height]).all(axis=1)
    if inside.mean() < 0.7:
        return None
    blue, green, red = np.median(image[whole[inside, 1], whole[inside, 0]], axis=0)
    return (float(blue), float(green), float(red))


def _rig(
    image: Image,
    name: str,
    homography: Points,
    outline_mm: Points,
    marks: dict[float, Points],
    ids: tuple[int, ...],
) -> Rig:
    """Put the rig together."""
    height, width = image.shape[:2]
    outline_px = apply(inverse(homography), outline_mm)
    ratio = cv2.contourArea(outline_px.astype(np.float32)) / cv2.contourArea(
        outline_mm.astype(np.float32)
    )
    camera, tilt = _camera(homography, (width, height))
    white, black = _seen(image, marks[1.0]), _seen(image, marks[0.0])
    if white is not None and black is not None and white[1] - black[1] < 40:
        white = black = None  # covered, or in deep shadow
    return Rig(
        frame=name,
        size_wh_px=(width, height),
        homography=homography,
        px_per_mm=math.sqrt(ratio),
        tray_outline_px=outline_px,
        tray_outline_mm=outline_mm.copy(),
        camera_mm=camera,
        tilt_deg=tilt,
        white_bgr=white,
        black_bgr=black,
        markers=ids,
    )


def _camera(
    homography: Points, size_wh_px: tuple[int, int]
) -> tuple[tuple[float, float, float], float]:
    """Return the camera's centre over the plane in mm, and its tilt in degrees."""
    width, height = size_wh_px
    focal = width / 2 / math.tan(math.radians(FIELD_OF_VIEW_DEG) / 2)
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    bare = np.linalg.inv(lens) @ np.linalg.inv(homography)
    bare /= (np.linalg.norm(bare[:, 0]) + np.linalg.norm(bare[:, 1])) / 2
    if bare[2, 2] < 0:
        bare = -bare
    normal = np.cross(bare[:, 0], bare[:, 1])
    turn, _, other = np.linalg.svd(np.column_stack([bare[:, 0], bare[:, 1], normal]))
    rotation = turn @ other
    centre = -rotation.T @ bare[:, 2]
    tilt = math.degrees(math.acos(min(1.0, abs(float(rotation[2, 2])))))
    x, y, z = (float(value) for value in centre)
    return (x, y, abs(z)), tilt
