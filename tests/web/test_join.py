from __future__ import annotations

from html.parser import HTMLParser
from ipaddress import IPv4Network
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web.table import (
    CODE,
    OWN,
    RUSSIAN,
    SCRIPT,
    TestTable,
    joining,
    make_settings,
)
from web import create_app
from web.addresses import Interface, interfaces_of, own_interfaces, page_urls, url_of

OURS = (
    Interface("wlan0", "192.168.4.1", IPv4Network("192.168.4.0/24")),
    Interface("eth0", "10.0.0.7", IPv4Network("10.0.0.0/8")),
)


@pytest.mark.parametrize(
    ("host", "remote", "interfaces", "port", "url"),
    [
        ("192.168.1.5:8080", "", OURS, 8080, "http://192.168.1.5:8080/"),
        ("dicelight.local:8080", "", OURS, 8080, "http://192.168.4.1:8080/"),
        ("dicelight.local:8080", "10.1.2.3", OURS, 8080, "http://10.0.0.7:8080/"),
        ("localhost:8080", "127.0.0.1", OURS, 8080, "http://192.168.4.1:8080/"),
        ("127.0.0.1:8080", "", OURS, 8080, "http://192.168.4.1:8080/"),
        ("0.0.0.0:8080", "", OURS, 8080, "http://192.168.4.1:8080/"),
        ("[fe80::1]:8080", "fe80::2", OURS, 8080, "http://192.168.4.1:8080/"),
        ("dicelight.local", "", (), 80, "http://dicelight.local/"),
        ("127.0.0.1", "", (), 8080, "http://127.0.0.1:8080/"),
        ("192.168.1.5", "", OURS, 80, "http://192.168.1.5/"),
        ("localhost:39001", "", OURS, 0, "http://192.168.4.1:39001/"),
        ("[fe80::1]:39001", "", OURS, 0, "http://192.168.4.1:39001/"),
    ],
)
def test_the_first_address_is_one_that_other_phones_reach(
    host: str, remote: str, interfaces: tuple[Interface, ...], port: int, url: str
) -> None:
    assert page_urls(host, remote, interfaces, port)[0] == url


def test_the_other_networks_addresses_follow_each_once() -> None:
    urls = page_urls("10.0.0.7:8080", "10.1.2.3", OURS, 8080)
    assert urls == ("http://10.0.0.7:8080/", "http://192.168.4.1:8080/")


@pytest.mark.parametrize(
    ("host", "url"),
    [("10.0.0.7", "http://10.0.0.7:8080/"), ("fe80::1", "http://[fe80::1]:8080/")],
)
def test_an_address_by_number_is_written_as_a_browser_takes_it(
    host: str, url: str
) -> None:
    assert url_of(host, 8080) == url


def test_own_addresses_are_numbers_and_never_loopback() -> None:
    for one in own_interfaces():
        assert one.address.count(".") == 3 and not one.address.startswith("127.")
        assert one.network.prefixlen > 0


def test_who_listens_on_one_address_is_not_reached_by_the_others() -> None:
    assert interfaces_of("127.0.0.1") == ()
    assert interfaces_of("0.0.0.0") == own_interfaces()


def test_a_scanned_code_needs_no_typing(client: FlaskClient) -> None:
    answer = client.get(f"/j/{CODE}")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/join")
    assert 'name="code"' not in client.get("/join").text
    form = {"name": "Ann", "role": "player"}
    answer = client.post("/join", data=form, headers=OWN)
    assert answer.headers["Location"] == "/now"
    assert client.get("/now").status_code == 200
    assert client.get(f"/j/{CODE}").headers["Location"] == "/now"


@pytest.mark.parametrize("typed", [CODE, "246 810", " 246-810 ", "２４６８１０"])
def test_the_code_is_taken_however_it_is_typed(client: FlaskClient, typed: str) -> None:
    assert 'name="code"' in client.get("/join").text
    form = joining() | {"code": typed}
    assert client.post("/join", data=form, headers=OWN).status_code == 303


