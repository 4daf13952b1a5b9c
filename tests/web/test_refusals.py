from __future__ import annotations

import logging

import pytest
from flask.testing import FlaskClient

from device.errors import HardwareFault, JournalError
from device.table.journal import FULL
from device.table.view import Command, Outcome, Snapshot
from tests.web.table import OWN, RUSSIAN, SCRIPT, TestTable


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (JournalError("no space left on device"), 503),
        (HardwareFault("the camera went away"), 503),
        (RuntimeError("boom"), 500),
    ],
)
def test_inner_trouble_is_one_line_and_goes_to_the_log(
    player: FlaskClient,
    table: TestTable,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    status: int,
) -> None:
    def fail(command: Command) -> Outcome:
        raise error

    monkeypatch.setattr(table.companion, "do", fail)
    with caplog.at_level(logging.ERROR):
        answer = player.post("/undo", headers=SCRIPT)
    assert answer.status_code == status
    line = answer.json["error"]["message"]
    assert line and str(error) not in line
    assert str(error) in caplog.text
    page = player.post("/undo", headers=OWN)
    assert page.status_code == status and line in page.text


@pytest.mark.parametrize("path", ["/nowhere", "/now/", "/rolls/r1", "/static/none.js"])
def test_what_is_not_there_is_a_friendly_page(player: FlaskClient, path: str) -> None:
    answer = player.get(path)
    assert answer.status_code == 404
    assert "There is nothing here (yet)." in answer.text
    assert "Back to the table" in answer.text
    assert "(пока)" in player.get(path, headers=RUSSIAN).text


def test_a_wrong_method_is_refused_in_one_line(player: FlaskClient) -> None:
    assert player.get("/undo").status_code == 405
    assert player.delete("/now").status_code == 405


def test_a_screen_is_of_one_moment_even_if_the_table_moves_on(
    player: FlaskClient, table: TestTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = table.companion.snapshot
    asked: list[str] = []

    def moving() -> Snapshot:
        table.board.set_live(phase="moving" if len(asked) % 2 else "still")
        snapshot = told()
        asked.append(snapshot.version)
        return snapshot

    monkeypatch.setattr(table.companion, "snapshot", moving)
    for path in ("/now", "/rulers", "/log", "/dice", "/setup"):
        asked.clear()
        page = player.get(path).text
        assert len(asked) == 1 and f'data-version="{asked[0]}"' in page


@pytest.mark.parametrize(
    ("language", "said"), [("en", "the disk is full"), ("ru", "диск заполнен")]
)
def test_a_full_disk_is_said_to_whoever_meets_it(
    player: FlaskClient,
    table: TestTable,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    said: str,
) -> None:
    def fail(command: Command) -> Outcome:
        raise JournalError(FULL % "/state/1.journal")

    monkeypatch.setattr(table.companion, "do", fail)
    headers = {**SCRIPT, **(RUSSIAN if language == "ru" else {})}
    answer = player.post("/undo", headers=headers)
    assert answer.status_code == 503
    assert said in answer.json["error"]["message"]
