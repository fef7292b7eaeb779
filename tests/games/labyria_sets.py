"""Set files of Labyria that differ from the usual one."""

from __future__ import annotations

import re
from pathlib import Path

from tests.games.labyria_naive import SET


def edited(folder: Path, *edits: tuple[str, str]) -> Path:
    """A copy of the set file in `folder` with each pattern replaced; every pattern has to be there."""
    text = SET.read_text()
    for pattern, replacement in edits:
        text, count = re.subn(pattern, replacement, text, count=1, flags=re.DOTALL | re.MULTILINE)
        assert count == 1, f"{pattern} is not in the set file"
    path = folder / "other.toml"
    path.write_text(text)
    return path


def small(folder: Path, columns: int, rows: int, *, squares: int, corners: int, numbers: str = "1, 2, 3") -> Path:
    """A smaller board with fewer obstacles (of the squares, four are the depot's)."""
    last = "abcdefghijklmnopqrstuvwxyz"[columns - 1]
    return edited(
        folder,
        (r"^columns = 10 ", f"columns = {columns} "),
        (r"^rows = 10", f"rows = {rows}"),
        (r'"a1", "a10", "j10", "j1"', f'"a1", "a{rows}", "{last}{rows}", "{last}1"'),
        (r"^count = 20", f"count = {corners}"),
        (r"^count = 44", f"count = {squares}"),
        (r"^numbers = \[1, 2, 3, 4, 5, 6\]", f"numbers = [{numbers}]"),
    )
