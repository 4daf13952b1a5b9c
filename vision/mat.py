"""The printable frame as PDF, true to scale: one sheet, or four loose corner pieces.

Everything comes from `vision.sheet` in millimetres; here it only gets ink, cut lines
and words. Printers scale all the same, so the sheet carries a bar to measure.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from device.errors import ConfigError, VisionError
from vision.sheet import (
    BAR_MM,
    CORNERS_MAX_MM,
    EDGE_MM,
    MARKER_MM,
    PAPERS,
    PIECE_BORDER_MM,
    PIECE_MARKER_MM,
    PIECE_MM,
    Marker,
    Patch,
    marker_cells,
    piece_marker,
    piece_patches,
    sheet,
)

FONT = "Manrope"
"""Has Cyrillic, is free (OFL), comes as a small wheel (font-manrope)."""

TEXT_PT = 6.6
LINE_MM = 3.1

SHEET_TEXT = {
    "en": (
        "Dicelight: frame for the dice tray",
        "Print at 100 %, never “fit to page”.",
        "Lay it flat under the camera, all four",
        "squares in view. Throw on it, or cut out",
        "the inside and lay the frame on a mat.",
    ),
    "ru": (
        "Dicelight: рамка для лотка",
        "Печатайте в масштабе 100 %, не «по размеру",
        "страницы». Положите ровно под камеру, чтобы",
        "были видны все четыре квадрата. Бросайте на",
        "лист или вырежьте середину и положите на сукно.",
    ),
}
CORNERS_TEXT = {
    "en": (
        "Dicelight: corners for a dice tray",
        "Print at 100 %, never “fit to page”. Cut out the four squares.",
        "Lay each flat at its corner of the tray, outside the wall, its",
        "black triangle pointing at the tray.",
        f"The tray may be up to {CORNERS_MAX_MM:.0f} mm long.",
    ),
    "ru": (
        "Dicelight: уголки для лотка",
        "Печатайте в масштабе 100 %, не «по размеру страницы». Вырежьте",
        "четыре квадрата. Положите каждый у своего угла лотка, чёрным",
        "треугольником к лотку, снаружи от стенки, ровно на стол.",
        f"Длина лотка: до {CORNERS_MAX_MM:.0f} мм.",
    ),
}
BAR_TEXT = (
    f"{BAR_MM:.0f} mm: measure this bar and enter its length in Set-up",
    f"{BAR_MM:.0f} мм: измерьте эту линию и введите её длину в «Настройке»",
)
PIECE_TEXT = (
    "1  top left / вверху слева",
    "2  top right / вверху справа",
    "3  bottom right / внизу справа",
    "4  bottom left / внизу слева",
)


def write_mat(path: Path, paper: str = "a4", *, corners: bool = False) -> None:
    """Write the printable frame as a one-page PDF.

    Args:
        path: File to write; an existing one is replaced.
        paper: ``a4`` or ``letter``.
        corners: Four loose corner pieces instead of the one-sheet frame.

    Raises:
        ConfigError: Unknown paper.
        VisionError: The file cannot be written.
    """
    if paper not in PAPERS:
        raise ConfigError(f"paper: expected a4 or letter, found {paper!r}")
    width, height = PAPERS[paper]
    pdfmetrics.registerFont(TTFont(FONT, str(_font_file())))
    pdf = Canvas(
        str(path), pagesize=(width * mm, height * mm), pageCompression=0, invariant=1
    )
    pdf.setTitle("Dicelight frame, print at 100 %")
    pdf.setViewerPreference("PrintScaling", "None")
    ink = _Ink(pdf, height)
    if corners:
        _corner_pieces(ink, width, height)
    else:
        _frame(ink, paper)
    pdf.showPage()
    try:
        pdf.save()
    except OSError as error:
        reason = error.strerror or error
        raise VisionError(f"cannot write {path}: {reason}") from error


def _font_file() -> Path:
    return Path(str(files("font_manrope") / "files" / "Manrope-Medium.ttf"))


class _Ink:
    """Draws in mm from the page's top left; PDF counts points from the bottom."""

    def __init__(self, pdf: Canvas, height_mm: float) -> None:
        self.pdf = pdf
        self.height_mm = height_mm

    def patch(self, patch: Patch, dx: float = 0.0, dy: float = 0.0) -> None:
        """Fill a patch, moved by ``(dx, dy)`` mm."""
        self.pdf.setFillGray(patch.level)
        top = self.height_mm - patch.y_mm - dy
        self.pdf.rect(
            (patch.x_mm + dx) * mm,
            (top - patch.height_mm) * mm,
            patch.width_mm * mm,
            patch.height_mm * mm,
            stroke=0,
            fill=1,
        )

    def marker(self, marker: Marker, dx: float = 0.0, dy: float = 0.0) -> None:
        """Draw a marker: each row of black cells as one rectangle, without seams."""
        cell = marker.side_mm / 6
        for row, cells in enumerate(marker_cells(marker.id)):
            start = 0
            while start < 6:
                end = start
                while end < 6 and cells[end]:
                    end += 1
                if end > start:
                    x, y = marker.x_mm + start * cell, marker.y_mm + row * cell
                    self.patch(Patch(x, y, (end - start) * cell, cell, 0.0), dx, dy)
                start = max(end, start + 1)

    def outline(self, x: float, y: float, w: float, h: float, *, dash: bool) -> None:
        """Draw a thin grey rectangle."""
        self.pdf.setStrokeGray(0.6)
        self.pdf.setLineWidth(0.3 * mm)
        self.pdf.setDash([2 * mm, 2 * mm] if dash else [])
        self.pdf.rect(x * mm, (self.height_mm - y - h) * mm, w * mm, h * mm)
        self.pdf.setDash([])

    def triangle(self, x: float, y: float, dx: float, dy: float) -> None:
        """Fill a triangle with its right angle at ``(x, y)``."""
        way = self.pdf.beginPath()
        way.moveTo(x * mm, (self.height_mm - y) * mm)
        way.lineTo((x + dx) * mm, (self.height_mm - y) * mm)
        way.lineTo(x * mm, (self.height_mm - y - dy) * mm)
        way.close()
        self.pdf.setFillGray(0)
        self.pdf.drawPath(way, stroke=0, fill=1)

    def text(self, x: float, y: float, line: str, size_pt: float = TEXT_PT) -> None:
        """Write one line, its baseline at `y`."""
        self.pdf.setFillGray(0)
        self.pdf.setFont(FONT, size_pt)
        self.pdf.drawString(x * mm, (self.height_mm - y) * mm, line)

    def bar(self, x: float, y: float) -> None:
        """Draw the bar to measure: its outer edges are 100 mm apart."""
        self.patch(Patch(x, y, BAR_MM, 1.0, 0.0))
        self.patch(Patch(x, y - 2.5, 0.3, 2.5, 0.0))
        self.patch(Patch(x + BAR_MM - 0.3, y - 2.5, 0.3, 2.5, 0.0))
        for index, line in enumerate(BAR_TEXT):
            self.text(x + 2, y - 8.5 + index * (LINE_MM + 0.6), line)


