"""The set file of a board of one's own: a square plate with a grid, and cards if it has any."""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from pathlib import Path
from string import ascii_lowercase
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta

from companion.games.looks import Look, Prism
from companion.games.sets import Length, Marker, SetError
from companion.games.sites import EMPTY
from companion.vision.geometry.lens import Array

OCCUPIED = "occupied"
LABELS = (EMPTY, OCCUPIED)

SLACK = 1.005
"""Sizes that people measure may be off by so much."""

KNOWN = {"": ("name", "board", "grid", "marker"), "board": ("shape", "side", "thickness")}
KNOWN |= {"grid": ("columns", "rows", "pitch"), "marker": ("ids", "size", "quiet", "centres")}


class Plate(msgspec.Struct, frozen=True):
    """The board: `side` and `thickness` in mm."""

    shape: Literal["square"]
    side: Length
    thickness: Length


class Grid(msgspec.Struct, frozen=True):
    """The fields: `pitch` is mm from centre to centre."""

    columns: Annotated[int, Meta(ge=1, le=len(ascii_lowercase))]
    rows: Annotated[int, Meta(ge=1, le=99)]
    pitch: Length


class BoardSet(msgspec.Struct, frozen=True):
    """A board without rules. What else its file holds does not matter here."""

    name: str
    board: Plate
    grid: Grid
    marker: Marker | None = None

    @classmethod
    def load(cls, path: Path) -> BoardSet:
        """The set file at `path`.

        Raises:
            SetError: it cannot be read, is not TOML, or lacks something; the message says what and where.
        """
        try:
            plain = tomllib.loads(path.read_bytes().decode())
            found = msgspec.convert(plain, cls)
        except OSError as error:
            raise SetError(f"{path}: {error.strerror or error}") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SetError(f"{path}: this is no TOML: {error}") from error
        except msgspec.ValidationError as error:
            hints = ['it has to be "square"'] if "enum" in str(error) else _misspelt(plain)
            raise SetError(f"{path}: {'; '.join([str(error).replace('`$.', '`'), *hints])}") from error
        for problem in (*_misspelt(plain), *found._problems()):
            raise SetError(f"{path}: {problem}")
        return found

    def _problems(self) -> list[str]:
        grid, side = self.grid, self.board.side
        problems = [
            f"grid.{name} times grid.pitch is {count * grid.pitch:g} mm, more than board.side, which is {side:g} mm"
            for name, count in (("columns", grid.columns), ("rows", grid.rows))
            if count * grid.pitch > side * SLACK
        ]
        marker = self.marker
        if marker is not None and len(marker.ids) != len(marker.centres):
            problems.append("marker.ids and marker.centres need one entry a card")
        if marker is not None and (
            len(set(marker.ids)) < max(1, len(marker.ids)) or not all(0 <= k < 50 for k in marker.ids)
        ):
            problems.append("marker.ids have to be different numbers from 0 to 49, at least one")
        return problems

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the sites, row by row: `cell:a1` is the lower left, then comes `cell:b1`."""
        return tuple(
            f"cell:{ascii_lowercase[column]}{row + 1}"
            for row in range(self.grid.rows)
            for column in range(self.grid.columns)
        )

    @property
    def centres(self) -> Array:
        """The fields' centres (n, 3), mm in the board frame, in the order of `fields`."""
        grid = self.grid
        x = (np.arange(grid.columns) - (grid.columns - 1) / 2) * grid.pitch
        y = (np.arange(grid.rows) - (grid.rows - 1) / 2) * grid.pitch
        return np.array([(u, v, 0.0) for v in y for u in x])

    @property
    def corners(self) -> Array:
        """The grid's corners (4, 3) in mm: lower left, upper left, upper right, lower right."""
        x, y = self.grid.columns * self.grid.pitch / 2, self.grid.rows * self.grid.pitch / 2
        return np.array([(-x, -y, 0.0), (-x, y, 0.0), (x, y, 0.0), (x, -y, 0.0)])

    @property
    def look(self) -> Look:
        """The plate, of a colour that nobody knows."""
        half = self.board.side / 2
        outline = ((-half, half), (half, half), (half, -half), (-half, -half))
        return (Prism(outline, -self.board.thickness, 0.0, (128, 128, 128)),)


def _misspelt(plain: dict[str, Any]) -> list[str]:
    """Keys that look like misspelt ones: they would silently mean nothing."""
    problems = []
    for table, known in KNOWN.items():
        content = plain.get(table, {}) if table else plain
        for key in content if isinstance(content, dict) else ():
            close = get_close_matches(key, set(known) - set(content), 1, 0.75) if key not in known else []
            if close:
                place = f"{table}.{key}" if table else key
                problems.append(f"there is no `{place}`; is `{close[0]}` meant?")
    return problems
