"""Editing units on the table: values, equipment, numbers; the tokens stay."""

from __future__ import annotations

import pytest

from device.errors import BadInput, TableError
from device.rosters.problems import RosterError
from device.table.state import state_hash
from tests.device.games.foww.armies import (
    KNIGHT,
    ROBOT,
    ROBOT2,
    STRANGER,
    Night,
    hurt,
    make_night,
)

SHOVEL = """
format = 1
[[weapon]]
name = "shovel"
skill = "melee"
damage = { physical = 2 }
critical_rating = 2
"""

UNIT = "format = 1\n[[unit]]\n"


@pytest.fixture
def night() -> Night:
    return make_night()


def edit(night: Night, unit: str, text: str) -> None:
    night.do("edit_unit", unit=unit, roster=UNIT + text)


def test_a_card_filled_in_reaches_every_unit_that_carries_it(night: Night) -> None:
    edit(night, "u2-2", 'name = "Robot"\ncount = 2\nweapons = ["Shovel"]')
    night.do("set_cards", cards=SHOVEL)
    for model in (ROBOT, STRANGER):
        found = night.armies.find(model)
        assert found is not None
        (weapon,) = found[0].card.weapons
        assert (weapon.skill, weapon.damage[0].value) == ("melee", 2)
    assert [name["en"] for name in night.log["names"]] == ["shovel"]


def test_cards_that_nobody_carries_change_nothing(night: Night) -> None:
    before = night.fold.seq
    night.do("set_cards", cards=SHOVEL.replace("shovel", "Spoon"))
    assert night.fold.seq == before


def test_values_come_without_touching_what_the_army_list_said(night: Night) -> None:
    text = 'name = "Knight"\nhealth = 7\nspecial = { luc = 2 }\nhero = false\n'
    night.do("set_cards", cards=UNIT + text)
    unit, knight = night.armies.find(KNIGHT) or (None, None)
    assert unit is not None and knight is not None
    assert unit.card.health == 7 and unit.card.name.ru == "Рыцарь"
    assert unit.card.hero and len(unit.card.weapons) == 2 and unit.card.power_armour
    assert knight.luck == 2  # never more than its rating


def test_a_hero_whose_luck_was_unknown_starts_with_all_of_it(night: Night) -> None:
    edit(night, "u3-1", 'name = "Stranger"\nhero = true\nweapons = ["Shovel"]')
    assert night.model(STRANGER).luck == 0
    night.do("set_cards", cards=UNIT + 'name = "Stranger"\nspecial = { luc = 4 }\n')
    assert night.model(STRANGER).luck == 4
    night.do("token", model=STRANGER, token="luck", change=-1)
    night.do("set_cards", cards=UNIT + 'name = "Stranger"\nspecial = { luc = 5 }\n')
    assert night.model(STRANGER).luck == 3


def test_tokens_stay_with_the_weapon_and_the_item_of_their_name(night: Night) -> None:
    night.do("token", model=KNIGHT, token="critical:0", change=1)
    night.do("token", model=KNIGHT, token="loaded:1", change=-1)
    night.do("token", model=KNIGHT, token="item:0", change=-1)
    hurt(night, KNIGHT, ("physical", 5))
    edit(
        night,
        "u2-1",
        'name = "Knight"\nhero = true\nweapons = ["Launcher", "Club", "Rifle"]\n'
        'items = ["Rope", { name = "Stimpak", count = 3 }]\npower_armour = "Suit"\n'
        '[[weapon]]\nname = "Launcher"\nslow_fire = true\n',
    )
    knight = night.model(KNIGHT)
    assert knight.criticals == (0, 0, 1)
    assert knight.loaded == (0, 1, 1)
    assert knight.items == (1, 2)  # one of two used, one more brought
    assert (knight.power_armour, knight.broken, knight.regular) == (4, True, 1)


def test_power_armour_laid_aside_takes_its_tokens_along(night: Night) -> None:
    hurt(night, KNIGHT, ("physical", 3))
    edit(night, "u2-1", 'name = "Knight"\nhero = true')
    knight = night.model(KNIGHT)
    assert (knight.power_armour, knight.broken, knight.regular) == (0, False, 0)
    assert knight.criticals == knight.loaded == knight.items == ()


def test_more_models_come_fresh_and_the_last_ones_go(night: Night) -> None:
    night.do("token", model=ROBOT, token="regular", change=1)
    edit(night, "u2-2", 'name = "Robot"\ncount = 3\npoints = 90')
    assert night.model("u2-2.3").regular == 0 and night.model(ROBOT).regular == 1
    edit(night, "u2-2", 'name = "Robot"\ncount = 1')
    unit = night.armies.side("a")[1]
    assert [model.id for model in unit.models] == [ROBOT]
    assert unit.points is None
    night.do("undo")
    assert night.armies.find(ROBOT2) is not None
    assert night.armies.side("a")[1].points == 90


def test_a_shorter_gauge_keeps_no_more_points_than_it_holds(night: Night) -> None:
    for _ in range(3):
        night.do("token", model=KNIGHT, token="critical:0", change=1)
    night.do(
        "set_cards",
        cards='format = 1\n[[weapon]]\nname = "Rifle"\ncritical_rating = 2\n',
    )
    assert night.model(KNIGHT).criticals == (2, 0)


def test_health_learned_late_removes_who_has_that_much_damage(night: Night) -> None:
    edit(night, "u3-1", 'name = "Stranger"')
    hurt(night, STRANGER, ("physical", 3))
    assert not night.model(STRANGER).removed
    night.do("set_cards", cards=UNIT + 'name = "Stranger"\nhealth = 3\n')
    assert night.model(STRANGER).removed


@pytest.mark.parametrize(
    ("name", "args", "error"),
    [
        ("set_cards", {"cards": "format = 1\n[[wepon]]\n"}, RosterError),
        ("set_cards", {}, BadInput),
        ("edit_unit", {"unit": "u2-1", "roster": "format = 1\n"}, RosterError),
        ("edit_unit", {"unit": "u9", "roster": UNIT + 'name = "A"\n'}, BadInput),
        (
            "edit_unit",
            {"unit": "u2-1", "roster": UNIT + 'name = "A"\n[[unit]]\nname = "B"\n'},
            BadInput,
        ),
    ],
)
def test_a_wrong_edit_changes_nothing(
    night: Night, name: str, args: dict[str, str], error: type[Exception]
) -> None:
    before = state_hash(night.fold.state)
    with pytest.raises(error):
        night.do(name, **args)
    assert state_hash(night.fold.state) == before


def test_no_more_models_than_a_table_holds(night: Night) -> None:
    for _ in range(5):
        night.do("add_unit", side="a", roster=UNIT + 'name = "Crowd"\ncount = 20\n')
    with pytest.raises(TableError, match="no more models"):
        edit(night, "u2-2", 'name = "Robot"\ncount = 19')
