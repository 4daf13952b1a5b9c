from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.device.rules.asking import Game

GAME = Game("stalker")
ask, fault = GAME.ask, GAME.fault
d6 = st.integers(1, 6)
skills = st.integers(1, 5)


@given(skills, st.lists(d6, min_size=1, max_size=3))
def test_a_die_passes_up_to_the_skill(skill: int, dice: list[int]) -> None:
    found = ask("skill_test", skill=skill, dice=dice)
    assert found["per_die"] == [die <= skill for die in dice]
    assert found["passed"] == sum(found["per_die"])


@pytest.mark.parametrize("dice", [[], [1, 1, 1, 1]])
def test_one_to_three_dice_are_rolled(dice: list[int]) -> None:
    assert fault("skill_test", skill=3, dice=dice) == "dice"


def group(name: str, *skills: int, leader: int | None = None) -> dict:
    return {
        "id": name,
        "figures": [
            {"id": f"{name}{n}", "skill": skill, "leader": n == leader}
            for n, skill in enumerate(skills)
        ],
    }


def test_solo_play_uses_the_higher_die() -> None:
    sides = [{"name": "A", "groups": [group("g", 2, 4), group("h", 3)]}]
    found = ask("activation", mode="solo", dice=[2, 4], sides=sides)
    assert found["sides"] == [
        {"name": "A", "threshold": 4, "active": ["g0", "g1"], "groups": ["g"]}
    ]
    assert (found["order"], found["tie"]) == (["A"], False)


def test_each_side_has_its_own_die_and_the_higher_begins() -> None:
    sides = [
        {"name": "A", "groups": [group("g", 2), group("h", 5)]},
        {"name": "B", "groups": [group("i", 5, 1, leader=1), group("j", 5)]},
    ]
    found = ask("activation", mode="versus", dice=[2, 5], sides=sides)
    assert found["order"] == ["B", "A"]
    assert found["sides"][0]["groups"] == ["h", "g"]
    assert found["sides"][1]["active"] == ["i0", "j0"]
    assert found["sides"][1]["groups"] == ["j", "i"]


def test_a_named_leader_keeps_the_role_though_another_is_better() -> None:
    sides = [{"name": "A", "groups": [group("g", 1, 4, leader=0)]}]
    found = ask("activation", mode="solo", dice=[3, 2], sides=sides)
    assert found["sides"][0]["active"] == ["g1"]


@pytest.mark.parametrize("mode", ["solo", "versus"])
def test_nobody_moves_on_equal_dice(mode: str) -> None:
    side = {"name": "A", "groups": [group("g", 5)]}
    sides = [side] if mode == "solo" else [side, {**side, "name": "B"}]
    found = ask("activation", mode=mode, dice=[3, 3], sides=sides)
    assert (found["tie"], found["order"]) == (True, [])
    assert all(s["threshold"] is None and not s["active"] for s in found["sides"])
    assert found["allowed"] == ["reload", "change_weapon", "pick_up"]
    assert fault("activation", mode=mode, dice=[3, 4], sides=sides * 2) == "sides"


def test_a_group_has_one_leader_and_no_figure_twice() -> None:
    two = group("g", 1, 2)
    for figure in two["figures"]:
        figure["leader"] = True
    asked = {"mode": "solo", "dice": [1, 2]}
    sides = [{"name": "A", "groups": [group("h", 1), two]}]
    assert fault("activation", **asked, sides=sides) == "sides[0].groups[1].figures"
    twice = {"id": "g", "figures": [{"id": "a", "skill": 1}] * 2}
    sides = [{"name": "A", "groups": [twice]}]
    field = fault("activation", **asked, sides=sides)
    assert field == "sides[0].groups[0].figures[1].id"


def figures(*names: str, **more: object) -> list[dict]:
    return [{"id": name, "skill": 3, **more} for name in names]


def pair(a: str, b: str, inches: float, los: bool = True) -> dict:
    return {"a": a, "b": b, "inches": inches, "los": los}


CHAIN = [pair("a", "b", 2), pair("b", "c", 2), pair("a", "c", 3)]


def test_a_chain_is_a_group_unless_every_pair_must_be_near() -> None:
    loose = ask("group", figures=figures("a", "b", "c"), pairs=CHAIN)
    assert (loose["group"], loose["broken"]) == (True, [["a", "c"]])
    strict = ask(
        "group", figures=figures("a", "b", "c"), pairs=CHAIN, rule="every_pair"
    )
    assert strict["group"] is False


