"""From looks (prisms, balls, marks) to faces in space with their shading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import cos, pi, radians, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from companion.games.looks import Area, Ball, Colour, Disc, Glyph, Mark, Point, Prism, Ring, Solid, Stroke, regular
from hardware.simulated.canvas import Face, subdivided
from hardware.simulated.colours import Light
from hardware.simulated.glyphs import outline
from hardware.simulated.lens import Array

Paint = Callable[[tuple[int, int, int]], Light]
"""From a nominal colour to the linear one that this copy of the set has."""


class Hand(NamedTuple):
    """How characters and lines are printed on this copy of the set: `line` is a factor on the width of thin lines,
    `faint` how much the ground shows through them; `deep` how much of its light reaches the bottom of a groove.
    """

    font: int = 0
    slant: float = 0.0
    width: float = 1.0
    weight: int = 0
    line: float = 1.0
    faint: float = 0.0
    deep: float = 1.0


class Frustum(NamedTuple):
    """A solid with level ends of as many corners each, `footprint` and `head`, and sloping sides between them."""

    footprint: tuple[Point, ...]
    head: tuple[Point, ...]
    z0: float
    z1: float
    colour: Colour


class Tint(NamedTuple):
    """A line in the material itself, lighter or darker than it by a factor."""

    points: tuple[Point, ...]
    width: float
    factor: float


Shape = Solid | Frustum
THIN = 3.2
"""Printed lines are thinner than so many mm; wider ones are grooves and fields."""


class Placed(NamedTuple):
    """A solid at a place of the table: turned clockwise by `turn` degrees, then moved to (x, y, z) mm.

    `lean`: how far it leans over, in mm for each mm of its height.
    """

    solid: Shape
    x: float
    y: float
    z: float
    turn: float
    lean: Point = (0.0, 0.0)

    def points(self, plane: ArrayLike, z: float) -> Array:
        """Points (n, 2) of the solid's own frame at its height `z`, as (n, 3) on the table."""
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        lean = self.lean
        xy = np.asarray(plane, float) @ np.array([[c, -s], [s, c]]) + (self.x + lean[0] * z, self.y + lean[1] * z)
        return np.concatenate([xy, np.full((len(xy), 1), self.z + z)], 1)

    @property
    def top(self) -> float:
        """Height of its highest point, mm."""
        solid = self.solid
        return self.z + (solid.z + solid.diameter / 2 if isinstance(solid, Ball) else solid.z1)

    @property
    def bottom(self) -> float:
        """Height of its lowest point, mm."""
        solid = self.solid
        return self.z + (solid.z - solid.diameter / 2 if isinstance(solid, Ball) else solid.z0)

    @property
    def footprint(self) -> Array:
        """Its outline seen from above, (n, 2) mm on the table."""
        solid = self.solid
        shape = regular(16, solid.diameter / 2, 0.0, solid.centre) if isinstance(solid, Ball) else solid.footprint
        return self.points(shape, 0.0)[:, :2]

    @property
    def upper(self) -> Array:
        """The outline of its upper face, or across the middle of a ball, (n, 3) mm on the table."""
        solid = self.solid
        if isinstance(solid, Ball):
            return self.points(regular(16, solid.diameter / 2, 0.0, solid.centre), solid.z)
        return self.points(solid.head if isinstance(solid, Frustum) else solid.footprint, solid.z1)


def contours_of(mark: Mark | Tint, hand: Hand) -> Iterator[tuple[Array, ...]]:
    """A mark's outlines in the plane, each painted by itself (even-odd)."""
    match mark:
        case Tint(points, width):
            yield from ((_bar(a, b, width),) for a, b in pairwise(points))
        case Area(corners):
            yield (subdivided(corners),)
        case Disc(centre, diameter):
            yield (np.array(regular(24, diameter / 2, 0.0, centre)),)
        case Ring(centre, diameter, width):
            across = width * hand.line if width < THIN else width
            rims = [np.array(regular(32, (diameter + d) / 2, 0.0, centre)) for d in (across, -across)]
            yield (rims[0], rims[1][::-1])
        case Stroke(points, width):
            across = width * hand.line if width < THIN else width
            yield from ((_bar(a, b, across),) for a, b in pairwise(points))
        case Glyph(centre, height, up, text):
            c, s = cos(radians(up)), sin(radians(up))
            turn = height * np.array([[c, -s], [s, c]])
            yield tuple(part @ turn + centre for part in outline(*hand[:4], text))


def _bar(a: ArrayLike, b: ArrayLike, width: float) -> Array:
    start, end = np.asarray(a, float), np.asarray(b, float)
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9) * width / 2
    across = np.array([-along[1], along[0]])
    return subdivided([start - along + across, end + along + across, end + along - across, start - along - across])


BOUNCE = 0.12
"""The part of the light that upright faces get back from the table."""


