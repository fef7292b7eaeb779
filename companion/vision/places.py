"""Geometry that all kinds of sites share: frames, lattices, and what labels show on a lattice."""

from __future__ import annotations

from math import cos, radians, sin

import cv2
import numpy as np

from companion.games.looks import Look, Prism
from companion.games.sites import SiteSpec
from companion.vision.lens import Array
from companion.vision.palette import Blend
from companion.vision.raster import NOTHING, STEP, UNSURE, Paints, rasterise


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


def blends(look: Look, points: Array, paints: Paints, blur: float) -> list[Blend | None]:
    """What a look shows at points (n, 2) seen from above through a blur of `blur` mm: the paints there, in quarters;
    None where something beside it may show.
    """
    if not look:
        return [None] * len(points)
    raster = rasterise(look, paints)
    numbers = np.unique(raster.values).tolist()
    planes = [(raster.values == number).astype(np.float32) for number in numbers]
    soft = [cv2.GaussianBlur(plane, (0, 0), blur / STEP, borderType=cv2.BORDER_REPLICATE) for plane in planes]
    columns, rows = np.rint((points - raster.origin) / STEP).astype(np.intp).T
    height, width = raster.values.shape
    inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    parts = np.stack([plane[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)] for plane in soft], axis=1)
    quarters = np.rint(parts * 4).astype(int)
    shown = [
        tuple((number, q / sum(row)) for number, q in zip(numbers, row, strict=True) if q) for row in quarters.tolist()
    ]
    return [
        blend if here and all(number != NOTHING for number, _ in blend) else None
        for here, blend in zip(inside.tolist(), shown, strict=True)
    ]


def in_picture(at: Array, size: tuple[int, int]) -> Array:
    """Which pixels (..., 2) lie in a picture of `size` (width, height)."""
    x, y = at[..., 0], at[..., 1]
    return np.asarray((x >= 0) & (x <= size[0] - 1) & (y >= 0) & (y <= size[1] - 1))
