"""The engine of the flows: undo, back, corrections, changes by hand, other checks."""

from __future__ import annotations

from typing import Any

import pytest

from device.errors import BadInput, TableError
from device.games.foww.flows.words import ANSWERS, FLOWS, QUESTIONS, REASONS
from device.table.codec import canonical
from device.table.events import parse_event
from device.table.fold import fold_events
from device.table.state import state_hash
from tests.device.games.foww.flows.playing import BRUTE, HOUND, KNIGHT, PALADIN, Play


def shot(skill: str = "3", armour: str = "") -> Play:
    play = Play().act(KNIGHT)
    play.begin("shoot", KNIGHT).say("0", BRUTE, "short", "no", 0, "no")
    if skill:
        play.roll(skill=skill, green="blank", black="dmg")
    return play.roll(armour=armour) if armour else play


def refused(play: Play, reason: str, name: str, **args: Any) -> None:
    before = play.fold
    with pytest.raises(TableError) as caught:
        play.do(name, **args)
    assert caught.value.reason == reason and play.fold is before


def put_right(play: Play, die: str, face: str) -> None:
    checks = [play.content.check, play.content.last and play.content.last.check]
    for check in checks:
        for one in check.roll.dice if check and check.roll else ():
            if one.die == die:
                play.do("correct_die", roll=check.roll.id, die=one.id, face=face)
                return
    raise AssertionError(die)


def test_every_step_can_be_undone_to_the_start() -> None:
    play = Play()
    start, events = canonical(play.content), len(play.events)
    play.act(KNIGHT)
    play.begin("shoot", KNIGHT).say("0", BRUTE, "short", "no", 0, "no")
    play.roll(skill="3", green="blank", black="dmg").roll(armour="4").over()
    assert play.model(BRUTE).regular == 3
    steps = len(play.events) - events
    for _ in range(steps):
        play.do("undo")
    assert canonical(play.content) == start


def test_replay_equals_live() -> None:
    play = shot(armour="2").over()
    again = fold_events(parse_event(one.text()) for one in play.events)
    assert state_hash(again.state) == state_hash(play.fold.state)


def test_a_correction_of_the_armour_die_moves_the_tokens() -> None:
    play = shot(armour="4").over()
    assert play.model(BRUTE).regular == 3
    put_right(play, "armour", "2")
    assert play.model(BRUTE).regular == 1
    assert play.view.asks == "over"


def test_a_correction_of_the_attack_is_followed_through_the_armour_check() -> None:
    play = shot(armour="4").over()
    put_right(play, "black", "dmg+dmg")
    assert play.model(BRUTE).regular == 4
    put_right(play, "black", "pen")
    assert play.model(BRUTE).regular == 2


def test_a_hit_that_was_a_miss_takes_its_damage_back() -> None:
    play = shot(armour="4").over()
    put_right(play, "skill", "x")
    assert play.model(BRUTE).regular == 0
    assert play.view.asks == "over"
    put_right(play, "skill", "2")  # and asks for the armour die again
    assert play.view.asks == "dice" and play.view.step == "armour"
    play.roll(armour="3").over()
    assert play.model(BRUTE).regular == 3


def test_the_check_that_waits_follows_a_correction() -> None:
    play = shot()
    before = play.content.check
    assert before is not None and before.kind == "armour_check"
    put_right(play, "black", "pen")
    after = play.content.check
    assert after is not None and after.rating == 1 and after.id != before.id
    assert play.view.asks == "dice"
    put_right(play, "skill", "x")
    assert play.content.check is None and play.view.asks == "over"


def test_what_something_else_was_built_on_stays_and_the_log_says_so() -> None:
    play = shot(armour="4").over()
    play.do("token", model=BRUTE, token="regular", change=1)
    put_right(play, "armour", "2")
    assert play.model(BRUTE).regular == 4
    assert play.log["kept"][0]["name"]["en"] == "Brute"