@pytest.mark.parametrize("typed", ["", "111111", "24681", CODE + "0", "x" * 500])
def test_a_stranger_without_the_code_stays_out(
    client: FlaskClient, table: TestTable, typed: str
) -> None:
    client.get(f"/j/{typed or '0'}")
    answer = client.post("/join", data=joining() | {"code": typed}, headers=SCRIPT)
    assert answer.status_code == 403
    assert answer.json["error"]["field"] == "code"
    assert client.get("/now").status_code == 303
    assert table.companion.snapshot().live.people == ()


def test_a_wrong_scanned_code_is_forgotten_and_can_be_typed_then(
    client: FlaskClient,
) -> None:
    client.get("/j/000000")
    form = joining() | {"code": ""}
    assert client.post("/join", data=form, headers=SCRIPT).status_code == 403
    assert 'name="code"' in client.get("/join").text
    assert client.post("/join", data=joining(), headers=OWN).status_code == 303


def test_a_wrong_code_gives_the_form_back_as_it_was_filled_in(
    client: FlaskClient,
) -> None:
    form = {"name": 'Zoë "Z"', "side": "b", "code": "111111", "role": "player"}
    answer = client.post("/join", data=form, headers=OWN)
    assert answer.status_code == 403
    page = find_inputs(answer.text)
    assert page["name"] == [('Zoë "Z"', True)]
    assert ("b", True) in page["side"] and ("", False) in page["side"]
    assert page["code"] == [("111111", True)]
    assert "That is not the code of the table." in answer.text
    assert 'aria-describedby="refused code-hint" aria-invalid="true"' in answer.text
    answer = client.post("/join", data=form | {"code": CODE}, headers=OWN)
    assert answer.status_code == 303


def test_a_wrong_scanned_code_keeps_the_name_and_asks_for_the_code(
    client: FlaskClient,
) -> None:
    client.get("/j/000000")
    form = {"name": "Ann", "side": "a", "role": "player"}
    answer = client.post("/join", data=form, headers=OWN)
    page = find_inputs(answer.text)
    assert (answer.status_code, page["code"]) == (403, [("", True)])
    assert page["name"] == [("Ann", True)] and ("a", True) in page["side"]


@pytest.mark.parametrize(
    ("wrong", "status", "field"),
    [
        ({"name": "x" * 25}, 400, "name"),
        ({"name": "\x07"}, 400, "name"),
        ({"role": "king"}, 400, "role"),
        ({"side": "c"}, 400, "side"),
    ],
)
def test_any_refusal_of_the_form_gives_it_back(
    client: FlaskClient, wrong: dict[str, str], status: int, field: str
) -> None:
    form = joining("Ann") | {"side": "b"} | wrong
    answer = client.post("/join", data=form, headers=OWN)
    assert answer.status_code == status
    page = find_inputs(answer.text)
    assert page["code"] == [(CODE, True)]
    assert page["name"] == [(form["name"], True)]
    scripted = client.post("/join", data=form, headers=SCRIPT)
    assert scripted.json["error"]["field"] == field


def find_inputs(page: str) -> dict[str, list[tuple[str, bool]]]:
    """Return the inputs of a page by name: each value, and whether it would be sent."""

    found: dict[str, list[tuple[str, bool]]] = {}

    class Inputs(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[Any]) -> None:
            given = dict(attrs)
            if tag == "input":
                sent = given.get("type") != "radio" or "checked" in given
                value = given.get("value") or ""
                found.setdefault(given["name"], []).append((value, sent))

    Inputs().feed(page)
    return found


def test_guessing_codes_ends_after_a_few_tries_even_with_the_right_one(
    table: TestTable,
) -> None:
    now = [0.0]
    settings = make_settings(
        wrong_codes_per_minute=3, wrong_codes_in_all=5, now_s=lambda: now[0]
    )
    client = create_app(table.companion, settings=settings).test_client()

    def guess(address: str, code: str) -> int:
        return client.post(
            "/join",
            data=joining() | {"code": code},
            headers=OWN,
            environ_base={"REMOTE_ADDR": address},
        ).status_code

    assert [guess("10.0.0.1", "1") for _ in range(4)] == [403, 403, 403, 429]
    assert guess("10.0.0.1", CODE) == 429
    assert [guess("10.0.0.2", "2") for _ in range(3)] == [403, 403, 429]
    assert guess("10.0.0.3", CODE) == 429
    now[0] = 61.0
    assert guess("10.0.0.1", CODE) == 303