def _frame(ink: _Ink, paper: str) -> None:
    """Draw the one-sheet frame."""
    frame = sheet(paper)
    for marker in frame.markers:
        ink.marker(marker)
    for patch in frame.patches:
        ink.patch(patch)
    first = frame.patches[0]
    ink.outline(first.x_mm, first.y_mm, first.width_mm, first.height_mm, dash=False)
    ink.outline(*frame.tray_xywh_mm, dash=False)
    ink.bar(*frame.bar_xy_mm)
    last = frame.patches[-1]
    starts = {
        "en": EDGE_MM + MARKER_MM + 6,
        "ru": last.x_mm + last.width_mm + 6,
    }
    for language, lines in SHEET_TEXT.items():
        for index, line in enumerate(lines):
            ink.text(starts[language], EDGE_MM + 3 + index * LINE_MM, line)


def _corner_pieces(ink: _Ink, width_mm: float, height_mm: float) -> None:
    """Draw four pieces, spread over the sheet as they will lie round the tray."""
    left, top = 12.0, 10.0
    right, low = width_mm - left - PIECE_MM, top + PIECE_MM + 10
    places = ((left, top), (right, top), (right, low), (left, low))
    inner = ((1, 1), (0, 1), (0, 0), (1, 0))
    for index, (x, y) in enumerate(places):
        ink.outline(x, y, PIECE_MM, PIECE_MM, dash=True)
        ink.marker(piece_marker(index), x, y)
        for patch in piece_patches():
            ink.patch(patch, x, y)
        label_y = y + PIECE_BORDER_MM + PIECE_MARKER_MM + 4.5
        ink.text(x + PIECE_BORDER_MM, label_y, PIECE_TEXT[index], 5.5)
        across, down = inner[index]
        size = 3.0
        ink.triangle(
            x + across * PIECE_MM,
            y + down * PIECE_MM,
            -size if across else size,
            -size if down else size,
        )
    middle = left + PIECE_MM + 10
    for block, lines in enumerate(CORNERS_TEXT.values()):
        for index, line in enumerate(lines):
            ink.text(middle, top + 8 + (index + block * 7) * LINE_MM * 1.3, line)
    ink.bar((width_mm - BAR_MM) / 2, height_mm - 16)