def test_radios_need_only_sight() -> None:
    far = [pair("a", "b", 40)]
    assert ask("group", figures=figures("a", "b"), pairs=far)["group"] is False
    with_radio = figures("a", "b", radio=True)
    assert ask("group", figures=with_radio, pairs=far)["group"] is True
    unseen = [pair("a", "b", 1, los=False)]
    assert ask("group", figures=with_radio, pairs=unseen)["group"] is False


def test_who_may_lead() -> None:
    people = [
        {"id": "a", "skill": 3},
        {"id": "b", "skill": 5, "out": True, "leader": True},
        {"id": "c", "skill": 3},
    ]
    found = ask("group", figures=people, pairs=[pair("a", "c", 1)])
    assert (found["candidates"], found["leader"]) == (["a", "c"], None)
    assert found["leader_skill"] == 3
    alone = ask("group", figures=figures("a"))
    assert (alone["group"], alone["leader"]) == (True, "a")
    none = ask("group", figures=figures("a", out=True))
    assert (none["group"], none["leader_skill"], none["candidates"]) == (
        False,
        None,
        [],
    )


@pytest.mark.parametrize(
    ("pairs", "field"),
    [
        (CHAIN[:2], "pairs"),
        ([*CHAIN, pair("c", "a", 1)], "pairs"),
        ([*CHAIN[:2], pair("x", "c", 1)], "pairs[2].a"),
        ([*CHAIN[:2], pair("a", "x", 1)], "pairs[2].b"),
        ([*CHAIN[:2], pair("a", "a", 1)], "pairs[2].b"),
        ([{"a": "a", "b": "b", "inches": 1}], "pairs[0].los"),
    ],
)
def test_every_two_figures_need_one_entry(pairs: list, field: str) -> None:
    assert fault("group", figures=figures("a", "b", "c"), pairs=pairs) == field


def test_an_entry_of_a_figure_that_is_out_does_not_matter() -> None:
    people = [*figures("a", "b"), *figures("c", out=True)]
    found = ask("group", figures=people, pairs=[*CHAIN, *CHAIN[1:]])
    assert (found["group"], found["broken"]) == (True, [])


@pytest.mark.parametrize(
    ("given_", "cost", "reasons"),
    [
        ({"path": []}, 0, []),
        ({"path": [("rough", 4)]}, 8, []),
        ({"path": [("rough", 4.25)]}, 8.5, ["too_far"]),
        ({"path": [("river", 3)]}, 0, ["impassable"]),
        ({"path": [("impassable", 3), ("open", 9)]}, 9, ["impassable", "too_far"]),
        ({"path": [("ford", 2), ("road", 6)]}, 8, []),
        ({"path": [("open", 4)], "crossings": {"hilly": 1, "building": 1}}, 8, []),
        ({"path": [], "carriers": 1}, 0, []),
        (
            {"path": [("open", 17)], "mode": "fast", "passed": 2, "carriers": 1},
            17,
            ["too_far", "carrying_alone"],
        ),
    ],
)
def test_a_path_costs_its_inches_by_ground(given_, cost, reasons) -> None:
    path = [{"terrain": name, "inches": inches} for name, inches in given_["path"]]
    found = ask("movement", skill=4, **{**given_, "path": path})
    assert found["cost"] == cost
    assert (found["reasons"], found["legal"]) == (reasons, not reasons)
    assert found["left"] == found["allowance"] - cost
    assert found["handling"] is (given_.get("mode") != "fast")


@pytest.mark.parametrize("skill", range(1, 6))
def test_allowances(skill: int) -> None:
    standard = ask("movement", skill=skill, path=[], passed=2)
    assert standard["allowance"] == (6 if skill < 3 else 8)
    for passed, inches in enumerate((8, 12, 16)):
        fast = ask("movement", skill=skill, mode="fast", passed=passed, path=[])
        assert fast["allowance"] == inches
    assert fault("movement", skill=skill, mode="fast", path=[]) == "passed"


@given(st.tuples(d6, d6), st.lists(skills, min_size=1, max_size=4))
def test_a_fast_group_stays_with_its_slowest(dice, group_skills) -> None:
    people = [{"id": str(n), "skill": s} for n, s in enumerate(group_skills)]
    found = ask("fast_move", dice=list(dice), figures=people)
    reach = [8 + 4 * sum(die <= s for die in dice) for s in group_skills]
    assert [figure["max_inches"] for figure in found["figures"]] == reach
    assert (found["together_inches"], found["moved_fast"]) == (min(reach), True)


