"""From looks (prisms, balls, marks) to faces in space with their shading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import cos, pi, radians, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from companion.games.looks import Area, Ball, Disc, Glyph, Mark, Prism, Ring, Solid, Stroke, regular
from hardware.simulated.canvas import Face, subdivided
from hardware.simulated.colours import Light
from hardware.simulated.glyphs import outline
from hardware.simulated.lens import Array

Paint = Callable[[tuple[int, int, int]], Light]
"""From a nominal colour to the linear one that this copy of the set has."""


class Hand(NamedTuple):
    """How characters are printed on this copy of the set."""

    font: int = 0
    slant: float = 0.0
    width: float = 1.0
    weight: int = 0


class Placed(NamedTuple):
    """A solid at a place of the table: turned clockwise by `turn` degrees, then moved to (x, y, z) mm."""

    solid: Solid
    x: float
    y: float
    z: float
    turn: float

    def points(self, plane: ArrayLike, z: float) -> Array:
        """Points (n, 2) of the solid's own frame at its height `z`, as (n, 3) on the table."""
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        xy = np.asarray(plane, float) @ np.array([[c, -s], [s, c]]) + (self.x, self.y)
        return np.concatenate([xy, np.full((len(xy), 1), self.z + z)], 1)

    @property
    def top(self) -> float:
        """Height of its highest point, mm."""
        return self.z + (self.solid.z1 if isinstance(self.solid, Prism) else self.solid.z + self.solid.diameter / 2)

    @property
    def bottom(self) -> float:
        """Height of its lowest point, mm."""
        return self.z + (self.solid.z0 if isinstance(self.solid, Prism) else self.solid.z - self.solid.diameter / 2)

    @property
    def footprint(self) -> Array:
        """Its outline seen from above, (n, 2) mm on the table."""
        solid = self.solid
        shape = solid.footprint if isinstance(solid, Prism) else regular(16, solid.diameter / 2, 0.0, solid.centre)
        return self.points(shape, 0.0)[:, :2]


def contours_of(mark: Mark, hand: Hand) -> Iterator[tuple[Array, ...]]:
    """A mark's outlines in the plane, each painted by itself (even-odd)."""
    match mark:
        case Area(corners):
            yield (subdivided(corners),)
        case Disc(centre, diameter):
            yield (np.array(regular(24, diameter / 2, 0.0, centre)),)
        case Ring(centre, diameter, width):
            rims = [np.array(regular(32, (diameter + d) / 2, 0.0, centre)) for d in (width, -width)]
            yield (rims[0], rims[1][::-1])
        case Stroke(points, width):
            yield from ((_bar(a, b, width),) for a, b in pairwise(points))
        case Glyph(centre, height, up, text):
            c, s = cos(radians(up)), sin(radians(up))
            turn = height * np.array([[c, -s], [s, c]])
            yield tuple(part @ turn + centre for part in outline(*hand, text))


def _bar(a: ArrayLike, b: ArrayLike, width: float) -> Array:
    start, end = np.asarray(a, float), np.asarray(b, float)
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9) * width / 2
    across = np.array([-along[1], along[0]])
    return subdivided([start - along + across, end + along + across, end + along - across, start - along - across])


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
        around = np.maximum(1 - self.shares.sum(0), 0.0) * (0.55 + 0.45 * float(np.asarray(normal)[2]))
        light: Light = (np.minimum(cosine, 2.5) @ self.shares + around).astype(np.float32)
        return light


def faces(placed: Placed, eye: Array, paint: Paint, hand: Hand, shading: Shading, rim: float = 0.0) -> list[Face]:
    """The faces of a solid that the camera may see, far ones first; marks are printed smaller by the part `rim`."""
    if isinstance(placed.solid, Ball):
        return _ball(placed, eye, paint, shading)
    prism = placed.solid
    top = placed.points(subdivided(prism.footprint), prism.z1)
    result = [*_sides(placed, prism, eye, paint, shading), Face((top,), paint(prism.colour))]
    inset = rim * np.mean(prism.footprint, axis=0)
    for mark in prism.marks:
        light = paint(mark.colour)
        result += [
            Face(tuple(placed.points(c * (1 - rim) + inset, prism.z1) for c in contours), light, isinstance(mark, Area))
            for contours in contours_of(mark, hand)
        ]
    return result


def _sides(placed: Placed, prism: Prism, eye: Array, paint: Paint, shading: Shading) -> Iterator[Face]:
    outline = subdivided(prism.footprint)
    low, high = placed.points(outline, prism.z0), placed.points(outline, prism.z1)
    along = np.roll(high, -1, 0) - high
    normals = np.stack([-along[:, 1], along[:, 0], np.zeros(len(along))], 1)  # outwards, as footprints run clockwise
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    colour = paint(prism.colour)
    for k, normal in enumerate(normals):
        if (eye - high[k]) @ normal > 0:
            after = (k + 1) % len(high)
            quad = np.stack([high[k], high[after], low[after], low[k]])
            yield Face((quad,), colour * shading.on(normal, quad.mean(0)), True)


def _ball(placed: Placed, eye: Array, paint: Paint, shading: Shading) -> list[Face]:
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
    return result
