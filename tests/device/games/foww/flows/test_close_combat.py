"""Charging and close combat as guided flows."""

from __future__ import annotations

import pytest

from device.errors import TableError
from tests.device.games.foww.flows.playing import BRUTE, HOUND, KNIGHT, PALADIN, Play


def charge(play: Play, *after: str) -> Play:
    return play.begin("charge", BRUTE).say("open", KNIGHT, "yes", "yes", *after)


def test_a_charge_ends_in_contact_with_its_token() -> None:
    play = charge(Play().act(BRUTE), "black_token", "no").over()
    brute = play.model(BRUTE)
    assert (brute.charge_black, brute.charge_green) == (1, 0)
    assert [one.model for one in play.turn.contacts] == [KNIGHT]
    assert play.turn.actions == 1


def test_a_charge_without_sight_is_none() -> None:
    play = Play().act(BRUTE)
    play.begin("charge", BRUTE).say("open", KNIGHT, "no", "yes").over()
    assert play.turn.actions == 2 and not play.turn.contacts
    assert play.view.told[-1].steps[-1]["key"] == "charge.no_los"


def test_a_won_battle_cry_gives_both_tokens_and_pushes_back() -> None:
    play = charge(Play().act(BRUTE), "green_token", "yes")
    play.roll(skill="7")
    assert play.view.step == "has_resistance"
    play.say("no")
    assert play.view.step == "push"
    play.say("yes").say("edge")  # the edge costs a point of damage
    assert play.model(KNIGHT).regular == 1
    play.say("yes").over()
    brute = play.model(BRUTE)
    assert (brute.charge_black, brute.charge_green) == (1, 1)
    assert [one.model for one in play.turn.contacts] == [KNIGHT]


def test_a_lost_battle_cry_loses_the_token_and_lets_the_target_go() -> None:
    play = Play().act(BRUTE)
    play.do("token", model=KNIGHT, token="reaction", change=1)
    charge(play, "black_token", "yes").roll(skill="2").say("yes").say(6)
    play.roll(skill="5")
    assert play.view.step == "defender_leaves"
    play.say("yes", "done")
    knight, brute = play.model(KNIGHT), play.model(BRUTE)
    assert brute.charge_black == brute.charge_green == 0
    assert knight.reaction == 0 and not play.turn.contacts
    play.over()


def test_charge_tokens_count_against_the_charged_model_and_are_spent() -> None:
    play = charge(Play().act(BRUTE), "black_token", "no").over()
    play.begin("melee", BRUTE).say("0", KNIGHT, "no", "no")
    # the board, strength 8, the charge token
    assert {want.die: want.count for want in play.view.wants} == {
        "skill": 1,
        "black": 3,
    }
    play.roll(skill="8", black="dmg,blank,blank").roll(armour="3")
    assert play.model(KNIGHT).removed  # 3 physical against 2
    play.over()
    assert play.model(BRUTE).charge_black == 0 and not play.turn.contacts


def test_another_action_loses_the_charge_tokens() -> None:
    play = charge(Play().act(BRUTE), "black_token", "no").over()
    play.begin("move", BRUTE).say([], "open", "done").over()
    assert play.model(BRUTE).charge_black == 0


def test_a_gun_in_close_combat_is_penalised() -> None:
    play = charge(Play().act(BRUTE), "black_token", "no").over()
    play.begin("melee", BRUTE).say("1", KNIGHT, "no", "no")
    check = play.content.check
    # A super mutant uses the close-combat skill, STR 8, with the rifle: still -2.
    assert check is not None and check.rating == 6
    play.roll(skill="2", black="blank,blank")
    check = play.content.check
    assert check is not None and check.rating == 3  # 2, +1 like cover
    play.roll(armour="3").say("done").over()


def test_an_engaged_model_may_not_shoot() -> None:
    play = charge(Play().act(BRUTE), "black_token", "no").over()
    for kind in ("shoot", "charge"):
        with pytest.raises(TableError) as caught:
            play.begin(kind, BRUTE)
        assert caught.value.reason == "engaged"


