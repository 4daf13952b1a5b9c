"""Dice that stay, arrive, are pushed, covered or seen by a moving camera."""

from __future__ import annotations

import math

from vision.frame import Detection, Pose, Reading, Status
from vision.track import Tracked, Tracker


def lying(
    face: str | None,
    x: float,
    y: float,
    *,
    die: str = "d20",
    colour: str = "white",
    status: Status = Status.OK,
    turn_deg: float = 10.0,
    others: tuple[str, ...] = (),
) -> Detection:
    radius = 30.0
    pose = Pose(die, (x, y), radius, math.radians(turn_deg), 0.99)
    offers = tuple((f, 0.4) for f in others)
    box = (x - radius, y - radius, 2 * radius, 2 * radius)
    return Detection(die, face, 0.99, status, box, offers, pose, colour)


def read(tracker: Tracker, *dice: Detection) -> tuple[Tracked, ...]:
    return tracker.update(Reading(dice))


def fresh(tracked: tuple[Tracked, ...]) -> list[str | None]:
    return [t.detection.face for t in tracked if t.fresh]


def ids(tracked: tuple[Tracked, ...]) -> list[str]:
    return [t.detection.id for t in tracked]


def test_everything_is_fresh_until_accepted() -> None:
    tracker = Tracker()
    first = read(tracker, lying("7", 100, 100), lying("3", 300, 100, die="d12"))
    assert fresh(first) == ["7", "3"]
    again = read(tracker, lying("7", 101, 100), lying("3", 300, 101, die="d12"))
    assert fresh(again) == ["7", "3"]
    assert ids(first) == ids(again)
    tracker.accept()
    assert (
        fresh(read(tracker, lying("7", 100, 100), lying("3", 301, 100, die="d12")))
        == []
    )


def test_only_the_newly_thrown_die_is_fresh() -> None:
    tracker = Tracker()
    skill = read(tracker, lying("7", 100, 100), lying("3", 300, 100, die="d12"))
    tracker.accept()
    both = read(
        tracker,
        lying("7", 100, 101),
        lying("2", 500, 300, die="d12", colour="red"),
        lying("3", 300, 99, die="d12"),
    )
    assert fresh(both) == ["2"]
    assert ids(both)[0] == ids(skill)[0]
    assert ids(both)[2] == ids(skill)[1]


def test_a_die_thrown_again_is_fresh_wherever_it_lands() -> None:
    tracker = Tracker()
    read(tracker, lying("7", 100, 100))
    tracker.accept()
    assert fresh(read(tracker, lying("7", 400, 250))) == ["7"]
    tracker.accept()
    assert fresh(read(tracker, lying("15", 430, 240, turn_deg=70))) == ["15"]


def test_a_die_thrown_again_that_lands_close_by_is_fresh() -> None:
    tracker = Tracker()
    read(tracker, lying("7", 100, 100))
    tracker.accept()
    assert fresh(read(tracker, lying("12", 130, 110, turn_deg=60))) == ["12"]


def test_a_knocked_die_keeps_its_accepted_face() -> None:
    tracker = Tracker()
    first = read(tracker, lying("7", 100, 100))
    tracker.accept()
    second = read(
        tracker,
        lying("9", 120, 105, turn_deg=50),  # tipped over by the one that came in
        lying("2", 170, 100, die="d12", colour="red"),
    )
    assert fresh(second) == ["2"]
    assert second[0].knocked and not second[1].knocked
    assert second[0].detection.face == "7"
    assert ids(second)[0] == ids(first)[0]
    assert second[0].detection.pose is not None
    assert second[0].detection.pose.top_xy_px == (120, 105)


def test_a_die_that_slid_keeps_its_face_and_is_not_fresh() -> None:
    tracker = Tracker()
    read(tracker, lying("7", 100, 100))
    tracker.accept()
    pushed = read(
        tracker, lying("7", 150, 100, turn_deg=65), lying("4", 200, 100, die="d12")
    )
    assert fresh(pushed) == ["4"]
    assert pushed[0].knocked


def test_two_dice_alike_do_not_swap() -> None:
    tracker = Tracker()
    first = read(tracker, lying("5", 100, 100), lying("8", 180, 100))
    tracker.accept()
    second = read(tracker, lying("8", 181, 101), lying("5", 99, 100))
    assert ids(second) == ids(first)[::-1]
    assert fresh(second) == []


