"""Turns, activations, rounds, items and skills as guided flows."""

from __future__ import annotations

from typing import Any

import pytest

from device.errors import TableError
from tests.device.games.foww.flows.playing import (
    BRUTE,
    HOUND,
    KNIGHT,
    KNIGHT2,
    PALADIN,
    Play,
)


def offered(play: Play) -> dict[tuple[str, str], str]:
    return {(one.kind, one.model): one.why_not for one in play.turn.beginnings}


def refused(play: Play, reason: str, kind: str, model: str = "", **args: Any) -> None:
    with pytest.raises(TableError) as caught:
        play.begin(kind, model, **args)
    assert caught.value.reason == reason


def test_sides_take_turns_and_a_round_ends() -> None:
    play = Play()
    play.begin("first_player").say("side_b").over()  # fewer models: side b decides
    assert play.armies.advantage == "b" and play.turn.side == "b"
    refused(play, "not_your_turn", "ready", KNIGHT)
    play.begin("ready", BRUTE).say("activate_none").over()
    assert play.turn.side == "a"
    play.begin("ready", KNIGHT).say("activate_all").over()
    refused(play, "turn_begun", "ready", KNIGHT2)
    play.begin("activate", KNIGHT).over()
    assert play.turn.active is not None and play.turn.actions == 2
    play.begin("end_activation", KNIGHT).over()
    assert play.turn.side == "b"
    play.begin("ready", HOUND)
    assert [one.why_not for one in play.view.choices] == ["", "must_activate"]
    play.say("activate_all").over()
    play.begin("activate", BRUTE).over().begin("end_activation", BRUTE).over()
    play.begin("end_turn").over()  # the hound's activation is lost
    assert play.model(HOUND).readiness == "activated"
    for model in (KNIGHT2, PALADIN):
        play.begin("ready", model).say("activate_all").over()
        play.begin("activate", model)
        if model == PALADIN:
            play.roll(blue="blank")
        play.over().begin("end_activation", model).over()
    assert ("end_round", "") in offered(play) and not offered(play)["end_round", ""]
    play.begin("end_round").say("side_b").over()
    assert play.armies.round == 2
    assert {model.readiness for _, model in play.armies.models()} == {"unready"}


def test_an_even_round_tosses_for_the_advantage() -> None:
    play = Play()
    play.do("remove_unit", unit="u2-1")
    play.begin("first_player").say("side_a", "side_b").over()
    assert play.armies.advantage == "a" and play.turn.side == "b"


def test_fire_and_poison_come_first_and_vats_after() -> None:
    play = Play()
    for token in ("burning", "poisoned"):
        play.do("token", model=PALADIN, token=token, change=1)
    play.do("ready", model=PALADIN)
    play.begin("activate", PALADIN, override=True).roll(luck="luck")
    play.roll(blue="bottle+bottle").over()
    paladin = play.model(PALADIN)
    assert (paladin.regular, paladin.ap) == (2, 2)
    assert paladin.conditions == ("poisoned",)
    assert "O14" in play.view.told[-1].open


def test_a_model_that_burns_to_death_does_nothing_more() -> None:
    play = Play()
    play.do("token", model=KNIGHT, token="burning", change=1)
    for _ in range(2):
        play.do("token", model=KNIGHT, token="regular", change=1)
    play.do("ready", model=KNIGHT)
    play.begin("activate", KNIGHT, override=True).over()
    assert play.model(KNIGHT).removed and play.turn.active is None


def test_frost_and_action_points_end_with_the_activation() -> None:
    play = Play().act(KNIGHT)
    for token in ("frozen", "ap"):
        play.do("token", model=KNIGHT, token=token, change=1)
    play.begin("end_activation", KNIGHT).over()
    knight = play.model(KNIGHT)
    assert (knight.conditions, knight.ap, knight.readiness) == ((), 0, "activated")


def test_a_stimpak_heals_and_cures_and_is_used_up() -> None:
    play = Play().act(PALADIN)
    for token in ("injured_leg", "regular", "regular", "regular"):
        play.do("token", model=PALADIN, token=token, change=1)
    assert "slowed" in play.model(PALADIN).conditions
    play.begin("item", PALADIN).say("0").over()
    paladin = play.model(PALADIN)
    assert (paladin.regular, paladin.conditions) == (1, ())
    assert paladin.items == (1, 1) and play.turn.actions == 2
    play.begin("item", PALADIN)
    assert [one.why_not for one in play.view.choices] == ["one_per_action"] * 2


def test_a_friend_shares_within_yellow() -> None:
    play = Play().act(KNIGHT)
    play.do("token", model=KNIGHT, token="regular", change=1)
    play.begin("item", KNIGHT).say(PALADIN)
    assert play.content.ruler is not None
    assert play.content.ruler.cue == {"bands": ("yellow",)}
    play.say("no")
    assert [one.why_not for one in play.view.choices] == ["out_of_range", "unit_size"]
    play.do("flow_back")
    play.say("yes", "0").over()
    assert play.model(KNIGHT).regular == 0 and play.model(PALADIN).items == (1, 1)


