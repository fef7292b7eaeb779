"""Set files of VIA that differ from the usual one."""

from __future__ import annotations

import re
from pathlib import Path

from tests.games.via_naive import SET


def edited(folder: Path, *edits: tuple[str, str]) -> Path:
    """A copy of the set file in `folder` with each pattern replaced; every pattern has to be there."""
    text = SET.read_text()
    for pattern, replacement in edits:
        text, count = re.subn(pattern, replacement, text, count=1, flags=re.DOTALL | re.MULTILINE)
        assert count == 1, f"{pattern} is not in the set file"
    path = folder / "other.toml"
    path.write_text(text)
    return path


def small(folder: Path, columns: int, rows: int, counts: dict[str, int], seats: int = 2) -> Path:
    """A set with other fields and so many tiles of each kind; none of those not named."""
    kinds = ["ST", "S2", "S3", "S4", "C2", "C3", "C4", "W"]
    return edited(
        folder,
        (r"^columns = 7", f"columns = {columns}"),
        (r"^rows = 7", f"rows = {rows}"),
        (r"^seats = 4", f"seats = {seats}"),
        *((rf'^(code = "{code}".*?)^count = \d', rf"\g<1>count = {counts.get(code, 0)}") for code in kinds),
    )
