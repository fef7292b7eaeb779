"""Which points of the picture's grid a look covers, with which of its surfaces, and how high the line of sight is met.

Of two things on one line of sight, the camera sees the one that it meets higher up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

import cv2
import numpy as np

from companion.games.looks import Area, Ball, Look, Prism, Solid, regular
from companion.games.sites import SiteSpec
from companion.vision.geometry.grid import Grid
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import on_board
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import NOTHING, UNSURE, Paints, Raster
from companion.vision.light.surfaces import ROUND, UP, Surface, facing

RIM = 255
"""Slot of points that may show the thing or what is beside it."""

MARGIN = 0.55
"""Millimetres by which a thing may lie off its place, with the half of a point that a picture is unsharp."""

CORNERS = 8
"""Up to so many corners, a prism's sides are seen one by one; beyond, it is round."""

Parts = list[list[tuple[Array, "_Height"]]]
"""Outlines (n, 2) of a solid's surfaces on the grid, each with how high it is; none of those that nobody sees."""

_SHIFT = 5
_BELOW = -1e4


@dataclass(frozen=True, slots=True)
class Patch:
    """Points `at` (n,) of the flattened grid, the slot (n,) of the surface that shows there (or `RIM`), and how high
    (n,) the line of sight meets it, in mm. `whole`: how many points there would be if the grid had no end.
    """

    at: Array
    slot: Array
    z: Array
    whole: int


class Shape:
    """A look without its colours: looks of one shape are drawn once. `surfaces`: of its slots, in order; `bared`: for
    each solid, whether its upper face is seen by itself.
    """

    def __init__(self, look: Look, angle: float, paints: Paints) -> None:
        self.surfaces: list[Surface] = []
        self.bared = tuple(not any(_caps(other, solid) for other in look) for solid in look)
        for solid, bared in zip(look, self.bared, strict=True):
            self.surfaces.extend(_surfaces_of(solid, bared, angle, paints))
        numbers = [surface.paint for surface in self.surfaces]
        self.groups = tuple(numbers.index(number) + 1 for number in numbers)  # slots of one paint have one group
        self.key = (tuple(_plain(solid) for solid in look), self.groups)


def _plain(solid: Solid) -> Solid:
    """A solid without its colours."""
    if isinstance(solid, Ball):
        return solid._replace(colour=(0, 0, 0))
    return solid._replace(colour=(0, 0, 0), marks=())


def _caps(upper: Solid, lower: Solid) -> bool:
    """Whether a solid stands amid the upper face of a round one and has its colour: both are one turned body."""
    if not isinstance(lower, Prism) or len(lower.footprint) <= CORNERS or upper.colour != lower.colour:
        return False
    base = upper.z0 if isinstance(upper, Prism) else upper.z - upper.diameter / 2
    if base < lower.z0 or abs(base - lower.z1) >= 1.0:
        return False
    foot = np.mean(upper.footprint, axis=0) if isinstance(upper, Prism) else np.array(upper.centre)
    aside = float(np.hypot(*(foot - np.mean(lower.footprint, axis=0))))
    return aside < 1.0


def _surfaces_of(solid: Solid, bared: bool, angle: float, paints: Paints) -> list[Surface]:
    """The surfaces of a solid: its upper face, if it is seen by itself, then its sides."""
    paint = paints.number(solid.colour)
    if isinstance(solid, Ball):
        return [Surface(paint, ROUND)]
    top, marks = paint, list[int]()
    for mark in solid.marks:
        if isinstance(mark, Area) and set(mark.corners) == set(solid.footprint):
            top, marks = paints.number(mark.colour), []
        else:
            marks.append(paints.number(mark.colour))
    printed = tuple(sorted(set(marks) - {top}))
    if len(solid.footprint) > CORNERS:
        return [Surface(top, UP, printed)] * bared + [Surface(paint, ROUND)]
    return [
        Surface(top, UP, printed),
        *(Surface(paint, facing(normal)) for normal in _normals(_turned(np.array(solid.footprint), angle))),
    ]


def _turned(points: Array, angle: float) -> Array:
    return on_board(SiteSpec("", "", (0.0, 0.0, 0.0), angle, (), 0.0), points)