def test_changes_by_hand_in_the_middle_stay() -> None:
    play = shot()
    play.do("token", model=BRUTE, token="burning", change=1)
    play.do("token", model=KNIGHT, token="frozen", change=1)
    play.roll(armour="4").over()
    assert play.model(BRUTE).regular == 3
    assert play.model(BRUTE).conditions == ("burning",)
    # The attack was rolled before the frost: it still hits, with what is put right.
    put_right(play, "armour", "2")
    assert play.model(BRUTE).regular == 1
    assert play.model(BRUTE).conditions == ("burning",)
    put_right(play, "skill", "x")
    assert play.model(BRUTE).regular == 0
    assert play.model(BRUTE).conditions == ("burning",)
    assert play.model(KNIGHT).conditions == ("frozen",)


def test_an_answer_is_taken_back_and_given_otherwise() -> None:
    play = Play().act(KNIGHT).begin("shoot", KNIGHT).say("0", BRUTE, "short")
    assert play.view.step == "fighting" and play.view.can_back
    play.do("flow_back")
    play.do("flow_back")
    assert play.view.step == "target"
    play.say(HOUND)
    assert play.view.told[-1].chosen[0].key == HOUND


def test_taking_back_a_roll_takes_its_tokens_and_asks_again() -> None:
    play = shot(armour="4").over()
    play.do("flow_back")
    assert play.model(BRUTE).regular == 0 and play.view.step == "armour"
    play.do("flow_back")
    assert play.view.step == "attack" and play.content.check is not None
    assert play.content.check.kind == "skill_check"
    play.roll(skill="x", green="blank", black="blank").over()


def test_back_stops_where_somebody_changed_something() -> None:
    play = shot()
    play.do("token", model=KNIGHT, token="frozen", change=1)
    play.roll(armour="4").over()
    play.do("flow_back")
    refused(play, "changed_since", "flow_back")


def test_a_closed_check_is_asked_again() -> None:
    play = shot(skill="")
    refused(play, "nothing_to_resume", "flow_resume")
    play.do("close_check")
    assert play.view.asks == "lost"
    play.do("open_check", check="armour_check", amount=1, rating=2)
    refused(play, "check_open", "flow_resume")
    play.do("enter_die", die="armour", face="1")
    play.do("flow_resume")
    assert play.view.asks == "dice"
    play.roll(skill="x", green="blank", black="blank").over()


def test_a_flow_is_left_with_what_it_has_done() -> None:
    play = shot()
    play.do("flow_cancel")
    assert play.content.check is None and play.content.ruler is None
    assert play.turn.actions == 1 and "flow" not in play.content.sheet
    refused(play, "no_flow", "flow_choose", choose="0")


def test_one_flow_at_a_time() -> None:
    play = Play().act(KNIGHT).begin("shoot", KNIGHT)
    refused(play, "flow_running", "flow_begin", kind="move", model=KNIGHT)
    assert play.turn.beginnings == ()


def test_a_model_that_leaves_makes_the_flow_stuck() -> None:
    play = Play().act(KNIGHT).begin("shoot", KNIGHT).say("0", HOUND)
    play.do("remove_unit", unit="u3-2")
    assert play.view.step == "target"  # the answer is gone, so it is asked again
    play.do("remove_unit", unit="u2-2")
    assert play.view.asks == "stuck"
    refused(play, "stuck", "flow_choose", choose="short")
    play.do("flow_cancel")


@pytest.mark.parametrize(
    ("args", "field"),
    [
        ({"choose": "9"}, "choose"),
        ({"choose": 5}, "choose"),
        ({"choose": ["0"]}, "choose"),
        ({}, "choose"),
        ({"choose": "0", "more": 1}, "more"),
    ],
)
def test_answers_are_checked(args: dict[str, Any], field: str) -> None:
    play = Play().act(KNIGHT).begin("shoot", KNIGHT)
    with pytest.raises(BadInput) as caught:
        play.do("flow_choose", **args)
    assert caught.value.field == field


