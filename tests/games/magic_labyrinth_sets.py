"""Set files of the Magic Labyrinth that differ from the usual one."""

from __future__ import annotations

import re
from pathlib import Path

from tests.games.magic_labyrinth_naive import SET


def edited(folder: Path, *edits: tuple[str, str]) -> Path:
    """A copy of the set file in `folder` with each pattern replaced; every pattern has to be there."""
    text = SET.read_text()
    for pattern, replacement in edits:
        text, count = re.subn(pattern, replacement, text, count=1, flags=re.DOTALL | re.MULTILINE)
        assert count == 1, f"{pattern} is not in the set file"
    path = folder / "other.toml"
    path.write_text(text)
    return path


def sized(folder: Path, columns: int, rows: int, corners: tuple[str, ...] = ()) -> Path:
    """Another board: symbols on ten of its fields, colours so many that the walls are shared out evenly."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    cells = [f"{letters[column]}{row + 1}" for row in range(rows) for column in range(columns)]
    slots = columns * (rows - 1) + rows * (columns - 1)
    last = letters[columns - 1]
    corners = corners or ("a1", f"a{rows}", f"{last}{rows}", f"{last}1")
    number = next(number for number in (4, 3, 2, 1) if slots % number == 0)
    names = ("red", "yellow", "green", "blue")[:number]
    colours = "".join(f"{name} = [{k}, {k}, {k}]\n" for k, name in enumerate(names))
    symbols = "".join(f'sign{k} = "{cell}"\n' for k, cell in enumerate((cells[1:] + cells[:1])[:10]))
    quoted = ", ".join(f'"{cell}"' for cell in cells)
    return edited(
        folder,
        (r"^rows = 12", "rows = 90"),
        (r"^columns = 4 ", f"columns = {columns} "),
        (r"^rows = 4", f"rows = {rows}"),
        (r"^corners = .*?$", "corners = [{}]".format(", ".join(f'"{corner}"' for corner in corners))),
        (r"^arrows = .*?$", f"arrows = [{quoted}]"),
        (r"^star = .*?^diameter", f"{symbols}diameter"),
        (r"^count = 24", f"count = {slots}"),
        (r"(^\[wall.colours\]\n).*?\n\n", rf"\1{colours}\n"),
    )
