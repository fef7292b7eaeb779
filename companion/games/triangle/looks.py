"""Sites of Triangle and what lies on them, from the set file."""

from __future__ import annotations

from math import sqrt

from companion.games.faces import face_of
from companion.games.looks import Area, Disc, Glyph, Look, Mark, Point, Prism, Stroke, regular, rounded
from companion.games.sites import EMPTY, SiteSpec
from companion.games.triangle.tileset import Cell, Fits, TriangleSet

CORNER = 2 / sqrt(3) / 2
"""Distance of a regular triangle's corner from its centre, in edges."""


def sites(tile_set: TriangleSet, cells: tuple[Cell, ...], fits: Fits) -> tuple[SiteSpec, ...]:
    """Cells, racks, holes."""
    lies = tuple(f"{tile}/{k}" for tile, rotations in zip(fits.tiles, fits.rotations, strict=True) for k in rotations)
    size = 2 * CORNER * tile_set.grid.cell_edge
    return (
        *(
            SiteSpec(f"cell:{k}", "cell", (cell.x, cell.y, 0.0), 0.0 if cell.points_up else 180.0, (EMPTY, *lies), size)
            for k, cell in enumerate(cells)
        ),
        *_rack_sites(tile_set),
        *_hole_sites(tile_set),
    )


def _rack_sites(tile_set: TriangleSet) -> list[SiteSpec]:
    rack = tile_set.rack
    labels = (EMPTY, *tile_set.tile.tiles)
    half = rack.pitch / 2
    return [
        SiteSpec(f"rack:{seat}.{slot}", "rack", (x + dx, y + dy, rack.z), 0.0, labels, rack.pitch, loose=True)
        for seat, (x, y) in enumerate(rack.centres[: tile_set.seats])
        for slot, (dx, dy) in enumerate([(-half, half), (half, half), (-half, -half), (half, -half)])
    ]


def _hole_sites(tile_set: TriangleSet) -> list[SiteSpec]:
    track = tile_set.track
    labels = (EMPTY, *tile_set.counter.colours)
    places = [along_track(tile_set, (hole - 0.5) / track.holes) for hole in range(1, track.holes + 1)]
    return [
        SiteSpec(f"hole:{hole}", "hole", (x, y, 0.0), 0.0, labels, 2 * tile_set.counter.diameter, stack=tile_set.seats)
        for hole, (x, y) in enumerate(places, start=1)
    ]


def along_track(tile_set: TriangleSet, part: float) -> Point:
    """The point at that part (0 to 1) of the track's length, clockwise from the apex."""
    corners = regular(3, tile_set.track.side * CORNER)
    side, t = divmod(part * 3, 1)
    (x0, y0), (x1, y1) = corners[int(side) % 3], corners[(int(side) + 1) % 3]
    return x0 + (x1 - x0) * t, y0 + (y1 - y0) * t


def look(tile_set: TriangleSet, kind: str, label: str) -> Look:
    """A tile in its site's frame (pointing up there), or a counter."""
    if label == EMPTY:
        return ()
    if kind == "hole":
        counter = tile_set.counter
        return (Prism(regular(24, counter.diameter / 2), 0.0, counter.height, counter.colours[label]),)
    name, _, rotation = label.partition("/")
    return (_tile(tile_set, name, 120.0 * int(rotation or 0)),)


def _tile(tile_set: TriangleSet, name: str, turn: float) -> Prism:
    tile = tile_set.tile
    corners = regular(3, tile.edge * CORNER, turn)
    # Corner k is followed clockwise by corner k + 1; the canonical order of sides is left, right, bottom, and the left
    # side ends at the upper corner, which is corner 0.
    sides = [(corners[2], corners[0]), (corners[0], corners[1]), (corners[1], corners[2])]
    sectors: list[Mark] = [
        Area((a, b, (0.0, 0.0)), tile.colours[colour]) for colour, (a, b) in zip(name[:3], sides, strict=True)
    ]
    disc = Disc((0.0, 0.0), tile.disc_diameter, tile.disc_colour)
    digit = Glyph((0.0, 0.0), 0.7 * tile.disc_diameter, turn, name[3:], tile.digit_colour)
    marks: tuple[Mark, ...] | None = face_of(tile_set.faces, name, turn, corners)
    marks = marks or (*sectors, disc, digit)
    return Prism(corners, 0.0, tile.thickness, tile.colours.get("W", tile.digit_colour), marks)


def board(tile_set: TriangleSet, cells: tuple[Cell, ...]) -> Look:
    """The plate with its printed fields and holes."""
    plate, grid, track = tile_set.board, tile_set.grid, tile_set.track
    outline = rounded(regular(3, plate.side * CORNER), plate.corner_radius)
    groove: tuple[int, int, int] = tuple(min(255, channel + 14) for channel in plate.colour)  # type: ignore[assignment]
    marks: list[Mark] = []
    for number, cell in enumerate(cells):
        up = 0.0 if cell.points_up else 180.0
        corners = regular(3, grid.cell_edge * CORNER, up, (cell.x, cell.y))
        marks.append(Stroke((*corners, corners[0]), 0.6, groove))
        bonus = grid.bonus.get(str(number))
        if bonus is None:
            marks.append(Area(regular(3, grid.cell_edge * CORNER / 2, up, (cell.x, cell.y)), grid.empty_mark))
        else:
            marks.append(Glyph((cell.x, cell.y), 24.0, up, str(bonus), grid.bonus_digit_colour))
    marks.extend(
        Disc(along_track(tile_set, (hole + 0.5) / track.holes), track.hole_diameter, track.hole_colour)
        for hole in range(track.holes)
    )
    return (Prism(outline, -plate.thickness, 0.0, plate.colour, tuple(marks)),)
