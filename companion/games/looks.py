"""What things look like, as plain geometry: the one description that the simulated table draws and the vision reads.

A look is a tuple of solids. A solid stands on its footprint, from `z0` to `z1`, all in millimetres, in the frame of the
site it lies on (or the board frame, for the board): x to the right, y away from the reader, z up, z = 0 at the surface
that the site lies on. Its top carries marks, painted one over the other. Colours are nominal sRGB triples.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import cos, pi, radians, sin
from typing import NamedTuple

Point = tuple[float, float]
Colour = tuple[int, int, int]


class Area(NamedTuple):
    """A convex painted area: corners in order, in the plane of the face."""

    corners: tuple[Point, ...]
    colour: Colour


class Disc(NamedTuple):
    """A painted disc."""

    centre: Point
    diameter: float
    colour: Colour


class Ring(NamedTuple):
    """A painted ring: `diameter` of its centre line, `width` across it."""

    centre: Point
    diameter: float
    width: float
    colour: Colour


class Stroke(NamedTuple):
    """A painted line through points."""

    points: tuple[Point, ...]
    width: float
    colour: Colour


class Glyph(NamedTuple):
    """A printed character `height` mm high; `up` is the direction of its top, degrees clockwise from +y."""

    centre: Point
    height: float
    up: float
    text: str
    colour: Colour


Mark = Area | Disc | Ring | Stroke | Glyph


class Prism(NamedTuple):
    """A right prism on a convex footprint; a cylinder is a prism with many corners."""

    footprint: tuple[Point, ...]
    z0: float
    z1: float
    colour: Colour
    marks: tuple[Mark, ...] = ()


class Ball(NamedTuple):
    """A ball, with the height of its centre."""

    centre: Point
    z: float
    diameter: float
    colour: Colour


Solid = Prism | Ball
Look = tuple[Solid, ...]


@cache
def regular(corners: int, radius: float, start: float = 0.0, centre: Point = (0.0, 0.0)) -> tuple[Point, ...]:
    """The corners of a regular polygon, clockwise; `start` is the first one's angle, degrees clockwise from +y."""
    angles = (radians(start) + 2 * pi * k / corners for k in range(corners))
    return tuple((centre[0] + radius * sin(a), centre[1] + radius * cos(a)) for a in angles)


def rounded(corners: Iterable[Point], radius: float, steps: int = 8) -> tuple[Point, ...]:
    """A convex polygon (clockwise) with each corner rounded to `radius`."""
    points = tuple(corners)
    outline: list[Point] = []
    for before, corner, after in zip(points[-1:] + points[:-1], points, points[1:] + points[:1], strict=True):
        outline.extend(_arc(before, corner, after, radius, steps))
    return tuple(outline)


def _arc(before: Point, corner: Point, after: Point, radius: float, steps: int) -> list[Point]:
    into, out = _unit(corner, before), _unit(corner, after)
    half_cos = ((1 + into[0] * out[0] + into[1] * out[1]) / 2) ** 0.5  # cos of half the corner's angle
    half_sin = (1 - half_cos * half_cos) ** 0.5
    bisector = _unit((0.0, 0.0), (into[0] + out[0], into[1] + out[1]))
    centre = (corner[0] + bisector[0] * radius / half_sin, corner[1] + bisector[1] * radius / half_sin)
    reach = radius * half_cos / half_sin
    first = (corner[0] + into[0] * reach - centre[0], corner[1] + into[1] * reach - centre[1])
    last = (corner[0] + out[0] * reach - centre[0], corner[1] + out[1] * reach - centre[1])
    arc = []
    for k in range(steps + 1):
        t = k / steps
        direction = _unit((0.0, 0.0), (first[0] * (1 - t) + last[0] * t, first[1] * (1 - t) + last[1] * t))
        arc.append((centre[0] + radius * direction[0], centre[1] + radius * direction[1]))
    return arc


def _unit(start: Point, end: Point) -> Point:
    x, y = end[0] - start[0], end[1] - start[1]
    length = (x * x + y * y) ** 0.5
    return x / length, y / length
