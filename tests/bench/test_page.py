"""The bench of the page, with few phones: it must measure, not only run."""

from __future__ import annotations

from pathlib import Path

from device.bench_page import with_phones
from device.figures import figure_ms
from tests.web.table import make_table

PHONES, CHANGES = 8, 3


def test_every_phone_is_told_of_every_change_and_shows_it(tmp_path: Path) -> None:
    with make_table(tmp_path) as table:
        figures = list(with_phones(table.companion, tmp_path, PHONES, CHANGES))
    memory, told, shown, asked = figures
    assert memory.unit == "KB" and memory.count == PHONES
    for one in (told, shown):
        assert one.count == PHONES * CHANGES, one
        assert one.value is not None and 0 < one.value < 5000, one
    assert "0 never told" in told.note and "0 never shown" in shown.note
    assert asked.count > CHANGES and asked.value is not None


def test_a_figure_is_kept_only_if_all_that_was_promised_holds() -> None:
    assert figure_ms("x", [1.0] * 20).kept is None
    assert figure_ms("x", [1.0] * 20, must=2.0).kept is True
    assert figure_ms("x", [1.0] * 20, must=0.5).kept is False
    assert figure_ms("x", [1.0] * 18 + [9.0] * 2, must=2.0, must_p95=5.0).kept is False
    assert figure_ms("x", [], must_p95=5.0).kept is None
