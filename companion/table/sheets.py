"""Tables of results, as text for printing and as comma-separated values."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence


def csv_text(headings: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """Comma-separated values with a line of headings."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(headings)
    table.writerows(rows)
    return text.getvalue()


def table_text(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Columns one below the other: the first to the left, numbers and all others to the right."""
    cells = [list(headings), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(headings))]
    lines = []
    for first, *others in cells:
        right = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        lines.append("  ".join([first.ljust(widths[0]), *right]).rstrip() + "\n")
    return "".join(lines)
