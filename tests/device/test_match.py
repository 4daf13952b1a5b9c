"""Matching: every wanted die once, and never one for another."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import given
from hypothesis import strategies as st

from device.data.load import load_dice_set
from device.match import match_dice
from device.rules.dice import DiceSet, Die, Face
from device.table.state import Want

DEMO = load_dice_set("demo")
NAMES = ("skill", "armour", "black", "yellow", "green", "blue", "d12", "d20", "d6")


@dataclass(frozen=True)
class Lying:
    id: str
    die: str


def lying(*names: str) -> list[Lying]:
    return [Lying(f"d{number}", name) for number, name in enumerate(names)]


def numbered(name: str, shape: str, *faces: str) -> Die:
    return Die(
        name=name,
        shape=shape,
        colour="white",
        faces=tuple(Face(face, count=1) for face in faces),
        sides=faces,
        complete=True,
        verified=True,
        source="test",
    )


def test_the_wanted_dice_are_taken_in_the_order_of_the_wants() -> None:
    match = match_dice(
        lying("black", "skill", "black"), [Want("skill", 1), Want("black", 2)], DEMO
    )
    assert match.is_exact
    assert match.taken == (("d1", "skill"), ("d0", "black"), ("d2", "black"))


def test_nobody_can_say_which_of_three_is_one_too_many() -> None:
    match = match_dice(lying("black", "black", "black"), [Want("black", 2)], DEMO)
    assert match.taken == ()
    assert match.surplus == ("d0", "d1", "d2")
    assert not match.has_all


def test_a_plain_numbered_d12_is_not_the_armour_die() -> None:
    match = match_dice(lying("d12"), [Want("armour", 1)], DEMO)
    assert match.missing == (Want("armour", 1),)
    assert match.wrong == ("d0",)


def test_a_plain_numbered_d20_is_not_the_skill_die() -> None:
    match = match_dice(lying("d20"), [Want("skill", 1)], DEMO)
    assert match.wrong == ("d0",)


def test_a_plain_die_stands_in_where_the_set_has_one_such_die_alone() -> None:
    plain = numbered("action", "d6", "1", "2", "3", "4", "5", "6")
    known = DiceSet("own", (plain,), "")
    assert match_dice(lying("d6"), [Want("action", 1)], known).is_exact
    other = replace(plain, name="other")
    two = DiceSet("own", (plain, other), "")
    assert not match_dice(lying("d6"), [Want("action", 1)], two).is_exact
    odd = DiceSet("own", (numbered("action", "d6", "1", "1", "2", "2", "3", "3"),), "")
    assert not match_dice(lying("d6"), [Want("action", 1)], odd).is_exact


@given(
    st.lists(st.sampled_from(NAMES), max_size=8),
    st.lists(
        st.builds(Want, st.sampled_from(NAMES[:6]), st.integers(1, 4)),
        max_size=4,
        unique_by=lambda want: want.die,
    ),
)
def test_a_die_is_never_taken_for_another(names: list[str], wants: list[Want]) -> None:
    dice = lying(*names)
    match = match_dice(dice, wants, DEMO)
    by_id = {one.id: one.die for one in dice}
    assert all(by_id[one] == name for one, name in match.taken)
    assert {one for one, _ in match.taken} | set(match.surplus) | set(
        match.wrong
    ) == set(by_id)
    for want in wants:
        count = names.count(want.die)
        assert (want.die in {lack.die for lack in match.missing}) == (
            count < want.count
        )
    if match.is_exact:
        assert len(names) == sum(want.count for want in wants)