def _normals(outline: Array) -> Array:
    """Outward normals (n, 2) of the sides of a convex outline that runs clockwise."""
    along = np.roll(outline, -1, axis=0) - outline
    normals = np.column_stack([-along[:, 1], along[:, 0]])
    inwards = ((outline.mean(axis=0) - outline) * normals).sum(axis=1) > 0
    normals[inwards] *= -1
    lengths: Array = np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    return normals / lengths


class Draughtsman:
    """Draws looks on the grid of one pose."""

    def __init__(self, pose: Pose, grid: Grid) -> None:
        self.pose, self.grid = pose, grid
        reach = max(1, round(MARGIN * grid.scale + 0.5))
        self._kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
        self._pad = reach + 1
        self._known: dict[object, Parts] = {}

    def draw(self, look: Look, shape: Shape, site: SiteSpec, place: tuple[float, float, float]) -> Patch:
        """The points that a look of a shape covers on a site, whose frame is at `place`."""
        return self.draw_growing([look], [shape], site, place)[0]

    def draw_growing(
        self, looks: Sequence[Look], shapes: Sequence[Shape], site: SiteSpec, place: tuple[float, float, float]
    ) -> list[Patch]:
        """The same for looks of which each has all that is in the one before, and more."""
        parts = [
            part
            for solid, bared in zip(looks[-1], shapes[-1].bared, strict=True)
            for part in self._parts_of(solid, bared, site, place)
        ]
        corners = np.nan_to_num(np.concatenate([outline for part in parts for outline, _ in part]))
        low = np.floor(corners.min(axis=0)).astype(int) - self._pad
        size = np.ceil(corners.max(axis=0)).astype(int) + self._pad + 1 - low
        window = _Window(low, (int(size[1]), int(size[0])), self.grid)
        patches, drawn = [], 0
        for shape in shapes:
            for slot in range(drawn, len(shape.groups)):
                for outline, height in parts[slot]:
                    window.fill(outline, slot, height)
            drawn = len(shape.groups)
            patches.append(window.patch(shape.groups, self._kernel))
        return patches

    def _parts_of(self, solid: Solid, bared: bool, site: SiteSpec, place: tuple[float, float, float]) -> Parts:
        """The parts of a solid, which many looks of one site may have."""
        key = _plain(solid), bared, site.angle, place
        if key not in self._known:
            self._known[key] = self._parts(solid, bared, site, place)
        return self._known[key]

    def _parts(self, solid: Solid, bared: bool, site: SiteSpec, place: tuple[float, float, float]) -> Parts:
        """Convex outlines on the grid of each surface, in the order of the slots, with their heights; none of those
        that the camera cannot see.
        """
        camera, z = self.grid.camera, place[2]
        if isinstance(solid, Ball):
            x, y = on_board(site._replace(centre=place), np.array([solid.centre]))[0]
            centre = np.array([x, y, z + solid.z])
            return [[(self._places(_disc(centre, camera, solid.diameter / 2)), _Height.level(centre[2]))]]
        foot = on_board(site._replace(centre=place), np.array(solid.footprint))
        low, high = z + solid.z0, z + solid.z1
        rings = np.concatenate([np.column_stack([foot, np.full(len(foot), level)]) for level in (high, low)])
        at = self._places(rings)
        top, bottom = at[: len(foot)], at[len(foot) :]
        if len(foot) > CORNERS:
            hull = cv2.convexHull(at.astype(np.float32)).reshape(-1, 2)
            middle = foot.mean(axis=0)
            towards = (camera[:2] - middle) / max(1e-6, float(np.linalg.norm(camera[:2] - middle)))
            front = middle + towards * 0.6 * np.linalg.norm(foot - middle, axis=1).max()
            side = (hull, _Height(towards, float(front @ towards), low, high - 0.01))
            face = (top, _Height.level(high))
            return [[face], [side]] if bared else [[side, face]]
        parts = [[(top, _Height.level(high))]]
        after = [*range(1, len(foot)), 0]
        for k, normal in enumerate(_normals(foot)):
            seen = (camera[:2] - foot[k]) @ normal > 0
            quad = np.array([top[k], top[after[k]], bottom[after[k]], bottom[k]])
            height = _Height(normal, float(foot[k] @ normal), low, high - 0.01)
            parts.append([(quad, height)] if seen else [])
        return parts

    def _places(self, points: Array) -> Array:
        return self.grid.places(self.pose.project(points))

    def draw_flat(self, raster: Raster, site: SiteSpec, place: tuple[float, float, float], z: float) -> Patch:
        """The points of a flat piece with all that is printed on it; slots are numbers of paints.

        `z`: the height of its face over the site.
        """
        height, width = raster.values.shape
        (x0, y0), step = raster.origin, 0.25
        corners = np.array([(x0, y0), (x0 + width * step, y0), (x0 + width * step, y0 + height * step)])
        corners = np.concatenate([corners, [(x0, y0 + height * step)]])
        here = site._replace(centre=place)
        places = self._places(np.column_stack([on_board(here, corners), np.full(4, place[2] + z)]))
        rows, columns = self.grid.shape
        low = np.clip(np.floor(places.min(axis=0)).astype(int), 0, (columns, rows))
        high = np.clip(np.ceil(places.max(axis=0)).astype(int) + 1, 0, (columns, rows))
        y, x = np.mgrid[low[1] : high[1], low[0] : high[0]]
        ground, camera = self.grid.ground[y, x].reshape(-1, 2), self.grid.camera
        points = ground + (camera[:2] - ground) * ((place[2] + z) / camera[2])
        a = np.radians(site.angle)
        own = (points - place[:2]) @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        shown = raster.at(own)
        keep = shown != NOTHING
        slot = np.where(shown == UNSURE, RIM, shown)[keep].astype(np.uint8)
        at = (y * columns + x).ravel()[keep]
        return Patch(at, slot, np.full(len(at), place[2] + z, np.float32), len(at))


