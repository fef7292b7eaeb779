"""Sites of Magic Triland and what stands on them, from the set file."""

from __future__ import annotations

from math import hypot, sqrt

from companion.games.looks import Area, Ball, Disc, Look, Mark, Point, Prism, Solid, Stroke, regular, rounded
from companion.games.magic_triland.items import KINDS, LETTERS, RINGS
from companion.games.magic_triland.landset import BROADSIDES, HOMES, SHADES, Cell, TrilandSet
from companion.games.sites import EMPTY, SiteSpec

OFF = "off"
"""The label of a messenger that is not in the picture."""


def sites(triland_set: TrilandSet, cells: tuple[Cell, ...], messengers: tuple[str, ...]) -> tuple[SiteSpec, ...]:
    """Cells, and messengers: a messenger's label says where it stands, in the board frame."""
    heights = (EMPTY, *map(str, range(1, triland_set.block.heights + 1)))
    size = 2 * triland_set.block.across / sqrt(3)
    names, shores = tuple(cell.name for cell in cells), tuple(f"~{name}" for name in BROADSIDES)
    return (
        *(SiteSpec(f"cell:{cell.name}", "cell", (cell.x, cell.y, 0.0), 0.0, heights, size) for cell in cells),
        *(
            SiteSpec(
                f"piece:{name}",
                f"piece:{name}",
                (0.0, 0.0, 0.0),
                0.0,
                (OFF, *names, f"@{name.partition('-')[2]}", *shores),
                triland_set.board.side * 2 / sqrt(3),
                upon="cell",
            )
            for name in messengers
        ),
    )


def look(triland_set: TrilandSet, cells: tuple[Cell, ...], kind: str, label: str) -> Look:
    """A block in its cell's frame, or a messenger where its label says.

    On a cell a messenger stands upon the block there; z = 0 is then the block's top. Behind its place a label may name
    what it carries, from below: `C2 RRB`.
    """
    if kind == "cell":
        return () if label == EMPTY else (_block(triland_set, int(label)),)
    place, _, carried = label.partition(" ")
    if place in (OFF, EMPTY):
        return ()
    shade, home = kind.partition(":")[2].split("-")
    return _messenger(triland_set, shade, home, _spot(triland_set, cells, shade, home, place), carried)


def _block(triland_set: TrilandSet, height: int) -> Prism:
    block = triland_set.block
    colour = block.dark if height % 2 else block.light
    return Prism(regular(6, block.across / sqrt(3)), 0.0, height * block.step, colour)


def _messenger(triland_set: TrilandSet, shade: str, home: str, at: Point, carried: str) -> Look:
    piece, colours = triland_set.piece, triland_set.colours
    wood = piece.light if shade == "light" else piece.dark
    solids: list[Solid] = [
        Prism(regular(24, piece.base_diameter / 2, centre=at), 0.0, piece.base_height, wood),
        Prism(regular(12, piece.stick_diameter / 2, centre=at), piece.base_height, piece.stick_height, colours[home]),
    ]
    z = piece.base_height
    for letter in carried:
        kind = LETTERS.index(letter)
        if kind < RINGS:
            radius, thickness = triland_set.ring.outer_diameter / 2, triland_set.ring.thickness
            solids.append(Prism(regular(24, radius, centre=at), z, z + thickness, colours[KINDS[kind]]))
            z += thickness
        else:
            diameter = triland_set.pearl.diameter
            solids.append(Ball(at, z + diameter / 2, diameter, colours[KINDS[kind]]))
            z += diameter
    return tuple(solids)


def _spot(triland_set: TrilandSet, cells: tuple[Cell, ...], shade: str, home: str, place: str) -> Point:
    """Where a messenger stands: in the middle of a cell, beside the other one at home, or in a row on a broadside."""
    number = 2 * HOMES.index(home) + SHADES.index(shade)
    if place[0] == "@":
        (x, y), (ux, uy) = home_centre(triland_set, cells, place[1:])
        aside = (2 * (number % 2) - 1) * (triland_set.piece.base_diameter / 2 + 0.5)
        return x - uy * aside, y + ux * aside
    if place[0] == "~":
        start, end = strip(triland_set, cells, place[1:])
        t = (number + 0.5) / (len(HOMES) * len(SHADES))
        return start[0] + (end[0] - start[0]) * t, start[1] + (end[1] - start[1]) * t
    cell = next(cell for cell in cells if cell.name == place)
    return cell.x, cell.y


def home_centre(triland_set: TrilandSet, cells: tuple[Cell, ...], home: str) -> tuple[Point, Point]:
    """The centre of a home's disc, and the direction outwards."""
    corner = next(cell for cell in cells if cell.name == getattr(triland_set.homes, home))
    ux, uy = _unit((corner.x, corner.y))
    distance = triland_set.homes.distance
    return (corner.x + ux * distance, corner.y + uy * distance), (ux, uy)


def strip(triland_set: TrilandSet, cells: tuple[Cell, ...], shore: str) -> tuple[Point, Point]:
    """Both ends of a broadside's centre line: it reaches along the cells that it touches."""
    names = [getattr(triland_set.homes, home) for home in getattr(triland_set.broadsides, shore)]
    a, b = ((cell.x, cell.y) for name in names for cell in cells if cell.name == name)
    ux, uy = _unit(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2))
    along, offset = _unit((b[0] - a[0], b[1] - a[1])), triland_set.broadsides.offset
    inset = triland_set.grid.pitch / 2
    start = a[0] + ux * offset + along[0] * inset, a[1] + uy * offset + along[1] * inset
    end = b[0] + ux * offset - along[0] * inset, b[1] + uy * offset - along[1] * inset
    return start, end


def _unit(vector: Point) -> Point:
    length = hypot(*vector) or 1.0
    return vector[0] / length, vector[1] / length


def board(triland_set: TrilandSet, cells: tuple[Cell, ...]) -> Look:
    """The plate with hexagons, homes and broadsides."""
    plate, grid = triland_set.board, triland_set.grid
    outline = rounded(regular(3, plate.side / sqrt(3)), plate.corner_radius)
    marks: list[Mark] = []
    for cell in cells:
        corners = regular(6, grid.pitch / sqrt(3), centre=(cell.x, cell.y))
        marks.append(Stroke((*corners, corners[0]), 0.8, grid.groove_colour))
    for home in HOMES:
        centre, _ = home_centre(triland_set, cells, home)
        marks.append(Disc(centre, triland_set.homes.diameter, triland_set.colours[home]))
    marks.extend(_painted(triland_set, cells, shore) for shore in BROADSIDES)
    return (Prism(outline, -plate.thickness, 0.0, plate.colour, tuple(marks)),)


def _painted(triland_set: TrilandSet, cells: tuple[Cell, ...], shore: str) -> Area:
    start, end = strip(triland_set, cells, shore)
    ux, uy = _unit((end[0] - start[0], end[1] - start[1]))
    half = triland_set.broadsides.width / 2
    across = (-uy * half, ux * half)
    corners = ((start, 1), (end, 1), (end, -1), (start, -1))
    return Area(tuple((x + across[0] * s, y + across[1] * s) for (x, y), s in corners), triland_set.colours[shore])
