"""The loop: one throw gives one roll, old dice stay old, doubt is never hidden."""

from __future__ import annotations

import pytest

from device.errors import TableError
from device.tray import TraySettings
from tests.device.builders import Bench, FakePhase, detection, moved, rig_above

SKILL = {"check": "skill_check", "rating": 6}
ATTACK = {**SKILL, "dice": {"black": 2}, "weapon": {"damage": 2, "type": "physical"}}
ARMOUR = {"check": "armour_check", "amount": 3, "rating": 2}

WHITE = detection("skill", "4", "d1")
BLACK = detection("black", "dmg", "d2")
BLACK2 = detection("black", "blank", "d3")
RED = detection("armour", "2", "d4")


def kinds(bench: Bench) -> list[str]:
    return [entry.kind for entry in bench.board.snapshot.state.log]


def ready(bench: Bench) -> None:
    """Have the camera look at an empty tray first."""
    bench.roll()


def test_a_throw_resolves_the_check(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", ATTACK)
    bench.roll(WHITE, BLACK, BLACK2)
    assert bench.content.check.status == "resolved"
    assert bench.content.result["damage"] == (({"type": "physical", "amount": 3}),)
    assert [die.face for die in bench.content.check.roll.dice] == ["4", "dmg", "blank"]
    assert bench.board.snapshot.state.log[-1].by == "camera"


def test_one_throw_gives_one_roll(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", SKILL)
    bench.roll(WHITE)
    for _ in range(3):
        bench.roll(WHITE)
        bench.look_again(WHITE)
    bench.turn(50)
    assert kinds(bench).count("roll_read") == 1


def test_the_roll_keeps_its_photograph(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", SKILL)
    bench.roll(WHITE)
    jpeg = bench.companion.roll_jpeg(bench.content.check.roll.id)
    assert jpeg is not None and jpeg.startswith(b"\xff\xd8")
    assert bench.companion.roll_jpeg("r99") is None
    assert bench.companion.roll_jpeg("../table") is None


def test_the_live_picture_is_there_once_a_frame_is(bench: Bench) -> None:
    assert bench.companion.tray_jpeg() is None
    bench.turn()
    jpeg = bench.companion.tray_jpeg()
    assert jpeg is not None and jpeg.startswith(b"\xff\xd8")
    assert bench.companion.tray_jpeg() is jpeg


def test_dice_may_come_one_after_the_other(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", ATTACK)
    bench.roll(WHITE)
    assert bench.content.check.roll is None
    message = bench.live.message
    assert message is not None and message.key == "missing_dice"
    assert [(want.die, want.count) for want in bench.live.missing] == [("black", 2)]
    bench.roll(WHITE, BLACK, BLACK2)
    assert bench.content.check.status == "resolved"


def test_old_dice_stay_out_of_the_next_roll(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", ATTACK)
    bench.roll(WHITE, BLACK, BLACK2)
    bench.do("open_check", ARMOUR)
    bench.roll(WHITE, BLACK, BLACK2, RED)
    assert bench.content.check.status == "resolved"
    assert [die.die for die in bench.content.check.roll.dice] == ["armour"]
    assert bench.content.last.check.roll.dice[0].face == "4"
    assert [die.fresh for die in bench.live.dice] == [False, False, False, True]


def test_dice_that_lie_there_when_a_check_is_opened_do_not_count(bench: Bench) -> None:
    ready(bench)
    bench.roll(RED)
    bench.do("open_check", ARMOUR)
    bench.turn(3)
    assert bench.content.check.roll is None
    message = bench.live.message
    assert message is not None and message.key == "lying_dice"
    bench.do("confirm")
    assert bench.content.check.status == "resolved"
    assert bench.content.check.roll.dice[0].face == "2"


def test_dice_lying_there_at_start_become_a_roll_only_when_a_person_says_so(
    bench: Bench,
) -> None:
    bench.do("open_check", SKILL)
    bench.roll(WHITE)
    assert bench.content.check.roll is None
    assert [die.fresh for die in bench.live.dice] == [False]
    message = bench.live.message
    assert message is not None and message.key == "lying_dice"
    bench.do("confirm", by="Nora")
    assert bench.content.check.status == "resolved"
    assert bench.board.snapshot.state.log[-1].by == "Nora"
    bench.turn()
    assert bench.companion.roll_jpeg(bench.content.check.roll.id) is not None


def test_in_photographs_the_dice_lying_there_count(make_bench) -> None:
    bench = make_bench(settings=TraySettings(count_lying=True))
    bench.do("open_check", SKILL)
    bench.roll(WHITE)
    assert bench.content.check.status == "resolved"
    bench.do("close_check")
    bench.turn()
    bench.roll(moved(WHITE))
    bench.do("open_check", SKILL)
    bench.turn(2)
    assert bench.content.check.status == "resolved"


@pytest.mark.parametrize(
    ("dice", "key", "surplus"),
    [
        ((WHITE, BLACK), "missing_dice", ()),
        ((WHITE, BLACK, BLACK2, RED), "wrong_dice", ("d4",)),
        (
            (WHITE, BLACK, BLACK2, detection("black", "pen", "d9")),
            "surplus_dice",
            ("d2", "d3", "d9"),
        ),
        ((WHITE, BLACK, detection("d12", "7", "d8")), "wrong_dice", ("d8",)),
    ],
    ids=["few", "wrong", "many", "unknown"],
)
def test_too_many_too_few_or_wrong_dice_are_said(
    bench: Bench, dice: tuple, key: str, surplus: tuple[str, ...]
) -> None:
    ready(bench)
    bench.do("open_check", ATTACK)
    bench.roll(*dice)
    assert bench.content.check.roll is None
    message = bench.live.message
    assert message is not None and message.key == key
    assert bench.live.surplus == surplus


def test_a_wrong_die_taken_out_lets_the_roll_count(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", SKILL)
    bench.roll(WHITE, RED)
    bench.roll(WHITE)
    assert bench.content.check.status == "resolved"


def test_an_old_die_knocked_far_away_is_not_taken_for_a_wrong_one(
    bench: Bench,
) -> None:
    ready(bench)
    bench.do("open_check", ARMOUR)
    bench.roll(RED)
    bench.do("open_check", SKILL)
    bench.roll(detection("armour", "2", "d40"), WHITE)
    assert bench.content.check.status == "resolved"
    assert [die.fresh for die in bench.live.dice] == [False, True]


def test_confirming_leaves_the_wrong_die_out(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", SKILL)
    bench.roll(WHITE, RED)
    bench.do("confirm")
    assert [die.die for die in bench.content.check.roll.dice] == ["skill"]


def test_confirming_other_dice_is_refused(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", SKILL)
    bench.roll(RED)
    with pytest.raises(TableError) as caught:
        bench.do("confirm")
    assert caught.value.reason == "dice_differ"


def test_an_unsure_die_makes_the_roll_wait_for_a_person(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", SKILL)
    bench.roll(detection("skill", "6", "d1", "unsure"))
    check = bench.content.check
    assert check.status == "unsure" and bench.content.result is None
    assert check.roll.dice[0].alternatives[0][0] == "6"
    message = bench.live.message
    assert message is not None and message.key == "unsure_die"
    bench.do("confirm")
    assert bench.content.check.status == "resolved"
    assert bench.content.result["result"] == 6


def test_a_doubtful_die_is_settled_by_a_tap(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", SKILL)
    bench.roll(detection("skill", None, "d1", "unsure"))
    with pytest.raises(TableError) as caught:
        bench.do("confirm")
    assert caught.value.reason == "no_face"
    roll = bench.content.check.roll.id
    bench.do("correct_die", {"roll": roll, "die": "d1", "face": "9"})
    assert bench.content.check.status == "resolved"
    assert bench.content.result["success"] is False


def test_a_cocked_die_is_thrown_again_into_the_same_roll(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", ATTACK)
    leaning = detection("black", "dmg", "d2", "cocked")
    bench.roll(WHITE, leaning, BLACK2)
    message = bench.live.message
    assert message is not None and message.key == "cocked_die"
    first = bench.content.check.roll
    bench.roll(WHITE, moved(BLACK), BLACK2)
    assert bench.content.check.status == "resolved"
    assert bench.content.check.roll.id == first.id
    assert bench.board.snapshot.state.log[-1].amended


def test_a_simulated_tray_throws_only_the_doubtful_die_again(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", ATTACK)
    bench.roll(WHITE, detection("black", "dmg", "d2", "cocked"), BLACK2)
    bench.do("throw")
    assert bench.thrown == [("black",)]


def test_what_a_person_said_stays_when_another_die_is_thrown_again(
    bench: Bench,
) -> None:
    ready(bench)
    bench.do("open_check", ATTACK)
    doubtful = detection("black", "pen", "d3", "unsure")
    bench.roll(WHITE, detection("black", "dmg", "d2", "cocked"), doubtful)
    roll = bench.content.check.roll.id
    bench.do("correct_die", {"roll": roll, "die": "d3", "face": "burst"})
    bench.roll(WHITE, moved(BLACK), doubtful)
    faces = {die.id: die.face for die in bench.content.check.roll.dice}
    assert faces == {"d1": "4", "d2": "dmg", "d3": "burst"}
    assert bench.content.check.status == "resolved"


def test_a_second_look_may_only_withdraw(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", SKILL)
    bench.roll(WHITE)
    bench.look_again(detection("skill", "9", "d1"))
    check = bench.content.check
    assert check.status == "unsure" and bench.content.result is None
    assert check.roll.dice[0].face == "4"
    assert bench.live.dice[0].status == "unsure"
    bench.roll(moved(WHITE))
    assert bench.content.check.status == "resolved"


def test_a_doubted_die_stays_doubtful_while_it_lies_there(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", ATTACK)
    bench.roll(WHITE, BLACK, BLACK2)
    bench.look_again(detection("skill", "9", "d1"), BLACK, BLACK2)
    bench.roll(WHITE, moved(BLACK), BLACK2)
    assert bench.content.check.status == "unsure"
    bench.do("confirm")
    assert bench.content.check.status == "resolved"


def test_a_second_look_that_agrees_changes_nothing(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", SKILL)
    bench.roll(WHITE)
    before = bench.board.snapshot.seq
    bench.look_again(WHITE)
    assert bench.board.snapshot.seq == before


def test_what_a_person_corrected_is_not_doubted_again(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", SKILL)
    bench.roll(WHITE)
    roll = bench.content.check.roll.id
    bench.do("correct_die", {"roll": roll, "die": "d1", "face": "9"})
    bench.look_again(detection("skill", "9", "d1"))
    assert bench.content.check.status == "resolved"
    assert bench.content.check.roll.dice[0].face == "9"


def test_after_undo_the_same_dice_are_not_rolled_again(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", SKILL)
    bench.roll(WHITE)
    bench.do("undo")
    bench.turn(5)
    assert bench.content.check.status == "waiting"
    message = bench.live.message
    assert message is not None and message.key == "lying_dice"
    bench.roll(moved(WHITE))
    assert bench.content.check.status == "resolved"


def test_typed_and_thrown_dice_make_one_roll(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", ATTACK)
    bench.do("enter_die", {"die": "skill", "face": "2"})
    bench.roll(BLACK, BLACK2)
    dice = bench.content.check.roll.dice
    assert [(die.die, die.by) for die in dice] == [
        ("skill", "hand"),
        ("black", "camera"),
        ("black", "camera"),
    ]
    assert bench.content.check.status == "resolved"


def test_an_empty_tray_a_hand_and_a_moving_tray_give_no_roll(bench: Bench) -> None:
    ready(bench)
    bench.do("open_check", SKILL)
    for name in ("moving", "hand", "settling", "empty", "still"):
        bench.script.append(FakePhase(name))
        bench.turn()
        assert bench.live.phase == name
    bench.roll()
    assert bench.content.check.roll is None
    assert "roll_read" not in kinds(bench)


def test_a_tray_that_was_emptied_shows_no_dice(bench: Bench) -> None:
    ready(bench)
    bench.roll(WHITE)
    assert len(bench.live.dice) == 1
    bench.script.append(FakePhase("empty"))
    bench.turn()
    assert bench.live.dice == ()


def test_dice_thrown_again_after_the_tray_was_empty_are_new_wherever_they_end(
    bench: Bench,
) -> None:
    ready(bench)
    bench.roll(WHITE)
    bench.script.append(FakePhase("empty"))
    bench.turn()
    ready(bench)
    bench.roll(WHITE)  # the same place and face by chance
    assert [die.fresh for die in bench.live.dice] == [True]


def test_throws_nobody_asked_for_are_logged_where_wanted(make_bench) -> None:
    bench = make_bench(settings=TraySettings(count_lying=True, free_rolls=True))
    bench.roll(detection("d6", "3", "a"), detection("d6", "5", "b"))
    assert [die.face for die in bench.content.seen.dice] == ["3", "5"]
    bench.look_again(detection("d6", "4", "a"), detection("d6", "5", "b"))
    assert [die.status for die in bench.content.seen.dice] == ["unsure", "ok"]
    bench.roll(detection("d6", "3", "a"), detection("d6", "5", "b"))
    assert kinds(bench).count("throw_seen") == 1


def test_without_being_asked_free_throws_leave_no_trace(bench: Bench) -> None:
    ready(bench)
    bench.roll(WHITE)
    assert kinds(bench) == ["night_started"]


def test_the_reader_is_told_how_the_tray_looked_when_it_was_empty(bench: Bench) -> None:
    bench.rig = rig_above()
    bench.roll()
    bench.roll(WHITE)
    before, known = bench.reader.empties
    assert before is None
    assert known is not None
    bench.look_again(WHITE)
    assert bench.reader.empties[-1] is known
    # An empty tray is learned anew now and then, not with every frame.
    bench.script += [FakePhase("empty")] * 3
    bench.turn(3)
    bench.roll(WHITE)
    assert bench.reader.empties[-1] is known
    bench.clock.advance(6)
    bench.script += [FakePhase("empty")] * 3
    bench.turn(3)
    bench.roll(WHITE)
    renewed = bench.reader.empties[-1]
    assert renewed is not None
    assert renewed is not known


def test_another_camera_or_none_with_its_frame_knows_no_empty_tray(
    bench: Bench,
) -> None:
    bench.roll()
    bench.roll(WHITE)
    assert bench.reader.empties == [None, None]
    bench.rig = rig_above()
    bench.roll()
    bench.roll(WHITE)
    assert bench.reader.empties[-1] is not None
    bench.cameras[-1].fault = True
    bench.turn(2)
    bench.clock.advance(60)
    bench.turn()
    bench.roll(WHITE)
    assert bench.reader.empties[-1] is None
