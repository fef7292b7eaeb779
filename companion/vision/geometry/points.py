"""Points of sites: in the frame of the site, in that of the board, in the picture."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np

from companion.games.sites import SiteSpec
from companion.vision.geometry.lens import Array


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


def in_picture(at: Array, size: tuple[int, int]) -> Array:
    """Which pixels (..., 2) lie in a picture of `size` (width, height)."""
    x, y = at[..., 0], at[..., 1]
    return np.asarray((x >= 0) & (x <= size[0] - 1) & (y >= 0) & (y <= size[1] - 1))
