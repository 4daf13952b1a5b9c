from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from device.data.load import load_dice_set
from device.fairness import chances, fairness, interval, p_value, shares, tally
from device.ledger import Ledger
from tests.web.table import TestTable, live_die, make_table

D6 = {str(face): Fraction(1, 6) for face in range(1, 7)}
ARMOUR = load_dice_set("foww").die("armour")


def thrown(odds: dict[str, Fraction], throws: int, seed: int) -> Counter[str]:
    rng = random.Random(seed)
    weights = [float(chance) for chance in odds.values()]
    return Counter(rng.choices(list(odds), weights, k=throws))


def test_a_fair_die_is_called_odd_about_as_often_as_promised() -> None:
    counts = [thrown(D6, 60, seed) for seed in range(150)]
    p_values = [p_value([one[face] for face in D6], [1 / 6] * 6) for one in counts]
    assert sum(p < 0.01 for p in p_values) <= 6
    assert 3 <= sum(p < 0.1 for p in p_values) <= 28
    assert 50 <= sum(p < 0.5 for p in p_values) <= 100


def test_a_loaded_die_is_noticed_once_there_are_throws_enough() -> None:
    loaded = D6 | {"6": Fraction(2, 6), "1": Fraction(0)}
    few = fairness(thrown(loaded, 12, 1), D6)
    many = fairness(thrown(loaded, 200, 1), D6)
    assert few is not None and many is not None
    assert many.p_value < 0.001 < few.p_value


def test_what_few_throws_cannot_show_is_said() -> None:
    few, many = fairness(thrown(D6, 12, 2), D6), fairness(thrown(D6, 400, 2), D6)
    assert few is not None and many is not None
    assert few.finds_double < 0.2 and few.needed > 60
    assert many.finds_double > 0.95 and many.needed == 400
    loaded = {face: Fraction(2, 15) for face in "12345"} | {"6": Fraction(1, 3)}
    counts = [thrown(loaded, few.needed, seed) for seed in range(100)]
    p_values = [p_value([one[face] for face in D6], [1 / 6] * 6) for one in counts]
    noticed = sum(p < 0.01 for p in p_values)
    assert 70 <= noticed <= 95, "the throws promised are about enough"


def test_more_dice_looked_at_ask_for_more_throws() -> None:
    counts = thrown(D6, 60, 3)
    one, seven = fairness(counts, D6), fairness(counts, D6, dice=7)
    assert one is not None and seven is not None
    assert one.p_value == seven.p_value and seven.needed > one.needed


def test_nothing_is_said_of_no_throws() -> None:
    assert fairness({}, D6) is None
    assert fairness({"misread": 3}, D6) is None


@pytest.mark.parametrize(
    ("seen", "throws", "low", "high"),
    [
        (0, 0, 0.0, 1.0),
        (0, 10, 0.0, 0.2775),  # Wilson, from the formula's printed tables
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (50, 300, 0.1288, 0.2131),
    ],
)
def test_the_interval_of_a_share(
    seen: int, throws: int, low: float, high: float
) -> None:
    assert interval(seen, throws) == pytest.approx((low, high), abs=2e-4)


def test_only_a_verified_die_has_odds() -> None:
    odds = chances(ARMOUR, "armour")
    assert odds is not None and odds["1"] == Fraction(4, 12)
    assert chances(load_dice_set("foww").die("skill"), "skill") is None
    assert chances(load_dice_set("demo").die("armour"), "armour") is None
    assert chances(None, "d6") == D6
    assert chances(None, "d10") is None, "some show 0, some 10"
    rows = shares(Counter({"1": 3, "2": 9}), odds)
    assert [(row.face, row.seen, row.expected) for row in rows][:3] == [
        ("1", 3, 4.0),
        ("2", 9, 3.0),
        ("3", 0, 3.0),
    ]


def roll(table: TestTable, *dice: tuple[str, str, str | None]) -> None:
    table.do("open_check", check="skill_check", rating=7, dice={"black": 1})
    table.settle(*(live_die(name, die, face) for name, die, face in dice))


def test_each_die_counts_once_as_it_stood_in_the_end(tmp_path: Path) -> None:
    with make_table(tmp_path) as table:
        companion = table.companion
        roll(table, ("d1", "skill", "5"), ("d2", "black", "dmg"))
        check = companion.snapshot().state.check
        assert check is not None and check.roll is not None
        table.do("correct_die", roll=check.roll.id, die="d1", face="6")
        table.do("close_check")
        roll(table, ("d3", "skill", "9"), ("d4", "black", "pen"))
        table.do("undo")
        table.do("close_check")
        table.open_skill_check(7)
        table.do("enter_die", die="skill", face="2")
        night = companion.snapshot().state.night
        found = tally(companion.nights.read(night))
        assert found["skill"].faces == {"6": 1}
        assert (found["skill"].corrected, found["skill"].typed) == (1, 1)
        assert found["black"].faces == {"dmg": 1}
        ledger = Ledger(companion.nights)
        assert ledger.tonight(night, companion.snapshot().seq) == found
        table.do("undo")
        table.do("enter_die", die="skill", face="3")
        both, lost = ledger.all_nights(night, companion.snapshot().seq)
        assert lost == 0 and both["skill"].typed == 1
        (tmp_path / "nights" / "20200101-000000.journal").write_bytes(b"torn")
        both, lost = ledger.all_nights(night, companion.snapshot().seq)
        assert lost == 1 and both["skill"].faces == {"6": 1}
