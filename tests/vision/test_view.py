"""Set-up tells whether focus, light and place are good, on drawn photographs."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.test_rig import camera, photograph
from vision.frame import Image
from vision.markers import Points, apply
from vision.sheet import draw_sheet, sheet
from vision.view import ADVICE, SHARP_PX, measure_view

MIDDLE = np.array(sheet("a4").size_wh_mm) / 2


def shot(
    height_mm: float = 420.0, tilt_deg: float = 0.0, roll_deg: float = 0.0
) -> Image:
    to_px = camera(tilt_deg, roll_deg, MIDDLE, height_mm)
    return photograph(draw_sheet(sheet("a4"), 5), 5, to_px)


def places(tilt_deg: float = 0.0, roll_deg: float = 0.0) -> list[Points]:
    """Return where the markers of `shot` are, clockwise from the sheet's top left."""
    to_px = camera(tilt_deg, roll_deg, MIDDLE, 420.0)
    return [apply(to_px, marker.corners_mm) for marker in sheet("a4").markers]


def covered(image: Image, *quads: Points) -> Image:
    """Lay cards over some markers."""
    image = image.copy()
    for quad in quads:
        cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), (60, 90, 160))
    return image


@pytest.fixture(scope="module")
def good() -> Image:
    return shot()


def test_a_good_picture_has_no_problem(good: Image) -> None:
    view = measure_view(good)
    assert view.is_good, view
    assert view.markers == 4
    assert view.edge_px is not None and view.edge_px < SHARP_PX
    assert view.exposure_factor == pytest.approx(1, abs=0.5)


@pytest.mark.parametrize("sigma", [1.5, 2.5])
def test_blur_is_measured_in_pixels_of_the_edge(good: Image, sigma: float) -> None:
    view = measure_view(cv2.GaussianBlur(good, (0, 0), sigma))
    # A blurred step takes 2.56 sigma from 10 to 90 per cent; it was 0.8 before.
    assert view.edge_px == pytest.approx(2.56 * np.hypot(sigma, 0.8), rel=0.25)
    assert view.problems[0] == "blurred"


@pytest.mark.parametrize(("factor", "problem"), [(0.4, "dark"), (1.6, "bright")])
def test_light_that_is_off_says_by_how_much(
    good: Image, factor: float, problem: str
) -> None:
    image = np.clip(good * factor, 0, 255).astype(np.uint8)
    view = measure_view(image)
    assert problem in view.problems
    if problem == "dark":
        assert view.exposure_factor > 2
        light = (image / 255.0) ** 2.2 * view.exposure_factor
        mended = (np.clip(light, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
        assert "dark" not in measure_view(mended).problems
    else:
        assert view.exposure_factor < 1


def test_a_lamp_from_one_side_is_said(good: Image) -> None:
    fall = np.linspace(1.0, 0.6, good.shape[1])[None, :, None]
    assert "uneven" in measure_view((good * fall).astype(np.uint8)).problems


def test_colour_gains_make_the_paper_neutral(good: Image) -> None:
    tinted = (good * np.array([0.55, 0.9, 1.0])).astype(np.uint8)
    view = measure_view(tinted)
    assert "tinted" in view.problems
    red, blue = view.colour_gains
    mended = np.clip(tinted * np.array([blue, 1.0, red]), 0, 255).astype(np.uint8)
    again = measure_view(mended).colour_gains
    assert again == pytest.approx((1, 1), abs=0.05)


def test_a_camera_too_high_or_not_level_is_said() -> None:
    assert "far" in measure_view(shot(height_mm=900)).problems
    assert "tilted" in measure_view(shot(height_mm=440, tilt_deg=15)).problems


def test_without_the_frame_that_alone_is_said() -> None:
    empty = np.full((864, 1536, 3), 90, np.uint8)
    view = measure_view(empty)
    assert view.problems == ("no_frame",)
    assert view.edge_px is None
    assert not any(corner.is_seen or corner.outline_px for corner in view.corners)


@pytest.mark.parametrize("roll_deg", [0.0, 180.0])
def test_each_marker_is_outlined_and_says_which_corner_of_the_sheet_it_is(
    roll_deg: float,
) -> None:
    view = measure_view(shot(tilt_deg=4, roll_deg=roll_deg))
    assert view.size_wh_px == (1536, 864)
    assert [corner.is_seen for corner in view.corners] == [True] * 4
    for corner, place in zip(view.corners, places(4, roll_deg), strict=True):
        assert np.abs(np.array(corner.outline_px) - place).max() < 1.5


def test_a_hidden_marker_is_named_and_looked_for_in_its_place(good: Image) -> None:
    view = measure_view(covered(good, places()[1]))
    assert [corner.is_seen for corner in view.corners] == [True, False, True, True]
    assert view.problems == ("marker_hidden",)
    found = np.array(view.corners[1].outline_px)
    assert np.abs(found - places()[1]).max() < 3


def test_two_markers_say_which_corners_they_are_and_nothing_of_the_others(
    good: Image,
) -> None:
    view = measure_view(covered(good, places()[0], places()[3]))
    assert [corner.is_seen for corner in view.corners] == [False, True, True, False]
    assert [len(corner.outline_px) for corner in view.corners] == [0, 4, 4, 0]
    assert (view.markers, view.problems) == (2, ("no_frame",))


def test_a_sheet_that_does_not_lie_flat_is_not_called_out_of_view(good: Image) -> None:
    x, y = places()[2].mean(axis=0)
    turn = cv2.getRotationMatrix2D((x, y), 20, 1.0)
    turned = cv2.warpAffine(good, turn, good.shape[1::-1])
    near = np.s_[round(y) - 36 : round(y) + 36, round(x) - 36 : round(x) + 36]
    bent = good.copy()
    bent[near] = turned[near]
    view = measure_view(bent)
    assert view.problems == ("bent",)
    assert [corner.is_seen for corner in view.corners] == [True] * 4


def test_every_problem_has_its_advice(good: Image) -> None:
    assert "no_frame" in ADVICE
    for image in (good, shot(900), cv2.GaussianBlur(good, (0, 0), 4)):
        assert set(measure_view(image).problems) <= set(ADVICE)
