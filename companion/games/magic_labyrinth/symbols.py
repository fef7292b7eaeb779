"""Drawings of the symbols as marks: strokes, discs and convex areas, designed in a square from -1 to 1.

A part in the colour of the paper shows the ground that the symbol is printed on.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, radians, sin
from typing import NamedTuple

from companion.games.looks import Area, Colour, Disc, Glyph, Mark, Point, Ring, Stroke, regular


class Shape(NamedTuple):
    """A part of a drawing: an area by its corners, or a line with a width; `paper` parts leave the ground bare."""

    points: tuple[Point, ...]
    width: float = 0.0
    paper: bool = False


class Round(NamedTuple):
    """A disc, or a ring where it has a width."""

    centre: Point
    diameter: float
    width: float = 0.0
    paper: bool = False


Drawing = tuple[Shape | Round, ...]


def _star() -> Drawing:
    outer, inner = regular(5, 1.0), regular(5, 0.4, 36.0)
    tips = tuple(Shape((inner[k - 1], outer[k], inner[k])) for k in range(5))
    return (Shape(inner), *tips)


def _sun() -> Drawing:
    rays = (Shape((_polar(k * 45, 0.65), _polar(k * 45, 1.0)), 0.16) for k in range(8))
    return (Round((0.0, 0.0), 0.95), *rays)


def _polar(angle: float, radius: float) -> Point:
    return radius * sin(radians(angle)), radius * cos(radians(angle))


def _arc(centre: Point, radius: float, start: float, end: float, steps: int = 10) -> tuple[Point, ...]:
    """Points of an arc, degrees clockwise from +y."""
    turns = [start + (end - start) * k / steps for k in range(steps + 1)]
    return tuple((centre[0] + radius * sin(t * pi / 180), centre[1] + radius * cos(t * pi / 180)) for t in turns)


def _blade(start: Point, end: Point, half: float, steps: int = 8) -> tuple[Point, ...]:
    """A leaf from point to point, `half` as wide on either side."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = (dx * dx + dy * dy) ** 0.5
    turns = [(k / steps, half * sin(pi * k / steps) / length) for k in range(steps + 1)]
    left = [(start[0] + t * dx - w * dy, start[1] + t * dy + w * dx) for t, w in turns]
    right = [(start[0] + t * dx + w * dy, start[1] + t * dy - w * dx) for t, w in turns]
    return (*left, *right[-2:0:-1])


def _quad(left: float, bottom: float, right: float, top: float) -> tuple[Point, ...]:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


DRAWINGS: Mapping[str, Drawing] = {
    "star": _star(),
    "sun": _sun(),
    "moon": (Round((-0.1, 0.0), 1.8), Round((-0.5, 0.12), 1.5, paper=True)),
    "key": (
        Round((0.0, -0.6), 0.55, 0.2),
        Shape(((0.0, -0.3), (0.0, 1.0)), 0.2),
        Shape(((0.0, 0.9), (0.45, 0.9)), 0.2),
        Shape(((0.0, 0.55), (0.35, 0.55)), 0.2),
    ),
    "crown": (
        Shape(((-0.85, 0.0), (0.85, 0.0), (0.7, -0.8), (-0.7, -0.8))),
        Shape(((-0.85, 0.0), (-0.95, 0.7), (-0.3, 0.0))),
        Shape(((-0.35, 0.0), (0.0, 0.75), (0.35, 0.0))),
        Shape(((0.3, 0.0), (0.95, 0.7), (0.85, 0.0))),
        Round((-0.95, 0.75), 0.24),
        Round((0.0, 0.82), 0.24),
        Round((0.95, 0.75), 0.24),
    ),
    "feather": (
        Shape(_blade((-0.5, -0.5), (0.9, 0.9), 0.32)),
        Shape(((-0.3, -0.3), (0.6, 0.6)), 0.08, paper=True),
        Shape(((-0.9, -0.9), (-0.35, -0.35)), 0.14),
    ),
    "potion": (
        Round((0.0, -0.3), 1.3),
        Shape(_quad(-0.2, 0.1, 0.2, 0.95)),
        Shape(((-0.35, 0.92), (0.35, 0.92)), 0.16),
        Shape(_quad(-0.45, -0.25, 0.45, -0.12), paper=True),
    ),
    "book": (
        Shape(((-0.95, 0.7), (-0.06, 0.5), (-0.06, -0.7), (-0.95, -0.5))),
        Shape(((0.95, 0.7), (0.06, 0.5), (0.06, -0.7), (0.95, -0.5))),
        *(Shape(((-0.8, y + 0.1), (-0.2, y)), 0.09, paper=True) for y in (0.3, 0.0, -0.3)),
        *(Shape(((0.8, y + 0.1), (0.2, y)), 0.09, paper=True) for y in (0.3, 0.0, -0.3)),
    ),
    "mushroom": (
        Shape((*_arc((0.0, -0.1), 0.95, -90, 90, 14),)),
        Shape(_quad(-0.25, -0.95, 0.25, -0.05)),
        Round((0.0, 0.5), 0.28, paper=True),
        Round((-0.5, 0.2), 0.22, paper=True),
        Round((0.5, 0.2), 0.22, paper=True),
    ),
    "owl": (
        Round((0.0, 0.1), 1.35),
        Shape(((-0.65, 0.0), (0.65, 0.0), (0.4, -0.95), (-0.4, -0.95))),
        Shape(((-0.62, 0.3), (-0.6, 0.98), (-0.05, 0.6))),
        Shape(((0.05, 0.6), (0.6, 0.98), (0.62, 0.3))),
        Round((-0.28, 0.2), 0.46, paper=True),
        Round((0.28, 0.2), 0.46, paper=True),
        Round((-0.28, 0.2), 0.2),
        Round((0.28, 0.2), 0.2),
        Shape(((-0.12, -0.02), (0.12, -0.02), (0.0, -0.3)), paper=True),
    ),
    "candle": (
        Shape(_quad(-0.28, -0.7, 0.28, 0.3)),
        Shape(((-0.8, -0.8), (0.8, -0.8)), 0.24),
        Shape(((0.0, 0.3), (0.0, 0.5)), 0.08),
        Shape(((-0.17, 0.65), (0.0, 1.0), (0.17, 0.65), (0.0, 0.48))),
    ),
    "ring": (
        Round((0.0, -0.2), 1.25, 0.24),
        Shape(((-0.3, 0.8), (0.3, 0.8), (0.45, 0.65), (0.2, 0.35), (-0.2, 0.35), (-0.45, 0.65))),
    ),
}
"""The symbols of the usual set; of another one, the first letter is shown."""


def marks(symbol: str, centre: Point, diameter: float, ink: Colour, paper: Colour) -> tuple[Mark, ...]:
    """The symbol as it is printed within a circle of that diameter, upright."""
    if symbol not in DRAWINGS:
        return (Glyph(centre, 0.7 * diameter, 0.0, symbol[0].upper(), ink),)
    scale = 0.36 * diameter

    def at(point: Point) -> Point:
        return centre[0] + scale * point[0], centre[1] + scale * point[1]

    found: list[Mark] = []
    for part in DRAWINGS[symbol]:
        colour = paper if part.paper else ink
        if isinstance(part, Round):
            middle, size = at(part.centre), scale * part.diameter
            round_mark = Ring(middle, size, scale * part.width, colour) if part.width else Disc(middle, size, colour)
            found.append(round_mark)
        else:
            points = tuple(map(at, part.points))
            found.append(Stroke(points, scale * part.width, colour) if part.width else Area(points, colour))
    return tuple(found)
