"""The printed frame in view gives millimetres, a top view and white."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from device.errors import CalibrationError, TrayNotFound
from vision.frame import Image
from vision.markers import Points, apply
from vision.rig import Rig, find_rig, read_rig, straighten
from vision.sheet import (
    EDGE_MM,
    MARKER_MM,
    PIECE_MM,
    draw_piece,
    draw_sheet,
    sheet,
)

SIZE = (1536, 864)
CLOTH_BGR = (70, 96, 82)


def camera(
    tilt_deg: float, roll_deg: float, centre_mm: Points, height_mm: float
) -> Points:
    """Return the homography from mm in the plane to pixels of a pinhole camera."""
    focal = SIZE[0] / 2 / math.tan(math.radians(66) / 2)
    lens = np.array([[focal, 0, SIZE[0] / 2], [0, focal, SIZE[1] / 2], [0, 0, 1]])
    tilt = cv2.Rodrigues(np.array([math.radians(tilt_deg), 0, 0]))[0]
    roll = cv2.Rodrigues(np.array([0, 0, math.radians(roll_deg)]))[0]
    place = np.array([[1, 0, -centre_mm[0]], [0, 1, -centre_mm[1]], [0, 0, 0]])
    plane = tilt @ roll @ place
    plane[2, 2] += height_mm
    return lens @ plane


def photograph(
    paper: Image, px_per_mm: float, to_px: Points, noise: float = 3.0
) -> Image:
    """Lay a drawn paper on cloth and photograph it, a little blurred and noisy."""
    scale = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, px_per_mm]]) / px_per_mm
    scale[2, 2] = 1
    matrix = to_px @ scale
    paper = np.pad(paper, 0)
    seen = cv2.warpPerspective(
        cv2.cvtColor(paper, cv2.COLOR_GRAY2BGR), matrix, SIZE, flags=cv2.INTER_AREA
    )
    mask = (
        cv2.warpPerspective(np.full_like(paper, 255), matrix, SIZE)[..., None] / 255.0
    )
    light = np.array([0.72, 0.86, 0.9])
    image = seen * mask * light + np.array(CLOTH_BGR) * (1 - mask)
    image = cv2.GaussianBlur(image, (0, 0), 0.8)
    rng = np.random.default_rng(7)
    image = image + rng.normal(0, noise, image.shape)
    return np.clip(image, 0, 255).astype(np.uint8)


def error_mm(rig: Rig, to_px: Points, spots_mm: Points) -> float:
    """Return the worst error of the rig over places in the tray."""
    seen = apply(to_px, spots_mm)
    return float(np.linalg.norm(rig.to_mm(seen) - spots_mm, axis=1).max())


def spots(paper: str) -> Points:
    x, y, w, h = sheet(paper).tray_xywh_mm
    across = np.stack(
        np.meshgrid(np.linspace(x, x + w, 5), np.linspace(y, y + h, 5)), -1
    )
    return across.reshape(-1, 2)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(
    ("tilt_deg", "roll_deg"), [(0, 0), (4, 3), (9, -8), (15, 180), (22, 178)]
)
def test_frame_gives_millimetres_to_half_a_millimetre(
    paper: str, tilt_deg: float, roll_deg: float
) -> None:
    frame = sheet(paper)
    centre = np.array(frame.size_wh_mm) / 2
    to_px = camera(tilt_deg, roll_deg, centre, 460)
    rig = find_rig(photograph(draw_sheet(frame, 5), 5, to_px))
    assert rig is not None
    assert rig.frame == paper
    assert error_mm(rig, to_px, spots(paper)) < 0.5
    assert rig.tilt_deg == pytest.approx(tilt_deg, abs=2.5)
    assert rig.camera_mm[2] == pytest.approx(
        460 * math.cos(math.radians(tilt_deg)), abs=12
    )


def hidden(image: Image, to_px: Points, index: int) -> Image:
    """Lay a hand-coloured disc over one marker of an A4 frame."""
    marker = sheet("a4").markers[index]
    place = apply(to_px, marker.corners_mm).mean(axis=0)
    covered = image.copy()
    cv2.circle(covered, tuple(int(v) for v in place), 30, (120, 150, 200), -1)
    return covered


@pytest.mark.parametrize("index", range(4))
def test_three_of_four_markers_are_enough(index: int) -> None:
    to_px = camera(8, 5, np.array([148.5, 105]), 420)
    image = hidden(photograph(draw_sheet(sheet("a4"), 5), 5, to_px), to_px, index)
    rig = find_rig(image)
    assert rig is not None
    assert len(rig.markers) == 3
    assert error_mm(rig, to_px, spots("a4")) < 0.8


def test_two_markers_are_no_frame() -> None:
    to_px = camera(0, 0, np.array([148.5, 105]), 420)
    image = photograph(draw_sheet(sheet("a4"), 5), 5, to_px)
    image = hidden(hidden(image, to_px, 0), to_px, 2)
    assert find_rig(image) is None
    with pytest.raises(TrayNotFound, match="2 of its 4 markers"):
        read_rig(image)


def test_plain_picture_has_no_frame() -> None:
    assert find_rig(np.full((480, 640, 3), 128, np.uint8)) is None


def test_a_marker_moved_on_its_own_is_refused() -> None:
    to_px = camera(0, 0, np.array([148.5, 105]), 420)
    paper = draw_sheet(sheet("a4"), 5)
    near, far = round((EDGE_MM - 3) * 5), round((EDGE_MM + MARKER_MM + 3) * 5)
    cut = paper[near:far, near:far].copy()
    paper[near:far, near:far] = 255
    paper[near + 50 : far + 50, near + 70 : far + 70] = cut
    assert find_rig(photograph(paper, 5, to_px)) is None


def test_printer_scale_comes_from_the_measured_bar() -> None:
    to_px = camera(0, 0, np.array([148.5, 105]), 420)
    image = photograph(draw_sheet(sheet("a4"), 5), 5, to_px)
    plain, shrunk = read_rig(image), read_rig(image, bar_mm=97.0)
    assert shrunk.px_per_mm == pytest.approx(plain.px_per_mm / 0.97, rel=1e-6)
    with pytest.raises(CalibrationError, match="3 mm"):
        read_rig(image, bar_mm=3)


def test_grey_patches_give_white_balance() -> None:
    to_px = camera(3, 0, np.array([148.5, 105]), 420)
    rig = read_rig(photograph(draw_sheet(sheet("a4"), 5), 5, to_px))
    assert rig.white_bgr == pytest.approx((0.72 * 255, 0.86 * 255, 0.9 * 255), abs=5)
    assert not rig.over_exposed
    white = np.array(rig.white_bgr) * rig.gains_bgr
    assert np.ptp(white) < 1e-6


def laid_pieces(
    width_mm: float, height_mm: float, px_per_mm: float
) -> tuple[Image, Points]:
    """Lay four corner pieces round a tray by hand, a little turned.

    Returns the drawn plane and the mm offset of the tray's top left corner in it.
    """
    edge = PIECE_MM + 12
    size = np.array([width_mm + 2 * edge, height_mm + 2 * edge])
    plane = np.full(np.ceil(size[::-1] * px_per_mm).astype(int), 90, np.uint8)
    own_inner = np.array([[1, 1], [0, 1], [0, 0], [1, 0]]) * PIECE_MM
    tray = (
        np.array([[0, 0], [width_mm, 0], [width_mm, height_mm], [0, height_mm]]) + edge
    )
    for index, turn_deg in enumerate((3.0, -4.0, 2.0, 5.0)):
        piece = draw_piece(index, px_per_mm)
        turn = math.radians(turn_deg)
        spin = np.array(
            [[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]
        )
        start = (tray[index] - spin @ own_inner[index]) * px_per_mm
        matrix = np.column_stack([spin, start])
        wide = (plane.shape[1], plane.shape[0])
        laid = cv2.warpAffine(piece, matrix, wide)
        mask = cv2.warpAffine(np.full_like(piece, 255), matrix, wide) > 127
        plane[mask] = laid[mask]
    return plane, np.array([edge, edge])


@pytest.mark.parametrize(
    ("wide", "high", "tilt_deg"), [(380, 240, 0), (300, 220, 8), (400, 230, 14)]
)
def test_corner_pieces_round_any_tray_give_millimetres(
    wide: float, high: float, tilt_deg: float
) -> None:
    plane, offset = laid_pieces(wide, high, 3)
    centre = offset + np.array([wide, high]) / 2
    to_px = camera(tilt_deg, 2, centre, 560)
    rig = find_rig(photograph(plane, 3, to_px))
    assert rig is not None
    assert rig.frame == "corners"
    flat = rig.tray_outline_mm
    assert np.linalg.norm(flat[0]) < 0.01
    truth = np.array([[0, 0], [wide, 0], [wide, high], [0, high]])
    assert np.abs(flat - truth).max() < 1.5
    two = apply(to_px, np.array([[40.0, 60], [240, 160]]) + offset)
    length = np.linalg.norm(np.diff(rig.to_mm(two), axis=0))
    assert length == pytest.approx(math.hypot(200, 100), rel=0.004)


def test_top_view_is_straight_and_boxes_come_back() -> None:
    to_px = camera(14, 6, np.array([148.5, 105]), 420)
    image = photograph(draw_sheet(sheet("a4"), 5), 5, to_px)
    rig = read_rig(image)
    view = straighten(image, rig, px_per_mm=4.0)
    again = find_rig(view.image)
    assert again is None or again.tilt_deg < 3  # the margin may cut the markers
    x, y, _, _ = sheet("a4").tray_xywh_mm
    spot_mm = np.array([[x + 100.0, y + 50.0]])
    in_view = (spot_mm[0] - rig.tray_outline_mm.min(axis=0) + 12) * 4.0
    box = view.box_to_given((in_view[0] - 20, in_view[1] - 20, 40, 40))
    middle = (box[0] + box[2] / 2, box[1] + box[3] / 2)
    assert middle == pytest.approx(tuple(apply(to_px, spot_mm)[0]), abs=2.0)
    assert view.point_to_given((in_view[0], in_view[1])) == pytest.approx(
        tuple(apply(to_px, spot_mm)[0]), abs=1.5
    )


def test_camera_straight_above_needs_no_resampling() -> None:
    to_px = camera(0, 0, np.array([148.5, 105]), 420)
    image = photograph(draw_sheet(sheet("a4"), 5), 5, to_px)
    view = straighten(image, read_rig(image))
    assert np.shares_memory(view.image, image)
    left, top = view.point_to_given((0, 0))
    assert (image[round(top), round(left)] == view.image[0, 0]).all()


def test_top_view_of_another_size_is_refused() -> None:
    to_px = camera(0, 0, np.array([148.5, 105]), 420)
    image = photograph(draw_sheet(sheet("a4"), 5), 5, to_px)
    rig = read_rig(image)
    with pytest.raises(CalibrationError, match="1536x864"):
        straighten(image[:-1], rig)


def test_points_know_whether_they_lie_in_the_tray() -> None:
    to_px = camera(5, 0, np.array([148.5, 105]), 420)
    rig = read_rig(photograph(draw_sheet(sheet("a4"), 5), 5, to_px))
    inside, rim = apply(to_px, np.array([[148.0, 100.0], [25.0, 100.0]]))
    assert rig.has_in_tray(tuple(inside))
    assert not rig.has_in_tray(tuple(rim))
    assert rig.has_in_tray(tuple(rim), margin_mm=8)
