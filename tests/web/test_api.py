from __future__ import annotations

import re
from dataclasses import dataclass, field, is_dataclass

import pytest
from flask.testing import FlaskClient

from device.errors import BadInput
from device.table import view
from tests.web import follow
from tests.web.table import (
    OWN,
    SCRIPT,
    TestTable,
    joining,
    live_die,
    make_settings,
)
from web import api, create_app, stream
from web.schema import Received, Schemas, limits, parse
from web.serve import serve


def test_the_state_is_told_as_json(player: FlaskClient, table: TestTable) -> None:
    table.open_skill_check(7)
    snapshot = player.get("/api/v1/state").json
    assert snapshot["version"] == table.companion.snapshot().version
    assert snapshot["state"]["content"]["check"]["rating"] == 7
    assert snapshot["live"]["parts"][0]["name"] == "journal"


def test_a_command_is_carried_out_once_for_each_id(
    player: FlaskClient, table: TestTable
) -> None:
    args = {"check": "skill_check", "rating": 7}
    body = {"name": "open_check", "args": args, "id": "1"}
    first = player.post("/api/v1/commands", json=body, headers=OWN)
    again = player.post("/api/v1/commands", json=body, headers=OWN)
    assert first.status_code == again.status_code == 200
    assert (
        first.json["events"] == again.json["events"] == [table.companion.snapshot().seq]
    )


def test_one_device_cannot_repeat_the_id_of_another(
    player: FlaskClient, table: TestTable
) -> None:
    args = {"check": "skill_check", "rating": 7}
    body = {"name": "open_check", "args": args, "id": "1"}
    player.post("/api/v1/commands", json=body, headers=OWN)
    other = player.application.test_client()
    other.post("/join", data=joining("Bob"), headers=OWN)
    assert other.post("/api/v1/commands", json=body, headers=OWN).status_code == 409


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ([], ""),
        ("text", ""),
        ({}, "name"),
        ({"name": 7}, "name"),
        ({"name": "fly"}, "name"),
        ({"name": "undo", "args": []}, "args"),
        ({"name": "undo", "id": 7}, "id"),
        ({"name": "undo", "id": "x" * 65}, "id"),
        ({"name": "undo", "by": "Eve"}, "by"),
        ({"name": ""}, "name"),
        (None, ""),
        ({"name": "undo", "args": {"seq": "x"}}, "seq"),
        ({"name": "open_check", "args": {"check": "skill_check"}}, "rating"),
    ],
)
def test_a_wrong_command_names_its_field(
    player: FlaskClient, table: TestTable, body: object, field: str
) -> None:
    table.open_skill_check(7)
    table.do("close_check")
    answer = player.post("/api/v1/commands", json=body, headers=OWN)
    assert answer.status_code == 400
    assert answer.json["error"]["field"] == field
    assert "\n" not in answer.json["error"]["message"]


def test_what_is_not_json_is_refused(player: FlaskClient) -> None:
    answer = player.post(
        "/api/v1/commands", data="{", headers=OWN, content_type="application/json"
    )
    assert answer.status_code == 400


# --- Programs with a token ---------------------------------------------------------


READ = ("/state", "/prompt", "/rolls", "/ruler")


def make_token(player: FlaskClient, name: str = "scoreboard") -> str:
    form = {"program": name}
    assert player.post("/people/tokens", data=form, headers=OWN).status_code == 303
    found = re.search(r'id="fresh-token">([^<]+)<', player.get("/people").text)
    assert found is not None
    return found[1]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture
def program(player: FlaskClient) -> tuple[FlaskClient, dict[str, str]]:
    """A client without a cookie, and the headers that show a token."""
    return player.application.test_client(), bearer(make_token(player))


def test_a_program_reads_everything_and_changes_nothing(
    program: tuple[FlaskClient, dict[str, str]],
    table: TestTable,
    caplog: pytest.LogCaptureFixture,
) -> None:
    client, token = program
    table.open_skill_check(7, dice={"black": 1})
    table.settle(live_die("d1", "skill", "5"), live_die("d2", "black", "dmg"))
    for path in READ:
        assert client.get(f"/api/v1{path}", headers=token).status_code == 200
    (roll,) = client.get("/api/v1/rolls", headers=token).json["rolls"]
    assert [die["face"] for die in roll["roll"]["dice"]] == ["5", "dmg"]
    assert (roll["status"], roll["result"]["success"]) == ("resolved", True)
    assert client.get(roll["photo"], headers=token).data[:2] == b"\xff\xd8"
    before = table.companion.snapshot().seq
    for headers in (token, token | OWN):
        answer = client.post("/api/v1/commands", json={"name": "undo"}, headers=headers)
        assert answer.status_code == 403
        assert answer.json["error"]["message"] == "A token only reads."
    assert table.companion.snapshot().seq == before
    assert "a token that acts" in caplog.text


