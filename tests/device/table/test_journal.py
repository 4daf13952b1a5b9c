"""The journal: what was told is on disk, and damage is never hidden."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from device.errors import JournalDamaged, JournalError
from device.table.events import Draft
from device.table.fold import fold_events
from device.table.journal import Journal
from device.table.saved import load_fold
from device.table.state import state_hash
from device.table.table import (
    Table,
    find_nights,
    open_table,
    read_night,
    saved_path,
)
from hardware.sim.clock import ManualClock

Open = Callable[[], Table]


@pytest.fixture
def open_again(tmp_path: Path) -> Iterator[Open]:
    """Open the table of one folder, as often as asked; all are closed at the end."""
    tables: list[Table] = []

    def opening() -> Table:
        for table in tables:
            table.close()
        tables.append(open_table(tmp_path, game="foww", wall_s=lambda: 1_800_000_000.0))
        return tables[-1]

    yield opening
    for table in tables:
        table.close()


def lit(number: int) -> Draft:
    return Draft("ruler_lit", {"cue": {"length_mm": number}})


def crash(table: Table) -> None:
    """Leave the files as a power cut would: no closing, no saving."""
    table._journal.close()


def test_a_new_night_begins_with_its_first_event(open_again: Open) -> None:
    table = open_again()
    assert table.seq == 1
    assert table.state.log[0].kind == "night_started"
    assert table.state.night == table.path.name.removesuffix(".journal")


def test_a_night_goes_on_after_closing(open_again: Open) -> None:
    table = open_again()
    table.record([lit(1), lit(2)], by="Nora")
    before = state_hash(table.state)
    again = open_again()
    assert state_hash(again.state) == before
    assert again.path == table.path
    assert again.notice == ""


def test_a_night_goes_on_after_a_crash_without_any_saved_fold(open_again: Open) -> None:
    table = open_again()
    table.record([lit(1)])
    before = state_hash(table.state)
    crash(table)
    assert not saved_path(table.path).exists()
    assert state_hash(open_again().state) == before


def test_the_folded_file_has_the_state_hash_that_was_shown(open_again: Open) -> None:
    table = open_again()
    for number in range(1200):
        table.record([lit(number)])
    table.close()
    assert saved_path(table.path).exists()
    assert state_hash(read_night(table.path).state) == state_hash(table.state)


def test_a_refused_draft_changes_nothing(open_again: Open) -> None:
    table = open_again()
    before = table.fold
    with pytest.raises(JournalError):
        table.record([lit(1), Draft("no_such_kind", {})])
    assert table.fold is before
    assert table._journal.last()[0] == before.seq


def test_the_events_of_a_command_are_found_after_a_restart(open_again: Open) -> None:
    table = open_again()
    table.record([lit(1)], command="phone-1")
    assert open_again().seqs_of("phone-1") == (2,)
    assert open_again().seqs_of("phone-2") == ()
    assert open_again().seqs_of("") == ()


def test_a_changed_event_is_named(open_again: Open) -> None:
    table = open_again()
    table.record([lit(1), lit(2), lit(3)])
    table.close()
    with sqlite3.connect(table.path) as connection:
        connection.execute(
            "UPDATE event SET body = replace(body, '\"length_mm\":2', "
            "'\"length_mm\":9') WHERE seq = 3"
        )
    connection.close()
    with pytest.raises(JournalDamaged, match="event 3"):
        read_night(table.path)


def test_a_missing_event_is_noticed(open_again: Open) -> None:
    table = open_again()
    table.record([lit(1), lit(2), lit(3)])
    table.close()
    with sqlite3.connect(table.path) as connection:
        connection.execute("DELETE FROM event WHERE seq = 3")
    connection.close()
    with pytest.raises(JournalDamaged, match="event 4"):
        read_night(table.path)


def _tear(path: Path) -> None:
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 4096] = os.urandom(min(4096, len(data) - middle))
    path.write_bytes(bytes(data))


def _halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def _empty(path: Path) -> None:
    os.truncate(path, 0)


def _overwrite(path: Path) -> None:
    path.write_bytes(b"this is no journal at all" * 400)


DAMAGES = {"torn": _tear, "halved": _halve, "empty": _empty, "overwritten": _overwrite}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_journal_is_kept_and_the_state_survives(
    damage: Callable[[Path], None], open_again: Open, tmp_path: Path
) -> None:
    table = open_again()
    for number in range(200):
        table.record([lit(number)])
    content = table.fold.content
    table.close()
    damage(table.path)
    damaged = table.path.read_bytes()

    again = open_again()

    assert again.fold.content == content
    assert "kept as" in again.notice
    (kept,) = (tmp_path / "nights").glob("*.damaged-1")
    assert kept.read_bytes() == damaged
    assert state_hash(read_night(again.path).state) == state_hash(again.state)
    again.record([lit(7)])
    assert open_again().notice == ""


def test_without_a_saved_fold_the_readable_beginning_is_saved(open_again: Open) -> None:
    table = open_again()
    for number in range(200):
        table.record([lit(number)])
    table.close()
    saved_path(table.path).unlink()
    with sqlite3.connect(table.path) as connection:
        connection.execute("UPDATE event SET chain = 0 WHERE seq = 150")
    connection.close()
    again = open_again()
    assert again.seq == 149
    assert "event 150 is damaged" in again.notice


def test_a_disk_that_forgot_the_last_events_is_noticed(open_again: Open) -> None:
    table = open_again()
    table.record([lit(number) for number in range(20)])
    content = table.fold.content
    table.close()
    with sqlite3.connect(table.path) as connection:
        connection.execute("DELETE FROM event WHERE seq > 10")
    connection.close()
    again = open_again()
    assert again.fold.content == content
    assert "ends at event 10" in again.notice


def test_a_lost_journal_is_rebuilt_from_the_saved_fold(open_again: Open) -> None:
    table = open_again()
    table.record([lit(4)])
    content = table.fold.content
    table.close()
    table.path.unlink()
    again = open_again()
    assert again.fold.content == content
    assert "missing" in again.notice


def test_a_damaged_saved_fold_is_no_harm(open_again: Open) -> None:
    table = open_again()
    table.record([lit(4)])
    before = state_hash(table.state)
    table.close()
    saved = saved_path(table.path)
    saved.write_bytes(saved.read_bytes().replace(b'"length_mm":4', b'"length_mm":5'))
    assert load_fold(saved) is None
    assert state_hash(open_again().state) == before


def test_a_file_of_another_program_is_not_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "other.journal"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE event (seq)")
    connection.close()
    with pytest.raises(JournalError, match="not a Dicelight journal"):
        Journal(path)


def test_a_file_that_is_not_there_cannot_be_checked(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no such journal"):
        read_night(tmp_path / "none.journal")


def test_a_new_night_sorts_last_even_when_the_clock_went_back(tmp_path: Path) -> None:
    first = open_table(tmp_path, game="foww", wall_s=lambda: 1_800_000_000.0)
    first.close()
    later = open_table(tmp_path, game="foww", wall_s=lambda: 1.0, new_night=True)
    later.close()
    assert find_nights(tmp_path / "nights")[-1] == later.path
    assert later.path != first.path


def test_after_a_long_pause_a_new_night_begins(tmp_path: Path) -> None:
    clock = ManualClock(wall_s=1_800_000_000.0)
    first = open_table(tmp_path, game="foww", wall_s=clock.wall_s)
    first.record([lit(3)])
    first.close()
    for later_s, same in ((3600.0, True), (-9e6, True), (20 * 3600.0, False)):
        clock.jump_wall(1_800_000_000.0 + later_s - clock.wall_s())
        table = open_table(tmp_path, game="foww", wall_s=clock.wall_s)
        table.close()
        assert (table.path == first.path) is same, later_s
    assert table.state.ruler is None
    assert state_hash(read_night(first.path).state) == state_hash(first.state)


WRITER = """
import sys
from pathlib import Path
from device.table.events import Draft
from device.table.table import open_table

