"""The screen of both armies: adding, tokens, damage, turns, both languages."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.games.foww.tokens import CONDITIONS, REFUSALS, token_names
from device.rosters.store import FILE, entered_cards
from device.table.army import Model
from device.table.fold import fold_events
from device.table.journal import Journal
from device.table.state import state_hash
from tests.device.games.foww.armies import HEROES
from tests.device.rosters.test_battlescribe import BOMB, PALADIN, ros, rosz
from tests.web.table import (
    OWN,
    RUSSIAN,
    SCRIPT,
    TestTable,
    joining,
    live_die,
    make_settings,
)
from tests.web.test_languages import english_on
from web import create_app
from web.games.foww.tokens import SHAPES, TOKENS, kind_of
from web.games.foww.units import UPLOAD_BYTES
from web.reasons import REASONS

KNIGHT, ROBOT = "u2-1.1", "u2-2.1"


@pytest.fixture
def armed(table: TestTable) -> TestTable:
    """A table with two units on the first side."""
    table.do("add_unit", side="a", roster=HEROES)
    return table


def model(table: TestTable, model_id: str) -> Model:
    found = table.companion.snapshot().state.armies.find(model_id)
    assert found is not None
    return found[1]


def send(player: FlaskClient, path: str, **form: str) -> None:
    answer = player.post(path, data=form, headers=OWN)
    assert answer.status_code == 303, answer.text


def multipart(data: bytes, **fields: str) -> dict[str, object]:
    """Return a form with a file as a browser sends it."""
    parts = [
        f'--edge\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    head = 'Content-Disposition: form-data; name="file"; filename="army.ros"'
    body = "".join(parts).encode() + f"--edge\r\n{head}\r\n\r\n".encode()
    return {
        "data": body + data + b"\r\n--edge--\r\n",
        "content_type": "multipart/form-data; boundary=edge",
    }


def upload(player: FlaskClient, data: bytes) -> tuple[int, str]:
    sent = multipart(data, side="b")
    answer = player.post("/units/roster", headers=SCRIPT, **sent)  # type: ignore[arg-type]
    error = (answer.json or {}).get("error") or {}
    return answer.status_code, str(error.get("message", ""))


# --- Armies ------------------------------------------------------------------------


def test_a_starter_army_stands_on_its_side(
    player: FlaskClient, table: TestTable
) -> None:
    send(player, "/units/starter", side="a", army="brotherhood")
    send(player, "/units/starter", side="b", army="super_mutants")
    armies = table.companion.snapshot().state.armies
    assert [len(armies.side(side)) for side in "ab"] == [2, 3]
    page = player.get("/units").text
    assert "Knight Patrol 3" in page and "health unknown" in page
    assert "Рыцарь-патрульный 3" in player.get("/units", headers=RUSSIAN).text


@pytest.mark.parametrize("pack", [lambda data: data, rosz], ids=["ros", "rosz"])
def test_a_roster_is_uploaded_and_its_values_are_remembered(
    player: FlaskClient, table: TestTable, tmp_path: Path, pack
) -> None:  # type: ignore[no-untyped-def]
    assert upload(player, pack(ros(PALADIN)))[0] == 200
    (unit,) = table.companion.snapshot().state.armies.units
    assert (unit.side, unit.card.special.strength, unit.points) == ("b", 9, 160)
    assert "Paladin" in (tmp_path / FILE).read_text()
    for path in ("/units", "/log"):
        assert "Values unknown: Jet Pack." in player.get(path).text


def test_the_same_roster_sent_twice_comes_once_another_one_comes_too(
    player: FlaskClient, table: TestTable
) -> None:
    for data in (ros(PALADIN), ros(PALADIN), HEROES.encode()):
        sent = multipart(data, side="a", id="tap-1")
        answer = player.post("/units/roster", headers=OWN, **sent)  # type: ignore[arg-type]
        assert answer.status_code == 303
    assert len(table.companion.snapshot().state.armies.units) == 3


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (BOMB.encode(), "refused: a roster declares no document type and no entities"),
        (b"x" * (UPLOAD_BYTES + 1), "the file is too large: 1024 KiB at most"),
        (b"x" * (UPLOAD_BYTES - 9000), "the file is too large: 256 KiB at most"),
        (b"format = 1", "there is no unit in it"),
        (
            b'format = 1\n[[unit]]\nname = "A"\nhealht = 2\nskils = 1\n',
            "unit 1 (A): unknown field healht; did you mean health?; "
            "unit 1 (A): unknown field skils; did you mean skills?",
        ),
        (b"", "Please check: roster file. Choose a roster file first."),
    ],
    ids=["bomb", "large", "large toml", "empty army", "mistakes", "no file"],
)
def test_a_wrong_roster_is_refused_with_the_same_words(
    player: FlaskClient, table: TestTable, data: bytes, line: str
) -> None:
    assert upload(player, data) == (400, line)
    assert table.companion.snapshot().state.armies.units == ()


def test_health_is_asked_once_and_remembered(
    player: FlaskClient, table: TestTable, tmp_path: Path
) -> None:
    send(player, "/units/starter", side="a", army="brotherhood")
    unit = table.companion.snapshot().state.armies.units[0]
    send(player, "/units/health", unit=unit.id, health="6")
    assert "health 6" in player.get("/units").text
    (card,) = entered_cards(tmp_path).units
    assert (card.name.en, card.health) == ("Paladin", 6)
    again = b'format = 1\n[[unit]]\nname = "paladin"\n'
    assert upload(player, again)[0] == 200
    units = table.companion.snapshot().state.armies.side("b")
    assert units[0].card.health == 6


def test_a_unit_leaves_the_table(player: FlaskClient, armed: TestTable) -> None:
    send(player, "/units/remove", unit="u2-1")
    assert [unit.id for unit in armed.companion.snapshot().state.armies.units] == [
        "u2-2"
    ]


# --- Tokens and turns --------------------------------------------------------------


def test_every_token_is_drawn_named_and_one_tap_away(
    player: FlaskClient, armed: TestTable
) -> None:
    unit = armed.companion.snapshot().state.armies.units[0]
    assert 'value="luck +1"' in player.get("/units").text
    assert 'value="frozen +1"' not in player.get("/units").text
    page = player.get(f"/units?more={KNIGHT}").text
    for key in token_names(unit):
        assert f'value="{key} +1"' in page and f'value="{key} -1"' in page
        assert kind_of(key) in TOKENS and kind_of(key) in SHAPES
    send(player, "/units/token", model=KNIGHT, put="burning +1")
    send(player, "/units/token", model=KNIGHT, put="critical:0 +1")
    assert model(armed, KNIGHT).conditions == ("burning",)
    assert model(armed, KNIGHT).criticals == (1, 0)
    send(player, "/units/token", model=KNIGHT, put="burning -1")
    assert model(armed, KNIGHT).conditions == ()
    send(player, "/units/token", put="mine +1")
    send(player, "/units/token", put="b +1")
    armies = armed.companion.snapshot().state.armies
    assert (armies.mine, armies.advantage) == (1, "b")


def test_damage_and_healing_by_hand(player: FlaskClient, armed: TestTable) -> None:
    form = {"model": ROBOT, "amount": "2", "type": "radiation"}
    send(player, "/units/damage", what="damage", **form)
    assert model(armed, ROBOT).radiation == 2
    send(player, "/units/damage", what="heal", **form)
    assert (model(armed, ROBOT).radiation, model(armed, ROBOT).regular) == (0, 2)


def test_a_hit_becomes_tokens_with_one_tap(
    player: FlaskClient, armed: TestTable
) -> None:
    weapon = {"damage": 3, "type": "energy"}
    armed.open_skill_check(7, attack="shoot", weapon=weapon)
    armed.settle(live_die("d1", "skill", "4"))
    assert "Give it here" not in player.get("/units").text
    page = player.get("/now?open=armour_check").text
    assert '<option value="energy" selected>' in page
    send(
        player, "/now/open",
        check="armour_check", amount="3", rating="2", type="energy",
    )  # fmt: skip
    armed.settle(live_die("d2", "armour", "2"))
    assert "Give the damage to a model" in player.get("/now").text
    assert "To give: 1 point of damage (energy)." in player.get("/units").text
    send(player, "/units/apply", model=ROBOT)
    assert model(armed, ROBOT).regular == 1
    assert "Give it here" not in player.get("/units").text
    assert "Give the damage to a model" not in player.get("/now").text
    assert "Robot 1 takes damage: energy 1." in player.get("/log").text
    send(player, "/undo")
    assert model(armed, ROBOT).regular == 0
    assert "Give it here" in player.get("/units").text


def test_a_turn_is_played_by_buttons(player: FlaskClient, armed: TestTable) -> None:
    send(player, "/units/turn", model=KNIGHT, what="ready")
    send(player, "/units/token", model=KNIGHT, put="burning +1")
    assert "Activate: clover tossed" in player.get("/units?free=1").text
    send(player, "/units/turn", model=KNIGHT, what="activate", luck_token="luck")
    assert model(armed, KNIGHT).active
    send(player, "/units/turn", model=KNIGHT, what="end_activation")
    assert model(armed, KNIGHT).readiness == "activated"
    answer = player.post("/units/round", headers=SCRIPT)
    assert answer.status_code == 409
    assert answer.json["error"]["message"] == "Not every model has been activated yet."
    send(player, "/units/round", override="1")
    assert armed.companion.snapshot().state.armies.round == 2
    assert "Done by hand although: Not every model" in player.get("/log").text


def test_the_free_hand_overrides_and_stays(
    player: FlaskClient, armed: TestTable
) -> None:
    form = {"model": ROBOT, "put": "poisoned +1"}
    assert player.post("/units/token", data=form, headers=OWN).status_code == 409
    page = player.get("/units?free=1").text
    assert "the rules refuse nothing" in page and 'name="override"' in page
    assert 'name="override"' not in player.get("/units").text
    form |= {"override": "1", "more": KNIGHT}
    answer = player.post("/units/token", data=form, headers=OWN)
    assert answer.headers["Location"] == f"/units?free=1&more={KNIGHT}#m-{ROBOT}"
    assert model(armed, ROBOT).conditions == ("poisoned",)


def test_spectators_see_everything_and_change_nothing(
    spectator: FlaskClient, armed: TestTable
) -> None:
    page = spectator.get("/units").text
    assert "Knight" in page and 'class="take"' not in page
    form = {"model": ROBOT, "put": "regular +1"}
    assert spectator.post("/units/token", data=form, headers=OWN).status_code == 403


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("token", {"model": KNIGHT, "put": "joy +1"}),
        ("token", {"model": KNIGHT, "put": "regular +2"}),
        ("token", {"model": KNIGHT, "put": "+1"}),
        ("token", {}),
        ("damage", {"model": KNIGHT, "amount": "x", "type": "physical"}),
        ("damage", {"model": KNIGHT, "amount": "1", "type": "cold"}),
        ("turn", {"model": KNIGHT, "what": "sleep"}),
        ("turn", {"model": "\x00", "what": "ready"}),
        ("starter", {"side": "c", "army": "brotherhood"}),
        ("starter", {"side": "a", "army": "x"}),
        ("health", {"unit": "u2-1", "health": "0"}),
        ("remove", {"unit": "u9"}),
        ("apply", {"model": "nobody"}),
    ],
)  # fmt: skip
def test_a_wrong_form_is_refused(
    player: FlaskClient, armed: TestTable, path: str, form: dict[str, str]
) -> None:
    before = armed.companion.snapshot().seq
    answer = player.post(f"/units/{path}", data=form, headers=SCRIPT | RUSSIAN)
    assert answer.status_code in (400, 409)
    line = answer.json["error"]["message"]
    assert re.search("[а-я]", line) and english_on(line) == set()
    assert armed.companion.snapshot().seq == before


def test_everything_is_said_in_russian(player: FlaskClient, table: TestTable) -> None:
    named = HEROES.replace('name = "Robot"', 'name = "Робот"')
    for en, ru in (
        ("Rifle", "Ружьё"), ("Launcher", "Пускач"), ("Stimpak", "Стимулятор"),
        ("Suit", "Костюм"),
    ):  # fmt: skip
        named = named.replace(f'"{en}"', f'"{ru}"')
    table.do("add_unit", side="a", roster=named)
    units = table.companion.snapshot().state.armies.units
    knight, robot = units[0].models[0].id, units[1].models[0].id
    for name in (*CONDITIONS, "luck"):
        change = -1 if name == "luck" else 1
        args = {"model": knight, "token": name, "change": change}
        table.do("token", **args, override=True)
    parts = [{"type": kind, "amount": 1} for kind in ("physical", "radiation")]
    table.do("damage", model=robot, damage=parts)
    table.do("heal", model=robot, kind="radiation", amount=1)
    table.do("ready", model=knight)
    table.do("activate", model=knight, luck_token="blank")
    table.do("end_activation", model=knight)
    table.do("token", token="mine", change=1)
    table.do("token", token="a", change=1)
    table.do("set_health", unit=units[1].id, health=4)
    table.do("open_check", check="armour_check", amount=3, rating=0, sturdy=0)
    for path in (f"/units?more={knight}", "/units?free=1", "/now", "/log"):
        page = player.get(path, headers=RUSSIAN).text
        assert english_on(page) == set(), path
    table.do("apply_result", model=robot)
    table.do("end_round", override=True)
    table.do("remove_unit", unit=units[1].id)
    for _ in range(12):
        table.do("undo")
    page = player.get("/log", headers=RUSSIAN).text
    assert english_on(page) == set()


def test_every_refusal_has_words() -> None:
    assert set(REFUSALS) <= set(REASONS)


def test_what_players_tapped_is_replayed_from_the_journal(
    player: FlaskClient, armed: TestTable, tmp_path: Path
) -> None:
    send(player, "/units/turn", model=KNIGHT, what="ready")
    send(player, "/units/token", model=KNIGHT, put="boost +1")
    send(player, "/undo")
    (path,) = (tmp_path / "nights").glob("*.journal")
    journal = Journal(path, read_only=True)
    try:
        fold = fold_events(journal.read())
    finally:
        journal.close()
    assert state_hash(fold.state) == state_hash(armed.companion.snapshot().state)


def test_without_a_state_folder_nothing_is_remembered(
    table: TestTable, tmp_path: Path
) -> None:
    settings = replace(make_settings(), state=None)
    client = create_app(table.companion, settings=settings).test_client()
    client.post("/join", data=joining("Ann"), headers=OWN)
    assert upload(client, ros(PALADIN))[0] == 200
    assert not (tmp_path / FILE).exists()
