from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from tests.web.table import OWN, SCRIPT, TestTable, joining, make_settings
from web import create_app

SCREENS = (
    "/now",
    "/now?open=armour_check",
    "/rulers",
    "/log",
    "/dice",
    "/setup",
    "/people",
)
OPEN = {"check": "skill_check", "rating": "7"}


@pytest.mark.parametrize("host", ["evil.example", "dicelight.test", "", "localhost.x"])
def test_a_name_that_is_not_ours_is_refused(client: FlaskClient, host: str) -> None:
    assert client.get("/join", headers={"Host": host}).status_code == 400


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8080", "192.168.4.1:8080", "[fe80::1]:8080"]
)
def test_numbers_and_own_names_are_answered(client: FlaskClient, host: str) -> None:
    assert client.get("/join", headers={"Host": host}).status_code == 200


def test_a_configured_name_is_answered(table: TestTable) -> None:
    settings = make_settings(names=("Dicelight.test",))
    client = create_app(table.companion, settings=settings).test_client()
    assert client.get("/join", headers={"Host": "dicelight.test"}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Referer": "http://evil.example/localhost"},
    ],
)
def test_a_post_from_elsewhere_changes_nothing(
    player: FlaskClient, table: TestTable, headers: dict[str, str]
) -> None:
    assert player.post("/now/open", data=OPEN, headers=headers).status_code == 403
    assert table.companion.snapshot().state.check is None


@pytest.mark.parametrize("headers", [OWN, {"Referer": "http://localhost/now"}])
def test_a_post_from_our_page_is_carried_out(
    player: FlaskClient, table: TestTable, headers: dict[str, str]
) -> None:
    assert player.post("/now/open", data=OPEN, headers=headers).status_code == 303
    assert table.companion.snapshot().state.check is not None


@pytest.mark.parametrize(
    "path",
    [
        "/now/open",
        "/now/close",
        "/now/throw",
        "/now/enter",
        "/now/correct",
        "/now/confirm",
        "/undo",
        "/redo",
        "/rulers/light",
        "/rulers/length",
        "/rulers/off",
        "/people/remove",
        "/people/code",
        "/people/tokens",
        "/api/v1/commands",
    ],
)
@pytest.mark.parametrize("who", ["client", "spectator"])
def test_only_players_act(
    path: str, who: str, table: TestTable, request: pytest.FixtureRequest
) -> None:
    phone: FlaskClient = request.getfixturevalue(who)
    before = table.companion.snapshot().seq
    answer = phone.post(path, data=OPEN | {"band": "red"}, headers=SCRIPT)
    unknown = who == "client" and path.startswith("/api/")
    assert answer.status_code == (401 if unknown else 403)
    assert answer.json["error"]["message"]
    assert table.companion.snapshot().seq == before


def test_a_spectator_sees_no_buttons_that_act(
    spectator: FlaskClient, table: TestTable
) -> None:
    table.open_skill_check()
    for path in SCREENS:
        page = spectator.get(path).text
        actions = set(re.findall(r'<form method="post" action="([^"]+)"', page))
        assert actions <= {"/language", "/leave"}, path


def test_whoever_has_not_joined_is_led_to_joining(client: FlaskClient) -> None:
    for path in ("/", *SCREENS):
        answer = client.get(path)
        assert (answer.status_code, answer.headers["Location"]) == (303, "/join")
    for path in ("/stream", "/tray.jpg", "/rolls/r1.jpg"):
        assert client.get(path).status_code == 403
    assert client.get("/api/v1/state").status_code == 401


def test_a_forged_cookie_is_nobody(client: FlaskClient) -> None:
    client.set_cookie("dicelight", "eyJpZCI6IjEiLCJuYW1lIjoiRXZlIn0.aaaa.bbbb")
    assert client.get("/now").status_code == 303
    assert client.post("/undo", headers=SCRIPT).status_code == 403


def test_the_cookie_stays_on_our_site_and_away_from_scripts(
    client: FlaskClient,
) -> None:
    answer = client.post("/join", data=joining("A"), headers=OWN)
    cookie = answer.headers["Set-Cookie"]
    assert "SameSite=Strict" in cookie and "HttpOnly" in cookie


def test_every_answer_forbids_what_the_page_does_not_need(player: FlaskClient) -> None:
    for path in (*SCREENS, "/join", "/nowhere", "/static/page.js", "/tray.jpg"):
        with player.get(path) as answer:
            headers = answer.headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"


def test_pages_hold_no_inline_script_or_style_and_nothing_from_elsewhere(
    player: FlaskClient, table: TestTable
) -> None:
    table.open_skill_check(dice={"black": 2})
    for path in (*SCREENS, "/now", "/join"):
        page = player.get(path).text
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page), path
        assert re.findall(r"<script(?![^>]*\ssrc=)", page) == [], path
        links = re.findall(r'(?:src|href|action)="([^"]*)"', page)
        away = [link for link in links if not link.startswith(("/", "#"))]
        ours = "http://192.168.4.1:8080/"
        assert all(link.startswith(ours) for link in away), path


def test_too_large_a_form_is_refused_in_one_line(player: FlaskClient) -> None:
    big = {"check": "x" * 100_000}
    answer = player.post("/now/open", data=big, headers=SCRIPT)
    assert answer.status_code == 413
    assert answer.json["error"]["message"] == "That is too large."


def test_joining_is_limited_for_each_address(table: TestTable) -> None:
    now = [0.0]
    settings = make_settings(joins_per_minute=3, now_s=lambda: now[0])
    client = create_app(table.companion, settings=settings).test_client()

    def join(address: str) -> int:
        return client.post(
            "/join",
            data=joining("A"),
            headers=OWN,
            environ_base={"REMOTE_ADDR": address},
        ).status_code

    assert [join("10.0.0.1") for _ in range(4)] == [303, 303, 303, 429]
    assert join("10.0.0.2") == 303
    now[0] = 61.0
    assert join("10.0.0.1") == 303


@pytest.mark.parametrize(
    ("name", "role", "field"),
    [
        ("", "player", "name"),
        ("   ", "player", "name"),
        ("\x00\x1b\u202e", "player", "name"),
        ("x" * 25, "player", "name"),
        ("Ann", "host", "role"),
        ("Ann", "", "role"),
    ],
)
def test_a_wrong_name_or_role_is_named(
    client: FlaskClient, name: str, role: str, field: str
) -> None:
    answer = client.post("/join", data=joining(name, role), headers=SCRIPT)
    assert answer.status_code == 400
    assert answer.json["error"]["field"] == field


def test_a_name_is_shown_as_text_never_as_markup(client: FlaskClient) -> None:
    name = "<b>Al</b>&\u202e"
    client.post("/join", data=joining(name), headers=OWN)
    page = client.get("/setup").text
    assert "&lt;b&gt;Al&lt;/b&gt;&amp;" in page
    assert "<b>Al" not in page and "\u202e" not in page


@pytest.mark.parametrize("back", ["//evil.example", "http://evil.example", "/\\evil"])
def test_choosing_a_language_never_leads_away(client: FlaskClient, back: str) -> None:
    answer = client.post(
        "/language", data={"language": "ru", "back": back}, headers=OWN
    )
    assert answer.headers["Location"] == "/"


def test_paths_reach_no_other_file(player: FlaskClient) -> None:
    for path in (
        "/rolls/..%2Fweb-secret.jpg",
        "/rolls/../../etc/passwd",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
    ):
        assert player.get(path).status_code in (400, 404)