@pytest.mark.parametrize(
    ("before", "now", "far", "near", "cause"),
    [
        (False, True, True, True, "sight"),
        (False, True, False, True, "sight"),
        (True, True, False, True, "range"),
        (True, False, False, True, None),
        (False, False, False, True, None),
        (True, True, True, True, None),
        (True, True, False, False, None),
    ],
)
def test_an_enemy_comes_into_sight_or_range(before, now, far, near, cause) -> None:
    found = ask(
        "sight_trigger",
        seen_at_start=before,
        seen_now=now,
        in_range_at_start=far,
        in_range_now=near,
    )
    assert (found["test"], found["cause"]) == (cause is not None, cause)


@pytest.mark.parametrize(
    ("state", "actions", "visible"),
    [
        (
            {"hidden": True, "leader": True, "cover": True},
            ["reveal", "choose", "choose"],
            [True, None, None],
        ),
        ({"hidden": True}, ["reveal", "shoot", "shoot"], [True] * 3),
        ({"cover": True, "leader": True}, ["nothing", "shoot", "shoot"], [False] * 3),
        ({}, ["nothing", "hide_or_prone", "shoot"], [False] * 3),
    ],
)
def test_the_in_sight_table(state: dict, actions: list, visible: list) -> None:
    for passed, dice in enumerate(([6, 6], [6, 1], [1, 1])):
        found = ask("in_sight", skill=3, dice=dice, **state)
        hurried = passed == 1 and actions[1] == "shoot"
        assert found["action"] == actions[passed]
        assert found["becomes_visible"] is visible[passed]
        assert found["skill_modifier"] == (-1 if hurried else 0)
        assert found["full_rate"] is hurried


def test_covering_rolls_a_third_die() -> None:
    found = ask("in_sight", skill=3, dice=[1, 1, 1], covering=True)
    assert (found["passed"], found["row"]) == (3, 2)
    assert fault("in_sight", skill=3, dice=[1, 1, 1]) == "dice"
    assert fault("in_sight", skill=3, dice=[1, 7]) == "dice[1]"


@pytest.mark.parametrize(
    ("given_", "limit"),
    [
        ({}, None),
        ({"night": True}, 12),
        ({"night": True, "lit_target": True}, None),
        ({"night": True, "night_vision": True}, None),
        ({"woods": True}, 12),
        ({"woods": True, "woods_edge": True}, None),
        ({"woods": True, "night": True}, 6),
        ({"woods": True, "night": True, "night_vision": True}, 6),
        ({"bad_weather": True}, 12),
        ({"bad_weather": True, "night": True, "lit_target": True}, 6),
        ({"woods_edge": True, "night": True}, 12),
    ],
)
def test_the_smallest_limit_of_sight_holds(given_: dict, limit: int | None) -> None:
    for inches in (6, 6.5, 12, 12.5, 500):
        found = ask("line_of_sight", inches=inches, **given_)
        assert found["limit"] == limit
        assert found["visible"] is (limit is None or inches <= limit)


def test_two_pieces_of_cover_stop_a_shot_and_a_wall_the_sight() -> None:
    for pieces, shot in ((0, True), (1, True), (2, False), (3, False)):
        found = ask("line_of_sight", inches=9, cover_pieces=pieces)
        assert (found["visible"], found["can_shoot"]) == (True, shot)
    walled = ask("line_of_sight", inches=1, blocked=True)
    assert (walled["visible"], walled["can_shoot"]) == (False, False)


def shoot(dice: list[int], shots: list[int], **more: object) -> dict:
    targets = [{"id": chr(97 + n), "shots": count} for n, count in enumerate(shots)]
    asked = {"skill": 3, "rate": 4, "dice": dice, "targets": targets, **more}
    return ask("shooting", **asked)


def test_the_best_dice_go_to_the_first_target() -> None:
    found = shoot([2, 6, 5], [2, 1])
    assert found["sorted"] == [6, 5, 2]
    assert [(s["target"], s["die"]) for s in found["shots"]] == [
        ("a", 6),
        ("a", 5),
        ("b", 2),
    ]
    assert [s["result"] for s in found["shots"]] == ["hit", "unresolved", "miss"]
    assert found["hits"] == {"a": 1, "b": 0}