def test_joining_again_changes_the_name_and_keeps_the_device(
    player: FlaskClient, table: TestTable
) -> None:
    with player.session_transaction() as session:
        before = dict(session)
    form = {"name": " Bo  b ", "role": "player", "side": "b"}
    assert player.post("/join", data=form, headers=OWN).status_code == 303
    with player.session_transaction() as session:
        assert dict(session) == before
    (person,) = table.companion.snapshot().live.people
    assert (person.name, person.role, person.side) == ("Bo b", "player", "b")


@pytest.mark.parametrize(
    ("game", "has_sides"),
    [("foww", True), ("stalker", True), ("special", False), ("munchkin", False)],
)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_sides_are_offered_where_the_game_has_them(
    client: FlaskClient, table: TestTable, game: str, has_sides: bool, language: str
) -> None:
    client.set_cookie("language", language)
    client.post("/join", data=joining("Ann") | {"side": "b"}, headers=OWN)
    table.do("choose_game", game=game)
    shown = find_inputs(client.get("/join").text)
    assert ("side" in shown) is has_sides
    second = {"en": "Second side", "ru": "Вторая сторона"}[language]
    for path in ("/join", "/people"):
        assert (second in client.get(path).text) is has_sides
    if not has_sides:
        form = {"name": "Ann", "role": "player"}
        assert client.post("/join", data=form, headers=OWN).status_code == 303
        table.do("choose_game", game="foww")
        assert second in client.get("/people").text, "the side was lost meanwhile"


def test_leaving_forgets_the_device(player: FlaskClient, table: TestTable) -> None:
    with player.session_transaction() as session:
        stolen = dict(session)
    assert player.post("/leave", headers=OWN).status_code == 303
    assert player.get("/now").status_code == 303
    assert table.companion.snapshot().live.people == ()
    with player.session_transaction() as session:
        session.update(stolen)
    assert player.get("/now").status_code == 303


def test_a_device_comes_back_under_another_address_with_its_own_ticket(
    player: FlaskClient, table: TestTable
) -> None:
    page = player.get("/now").text
    (link,) = [part for part in page.split('"') if "/r/" in part]
    assert link.startswith("http://192.168.4.1:8080/r/")
    path = link.removeprefix("http://192.168.4.1:8080")
    moved = player.application.test_client()
    elsewhere = "http://192.168.4.1:8080/"
    answer = moved.get(path, base_url=elsewhere)
    assert answer.status_code == 200 and 'content="0; url=/now"' in answer.text
    assert moved.get("/now", base_url=elsewhere).status_code == 200
    assert len(table.companion.snapshot().live.people) == 1
    assert player.get("/now").status_code == 303, "the old cookie still works"
    again = player.application.test_client()
    assert again.get(path, base_url=elsewhere).status_code == 303


@pytest.mark.parametrize("ticket", ["", "x", "WyJhIiwiYiJd.AAAA", "%00", "é"])
def test_a_made_up_ticket_leads_to_joining(client: FlaskClient, ticket: str) -> None:
    assert client.get(f"/r/{ticket}").status_code in (303, 404)
    assert client.get("/now").status_code == 303


def test_a_refused_name_says_which_names_are_taken(client: FlaskClient) -> None:
    for headers, said in (
        ({}, "Please check: your name. Please type a name of 1 to 24 letters."),
        (RUSSIAN, "Проверьте: ваше имя. Введите имя"),
    ):
        answer = client.post("/join", data=joining(" "), headers={**OWN, **headers})
        assert answer.status_code == 400 and said in answer.text
