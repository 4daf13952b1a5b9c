"""Commands: checked, durable, once, in one order, with or without a camera."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.errors import BadInput, DicelightError, JournalError, TableError
from device.table.codec import canonical
from device.table.state import Want, state_hash
from device.table.table import read_night
from tests.device.builders import Bench

SKILL = {"check": "skill_check", "rating": 6}
ATTACK = {
    "check": "skill_check",
    "rating": 7,
    "attack": "shoot",
    "cover": 1,
    "dice": {"black": 2, "green": 1},
    "weapon": {"damage": 2, "type": "energy"},
}
ARMOUR = {"check": "armour_check", "amount": 3, "rating": 2}


def enter(bench: Bench, *dice: tuple[str, str]) -> None:
    for die, face in dice:
        bench.do("enter_die", {"die": die, "face": face})


def test_a_check_says_which_dice_to_throw(bench: Bench) -> None:
    bench.do("open_check", ATTACK)
    check = bench.content.check
    assert check.wants == (Want("skill", 1), Want("black", 2), Want("green", 1))
    assert check.rating == 5
    assert [note["rule"] for note in check.notes][:1] != []
    message = bench.live.message
    assert message is not None and message.key == "throw_these"


def test_a_quick_check_needs_a_rating_and_nothing_else(bench: Bench) -> None:
    bench.do("open_check", SKILL)
    enter(bench, ("skill", "4"))
    assert bench.content.check.status == "resolved"
    assert bench.content.result["success"] is True
    assert bench.content.result["kind"] == "skill_check"
    assert bench.content.offer is None


def test_an_attack_is_resolved_with_its_steps_and_offers_the_armour_check(
    bench: Bench,
) -> None:
    bench.do("open_check", ATTACK)
    enter(bench, ("skill", "6"), ("black", "dmg+dmg"), ("black", "pen"))
    assert bench.content.check.status == "waiting"
    enter(bench, ("green", "acc2"))
    result = bench.content.result
    assert result["kind"] == "attack"
    assert result["hit"] is True
    assert result["damage"][0] == {"type": "energy", "amount": 4}
    assert result["penetration"] == 1
    rules = [step["rule"] for step in result["steps"]]
    assert rules[: len(bench.content.check.notes)] == [
        note["rule"] for note in bench.content.check.notes
    ]
    assert all(step["text"] for step in result["steps"])
    assert bench.content.offer == {
        "check": "armour_check",
        "amount": 4,
        "type": "energy",
        "penetration": 1,
        "cover": 1,
    }


def test_the_offered_armour_check_follows_the_attack(bench: Bench) -> None:
    bench.do("open_check", ATTACK)
    enter(
        bench, ("skill", "2"), ("black", "dmg"), ("black", "blank"), ("green", "blank")
    )
    bench.do("open_check", {**bench.content.offer, "rating": 2})
    assert bench.content.check.kind == "armour_check"
    assert bench.content.check.wants == (Want("armour", 1),)
    assert bench.content.last.result["hit"] is True
    enter(bench, ("armour", "2"))
    assert bench.content.result["taken"] == 1


def test_no_more_than_four_dice_of_a_colour_are_asked_for(bench: Bench) -> None:
    bench.do("open_check", {**SKILL, "dice": {"black": 6}})
    assert Want("black", 4) in bench.content.check.wants


def test_who_has_no_such_skill_throws_nothing(bench: Bench) -> None:
    bench.do("open_check", {**SKILL, "rating": None})
    assert bench.content.check.wants == ()
    assert bench.content.check.status == "resolved"
    assert bench.content.result["can_attempt"] is False


def test_armour_that_is_pierced_throws_nothing(bench: Bench) -> None:
    bench.do("open_check", {**ARMOUR, "penetration": 5})
    assert bench.content.check.wants == ()
    assert bench.content.result["taken"] == 3


@pytest.mark.parametrize(
    ("args", "field"),
    [
        ({"check": "skill_check"}, "rating"),
        ({"check": "dance", "rating": 3}, "check"),
        ({"rating": 3}, "check"),
        ({**SKILL, "rating": "six"}, "rating"),
        ({**SKILL, "luck": 3}, "luck"),
        ({**SKILL, "cover": 2}, "cover"),
        ({**SKILL, "dice": {"black": -1}}, "dice.black"),
        ({**SKILL, "dice": {"pink": 1}}, "dice.pink"),
        ({**SKILL, "result_modifier": "x"}, "result_modifier"),
        ({**SKILL, "has_critical": True}, "has_critical"),
        ({**SKILL, "weapon": {"type": "energy"}}, "weapon.damage"),
        ({**SKILL, "weapon": {"damage": 2, "type": "cold"}}, "weapon.type"),
        ({**SKILL, "weapon": 3}, "weapon"),
        ({"check": "armour_check", "rating": 2}, "amount"),
        ({**ARMOUR, "amount": -1}, "amount"),
        ({**ARMOUR, "type": "cold"}, "type"),
        ({**ARMOUR, "die": "2"}, "die"),
        ({**ARMOUR, "ignore_armour": 9}, "ignore_armour"),
    ],
)
def test_a_wrong_argument_is_named_and_nothing_happens(
    bench: Bench, args: Mapping[str, object], field: str
) -> None:
    before = bench.board.snapshot
    with pytest.raises(BadInput) as caught:
        bench.do("open_check", args)
    assert caught.value.field == field
    assert bench.board.snapshot is before


@pytest.mark.parametrize(
    ("name", "args", "field"),
    [
        ("dance", {}, "name"),
        ("undo", {"number": 3}, "number"),
        ("undo", {"seq": "3"}, "seq"),
        ("enter_die", {"face": "3"}, "die"),
        ("light_ruler", {}, "cue"),
        ("light_ruler", {"cue": "red"}, "cue"),
        ("light_ruler", {"cue": {"colour": "red"}}, "cue.colour"),
    ],
)
def test_a_wrong_command_is_named(
    bench: Bench, name: str, args: Mapping[str, object], field: str
) -> None:
    bench.do("open_check", SKILL)
    with pytest.raises(BadInput) as caught:
        bench.do(name, args)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("name", "args", "reason"),
    [
        ("close_check", {}, "no_open_check"),
        ("confirm", {}, "no_open_check"),
        ("enter_die", {"die": "skill", "face": "2"}, "no_open_check"),
        ("throw", {}, "no_open_check"),
        ("correct_die", {"roll": "r1", "die": "d1", "face": "2"}, "roll_gone"),
        ("redo", {}, "nothing_to_redo"),
        ("undo", {}, "nothing_to_undo"),
    ],
)
def test_what_does_not_fit_now_is_refused_with_a_reason(
    bench: Bench, name: str, args: Mapping[str, object], reason: str
) -> None:
    with pytest.raises(TableError) as caught:
        bench.do(name, args)
    assert caught.value.reason == reason


def test_a_second_check_waits_until_the_first_is_over(bench: Bench) -> None:
    bench.do("open_check", SKILL)
    with pytest.raises(TableError) as caught:
        bench.do("open_check", SKILL)
    assert caught.value.reason == "check_open"
    bench.do("close_check")
    bench.do("open_check", SKILL)


def test_only_dice_that_are_wanted_can_be_entered(bench: Bench) -> None:
    bench.do("open_check", SKILL)
    with pytest.raises(BadInput, match="does not ask for"):
        enter(bench, ("armour", "2"))
    with pytest.raises(BadInput, match="no face"):
        enter(bench, ("skill", "17"))
    enter(bench, ("skill", "x"))
    with pytest.raises(TableError):
        enter(bench, ("skill", "2"))


def test_a_correction_is_an_amendment_and_the_result_follows(bench: Bench) -> None:
    bench.do("open_check", SKILL)
    enter(bench, ("skill", "x"))
    assert bench.content.result["success"] is False
    roll = bench.content.check.roll
    bench.do("correct_die", {"roll": roll.id, "die": "h1", "face": "3"})
    die = bench.content.check.roll.dice[0]
    assert (die.face, die.corrected_from, die.by) == ("3", "x", "hand")
    assert bench.content.result["success"] is True
    entry = bench.board.snapshot.state.log[-1]
    assert entry.amended and entry.params["was"] == "x"
    bench.do("correct_die", {"roll": roll.id, "die": "h1", "face": "crit"})
    assert bench.content.check.roll.dice[0].corrected_from == "x"


def test_the_check_before_can_still_be_corrected(bench: Bench) -> None:
    bench.do("open_check", SKILL)
    enter(bench, ("skill", "x"))
    roll = bench.content.check.roll
    bench.do("open_check", ARMOUR)
    bench.do("correct_die", {"roll": roll.id, "die": "h1", "face": "3"})
    assert bench.content.last.result["success"] is True
    assert bench.content.check.kind == "armour_check"


def test_undo_and_redo_go_back_and_forth(bench: Bench) -> None:
    bench.do("open_check", SKILL)
    opened = canonical(bench.content)
    enter(bench, ("skill", "4"))
    rolled = canonical(bench.content)
    bench.do("undo")
    assert canonical(bench.content) == opened
    bench.do("redo")
    assert canonical(bench.content) == rolled
    bench.do("undo", {"seq": 2})
    assert bench.content.check is None
    assert not bench.board.snapshot.state.can_undo


def test_the_ruler_is_lit_and_darkened(bench: Bench) -> None:
    bench.do("light_ruler", {"cue": {"band": "red"}})
    assert bench.content.ruler.cue == {"band": "red"}
    bench.do("light_ruler", {"cue": {"off": True}})
    assert bench.content.ruler is None
    assert bench.do("ruler_off").events == ()


def test_a_command_sent_twice_is_carried_out_once(bench: Bench) -> None:
    bench.do("open_check", {**SKILL, "dice": {"black": 2}})
    args = {"die": "black", "face": "dmg"}
    first = bench.do("enter_die", args, id="phone-7")
    assert bench.do("enter_die", args, id="phone-7") == first
    assert len(bench.content.check.roll.dice) == 1


def test_a_command_sent_again_after_a_restart_is_still_known(bench: Bench) -> None:
    first = bench.do("open_check", SKILL, id="phone-7")
    bench.close()
    bench.open()
    assert bench.do("open_check", SKILL, id="phone-7").events == first.events
    assert bench.table.seq == 2


def test_a_throw_sent_twice_throws_once(bench: Bench) -> None:
    bench.do("open_check", SKILL)
    bench.do("throw", id="a")
    bench.do("throw", id="a")
    assert bench.thrown == [("skill",)]


def test_a_refused_disk_is_said_and_nothing_is_published(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = bench.board.snapshot.state

    def refuse(events: object) -> None:
        raise JournalError("the disk is full, nothing was recorded")

    with monkeypatch.context() as patch:
        patch.setattr(bench.table._journal, "append", refuse)
        with pytest.raises(JournalError):
            bench.do("open_check", SKILL, id="phone-8")
    assert bench.board.snapshot.state is state
    assert [part.ok for part in bench.live.parts if part.name == "journal"] == [False]
    bench.do("open_check", SKILL, id="phone-8")
    assert [part.ok for part in bench.live.parts if part.name == "journal"] == [True]


def test_whoever_waits_is_told_of_a_change(bench: Bench) -> None:
    version = bench.companion.snapshot().version
    told: list[int] = []

    def wait() -> None:
        told.append(bench.companion.wait_newer(version, 10.0).seq)

    waiting = threading.Thread(target=wait)
    waiting.start()
    bench.do("open_check", SKILL)
    waiting.join()
    assert bench.companion.wait_newer(version, 0.0).seq == 2
    assert len(told) == 1


def test_a_version_from_before_a_restart_is_never_taken_for_new(bench: Bench) -> None:
    version = bench.companion.snapshot().version
    bench.close()
    bench.open()
    assert bench.companion.wait_newer(version, 0.0).version != version


def test_commands_from_many_threads_take_one_order(bench: Bench) -> None:
    def light(number: int) -> None:
        for length in range(20):
            bench.do("light_ruler", {"cue": {"length_mm": 100 * number + length + 1}})

    threads = [threading.Thread(target=light, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert bench.table.seq == 81
    bench.table.close()
    assert state_hash(read_night(bench.table.path).state) == state_hash(
        bench.board.snapshot.state
    )


COMMANDS = st.lists(
    st.sampled_from(
        [
            ("open_check", SKILL),
            ("open_check", ATTACK),
            ("open_check", ARMOUR),
            ("close_check", {}),
            ("enter_die", {"die": "skill", "face": "4"}),
            ("enter_die", {"die": "skill", "face": "x_ap"}),
            ("enter_die", {"die": "black", "face": "dmg"}),
            ("enter_die", {"die": "green", "face": "acc1"}),
            ("enter_die", {"die": "armour", "face": "3"}),
            ("correct", {"face": "crit"}),
            ("light_ruler", {"cue": {"band": "red"}}),
            ("ruler_off", {}),
            ("undo", {}),
            ("redo", {}),
        ]
    ),
    max_size=25,
)


@given(COMMANDS)
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_sequence_of_commands_folds_and_unfolds_exactly(
    make_bench, commands: list[tuple[str, dict[str, object]]]
) -> None:
    bench = make_bench()
    contents = [canonical(bench.content)]
    for name, args in commands:
        if name == "correct":
            check = bench.content.check
            if check is None or check.roll is None:
                continue
            name = "correct_die"
            args = {"roll": check.roll.id, "die": check.roll.dice[0].id, "face": "crit"}
        try:
            outcome = bench.do(name, args)
        except DicelightError:
            continue
        if not outcome.events:
            continue
        if name == "undo":
            contents.pop()
        else:
            contents.append(canonical(bench.content))
        assert canonical(bench.content) == contents[-1]
    while bench.board.snapshot.state.can_undo:
        bench.do("undo")
        contents.pop()
        assert canonical(bench.content) == contents[-1]
    bench.table.close()
    assert state_hash(read_night(bench.table.path).state) == state_hash(
        bench.board.snapshot.state
    )