def test_numbers_are_checked() -> None:
    play = Play().act(KNIGHT).begin("shoot", KNIGHT)
    play.say("0", BRUTE, "short", "no")
    for number in (-1, 10, True, "1", None):
        with pytest.raises(BadInput) as caught:
            play.do("flow_choose", number=number)
        assert caught.value.field == "number"


def test_dice_are_not_chosen_and_not_passed_over() -> None:
    play = shot(skill="")
    refused(play, "throw_dice", "flow_choose", choose="yes")
    refused(play, "cannot_skip", "flow_skip")


def test_skipping_says_no() -> None:
    play = Play().act(PALADIN)
    play.begin("shoot", PALADIN).say("0", BRUTE, "short")
    play.do("flow_skip")
    assert play.view.step == "cover" and play.view.told[-1].chosen[0].key == "no"


def test_a_beginning_names_its_model_and_kind() -> None:
    play = Play()
    for args, field in (
        ({"kind": "dance"}, "kind"),
        ({"kind": "shoot"}, "model"),
        ({"kind": "shoot", "model": "u9.9"}, "model"),
        ({"kind": "shoot", "model": KNIGHT, "quick": 1}, "quick"),
    ):
        with pytest.raises(BadInput) as caught:
            play.do("flow_begin", **args)
        assert caught.value.field == field


def test_all_sentences_are_there() -> None:
    places = {key: one.section for key, one in QUESTIONS.items()}
    assert {key for key, place in places.items() if not place.startswith("§")} == {
        "reading",
        "reading_point",
    }
    assert all(one.text[-1] in ".?" for one in QUESTIONS.values())
    assert all(one[0].islower() for one in REASONS.values())
    assert FLOWS and ANSWERS


def test_a_die_of_the_flow_before_is_followed_while_nothing_was_built_on_it() -> None:
    play = shot(armour="4").over()
    play.begin("move", KNIGHT).say("open")
    put_right(play, "armour", "2")
    assert play.model(BRUTE).regular == 1
    play.say("done").over()  # and the flow at hand goes on
    assert play.model(BRUTE).regular == 1 and play.turn.actions == 0


def test_the_flow_before_is_not_taken_up_again_where_it_would_ask_more() -> None:
    play = shot(skill="x").over()
    play.begin("move", KNIGHT).say("open")
    put_right(play, "skill", "2")  # a hit: but nobody threw for armour then
    assert play.model(BRUTE).regular == 0
    assert play.log["kept"][0]["name"]["en"] == "Knight"
    play.say("done").over()


def test_what_the_next_flow_was_built_on_stays() -> None:
    play = shot(armour="4").over()
    play.begin("shoot", KNIGHT).say("0", BRUTE, "short", "no", 0, "no")
    play.roll(skill="2", green="blank", black="blank")
    put_right(play, "skill", "x")
    assert play.content.check is None and play.view.asks == "over"
    assert play.model(BRUTE).regular == 3


def test_an_old_flow_is_forgotten_with_its_checks() -> None:
    play = shot(armour="4").over()
    play.begin("shoot", KNIGHT).say("0", BRUTE, "short", "no", 0, "no")
    assert "flow_past" in play.content.sheet
    play.roll(skill="2", green="blank", black="blank").roll(armour="4").over()
    play.begin("end_activation", KNIGHT).over()
    assert play.content.sheet["flow_past"]["kind"] == "shoot"
    play.do("close_check")
    play.begin("ready", BRUTE)


def test_the_flow_itself_goes_on_so_nothing_is_offered_beside_it() -> None:
    play = Play().act(PALADIN)
    play.begin("shoot", PALADIN).say("0", BRUTE, "short", "no", 0, "no")
    play.roll(skill="3", green="blank", black="dmg")
    assert play.view.step == "luck_crit_point" and play.content.offer is None
    play.say("no").roll(armour="4").over()
    refused(play, "already_applied", "apply_result", model=BRUTE)
