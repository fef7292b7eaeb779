"""The set file of the Magic Labyrinth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from msgspec import Meta

from companion.games.magic_labyrinth.grid import Grid
from companion.games.sets import Colour, GameSet, Length, Part, Place

TARGETS: Mapping[int, int] = {2: 5, 3: 4, 4: 3}
"""MAG-END-1: symbols that win, by number of players."""

SEATS: Mapping[int, tuple[int, ...]] = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
"""MAG-SETUP-1: the corners that so many players take."""

Size = Annotated[int, Meta(ge=1, le=26)]
DIAMETER = "diameter"


class Fields(Part, frozen=True):
    """The fields, the start corners clockwise by seat, and the way of the small arrows from field to field."""

    columns: Size
    rows: Size
    pitch: Length
    corners: tuple[str, ...]
    field_size: Length
    field_colour: Colour
    arrows: tuple[str, ...]


class Chip(Part, frozen=True):
    """The round markers with a symbol."""

    diameter: Length
    thickness: Length
    colour: Colour


class Wall(Part, frozen=True):
    """The walls: as many of each colour, which is on the underside, and the slots that they stand in."""

    count: Annotated[int, Meta(ge=1, le=2000)]
    length: Length
    width: Length
    above_board: Length
    height: Length
    top_colour: Colour
    slot_colour: Colour
    colours: dict[str, Colour]


class Tray(Part, frozen=True):
    """Where pulled walls stand upside down, row by row from the upper left."""

    columns: Size
    rows: Annotated[int, Meta(ge=1, le=2000)]
    pitch: Place
    centre: Place
    z: float


class Figure(Part, frozen=True):
    """The figures, one a seat."""

    diameter: Length
    height: Length
    colours: dict[str, Colour]


class MagicLabyrinthSet(GameSet, frozen=True):
    """A set of the Magic Labyrinth."""

    seats: Literal[4]
    grid: Fields
    symbols: dict[str, str | float]
    chip: Chip
    wall: Wall
    tray: Tray
    figure: Figure

    @property
    def symbol_fields(self) -> dict[str, str]:
        """The field of each symbol."""
        return {name: field for name, field in self.symbols.items() if isinstance(field, str)}

    @property
    def symbol_size(self) -> float:
        """How large the symbols are printed, mm."""
        size = self.symbols[DIAMETER]
        assert isinstance(size, float | int)
        return float(size)

    def _problems(self) -> Iterator[str]:
        if self.board.shape != "square":
            yield f'board.shape is "{self.board.shape}"; it has to be "square"'
        grid = Grid(self.grid.columns, self.grid.rows)
        yield from self._field_problems(grid)
        yield from self._symbol_problems(grid)
        yield from self._wall_problems(grid)
        if len(self.figure.colours) < self.seats:
            yield f"figure.colours needs one entry a seat ({self.seats})"
        for place, names in (("figure.colours", self.figure.colours), ("wall.colours", self.wall.colours)):
            yield from (f"{place}: {name!r} has to be one word" for name in names if name.split() != [name])
        if len(self.marker.ids) != len(self.marker.centres):
            yield "marker.ids and marker.centres need one entry a card"

    def _field_problems(self, grid: Grid) -> Iterator[str]:
        known = f"only {grid.cells[0]} to {grid.cells[-1]}"
        for place, names in (("corners", self.grid.corners), ("arrows", self.grid.arrows)):
            yield from (f"grid.{place}: there is no field {name}, {known}" for name in names if name not in grid.cell)
        if len(grid.cells) <= self.seats:
            yield f"grid has {len(grid.cells)} fields; there have to be more than figures ({self.seats})"
        if len(set(self.grid.corners)) != self.seats or len(self.grid.corners) != self.seats:
            yield f"grid.corners needs {self.seats} different fields, one a seat"
        if len(self.grid.arrows) != len(grid.cells) or set(self.grid.arrows) != set(grid.cells):
            yield "grid.arrows needs every field once: the arrows lead round all of them"

    def _symbol_problems(self, grid: Grid) -> Iterator[str]:
        size, symbols = self.symbols.get(DIAMETER), self.symbol_fields
        if not isinstance(size, float | int) or size <= 0:
            yield f"symbols.{DIAMETER} has to be a length in mm"
        for name, field in self.symbols.items():
            if name != DIAMETER and field not in grid.cell:
                yield f"symbols.{name} is {field!r}; it has to be a field, {grid.cells[0]} to {grid.cells[-1]}"
            if name.split() != [name]:
                yield f"symbols: {name!r} has to be one word"
        if len(set(symbols.values())) < len(symbols):
            yield "symbols: each one needs a field of its own"
        needed = max(players * (target - 1) + 1 for players, target in TARGETS.items())
        if len(symbols) < needed:
            yield f"symbols has {len(symbols)}; a game can take {needed}"

    def _wall_problems(self, grid: Grid) -> Iterator[str]:
        wall, tray = self.wall, self.tray
        if wall.count != len(grid.slots):
            yield f"wall.count is {wall.count}; it has to be one a slot ({len(grid.slots)})"
        if not wall.colours or wall.count % len(wall.colours):
            yield f"wall.colours has {len(wall.colours)} entries; there have to be as many walls of each colour"
        if tray.columns * tray.rows < wall.count:
            yield f"tray has {tray.columns * tray.rows} places; there may be {wall.count} walls"
