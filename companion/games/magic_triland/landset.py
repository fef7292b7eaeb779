"""The set file of Magic Triland, and what follows from it: cells, their neighbours, and the shores."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from companion.games.magic_triland.items import KINDS
from companion.games.sets import Colour, GameSet, Length, Part

Home = Literal["blue", "yellow", "red"]
HOMES: tuple[Home, ...] = ("blue", "yellow", "red")
"""In the order of play."""
BROADSIDES: tuple[Literal["green", "orange", "purple"], ...] = ("green", "orange", "purple")
SHADES = ("light", "dark")

Count = Annotated[int, Meta(ge=1, le=60)]


class Grid(Part, frozen=True):
    """The fields: rows of hexagons, the apex first."""

    rows: Annotated[int, Meta(ge=2, le=26)]
    pitch: Length
    groove_colour: Colour


class Homes(Part, frozen=True):
    """The cell before each home, and the printed discs."""

    blue: str
    yellow: str
    red: str
    distance: Length
    diameter: Length


class Broadsides(Part, frozen=True):
    """The homes at both ends of each broadside, and the printed strips."""

    green: tuple[Home, Home]
    orange: tuple[Home, Home]
    purple: tuple[Home, Home]
    width: Length
    offset: Length


class Blocks(Part, frozen=True):
    """The blocks: a block of height h is h * `step` high; odd ones are dark."""

    across: Length
    step: Length
    count_per_height: Annotated[int, Meta(ge=3)]
    dark: Colour
    light: Colour
    heights: Annotated[int, Meta(ge=1, le=20)] = 6


class Piece(Part, frozen=True):
    """The messengers: a foot with a stick, and how much may be put on it in a new division."""

    base_diameter: Length
    base_height: Length
    stick_diameter: Length
    stick_height: Length
    light: Colour
    dark: Colour
    max_rings: Count
    max_pearls: Count


class Ring(Part, frozen=True):
    """The rings, as many of each colour."""

    outer_diameter: Length
    thickness: Length
    count: Annotated[int, Meta(ge=8, le=60)] = 8


class Pearl(Part, frozen=True):
    """The pearls, as many of each colour."""

    diameter: Length
    count: Annotated[int, Meta(ge=0, le=60)] = 4


class CardSet(Part, frozen=True):
    """The energy cards of each player."""

    values: tuple[Annotated[int, Meta(ge=0, le=6)], ...]
    per_value_per_player: Count


class TrilandSet(GameSet, frozen=True):
    """A set of Magic Triland."""

    seats: Literal[3]
    grid: Grid
    homes: Homes
    broadsides: Broadsides
    block: Blocks
    piece: Piece
    ring: Ring
    pearl: Pearl
    colours: dict[str, Colour]
    cards: CardSet

    @property
    def home_cells(self) -> tuple[str, ...]:
        """The cells before the homes, in the order of `HOMES`."""
        return tuple(getattr(self.homes, home) for home in HOMES)

    @property
    def shores(self) -> tuple[tuple[Home, Home], ...]:
        """The homes at the ends of each broadside, in the order of `BROADSIDES`."""
        return tuple(getattr(self.broadsides, name) for name in BROADSIDES)

    def _problems(self) -> Iterator[str]:
        rows, cells = self.grid.rows, self.grid.rows * (self.grid.rows + 1) // 2
        corners = sorted((cell_name(0, 0), cell_name(rows - 1, 0), cell_name(rows - 1, rows - 1)))
        if sorted(self.home_cells) != corners:
            yield f"homes has to name the corner cells {', '.join(corners)}, one each"
        if len({frozenset(ends) for ends in self.shores if ends[0] != ends[1]}) != len(BROADSIDES):
            yield "broadsides has to name each pair of homes once"
        blocks = min(self.block.heights * (self.block.count_per_height // n * n) for n in (2, 3))
        if blocks < cells:
            yield f"block.count_per_height gives the players {blocks} blocks, too few for {cells} cells"
        yield from self._small_problems()

    def _small_problems(self) -> Iterator[str]:
        values = self.cards.values
        if list(values) != sorted(set(values)) or len(values) * self.cards.per_value_per_player % 2 or not values:
            yield "cards.values has to be ascending, and an even number of cards for each player"
        missing = [name for name in KINDS if name not in self.colours]
        if missing:
            yield f"colours has no {', '.join(missing)}"
        if len(self.marker.ids) != len(self.marker.centres):
            yield "marker.ids and marker.centres need one entry a card"
        if self.board.shape != "triangle":
            yield f'board.shape is "{self.board.shape}"; it has to be "triangle"'


def cell_name(row: int, column: int) -> str:
    """The name of a cell: row letter from the apex, number from the left."""
    return f"{chr(ord('A') + row)}{column + 1}"


class Cell(NamedTuple):
    """A field: its name, the centre (mm in the board frame) and the cells that touch it, by number."""

    name: str
    x: float
    y: float
    neighbours: tuple[int, ...]


def cells_of(grid: Grid) -> tuple[Cell, ...]:
    """All cells in order, row after row from the apex."""
    down = grid.pitch * sqrt(3) / 2
    apex = 2 / 3 * (grid.rows - 1) * down  # the origin is the centroid of all centres
    return tuple(
        Cell(
            cell_name(row, column),
            (column - row / 2) * grid.pitch,
            apex - row * down,
            tuple(_neighbours(row, column, grid.rows)),
        )
        for row in range(grid.rows)
        for column in range(row + 1)
    )


def _neighbours(row: int, column: int, rows: int) -> Iterator[int]:
    around = ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, 0), (1, 1))
    for r, c in ((row + dr, column + dc) for dr, dc in around):
        if 0 <= r < rows and 0 <= c <= r:
            yield r * (r + 1) // 2 + c


def shore_cells(triland_set: TrilandSet, cells: tuple[Cell, ...]) -> tuple[tuple[int, ...], ...]:
    """The cells that each broadside touches: those of its side between the two corner cells."""
    rows = triland_set.grid.rows
    number = {cell.name: k for k, cell in enumerate(cells)}
    left, right = cell_name(rows - 1, 0), cell_name(rows - 1, rows - 1)
    sides = {
        frozenset(("A1", left)): [cell_name(k, 0) for k in range(1, rows - 1)],
        frozenset(("A1", right)): [cell_name(k, k) for k in range(1, rows - 1)],
        frozenset((left, right)): [cell_name(rows - 1, k) for k in range(1, rows - 1)],
    }
    before = dict(zip(HOMES, triland_set.home_cells, strict=True))
    return tuple(
        tuple(number[name] for name in sides[frozenset(before[home] for home in ends)]) for ends in triland_set.shores
    )
