import math
from random import Random

import cv2
import numpy as np
import pytest

from vision.synth.looks import SURFACES, plain_light, random_light, random_look
from vision.synth.render import Model, render, screen, slanted, straight_down
from vision.synth.solids import SHAPES, solid


def arrow_masks(shape, size=64):
    """Masks with an L: a long stroke up the left, a short one right at the foot."""
    mask = np.zeros((size, size), np.uint8)
    cv2.rectangle(mask, (24, 12), (30, 52), 255, -1)
    cv2.rectangle(mask, (24, 46), (46, 52), 255, -1)
    return np.stack([mask] * solid(shape).readable)


def black_on_white(shape):
    look = random_look(Random(3), surface="solid")
    fields = {name: getattr(look, name) for name in look.__slots__}
    fields |= {"body": (0.8, 0.8, 0.8), "ink": (0.01, 0.01, 0.01), "wear": 0.0}
    return Model(shape, arrow_masks(shape), type(look)(**fields))


@pytest.mark.parametrize("shape", ["d6", "d8", "d12", "d20", "coin"])
def test_a_mark_is_drawn_upright_and_not_mirrored(shape):
    body = solid(shape)
    model = black_on_white(shape)
    sprite = render(
        model,
        body.rotation(0, 0.0),
        straight_down(0, 0, 40),
        plain_light(Random(1)),
        60,
    )
    x, y = sprite.pose.top_xy_px
    half = round(body.mark_radius() * 60 * 0.8)
    image = cv2.cvtColor(screen(sprite.bgr), cv2.COLOR_BGR2GRAY)
    crop = image[round(y) - half : round(y) + half, round(x) - half : round(x) + half]
    dark = crop < 90
    rows, columns = np.nonzero(dark)
    # An upright L has its weight low and left of the middle of its own box.
    assert rows.mean() > (rows.min() + rows.max()) / 2
    assert columns.mean() < (columns.min() + columns.max()) / 2


@pytest.mark.parametrize("shape", SHAPES)
def test_the_up_face_is_where_the_pose_says(shape):
    body = solid(shape)
    rng = Random(7)
    for _ in range(4):
        face = rng.randrange(body.readable)
        turn = rng.uniform(0, math.tau)
        view = straight_down(rng.uniform(-9, 9), rng.uniform(-9, 9), 35)
        sprite = render(
            black_on_white(shape), body.rotation(face, turn), view, plain_light(rng), 40
        )
        assert sprite.face == face
        assert sprite.pose.flat == 1
        step = math.tau / body.symmetry
        off = (sprite.pose.turn_rad - turn + step / 2) % step - step / 2
        assert shape == "coin" or abs(off) < math.radians(1)
        if shape != "d4":
            # The mark's ink has its middle near the top point.
            dark = (sprite.bgr.sum(2) < 0.5) & (sprite.alpha > 0.9)
            x, y = sprite.pose.top_xy_px
            rows, columns = np.nonzero(dark)
            near = np.hypot(columns + 0.5 - x, rows + 0.5 - y)
            assert near.min() < 8


@pytest.mark.parametrize("surface", SURFACES)
def test_every_surface_draws_finite_light_inside_a_smooth_outline(surface):
    rng = Random(11)
    for shape in ("d6", "d20"):
        look = random_look(rng, surface=surface)
        sprite = render(
            Model(shape, arrow_masks(shape), look),
            solid(shape).rotation(0, 1.0),
            slanted(0.4, 2.0, 40),
            random_light(rng),
            32,
        )
        assert np.isfinite(sprite.bgr).all()
        assert sprite.bgr.min() >= 0
        share = sprite.alpha.mean() * (2 * 1.3) ** 2 / math.pi
        assert 0.4 < share < 1.0
        assert not sprite.alpha[0].any() and not sprite.alpha[:, 0].any()


def test_a_leaning_die_is_not_flat():
    body = solid("d6")
    lean = math.radians(20)
    tip = np.array(
        [
            [1, 0, 0],
            [0, math.cos(lean), -math.sin(lean)],
            [0, math.sin(lean), math.cos(lean)],
        ]
    )
    sprite = render(
        black_on_white("d6"),
        tip @ body.rotation(2, 0.3),
        straight_down(2, 3, 40),
        plain_light(Random(2)),
        32,
    )
    assert sprite.face == 2
    assert sprite.pose.flat == 0


def test_contrast_tells_ink_from_body():
    model = black_on_white("d12")
    fields = {name: getattr(model.look, name) for name in model.look.__slots__}
    faint = type(model.look)(**(fields | {"ink": fields["body"], "relief": 0.0}))
    drawn = [
        render(
            Model("d12", model.masks, look),
            solid("d12").rotation(4, 0.2),
            straight_down(0, 0, 40),
            plain_light(Random(2)),
            40,
        )
        for look in (model.look, faint)
    ]
    assert drawn[0].contrast > 0.4
    assert drawn[1].contrast < 0.08
