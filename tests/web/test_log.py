from __future__ import annotations

import csv
import io
import json
import re

import pytest
from flask.testing import FlaskClient

from device.table.fold import UNDO_DEPTH
from tests.web.table import OWN, RUSSIAN, SCRIPT, TestTable, live_die, make_jpeg
from web.pictures import jpeg_size


def last(table: TestTable, kind: str) -> int:
    log = table.companion.snapshot().state.log
    return max(entry.seq for entry in log if entry.kind == kind)


def throw(table: TestTable, face: str = "5") -> int:
    """Roll a check to its end and return the event of its reading."""
    table.open_skill_check(7)
    table.settle(live_die("d1", "skill", face))
    return last(table, "roll_read")


def test_every_throw_of_the_log_has_its_photograph(
    player: FlaskClient, table: TestTable
) -> None:
    seq = throw(table)
    page = player.get("/log").text
    assert f'href="/log/{seq}"' in page and f'src="/log/{seq}.jpg' in page
    small = player.get(f"/log/{seq}.jpg")
    assert (
        small.mimetype == "image/jpeg" and "immutable" in small.headers["Cache-Control"]
    )
    assert jpeg_size(small.data) == (240, 180)
    shown = player.get(f"/log/{seq}").text
    assert f"seq={seq}" in shown and "99 % sure" in shown
    assert player.get(f"/log/{seq - 1}").status_code == 404
    assert player.get("/log/999").status_code == 404
    assert player.get("/log/999.jpg").status_code == 404
    assert player.get(f"/log/{10**30}").status_code == 404


def test_a_roll_read_again_keeps_both_photographs(
    player: FlaskClient, table: TestTable
) -> None:
    table.open_skill_check(7)
    table.settle(live_die("d1", "skill", "5", status="unsure"))
    first = last(table, "roll_read")
    roll = table.companion.snapshot().state.check.roll.id  # type: ignore[union-attr]
    before = table.companion.roll_jpeg(roll)
    table._read((live_die("d2", "skill", "6"),), free_rolls=False)
    second = last(table, "roll_read")
    table.companion.keep_photo(roll, make_jpeg((320, 240)))
    assert second > first
    assert table.companion.roll_jpeg(roll, first) == before
    assert jpeg_size(table.companion.roll_jpeg(roll) or b"") == (320, 240)
    table.do("undo")
    assert table.companion.roll_jpeg(roll) == before


def test_a_picture_taken_later_does_not_take_the_place_of_the_witness(
    table: TestTable,
) -> None:
    throw(table)
    roll = table.companion.snapshot().state.check.roll.id  # type: ignore[union-attr]
    before = table.companion.roll_jpeg(roll)
    table.companion.keep_photo(roll, make_jpeg((64, 48)))
    assert table.companion.roll_jpeg(roll) == before


def test_what_was_put_right_stands_beside_the_throw(
    player: FlaskClient, table: TestTable
) -> None:
    seq = throw(table)
    check = table.companion.snapshot().state.check
    assert check is not None and check.roll is not None
    table.do("correct_die", roll=check.roll.id, die="d1", face="9")
    page = player.get(f"/log/{seq}").text
    assert "5 → 9" in page and "Put a die right" in page
    assert "5 → 9" in player.get("/log").text
    for _ in range(2):
        table.do("close_check")
        table.open_skill_check(7)
        table.settle(live_die("d1", "skill", "2"))
    assert "Put a die right" not in player.get(f"/log/{seq}").text


def test_only_the_throws_are_shown_where_they_are_asked_for(
    player: FlaskClient, table: TestTable
) -> None:
    throw(table)
    assert "Opened: Skill check" in player.get("/log").text
    page = player.get("/log?only=throws").text
    assert "Rolled: skill die: 5" in page and "Opened" not in page


