from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.table import (
    OWN,
    SCRIPT,
    TestTable,
    live_die,
    make_settings,
    make_table,
)
from web import create_app


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TestTable]:
    """Return a table with the printed dice, whose faces are not all known."""
    with make_table(tmp_path, dice="foww") as made:
        yield made


@pytest.fixture
def client(table: TestTable) -> FlaskClient:
    return create_app(table.companion, settings=make_settings()).test_client()


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def test_only_verified_dice_show_odds(player: FlaskClient) -> None:
    page = player.get("/dice").text
    armour = page.split("armour die</h2>")[1].split("</li>\n  <li")[0]
    assert "33.3 %" in text_of(armour)
    skill = page.split("skill die</h2>")[1].split("armour die")[0]
    assert " %" not in text_of(skill) and "no odds are shown" in skill


def test_the_faces_of_a_die_are_counted_on_the_page(
    player: FlaskClient, table: TestTable
) -> None:
    form = player.get("/dice/black/faces").text
    assert 'name="side_dmg"' in form and 'name="side_dmg+dmg"' in form
    counted = {"side_dmg": "6", "side_blank": "5", "side_dmg+pen": "1", "id": "one"}
    verified = counted | {"verified": "1"}
    answer = player.post("/dice/black/faces", data=verified, headers=OWN)
    assert answer.status_code == 303
    player.post("/dice/black/faces", data=verified, headers=OWN)
    page = text_of(player.get("/dice").text)
    assert "×6" in page and "50 %" in page and "Counted at this table by Ann" in page
    player.post("/dice/black/faces/undo", data={"id": "two"}, headers=OWN)
    assert "×6" not in player.get("/dice").text, "sent twice, it was done once"


@pytest.mark.parametrize(
    ("path", "form", "status", "line"),
    [
        ("/dice/black/faces", {"side_dmg": "13"}, 409, "more sides than this die"),
        ("/dice/black/faces", {"side_dmg": "x"}, 400, "whole number|check"),
        ("/dice/black/faces", {"side_dmg": "-1"}, 400, "faces"),
        ("/dice/black/faces", {"side_dmg": "1", "verified": "1"}, 409, "Not every"),
        ("/dice/armour/faces", {"side_1": "1"}, 404, "are known"),
        ("/dice/pink/faces", {}, 404, "are known"),
        ("/dice/black/faces/undo", {}, 409, "nothing to take back"),
    ],
)
def test_a_wrong_count_is_refused_in_words(
    player: FlaskClient, path: str, form: dict[str, str], status: int, line: str
) -> None:
    answer = player.post(path, data=form, headers=SCRIPT)
    assert answer.status_code == status
    assert re.search(line, answer.json["error"]["message"])  # type: ignore[index]


def test_spectators_count_nothing(spectator: FlaskClient) -> None:
    answer = spectator.post("/dice/black/faces", data={"side_dmg": "1"}, headers=OWN)
    assert answer.status_code == 403
    assert "Count its faces" not in spectator.get("/dice").text


def test_what_the_dice_have_shown(player: FlaskClient, table: TestTable) -> None:
    assert "has not read a die yet" in player.get("/dice/statistics").text
    for number in range(3):
        table.do("open_check", check="armour_check", amount=3, rating=1)
        table.settle(live_die(f"d{number}", "armour", str(number + 1)))
        table.do("close_check")
    table.open_skill_check(7)
    table.settle(live_die("d9", "skill", "5"))
    page = text_of(player.get("/dice/statistics").text)
    assert "armour die 3 throws" in page and "skill die 1 throw" in page
    assert "No sign of unfairness" in page
    assert re.search(r"in 80 % after about \d+ throws", page)
    assert page.count("no odds are shown") == 1, "the skill die is not verified"
    assert text_of(player.get("/dice/statistics?all=1").text).count("throws") >= 1
