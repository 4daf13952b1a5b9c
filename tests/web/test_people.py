"""The host's page: inviting, removing, handing over; and what is kept on disk."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

import pytest
import segno
from flask.testing import FlaskClient

from tests.web.table import CODE, OWN, SCRIPT, TestTable, joining, make_settings
from web import create_app
from web.hub import Hub
from web.people import FILE, MOST_PEOPLE, People, Role, kept_code
from web.settings import Hotspot


def hub_of(client: FlaskClient) -> Hub:
    found = client.application.extensions["dicelight"]
    assert isinstance(found, Hub)
    return found


def id_of(client: FlaskClient, name: str) -> str:
    return next(one.id for one in hub_of(client).people.everyone() if one.name == name)


def host_of(client: FlaskClient) -> str:
    everyone = hub_of(client).people.everyone()
    return next((one.name for one in everyone if one.is_host), "")


def another(client: FlaskClient, name: str, role: str = "player") -> FlaskClient:
    made = client.application.test_client()
    form = joining(name, role) | {"code": hub_of(client).people.code}
    assert made.post("/join", data=form, headers=OWN).status_code == 303
    return made


def test_the_first_player_is_the_host_and_alone_sees_the_code(
    spectator: FlaskClient,
) -> None:
    assert host_of(spectator) == ""
    ann, bob = another(spectator, "Ann"), another(spectator, "Bob")
    assert host_of(spectator) == "Ann"
    assert "246 810" in ann.get("/people").text
    for other in (bob, spectator):
        page = other.get("/people").text
        assert CODE not in page and "246 810" not in page
        assert "Ann is the host" in page


def test_the_host_shows_the_address_with_the_code_as_a_qr_code(
    player: FlaskClient,
) -> None:
    page = player.get("/people").text
    code = segno.make(f"http://192.168.4.1:8080/j/{CODE}", error="m", micro=False)
    drawn = code.svg_inline(
        scale=4, border=2, dark="#14120e", light="#ffffff", omitsize=True
    )
    assert drawn in page
    assert "http://192.168.4.1:8080/<" in page


def test_the_hotspot_has_a_code_of_its_own_and_odd_names_are_escaped(
    table: TestTable,
) -> None:
    settings = make_settings(hotspot=Hotspot('Di;ce "1"', "pass:word"))
    client = create_app(table.companion, settings=settings).test_client()
    client.post("/join", data=joining(), headers=OWN)
    page = client.get("/people").text
    text = 'WIFI:T:WPA;S:Di\\;ce \\"1\\";P:pass\\:word;;'
    code = segno.make(text, error="m", micro=False)
    drawn = code.svg_inline(
        scale=4, border=2, dark="#14120e", light="#ffffff", omitsize=True
    )
    assert drawn in page and "Password: pass:word" in page


def test_a_removed_device_is_out_at_once_and_its_code_is_worth_nothing(
    player: FlaskClient, table: TestTable
) -> None:
    eve = another(player, "Eve")
    hub = hub_of(player)
    streams = hub.streams
    ticket = streams.take(hub.people.everyone()[1])
    form = {"person": id_of(player, "Eve")}
    assert player.post("/people/remove", data=form, headers=OWN).status_code == 303
    assert ticket is not None and ticket.ended.is_set() and ticket.gone
    assert eve.get("/now").status_code == 303
    assert eve.post("/now/open", data={"check": "x"}, headers=SCRIPT).status_code == 403
    assert eve.get("/stream").status_code == 403
    assert eve.post("/join", data=joining("Eve"), headers=SCRIPT).status_code == 403
    assert [one.name for one in table.companion.snapshot().live.people] == ["Ann"]
    assert "246 811" in player.get("/people").text


def test_hosting_is_handed_over_to_players_only(player: FlaskClient) -> None:
    another(player, "Bob")
    another(player, "Sam", "spectator")
    to_sam = {"person": id_of(player, "Sam")}
    answer = player.post("/people/host", data=to_sam, headers=SCRIPT)
    assert (answer.status_code, answer.json["error"]["field"]) == (400, "person")
    to_bob = {"person": id_of(player, "Bob")}
    assert player.post("/people/host", data=to_bob, headers=OWN).status_code == 303
    assert host_of(player) == "Bob"
    assert player.post("/people/code", headers=SCRIPT).status_code == 403


def test_a_host_who_leaves_or_only_watches_leaves_hosting_to_the_next_player(
    player: FlaskClient,
) -> None:
    bob = another(player, "Bob")
    form = {"name": "Ann", "role": "spectator"}
    player.post("/join", data=form, headers=OWN)
    assert host_of(player) == "Bob"
    bob.post("/leave", headers=OWN)
    assert host_of(player) == ""
    another(player, "Cat")
    assert host_of(player) == "Cat"


def test_a_host_who_is_away_for_long_can_be_replaced(table: TestTable) -> None:
    now = [0.0]
    settings = make_settings(now_s=lambda: now[0])
    ann = create_app(table.companion, settings=settings).test_client()
    ann.post("/join", data=joining(), headers=OWN)
    bob, sam = another(ann, "Bob"), another(ann, "Sam", "spectator")
    now[0] = 599.0
    assert bob.post("/take-over", headers=SCRIPT).status_code == 409
    now[0] = 600.0
    assert "/take-over" in bob.get("/people").text
    assert sam.post("/take-over", headers=SCRIPT).status_code == 403
    assert bob.post("/take-over", headers=OWN).status_code == 303
    assert host_of(ann) == "Bob"
    ann.get("/now")
    assert ann.post("/take-over", headers=SCRIPT).status_code == 409


@pytest.mark.parametrize("path", ["remove", "host", "code", "tokens", "tokens/revoke"])
def test_nobody_else_does_what_the_host_may(
    player: FlaskClient, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    bob, sam = another(player, "Bob"), another(player, "Sam", "spectator")
    form = {"person": id_of(player, "Ann"), "program": "x"}
    for other in (bob, sam, player.application.test_client()):
        answer = other.post(f"/people/{path}", data=form, headers=SCRIPT)
        assert answer.status_code == 403
    assert "Ann" in [one.name for one in hub_of(player).people.everyone()]
    assert f"/people/{path}" in caplog.text


@pytest.mark.parametrize("path", ["remove", "host"])
@pytest.mark.parametrize("person", ["", "nobody", "\x00"])
def test_a_person_who_is_not_there_is_named(
    player: FlaskClient, path: str, person: str
) -> None:
    form = {"person": person}
    answer = player.post(f"/people/{path}", data=form, headers=SCRIPT)
    assert (answer.status_code, answer.json["error"]["field"]) == (400, "person")


def test_everybody_stays_joined_over_a_restart(
    table: TestTable, tmp_path: Path
) -> None:
    settings = make_settings(state=tmp_path)
    first = create_app(table.companion, settings=settings).test_client()
    first.post("/join", data=joining("Ann", side="a"), headers=OWN)
    first.post("/people/code", headers=OWN)
    cookie = first.get_cookie("dicelight")
    assert cookie is not None
    again = create_app(table.companion, settings=make_settings(state=tmp_path))
    client = again.test_client()
    client.set_cookie("dicelight", cookie.value)
    assert client.get("/now").status_code == 200
    (ann,) = hub_of(client).people.everyone()
    assert (ann.name, ann.role, ann.side, ann.is_host) == ("Ann", "player", "a", True)
    assert hub_of(client).people.code == kept_code(tmp_path) == "246811"


def test_the_file_is_its_owners_alone_and_holds_no_key(
    table: TestTable, tmp_path: Path
) -> None:
    people = People(tmp_path)
    _, key = people.join("Ann", Role.PLAYER)
    token = people.make_token("scoreboard")
    path = tmp_path / FILE
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert key not in path.read_text() and token not in path.read_text()
    assert [one.name for one in tmp_path.iterdir() if "people" in one.name] == [FILE]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"code": "1"}', '{"people": 7}', "\x00", "null"]
)
def test_a_damaged_file_costs_the_memberships_and_not_the_start(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / FILE).write_text(text)
    people = People(tmp_path)
    assert people.everyone() == () and re.fullmatch(r"\d{6}", people.code)
    assert json.loads((tmp_path / FILE).read_text())["code"] == people.code


def test_a_full_disk_keeps_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    people = People(tmp_path)

    def full(path: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    ann, key = people.join("Ann", Role.PLAYER)
    assert people.find(ann.id, key) == ann
    assert "was not kept" in caplog.text


def test_a_table_takes_so_many_devices_and_no_more(player: FlaskClient) -> None:
    people = hub_of(player).people
    for number in range(MOST_PEOPLE - 1):
        people.join(f"P{number}", Role.SPECTATOR)
    late = player.application.test_client()
    answer = late.post("/join", data=joining("Late"), headers=SCRIPT)
    assert answer.status_code == 409
    assert "No more devices" in answer.json["error"]["message"]


def test_the_key_of_another_device_opens_nothing() -> None:
    people = People(None)
    (ann, ann_key), (bob, _) = (people.join(one, Role.PLAYER) for one in ("Ann", "Bob"))
    assert people.find(bob.id, ann_key) is None
    assert people.find(ann.id, "") is None
    assert people.find("", "") is None