def test_the_rolls_of_the_night_come_page_by_page(
    program: tuple[FlaskClient, dict[str, str]], table: TestTable
) -> None:
    client, token = program
    for face in ("4", "5", "6"):
        table.open_skill_check(7)
        table.settle(live_die(f"d{face}", "skill", face))
        table.do("close_check")
    first = client.get("/api/v1/rolls?limit=2", headers=token).json
    assert [one["roll"]["dice"][0]["face"] for one in first["rolls"]] == ["6", "5"]
    assert [one["can_correct"] for one in first["rolls"]] == [True, False]
    assert first["complete"] is True
    path = f"/api/v1/rolls?limit=2&before={first['next']}"
    second = client.get(path, headers=token).json
    (oldest,) = second["rolls"]
    assert (oldest["by"], oldest["kind"], second["next"]) == (
        "Ann",
        "skill_check",
        None,
    )
    assert client.get(oldest["photo"], headers=token).data[:2] == b"\xff\xd8"


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=", "limit"),
        ("before=x", "before"),
        ("before=-1", "before"),
        ("before=99999999999999999999", "before"),
    ],
)
def test_a_wrong_page_names_its_field(
    player: FlaskClient, query: str, field: str
) -> None:
    answer = player.get(f"/api/v1/rolls?{query}")
    assert (answer.status_code, answer.json["error"]["field"]) == (400, field)


def test_a_prompt_says_what_is_missing_and_the_ruler_what_is_lit(
    program: tuple[FlaskClient, dict[str, str]], table: TestTable
) -> None:
    client, token = program
    table.open_skill_check(7, dice={"black": 2})
    table.do("light_ruler", cue={"band": "red"})
    prompt = client.get("/api/v1/prompt", headers=token).json
    assert prompt["check"]["rating"] == 7
    assert prompt["missing"] == [
        {"die": "skill", "count": 1},
        {"die": "black", "count": 2},
    ]
    ruler = client.get("/api/v1/ruler", headers=token).json
    assert ruler["cue"] == {"cue": {"band": "red"}}
    assert ruler["strips"][0]["name"] == "ruler"


@pytest.mark.parametrize("path", ["/now", "/people", "/stream", "/tray.jpg", "/log"])
def test_a_token_opens_no_page(
    program: tuple[FlaskClient, dict[str, str]], path: str
) -> None:
    client, token = program
    assert client.get(path, headers=token).status_code in (303, 403)
    assert client.post("/undo", headers=token | SCRIPT).status_code == 403


@pytest.mark.parametrize(
    "wrong", ["", "dicelight-", "dicelight-0-0", "x", "é", "dicelight-\u0660-1"]
)
def test_a_wrong_token_is_nobody(player: FlaskClient, wrong: str) -> None:
    # The player's own cookie comes along and does not help.
    answer = player.get(
        "/api/v1/state",
        headers={"Authorization": f"Bearer {wrong}".encode().decode("latin-1")},
    )
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_revoked_token_is_worth_nothing_and_its_stream_ends(
    player: FlaskClient, program: tuple[FlaskClient, dict[str, str]]
) -> None:
    client, token = program
    with client.get("/api/v1/stream", headers=token) as answer:
        heard = answer.iter_encoded()
        assert b"event: change" in next(heard)
        page = player.get("/people").text
        found = re.search(r'name="program" value="(\w+)"', page)
        assert found is not None and "scoreboard" in page
        form = {"program": found[1]}
        player.post("/people/tokens/revoke", data=form, headers=OWN)
        assert b'event: bye\ndata: {"gone": true}' in b"".join(heard)
    assert client.get("/api/v1/state", headers=token).status_code == 401
    answer = player.post("/people/tokens/revoke", data=form, headers=SCRIPT)
    assert (answer.status_code, answer.json["error"]["field"]) == (400, "program")


