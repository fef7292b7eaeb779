"""Where sites, board and cards are in a thumbnail: the zones that changes are weighed by."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Area, Ball, Disc, Glyph, Mark, Point, Prism, Ring, Stroke, regular
from companion.games.sets import Marker
from companion.games.sites import SiteSpec
from companion.vision.board import Pose
from companion.vision.lens import Array
from companion.vision.motion import Mask, Thumbnail

SLACK = 4.0
"""How far, in mm, things may lie outside the circle of their site."""

SURROUNDINGS = 40.0
"""How far, in mm, around board and sites things still matter."""

NEAR_BOARD = 15.0
"""What moves within this distance (mm) of the board moves over it."""

Window = tuple[slice, slice]


class Patch(NamedTuple):
    """A zone of few pixels: its window in the thumbnail and its mask there."""

    window: Window
    mask: Mask

    def overlap(self, mask: Mask) -> float:
        """The part (0 to 1) of the zone that a mask of the whole thumbnail covers; 0 for a zone outside it."""
        size = cv2.countNonZero(self.mask) if self.mask.size else 0
        if not size:
            return 0.0
        return cv2.countNonZero(cv2.bitwise_and(self.mask, mask[self.window])) / size


class Zones:
    """The zones of a game's sites in thumbnails of one size, for one pose.

    `board`: the plate; `plain`: the part of it where neither sites nor print are; `places`: the sites with all that can
    stand on them; `around`: both, and the cards, with their surroundings; `near_board`: the plate and what reaches it.
    """

    def __init__(self, game: Game[Any, Any], pose: Pose, thumb: Thumbnail) -> None:
        self._pose, self._shape, self._scale = pose, thumb.image.shape[:2], thumb.scale
        self.millimetre = pose.scale(np.zeros(3)) / thumb.scale
        heights = site_heights(game)
        self.sites = {site.name: self._patch(self._column(site, heights[site.kind], 0.0)) for site in game.sites}
        prisms = [solid for solid in game.board if isinstance(solid, Prism)]
        outline = [point for solid in prisms for point in solid.footprint]
        thickness = game.plate.thickness
        self.board = self._filled([self._hull([*_ring(outline, 0.0), *_ring(outline, -thickness)])])
        self.places = self._filled(self._column(site, heights[site.kind], SLACK) for site in game.sites)
        marks = self._filled(
            self._hull(_ring(points, solid.z1)) for solid in prisms for mark in solid.marks for points in _extent(mark)
        )
        printed = self.grown(np.asarray(cv2.bitwise_or(self.places, marks), np.uint8), 2.0)
        plain = cv2.bitwise_and(self._filled([self._hull(_ring(outline, 0.0))]), cv2.bitwise_not(printed))
        self.plain = np.asarray(cv2.erode(plain, np.ones((3, 3), np.uint8)), np.uint8)
        cards = [self._hull(_ring(_card(game.marker, centre), -thickness)) for centre in game.marker.centres]
        self.cards = [self._patch(card) for card in cards]
        everything = cv2.bitwise_or(cv2.bitwise_or(self.board, self.places), self._filled(cards))
        self.around = self.grown(np.asarray(everything, np.uint8), SURROUNDINGS)
        self.near_board = self.grown(self.board, NEAR_BOARD)

    def grown(self, mask: Mask, millimetres: float) -> Mask:
        """A mask with all that is nearer to it than that."""
        reach = max(1, round(millimetres * self.millimetre))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
        return np.asarray(cv2.dilate(mask, kernel), np.uint8)

    def touched(self, mask: Mask, least: float = 0.0) -> set[str]:
        """The sites of which more than the part `least` lies in the mask."""
        return {name for name, patch in self.sites.items() if patch.overlap(mask) > least}

    def area(self, mask: Mask) -> float:
        """The area of a mask in square millimetres, taken as lying in the middle of the board."""
        return cv2.countNonZero(mask) / self.millimetre**2

    def _column(self, site: SiteSpec, height: float, slack: float) -> Array:
        x, y, z = site.centre
        ring = regular(12, site.size / 2 + slack, centre=(x, y))
        return self._hull([*_ring(ring, z), *(_ring(ring, z + height) if height else ())])

    def _hull(self, points: Iterable[tuple[float, float, float]]) -> Array:
        pixels = self._pose.project(np.array(list(points), np.float64))
        small = (pixels + 0.5) / self._scale - 0.5
        small = small[np.isfinite(small).all(axis=1)]
        if not len(small):
            return np.zeros((0, 1, 2), np.int32)
        return np.asarray(cv2.convexHull(np.round(np.clip(small, -5000, 5000)).astype(np.int32)))

    def _filled(self, hulls: Iterable[Array]) -> Mask:
        mask = np.zeros(self._shape, np.uint8)
        for hull in hulls:
            if len(hull):
                cv2.fillConvexPoly(mask, hull, 255)
        return mask

    def _patch(self, hull: Array) -> Patch:
        height, width = self._shape
        if not len(hull):
            return Patch((slice(0, 0), slice(0, 0)), np.zeros((0, 0), np.uint8))
        x, y, w, h = cv2.boundingRect(hull)
        left, top = min(max(x, 0), width), min(max(y, 0), height)
        right, bottom = min(max(x + w, 0), width), min(max(y + h, 0), height)
        mask = np.zeros((max(bottom - top, 0), max(right - left, 0)), np.uint8)
        if mask.size:
            cv2.fillConvexPoly(mask, hull - np.array([left, top], np.int32), 255)
        return Patch((slice(top, bottom), slice(left, right)), mask)


def _card(marker: Marker, centre: Point) -> tuple[Point, ...]:
    half = marker.size / 2 + marker.quiet
    return tuple((centre[0] + dx * half, centre[1] + dy * half) for dx, dy in ((-1, 1), (1, 1), (1, -1), (-1, -1)))


def _extent(mark: Mark) -> list[tuple[Point, ...]]:
    """Convex outlines that hold all of a mark."""
    match mark:
        case Area():
            return [mark.corners]
        case Disc():
            return [regular(12, mark.diameter / 2 * 1.05, centre=mark.centre)]
        case Ring():
            return [regular(12, (mark.diameter + mark.width) / 2 * 1.05, centre=mark.centre)]
        case Glyph():
            return [regular(12, mark.height * 0.75, centre=mark.centre)]
        case Stroke():
            ends = [regular(4, mark.width, centre=point) for point in mark.points]
            return [(*first, *second) for first, second in pairwise(ends)]


def _ring(points: Iterable[Point], z: float) -> list[tuple[float, float, float]]:
    return [(x, y, z) for x, y in points]


@cache
def site_heights(game: Game[Any, Any]) -> dict[str, float]:
    """How high (mm) the highest thing is that can stand on each kind of site."""
    labels: dict[str, set[str]] = {}
    for site in game.sites:
        labels.setdefault(site.kind, set()).update(site.labels)
    return {
        kind: max((_top(solid) for label in found for solid in game.look(kind, label)), default=0.0)
        for kind, found in labels.items()
    }


def _top(solid: Prism | Ball) -> float:
    return solid.z1 if isinstance(solid, Prism) else solid.z + solid.diameter / 2