def test_leaving_a_fight_costs_a_free_attack() -> None:
    play = charge(Play().act(BRUTE), "black_token", "no").over()
    play.do("end_activation", model=BRUTE)
    play.act(KNIGHT)
    play.begin("move", KNIGHT).say([BRUTE])
    assert play.view.step == "free_attack"
    play.say("yes").say("0").say("no", "no")
    check = play.content.check
    assert check is not None and check.rating == 6  # STR 8, quick
    play.roll(skill="x", black="blank,blank,blank")
    play.say("open", "done").over()
    assert not play.turn.contacts


def test_strength_may_be_asked_and_is_used_for_weapons_without_a_card() -> None:
    play = Play().act(KNIGHT)
    play.begin("melee", KNIGHT)
    assert play.view.choices[0].key == "improvised"
    play.say("improvised").say("physical", 1).say(BRUTE, "no", "no")
    play.roll(skill="2").roll(armour="2").say("done").over()
    assert play.model(BRUTE).regular == 0
    play.begin("melee", KNIGHT).say("improvised", BRUTE)  # not asked twice


def test_the_target_of_a_charge_shoots_without_penalties() -> None:
    play = Play()
    play.do("token", model=KNIGHT, token="reaction", change=1)
    charge(play.act(BRUTE), "black_token", "no")
    assert play.view.step == "reaction"
    play.say("melee").say("0").say("no", "no")
    check = play.content.check
    assert check is not None and check.rating == 3  # quick only
    play.roll(skill="2", green="blank", black="blank")
    check = play.content.check
    assert check is not None and check.rating == 2  # no cover for close combat
    play.roll(armour="1").over()
    assert play.model(BRUTE).regular == 1 and play.model(KNIGHT).reaction == 0


def test_a_slide_is_offered_after_the_attack() -> None:
    play = charge(Play().act(BRUTE), "black_token", "no").over()
    play.begin("melee", BRUTE).say("0", KNIGHT, "no", "no")
    play.roll(skill="x", black="blank,blank,blank")
    assert play.view.step == "slide"
    play.say("done").over()


def test_an_outnumbered_target_is_known_from_its_contacts() -> None:
    play = charge(Play().act(BRUTE), "black_token", "no").over()
    play.do("end_activation", model=BRUTE)
    play.act(HOUND)
    play.begin("charge", HOUND).say("open", KNIGHT, "yes", "yes", "green_token").over()
    play.begin("melee", HOUND).say("improvised", "physical", 1).say(KNIGHT, "no")
    assert {want.die: want.count for want in play.view.wants} == {
        "skill": 1,
        "green": 2,  # outnumbered, and the charge token
    }


def test_power_armour_is_worn_before_the_model_is_hurt() -> None:
    play = Play().act(BRUTE)
    play.begin("melee", BRUTE).say("0", PALADIN, "no", "no")
    play.roll(skill="8", black="dmg+dmg,dmg").say("no")  # no dodge
    assert play.view.step == "wear"
    play.say("power_armour").roll(armour="4")  # 5 against 3+1: one stopped
    play.say("no").say("done").over()
    paladin = play.model(PALADIN)
    assert (paladin.power_armour, paladin.broken, paladin.regular) == (2, True, 2)


def test_frost_and_arms_count_in_a_battle_cry_too() -> None:
    play = Play().act(BRUTE)
    play.do("token", model=BRUTE, token="frozen", change=1)
    play.do("token", model=HOUND, token="injured_arm", change=1)
    play.do("token", model=KNIGHT, token="injured_arm", change=1)
    charge(play, "black_token", "yes")
    check = play.content.check
    assert check is not None and check.rating == 6
    play.roll(skill="6").say("yes").say(4)
    check = play.content.check
    assert check is not None and check.rating == 2
    play.roll(skill="2").say("no").over()  # 6 beats 2
    assert play.model(BRUTE).charge_green == 1


def test_what_was_noted_of_contacts_is_put_right() -> None:
    play = charge(Play().act(BRUTE), "black_token", "no").over()
    play.begin("touching", BRUTE).say([PALADIN]).over()
    assert [one.model for one in play.turn.contacts] == [PALADIN]
    play.begin("touching", BRUTE)
    play.do("flow_skip")
    assert not play.turn.contacts and play.turn.actions == 1
