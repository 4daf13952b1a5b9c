from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from device.data.load import table
from device.errors import UnknownTable
from device.rules.munchkin.deck import numbers
from device.rules.special.charts import charts
from device.rules.stalker.zona import zona

READERS: dict[str, Callable[[Any], Any]] = {
    "munchkin": numbers,
    "special": charts,
    "stalker": zona,
}


def spoilt(name: str, spoil: Callable[[Any], None]) -> Any:
    document = copy.deepcopy(table(name))
    spoil(document)
    return document


def first(document: Any) -> Any:
    return document["table"][0]


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda d: d.pop("missing"), "'missing' is missing"),
        (lambda d: d.update(extra=1), "unknown entry 'extra'"),
        (lambda d: d["table"].pop(), "is missing"),
        (lambda d: d["table"].append(first(d)), "two tables named"),
        (lambda d: first(d).update(name="other"), "unknown table 'other'"),
        (lambda d: first(d).pop("source"), "'source' is missing"),
        (lambda d: first(d).update(verified=1), "wrong type"),
        (lambda d: first(d)["values"].update(extra=1), "extra"),
        (lambda d: first(d)["values"].popitem(), "missing or unknown"),
        (
            lambda d: first(d)["values"].update({next(iter(first(d)["values"])): 0.5}),
            "no whole number",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_mistake_in_a_games_tables_is_named(name: str, spoil, says: str) -> None:
    with pytest.raises(UnknownTable, match=says):
        READERS[name](spoilt(name, spoil))


def test_a_number_that_is_not_there_is_asked_for_in_vain() -> None:
    for name, read in READERS.items():
        found = read(table(name))
        with pytest.raises(UnknownTable, match="nothing"):
            found.number("nothing", "at_all")


def test_a_weapon_has_all_its_numbers_or_none() -> None:
    def spoil(document: Any) -> None:
        rifle = next(w for w in document["weapon"] if w["key"] == "sample_rifle")
        del rifle["rate"]

    with pytest.raises(UnknownTable, match="'rate' is missing"):
        zona(spoilt("stalker", spoil))
    assert zona(table("stalker")).weapons["pistol"] is None


def test_the_two_weapons_of_the_text_are_there_as_printed() -> None:
    weapons = {weapon.key: weapon for weapon in charts(table("special")).weapons}
    assert set(weapons) == {"rock", "knife"}
    assert "price" not in weapons["rock"].facts
    assert weapons["knife"].facts["rating"] == [4, 30]


def test_an_unknown_document_is_named() -> None:
    with pytest.raises(UnknownTable, match="nowhere"):
        table("nowhere")
