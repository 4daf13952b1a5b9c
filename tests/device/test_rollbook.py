"""Rolls of a night, from its journal."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.errors import BadInput, JournalError
from device.rollbook import Page, RollBook
from tests.web.table import TestTable, live_die, make_table


def throw(table: TestTable, face: str) -> str:
    """Open a check, roll it, and return the roll's id."""
    table.open_skill_check(7)
    table.settle(live_die(f"d{face}", "skill", face))
    check = table.companion.snapshot().state.check
    assert check is not None and check.roll is not None
    table.do("close_check")
    return check.roll.id


def page(table: TestTable, before: int = 10**9, most: int = 20) -> Page:
    now = table.companion.snapshot()
    book = table.companion.rolls
    return book.page(now.state.night, now.seq, before=before, most=most)


def faces(found: Page) -> list[str | None]:
    return [one.roll.dice[0].face for one in found.rolls]


def test_rolls_come_newest_first_page_by_page_and_each_once(tmp_path: Path) -> None:
    with make_table(tmp_path) as table:
        for face in ("2", "3", "4", "5", "6"):
            throw(table, face)
        first = page(table, most=2)
        assert faces(first) == ["6", "5"] and first.next == first.rolls[-1].seq
        throw(table, "7")
        second = page(table, before=first.next, most=2)
        assert faces(second) == ["4", "3"]
        last = page(table, before=second.next or 0, most=2)
        assert faces(last) == ["2"] and last.next is None
        assert faces(page(table)) == ["7", "6", "5", "4", "3", "2"]


def test_a_roll_stands_as_it_was_put_right_and_says_so(tmp_path: Path) -> None:
    with make_table(tmp_path) as table:
        roll = throw(table, "5")
        (before,) = page(table).rolls
        assert (before.amended, before.status) == (False, "resolved")
        assert before.result is not None and before.result["success"] is True
        table.do("correct_die", roll=roll, die="d5", face="9")
        (after,) = page(table).rolls
        assert after.amended and after.roll.dice[0].face == "9"
        assert after.roll.dice[0].corrected_from == "5"
        assert after.result is not None and after.result["success"] is False
        assert (after.seq, after.at_s) == (before.seq, before.at_s)
        assert (after.kind, after.reading) == ("skill_check", before.seq)


def test_what_was_taken_back_is_told_as_such_and_comes_back(tmp_path: Path) -> None:
    with make_table(tmp_path) as table:
        throw(table, "5")
        roll = throw(table, "6")
        table.do("correct_die", roll=roll, die="d6", face="7")
        page(table)  # known before it changes
        table.do("undo")
        newest = page(table).rolls[0]
        assert not newest.undone and newest.roll.dice[0].face == "6"
        assert not newest.amended
        table.do("undo")
        table.do("undo")
        newest, older = page(table).rolls
        assert (newest.undone, older.undone) == (True, False)
        table.do("redo")
        assert not page(table).rolls[0].undone


def test_a_throw_without_a_check_is_a_roll_too(tmp_path: Path) -> None:
    with make_table(tmp_path) as table:
        table.settle_freely(live_die("d1", "skill", "5"))
        (one,) = page(table).rolls
        assert (one.check, one.kind, one.status, one.result) == ("", "", "", None)
        assert one.reading == one.seq


def test_a_lost_journal_is_told_as_incomplete(tmp_path: Path) -> None:
    with make_table(tmp_path) as table:
        throw(table, "5")
        path = next((tmp_path / "nights").glob("*.journal"))
    path.unlink()
    with make_table(tmp_path) as table:
        found = page(table)
        assert (found.rolls, found.complete) == ((), False)
        throw(table, "6")
        assert faces(page(table)) == ["6"]


def test_an_unknown_night_and_a_damaged_one_are_refused(tmp_path: Path) -> None:
    with make_table(tmp_path) as table:
        throw(table, "5")
        book = RollBook(table.companion.nights)
        with pytest.raises(BadInput):
            book.page("20000101-000000", 9, before=9, most=9)
        (tmp_path / "nights" / "20000101-000000.journal").write_bytes(b"torn")
        with pytest.raises(JournalError):
            book.page("20000101-000000", 9, before=9, most=9)
        assert faces(page(table)) == ["5"]