def test_a_token_is_shown_to_its_host_alone_and_for_two_minutes(
    table: TestTable,
) -> None:
    now = [0.0]
    settings = make_settings(now_s=lambda: now[0])
    ann = create_app(table.companion, settings=settings).test_client()
    ann.post("/join", data=joining(), headers=OWN)
    bob = ann.application.test_client()
    bob.post("/join", data=joining("Bob"), headers=OWN)
    token = make_token(ann)
    assert token not in bob.get("/people").text
    now[0] = 119.0
    assert token in ann.get("/people").text
    now[0] = 121.0
    assert token not in ann.get("/people").text


def test_only_so_many_tokens_are_made(player: FlaskClient) -> None:
    for number in range(20):
        make_token(player, f"p{number}")
    answer = player.post("/people/tokens", data={"program": "x"}, headers=SCRIPT)
    assert answer.status_code == 409
    answer = player.post("/people/tokens", data={"program": " "}, headers=SCRIPT)
    assert (answer.status_code, answer.json["error"]["field"]) == (400, "program")


def test_a_page_from_elsewhere_may_read_with_a_token_and_never_with_a_cookie(
    player: FlaskClient, program: tuple[FlaskClient, dict[str, str]]
) -> None:
    client, token = program
    elsewhere = {"Origin": "http://foundry.example"}
    asked = {"Access-Control-Request-Headers": "authorization"}
    before = client.options("/api/v1/state", headers=elsewhere | asked)
    assert before.status_code == 200
    assert "Authorization" in before.headers["Access-Control-Allow-Headers"]
    answer = client.get("/api/v1/state", headers=elsewhere | token)
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer.headers
    assert "Access-Control-Allow-Origin" not in player.get("/now").headers


# --- The description ---------------------------------------------------------------


def test_the_description_is_open_and_names_every_route_of_the_interface(
    client: FlaskClient,
) -> None:
    told = client.get("/api/v1/openapi.json")
    assert told.status_code == 200
    routes = {
        (re.sub(r"<(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in client.application.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {
        (path, method) for path, item in told.json["paths"].items() for method in item
    }
    assert routes - described == {("/api/v1/openapi.json", "get")}
    assert described <= routes


def test_every_field_that_is_sent_is_described(client: FlaskClient) -> None:
    schemas = client.get("/api/v1/openapi.json").json["components"]["schemas"]
    for name, schema in schemas.items():
        assert schema["description"], name
    ours = [
        kind
        for module in (api, stream, view)
        for kind in vars(module).values()
        if is_dataclass(kind) and kind.__name__ in schemas
    ]
    assert len(ours) > 10
    for kind in ours:
        for field_name, said in schemas[kind.__name__]["properties"].items():
            assert said.get("description"), (kind, field_name)


def test_commands_are_described_as_the_table_takes_them(client: FlaskClient) -> None:
    told = client.get("/api/v1/openapi.json").json
    names = told["components"]["schemas"]["CommandRequest"]["properties"]["name"]
    assert {
        "open_check",
        "correct_die",
        "undo",
        "light_ruler",
        "throw",
        "damage",
    } <= set(names["enum"])


@dataclass(frozen=True)
class Pair(Received):
    """Two texts.

    Attributes:
        one: First.
        two: Second.
    """

    one: str = field(metadata=limits(one_of=("a", "b")))
    two: str = ""


@pytest.mark.parametrize(
    ("data", "field"),
    [([], ""), ({}, "one"), ({"one": "c"}, "one"), ({"one": "a", "two": 2}, "two")],
)
def test_what_the_description_forbids_is_refused(data: object, field: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse(Pair, data)
    assert refused.value.field == field
    assert parse(Pair, {"one": "a"}) == Pair("a")
    schemas = Schemas()
    schemas.of(Pair)
    assert schemas.found["Pair"]["required"] == ["one"]
    assert schemas.found["Pair"]["properties"]["one"]["enum"] == ["a", "b"]


# --- The example -------------------------------------------------------------------


def test_the_example_client_follows_a_roll_and_its_amendment(
    player: FlaskClient, table: TestTable
) -> None:
    token = make_token(player)
    page = serve(player.application, "127.0.0.1", 0, 2)
    try:
        heard = follow.lines(follow.Table(f"http://127.0.0.1:{page.port}/", token))
        table.open_skill_check(7)
        table.settle(live_die("d1", "skill", "5"))
        check = table.companion.snapshot().state.check
        assert check is not None and check.roll is not None
        roll = check.roll.id
        assert next(heard) == f"{roll}: skill 5"
        table.do("correct_die", roll=roll, die="d1", face="9")
        assert next(heard) == f"{roll}: skill 9 (amended)"
    finally:
        page.close()
    assert list(heard) == []
