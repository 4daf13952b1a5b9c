"""A table of Munchkin Fallout by its public commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from device.errors import BadInput, TableError
from device.games.munchkin.sheet import fight, flow, players
from tests.device.games.play import Night


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    made = Night(tmp_path, "munchkin")
    for name in ("Ann", "Bob", "Cem"):
        made.do("add_player", name=name)
    yield made
    made.close()


def ids(night: Night) -> list[str]:
    return [player.id for player in players(night.content)]


def level(night: Night, at: int = 0) -> int:
    return players(night.content)[at].level


def test_players_join_with_their_first_hand_and_bars(night: Night) -> None:
    assert [player.hand for player in players(night.content)] == [8, 8, 8]
    assert night.content.ruler.cue["bars"]["lit"] == (1, 1, 1)


def test_a_seventh_player_finds_no_place(night: Night) -> None:
    for name in ("D", "E", "F"):
        night.do("add_player", name=name)
    with pytest.raises(TableError) as caught:
        night.do("add_player", name="G")
    assert caught.value.reason == "no_room"
    # six bars still fit on a metre
    bars = night.content.ruler.cue["bars"]
    assert 6 * (bars["steps"] * bars["step_mm"] + bars["gap_mm"]) <= 1000


@pytest.mark.parametrize(
    ("change", "source", "after"),
    [(-3, "other", 1), (9, "card", 9), (9, "kill", 10)],
    ids=["never below 1", "a card stops at 9", "a kill wins"],
)
def test_the_level_track(night: Night, change: int, source: str, after: int) -> None:
    night.do("level", player=ids(night)[0], change=change, source=source)
    assert level(night) == after
    assert night.content.ruler.cue["bars"]["lit"][0] == after
    assert (flow(night.content).winner == ids(night)[0]) == (after == 10)


def test_who_has_won_goes_no_further(night: Night) -> None:
    night.do("level", player=ids(night)[0], change=9, source="kill")
    with pytest.raises(TableError) as caught:
        night.do("level", player=ids(night)[0], change=1, source="card")
    assert caught.value.reason == "game_won"


def test_items_make_strength_while_they_are_in_use(night: Night) -> None:
    ann = ids(night)[0]
    night.do("add_item", player=ann, name="Laser", slot="two_hands", bonus=4)
    assert players(night.content)[0].strength == 1
    item = players(night.content)[0].items[0].id
    night.do("use_item", player=ann, item=item)
    night.do("count", player=ann, what="radiation", change=2)
    assert players(night.content)[0].strength == 1 + 4 - 2
    night.do("drop_item", player=ann, item=item)
    assert players(night.content)[0].items == ()


def test_a_sale_takes_the_items_and_gives_no_change(night: Night) -> None:
    ann = ids(night)[0]
    for price in (600, 500):
        night.do("add_item", player=ann, name=f"Thing {price}", price=price)
    items = [item.id for item in players(night.content)[0].items]
    with pytest.raises(TableError) as caught:
        night.do("sell", player=ann, items=items[:1])
    assert caught.value.reason == "sale_under_1000"
    night.do("sell", player=ann, items=items)
    assert (level(night), players(night.content)[0].items) == (2, ())


def test_nobody_sells_in_anothers_turn_or_in_a_fight(night: Night) -> None:
    ann, bob, _ = ids(night)
    night.do("turn", player=bob)
    with pytest.raises(TableError) as caught:
        night.do("sell", player=ann, caps=1000)
    assert caught.value.reason == "sale_not_own_turn"
    night.do("begin_fight", player=bob)
    with pytest.raises(TableError) as caught:
        night.do("sell", player=bob, caps=1000)
    assert caught.value.reason == "sale_in_combat"


def test_a_fight_with_a_helper_is_won_by_exceeding(night: Night) -> None:
    ann, bob, _ = ids(night)
    night.do("begin_fight", player=ann)
    night.do("add_monster", name="Deathclaw", strength=10, treasures=3, levels=2)
    monster = fight(night.content).monsters[0].id
    night.do("modify_monster", monster=monster, value=-5, treasures=-1)
    night.do("ask_helper", player=bob)
    night.do("fight_bonus", change=3)
    night.do("decide_fight")
    assert (night.said, level(night)) == ("munchkin.lose", 1)  # 5 against 5
    night.do("undo")
    night.do("fight_bonus", change=1)
    night.do("decide_fight")
    assert (night.said, level(night)) == ("munchkin.kill", 3)
    assert night.log["treasures"] == 2
    night.do("end_fight")
    assert fight(night.content) is None


def test_a_modifier_that_no_card_has_is_refused(night: Night) -> None:
    night.do("begin_fight", player=ids(night)[0])
    night.do("add_monster", strength=3)
    monster = fight(night.content).monsters[0].id
    with pytest.raises(BadInput) as caught:
        night.do("modify_monster", monster=monster, value=7)
    assert caught.value.field == "value"
    with pytest.raises(BadInput) as caught:
        night.do("modify_monster", monster=monster, value=5, treasures=-1)
    assert caught.value.field == "treasures"


def test_a_monster_that_left_gives_no_level(night: Night) -> None:
    night.do("begin_fight", player=ids(night)[0])
    night.do("add_monster", strength=3, treasures=2)
    monster = fight(night.content).monsters[0].id
    night.do("remove_monster", monster=monster, treasures_on_win=True)
    night.do("decide_fight")
    assert (night.said, level(night)) == ("munchkin.no_monsters", 1)
    assert night.log["treasures"] == 2


def test_running_away_needs_a_number_that_somebody_has_said(night: Night) -> None:
    ann = ids(night)[0]
    with pytest.raises(BadInput) as caught:
        night.do("open_check", check="run_away", player=ann)
    assert caught.value.field == "target"
    night.do("agree", run_away_target=5)
    assert night.roll("run_away", ("d6", "4"), player=ann, bonus=1)["escaped"]
    assert not night.roll("run_away", ("d6", "4"), player=ann)["escaped"]


def test_a_companion_left_behind_saves_without_a_throw(night: Night) -> None:
    ann = ids(night)[0]
    with pytest.raises(BadInput):
        night.do("open_check", check="run_away", player=ann, sacrifice=True)
    night.do("companion", player=ann, name="Dogmeat")
    result = night.roll("run_away", player=ann, sacrifice=True, forbidden=True)
    assert result["escaped"]
    assert result["companion_lost"]
    assert players(night.content)[0].companion == ""


def test_a_corrected_die_puts_the_radiation_penalty_right(night: Night) -> None:
    ann = ids(night)[0]
    night.do("agree", radiation_target=4)
    night.roll("radiation", ("d6", "2"), player=ann, strength=3)
    night.do("count", player=ann, what="radiation", change=1)
    assert players(night.content)[0].radiation == 4
    roll = night.content.check.roll.id
    night.do("correct_die", roll=roll, die="h1", face="5")
    assert players(night.content)[0].radiation == 1
    night.do("correct_die", roll=roll, die="h1", face="1")
    assert players(night.content)[0].radiation == 4


def test_gradual_irradiation_kills_when_it_has_reached_three(night: Night) -> None:
    ann, bob, _ = ids(night)
    night.do("companion", player=ann, name="Dogmeat")
    night.do("trap", player=ann, name="Chain")
    night.do("irradiate", player=ann)
    for player in (ann, bob, ann, bob, ann):
        night.do("turn", player=player)
    mutant = players(night.content)[0]
    assert (mutant.radiation, mutant.companion) == (3, "Dogmeat")
    night.do("turn")
    dead = players(night.content)[0]
    assert (dead.companion, dead.traps, dead.irradiated) == ("", (), False)
    assert flow(night.content).turn == bob


def test_turns_go_round(night: Night) -> None:
    order = []
    for _ in range(4):
        night.do("turn")
        order.append(flow(night.content).turn)
    assert order == [*ids(night), ids(night)[0]]
    # eight cards in hand at the end of a turn: the log says so
    assert night.log["steps"][0]["key"] == "munchkin_hand.over"


def test_what_is_not_agreed_anew_stays(night: Night) -> None:
    night.do("agree", run_away_target=5, hand_limit=6)
    night.do("agree", harsh=True)
    now = flow(night.content)
    assert (now.run_away_target, now.hand_limit, now.harsh) == (5, 6, True)
    night.do("agree", run_away_target=None, bars=False)
    assert flow(night.content).run_away_target is None
    before = night.content.ruler
    night.do("level", player=ids(night)[0], change=1, source="card")
    assert night.content.ruler == before


def test_whoever_leaves_takes_the_fight_along(night: Night) -> None:
    ann = ids(night)[0]
    night.do("turn", player=ann)
    night.do("begin_fight", player=ann)
    night.do("remove_player", player=ann)
    assert len(players(night.content)) == 2
    assert fight(night.content) is None
    assert flow(night.content).turn == ""


@pytest.mark.parametrize(
    ("name", "args", "field"),
    [
        ("add_player", {"name": " "}, "name"),
        ("add_player", {"name": "x" * 41}, "name"),
        ("level", {"player": "player:999", "change": 1}, "player"),
        ("level", {"player": "flow", "change": 1}, "player"),
        ("count", {"what": "luck"}, "what"),
        ("count", {"what": "hand", "change": "1"}, "change"),
        ("add_item", {"name": "x", "slot": "tail"}, "slot"),
        ("use_item", {"item": "i1"}, "item"),
        ("sell", {}, "items"),
        ("agree", {"hand_limit": -1}, "hand_limit"),
        ("open_check", {"check": "run_away", "target": 5, "luck": 1}, "luck"),
        ("open_check", {"check": "radiation", "target": 5, "strength": 0}, "strength"),
        ("open_check", {"check": "skill_check"}, "check"),
    ],
    ids=lambda value: str(value),
)
def test_a_fault_is_named(night: Night, name: str, args, field: str) -> None:
    if "player" not in args and name not in ("add_player", "agree"):
        args = {"player": ids(night)[0]} | args
    with pytest.raises(BadInput) as caught:
        night.do(name, **args)
    assert caught.value.field == field


def test_a_played_evening_replays_to_the_same_hash_and_back(night: Night) -> None:
    """Ann fights with Bob's help, runs away, is irradiated, sells and wins."""
    ann, bob, _ = ids(night)
    night.do("agree", run_away_target=5, radiation_target=4)
    night.do("turn")
    night.do("begin_fight", player=ann)
    night.do("add_monster", name="Ghoul", strength=8, radiation=2)
    night.roll("radiation", ("d6", "3"), player=ann, strength=2)
    night.do("decide_fight")
    night.roll("run_away", ("d6", "6"), player=ann)
    night.do("end_fight")
    night.do("add_item", player=ann, name="Power fist", slot="hand", bonus=9)
    item = players(night.content)[0].items[0].id
    night.do("use_item", player=ann, item=item)
    night.do("sell", player=ann, caps=7400)
    night.do("begin_fight", player=ann)
    night.do("add_monster", name="Radroach", strength=2, levels=2)
    night.do("ask_helper", player=bob)
    night.do("decide_fight")
    assert (level(night), flow(night.content).winner) == (10, ann)
    assert night.replayed_hash() == night.hash
    night.undo_all()
    assert night.content.game == "foww"
    assert night.content.sheet == {}
    assert night.replayed_hash() == night.hash
