"""Set files of Triangle that differ from the usual one."""

from __future__ import annotations

import re
from pathlib import Path

from tests.games.triangle_naive import SET


def edited(folder: Path, *edits: tuple[str, str]) -> Path:
    """A copy of the set file in `folder` with each pattern replaced; every pattern has to be there."""
    text = SET.read_text()
    for pattern, replacement in edits:
        text, count = re.subn(pattern, replacement, text, count=1, flags=re.DOTALL | re.MULTILINE)
        assert count == 1, f"{pattern} is not in the set file"
    path = folder / "other.toml"
    path.write_text(text)
    return path


def small(folder: Path, rows: int, tiles: list[str], seats: int = 2) -> Path:
    """A set with fewer rows and these tiles; the only bonus cell is 2, where there is one."""
    names = ", ".join(f'"{tile}"' for tile in tiles)
    return edited(
        folder,
        (r"^rows = 6", f"rows = {rows}"),
        (r"^2 = 3.*?34 = 3", "2 = 3" if rows > 1 else ""),
        (r"^seats = 4", f"seats = {seats}"),
        (r"^tiles = \[.*?^\]", f"tiles = [{names}]"),
    )
