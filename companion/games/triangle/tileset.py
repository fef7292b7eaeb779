"""The set file of Triangle, and what follows from it: cells, neighbours, tiles, and which tile fits where."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import product
from math import sqrt
from operator import mul
from typing import Annotated, ClassVar, Literal, NamedTuple

from msgspec import Meta

from companion.games.sets import Colour, GameSet, Length, Part, Place

JOKER = "W"
"""The colour that meets every colour."""


class Grid(Part, frozen=True):
    """The fields: rows of triangles, the apex first."""

    rows: Annotated[int, Meta(ge=1)]
    cell_edge: Length
    empty_mark: Colour
    bonus_digit_colour: Colour
    bonus: dict[str, Annotated[int, Meta(ge=1)]]


class Tile(Part, frozen=True):
    """The tiles: their size, looks and names."""

    edge: Length
    thickness: Length
    disc_diameter: Length
    disc_colour: Colour
    digit_colour: Colour
    tiles: tuple[Annotated[str, Meta(pattern="^[A-Z]{3}[0-9]+$")], ...]
    colours: dict[Annotated[str, Meta(pattern="^[A-Z]$")], Colour]


class Rack(Part, frozen=True):
    """Where the open hands lie, 2 by 2 to a seat."""

    slots: Literal[4]
    pitch: Length
    centres: tuple[Place, ...]
    z: float


class Track(Part, frozen=True):
    """The peg track around the fields."""

    holes: Annotated[int, Meta(ge=1)]
    side: Length
    hole_diameter: Length
    hole_colour: Colour


class Counter(Part, frozen=True):
    """The score counters, by player."""

    diameter: Length
    height: Length
    colours: dict[str, Colour]


class TriangleSet(GameSet, frozen=True):
    """A set of Triangle."""

    seats: Literal[2, 3, 4]
    grid: Grid
    tile: Tile
    rack: Rack
    track: Track
    counter: Counter

    tile_turn: ClassVar[float] = 120.0

    @property
    def tile_names(self) -> tuple[str, ...]:
        """All tiles."""
        return self.tile.tiles

    def _problems(self) -> list[str]:
        tiles, cells = self.tile.tiles, self.grid.rows**2
        unknown = sorted({colour for name in tiles for colour in name[:3]} - set(self.tile.colours))
        wrong_cells = sorted(set(self.grid.bonus) - {str(cell) for cell in range(cells)})
        return [
            *(f"tile.colours has no colour {colour}, which a tile shows" for colour in unknown),
            *(f"tile.tiles names {name} twice" for name in sorted(set(tiles)) if tiles.count(name) > 1),
            *(f"grid.bonus: there is no cell {cell}, only 0 to {cells - 1}" for cell in wrong_cells),
            *self._counts(),
        ]

    def _counts(self) -> Iterator[str]:
        values = [int(name[3:]) for name in self.tile.tiles]
        if sum(value < max(values) for value in values) < self.seats - 1:
            yield f"tile.tiles needs {self.seats - 1} tiles below the highest value, or every first draw can be a tie"
        if len(self.rack.centres) < self.seats or len(self.counter.colours) < self.seats:
            yield f"rack.centres and counter.colours need one entry a seat ({self.seats})"
        if len(self.marker.ids) != len(self.marker.centres):
            yield "marker.ids and marker.centres need one entry a card"
        if self.board.shape != "triangle":
            yield f'board.shape is "{self.board.shape}"; it has to be "triangle"'


class Cell(NamedTuple):
    """A field. Its three sides are numbered left, right, bottom where it points up and right, left, top where it
    points down, so that sides that meet have the same number.
    """

    row: int
    points_up: bool
    x: float
    y: float
    neighbours: tuple[tuple[int, int], ...]  # (side, cell)


def cells_of(grid: Grid) -> tuple[Cell, ...]:
    """All cells in order; x, y are their centroids in the board frame."""
    half, height = grid.cell_edge / 2, grid.cell_edge * sqrt(3) / 2
    apex = 2 / 3 * grid.rows * height
    cells = []
    for cell in range(grid.rows**2):
        row = int(sqrt(cell))
        column = cell - row * row
        up = column % 2 == 0
        y = apex - row * height - (2 / 3 if up else 1 / 3) * height
        cells.append(Cell(row, up, (column - row) * half, y, _neighbours(row, column, grid.rows)))
    return tuple(cells)


def _neighbours(row: int, column: int, rows: int) -> tuple[tuple[int, int], ...]:
    cell, up = row * row + column, column % 2 == 0
    sides = []
    if column > 0:
        sides.append((0 if up else 1, cell - 1))
    if column < 2 * row:
        sides.append((1 if up else 0, cell + 1))
    if up and row + 1 < rows:
        sides.append((2, (row + 1) ** 2 + column + 1))
    if not up:
        sides.append((2, (row - 1) ** 2 + column - 1))
    return tuple(sorted(sides))


def edges(tile: str, rotation: int) -> str:
    """The colours of a tile's sides 0, 1, 2 when it lies turned by `rotation` times 120 degrees clockwise."""
    colours = tile[:3]
    return colours[-rotation:] + colours[:-rotation] if rotation else colours


class Fits:
    """Which tiles fit a cell, by what its neighbours show there.

    What a cell needs is a number: the sum over its sides of the neighbour's colour (0 for none or the joker) times a
    power of the number of colours, so that `Position` can keep and update it cheaply.
    """

    def __init__(self, tiles: tuple[str, ...]) -> None:
        colours = sorted({c for tile in tiles for c in tile[:3]} - {JOKER})
        self.code = {JOKER: 0, **{colour: k for k, colour in enumerate(colours, start=1)}}
        self.weights = tuple((len(colours) + 1) ** side for side in range(3))
        self.tiles = tiles
        self.rotations = tuple(self._distinct_rotations(tile) for tile in tiles)

    @staticmethod
    def _distinct_rotations(tile: str) -> tuple[int, ...]:
        shown = [edges(tile, k) for k in range(3)]
        return tuple(k for k in range(3) if shown.index(shown[k]) == k)

    @cached_property
    def by_need(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """For each need and each tile (by index): the rotations that fit."""
        fitting: list[list[list[int]]] = [[[] for _ in self.tiles] for _ in range(self.weights[1] ** 3)]
        for number, tile in enumerate(self.tiles):
            for rotation in self.rotations[number]:
                for need in self._met(edges(tile, rotation)):
                    fitting[need][number].append(rotation)
        return tuple(tuple(tuple(rotations) for rotations in row) for row in fitting)

    def _met(self, shown: str) -> Iterator[int]:
        """The needs that a tile with those colours on its sides meets."""
        every = range(self.weights[1])
        options = [every if colour == JOKER else (0, self.code[colour]) for colour in shown]
        return (sum(map(mul, needs, self.weights)) for needs in product(*options))

    @cached_property
    def mask_by_need(self) -> tuple[int, ...]:
        """For each need: the tiles that fit in some rotation, as a bit mask by index."""
        return tuple(sum(1 << tile for tile, fits in enumerate(row) if fits) for row in self.by_need)
