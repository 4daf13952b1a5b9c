import numpy as np

from vision.crops import View
from vision.frame import Pose
from vision.together import shared_out, together


def look(name, views):
    return Pose("d6", (float(name), 0.0), 10.0, 0.0, 1.0), [View(0.0)] * views


def search(name, *wanted):
    """Ask for so many views in turn; return the name and all that was seen."""
    seen = []
    for views in wanted:
        seen.append((yield look(name, views)).tolist())
    return name, seen


def test_each_search_gets_its_own_answers_and_is_asked_with_the_others():
    calls = []

    def see(asked):
        calls.append([(pose.top_xy_px[0], len(views)) for pose, views in asked])
        return [np.full(len(views), pose.top_xy_px[0]) for pose, views in asked]

    found = together([search(1, 2), search(2), search(3, 1, 3)], see)
    assert found == [(1, [[1, 1]]), (2, []), (3, [[3], [3, 3, 3]])]
    assert calls == [[(1, 2), (3, 1)], [(3, 3)]]


def test_no_search_asks_for_nothing():
    assert together([], see=lambda asked: 1 / 0) == []
    assert together([search(1)], see=lambda asked: 1 / 0) == [(1, [])]


def test_rows_are_shared_out_in_order():
    rows = np.arange(12).reshape(6, 2)
    parts = shared_out(rows, [look(1, 1), look(2, 0), look(3, 5)])
    assert [part.tolist() for part in parts] == [
        [[0, 1]],
        [],
        [[2, 3], [4, 5], [6, 7], [8, 9], [10, 11]],
    ]
