"""Tables that players fill in themselves."""

from __future__ import annotations

from typing import Any

import pytest

from device.errors import BadInput
from device.games.own import own_toml, parse_own, rows_of
from device.games.special.sheet import weapons
from device.table.codec import to_json
from tests.device.games.play import Night
from tests.device.games.special.scene import RIFLE, raider


def test_the_players_own_tables_are_rows_of_a_file(night: Night) -> None:
    row = {name: RIFLE[name] for name in RIFLE}
    night.do("own_weapon", **row)
    night.do("own_weapon", **(row | {"ap": 6}))
    night.do("own_armour", name="Leather", ac=15, dr=25)
    own = night.content.sheet["own"]
    assert [one["ap"] for one in own["weapon"]] == [6]
    text = own_toml("special", own)
    assert parse_own(text, "special") == to_json(own)
    night.do("drop_own", table="weapon", at=0)
    assert rows_of(night.content, "weapon") == ()
    night.do("load_own", tables=parse_own(text, "special"))
    assert night.content.sheet["own"] == own
    night.do(
        "add_weapon", character=raider(night).id, **rows_of(night.content, "weapon")[0]
    )
    assert weapons(night.content, raider(night).id)[0].ap == 6


@pytest.mark.parametrize(
    ("tables", "field"),
    [
        ({}, "tables"),
        ({"perk": []}, "tables.perk"),
        ({"weapon": 1}, "weapon"),
        ({"armour": [{"name": "X", "dr": 200}]}, "tables.armour[0].dr"),
    ],
)
def test_a_fault_in_own_tables_is_named(night: Night, tables: Any, field: str) -> None:
    with pytest.raises(BadInput) as caught:
        night.do("load_own", tables=tables)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("x = [", "file"),
        ("game = 'special'", "file.format"),
        ("format = 1\ngame = 'stalker'", "file.game"),
        ("format = 1\ngame = 'special'\nweapon = 3", "file.weapon"),
    ],
)
def test_another_file_is_refused(text: str, field: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_own(text, "special")
    assert caught.value.field == field