def test_buffout_decays_and_may_make_addicted() -> None:
    play = Play().act(PALADIN)
    play.begin("item", PALADIN).say("1").over()
    assert [left for _, left in play.turn.effects] == [2]
    for left in (1, 0):
        play.do("end_activation", model=PALADIN)
        play.do("end_round", override=True)
        play.do("ready", model=PALADIN)
        play.begin("activate", PALADIN, override=True).roll(blue="blank")
        if left:
            assert [count for _, count in play.turn.effects] == [1]
    play.roll(blue="bottle+star").over()  # counts as a star: addicted
    (card,) = play.content.sheet[f"items:{PALADIN}"]["cards"]
    assert card["state"] == "addicted"
    play.begin("melee", PALADIN).say("1", BRUTE, "no", "no")
    check = play.content.check
    assert check is not None and check.rating == 7  # 7 + 1 (suit) - 1


def test_skills_and_locked_terminals() -> None:
    play = Play().act(KNIGHT)
    play.begin("skill", KNIGHT).say("computers", "yes").say(5).roll(skill="x").over()
    play.begin("skill", KNIGHT)
    refusals = {one.key: one.why_not for one in play.view.choices}
    assert refusals["computers"] == "locked_out" and refusals["search"] == ""
    play.do("flow_cancel")
    play.begin("end_activation", KNIGHT).over()


def test_presence_lights_its_ruler() -> None:
    play = Play().act(KNIGHT)
    play.begin("skill", KNIGHT).say("presence", "yellow")
    assert play.content.ruler is not None
    assert play.content.ruler.cue == {"bands": ("yellow",)}
    play.say(4).roll(skill="ap").over()
    assert play.model(KNIGHT).ap == 1


def test_a_search_token_is_looked_at_and_resolved() -> None:
    play = Play().act(KNIGHT)
    for _ in range(3):
        play.do("token", token="search", change=1)
    play.begin("search", KNIGHT).say("yes", "item").say("done").over()
    assert play.armies.search == 2 and play.turn.actions == 2
    play.begin("search", KNIGHT).say("yes", "trapped_lock", "yes").say(3)
    play.roll(skill="9").say("done", "done").over()  # a hazard, then the item
    assert play.armies.search == 1 and play.turn.actions == 1
    play.begin("search", KNIGHT).say("no", "item").over()
    assert play.armies.search == 1


def test_an_investigation_token_may_become_a_search_token() -> None:
    play = Play().act(KNIGHT)
    play.do("token", token="investigation", change=1)
    play.begin("investigate", KNIGHT).say("search_marker").over()
    assert (play.armies.investigation, play.armies.search) == (0, 1)


def test_slow_firing_and_charged_weapons() -> None:
    gunner = """
        format = 1
        [[unit]]
        name = "Gunner"
        health = 4
        special = { per = 6 }
        skills = { heavy = "per", rifle = "per" }
        weapons = ["Launcher", "Claw"]
        [[weapon]]
        name = "Launcher"
        skill = "heavy"
        damage = { physical = 1 }
        short = "red"
        slow_fire = true
        [[weapon]]
        name = "Claw"
        skill = "rifle"
        damage = { physical = 1 }
        short = "red"
        charges = 2
    """
    play = Play()
    play.do("add_unit", side="a", roster=gunner)
    model = "u4-1.1"
    play.act(model).begin("shoot", model)
    assert {one.key: one.why_not for one in play.view.choices} == {
        "0": "",
        "1": "not_charged",
    }
    play.say("0", BRUTE, "short", "no", 0, "no").roll(skill="x").over()
    assert play.model(model).loaded == (0, 1)
    for _ in range(2):
        play.begin("collect", model).say("1").over()
    play.begin("shoot", model)
    assert {one.key: one.why_not for one in play.view.choices} == {
        "0": "unloaded",
        "1": "",
    }
    play.say("1", BRUTE, "short", "no", 0, "no").roll(skill="x").over()
    assert f"charged:{model}" not in play.content.sheet


def test_rapid_fire_gains_penetration_with_every_hit_in_a_row() -> None:
    minigun = """
        format = 1
        [[unit]]
        name = "Gunner"
        health = 4
        special = { per = 6 }
        skills = { heavy = "per" }
        weapons = ["Minigun"]
        [[weapon]]
        name = "Minigun"
        skill = "heavy"
        damage = { physical = 1 }
        short = "red"
        rapid = 3
        rapid_range = "yellow"
    """
    play = Play()
    play.do("add_unit", side="a", roster=minigun)
    model = "u4-1.1"
    play.act(model).begin("shoot", model)
    play.say("0", BRUTE, "short", "no", 0, "no").roll(skill="ap").roll(armour="1")
    assert play.view.step == "again" and play.model(model).ap == 1
    play.say("yes", BRUTE, "short", "no", 0, "no").roll(skill="ap")
    check = play.content.check
    assert check is not None and check.rating == 1  # 2, one hit before
    play.roll(armour="2").say("yes", BRUTE, "short", "no", 0, "no").roll(skill="2")
    play.over()  # two hits before: nothing left to roll
    assert play.model(BRUTE).regular == 2 and play.model(model).ap == 1
    assert play.turn.actions == 1
