"""Where sites, board and cards are in a thumbnail: the zones that changes are weighed by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np

from companion.games.core import Game
from companion.games.looks import Point
from companion.games.sets import Marker
from companion.games.sites import EMPTY, SiteSpec
from companion.vision.geometry.extents import Extent, outline_of, plate_outline, site_extents
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.images import Image, Mask
from companion.vision.watching.motion import Thumbnail

SLACK = 4.0
"""How far, in mm, things may lie outside the circle of their site."""

SLACK_BESIDE = 12.0
"""The same for sites on the table beside the board, which may have been pushed."""

SURROUNDINGS = 40.0
"""How far, in mm, around board and sites things still matter."""

NEAR_BOARD = 15.0
"""What moves within this distance (mm) of the board moves over it."""

FAINT = 5.0
"""Grey levels by which the mean of a site must at least differ to be another colour."""

FAINT_NOISE = 6.0
"""The same in terms of the noise of a mean of so many pixels, where that asks for more."""

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

    `board`: the plate; `places`: the sites with all that can stand on them; `around`: both, and the cards, with their
    surroundings; `near_board`: the plate and what is close to it.
    """

    def __init__(self, game: Game[Any, Any], pose: Pose, thumb: Thumbnail, beside: Sequence[Pose] = ()) -> None:
        """`beside`: the poses that what lies beside the board may have, if it need not be where the board has it."""
        self._pose, self._shape, self._scale = pose, thumb.image.shape[:2], thumb.scale
        self._beside = beside or (pose,)
        self.millimetre = pose.scale(np.zeros(3)) / thumb.scale
        spaces = [_space(game, site) for site in game.sites]
        self.sites = {
            site.name: self._patch(self._column(*space, _slack(site, 0.0)))
            for site, space in zip(game.sites, spaces, strict=True)
        }
        self._roving = {site.name: site.upon or site.under for site in game.sites if site.roving}
        self._names = list(self.sites)
        self._pixels, self._owners = _pixels_of(self.sites.values(), self._shape[1])
        self._shown, self._first = np.unique(self._owners, return_index=True)
        self._sizes = np.maximum(np.bincount(self._owners, minlength=len(self._names)), 1)
        outline = plate_outline(game)
        thickness = game.plate.thickness
        self.board = self._filled([self._hull([*_ring(outline, 0.0), *_ring(outline, -thickness)])])
        self.places = self._filled(self._column(*space, _slack(space[0], SLACK)) for space in spaces)
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
        if not cv2.countNonZero(mask):
            return set()
        counts = np.bincount(self._owners[mask.ravel()[self._pixels] > 0], minlength=len(self._names))
        return {self._names[k] for k in np.flatnonzero(counts > least * self._sizes)}

    def most(self, mask: Mask, count: int) -> list[str]:
        """The sites that cover most of the mask, at most so many: each beside those before it."""
        left, found = mask.ravel().copy(), list[str]()
        for _ in range(count):
            counts = np.bincount(self._owners[left[self._pixels] > 0], minlength=len(self._names))
            if not counts.any():
                break
            best = int(counts.argmax())
            found.append(self._names[best])
            left[self._pixels[self._owners == best]] = 0
        return found

    def differing(self, before: Image, after: Image, noise: float) -> set[str]:
        """The sites that are on the whole of another colour in one of two thumbnails, though no single pixel may stand
        out of their `noise` (grey levels): a plate of light wood on light wood.
        """
        differences = cv2.subtract(after, before, dtype=cv2.CV_16S).reshape(-1, 3).take(self._pixels, axis=0)
        sums = np.zeros((len(self._names), 3))
        sums[self._shown] = np.add.reduceat(differences, self._first, axis=0, dtype=np.int64)
        most = np.abs(sums).max(axis=1) / self._sizes
        least = np.maximum(FAINT, FAINT_NOISE * noise / np.sqrt(self._sizes))
        return {self._names[k] for k in np.flatnonzero(most > least)}

    def union(self, sites: Iterable[str]) -> Mask:
        """Where the zones of those sites are."""
        mask = np.zeros(self._shape, np.uint8)
        for name in sites:
            patch = self.sites[name]
            mask[patch.window] |= patch.mask
        return mask

    def laid(self, labels: Mapping[str, str]) -> Mask:
        """Where the zones of the sites are on which something lies, by their labels; a thing that may be anywhere lies
        in the zone of what it is on.
        """
        names = (
            f"{self._roving[name]}:{label}" if name in self._roving else name
            for name, label in labels.items()
            if label != EMPTY
        )
        return self.union(name for name in names if name in self.sites)

    def area(self, mask: Mask) -> float:
        """The area of a mask in square millimetres, taken as lying in the middle of the board."""
        return cv2.countNonZero(mask) / self.millimetre**2

    def _column(self, site: SiteSpec, extent: Extent, slack: float) -> Array:
        """Outline, in the thumbnail, of all that can stand on a site."""
        ring, z = outline_of(site, extent, slack), site.centre[2]
        poses = self._beside if site.on_table else (self._pose,)
        return self._hull([*_ring(ring, z), *(_ring(ring, z + extent.height) if extent.height else ())], poses)

    def _hull(self, points: Iterable[tuple[float, float, float]], poses: Sequence[Pose] = ()) -> Array:
        """Outline, in the thumbnail, of points as one of the poses has them, else as the board's has."""
        corners = np.array(list(points), np.float64)
        pixels = np.concatenate([pose.project(corners) for pose in poses or (self._pose,)])
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


def _pixels_of(patches: Iterable[Patch], width: int) -> tuple[Array, Array]:
    """The pixels (n,) of all patches, counted row by row in a picture of that width, and the number (n,) of the patch
    of each.
    """
    pixels, owners = [np.empty(0, np.intp)], [np.empty(0, np.intp)]
    for number, patch in enumerate(patches):
        rows, columns = np.nonzero(patch.mask)
        pixels.append((rows + patch.window[0].start) * width + columns + patch.window[1].start)
        owners.append(np.full(len(rows), number))
    return np.concatenate(pixels), np.concatenate(owners)


def _card(marker: Marker, centre: Point) -> tuple[Point, ...]:
    half = marker.size / 2 + marker.quiet
    return tuple((centre[0] + dx * half, centre[1] + dy * half) for dx, dy in ((-1, 1), (1, 1), (1, -1), (-1, -1)))


def _ring(points: Iterable[Point], z: float) -> list[tuple[float, float, float]]:
    return [(x, y, z) for x, y in points]


def _space(game: Game[Any, Any], site: SiteSpec) -> tuple[SiteSpec, Extent]:
    """Where what is on a site may be: the site, or all of the site that it is on, and the space over it."""
    extent = site_extents(game)[site.kind]
    if not site.on:
        return site, extent
    host = next(other for other in game.sites if other.name == site.on)
    below = site_extents(game)[host.kind]
    return host, Extent(below.outline, below.height + extent.height)


def _slack(site: SiteSpec, usual: float) -> float:
    return SLACK_BESIDE if site.on_table and not site.loose else usual
