"""Sites of VIA and what lies on them, from the set file."""

from __future__ import annotations

from itertools import pairwise
from math import cos, dist, pi, radians, sin

from companion.games.faces import face_of
from companion.games.looks import Area, Disc, Look, Mark, Point, Prism, Ring, Stroke, regular
from companion.games.sets import Colour
from companion.games.sites import EMPTY, SiteSpec
from companion.games.via.tileset import HALVES, SIDES, Kind, Lie, ViaSet, rotations, turned

KERB = 1.0
"""Width of the line along both sides of a road, mm."""

INSIDE = 0.355
"""How far to the right and up from a tile's middle a building stands inside the curve there, in tile sizes."""

STEPS = 10
"""Straight pieces in a quarter circle or a wave."""


def sites(via: ViaSet, cells: tuple[str, ...], lies: tuple[Lie, ...]) -> tuple[SiteSpec, ...]:
    """Fields, and for each part that a tile can have on a field the place of a building."""
    labels = (EMPTY, *(lie.label for lie in lies))
    fields = [
        SiteSpec(f"cell:{name}", "cell", (*_field(via, number), 0.0), 0.0, labels, via.grid.pitch * 2**0.5)
        for number, name in enumerate(cells)
    ]
    return (*fields, *(spec for number, name in enumerate(cells) for spec in _building_sites(via, number, name, lies)))


def _field(via: ViaSet, number: int) -> Point:
    """The middle of a field in the board frame; fields are numbered column by column."""
    column, row = divmod(number, via.grid.rows)
    pitch = via.grid.pitch
    return (column - (via.grid.columns - 1) / 2) * pitch, (row - (via.grid.rows - 1) / 2) * pitch


def _building_sites(via: ViaSet, number: int, name: str, lies: tuple[Lie, ...]) -> list[SiteSpec]:
    (x, y), specs = _field(via, number), []
    colours = tuple(via.building.colours)[: via.seats]
    labels = (EMPTY, *(f"{what}:{colour}" for what in ("house", "castle") for colour in colours))
    size = max(dist((0, 0), piece.size[:2]) for piece in (via.house, via.castle))
    for half in range(HALVES):
        parts = [(lie, part) for lie in lies for part in lie.parts if part & -part == 1 << half]
        places = [(lie.label, middle_of(via, lie, part)) for lie, part in parts]
        if places:
            there = tuple((label, (x + dx, y + dy, via.tile.thickness)) for label, (dx, dy) in places)
            site = f"building:{name}.{half}"
            specs.append(SiteSpec(site, "building", there[0][1], 0.0, labels, size, on=f"cell:{name}", places=there))
    return specs


def middle_of(via: ViaSet, lie: Lie, part: int) -> Point:
    """Where a building stands on a part of land, from the middle of the tile: amid the corners that the part has; on
    one of them where its corners lie across from each other, and close to the tile's corner inside a curve.
    """
    corners = [k for k in range(4) if part >> 2 * k & 1]
    if corners in ([0, 2], [1, 3]):
        corners = corners[:1]
    curve = lie.kind.type == "curvy" and part.bit_count() == 2
    reach = INSIDE * via.tile.size if curve else (via.tile.size + via.tile.road_width) / 4
    places = [(reach, reach), (reach, -reach), (-reach, -reach), (-reach, reach)]
    return sum(places[k][0] for k in corners) / len(corners), sum(places[k][1] for k in corners) / len(corners)


def look(via: ViaSet, kind: str, label: str) -> Look:
    """A tile in its field's frame, or a building in its part's."""
    if label == EMPTY:
        return ()
    if kind == "building":
        what, _, colour = label.partition(":")
        return _house(via, colour) if what == "house" else _castle(via, colour)
    code, _, rotation = label.partition("/")
    number, tile = next((n, tile) for n, tile in enumerate(via.tile.kinds) if tile.code == code)
    return (_tile(via, turned(tile, number, int(rotation or rotations(tile)[0]))),)


# -- tiles -------------------------------------------------------------------------------------------------------------


def _tile(via: ViaSet, lie: Lie) -> Prism:
    tile, outline, turn = via.tile, _rectangle(via.tile.size, via.tile.size), 90.0 * lie.rotation
    face = face_of(via.faces, lie.kind.code, turn, outline)
    if face is not None:
        return Prism(outline, 0.0, tile.thickness, tile.land, face)
    if lie.kind.type == "water":
        return Prism(outline, 0.0, tile.thickness, tile.water, _waves(via))
    kerb = [Area(area, tile.kerb) for area in roads(via, lie.kind, turn, tile.road_width + 2 * KERB)]
    road = [Area(area, tile.road) for area in roads(via, lie.kind, turn, tile.road_width)]
    plaza: list[Mark] = []
    if lie.kind.type == "start":
        plaza = [
            Disc((0.0, 0.0), tile.plaza_diameter + 2 * KERB, tile.kerb),
            Disc((0.0, 0.0), tile.plaza_diameter, tile.road),
        ]
    return Prism(outline, 0.0, tile.thickness, tile.land, (*kerb, *plaza, *road))


