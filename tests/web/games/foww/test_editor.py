"""The editor of units and cards: made, equipped, filled in once, taken home."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from flask.testing import FlaskClient

from device.rosters import cards as reading
from device.rosters.cards import Cards
from device.rosters.reading import Fields
from device.rosters.roster import parse_roster
from device.rosters.store import (
    FILE,
    entered_cards,
    known_cards,
    remember_cards,
    shipped_cards,
)
from device.table.army import Unit
from device.table.cards import UnitCard
from tests.device.games.foww.armies import HEROES, STRANGERS
from tests.web.table import OWN, RUSSIAN, SCRIPT, TestTable
from tests.web.test_languages import english_on
from tests.web.test_units import multipart
from web.games.foww.card_fields import KINDS
from web.games.foww.known import cards_of, find

GONE = "gone"


def units(table: TestTable) -> tuple[Unit, ...]:
    return table.companion.snapshot().state.armies.units


class Form(HTMLParser):
    """The values that a browser would send for the only form of a page's screen."""

    def __init__(self, page: str, action: str) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self._action, self._inside, self._select = action, False, ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._inside = given.get("action") == self._action
        if not self._inside:
            return
        if tag == "input":
            ticked = given.get("type") != "checkbox" or "checked" in given
            if ticked:
                self.values[given["name"]] = given.get("value", "")
        elif tag == "select":
            self._select = given["name"]
            self.values[self._select] = ""
        elif tag == "option" and "selected" in given:
            self.values[self._select] = given["value"]


def send(player: FlaskClient, path: str, /, **form: str) -> str:
    answer = player.post(path, data=form, headers=OWN)
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


def fill(player: FlaskClient, page: str, action: str, /, **changes: str) -> str:
    """Send a page's form with some fields changed, `GONE` takes one out."""
    values = Form(player.get(page).text, action).values | changes
    kept = {name: value for name, value in values.items() if value != GONE}
    return send(player, action, **kept)


# --- Units -------------------------------------------------------------------------


def test_a_unit_is_made_and_equipped_by_its_form(
    player: FlaskClient, table: TestTable
) -> None:
    fill(
        player, "/army/new?side=b", "/army/new", unit_name="Paladin", count="2",
        points="300", hero="1", add_weapon="Assault rifle", new_item="Bobby pin",
        power_armour="T-60 power armour",
    )  # fmt: skip
    (unit,) = units(table)
    card = unit.card
    assert (unit.side, len(unit.models), unit.points) == ("b", 2, 300)
    assert (card.special.strength, card.hero, card.source) == (
        6,
        True,
        shipped_cards().units[0].source,
    )
    assert card.weapons[0].damage and card.items[0].item.name.en == "Bobby pin"
    assert card.power_armour is not None and card.power_armour.endurance == 4


def test_the_form_of_a_unit_changes_only_what_was_changed(
    player: FlaskClient, table: TestTable
) -> None:
    table.do("add_unit", side="a", roster=HEROES)
    before = units(table)[0]
    path = f"/army/unit/{before.id}"
    fill(player, path, path)
    assert units(table)[0] == before
    fill(player, path, path, weapon_1=GONE, item_0="5", new_weapon="Палка")
    card = units(table)[0].card
    assert [weapon.name.any for weapon in card.weapons] == ["Rifle", "Палка"]
    assert card.weapons[1].name.en == "" and card.items[0].count == 5
    fill(player, path, path, item_0="0", power_armour="", points="")
    card = units(table)[0].card
    assert card.items == () and card.power_armour is None


def test_an_army_list_is_taken_home_and_comes_back_the_same(
    player: FlaskClient, table: TestTable
) -> None:
    assert player.get("/army/list/a.toml").status_code == 404
    table.do("add_unit", side="a", roster=HEROES)
    answer = player.get("/army/list/a.toml")
    assert 'filename="army-a.toml"' in answer.headers["Content-Disposition"]
    roster = parse_roster(answer.data, Cards())
    assert [one.card for one in roster.units] == [one.card for one in units(table)]
    assert [one.count for one in roster.units] == [1, 2]
    assert player.get("/army/list/c.toml").status_code == 404


# --- Cards -------------------------------------------------------------------------


def known_fields(kind: str) -> set[str]:
    """Return every field that the reader of rosters asks for, ``special``."""
    asked: set[str] = set()

    class Spy(Fields):
        def raw(self, field: str) -> object:
            asked.add(field)
            return super().raw(field)

    read = {
        "unit": lambda fields: reading.read_unit(fields, Cards()),
        "weapon": reading.read_weapon,
        "item": reading.read_item,
        "power_armour": reading.read_power_armour,
    }[kind]
    read(Spy({"name": "A"}, "", []))
    return asked


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_field_of_a_card_can_be_edited(kind: str) -> None:
    groups = KINDS[kind].groups
    flat = [one.key for group in groups if not group.rows for one in group.fields]
    here = {key.partition(".")[0] for key in flat}
    here |= {group.rows for group in groups if group.rows}
    listed = {"weapons", "items", "power_armour", "hero"} if kind == "unit" else set()
    assert known_fields(kind) - listed == here


