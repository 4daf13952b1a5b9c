"""What somebody in the same network may try: refused, and said in the log."""

from __future__ import annotations

import io
import logging
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.web.table import OWN, SCRIPT, TestTable, joining, make_settings
from web import create_app

MEGABYTE = 1 << 20


def upload(phone: FlaskClient, data: bytes, name: str = "army.rosz") -> TestResponse:
    form = {"side": "a", "file": (io.BytesIO(data), name)}
    return phone.post("/units/roster", data=form, headers=SCRIPT)


def packed(**files: bytes) -> bytes:
    """Return a zip archive; ``__`` in a name stands for ``/``."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/"), data)
    return sink.getvalue()


def assert_refused(answer: TestResponse, table: TestTable, log: str) -> None:
    assert answer.status_code == 400, answer.text
    assert answer.json["error"]["field"] == "file"
    assert answer.json["error"]["message"]
    assert table.companion.snapshot().state.armies.units == ()
    assert "/units/roster" in log


def test_a_zip_bomb_is_refused_before_it_fills_the_memory(
    player: FlaskClient, table: TestTable, caplog: pytest.LogCaptureFixture
) -> None:
    bomb = packed(**{"army.ros": b"<" + b"0" * (200 * MEGABYTE)})
    assert len(bomb) < MEGABYTE
    tracemalloc.start()
    try:
        answer = upload(player, bomb)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert_refused(answer, table, caplog.text)
    assert most < 32 * MEGABYTE


def test_an_entity_bomb_is_refused(
    player: FlaskClient, table: TestTable, caplog: pytest.LogCaptureFixture
) -> None:
    layers = '<!ENTITY l0 "ha">' + "".join(
        f'<!ENTITY l{n} "&l{n - 1};&l{n - 1};">' for n in range(1, 30)
    )
    laughs = f'<?xml version="1.0"?><!DOCTYPE r [{layers}]><roster>&l29;</roster>'
    assert_refused(upload(player, laughs.encode(), "a.ros"), table, caplog.text)
    outside = (
        '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        "<roster>&x;</roster>"
    )
    assert_refused(upload(player, outside.encode(), "a.ros"), table, caplog.text)


def test_too_large_an_upload_is_refused(
    player: FlaskClient, table: TestTable, caplog: pytest.LogCaptureFixture
) -> None:
    head = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.ros"\r\n\r\n'
    )
    answer = player.post(
        "/units/roster",
        data=head + b"<" * (2 * MEGABYTE) + b"\r\n--x--\r\n",
        content_type="multipart/form-data; boundary=x",
        headers=SCRIPT,
    )
    assert_refused(answer, table, caplog.text)
    answer = player.post("/now/open", data={"check": "x" * 100_000}, headers=SCRIPT)
    assert answer.status_code == 413
    assert "413 for" in caplog.text


@pytest.mark.parametrize(
    "name",
    ["../../web-secret", "/etc/passwd", "..\\..\\x.rosz", "x\x00.rosz", "a/" * 200],
)
def test_the_name_of_an_upload_leads_nowhere(
    table: TestTable, tmp_path: Path, name: str
) -> None:
    state = tmp_path / "state"
    state.mkdir()
    client = create_app(
        table.companion, settings=make_settings(state=state)
    ).test_client()
    client.post("/join", data=joining(), headers=OWN)
    before = {path: path.read_bytes() for path in state.rglob("*") if path.is_file()}
    answer = upload(client, packed(**{"..__..__escaped.ros": b"<roster/>"}), name)
    assert answer.status_code == 400
    after = {path: path.read_bytes() for path in state.rglob("*") if path.is_file()}
    assert after == before
    assert not list(tmp_path.rglob("escaped*"))


@pytest.mark.parametrize(
    "path",
    [
        "/rolls/..%2F..%2Fweb-people.json.jpg",
        "/rolls/%2e%2e%2fweb-secret.jpg",
        "/api/v1/rolls/..%2F..%2Fweb-secret/photo",
        "/static/..%2F..%2Fweb-people.json",
        "/static/%2e%2e/people.py",
        "/static//etc/passwd",
        "/log/export.json%00",
        "/army/list/..%2Fa.toml",
        "/dice/..%2F..%2Fweb-secret/faces",
        "/j/..%2F..%2F",
        "/r/..%2F..%2Fweb-secret",
    ],
)
def test_a_path_reaches_no_other_file(
    table: TestTable, tmp_path: Path, path: str
) -> None:
    client = create_app(
        table.companion, settings=make_settings(state=tmp_path)
    ).test_client()
    client.post("/join", data=joining(), headers=OWN)
    (tmp_path / "web-secret").write_bytes(b"a secret for this test")
    with client.get(path) as answer:
        assert answer.status_code in (303, 308, 400, 401, 404)
        for secret in (b"a secret", b'"hashes"', b"root:", b"def "):
            assert secret not in answer.data


def test_a_stolen_spectators_cookie_or_ticket_cannot_act(
    spectator: FlaskClient, table: TestTable, caplog: pytest.LogCaptureFixture
) -> None:
    cookie = spectator.get_cookie("dicelight")
    assert cookie is not None
    thief = spectator.application.test_client()
    thief.set_cookie("dicelight", cookie.value)
    before = table.companion.snapshot().seq

    def try_all() -> None:
        check = {"check": "skill_check", "rating": "7"}
        assert thief.post("/now/open", data=check, headers=SCRIPT).status_code == 403
        assert thief.post("/undo", headers=SCRIPT).status_code == 403
        assert thief.post("/people/code", headers=SCRIPT).status_code == 403
        assert thief.post("/take-over", headers=SCRIPT).status_code == 403
        body = {"name": "light_ruler", "args": {"cue": {"band": "red"}}}
        answer = thief.post("/api/v1/commands", json=body, headers=OWN)
        assert answer.status_code == 403

    assert thief.get("/now").status_code == 200
    try_all()
    link = next(part for part in spectator.get("/now").text.split('"') if "/r/" in part)
    thief = spectator.application.test_client()
    thief.get(link.partition(":8080")[2])
    try_all()
    assert table.companion.snapshot().seq == before
    assert "403 for" in caplog.text


def test_a_spectator_needs_the_code_again_to_become_a_player(
    spectator: FlaskClient, table: TestTable
) -> None:
    """Who may only watch must not make itself a player: the code is for that."""
    form = {"name": "Sam", "role": "player"}
    answer = spectator.post("/join", data=form, headers=SCRIPT)
    assert (answer.status_code, answer.json["error"]["field"]) == (403, "code")
    assert [one.role for one in table.companion.snapshot().live.people] == ["spectator"]
    assert spectator.post("/join", data=joining("Sam"), headers=OWN).status_code == 303
    assert [one.role for one in table.companion.snapshot().live.people] == ["player"]


def test_a_command_from_another_site_is_refused_whatever_cookie_it_shows(
    player: FlaskClient, table: TestTable, caplog: pytest.LogCaptureFixture
) -> None:
    check = {"check": "skill_check", "rating": "7"}
    for origin in ("http://evil.example", "null", "http://localhost.evil.example"):
        for path in ("/now/open", "/join", "/leave", "/people/code", "/language"):
            answer = player.post(path, data=check, headers={"Origin": origin})
            assert answer.status_code == 403, (path, origin)
    assert table.companion.snapshot().state.check is None
    assert "foreign post" in caplog.text


def test_a_foreign_host_is_refused_and_said_in_the_log(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    for host in ("evil.example", "localhost.evil.example", "dicelight.local.evil"):
        assert client.get("/join", headers={"Host": host}).status_code == 400
        assert repr(host) in caplog.text


def test_what_comes_from_outside_stays_on_its_line_of_the_log(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        client.get("/x%0aERROR%20device%3a%20forged")
        client.post("/join", data={"code": "1\nERROR device: forged"}, headers=OWN)
        client.get("/join", headers={"Host": "a\tERROR"})
    assert caplog.records
    assert all("\n" not in record.getMessage() for record in caplog.records)
