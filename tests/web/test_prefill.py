"""Checks that start with the values of the model that acts or is hit."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from device.rosters.store import starter
from device.rosters.writing import roster_toml
from tests.device.games.foww.armies import HEROES
from tests.web.table import RUSSIAN, TestTable, live_die
from tests.web.test_languages import english_on


@pytest.fixture
def brotherhood(table: TestTable) -> TestTable:
    table.do("add_unit", side="a", roster=roster_toml(starter("brotherhood")))
    return table


def number(page: str, field: str) -> str:
    found = re.search(rf'id="f-{field}"[^>]* value="(-?\d+)"', page)
    assert found, field
    return found[1]


def test_an_attack_starts_with_the_cards_values(
    player: FlaskClient, brotherhood: TestTable
) -> None:
    brotherhood.do("token", model="u2-2.1", token="frozen", change=1)
    link = "/now?open=skill_check&amp;model=u2-2.1&amp;weapon=0"
    assert link in player.get("/units?free=1").text
    page = player.get(link.replace("&amp;", "&")).text
    assert "Knight Patrol 1, Assault rifle" in page
    assert number(page, "rating") == "5"  # PER, under which the rifle stands
    assert (number(page, "dice_green"), number(page, "dice_black")) == ("1", "1")
    assert number(page, "weapon_damage") == "2"
    assert re.search('name="frozen" value="1" checked', page)
    assert not re.search('name="injured_arm" value="1" checked', page)
    assert "not known" not in page
    far = player.get("/now?open=skill_check&model=u2-2.1&weapon=0&range=long").text
    assert (number(far, "dice_green"), number(far, "dice_black")) == ("0", "1")


def test_what_nobody_has_said_is_asked_for(
    player: FlaskClient, table: TestTable
) -> None:
    table.do("add_unit", side="a", roster=HEROES)
    page = player.get("/now?open=skill_check&model=u2-1.1&weapon=0").text
    assert "Rating and damage are not known: please type them in." in page
    page = player.get("/now?open=armour_check&model=u2-1.1").text
    assert "The rating is not known: please type it in." in page


def test_the_armour_of_who_was_hit_is_filled_in(
    player: FlaskClient, brotherhood: TestTable
) -> None:
    weapon = {"damage": 3, "type": "energy"}
    brotherhood.open_skill_check(7, attack="shoot", weapon=weapon)
    brotherhood.settle(live_die("d1", "skill", "4"))
    page = player.get("/now?open=armour_check").text
    assert "Who was hit?" in page and "Knight Patrol 3" in page
    page = player.get("/now?open=armour_check&model=u2-2.3").text
    assert (number(page, "rating"), number(page, "amount")) == ("1", "3")
    assert '<option value="energy" selected>' in page
    page = player.get("/now?open=armour_check&model=u2-1.1").text
    assert "not known" in page  # the energy rating of the power armour is lost


def test_power_armour_counts_in_place_of_the_units_own(
    player: FlaskClient, brotherhood: TestTable
) -> None:
    brotherhood.do("token", model="u2-1.1", token="boost", change=1)
    page = player.get("/now?open=armour_check&model=u2-1.1").text
    assert (number(page, "rating"), number(page, "sturdy")) == ("3", "1")
    assert number(page, "boost_icons") == "1"


@pytest.mark.parametrize("query", ["model=u9", "model=u2-1.1&weapon=9", "weapon=0"])
def test_an_address_that_fits_nothing_changes_nothing(
    player: FlaskClient, brotherhood: TestTable, query: str
) -> None:
    page = player.get(f"/now?open=skill_check&{query}").text
    form = page[page.index("open-form") :].partition("</form>")[0]
    assert number(page, "rating") == "6" and "Paladin" not in form


def test_all_of_it_is_said_in_russian(
    player: FlaskClient, brotherhood: TestTable
) -> None:
    for path in (
        "/units",
        "/now?open=skill_check&model=u2-1.1&weapon=0",
        "/now?open=armour_check&model=u2-1.1",
        "/now?open=armour_check",
    ):
        assert english_on(player.get(path, headers=RUSSIAN).text) == set(), path