table = open_table(Path(sys.argv[1]), game="foww", wall_s=lambda: 1_800_000_000.0)
while True:
    for event in table.record([Draft("ruler_lit", {"cue": {"length_mm": table.seq}})]):
        sys.stdout.write(f"{event.seq}\\n")
        sys.stdout.flush()
"""


@pytest.mark.parametrize("moment", range(3))
def test_a_killed_writer_loses_nothing_it_had_told(tmp_path: Path, moment: int) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    told = int(writer.stdout.readline())
    deadline = time.monotonic() + 0.05 * (moment + 1)
    while time.monotonic() < deadline:
        told = int(writer.stdout.readline())
    writer.send_signal(signal.SIGKILL)
    rest = writer.stdout.read().split("\n")
    told = max([told, *(int(line) for line in rest[:-1] if line)])
    writer.stdout.close()
    writer.wait()
    table = open_table(tmp_path, game="foww", wall_s=lambda: 1_800_000_000.0)
    table.close()
    assert table.seq >= told
    assert table.notice == ""
    assert state_hash(read_night(table.path).state) == state_hash(table.state)


FULL = """
import resource, signal, sys
from pathlib import Path
from device.errors import JournalError
from device.table.events import Draft
from device.table.state import state_hash
from device.table.table import open_table, read_night

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
table = open_table(Path(sys.argv[1]), game="foww", wall_s=lambda: 1_800_000_000.0)
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, hard))
refused = 0
for number in range(400):
    before = table.fold
    try:
        table.record([Draft("ruler_lit", {"cue": {"length_mm": number}})])
    except JournalError as error:
        refused += 1
        assert "disk is full" in str(error), error
        assert table.fold is before
assert refused > 0
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
table.record([Draft("ruler_lit", {"cue": {"length_mm": 9999}})])
assert table.state.ruler.cue["length_mm"] == 9999
table.close()
assert state_hash(read_night(table.path).state) == state_hash(table.state)
print("refused", refused)
"""


def test_a_full_disk_refuses_and_works_again_with_room(tmp_path: Path) -> None:
    """A limit on the file size stands for the full disk: the kernel refuses alike."""
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("refused")


def test_reading_a_night_does_not_need_the_saved_fold(open_again: Open) -> None:
    table = open_again()
    table.record([lit(3)])
    journal = Journal(table.path, read_only=True)
    assert fold_events(journal.read()) == table.fold
    journal.close()
