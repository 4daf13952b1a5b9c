import math

import numpy as np
import pytest

from vision.synth.solids import SHAPES, SYMMETRY, solid

SIDES = {"d4": 3, "d6": 4, "d8": 3, "d10": 4, "d12": 5, "d20": 3}
COUNTS = {"d4": 4, "d6": 6, "d8": 8, "d10": 10, "d12": 12, "d20": 20, "coin": 2}


@pytest.mark.parametrize("shape", SHAPES)
def test_faces_are_planar_and_wind_counter_clockwise_seen_from_outside(shape):
    body = solid(shape)
    assert np.allclose(np.linalg.norm(body.normals, axis=1), 1)
    for face, normal, distance in zip(
        body.faces, body.normals, body.distances, strict=True
    ):
        corners = body.vertices[list(face)]
        assert np.allclose(corners @ normal, distance)
        turn = np.cross(corners[1] - corners[0], corners[2] - corners[1])
        assert turn @ normal > 0


@pytest.mark.parametrize("shape", SHAPES)
def test_corners_reach_the_unit_sphere_and_stay_behind_every_face(shape):
    body = solid(shape)
    assert np.linalg.norm(body.vertices, axis=1).max() == pytest.approx(1)
    assert (body.vertices @ body.normals.T <= body.distances + 1e-9).all()
    assert body.readable == COUNTS[shape]
    assert body.symmetry == SYMMETRY[shape]


@pytest.mark.parametrize("shape", SIDES)
def test_every_face_has_the_right_number_of_corners(shape):
    assert {len(face) for face in solid(shape).faces} == {SIDES[shape]}


@pytest.mark.parametrize("shape", [s for s in SHAPES if s != "d4"])
def test_opposite_faces_point_opposite_ways(shape):
    body = solid(shape)
    for face, other in enumerate(body.opposite):
        assert body.normals[face] @ body.normals[other] == pytest.approx(-1)
        assert body.opposite[other] == face


@pytest.mark.parametrize("shape", SHAPES)
def test_up_and_right_lie_in_the_face_and_make_a_right_handed_frame(shape):
    body = solid(shape)
    for up, right, normal in zip(body.ups, body.rights, body.normals, strict=True):
        assert up @ normal == pytest.approx(0, abs=1e-9)
        assert np.cross(right, up) == pytest.approx(normal)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_turned_die_shows_its_face_up_at_that_turn(shape):
    body = solid(shape)
    for face in range(body.readable):
        turned = body.rotation(face, math.radians(30))
        assert np.linalg.det(turned) == pytest.approx(1)
        assert (turned @ body.top_point(face))[2] > 0.1
        assert (turned @ body.ups[face])[:2] == pytest.approx([0.5, math.sqrt(0.75)])
        lowest = (turned @ body.normals[body.opposite[face]])[2]
        assert lowest == pytest.approx(-1)


def test_the_sharp_tip_of_a_kite_is_the_far_pole():
    body = solid("d10")
    tips = body.vertices[10:]
    for face in range(10):
        tip = tips[int(body.normals[face][2] < 0)]
        direction = (tip - body.centres[face]) / np.linalg.norm(
            tip - body.centres[face]
        )
        assert direction == pytest.approx(body.ups[face])


@pytest.mark.parametrize("shape", SHAPES)
def test_a_mark_fits_on_the_face(shape):
    body = solid(shape)
    radius = body.mark_radius()
    assert 0.2 < radius < 1
    for face in range(body.readable):
        assert body.mark_radius(face) == pytest.approx(radius)
