"""The plain part of a board, where neither print nor pieces are: what shows there in another colour is foreign."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Any

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Area, Disc, Glyph, Mark, Point, Prism, Ring, Stroke, regular
from companion.vision.geometry.extents import outline_of, plate_outline, site_extents
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.images import Image, Mask

STEP = 2
"""Distance in mm of the points looked at."""

RIM = 5.0
"""Distance in mm from the plate's edge from which on it is plain."""

LEAN = 0.7
"""How far, in heights, a thing hides what is behind it, for a camera tilted by 35 degrees."""

FAR = 40
"""Grey levels by which a channel of something foreign differs from the board."""

STRANGE = 250.0
"""So many square millimetres of the plain board in another colour are no chance."""

EDGE, EDGES = 20, 5
"""Grey levels from one point to the next that are an outline, and at how many pairs of points: glare fades slowly."""


def stranger_on_plate(image: Image, pose: Pose, game: Game[Any, Any]) -> bool:
    """Whether something foreign lies on the plain part of the board, told by its colour and by its outline in this one
    picture.
    """
    points = plain_points(game)
    if not len(points):
        return False
    pixels = np.round(pose.project(points))
    height, width = image.shape[:2]
    inside = np.all((pixels >= 0) & (pixels <= (width - 1, height - 1)), axis=1)
    at = pixels[inside].astype(int)
    colours = image[at[:, 1], at[:, 0]].astype(np.float32)
    if not len(colours):
        return False
    usual = np.median(colours, axis=0)
    strange = np.count_nonzero(np.abs(colours - usual).max(axis=1) > FAR)
    return bool(strange * STEP**2 >= STRANGE) and _steps(points[inside], colours) >= EDGES


def _steps(points: Array, colours: Array) -> int:
    """Between how many neighbours among the points (n, 3) the colours (n, 3) differ much."""
    columns, rows = np.round((points[:, :2] - points[:, :2].min(axis=0)) / STEP).astype(int).T
    plate = np.full((rows.max() + 1, columns.max() + 1, 3), np.nan, np.float32)
    plate[rows, columns] = colours
    return sum(int(np.count_nonzero((np.abs(np.diff(plate, axis=axis)) > EDGE).any(axis=2))) for axis in (0, 1))


@cache
def plain_points(game: Game[Any, Any]) -> Array:
    """Points (n, 3) of the board frame (mm), `STEP` apart, where the plate is plain."""
    outline = plate_outline(game)
    reach = int(max(max(abs(x), abs(y)) for x, y in outline)) + 2
    plate = _filled([outline], reach)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (int(2 * RIM) + 1, int(2 * RIM) + 1))
    plate = np.asarray(cv2.erode(plate, kernel), np.uint8)
    extents = site_extents(game)
    places = (outline_of(site, extents[site.kind], 2.0 + LEAN * extents[site.kind].height) for site in game.sites)
    marks = [
        points for solid in game.board if isinstance(solid, Prism) for mark in solid.marks for points in _outlines(mark)
    ]
    free = cv2.bitwise_and(plate, cv2.bitwise_not(_filled([*places, *marks], reach)))
    rows, columns = np.nonzero(free[::STEP, ::STEP])
    x, y = columns * STEP - reach, rows * STEP - reach
    return np.stack([x, y, np.zeros_like(x)], axis=1).astype(np.float64)


def _filled(outlines: Iterable[tuple[Point, ...]], reach: int) -> Mask:
    """A mask of the board frame, a pixel a millimetre; the origin is at (`reach`, `reach`)."""
    mask = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    for outline in outlines:
        hull = cv2.convexHull(np.round(np.array(outline)).astype(np.int32) + reach)
        cv2.fillConvexPoly(mask, hull, 255)
    return mask


def _outlines(mark: Mark) -> list[tuple[Point, ...]]:
    """Convex outlines that hold all of a mark, with 2 mm around."""
    match mark:
        case Area():
            return [mark.corners]
        case Disc():
            return [regular(12, mark.diameter / 2 + 2, centre=mark.centre)]
        case Ring():
            return [regular(12, (mark.diameter + mark.width) / 2 + 2, centre=mark.centre)]
        case Glyph():
            return [regular(12, mark.height * 0.75, centre=mark.centre)]
        case Stroke():
            ends = [regular(8, mark.width / 2 + 2, centre=point) for point in mark.points]
            return [(*first, *second) for first, second in pairwise(ends)]
