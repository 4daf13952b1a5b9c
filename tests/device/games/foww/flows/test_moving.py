"""Moving, climbing, falling, fires, stuns, mines and reactions as guided flows."""

from __future__ import annotations

import pytest

from tests.device.games.foww.flows.playing import (
    BRUTE,
    HOUND,
    KNIGHT,
    PALADIN,
    Play,
)


def lit(play: Play) -> tuple[str, ...]:
    assert play.content.ruler is not None
    bands = play.content.ruler.cue["bands"]
    return tuple(bands)


@pytest.mark.parametrize(
    ("tokens", "terrain", "band"),
    [
        ((), "open", "red"),
        ((), "difficult", "yellow"),
        (("slowed",), "open", "yellow"),
        (("slowed", "frozen"), "difficult", "orange"),
    ],
)
def test_the_ruler_of_a_move_is_stepped_down(
    tokens: tuple[str, ...], terrain: str, band: str
) -> None:
    play = Play().act(KNIGHT)
    for token in tokens:
        play.do("token", model=KNIGHT, token=token, change=1)
    play.begin("move", KNIGHT).say(terrain)
    assert lit(play) == (band,)
    play.say("done").over()
    assert play.turn.actions == 1 and play.content.ruler is None


def test_a_climb_is_thrown_for_and_may_end_in_a_fall() -> None:
    play = Play().act(KNIGHT)
    play.begin("move", KNIGHT).say("climb").roll(skill="5")
    assert lit(play) == ("yellow",)
    play.say("done").over()
    play.begin("move", KNIGHT).say("climb").roll(skill="6").say("red")
    assert play.view.step == "fall"
    play.roll(black="dmg+dmg").roll(armour="3")
    assert play.model(KNIGHT).removed  # 4 + 2 against 2: health 3
    play.over()


def test_a_jump_reads_the_next_shorter_row_and_may_hurt_nobody() -> None:
    play = Play().act(KNIGHT)
    play.begin("move", KNIGHT).say("jump", "orange").say("done").over()
    play.begin("move", KNIGHT).say("jump", "red").roll(black="blank").roll(armour="2")
    play.say("done").over()  # 2 damage, all stopped: the rest of the move
    assert play.model(KNIGHT).regular == 0


def test_power_armour_ignores_a_fall() -> None:
    play = Play().act(PALADIN)
    play.begin("move", PALADIN).say("jump", "over_black", "done").over()
    assert not play.model(PALADIN).removed


def test_a_fire_is_put_out_by_agility() -> None:
    play = Play().act(KNIGHT)
    play.do("token", model=KNIGHT, token="burning", change=1)
    play.begin("extinguish", KNIGHT).roll(skill="6").over()
    assert play.model(KNIGHT).conditions == ("burning",) and play.turn.actions == 1
    play.begin("extinguish", KNIGHT).roll(skill="5").over()
    assert play.model(KNIGHT).conditions == ()


def test_a_stunned_model_only_shakes_that_off() -> None:
    play = Play().act(KNIGHT)
    play.do("token", model=KNIGHT, token="stunned", change=1)
    offered = {one.kind: one.why_not for one in play.turn.beginnings if not one.quick}
    assert offered["shoot"] == "stunned_only" and offered["unstun"] == ""
    play.begin("unstun", KNIGHT).over()
    assert play.model(KNIGHT).conditions == ()


def test_a_mine_is_laid_armed_and_set_off() -> None:
    play = Play().act(PALADIN)
    play.begin("mine", PALADIN).say("3")
    assert lit(play) == ("orange",)
    play.say("done").over()
    assert play.armies.mine == 1 and not play.content.sheet["mine:1"]["armed"]
    play.begin("move", PALADIN).say("open", "done").over()
    play.begin("end_activation", PALADIN).over()
    play.act(BRUTE).begin("move", BRUTE).say("open", "done").over()  # not armed yet
    play.begin("end_activation", BRUTE).over()
    play.begin("ready", KNIGHT).say("activate_none").over()
    assert play.content.sheet["mine:1"]["armed"]
    play.act(HOUND).begin("move", HOUND).say("open", "done")
    assert play.view.step == "mine_zone"
    play.say("mine:1").say([HOUND, BRUTE], [BRUTE])
    play.roll(armour="4").roll(armour="4").over()
    assert (play.model(HOUND).regular, play.model(BRUTE).regular) == (2, 2)
    assert play.armies.mine == 0 and "mine:1" not in play.content.sheet