def test_another_die_on_an_old_ones_place_is_fresh() -> None:
    tracker = Tracker()
    read(tracker, lying("5", 100, 100))
    tracker.accept()
    assert fresh(read(tracker, lying("5", 100, 100, die="d12"))) == ["5"]
    tracker.accept()
    placed = read(tracker, lying("5", 100, 100, die="d12", colour="red"))
    assert fresh(placed) == ["5"]


def test_a_fresh_die_turned_in_place_follows_the_pixels() -> None:
    tracker = Tracker()
    read(tracker, lying("5", 100, 100))
    turned = read(tracker, lying("14", 100, 100))
    assert fresh(turned) == ["14"]
    doubted = read(tracker, lying("14", 100, 100, status=Status.UNSURE, others=("5",)))
    assert doubted[0].detection.status is Status.UNSURE


def test_an_accepted_die_read_worse_later_keeps_its_face() -> None:
    tracker = Tracker()
    read(tracker, lying("5", 100, 100))
    tracker.accept()
    worse = read(tracker, lying("6", 101, 100, status=Status.UNSURE, others=("5", "6")))
    assert fresh(worse) == []
    assert worse[0].detection.face == "5"
    assert worse[0].detection.status is Status.OK


def test_a_hand_over_an_old_die_does_not_make_it_new() -> None:
    tracker = Tracker()
    first = read(tracker, lying("7", 100, 100), lying("3", 300, 100, die="d12"))
    tracker.accept()
    read(tracker, lying("3", 300, 100, die="d12"))
    back = read(tracker, lying("7", 100, 100), lying("3", 300, 100, die="d12"))
    assert fresh(back) == []
    assert ids(back) == ids(first)


def test_a_die_taken_away_is_forgotten_at_last() -> None:
    tracker = Tracker()
    read(tracker, lying("7", 100, 100), lying("3", 300, 100, die="d12"))
    tracker.accept()
    for _ in range(5):
        read(tracker, lying("3", 300, 100, die="d12"))
    back = read(tracker, lying("7", 100, 100), lying("3", 300, 100, die="d12"))
    assert fresh(back) == ["7"]


def test_a_moving_camera_does_not_make_old_dice_new() -> None:
    tracker = Tracker()
    first = read(
        tracker, lying("4", 200, 200, die="d6"), lying("1", 420, 150, die="d6")
    )
    tracker.accept()
    moved = read(
        tracker, lying("4", 255, 170, die="d6"), lying("1", 473, 122, die="d6")
    )
    assert fresh(moved) == []
    assert ids(moved) == ids(first)


def test_a_drifting_camera_above_one_die_does_not_make_it_new() -> None:
    tracker = Tracker()
    read(tracker, lying("4", 200, 200))
    tracker.accept()
    assert fresh(read(tracker, lying("4", 228, 185, turn_deg=12))) == []


def test_dice_thrown_again_under_a_moving_camera_are_fresh() -> None:
    tracker = Tracker()
    read(tracker, lying("4", 200, 200, die="d6"), lying("1", 420, 150, die="d6"))
    tracker.accept()
    again = read(
        tracker, lying("3", 260, 230, die="d6"), lying("5", 470, 190, die="d6")
    )
    assert fresh(again) == ["3", "5"]


def test_clearing_forgets_everything() -> None:
    tracker = Tracker()
    read(tracker, lying("4", 200, 200))
    tracker.accept()
    tracker.clear()
    assert fresh(read(tracker, lying("4", 200, 200))) == ["4"]


def test_a_die_thrown_again_that_ends_at_its_old_place_is_fresh() -> None:
    tracker = Tracker()
    read(tracker, lying("7", 100, 100), lying("3", 300, 100, die="d12"))
    tracker.accept()
    read(tracker, lying("3", 300, 100, die="d12"))  # the first is in a hand
    both = read(
        tracker,
        lying("12", 104, 101, turn_deg=70),
        lying("3", 300, 100, die="d12"),
    )
    assert fresh(both) == ["12"]


def test_a_die_thrown_again_shows_its_new_face_where_it_lay() -> None:
    tracker = Tracker()
    read(tracker, lying("7", 100, 100))
    tracker.accept()
    assert fresh(read(tracker, lying("12", 102, 100, turn_deg=70))) == ["12"]
