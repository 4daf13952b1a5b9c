"""The printable frame is true to scale and says so in two languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from reportlab.lib.units import mm
from reportlab.pdfbase.ttfonts import TTFont

from device.errors import ConfigError, VisionError
from vision import mat
from vision.sheet import PAPERS, sheet

RECTANGLE = re.compile(rb"(?m)^(?:n )?([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) re")
PAGE = re.compile(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]")


def rectangles_mm(pdf: bytes) -> list[tuple[float, ...]]:
    """Return the page's rectangles as printed; fails where something scales it."""
    matrices = re.findall(rb"(?m)^([-\d. ]+) cm", pdf)
    assert all(m.split() == [b"1", b"0", b"0", b"1", b"0", b"0"] for m in matrices)
    return [tuple(float(v) / mm for v in m) for m in RECTANGLE.findall(pdf)]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("corners", [False, True], ids=["sheet", "corners"])
def test_the_bar_is_a_hundred_millimetres(
    tmp_path: Path, paper: str, corners: bool
) -> None:
    path = tmp_path / "mat.pdf"
    mat.write_mat(path, paper, corners=corners)
    bars = [w for _, _, w, h in rectangles_mm(path.read_bytes()) if abs(h - 1) < 0.01]
    assert bars == [pytest.approx(100, abs=0.2)]


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_page_is_the_paper_and_markers_lie_where_the_reader_expects(
    tmp_path: Path, paper: str
) -> None:
    path = tmp_path / "mat.pdf"
    mat.write_mat(path, paper)
    pdf = path.read_bytes()
    page = PAGE.search(pdf)
    assert page is not None
    width, height = (float(side) / mm for side in page.groups())
    assert (width, height) == pytest.approx(PAPERS[paper], abs=0.05)
    drawn = rectangles_mm(pdf)
    for marker in sheet(paper).markers:
        # The marker's first row of cells is all black: one rectangle.
        top = (marker.x_mm, height - marker.y_mm - marker.side_mm / 6)
        sides = (marker.side_mm, marker.side_mm / 6)
        assert any(
            rectangle == pytest.approx((*top, *sides), abs=0.05) for rectangle in drawn
        )


def test_the_same_sheet_is_the_same_bytes(tmp_path: Path) -> None:
    one, two = tmp_path / "one.pdf", tmp_path / "two.pdf"
    mat.write_mat(one)
    mat.write_mat(two)
    assert one.read_bytes() == two.read_bytes()


def test_the_font_has_every_letter_of_the_texts() -> None:
    glyphs = TTFont("probe", str(mat._font_file())).face.charToGlyph
    lines = [*mat.BAR_TEXT, *mat.PIECE_TEXT]
    for texts in (mat.SHEET_TEXT, mat.CORNERS_TEXT):
        assert set(texts) == {"en", "ru"}
        lines += [line for block in texts.values() for line in block]
    assert not {
        letter for line in lines for letter in line if ord(letter) not in glyphs
    }


def test_unknown_paper_and_unwritable_file_are_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="expected a4 or letter, found 'a5'"):
        mat.write_mat(tmp_path / "mat.pdf", "a5")
    with pytest.raises(VisionError, match="cannot write"):
        mat.write_mat(tmp_path / "nowhere" / "mat.pdf")
