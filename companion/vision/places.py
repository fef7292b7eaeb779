"""Geometry that all kinds of sites share: frames, lattices, and what labels show on a lattice."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np

from companion.games.looks import Look, Prism
from companion.games.sites import SiteSpec
from companion.vision.lens import Array
from companion.vision.raster import NOTHING, UNSURE, Paints, rasterise


def on_board(site: SiteSpec, points: Array) -> Array:
    """Points (..., 2) of the site's frame in the board frame, without the height."""
    a = radians(site.angle)
    places: Array = points @ np.array([[cos(a), -sin(a)], [sin(a), cos(a)]]) + np.array(site.centre[:2])
    return places


def on_site(site: SiteSpec, points: Array) -> Array:
    """Points (..., 2) of the board frame in the site's frame."""
    a = radians(site.angle)
    places: Array = (points - np.array(site.centre[:2])) @ np.array([[cos(a), sin(a)], [-sin(a), cos(a)]])
    return places


def lattice(radius: float, step: float) -> Array:
    """A triangular lattice (n, 2) within a circle around the origin."""
    rows = int(radius / (step * 0.866)) + 1
    points = [
        ((column + 0.5 * (row % 2)) * step, row * step * 0.866)
        for row in range(-rows, rows + 1)
        for column in range(-rows * 2, rows * 2 + 1)
    ]
    at: Array = np.array(points)
    return at[np.hypot(at[:, 0], at[:, 1]) <= radius]


def height(look: Look) -> float:
    """Height in mm of the top of a look."""
    return max((solid.z1 if isinstance(solid, Prism) else solid.z + solid.diameter / 2 for solid in look), default=0.0)


def classes(look: Look, points: Array, paints: Paints, margin: float) -> Array:
    """What a look shows at points (n, 2) seen from above: numbers of paints, `UNSURE` within `margin` mm of a change of
    colour, `NOTHING` beside it.
    """
    if not look:
        return np.full(len(points), NOTHING)
    raster = rasterise(look, paints)
    sure = raster.eroded(margin).at(points)
    return np.where((raster.at(points) == NOTHING) & (sure != UNSURE), NOTHING, sure)


def in_picture(at: Array, size: tuple[int, int]) -> Array:
    """Which pixels (..., 2) lie in a picture of `size` (width, height)."""
    return np.asarray(((at >= 0) & (at <= (size[0] - 1, size[1] - 1))).all(axis=-1))
