"""The set file of Labyria."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from companion.games.labyria.grid import cell_names
from companion.games.sets import Colour, GameSet, Length, Part, Place

SYMBOLS = ("plus", "minus", "skip", "double", "cloak", "rotate")
"""What the symbol die can show."""

Count = Annotated[int, Meta(ge=0, le=1000)]
Size = Annotated[int, Meta(ge=2, le=26)]


class Fields(Part, frozen=True):
    """The fields, the grooves between them and the start corners, clockwise by seat."""

    columns: Size
    rows: Size
    pitch: Length
    groove_width: Length
    groove_colour: Colour
    corners: tuple[str, ...]


class Plate(Part, frozen=True):
    """The squares: plates that stand in one groove."""

    count: Count
    length: Length
    width: Length
    height: Length
    colour: Colour


class Angle(Part, frozen=True):
    """The corners: two plates joined at a right angle."""

    count: Count
    arm: Length
    width: Length
    height: Length
    colour: Colour


class Depot(Part, frozen=True):
    """Where spare squares lie; as many as there are places lie there at first."""

    slots: tuple[Place, ...]
    z: float


class Figure(Part, frozen=True):
    """The figures, as many for each seat."""

    count: Annotated[int, Meta(ge=4, le=100)]
    diameter: Length
    height: Length
    colours: dict[str, Colour]


class CornerField(Part, frozen=True):
    """The ring printed on each start corner."""

    ring_diameter: Length
    ring_width: Length


class DicePair(Part, frozen=True):
    """The faces of the two dice."""

    numbers: tuple[Annotated[int, Meta(ge=1, le=50)], ...]
    symbols: tuple[Literal["plus", "minus", "skip", "double", "cloak", "rotate"], ...]


class LabyriaSet(GameSet, frozen=True):
    """A set of Labyria."""

    seats: Literal[4]
    grid: Fields
    square: Plate
    corner: Angle
    depot: Depot
    figure: Figure
    corner_field: CornerField
    dice: DicePair

    def _problems(self) -> Iterator[str]:
        if self.board.shape != "square":
            yield f'board.shape is "{self.board.shape}"; it has to be "square"'
        for name, number in (("columns", self.grid.columns), ("rows", self.grid.rows)):
            if number % 2:
                yield f"grid.{name} is {number}; it has to be even, for the first obstacle goes on the middle crossing"
        yield from self._corner_problems()
        if self.figure.count % self.seats:
            yield f"figure.count is {self.figure.count}; it has to be as many for each of the {self.seats} seats"
        if len(self.figure.colours) < self.seats:
            yield f"figure.colours needs one entry a seat ({self.seats})"
        if len(self.depot.slots) > self.square.count:
            yield f"depot.slots has {len(self.depot.slots)} places, but there are only {self.square.count} squares"
        if len(set(self.dice.numbers)) < 2 or not self.dice.symbols:
            yield "dice.numbers needs two different faces and dice.symbols one, or every roll for the start is a tie"
        if len(self.marker.ids) != len(self.marker.centres):
            yield "marker.ids and marker.centres need one entry a card"

    def _corner_problems(self) -> Iterator[str]:
        corners, cells = self.grid.corners, cell_names(self.grid.columns, self.grid.rows)
        for corner in corners:
            if corner not in cells:
                yield f"grid.corners: there is no field {corner}, only {cells[0]} to {cells[-1]}"
        if len(set(corners)) != self.seats or len(corners) != self.seats:
            yield f"grid.corners needs {self.seats} different fields, one a seat"
