from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.ailing import WORST_FIRST
from device.camera_setup import Calibration, suited
from tests.web.table import RUSSIAN, TestTable
from web.faults import FAULTS, PAST, is_known

ROOT = Path(__file__).parents[2]
ERRORS = ("HardwareNotFound", "HardwareFault")

BY_PROGRAMMERS = (
    "X",  # handed on from elsewhere
    "panel: X",
    "strip X: X",
    "replay takes a folder, an image or a video",
    "a drawn camera takes a tray to look at",
    "no camera X; there are X",  # told apart from the driver's own line by nobody
    "no panel X; there are X",
)
"""Lines that no configuration can bring about."""


def filled(node: ast.expr) -> str:
    """Return a text of the sources, its places filled with X."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(filled, node.values))
    return "X"


def lines_of(folder: str) -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in ERRORS:
                yield f"{path.name}:{node.lineno}", filled(node.args[0])
            elif name == "fails" and len(node.args) > 1:
                yield f"{path.name}:{node.lineno}", filled(node.args[1])


def test_every_line_about_a_part_is_known_to_the_page() -> None:
    said = dict([*lines_of("hardware"), *lines_of("device")])
    assert len(said) > 40, "the search found too little: have the errors other names?"
    unknown = {
        where: text
        for where, text in said.items()
        if text not in BY_PROGRAMMERS and not is_known(text)
    }
    assert unknown == {}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            "camera imx708 gave no frame within 2 s",
            "камера imx708 не дала ни одного кадра за 2 с",
        ),
        ("something new", "Подробности — в журнале устройства."),
        (
            "safe mode, because two starts in a row failed: camera drawn was "
            "unplugged. Faces are typed in; camera, lights and buttons are off until "
            "the next start",
            "камера drawn отключена. Грани вводятся вручную",
        ),
    ],
)
def test_a_failing_part_says_why_in_both_languages(
    player: FlaskClient, table: TestTable, line: str, said: str
) -> None:
    table.companion.parts.fails("camera", line)
    for path in ("/now", "/setup"):
        assert line in player.get(path).text
        russian = player.get(path, headers=RUSSIAN).text
        assert said in russian and line not in russian


def test_a_working_camera_says_what_it_lacks_in_both_languages(
    player: FlaskClient, table: TestTable
) -> None:
    _, other = suited((Calibration("imx708", gain=2.0),), "/base/ov5647", "ov5647")
    notes = ("it has no LensPosition", "it has no manual focus", other)
    assert all(map(is_known, notes))
    table.companion.parts.works("camera", notice="\n".join(notes))
    assert f"working. {'. '.join(notes)}" in player.get("/setup").text
    russian = player.get("/setup", headers=RUSSIAN).text
    assert "у неё нет LensPosition. фокус у неё не задаётся вручную." in russian
    assert "настройка измерена с imx708, а эта камера — ov5647" in russian


def test_what_ails_the_board_is_known() -> None:
    for name, advice in WORST_FIRST.items():
        assert is_known(advice) and name in PAST


def test_no_two_lines_are_the_same() -> None:
    assert len(set(FAULTS)) == len(FAULTS)