class Shading(NamedTuple):
    """What light a face gets, compared with a level one: `direct` (n, 3) mm are the lamps' places, `shares` (n, 3)
    their parts of a level face's light (blue, green, red); the rest comes from all around.
    """

    direct: Array
    shares: Array

    def on(self, normal: ArrayLike, at: ArrayLike) -> Light:
        """The factor (3,) for a face with that outward normal (unit) at a place (mm)."""
        towards = self.direct - np.asarray(at, float)
        towards /= np.linalg.norm(towards, axis=1, keepdims=True)
        cosine = np.maximum(towards @ np.asarray(normal, float), 0) / np.maximum(towards[:, 2], 0.15)
        upwards = float(np.asarray(normal)[2])
        around = np.maximum(1 - self.shares.sum(0), 0.0) * (0.55 + 0.45 * upwards) + BOUNCE * (1 - upwards)
        light: Light = (np.minimum(cosine, 2.5) @ self.shares + around).astype(np.float32)
        return light


def faces(
    placed: Placed, eye: Array, paint: Paint, hand: Hand, shading: Shading, rim: float = 0.0, gloss: float = 0.0
) -> list[Face]:
    """The faces of a solid that the camera may see, far ones first; marks are printed smaller by the part `rim`, balls
    shine by `gloss`, 0 to 1.
    """
    if isinstance(placed.solid, Ball):
        return _ball(placed, eye, paint, shading, gloss)
    prism, own = placed.solid, paint(placed.solid.colour)
    if isinstance(prism, Frustum):
        return [*_sides(placed, prism, eye, paint, shading), Face((placed.upper,), own)]
    top = placed.points(subdivided(prism.footprint), prism.z1)
    result = [*_sides(placed, prism, eye, paint, shading), Face((top,), own)]
    inset = rim * np.mean(prism.footprint, axis=0)
    for mark in prism.marks:
        light = _ink(mark, own, paint, hand)
        result += [
            Face(tuple(placed.points(c * (1 - rim) + inset, prism.z1) for c in contours), light, isinstance(mark, Area))
            for contours in contours_of(mark, hand)
        ]
    return result


def _ink(mark: Mark | Tint, ground: Light, paint: Paint, hand: Hand) -> Light:
    """The linear colour of a mark on a ground."""
    if isinstance(mark, Tint):
        return ground * np.float32(mark.factor)
    printed = isinstance(mark, Glyph) or (isinstance(mark, Stroke | Ring) and mark.width < THIN)
    own = paint(mark.colour)
    if isinstance(mark, Stroke) and not printed:
        return own * np.float32(hand.deep)
    return own + (ground - own) * np.float32(hand.faint) if printed else own


def _sides(placed: Placed, solid: Prism | Frustum, eye: Array, paint: Paint, shading: Shading) -> Iterator[Face]:
    if isinstance(solid, Frustum):
        low, high = placed.points(solid.footprint, solid.z0), placed.points(solid.head, solid.z1)
    else:
        outline = subdivided(solid.footprint)
        low, high = placed.points(outline, solid.z0), placed.points(outline, solid.z1)
    along = np.roll(low, -1, 0) - low
    middle = (low + np.roll(low, -1, 0)) / 2
    normals = np.cross((high + np.roll(high, -1, 0)) / 2 - middle, along)  # outwards, as footprints run clockwise
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    colour = paint(solid.colour)
    for k, normal in enumerate(normals):
        if (eye - middle[k]) @ normal > 0:
            after = (k + 1) % len(high)
            quad = np.stack([high[k], high[after], low[after], low[k]])
            yield Face((quad,), colour * shading.on(normal, quad.mean(0)), True)


def _ball(placed: Placed, eye: Array, paint: Paint, shading: Shading, gloss: float) -> list[Face]:
    """Discs of decreasing size, shifted towards the light: cheap and round."""
    ball = placed.solid
    assert isinstance(ball, Ball)
    centre = placed.points([ball.centre], ball.z)[0]
    sight = (eye - centre) / np.linalg.norm(eye - centre)
    lamp = shading.direct[0] - centre if len(shading.direct) else np.array([0.0, 0.0, 1.0])
    lamp /= np.linalg.norm(lamp)
    side = np.cross(sight, (1.0, 0.0, 0.0))
    side /= np.linalg.norm(side)
    up, radius, colour = np.cross(side, sight), ball.diameter / 2, paint(ball.colour)
    angles = np.arange(20) * 2 * pi / 20
    circle = np.cos(angles)[:, None] * side + np.sin(angles)[:, None] * up
    lit = lamp - (lamp @ sight) * sight
    result = []
    for step in range(5):
        size = radius * (1 - step / 5)
        normal = sight * (step / 5) + lit * (step / 5) + np.array([0.0, 0.0, 0.1])
        normal /= np.linalg.norm(normal)
        shade = shading.on(normal, centre) * (0.45 + 0.11 * step)
        result.append(Face((centre + lit * (radius * 0.5 * step / 5) + circle * size,), colour * shade))
    if gloss > 0.4 and len(shading.direct):  # where the ball mirrors the lamp
        mirror = (lamp + sight) / np.linalg.norm(lamp + sight)
        spot = centre + (mirror - (mirror @ sight) * sight) * radius + circle * (0.16 * radius)
        result.append(Face((spot,), result[-1].light + np.float32(0.7 * gloss) * shading.shares[0].astype(np.float32)))
    return result
