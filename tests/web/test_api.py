from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.web.table import OWN, TestTable


def test_the_state_is_told_as_json(player: FlaskClient, table: TestTable) -> None:
    table.open_skill_check(7)
    snapshot = player.get("/api/state").json
    assert snapshot["version"] == table.companion.snapshot().version
    assert snapshot["state"]["content"]["check"]["rating"] == 7
    assert snapshot["live"]["parts"][0]["name"] == "journal"


def test_a_command_is_carried_out_once_for_each_id(
    player: FlaskClient, table: TestTable
) -> None:
    args = {"check": "skill_check", "rating": 7}
    body = {"name": "open_check", "args": args, "id": "1"}
    first = player.post("/api/commands", json=body, headers=OWN)
    again = player.post("/api/commands", json=body, headers=OWN)
    assert first.status_code == again.status_code == 200
    assert (
        first.json["events"] == again.json["events"] == [table.companion.snapshot().seq]
    )


def test_one_device_cannot_repeat_the_id_of_another(
    player: FlaskClient, table: TestTable
) -> None:
    args = {"check": "skill_check", "rating": 7}
    body = {"name": "open_check", "args": args, "id": "1"}
    player.post("/api/commands", json=body, headers=OWN)
    other = player.application.test_client()
    other.post("/join", data={"name": "Bob", "role": "player"}, headers=OWN)
    assert other.post("/api/commands", json=body, headers=OWN).status_code == 409


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
        ({"name": "undo", "args": {"seq": "x"}}, "seq"),
        ({"name": "open_check", "args": {"check": "skill_check"}}, "rating"),
    ],
)
def test_a_wrong_command_names_its_field(
    player: FlaskClient, table: TestTable, body: object, field: str
) -> None:
    table.open_skill_check(7)
    table.do("close_check")
    answer = player.post("/api/commands", json=body, headers=OWN)
    assert answer.status_code == 400
    assert answer.json["error"]["field"] == field
    assert "\n" not in answer.json["error"]["message"]


def test_what_is_not_json_is_refused(player: FlaskClient) -> None:
    answer = player.post(
        "/api/commands", data="{", headers=OWN, content_type="application/json"
    )
    assert answer.status_code == 400