def test_the_players_own_table_replaces_a_row() -> None:
    table = {"first": {"hit_from": 8, "miss_to": 7}, "later": {"hit_from": 10}}
    found = shoot([5, 4, 1], [2, 1], table=table)
    assert [s["result"] for s in found["shots"]] == ["hit", "miss", "unresolved"]
    only_first = shoot([5, 4, 1], [2, 1], table={"first": {}})
    assert [s["result"] for s in only_first["shots"]] == [
        "unresolved",
        "unresolved",
        "miss",
    ]
    wrong = {"later": {"hit_from": 5, "miss_to": 5}}
    targets = [{"id": "a", "shots": 1}]
    asked = {"skill": 3, "rate": 1, "dice": [1], "targets": targets}
    assert fault("shooting", **asked, table=wrong) == "table.later.miss_to"


def test_targets_lie_within_the_rate() -> None:
    assert shoot([1, 1], [1, 1], span_inches=4)["legal"] is True
    wide = shoot([1, 2], [1, 1], span_inches=4.5)
    assert (wide["legal"], wide["reasons"]) == (False, ["spread"])
    assert (wide["shots"], wide["hits"], wide["sorted"]) == ([], {}, [2, 1])
    assert shoot([1], [1], span_inches=99)["legal"] is True


def test_shots_are_announced_and_rolled_once() -> None:
    one = [{"id": "a", "shots": 1}]
    asked = {"skill": 3, "rate": 2}
    assert fault("shooting", **asked, dice=[1, 1], targets=one) == "dice"
    many = [{"id": "a", "shots": 3}]
    assert fault("shooting", **asked, dice=[1, 1, 1], targets=many) == "targets"
    twice = one + one
    assert fault("shooting", **asked, dice=[1, 1], targets=twice) == "targets[1].id"


def test_a_weapon_is_a_known_card_or_described() -> None:
    rifle = ask("weapon_effect", weapon="sample_rifle", armour="light", inches=48)
    assert (rifle["damage"], rifle["within_range"]) == (2, True)
    assert rifle["suppresses"] is None
    own = {
        "range": 7.5,
        "rate": 1,
        "damage": {"none": 3, "light": None, "medium": 0},
        "suppression": 2,
    }
    found = ask(
        "weapon_effect", weapon=own, armour="light", inches=8, target_suppression=2
    )
    assert (found["damage"], found["no_effect"]) == (0, True)
    assert (found["within_range"], found["suppresses"]) == (False, False)
    for key in ("pistol", "club", ""):
        assert fault("weapon_effect", weapon=key, armour="none") == "weapon"
    lacks = {**own, "damage": {"none": 3, "light": 1}}
    field = fault("weapon_effect", weapon=lacks, armour="none")
    assert field == "weapon.damage.medium"


def test_the_highest_die_chooses_a_side() -> None:
    rolls = [{"player": p, "die": d} for p, d in (("a", 5), ("b", 6), ("c", 1))]
    found = ask("deployment", rolls=rolls)
    assert (found["first"], found["tie"], found["reroll"]) == ("b", False, [])
    assert found["second_side"] == "opposite"
    tied = ask("deployment", rolls=[*rolls, {"player": "d", "die": 6}], allies=True)
    assert (tied["first"], tied["reroll"]) == (None, ["b", "d"])
    assert tied["second_side"] == "any_remaining"
    alone = ask("deployment", rolls=rolls[:1])
    assert (alone["first"], alone["second_side"]) == ("a", None)
    assert fault("deployment", rolls=rolls + rolls[:1]) == "rolls[3].player"


def test_figures_stand_within_six_inches() -> None:
    placed = [{"id": "a", "from_edge": 6}, {"id": "b", "from_edge": 6.1}]
    rolls = [{"player": "p", "die": 1}]
    found = ask("deployment", rolls=rolls, figures=placed)
    assert (found["depth_inches"], found["too_deep"]) == (6, ["b"])


def test_events_are_summed_by_figure() -> None:
    drawn = [
        {"figure": "a", "xp": 1, "loot": 2},
        {"figure": "b", "xp": 3, "loot": 0},
        {"figure": "a", "xp": 4, "loot": 1},
    ]
    found = ask("events", deck=24, drawn=drawn)
    assert (found["deck_ok"], found["left"]) == (True, 21)
    assert found["totals"] == {"a": {"xp": 5, "loot": 3}, "b": {"xp": 3, "loot": 0}}
    assert ask("events", deck=24, markers=25)["deck_ok"] is False
    assert fault("events", deck=2, drawn=drawn) == "drawn"