def test_older_lines_come_from_the_journal_with_what_was_taken_back(
    player: FlaskClient, table: TestTable
) -> None:
    seq = throw(table)
    table.do("undo")
    for _ in range(130):
        table.do("light_ruler", cue={"bands": ["red"]})
        table.do("ruler_off")
    newest = player.get("/log").text
    assert f'data-seq="{seq}"' not in newest
    way = re.search(r'href="(/log\?before=\d+)"', newest)
    assert way
    page = player.get(player_path(player, way[1], "/log?before=")).text
    assert re.search(rf'class="undone *" data-seq="{seq}"', page)
    assert "Back to the newest lines" in page
    assert "Older lines" not in page


def test_only_lines_that_undo_reaches_at_once_offer_it(
    player: FlaskClient, table: TestTable
) -> None:
    for _ in range(40):
        table.do("light_ruler", cue={"bands": ["red"]})
        table.do("ruler_off")

    def offered() -> list[int]:
        found = re.findall(r'name="seq" value="(\d+)"', player.get("/log").text)
        return sorted(map(int, found))

    before = offered()
    assert len(before) == UNDO_DEPTH and before[-1] == 81
    for _ in range(10):
        table.do("undo")
    left = offered()
    assert left == before[:-10], "a line past the steps that are kept offers it"
    refused = player.post("/undo", data={"seq": left[0] - 1}, headers=SCRIPT)
    assert refused.status_code == 409
    done = player.post("/undo", data={"seq": left[0]}, headers=SCRIPT)
    assert done.status_code == 200 and offered() == []
    # Step by step it goes on from the journal, but not to a line that was named.
    refused = player.post("/undo", data={"seq": 5}, headers=SCRIPT)
    assert refused.status_code == 409
    assert table.companion.snapshot().state.can_undo
    assert player.post("/undo", headers=SCRIPT).status_code == 200


def player_path(player: FlaskClient, path: str, wanted: str) -> str:
    """Follow "older lines" to the last page."""
    while way := re.search(
        rf'href="({re.escape(wanted)}\d+)">Older', player.get(path).text
    ):
        path = way[1]
    return path


def test_the_night_can_be_taken_home_as_json_and_csv(
    player: FlaskClient, table: TestTable
) -> None:
    throw(table)
    table.do("undo")
    night = table.companion.snapshot().state.night
    answer = player.get("/log/export.json")
    assert f"dicelight-{night}.json" in answer.headers["Content-Disposition"]
    events = json.loads(answer.data)
    assert [one["seq"] for one in events] == list(range(1, len(events) + 1))
    assert [one["kind"] for one in events][-2:] == ["roll_read", "undone"]
    rows = list(csv.reader(io.StringIO(player.get("/log/export.csv").text)))
    assert rows[0][:2] == ["seq", "at_s"] and len(rows) == len(events) + 1
    assert player.get("/log/export.exe").status_code == 404
    assert player.get("/log/export.json?night=../table").status_code == 400


def test_the_report_tells_the_battle_in_both_languages(
    player: FlaskClient, table: TestTable
) -> None:
    player.post(
        "/units/starter", data={"side": "a", "army": "brotherhood"}, headers=OWN
    )
    seq = throw(table)
    check = table.companion.snapshot().state.check
    assert check is not None and check.roll is not None
    table.do("correct_die", roll=check.roll.id, die="d1", face="9")
    table.do("close_check")
    table.open_skill_check(4)
    table.settle(live_die("d2", "skill", "3"))
    table.do("undo")
    english = player.get("/log/report?language=en").text
    assert '<html lang="en">' in english and "Failure" in english
    assert "skill die: 9 (the camera had read: 5)" in english
    assert "skill die: 3" not in english, "it was taken back"
    assert f"/log/{seq}.jpg?night=" in english
    assert "1 check;" in english and "1 die put right" in english
    russian = player.get("/log/report?language=ru").text
    assert '<html lang="ru">' in russian and "Провал" in russian
    assert "кубик навыка: 9" in russian
    assert '<html lang="ru">' in player.get("/log/report", headers=RUSSIAN).text


@pytest.mark.parametrize("night", ["20200101-000000", "../../etc/passwd", "x"])
def test_a_night_that_never_was_is_refused(player: FlaskClient, night: str) -> None:
    for path in ("/log/report", "/log/export.csv", "/log/1.jpg"):
        assert player.get(path, query_string={"night": night}).status_code == 400
