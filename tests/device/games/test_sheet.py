"""Counters that dice change: put right exactly, whatever has happened since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from device.games.sheet import Change, settled
from device.table.state import Check, Content, Finished

CHECK = Check("c7", "any", {}, ())


def after(content: Content, change: Mapping[str, Any]) -> Content:
    kept = {k: v for k, v in content.sheet.items() if k not in change["drop"]}
    return replace(content, sheet=kept | dict(change["set"]))


def begun(value: int) -> Content:
    return Content(check=CHECK, sheet={"one:1": {"id": "one:1", "hurt": value}})


def hurt(content: Content) -> int:
    return int(content.sheet["one:1"]["hurt"])


def test_a_second_answer_takes_the_place_of_the_first() -> None:
    content = begun(3)
    content = after(content, settled(content, CHECK, [Change("one:1", "hurt", 5)]))
    assert hurt(content) == 8
    content = after(content, settled(content, CHECK, [Change("one:1", "hurt", 2)]))
    assert hurt(content) == 5
    content = after(content, settled(content, CHECK, []))
    assert hurt(content) == 3
    assert "done:c7" not in content.sheet


@given(st.integers(0, 9), st.integers(-9, 9), st.integers(-9, 9), st.integers(0, 9))
def test_what_happened_since_stays(start: int, one: int, two: int, since: int) -> None:
    content = begun(start)
    limits = {"low": 0, "high": 10}
    first = Change("one:1", "hurt", one, **limits)
    content = after(content, settled(content, CHECK, [first]))
    later = {"id": "one:1", "hurt": hurt(content) + since}
    content = replace(content, sheet=dict(content.sheet) | {"one:1": later})
    second = Change("one:1", "hurt", two, **limits)
    content = after(content, settled(content, CHECK, [second]))
    assert hurt(content) == max(0, min(10, start + since + two))


def test_an_entity_that_is_gone_is_left_out() -> None:
    change = settled(Content(check=CHECK), CHECK, [Change("one:1", "hurt", 1)])
    assert change == {"set": {}, "drop": []}


def test_notes_about_older_checks_go() -> None:
    content = replace(begun(0), last=Finished(Check("c3", "any", {}, ())))
    old = {"done:c1": {"by": []}, "done:c3": {"by": []}}
    content = replace(content, sheet=dict(content.sheet) | old)
    change = settled(content, CHECK, [Change("one:1", "hurt", 1)])
    assert change["drop"] == ["done:c1"]