def roads(via: ViaSet, kind: Kind, turn: float, width: float) -> list[tuple[Point, ...]]:
    """A tile's roads as convex areas, turned clockwise: straight from the rim to the middle, or a quarter circle around
    each corner that is a part of land by itself between two exits.
    """
    half = via.tile.size / 2
    if kind.type == "curvy":
        alone = {tuple(sorted(part)) for part in kind.parts}
        corners = [k for k in range(4) if (2 * k, 2 * k + 1) in alone]
        return [_turned(area, turn + 90.0 * k) for k in corners for area in _curve(half, width)]
    x = width / 2
    bar = ((-x, half), (x, half), (x, -x), (-x, -x))
    return [_turned(bar, turn + 90.0 * side) for side in range(4) if SIDES[side] in kind.exits]


def _curve(half: float, width: float) -> list[tuple[Point, ...]]:
    """The quarter circle around the upper right corner of a tile, from side to side, in pieces."""
    inner, outer = half - width / 2, half + width / 2
    angles = [pi + pi / 2 * k / STEPS for k in range(STEPS + 1)]
    rims = [[(half + r * cos(a), half + r * sin(a)) for r in (inner, outer)] for a in angles]
    return [(near, far, far_next, near_next) for (near, far), (near_next, far_next) in pairwise(rims)]


def _waves(via: ViaSet) -> tuple[Mark, ...]:
    """Three wavy strokes across the tile."""
    size, strokes = via.tile.size, []
    for level in (-0.25, 0.0, 0.25):
        xs = [0.32 * (2 * k / (2 * STEPS) - 1) for k in range(2 * STEPS + 1)]
        points = tuple((size * x, size * (level + 0.045 * sin(x / 0.32 * 3 * pi))) for x in xs)
        strokes.append(Stroke(points, size / 30, via.tile.water_wave))
    return tuple(strokes)


# -- buildings ---------------------------------------------------------------------------------------------------------


def _house(via: ViaSet, colour: str) -> Look:
    """Walls, and a roof of ever narrower layers."""
    length, width, height = via.house.size
    paint, eaves = via.building.colours[colour], 0.55 * height
    solids = [Prism(_rectangle(length, width), 0.0, eaves, paint)]
    layers = 4
    for k in range(layers):
        low, high = (eaves + (height - eaves) * t / layers for t in (k, k + 1))
        solids.append(Prism(_rectangle(length, width * (1 - (k + 0.5) / layers)), low, high, _shade(paint, 0.97)))
    return tuple(solids)


def _castle(via: ViaSet, colour: str) -> Look:
    """A keep with a tower at each corner."""
    length, width, height = via.castle.size
    paint, tower = via.building.colours[colour], 0.34 * min(length, width)
    court = Area(_rectangle(length - tower, width - tower), _shade(paint, 0.8))
    solids = [Prism(_rectangle(length - tower / 2, width - tower / 2), 0.0, 0.7 * height, paint, (court,))]
    for x in (-1, 1):
        for y in (-1, 1):
            centre = (x * (length - tower) / 2, y * (width - tower) / 2)
            ring = Ring(centre, 0.7 * tower, 0.15 * tower, _shade(paint, 0.8))
            solids.append(Prism(regular(12, tower / 2, centre=centre), 0.0, height, paint, (ring,)))
    return tuple(solids)


def _shade(colour: Colour, part: float) -> Colour:
    red, green, blue = (round(channel * part) for channel in colour)
    return red, green, blue


# -- the board ---------------------------------------------------------------------------------------------------------


def board(via: ViaSet) -> Look:
    """The plate with its fields, each a shallow recess."""
    plate, grid = via.board, via.grid
    line = _shade(grid.field_colour, 0.72)
    marks: list[Mark] = []
    for number in range(grid.columns * grid.rows):
        x, y = _field(via, number)
        corners = tuple((x + dx, y + dy) for dx, dy in _rectangle(grid.pitch, grid.pitch))
        marks.append(Area(corners, grid.field_colour))
    for number in range(grid.columns * grid.rows):
        x, y = _field(via, number)
        corners = tuple((x + dx, y + dy) for dx, dy in _rectangle(grid.pitch, grid.pitch))
        marks.append(Stroke((*corners, corners[0]), 0.8, line))
    outline = _rectangle(plate.side, plate.side)
    return (Prism(outline, -plate.thickness, 0.0, plate.colour, tuple(marks)),)


def _rectangle(length: float, width: float) -> tuple[Point, ...]:
    """The corners clockwise from the upper right, around the origin."""
    x, y = length / 2, width / 2
    return ((x, y), (x, -y), (-x, -y), (-x, y))


def _turned(points: tuple[Point, ...], angle: float) -> tuple[Point, ...]:
    """Points turned clockwise around the origin."""
    c, s = cos(radians(angle)), sin(radians(angle))
    return tuple((x * c + y * s, y * c - x * s) for x, y in points)