class _Height:
    """How high a line of sight meets a face: a level one, or an upright one in the plane normal · (x, y) = distance."""

    def __init__(self, normal: Array, distance: float, low: float, high: float) -> None:
        self.normal, self.distance, self.low, self.high = normal, distance, low, high

    @classmethod
    def level(cls, z: float) -> _Height:
        """A level face."""
        return cls(np.zeros(2), 0.0, z, z)

    def at(self, ground: Array, camera: Array) -> Array:
        """Heights (...) for lines of sight from `camera` that meet the board's plane at `ground` (..., 2)."""
        foot = ground @ self.normal
        slope = camera[:2] @ self.normal - foot
        z: Array = camera[2] * (self.distance - foot) / np.where(np.abs(slope) < 1e-3, 1e-3, slope)
        return np.clip(z, self.low, self.high)


class _Window:
    """A part of the endless grid on which one look is drawn."""

    def __init__(self, low: Array, shape: tuple[int, int], grid: Grid) -> None:
        self.low, self.shape, self.grid = low, shape, grid
        self.slot = np.zeros(shape, np.uint8)  # 0: nothing, else the slot's number and 1
        self.z = np.full(shape, _BELOW, np.float32)
        rows, columns = (np.arange(n) + start for n, start in zip(shape, low[::-1], strict=True))
        if (low >= 0).all() and rows[-1] < grid.shape[0] and columns[-1] < grid.shape[1]:
            self._ground = grid.ground[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        else:
            inside = np.clip(rows, 0, grid.shape[0] - 1), np.clip(columns, 0, grid.shape[1] - 1)
            self._ground = grid.ground[np.ix_(*inside)]

    def fill(self, outline: Array, slot: int, height: _Height) -> None:
        """Draws a convex face where nothing higher is in the way; none of which some lies behind the camera."""
        if not np.isfinite(outline).all():
            return
        low, high = outline.min(axis=0), outline.max(axis=0)
        left, top = max(0, floor(low[0] - self.low[0]) - 1), max(0, floor(low[1] - self.low[1]) - 1)
        right, bottom = ceil(high[0] - self.low[0]) + 2, ceil(high[1] - self.low[1]) + 2
        part = np.s_[top:bottom, left:right]
        slot_here, z_here = self.slot[part], self.z[part]
        if not slot_here.size:
            return
        mask = np.zeros(slot_here.shape, np.uint8)
        corners = np.round((outline - self.low - (left, top)) * (1 << _SHIFT)).astype(np.int32)
        cv2.fillConvexPoly(mask, corners, 1, cv2.LINE_8, _SHIFT)
        z: Array = np.array(height.low, np.float32)
        if height.low < height.high:
            z = height.at(self._ground[part], self.grid.camera).astype(np.float32)
        seen = (mask > 0) & (z > z_here)
        np.copyto(slot_here, slot + 1, where=seen)
        np.copyto(z_here, z, where=seen)

    def patch(self, groups: Sequence[int], kernel: Array) -> Patch:
        """What was drawn."""
        group = np.array([0, *groups], np.uint8)[self.slot]
        changes = cv2.dilate(group, kernel) != cv2.erode(group, kernel)
        z = np.where(self.slot > 0, self.z, cv2.dilate(self.z, kernel))
        slot = np.where(changes, RIM, self.slot - 1)
        y, x = np.nonzero((self.slot > 0) | changes)
        rows, columns = y + self.low[1], x + self.low[0]
        limit = self.grid.shape
        inside = (rows >= 0) & (columns >= 0) & (rows < limit[0]) & (columns < limit[1])
        y, x, at = y[inside], x[inside], (rows * limit[1] + columns)[inside]
        return Patch(at, slot[y, x], z[y, x], len(rows))


def _disc(centre: Array, camera: Array, radius: float) -> Array:
    """The outline (16, 3) of a ball as the camera sees it."""
    sight = (camera - centre) / np.linalg.norm(camera - centre)
    side = np.cross(sight, (1.0, 0.0, 0.0) if abs(sight[0]) < 0.9 else (0.0, 1.0, 0.0))
    side /= np.linalg.norm(side)
    angles = np.arange(16)[:, None] * (2 * np.pi / 16)
    circle: Array = centre + radius * (np.cos(angles) * side + np.sin(angles) * np.cross(sight, side))
    return circle


def around_site(pose: Pose, grid: Grid, site: SiteSpec, radius: float, reach: Array) -> Array:
    """The points (n,) within `radius` mm of a site, and those which its things may cover."""
    if not len(reach):
        return reach
    ring = np.array(regular(16, radius))
    at = grid.places(pose.project(np.column_stack([on_board(site, ring), np.full(16, site.centre[2])])))
    corners = np.round(np.clip(at, -1, np.array(grid.shape[::-1]))).astype(np.int32)
    rows, columns = np.divmod(reach, grid.shape[1])
    low = np.maximum(np.minimum(corners.min(axis=0), (columns.min(), rows.min())), 0)
    high = np.minimum(np.maximum(corners.max(axis=0), (columns.max(), rows.max())), np.array(grid.shape[::-1]) - 1)
    mask = np.zeros((high - low + 1)[::-1], np.uint8)
    mask[rows - low[1], columns - low[0]] = 1
    cv2.fillConvexPoly(mask, corners - low.astype(np.int32), 1)
    y, x = np.nonzero(mask)
    around: Array = (y + low[1]) * grid.shape[1] + x + low[0]
    return around


def area_of(found: Sequence[Patch]) -> tuple[Array, Array]:
    """All points (n,) that some things cover, and how high (n,) the highest of them is met there."""
    at = np.concatenate([patch.at[patch.slot != RIM] for patch in found])
    z = np.concatenate([patch.z[patch.slot != RIM] for patch in found])
    order = np.lexsort((z, at))
    last = np.append(at[order][1:] != at[order][:-1], True)[: len(at)]
    return at[order][last], z[order][last]


def touching(areas: Sequence[Array], grid: Grid) -> list[frozenset[int]]:
    """For each site those whose things may hide its own, or be hidden."""
    boxes = []
    for at in areas:
        rows, columns = np.divmod(at, grid.shape[1])
        box = (rows.min(), rows.max(), columns.min(), columns.max()) if len(at) else (0, -9, 0, -9)
        boxes.append(box)
    top, bottom, left, right = np.array(boxes).T
    near = (
        (top[:, None] <= bottom + 2)
        & (bottom[:, None] >= top - 2)
        & (left[:, None] <= right + 2)
        & (right[:, None] >= left - 2)
    )
    np.fill_diagonal(near, False)
    return [frozenset(np.flatnonzero(row).tolist()) for row in near]
