from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import pytest

from device.errors import BadInput
from device.rules.fields import (
    FLAG,
    INT,
    NAT,
    TEXT,
    ListOf,
    MapOf,
    Nullable,
    Number,
    Optional,
    Record,
    Variants,
    Whole,
    distinct,
    one_of,
    record,
)


def refuse(value: object, path: str = "") -> None:
    raise BadInput("no", path)


POINT = record(SimpleNamespace, x=INT, y=Optional(INT, 0))
SHAPE = record(
    SimpleNamespace,
    name=TEXT,
    points=ListOf(POINT, 1, 3),
    size=Optional(Nullable(Number(0))),
    marks=Optional(MapOf(NAT, ("a", "b")), {}),
)


@pytest.mark.parametrize(
    ("reader", "value", "read"),
    [
        (INT, -3, -3),
        (Whole(1, 6), 6, 6),
        (Number(), 0.1, Fraction(1, 10)),
        (Number(), 3, Fraction(3)),
        (Number(0, above=0), 0.5, Fraction(1, 2)),
        (FLAG, True, True),
        (TEXT, "a", "a"),
        (one_of("a", 10), 10, 10),
        (Nullable(INT), None, None),
        (ListOf(INT), [1, 2], (1, 2)),
        (MapOf(INT), {"k": 1}, {"k": 1}),
    ],
)
def test_a_good_value_is_read_as_the_rules_want_it(reader, value, read) -> None:
    assert reader.read(value, "f") == read


@pytest.mark.parametrize(
    ("reader", "value", "path"),
    [
        (INT, True, "f"),
        (INT, "3", "f"),
        (INT, 3.0, "f"),
        (INT, None, "f"),
        (INT, 10**16, "f"),
        (Number(), -1e300, "f"),
        (NAT, -1, "f"),
        (Whole(1, 6), 7, "f"),
        (Number(), False, "f"),
        (Number(), float("nan"), "f"),
        (Number(), float("inf"), "f"),
        (Number(0), -0.1, "f"),
        (Number(0, above=0), 0, "f"),
        (FLAG, 1, "f"),
        (FLAG, None, "f"),
        (TEXT, "", "f"),
        (one_of("a", "b"), "c", "f"),
        (one_of(10, 100), True, "f"),
        (one_of(1, 2), True, "f"),
        (one_of(10), 10.0, "f"),
        (ListOf(INT), "12", "f"),
        (ListOf(INT, 2), [1], "f"),
        (ListOf(INT, 0, 1), [1, 2], "f"),
        (ListOf(INT), [1, "x"], "f[1]"),
        (MapOf(INT, ("a",)), {"b": 1}, "f.b"),
        (MapOf(INT), {"k": "x"}, "f.k"),
        (MapOf(INT), [], "f"),
        (ListOf(INT, check=refuse), [1], "f"),
        (Record(refuse, {"value": INT}), {"value": 1}, "f"),
    ],
)
def test_a_bad_value_is_refused_at_its_path(reader, value, path: str) -> None:
    with pytest.raises(BadInput) as caught:
        reader.read(value, "f")
    assert caught.value.field == path
    assert str(caught.value)


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({}, "name"),
        ({"name": "n"}, "points"),
        ({"name": "n", "points": []}, "points"),
        ({"name": "n", "points": [{"x": 1}, {}]}, "points[1].x"),
        ({"name": "n", "points": [{"x": 1, "z": 2}]}, "points[0].z"),
        ({"name": "n", "points": [{"x": 1, "y": None}]}, "points[0].y"),
        ({"name": "n", "points": [{"x": 1}], "marks": {"c": 1}}, "marks.c"),
        ({"name": "n", "points": [{"x": 1}], "marks": {"a": -1}}, "marks.a"),
        ({"nam": "n", "points": [{"x": 1}]}, "nam"),
        ([], ""),
        ("text", ""),
    ],
)
def test_a_fault_deep_inside_has_the_whole_path(value: object, path: str) -> None:
    with pytest.raises(BadInput) as caught:
        SHAPE.read(value, "")
    assert caught.value.field == path


def test_a_field_left_out_has_its_default() -> None:
    shape = SHAPE.read({"name": "n", "points": [{"x": 1}]}, "")
    assert (shape.size, shape.marks, shape.points[0].y) == (None, {}, 0)


def test_a_mistyped_field_is_answered_with_the_likely_one() -> None:
    with pytest.raises(BadInput, match="did you mean 'points'"):
        SHAPE.read({"name": "n", "piont": []}, "")


def test_a_fault_found_while_making_the_value_is_put_at_its_place() -> None:
    def make(x: int) -> int:
        raise BadInput("no", "x")

    reader = record(SimpleNamespace, inner=ListOf(record(make, x=INT)))
    with pytest.raises(BadInput) as caught:
        reader.read({"inner": [{"x": 1}]}, "")
    assert caught.value.field == "inner[0].x"


def test_a_field_named_like_a_keyword_gets_an_underscore() -> None:
    reader = Record(SimpleNamespace, {"from": INT})
    assert reader.read({"from": 3}, "").from_ == 3


def test_the_tag_decides_which_fields_there_are() -> None:
    reader = Variants(
        "do",
        {"move": record(SimpleNamespace, hexes=INT), "use": record(SimpleNamespace)},
    )
    assert reader.read({"do": "move", "hexes": 2}, "a").hexes == 2
    faults = [
        ({}, "a.do"),
        ({"do": "fly"}, "a.do"),
        ({"do": "move"}, "a.hexes"),
        ({"do": "use", "hexes": 2}, "a.hexes"),
        (7, "a"),
    ]
    for value, path in faults:
        with pytest.raises(BadInput) as caught:
            reader.read(value, "a")
        assert caught.value.field == path


def test_the_second_of_two_equal_ids_is_at_fault() -> None:
    reader = ListOf(record(SimpleNamespace, id=TEXT), check=distinct("id"))
    with pytest.raises(BadInput) as caught:
        reader.read([{"id": "a"}, {"id": "b"}, {"id": "a"}], "list")
    assert caught.value.field == "list[2].id"