EXAMPLE = files("device.data").joinpath("roster.toml.example").read_bytes()
"""Names every field there is."""


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_form_sent_as_it_came_changes_no_card(
    player: FlaskClient, tmp_path: Path, kind: str
) -> None:
    remember_cards(tmp_path, parse_roster(EXAMPLE, shipped_cards()).cards)
    cards = cards_of(kind, known_cards(tmp_path))
    for card in cards:
        page = f"/army/cards/{kind}?name={quote(card.name.any)}"
        fill(player, page, f"/army/cards/{kind}", source="mine")
    for before in cards:
        now = find(kind, entered_cards(tmp_path), before.name.any)
        assert now.source == "mine"
        now = replace(now, source=before.source)
        if isinstance(before, UnitCard) and isinstance(now, UnitCard):
            carried = {"weapons": (), "items": (), "power_armour": None, "hero": False}
            now, before = replace(now, **carried), replace(before, **carried)
        assert now == before


def test_what_a_card_says_reaches_the_table_and_the_next_night(
    player: FlaskClient, table: TestTable, tmp_path: Path
) -> None:
    table.do("add_unit", side="a", roster=STRANGERS)
    form = {"name.en": "Shovel", "skill": "melee", "damage.physical": "2"}
    send(player, "/army/cards/weapon", **form, then="/army/unit/u2-1")
    assert units(table)[0].card.weapons[0].skill == "melee"
    assert entered_cards(tmp_path).weapons[0].damage[0].value == 2
    assert "Shovel" in player.get("/log").text
    send(player, "/undo")
    assert units(table)[0].card.weapons[0].skill == ""


def test_values_missing_after_an_import_are_asked_for_one_after_another(
    player: FlaskClient, table: TestTable
) -> None:
    table.do("add_unit", side="a", roster=STRANGERS)
    page = player.get("/army/ask").text
    assert "Values missing: card 1 of 3" in page and "Stranger" in page
    saved = fill(player, "/army/ask", "/army/cards/unit", health="4")
    page = player.get(saved).text  # not all of it is known: still it goes on
    assert "card 2 of 3" in page and "Shovel" in page
    saved = fill(
        player, saved, "/army/cards/weapon", skill="melee", **{"damage.physical": "2"}
    )
    assert "Rusty suit" in player.get(saved).text
    at = parse_qs(urlsplit(saved).query)["at"][0]
    last = player.get(f"/army/ask?at={int(at) + 1}").text
    assert "Still unknown: Stranger, Rusty suit." in last


def test_an_import_that_lacks_values_leads_to_them(
    player: FlaskClient, table: TestTable
) -> None:
    sent = multipart(STRANGERS.encode(), side="a")
    answer = player.post("/units/roster", headers=OWN, **sent)  # type: ignore[arg-type]
    assert answer.headers["Location"] == "/army/ask"
    page = player.get("/units").text
    assert "/army/ask" in page and "/army/unit/u2-1" in page
    assert "/army/list/a.toml" in page and "/army/list/b.toml" not in page


def test_a_way_back_leads_nowhere_else(player: FlaskClient) -> None:
    form = {"name.en": "Spoon", "consumable": "no"}
    for then in ("https://elsewhere.example/", "//elsewhere.example", "/log", ""):
        assert send(player, "/army/cards/item", **form, then=then) == "/army/cards"


@pytest.mark.parametrize(
    ("kind", "form", "line"),
    [
        ("unit", {"health": "99"}, "Здоровье: целое число от 1 до 20."),
        ("unit", {"health": "пять"}, "Здоровье: целое число от 1 до 20."),
        ("unit", {"armour.physical": "3+"}, "Физический: число, 3+1, - (нет) или X."),
        ("unit", {"name.en": "A" * 81}, "На английском: не больше 80 букв."),
        ("unit", {"skills.rifle": "x"}, "Винтовка: один из предложенных вариантов."),
        ("unit", {"name.en": ""}, "Проверьте: карточка."),
        ("weapon", {"short_dice.black": "5"}, "Кубик урона (чёрный): целое"),
    ],
)
def test_what_no_card_can_say_is_refused_by_name(
    player: FlaskClient, tmp_path: Path, kind: str, form: dict[str, str], line: str
) -> None:
    named = {"name.en": "Someone"} | form
    answer = player.post(f"/army/cards/{kind}", data=named, headers=SCRIPT | RUSSIAN)
    said = answer.json["error"]["message"]
    assert answer.status_code == 400 and said.startswith(line), said
    assert english_on(said) <= {"X"} and not (tmp_path / FILE).exists()


@pytest.mark.parametrize(
    "path",
    ["/army/unit/u9", "/army/cards/spell", "/army/unit/../cards"],
)
def test_what_is_not_there_is_not_found(player: FlaskClient, path: str) -> None:
    assert player.get(path).status_code == 404


def test_spectators_read_cards_and_change_none(
    spectator: FlaskClient, table: TestTable
) -> None:
    table.do("add_unit", side="a", roster=HEROES)
    for path in ("/army/unit/u2-1", "/army/cards", "/army/cards/weapon?name=Rifle"):
        page = spectator.get(path).text
        assert "<form" not in re.sub(r"(?s)<header.*?</header>", "", page), path
    form = {"name.en": "Rifle"}
    assert (
        spectator.post("/army/cards/weapon", data=form, headers=OWN).status_code == 403
    )


def test_every_screen_of_it_is_said_in_russian(
    player: FlaskClient, table: TestTable
) -> None:
    roster = 'format = 1\n[[unit]]\nname = "Палладин"\nweapons = ["Палка"]\n'
    table.do("add_unit", side="a", roster=roster)
    paths = [
        "/army/unit/u2-1",
        "/army/new",
        "/army/cards",
        "/army/ask",
        "/army/ask?at=9",
    ]
    paths += [f"/army/cards/{kind}" for kind in KINDS]
    for path in paths:
        assert english_on(player.get(path, headers=RUSSIAN).text) == set(), path
