"""A table of STALKER: ZONA by its public commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.errors import BadInput, TableError
from device.games.own import own_toml, parse_own, rows_of
from device.games.stalker.figures import earned
from device.games.stalker.sheet import (
    figures,
    flow,
    groups_of,
    leader_of,
    shipped_weapons,
    weapons,
)
from tests.device.games.play import Night

RIFLE = {
    "name": "Rifle",
    "range": 48,
    "rate": 3,
    "damage_none": 3,
    "damage_light": 2,
    "damage_medium": 2,
    "suppression": 2,
}


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    made = Night(tmp_path, "stalker")
    made.do("add_figure", name="Wolf", skill=5, leader=True)
    made.do("add_figure", name="Fan", skill=3)
    made.do("add_figure", name="Bandit", side="b", skill=4, armour="light")
    made.do("add_figure", name="Dog", side="b", group="2", skill=2)
    made.do("add_weapon", figure=one(made, "Wolf").id, **RIFLE)
    yield made
    made.close()


def one(night: Night, name: str) -> Any:
    return next(figure for figure in figures(night.content) if figure.name == name)


def d6(*faces: int) -> list[tuple[str, str]]:
    return [("d6", str(face)) for face in faces]


def begin_turn(night: Night, first: int, second: int) -> Any:
    night.roll("activation", *d6(first))
    offer = dict(night.content.offer)
    return night.roll(offer.pop("check"), *d6(second), **offer)


def test_two_sides_throw_one_after_the_other(night: Night) -> None:
    result = begin_turn(night, 3, 4)
    assert result["order"] == ("b", "a")
    now = flow(night.content)
    assert (now.turn, now.thresholds) == (1, (3, 4))
    # Fan acts with his leader's Skill, Dog's own two does not suffice
    assert set(now.active) == {one(night, n).id for n in ("Wolf", "Fan", "Bandit")}
    assert now.groups == ("b/1", "a/1")


def test_a_corrected_die_sets_the_turn_anew_and_counts_it_once(night: Night) -> None:
    begin_turn(night, 3, 4)
    night.do("correct_die", roll=night.content.check.roll.id, die="h1", face="3")
    now = flow(night.content)
    assert (now.turn, now.tie, now.order, now.active) == (1, True, (), ())


def test_alone_the_higher_of_two_dice_counts(night: Night) -> None:
    night.do("agree", mode="solo")
    night.roll("activation", *d6(2, 6))
    assert (flow(night.content).thresholds, flow(night.content).active) == (
        (6, None),
        (),
    )


def test_a_side_without_figures_begins_no_turn(night: Night) -> None:
    for name in ("Bandit", "Dog"):
        night.do("count", figure=one(night, name).id, what="out", change=1)
    with pytest.raises(TableError) as caught:
        night.do("open_check", check="activation")
    assert caught.value.reason == "side_empty"


def test_the_fast_move_goes_on_the_ruler_and_is_over_with_the_turn(
    night: Night,
) -> None:
    result = night.roll("fast_move", *d6(4, 5), side="a", group="1")
    assert [figure["max_inches"] for figure in result["figures"]] == [16, 8]
    assert night.content.ruler.cue == {"bands": ("8in",)}
    assert [figure.fast for figure in figures(night.content, "a")] == [1, 1]
    begin_turn(night, 1, 2)
    assert [figure.fast for figure in figures(night.content, "a")] == [0, 0]


def test_one_roll_tests_every_member_of_a_group(night: Night) -> None:
    fan = one(night, "Fan").id
    result = night.roll("in_sight", *d6(4, 5), side="a", group="1", cover=[fan])
    told = {figure["name"]: figure["action"] for figure in result["figures"]}
    assert told == {"Wolf": "shoot", "Fan": "nothing"}


def test_who_is_seen_is_no_longer_hidden(night: Night) -> None:
    bandit = one(night, "Bandit").id
    night.do("count", figure=bandit, what="hidden", change=1)
    night.do("count", figure=bandit, what="covering", change=1)
    night.roll("in_sight", *d6(5, 6, 6), side="b", group="1")
    assert one(night, "Bandit").hidden == 0
    night.do("correct_die", roll=night.content.check.roll.id, die="h1", face="1")
    assert night.result["figures"][0]["action"] == "shoot"


def test_shots_are_announced_hit_and_hurt_by_armour(night: Night) -> None:
    wolf, bandit, dog = (one(night, n).id for n in ("Wolf", "Bandit", "Dog"))
    targets = [{"figure": bandit, "shots": 2}, {"figure": dog, "shots": 1}]
    args = {"figure": wolf, "weapon": weapons(night.content)[0].id, "targets": targets}
    result = night.roll("shooting", *d6(4, 6, 3), **args)
    assert result["sorted"] == (6, 4, 3)
    assert (one(night, "Bandit").damage, one(night, "Dog").damage) == (4, 0)
    night.do("count", figure=bandit, what="damage", change=1)
    night.do("correct_die", roll=night.content.check.roll.id, die="h2", face="3")
    assert one(night, "Bandit").damage == 3  # eleven is 5 + 4 and hit, 8 is open


def test_the_players_own_shooting_table_counts_at_once(night: Night) -> None:
    wolf, dog = one(night, "Wolf").id, one(night, "Dog").id
    args = {
        "figure": wolf,
        "weapon": weapons(night.content)[0].id,
        "targets": [{"figure": dog, "shots": 1}],
    }
    assert night.roll("shooting", *d6(2), **args)["shots"][0]["result"] == "unresolved"
    night.do("own_shooting", name="first", hit_from=7, miss_to=6)
    assert night.roll("shooting", *d6(2), **args)["shots"][0]["result"] == "hit"
    assert one(night, "Dog").damage == 3


def test_a_test_of_the_players_own_says_what_it_means(night: Night) -> None:
    rows = {"passed_0": "Flees", "passed_1": "Ducks", "passed_2": "Stands"}
    night.do("own_test", name="Under fire", dice=2, **rows)
    fan = one(night, "Fan").id
    result = night.roll("skill_test", *d6(2, 6), figure=fan, test="Under fire")
    assert (result["passed"], result["means"]) == (1, "Ducks")
    with pytest.raises(BadInput) as caught:
        night.do("open_check", check="skill_test", figure=fan, test="Fear")
    assert caught.value.field == "test"


def test_a_tie_for_the_table_side_is_thrown_again(night: Night) -> None:
    args: dict[str, Any] = {"players": ["Ann", "Bob", "Cem"]}
    for face in (5, 2, 5):
        night.roll("deployment", *d6(face), **args)
        args = dict(night.content.offer or {})
        args.pop("check", None)
    assert night.result["tie"]
    assert args["players"] == ("Ann", "Cem")
    for face in (1, 6):
        night.roll("deployment", *d6(face), **args)
        args = dict(night.content.offer or {})
        args.pop("check", None)
    assert night.result["first"] == "Cem"
    assert night.content.ruler.cue == {"bands": ("6in",)}


def test_the_named_leader_leads_then_the_best(night: Night) -> None:
    group = groups_of(night.content, "a")["1"]
    assert leader_of(group).name == "Wolf"
    night.do("count", figure=one(night, "Wolf").id, what="out", change=1)
    assert leader_of(groups_of(night.content, "a")["1"]).name == "Fan"
    with pytest.raises(BadInput) as caught:
        night.do("add_figure", name="Boss", leader=True)
    assert caught.value.field == "leader"


def test_a_group_is_checked_by_its_distances(night: Night) -> None:
    a, b = (figure.id for figure in figures(night.content, "a"))
    pair = {"a": a, "b": b, "inches": 2.5, "los": True}
    night.do("check_group", side="a", group="1", pairs=[pair])
    assert night.log["steps"][0]["key"] == "stalker_group.broken"
    for figure in (a, b):
        night.do("change_figure", figure=figure, radio=True)
    night.do("check_group", side="a", group="1", pairs=[pair])
    assert night.log["steps"][0]["key"] == "stalker_group"


@pytest.mark.parametrize(
    ("args", "cue"),
    [
        ({}, {"bands": ("8in",)}),
        ({"terrain": "rough"}, {"length_mm": 101.6}),
        ({"mode": "fast", "passed": 2}, {"bands": ("16in",)}),
        (
            {"path": [{"terrain": "rough", "inches": 1.5}]},
            {"lengths_mm": (38.1, 127.0)},
        ),
        ({"hilly": 1, "building": 1}, {"length_mm": 101.6}),
        ({"path": [{"terrain": "open", "inches": 9}]}, {"length_mm": 228.6}),
    ],
    ids=lambda value: str(value),
)
def test_a_move_is_lit_stepped_by_terrain(
    night: Night, args: dict[str, Any], cue: dict[str, Any]
) -> None:
    night.do("show_move", figure=one(night, "Wolf").id, **args)
    assert night.content.ruler.cue == cue


def test_a_card_may_override_the_standard_move(night: Night) -> None:
    night.do("change_figure", figure=one(night, "Wolf").id, move=6)
    night.do("show_move", figure=one(night, "Wolf").id)
    assert night.content.ruler.cue == {"bands": ("6in",)}
    night.do("change_figure", figure=one(night, "Wolf").id, move=None)
    assert one(night, "Wolf").move is None


def test_ranges_and_sight_are_lit(night: Night) -> None:
    night.do("show_range", weapon=weapons(night.content)[0].id)
    assert night.content.ruler.cue == {"length_mm": 1219.2}
    night.do("show_inches", what="group")
    assert night.content.ruler.cue == {"bands": ("2in",)}
    night.do("show_sight", woods=True)
    assert night.content.ruler.cue == {"bands": ("12in",)}
    night.do("agree", night=True)
    night.do("show_sight", woods=True)
    assert night.content.ruler.cue == {"bands": ("6in",)}
    night.do("agree", night=False)
    night.do("show_sight")
    assert night.content.ruler is None


@pytest.mark.parametrize(
    ("now", "key"),
    [
        ({"seen_now": True}, "stalker_in_sight.sight"),
        ({"seen_at_start": True, "seen_now": True, "in_range_now": True},
         "stalker_in_sight.range"),
        ({}, "stalker_in_sight.none"),
    ],
)  # fmt: skip
def test_what_causes_the_in_sight_test(night: Night, now: Any, key: str) -> None:
    night.do("sight_trigger", **now)
    assert night.log["steps"][0]["key"] == key


def test_events_are_summed_for_each_figure(night: Night) -> None:
    fan = one(night, "Fan").id
    night.do("agree", deck=2, markers=2)
    night.do("draw_card", figure=fan, name="Anomaly", xp=2, loot=1)
    night.do("draw_card", figure=fan, name="Stash", loot=3)
    assert earned(night.content)["totals"]["Fan"] == {"xp": 2, "loot": 4}
    with pytest.raises(TableError) as caught:
        night.do("draw_card", figure=fan, name="One more")
    assert caught.value.reason == "deck_empty"
    night.do("remove_card", card=night.ids("card")[0])
    assert earned(night.content)["left"] == 1


def test_own_tables_go_by_file(night: Night) -> None:
    night.do("own_weapon", **RIFLE)
    night.do("own_event", name="Anomaly", xp=2)
    night.do("own_shooting", name="later", hit_from=9, miss_to=8)
    own = night.content.sheet["own"]
    tables = parse_own(own_toml("stalker", own), "stalker")
    night.do("drop_own", table="weapon", at=0)
    night.do("load_own", tables=tables)
    assert night.content.sheet["own"] == own
    assert rows_of(night.content, "weapon")[0]["damage_none"] == 3
    assert [row["rate"] for row in shipped_weapons()] == [3, 0]


@pytest.mark.parametrize(
    ("name", "args", "field"),
    [
        ("add_figure", {"name": "X", "skill": 6}, "skill"),
        ("add_figure", {"name": "X", "armour": "heavy"}, "armour"),
        ("count", {"what": "luck", "change": 1}, "what"),
        ("own_shooting", {"name": "first", "hit_from": 5, "miss_to": 5}, "miss_to"),
        ("own_test", {"name": "X", "dice": 4}, "dice"),
        ("show_move", {"terrain": "river"}, "terrain"),
        ("show_move", {"path": [{"terrain": "open", "inches": -1}]}, "path[0].inches"),
        ("open_check", {"check": "fast_move", "side": "a", "group": "9"}, "group"),
        ("open_check", {"check": "skill_test", "luck": 1}, "luck"),
        ("open_check", {"check": "deployment", "players": []}, "players"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_fault_is_named(night: Night, name: str, args: Any, field: str) -> None:
    if name in ("count", "show_move"):
        args = {"figure": one(night, "Wolf").id} | args
    with pytest.raises(BadInput) as caught:
        night.do(name, **args)
    assert caught.value.field == field


def test_more_shots_than_the_rate_are_refused_before_the_throw(night: Night) -> None:
    wolf, dog = one(night, "Wolf").id, one(night, "Dog").id
    args = {"figure": wolf, "weapon": weapons(night.content)[0].id}
    with pytest.raises(BadInput) as caught:
        night.do(
            "open_check",
            check="shooting",
            targets=[{"figure": dog, "shots": 4}],
            **args,
        )
    assert caught.value.field == "targets"
    night.do("count", figure=dog, what="hidden", change=1)
    with pytest.raises(BadInput) as caught:
        night.do(
            "open_check",
            check="shooting",
            targets=[{"figure": dog, "shots": 1}],
            **args,
        )
    assert caught.value.field == "targets[0].figure"


def test_a_played_turn_replays_to_the_same_hash_and_back(night: Night) -> None:
    """A turn begins, Wolf shoots, the bandits react and run, Fan finds something."""
    wolf, bandit = one(night, "Wolf").id, one(night, "Bandit").id
    begin_turn(night, 3, 5)
    args = {"figure": wolf, "weapon": weapons(night.content)[0].id, "span": 2.5}
    targets = [{"figure": bandit, "shots": 3}]
    night.roll("shooting", *d6(4, 6, 3), targets=targets, **args)
    night.roll("in_sight", *d6(1, 5), side="b", group="1")
    night.roll("fast_move", *d6(1, 2), side="b", group="2")
    night.do("draw_card", figure=one(night, "Fan").id, name="Stash", loot=3)
    night.do("show_move", figure=wolf, terrain="rough")
    begin_turn(night, 2, 2)
    assert flow(night.content).turn == 2
    assert night.replayed_hash() == night.hash
    night.undo_all()
    assert (night.content.game, night.content.sheet) == ("foww", {})
    assert night.replayed_hash() == night.hash
