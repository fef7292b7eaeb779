"""Sites of Labyria and what lies on them, from the set file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import copysign, hypot, pi, sin

from companion.games.labyria.boardset import LabyriaSet
from companion.games.labyria.grid import ARMS, Grid
from companion.games.labyria.showing import counts_of, label_of
from companion.games.looks import Ball, Look, Mark, Point, Prism, Ring, Solid, Stroke, regular, rounded
from companion.games.sites import EMPTY, SiteSpec


def place_of(labyria: LabyriaSet, grid: Grid, cell: int) -> Point:
    """The middle of a field in the board frame."""
    row, column = divmod(cell, grid.columns)
    return (column - (grid.columns - 1) / 2) * labyria.grid.pitch, (row - (grid.rows - 1) / 2) * labyria.grid.pitch


def sites(labyria: LabyriaSet, grid: Grid) -> tuple[SiteSpec, ...]:
    """Fields, edges, crossings, the depot."""
    return (
        *_cell_sites(labyria, grid),
        *_edge_sites(labyria, grid),
        *_crossing_sites(labyria, grid),
        _depot_site(labyria),
    )


def _cell_sites(labyria: LabyriaSet, grid: Grid) -> list[SiteSpec]:
    corners, colours = labyria.grid.corners, tuple(labyria.figure.colours)[: labyria.seats]
    specs = []
    for cell, name in enumerate(grid.cells):
        labels = corner_labels(labyria, corners.index(name)) if name in corners else (EMPTY, *colours)
        x, y = place_of(labyria, grid, cell)
        specs.append(SiteSpec(f"cell:{name}", "cell", (x, y, 0.0), 0.0, labels, labyria.grid.pitch))
    return specs


def corner_labels(labyria: LabyriaSet, seat: int) -> tuple[str, ...]:
    """What can stand on a start corner: figures at home and figures in their goal, which come from the corner across;
    where nobody sits, a single figure of somebody else instead of those at home.
    """
    colours, most = tuple(labyria.figure.colours), labyria.figure.count // labyria.seats
    across = (seat + 2) % 4
    others = [{other: 1} for other in range(4) if other not in (seat, across)]
    mine = [*({seat: count} if count else {} for count in range(most + 1)), *others]
    counts = product(mine, range(most + 1))
    labels = (label_of(colours, {**some, across: goal} if goal else some) for some, goal in counts)
    return tuple(dict.fromkeys(labels))


def _edge_sites(labyria: LabyriaSet, grid: Grid) -> list[SiteSpec]:
    half, specs = labyria.grid.pitch / 2, []
    for name, edge in grid.edge.items():
        x, y = place_of(labyria, grid, edge % grid.count)
        east = edge < grid.count
        centre = (x + half, y, 0.0) if east else (x, y + half, 0.0)
        labels = (EMPTY, "square")
        specs.append(SiteSpec(f"edge:{name}", "edge", centre, 0.0 if east else 90.0, labels, labyria.square.length))
    return specs


def _crossing_sites(labyria: LabyriaSet, grid: Grid) -> list[SiteSpec]:
    half, size = labyria.grid.pitch / 2, 2 * labyria.corner.arm
    places = (place_of(labyria, grid, cell) for cell in grid.lower_left)
    return [
        SiteSpec(f"crossing:{name}", "crossing", (x + half, y + half, 0.0), 0.0, (EMPTY, *ARMS), size)
        for name, (x, y) in zip(grid.crossings, places, strict=True)
    ]


def _depot_site(labyria: LabyriaSet) -> SiteSpec:
    """The depot: it may hold all squares, for more than it has places for may be piled there."""
    x, y = _depot_centre(labyria)
    reach = max((hypot(sx - x, sy - y) for sx, sy in labyria.depot.slots), default=0.0)
    labels = tuple(str(count) for count in range(labyria.square.count + 1))
    return SiteSpec("depot", "depot", (x, y, labyria.depot.z), 0.0, labels, 2 * reach + labyria.square.length)


def _depot_centre(labyria: LabyriaSet) -> Point:
    slots = labyria.depot.slots or ((labyria.board.side / 2 + 2 * labyria.square.height, 0.0),)
    return sum(x for x, _ in slots) / len(slots), sum(y for _, y in slots) / len(slots)


def look(labyria: LabyriaSet, kind: str, label: str) -> Look:
    """Figures on a field, a square on an edge, a corner on a crossing or the squares in the depot."""
    if label == EMPTY:
        return ()
    if kind == "edge":
        square = labyria.square
        return (_plate((0.0, 0.0), square.width, square.length, square.height, square.colour),)
    if kind == "crossing":
        return _corner(labyria, label)
    return _depot(labyria, int(label)) if kind == "depot" else _figures(labyria, label)


def _plate(centre: Point, across: float, along: float, height: float, colour: tuple[int, int, int]) -> Prism:
    (x, y), dx, dy = centre, across / 2, along / 2
    outline = ((x - dx, y + dy), (x + dx, y + dy), (x + dx, y - dy), (x - dx, y - dy))
    return Prism(outline, 0.0, height, colour)


def _corner(labyria: LabyriaSet, arms: str) -> Look:
    """Two plates: the one up or down goes through the joint, the other one starts at its side."""
    corner = labyria.corner
    half, arm = corner.width / 2, corner.arm
    up, right = (1 if "N" in arms else -1), (1 if "E" in arms else -1)
    return (
        _plate((0.0, up * (arm - half) / 2), corner.width, arm + half, corner.height, corner.colour),
        _plate((right * (arm + half) / 2, 0.0), arm - half, corner.width, corner.height, corner.colour),
    )


def _depot(labyria: LabyriaSet, count: int) -> Look:
    """Squares lying flat along y: on their places, then beside these on either side, and then on top."""
    square, (x, y) = labyria.square, _depot_centre(labyria)
    slots = labyria.depot.slots or ((x, y),)
    beside = 1.05 * square.height
    lying = []
    for k in range(count):
        (sx, sy), row = slots[k % len(slots)], k // len(slots)
        place = (sx - x + (0.0, -copysign(beside, x), copysign(beside, x))[row % 3], sy - y)
        plate = _plate(place, square.height, square.length, square.width, square.colour)
        level = row // 3 * square.width
        lying.append(plate._replace(z0=level, z1=level + square.width))
    return tuple(lying)


def _figures(labyria: LabyriaSet, label: str) -> Look:
    """Figures standing beside each other."""
    colours, size = labyria.figure.colours, labyria.figure.diameter
    counts = counts_of(tuple(colours), label)
    standing = [tuple(colours.values())[seat] for seat, count in counts.items() for _ in range(count)]
    if len(standing) == 1:
        return _pawn(labyria, (0.0, 0.0), standing[0])
    radius = 0.52 * size / sin(pi / len(standing))
    places = regular(len(standing), radius, 180 / len(standing))
    return tuple(
        solid for place, colour in zip(places, standing, strict=True) for solid in _pawn(labyria, place, colour)
    )


def _pawn(labyria: LabyriaSet, place: Point, colour: tuple[int, int, int]) -> tuple[Solid, ...]:
    """A turned pawn: foot, a body that narrows, a round head."""
    size, height = labyria.figure.diameter, labyria.figure.height
    head = 0.72 * size
    rings = ((1.0, 0.0, 0.14), (0.78, 0.14, 0.3), (0.6, 0.3, 0.5), (0.46, 0.5, 0.75))
    body = (
        Prism(regular(20, width * size / 2, 0.0, place), low * height, high * height, colour)
        for width, low, high in rings
    )
    return (*body, Ball(place, height - head / 2, head, colour))


def board(labyria: LabyriaSet, grid: Grid) -> Look:
    """The plate with its grooves and the rings on the start corners."""
    plate = labyria.board
    half = plate.side / 2
    outline: tuple[Point, ...] = ((-half, half), (half, half), (half, -half), (-half, -half))
    if plate.corner_radius:
        outline = rounded(outline, plate.corner_radius)
    return (Prism(outline, -plate.thickness, 0.0, plate.colour, (*_grooves(labyria), *_rings(labyria, grid))),)


def _grooves(labyria: LabyriaSet) -> Iterator[Mark]:
    fields = labyria.grid
    x, y = fields.columns / 2 * fields.pitch, fields.rows / 2 * fields.pitch
    for k in range(1, fields.columns):
        yield Stroke(((k * fields.pitch - x, -y), (k * fields.pitch - x, y)), fields.groove_width, fields.groove_colour)
    for k in range(1, fields.rows):
        yield Stroke(((-x, k * fields.pitch - y), (x, k * fields.pitch - y)), fields.groove_width, fields.groove_colour)


def _rings(labyria: LabyriaSet, grid: Grid) -> Iterator[Mark]:
    ring = labyria.corner_field
    for name, colour in zip(labyria.grid.corners, labyria.figure.colours.values(), strict=False):
        yield Ring(place_of(labyria, grid, grid.cell[name]), ring.ring_diameter, ring.ring_width, colour)