def test_a_move_is_noticed_within_two_awareness_lengths() -> None:
    play = Play()
    play.do("token", model=BRUTE, token="reaction", change=1)
    play.act(KNIGHT).begin("move", KNIGHT).say("open", "done")
    assert play.view.step == "noticed" and lit(play) == ("green", "green")
    play.say("far_unseen").over()  # a move must be seen
    assert play.model(BRUTE).reaction == 1
    play.begin("move", KNIGHT).say("open", "done").say("far")
    assert play.view.step == "reaction"
    play.say("shoot").say("1", "short", "no", 2, "no")
    check = play.content.check
    assert check is not None and check.rating == -3  # PER 3, quick, two covers
    play.roll(skill="crit", black="blank").roll(armour="2").over()
    assert play.model(BRUTE).reaction == 0 and play.model(KNIGHT).regular == 0


def test_overwatch_takes_an_action_and_a_token() -> None:
    play = Play().act(KNIGHT)
    play.begin("overwatch", KNIGHT).over()
    assert play.model(KNIGHT).reaction == 1 and play.turn.actions == 1
    offered = {one.kind: one.why_not for one in play.turn.beginnings if not one.quick}
    assert offered["overwatch"] == "token_limit"


def test_a_hit_always_provokes_the_model_hit() -> None:
    play = Play()
    play.do("token", model=BRUTE, token="reaction", change=1)
    play.act(KNIGHT).begin("shoot", KNIGHT).say("0", BRUTE, "short", "no", 0, "no")
    play.roll(skill="2", green="blank", black="blank").roll(armour="2")
    assert play.view.step == "reaction"
    assert "O21" in play.view.told[-1].open
    play.say("none").over()
    assert play.model(BRUTE).reaction == 1


def test_a_hit_on_a_friend_is_noticed_within_one_length() -> None:
    play = Play()
    play.do("token", model=HOUND, token="reaction", change=1)
    play.act(KNIGHT).begin("shoot", KNIGHT).say("0", BRUTE, "long", "no", 0, "no")
    play.roll(skill="2", black="blank").roll(armour="2")
    assert play.view.step == "noticed"
    assert "friend_hit" in [one.key for one in play.view.choices]
    play.say("friend_hit")
    assert play.view.step == "reaction"
    refused = {one.key: one.why_not for one in play.view.choices}
    assert refused["shoot"] == "no_weapon" and refused["move"] == ""
    play.say("move", "open", "done").over()
    assert play.model(HOUND).reaction == 0


def test_a_turret_shoots_into_its_fight_when_somebody_else_provokes_it() -> None:
    turret = """
        format = 1
        [[unit]]
        name = "Turret"
        kind = "turret"
        health = 4
        special = { per = 5 }
        skills = { rifle = "per" }
        ranges = { awareness = "green" }
        weapons = ["Gun"]
        [[weapon]]
        name = "Gun"
        skill = "rifle"
        damage = { physical = 1 }
        short = "green"
    """
    play = Play()
    play.do("add_unit", side="b", roster=turret)
    model = "u4-1.1"
    play.do("token", model=model, token="reaction", change=1)
    play.act(PALADIN).begin("melee", PALADIN).say("1", model, "no", "no")
    play.roll(skill="x", black="blank,blank").say("done")
    assert play.view.step == "noticed"
    play.say("no").over()
    play.begin("end_activation", PALADIN)  # an action that was not used provokes it
    play.say("no").over()
    play.act(KNIGHT).begin("move", KNIGHT).say("open", "done").say("far")
    assert [one.key for one in play.view.choices] == ["melee", "none"]
    play.say("melee")
    play.say("0", PALADIN, "no", "no")
    check = play.content.check
    assert (
        check is not None and check.rating == 1
    )  # PER 5, quick, a gun in close combat
