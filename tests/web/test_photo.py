from __future__ import annotations

import random

import pytest

from device.table.state import RolledDie
from web.photo import ASPECT, Box, shown_part, spots

SIZE = (1280, 960)


def made_dice(seed: int, count: int, size: tuple[int, int] = SIZE) -> list[RolledDie]:
    """Dice strewn over a picture, none over another, on a coarse grid."""
    rng = random.Random(seed)
    cells = [
        (x, y) for x in range(0, size[0] - 60, 90) for y in range(0, size[1] - 60, 90)
    ]
    return [
        RolledDie(str(n), "black", "dmg+dmg", box=(float(x), float(y), 50.0, 50.0))
        for n, (x, y) in enumerate(rng.sample(cells, count))
    ]


def boxes_of(dice: list[RolledDie]) -> list[Box]:
    return [die.box for die in dice if die.box is not None]


def holds(outer: Box, inner: Box) -> bool:
    slack = 1e-6
    return (
        inner[0] >= outer[0] - slack
        and inner[1] >= outer[1] - slack
        and inner[0] + inner[2] <= outer[0] + outer[2] + slack
        and inner[1] + inner[3] <= outer[1] + outer[3] + slack
    )


@pytest.mark.parametrize("seed", range(30))
def test_all_dice_are_in_the_part_that_is_shown(seed: int) -> None:
    dice = made_dice(seed, 1 + seed % 8)
    shown = shown_part(boxes_of(dice), SIZE)
    assert holds((0, 0, *SIZE), shown)
    assert all(holds(shown, box) for box in boxes_of(dice))
    assert shown[2] / shown[3] == pytest.approx(ASPECT)
    for spot in spots(dice, shown):
        assert holds(shown, spot.target)
        assert holds(spot.target, spot.box)


def test_few_dice_are_shown_larger() -> None:
    (die,) = made_dice(1, 1)
    assert die.box is not None
    assert shown_part([die.box], SIZE)[2] == pytest.approx(0.45 * 1280)


def test_a_picture_without_dice_is_shown_whole() -> None:
    assert shown_part([], SIZE) == (0, 0, 1280, 960)


@pytest.mark.parametrize("size", [(1280, 720), (480, 640), (64, 48)])
def test_any_shape_of_picture_will_do(size: tuple[int, int]) -> None:
    box = (size[0] - 20.0, size[1] - 20.0, 20.0, 20.0)
    shown = shown_part([box], size)
    assert holds((0, 0, *size), shown) and holds(shown, box)


def test_a_face_is_written_where_it_hides_no_die() -> None:
    below = RolledDie("1", "black", "dmg", box=(600.0, 500.0, 50.0, 50.0))
    above = RolledDie("2", "black", "pen", box=(600.0, 440.0, 50.0, 50.0))
    shown = shown_part(boxes_of([below, above]), SIZE)
    first, second = spots([below, above], shown)
    for spot in (first, second):
        x, y, w, h = spot.badge
        for die in (below, above):
            bx, by, bw, bh = die.box or (0, 0, 0, 0)
            assert x + w <= bx or bx + bw <= x or y + h <= by or by + bh <= y
    assert first.badge[1] > below.box[1]  # type: ignore[index]
    assert second.badge[1] < above.box[1]  # type: ignore[index]
