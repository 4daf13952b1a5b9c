"""Events, reducers, undo and redo."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from device.errors import JournalDamaged
from device.table.codec import canonical, from_json, to_json
from device.table.events import Draft, Event, make_event, parse_event
from device.table.fold import UNDO_DEPTH, Fold, apply, fold_events, steps_below
from device.table.state import Check, Cue, Roll, RolledDie, Want, state_hash


def event(seq: int, draft: Draft) -> Event:
    return make_event(
        draft, table="t1", night="n1", seq=seq, at_s=float(seq), by="Nora", command=""
    )


def started() -> Fold:
    return apply(Fold(), event(1, Draft("night_started", {"game": "foww"})))


def grow(fold: Fold, draft: Draft) -> Fold:
    return apply(fold, event(fold.seq + 1, draft))


def opened(check_id: str, rating: int = 5) -> Draft:
    check = Check(check_id, "skill_check", {"rating": rating}, (Want("skill", 1),))
    return Draft("check_opened", {"check": to_json(check)})


def rolled(check_id: str, face: str) -> Draft:
    roll = Roll(f"r-{face}", (RolledDie("d1", "skill", face, box=(1, 2, 3, 4)),))
    return Draft(
        "roll_read",
        {
            "check": check_id,
            "roll": to_json(roll),
            "status": "resolved",
            "result": {"success": True, "steps": [{"rule": "x", "params": {"n": 1}}]},
        },
    )


CLOSED = Draft("check_closed", {})
DARK = Draft("ruler_off", {})


def lit(band: str) -> Draft:
    return Draft("ruler_lit", {"cue": {"band": band}})


def undone(fold: Fold, count: int) -> Fold:
    seqs = [step.seq for step in reversed(fold.past)][:count]
    return grow(fold, Draft("undone", {"seqs": seqs}))


def test_an_event_survives_its_own_text() -> None:
    one = event(7, rolled("c2", "crit"))
    assert parse_event(one.text()) == one
    assert parse_event(one.text()).text() == one.text()


def test_an_event_of_a_later_version_asks_for_an_update() -> None:
    text = event(7, CLOSED).text().replace('"v":1', '"v":2')
    with pytest.raises(Exception, match="update Dicelight"):
        parse_event(text)


def test_a_fold_survives_json_whole() -> None:
    fold = grow(grow(grow(started(), opened("c2")), rolled("c2", "4")), lit("red"))
    fold = undone(fold, 1)
    again = from_json(Fold, to_json(fold))
    assert again == fold
    assert canonical(again) == canonical(fold)


def test_a_check_that_follows_another_moves_it_to_last() -> None:
    fold = grow(grow(started(), opened("c2")), rolled("c2", "4"))
    fold = grow(fold, opened("c4"))
    last = fold.state.last
    assert last is not None and last.check.id == "c2"
    assert last.result is not None and last.result["success"] is True
    assert fold.state.check is not None and fold.state.check.id == "c4"
    assert fold.state.result is None


def test_a_gap_in_the_numbers_is_damage() -> None:
    with pytest.raises(JournalDamaged, match="gap"):
        apply(started(), event(3, CLOSED))


@pytest.mark.parametrize(
    "draft",
    [
        Draft("no_such_kind", {}),
        Draft("roll_read", {"check": "c9", "roll": {"id": "r", "dice": []}}),
        Draft("undone", {"seqs": [1]}),
        Draft("ruler_lit", {}),
    ],
    ids=["kind", "check", "undo", "data"],
)
def test_an_event_that_does_not_fit_is_damage(draft: Draft) -> None:
    with pytest.raises(JournalDamaged):
        grow(started(), draft)


def test_undone_entries_stay_in_the_log_marked() -> None:
    fold = undone(grow(started(), lit("red")), 1)
    assert [(entry.kind, entry.undone) for entry in fold.state.log] == [
        ("night_started", False),
        ("ruler_lit", True),
        ("undone", False),
    ]


def test_something_new_after_undo_makes_redo_impossible() -> None:
    fold = undone(grow(started(), lit("red")), 1)
    assert fold.state.can_redo
    assert not grow(fold, lit("blue")).state.can_redo


def test_undo_reaches_back_at_least_fifty_steps() -> None:
    assert UNDO_DEPTH >= 50
    fold = started()
    for number in range(2 * UNDO_DEPTH):
        fold = grow(fold, lit(f"band {number}"))
    assert len(fold.past) == UNDO_DEPTH
    before = fold.past[-50].content
    assert undone(fold, 50).content == before


ACTIONS = st.lists(
    st.one_of(
        st.sampled_from(["open", "roll", "close", "dark"]).map(lambda name: (name, 0)),
        st.tuples(st.just("lit"), st.integers(0, 3)),
        st.tuples(st.just("undo"), st.integers(1, 4)),
        st.tuples(st.just("redo"), st.just(1)),
    ),
    max_size=40,
)


def play(actions: list[tuple[str, int]]) -> tuple[Fold, list[Event]]:
    """Play what fits, as the decisions would allow it."""
    fold, events = started(), [event(1, Draft("night_started", {"game": "foww"}))]
    for name, number in actions:
        check = fold.content.check
        draft: Draft | None = None
        if name == "open" and check is None:
            draft = opened(f"c{fold.seq + 1}", number)
        elif name == "roll" and check is not None and check.roll is None:
            draft = rolled(check.id, str(fold.seq))
        elif name == "close" and check is not None:
            draft = CLOSED
        elif name == "lit":
            draft = lit(f"band {number}")
        elif name == "dark":
            draft = DARK
        elif name == "undo" and fold.past:
            seqs = [step.seq for step in reversed(fold.past)][:number]
            draft = Draft("undone", {"seqs": seqs})
        elif name == "redo" and fold.future:
            draft = Draft("redone", {"seqs": [fold.future[-1].seq]})
        if draft is not None:
            events.append(event(fold.seq + 1, draft))
            fold = apply(fold, events[-1])
    return fold, events


@given(ACTIONS)
def test_folding_twice_gives_the_same_hash(actions: list[tuple[str, int]]) -> None:
    fold, events = play(actions)
    again = fold_events(parse_event(one.text()) for one in events)
    assert state_hash(again.state) == state_hash(fold.state)


@given(ACTIONS, st.integers(0, 40))
def test_a_fold_taken_up_half_way_ends_the_same(
    actions: list[tuple[str, int]], cut: int
) -> None:
    fold, events = play(actions)
    half = from_json(Fold, to_json(fold_events(events[:cut])))
    assert fold_events(events[cut:], half) == fold


@given(ACTIONS)
@settings(max_examples=200)
def test_undo_of_any_suffix_restores_the_exact_content(
    actions: list[tuple[str, int]],
) -> None:
    fold, _ = play(actions)
    for count in range(1, len(fold.past) + 1):
        back = undone(fold, count)
        assert back.content == fold.past[-count].content
        assert canonical(back.content) == canonical(fold.past[-count].content)
        for _ in range(count):
            back = grow(back, Draft("redone", {"seqs": [back.future[-1].seq]}))
        assert back.content == fold.content
        assert back.past == fold.past


def test_undo_goes_on_below_the_steps_that_are_kept() -> None:
    events = [event(1, Draft("night_started", {"game": "foww"}))]

    def happen(draft: Draft) -> None:
        events.append(event(len(events) + 1, draft))

    def undo() -> None:
        fold = fold_events(events)
        if fold.past:
            happen(Draft("undone", {"seqs": [fold.past[-1].seq]}))
            return
        step = steps_below(events, 0)[-1]
        content = to_json(step.content)
        happen(Draft("undone", {"seqs": [step.seq], "content": content}))

    for number in range(UNDO_DEPTH + 6):
        happen(lit(f"{number}"))
    for _ in range(UNDO_DEPTH + 3):
        undo()
    assert fold_events(events).content.ruler == Cue({"band": "2"})
    happen(lit("other"))  # a new way from there: the old one is gone
    assert fold_events(events).content.ruler == Cue({"band": "other"})
    for left in ("2", "1", "0"):
        undo()
        fold = fold_events(events)
        assert fold.content.ruler == Cue({"band": left})
    undo()
    fold = fold_events(events)
    assert fold.content == started().content and not fold.state.can_undo
    assert steps_below(events, 0) == ()
