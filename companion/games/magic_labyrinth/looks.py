"""Sites of the Magic Labyrinth and what stands on them, from the set file."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from companion.games.looks import Area, Ball, Colour, Look, Mark, Point, Prism, Stroke, regular, rounded
from companion.games.magic_labyrinth import symbols
from companion.games.magic_labyrinth.boardset import MagicLabyrinthSet
from companion.games.magic_labyrinth.grid import Grid
from companion.games.magic_labyrinth.showing import CHIP, NONE, WALL
from companion.games.sites import EMPTY, SiteSpec

INK: Colour = (45, 38, 32)
"""Symbols and arrows are printed dark."""


def place_of(board_set: MagicLabyrinthSet, grid: Grid, field: int) -> Point:
    """The middle of a field in the board frame."""
    row, column = divmod(field, grid.columns)
    pitch = board_set.grid.pitch
    return (column - (grid.columns - 1) / 2) * pitch, (row - (grid.rows - 1) / 2) * pitch


def sites(board_set: MagicLabyrinthSet, grid: Grid) -> tuple[SiteSpec, ...]:
    """Slots, fields, the chip (its label says where it lies, in the board frame) and the tray."""
    wall, tray = board_set.wall, board_set.tray
    figures = (EMPTY, *tuple(board_set.figure.colours)[: board_set.seats])
    size = board_set.grid.field_size
    cells = [(name, place_of(board_set, grid, field)) for field, name in enumerate(grid.cells)]
    pulled = (EMPTY, *wall.colours)
    places = list(_tray_places(board_set))
    reach = 2 * max(hypot(x, y) for _, (x, y) in cells) + size
    return (
        *_slot_sites(board_set, grid),
        *(SiteSpec(f"cell:{name}", "cell", (x, y, 0.0), 0.0, figures, size) for name, (x, y) in cells),
        SiteSpec(CHIP, CHIP, (0.0, 0.0, 0.0), 0.0, (NONE, *grid.cells), reach, under="cell"),
        *(
            SiteSpec(f"tray:{k}", "tray", (x, y, tray.z), 0.0, pulled, wall.length)
            for k, (x, y) in enumerate(places[: wall.count])
        ),
    )


def _slot_sites(board_set: MagicLabyrinthSet, grid: Grid) -> Iterator[SiteSpec]:
    for name, (low, high) in zip(grid.slots, grid.ends, strict=True):
        (x0, y0), (x1, y1) = place_of(board_set, grid, low), place_of(board_set, grid, high)
        centre = ((x0 + x1) / 2, (y0 + y1) / 2, 0.0)
        across = 0.0 if y0 == y1 else 90.0  # walls stand across the way from field to field
        yield SiteSpec(f"slot:{name}", "slot", centre, across, (EMPTY, WALL), board_set.wall.length)


def _tray_places(board_set: MagicLabyrinthSet) -> Iterator[Point]:
    """From the upper left, row by row."""
    tray = board_set.tray
    for row in range(tray.rows):
        for column in range(tray.columns):
            x = tray.centre[0] + (column - (tray.columns - 1) / 2) * tray.pitch[0]
            yield x, tray.centre[1] + ((tray.rows - 1) / 2 - row) * tray.pitch[1]


def look(board_set: MagicLabyrinthSet, grid: Grid, kind: str, label: str) -> Look:
    """A wall in its slot or upside down on the tray, a figure, or the chip on the field that its label names.

    Behind the field the chip's label may name its symbol (`b2 star`); without, it is the one printed on that field.
    """
    if label in (EMPTY, NONE):
        return ()
    wall = board_set.wall
    if kind == "slot":
        return (Prism(_plate((0.0, 0.0), wall.width, wall.length), 0.0, wall.above_board, wall.top_colour),)
    if kind == "tray":
        outline = _plate((0.0, 0.0), wall.length, wall.width)
        return (Prism(outline, 0.0, wall.height, wall.top_colour, (Area(outline, wall.colours[label]),)),)
    return _chip(board_set, grid, label) if kind == CHIP else _figure(board_set, board_set.figure.colours[label])


def _plate(centre: Point, across: float, along: float) -> tuple[Point, ...]:
    (x, y), dx, dy = centre, across / 2, along / 2
    return ((x - dx, y + dy), (x + dx, y + dy), (x + dx, y - dy), (x - dx, y - dy))


def _chip(board_set: MagicLabyrinthSet, grid: Grid, label: str) -> Look:
    field, _, symbol = label.partition(" ")
    chip, centre = board_set.chip, place_of(board_set, grid, grid.cell[field])
    printed = {cell: name for name, cell in board_set.symbol_fields.items()}
    symbol = symbol or printed.get(field, "")
    marks = symbols.marks(symbol, centre, 0.85 * chip.diameter, INK, chip.colour) if symbol else ()
    return (Prism(regular(32, chip.diameter / 2, centre=centre), 0.0, chip.thickness, chip.colour, marks),)


def _figure(board_set: MagicLabyrinthSet, colour: Colour) -> Look:
    """A sorcerer: a broad foot, a cloak that narrows, a round head."""
    size, height = board_set.figure.diameter, board_set.figure.height
    head = 0.6 * size
    rings = ((1.0, 0.0, 0.1), (0.8, 0.1, 0.25), (0.65, 0.25, 0.45), (0.5, 0.45, 0.75))
    body = (Prism(regular(20, width * size / 2), low * height, high * height, colour) for width, low, high in rings)
    return (*body, Ball((0.0, 0.0), height - head / 2, head, colour))


def board(board_set: MagicLabyrinthSet, grid: Grid) -> Look:
    """The plate with its fields, symbols, arrows and empty slots."""
    plate = board_set.board
    outline = _plate((0.0, 0.0), plate.side, plate.side)
    if plate.corner_radius:
        outline = rounded(outline, plate.corner_radius)
    marks = (*_fields(board_set, grid), *_arrows(board_set, grid), *_slots(board_set, grid))
    return (Prism(outline, -plate.thickness, 0.0, plate.colour, marks),)


def _fields(board_set: MagicLabyrinthSet, grid: Grid) -> Iterator[Mark]:
    fields = board_set.grid
    for field in range(len(grid.cells)):
        yield Area(_plate(place_of(board_set, grid, field), fields.field_size, fields.field_size), fields.field_colour)
    for symbol, cell in board_set.symbol_fields.items():
        centre = place_of(board_set, grid, grid.cell[cell])
        yield from symbols.marks(symbol, centre, board_set.symbol_size, INK, fields.field_colour)


def _arrows(board_set: MagicLabyrinthSet, grid: Grid) -> Iterator[Mark]:
    """A small arrow near the edge of each field towards the next one; none where that is not beside it."""
    ring = [grid.cell[cell] for cell in board_set.grid.arrows]
    size = board_set.grid.field_size
    for field, following in zip(ring, [*ring[1:], ring[0]], strict=True):
        if grid.way(field, following) is None:
            continue
        (x, y), (nx, ny) = place_of(board_set, grid, field), place_of(board_set, grid, following)
        ux, uy = (nx - x) / board_set.grid.pitch, (ny - y) / board_set.grid.pitch
        tip = (x + ux * 0.46 * size, y + uy * 0.46 * size)
        neck = (x + ux * 0.42 * size, y + uy * 0.42 * size)
        yield Stroke(((x + ux * 0.37 * size, y + uy * 0.37 * size), neck), 0.02 * size, INK)
        aside = 0.025 * size
        yield Area(
            (tip, (neck[0] - uy * aside, neck[1] + ux * aside), (neck[0] + uy * aside, neck[1] - ux * aside)), INK
        )


def _slots(board_set: MagicLabyrinthSet, grid: Grid) -> Iterator[Mark]:
    wall = board_set.wall
    for spec in _slot_sites(board_set, grid):
        across, along = (wall.width, wall.length) if spec.angle == 0.0 else (wall.length, wall.width)
        yield Area(_plate(spec.centre[:2], across, along), wall.slot_colour)
