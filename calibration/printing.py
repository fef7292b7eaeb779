"""Sheets to print at true size, with a ruler to check the print: a game's corner cards, and the calibration chart."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from fpdf import FPDF, ViewerPreferences
from fpdf.enums import XPos, YPos

from calibration.charts import Chart
from companion.games.sets import Marker

PAPERS = ("A4", "Letter")
MARGIN = 10.0
"""Millimetres that printers leave white."""

RULER = 100
"""Length of the ruler, mm."""

CARDS = "4X4_50"
"""The dictionary of the corner cards."""


class PaperError(ValueError):
    """What is to be printed does not fit on the paper, or the file cannot be written."""


def cards_sheet(title: str, marker: Marker, paper: str = "A4") -> bytes:
    """A PDF with the corner cards of a set, with lines to cut along.

    Raises:
        PaperError: a card is larger than the paper.
    """
    sheet = _sheet(title, paper, "portrait")
    card, gap = marker.size + 2 * marker.quiet, 8.0
    columns = int((sheet.epw + gap) / (card + gap))
    if columns < 1 or card > sheet.eph - 40:
        raise PaperError(f"a card of {card:g} mm does not fit on {paper}")
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{CARDS}"))
    top = sheet.get_y() + 6
    for k, ident in enumerate(marker.ids):
        x, y = sheet.l_margin + k % columns * (card + gap), top + k // columns * (card + gap + 5)
        sheet.set_draw_color(170)
        sheet.rect(x, y, card, card)
        _marker(sheet, dictionary, ident, x + marker.quiet, y + marker.quiet, marker.size)
        sheet.text(x, y + card + 4, f"{ident}")
    _ruler(sheet)
    return bytes(sheet.output())


def chart_sheet(chart: Chart, paper: str = "A4") -> bytes:
    """A PDF with a ChArUco chart.

    Raises:
        PaperError: the chart is larger than the paper.
    """
    assert chart.marker is not None
    title = f"charuco:{chart.columns}x{chart.rows}:{chart.square:g}:{chart.marker:g}:{chart.dictionary}"
    sheet = _sheet(title, paper, "landscape")
    width, height = chart.columns * chart.square, chart.rows * chart.square
    if width > sheet.epw or height > sheet.eph - 12:
        raise PaperError(f"a chart of {width:g} x {height:g} mm does not fit on {paper}")
    left, top = (sheet.w - width) / 2, sheet.get_y() + 1
    number, inset = 0, (chart.square - chart.marker) / 2
    for row in range(chart.rows):
        for column in range(chart.columns):
            x, y = left + column * chart.square, top + row * chart.square
            if (row + column) % 2 == 0:
                _black(sheet, x, y, chart.square, chart.square)
            else:
                _marker(sheet, chart.markers, number, x + inset, y + inset, chart.marker)
                number += 1
    _ruler(sheet)
    return bytes(sheet.output())


def _sheet(title: str, paper: str, orientation: str) -> FPDF:
    sheet = FPDF("portrait" if orientation == "portrait" else "landscape", "mm", paper)
    sheet.set_margin(MARGIN)
    sheet.set_auto_page_break(False)
    sheet.add_page()
    sheet.set_title(title)
    sheet.set_font("Helvetica", size=8)
    sheet.cell(0, 4, title, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    sheet.set_fill_color(0)
    sheet.set_line_width(0.1)
    # Viewers fit pages to the paper unless the file says otherwise, and a chart that is a little too small is wrong.
    sheet.viewer_preferences = ViewerPreferences(print_scaling="None")
    return sheet


def _marker(sheet: FPDF, dictionary: Any, ident: int, x: float, y: float, size: float) -> None:
    """A marker with its upper left corner at (x, y), `size` mm over its black border."""
    modules = dictionary.markerSize + 2
    bits = cv2.aruco.generateImageMarker(dictionary, ident, modules) == 0
    step = size / modules
    for row, line in enumerate(bits):
        starts = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(int), [0]])))
        for first, last in zip(starts[::2], starts[1::2], strict=True):
            _black(sheet, x + first * step, y + row * step, (last - first) * step, step)


def _black(sheet: FPDF, x: float, y: float, width: float, height: float) -> None:
    sheet.rect(x, y, width, height, style="F")


def _ruler(sheet: FPDF) -> None:
    """A ruler along the lower edge."""
    left, y = sheet.l_margin, sheet.h - MARGIN
    sheet.set_draw_color(0)
    sheet.line(left, y, left + RULER, y)
    for k in range(RULER + 1):
        sheet.line(left + k, y, left + k, y - (3 if k % 10 == 0 else 2 if k % 5 == 0 else 1))
    sheet.text(left + RULER + 3, y, f"{RULER} mm. Print at 100 %, and measure here.")
