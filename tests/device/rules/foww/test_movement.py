from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.device.rules.foww.asking import ask, fault

COLOURS = ["orange", "yellow", "red", "green", "blue", "black"]
colours = st.sampled_from(COLOURS)
flags = st.booleans()


@given(colours, flags, flags, flags, flags, flags, flags)
def test_each_cause_is_one_ruler_and_orange_is_the_floor(
    colour, slowed, frozen, quick, difficult, climb, freedom
) -> None:
    found = ask(
        "movement_range",
        range=colour,
        slowed=slowed,
        frozen=frozen,
        quick=quick,
        difficult=difficult,
        climb=climb,
        freedom=freedom,
    )
    terrain = climb or (difficult and not freedom)
    wanted = slowed + frozen + quick + terrain
    start = COLOURS.index(colour)
    assert found["shorter_by"] == min(wanted, start)
    assert found["range"] == COLOURS[start - found["shorter_by"]]


def test_a_stunned_model_needs_no_ruler() -> None:
    found = ask("movement_range", stunned=True)
    assert (found["can_move"], found["range"], found["shorter_by"]) == (False, None, 0)
    assert fault("movement_range", slowed=True) == "range"


@pytest.mark.parametrize(
    ("given_", "success", "range_"),
    [
        ({"skill": "6"}, True, "green"),
        ({"skill": "7"}, False, None),
        ({"skill": "x"}, False, None),
        ({"skill": "2", "slowed": True, "frozen": True, "quick": True}, True, "orange"),
    ],
)
def test_a_climb_goes_one_ruler_shorter_or_ends_in_a_fall(given_, success, range_):
    found = ask("climb", rating=6, range="blue", **given_)
    assert (found["success"], found["falls"]) == (success, not success)
    assert found["range"] == range_
    assert found["action_ends"] is not success


def test_who_cannot_climb_does_not_fall() -> None:
    found = ask("climb", rating=6, can_climb=False)
    assert (found["allowed"], found["falls"], found["range"]) == (False, False, None)
    assert fault("climb", rating=6, range="red") == "skill"
    assert fault("climb", rating=6, skill="4") == "range"
    assert fault("climb", skill="4", range="red") == "rating"


@pytest.mark.parametrize(
    ("height", "jump", "row", "damage"),
    [
        ("orange", False, "orange", 0),
        ("yellow", False, "yellow", 2),
        ("red", False, "red", 4),
        ("green", False, "green", 6),
        ("blue", False, "blue", 8),
        ("black", False, "black", 10),
        ("orange", True, None, 0),
        ("yellow", True, "orange", 0),
        ("black", True, "blue", 8),
        ("over_black", True, "black", 10),
    ],
)
def test_the_falling_table(height, jump, row, damage) -> None:
    found = ask("fall", height=height, jump=jump, black_die=[])
    assert (found["row"], found["damage"], found["taken"]) == (row, damage, damage)
    assert found["removed"] is False
    assert found["action_ends"] is (damage > 0)


def test_a_fall_beyond_black_removes_unless_power_armour_is_worn() -> None:
    fallen = ask("fall", height="over_black")
    assert (fallen["row"], fallen["removed"]) == ("over_black", True)
    assert fallen["action_ends"] is True
    worn = ask("fall", height="over_black", power_armour=True)
    assert (worn["removed"], worn["damage"], worn["action_ends"]) == (False, 0, False)


def test_bottles_lower_the_armour_in_a_fall_and_other_icons_do_nothing() -> None:
    asked = {"height": "yellow", "rating": 2, "sturdy": 1, "armour_die": "2"}
    plain = ask("fall", black_die=["star", "acc1"], **asked)
    assert (plain["damage"], plain["penetration"], plain["taken"]) == (2, 0, 0)
    worse = ask("fall", black_die=["dmg", "bottle"], **asked)
    assert (worse["damage"], worse["penetration"], worse["taken"]) == (3, 1, 2)


def test_a_fall_asks_for_the_dice_that_it_needs() -> None:
    assert fault("fall", height="red") == "black_die"
    assert fault("fall", height="red", black_die=[], rating=1) == "armour_die"
    bare = ask("fall", height="red", black_die=["bottle"], rating=1)
    assert bare["taken"] == 4
    soft = ask("fall", height="orange", black_die=[], rating=3)
    assert soft["taken"] == 0


obstacles = st.lists(
    st.fixed_dictionaries(
        {
            "kind": st.sampled_from(["model", "cover", "blocking", "edge"]),
            "at": st.integers(0, 200),
        }
    ),
    max_size=4,
)


@given(st.integers(0, 200), obstacles)
def test_the_nearest_obstacle_stops_a_push(distance: int, in_way: list) -> None:
    found = ask("push_back", distance=distance, obstacles=in_way)
    before = [o for o in in_way if o["at"] < distance]
    assert found["moved"] == min([o["at"] for o in before], default=distance)
    if before:
        nearest = min(before, key=lambda o: o["at"])
        assert found["stopped_by"] == nearest["kind"]
        assert found["damage"] == int(nearest["kind"] == "edge")
    else:
        assert (found["stopped_by"], found["damage"]) == (None, 0)
    assert found["free_attack"] is False


def test_a_turret_is_never_moved() -> None:
    found = ask("push_back", distance=100, turret=True)
    assert (found["moved"], found["stopped_by"]) == (0, "immovable")
