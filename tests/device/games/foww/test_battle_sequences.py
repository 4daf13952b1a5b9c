"""Whatever people do with units and tokens, in any order: what must always hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from device.errors import BadInput, TableError
from device.games.foww.tokens import CONDITIONS, count_of, token_names
from device.table.codec import canonical, from_json, to_json
from device.table.events import Draft, parse_event
from device.table.fold import Fold, fold_events
from device.table.state import state_hash
from tests.device.games.foww.armies import (
    KNIGHT,
    MODELS,
    Night,
    hurt,
    make_night,
    put_right,
)

TOKENS = (
    "regular", "radiation", "reaction", "luck", "ap", "boost", "charge_black",
    "power_armour", "critical:0", "critical:1", "loaded:1", "item:0", *CONDITIONS,
)  # fmt: skip
DAMAGE = st.tuples(
    st.sampled_from(["physical", "energy", "radiation"]), st.integers(0, 4)
).map(lambda part: {"type": part[0], "amount": part[1]})


def deed(name: str, **args: Any) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    strategies = {
        key: value if isinstance(value, st.SearchStrategy) else st.just(value)
        for key, value in args.items()
    }
    strategies["override"] = st.booleans()
    return st.fixed_dictionaries(strategies).map(lambda given: (name, given))


MODEL = st.sampled_from(MODELS)
HEALED = ("regular", "radiation")
SIDE = st.sampled_from(["luck", "blank", None])
FACE = st.sampled_from(["1", "2", "3", "4"])


def hit_by(hit: tuple[str, int, int]) -> tuple[str, dict[str, Any]]:
    face, amount, rating = hit
    kind = ("physical", "energy", "radiation")[amount % 3]
    given = {
        "amount": amount,
        "rating": rating,
        "type": kind,
        "boost_icons": rating % 3,
    }
    return "rolled", {"face": face, **given}


DEEDS = st.lists(
    st.one_of(
        deed(
            "token",
            model=MODEL,
            token=st.sampled_from(TOKENS),
            change=st.sampled_from([1, -1]),
        ),
        deed("damage", model=MODEL, damage=st.lists(DAMAGE, min_size=1, max_size=3)),
        deed("heal", model=MODEL, kind=st.sampled_from(HEALED), amount=2),
        deed("ready", model=MODEL),
        deed("activate", model=MODEL, luck_token=SIDE),
        deed("end_activation", model=MODEL),
        deed("end_round"),
        deed("apply_result", model=MODEL),
        st.tuples(FACE, st.integers(0, 5), st.integers(0, 3)).map(hit_by),
        FACE.map(lambda face: ("put_right", {"face": face})),
        st.just(("undo", {})),
        st.just(("redo", {})),
        st.just(("remove_unit", {"unit": "u2-2"})),
        st.just(("set_health", {"unit": "u3-1", "health": 6})),
    ),
    max_size=30,
)  # fmt: skip


def carry_out(night: Night, name: str, args: dict[str, Any]) -> None:
    if name == "put_right":
        if night.fold.content.check or night.fold.content.last:
            put_right(night, args["face"])
    elif name == "rolled":
        asked = {key: value for key, value in args.items() if key != "face"}
        check = night.fold.content.check
        if check is not None and check.status != "resolved":
            night.do("close_check")
        night.do("open_check", check="armour_check", **asked)
        night.do("enter_die", die="armour", face=args["face"])
    else:
        night.do(name, **args)


def played(deeds: list[tuple[str, dict[str, Any]]]) -> Iterator[Night]:
    """Play what is allowed, and give the night after every deed."""
    night = make_night()
    for name, args in deeds:
        try:
            carry_out(night, name, args)
        except (TableError, BadInput):
            continue
        yield night


@given(DEEDS)
@settings(max_examples=60, deadline=None)
def test_no_sequence_of_commands_breaks_what_must_hold(
    deeds: list[tuple[str, dict[str, Any]]],
) -> None:
    for night in played(deeds):
        active = 0
        for unit, model in night.armies.models():
            for name in token_names(unit):
                assert count_of(unit, model, name) >= 0, name
            assert model.luck <= (unit.card.special.luck or 0)
            assert model.ap == 0 or model.active
            assert not (model.active and model.removed)
            active += model.active
            assert not {"burning", "frozen"} <= set(model.conditions)
            assert model.conditions == tuple(sorted(set(model.conditions)))
        assert active <= 1


@given(DEEDS)
@settings(max_examples=40, deadline=None)
def test_undo_of_any_suffix_and_replay_give_the_exact_state(
    deeds: list[tuple[str, dict[str, Any]]],
) -> None:
    night = make_night()
    for night in played(deeds):  # noqa: B007 - the last one counts
        pass
    again = fold_events(parse_event(one.text()) for one in night.events)
    assert state_hash(again.state) == state_hash(night.fold.state)
    assert from_json(Fold, to_json(night.fold)) == night.fold
    for count in range(1, len(night.fold.past) + 1):
        seqs = [step.seq for step in reversed(night.fold.past)][:count]
        back = Night()
        back.fold, back.events = night.fold, []
        back.record(Draft("undone", {"seqs": seqs}))
        assert canonical(back.fold.content) == canonical(
            night.fold.past[-count].content
        )


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=5),
    st.sampled_from(["physical", "energy", "radiation"]),
    st.integers(0, 3),
)
@settings(max_examples=60, deadline=None)
def test_damage_is_neither_lost_nor_doubled(
    amounts: list[int], kind: str, before: int
) -> None:
    night = make_night()
    for _ in range(before):
        night.do("token", model=KNIGHT, token="power_armour", change=1)
    for amount in amounts:
        was = night.model(KNIGHT)
        hurt(night, KNIGHT, (kind, amount), override=True)
        now = night.model(KNIGHT)
        on_armour = now.power_armour - was.power_armour
        on_model = (
            now.radiation - was.radiation
            if kind == "radiation"
            else now.regular - was.regular
        )
        assert on_armour >= 0 and on_armour + on_model == amount
        assert on_model == 0 or now.broken
