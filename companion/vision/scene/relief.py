"""How blocks of several heights that stand side by side would look, and how well that fits the picture.

Everything is laid out on the ground, where each block is a shadow of simple shape as the camera sees it: its top is
its footprint, grown about the point under the camera; its sides lie between both; nearer blocks hide farther ones. How
bright each surface is, where exactly the block stands and how large it looks are free within what may be, and are
fitted for each height by itself (iteratively reweighted least squares). So all that tells the height counts together:
how large the top is, how far it is displaced, how long the sides are, and what is hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import UNSURE, Paints, Raster
from companion.vision.light.palette import linear, sample

GREY = np.array([0.2, 0.4, 0.4], np.float32)
"""Weights of linear blue, green and red."""

DENSE = 1.25
"""Pixels between points of the ground."""

AROUND, BAND = 3.0, 3.0
"""Millimetres around all shadows of a block that are looked at, and over which the ground beside it may be shaded."""

SHIFT, SIZE = 0.4, 0.1
"""How far (mm) a block typically stands off its place each way, and how much larger or smaller (each side) it looks."""

TAILS = 4.0
"""Degrees of freedom of what a pixel differs by: some show something else altogether."""

EACH = 0.04
"""As how many independent pixels one counts: shades and edges are never quite as they are drawn."""

EDGE = 0.2
"""How far (points of the ground) edges are off beside all that is fitted."""

QUIET = 2.0
"""Grey levels of noise at least."""

FLOOR = 0.004
"""Added to linear grey before its root is taken: noise in the dark."""

BESIDE = 1.5
"""Millimetres around things that hide blocks in which nothing is believed."""

FREE = (SHIFT, SHIFT, SIZE)

FARTHEST, DARKEST = 1.6, 5e-4
"""Limits of a shift (mm) and of the brightness of a surface (linear grey)."""

TOLERANT = (25.0, 8.0, 2.0, 1.0)
"""How much heavier the tails are in each round of a fit: edges that are still off their places have to pull."""

TOP, SIDE, GAP, LINE, GROUND, SHADE = (1.0, 0.6), (0.6, 0.5), (0.3, 0.35), (0.5, 0.35), (1.0, 0.6), (0.0, 0.4)
"""Brightness and its spread: of tops and sides relative to the top; of the ground in gaps, of grooves, of the free
ground and of shadows on it relative to the ground.
"""


@dataclass(frozen=True)
class Solids:
    """The blocks: `corners` (k, 2) of the footprint in order, unit `normals` (k, 2) of its sides, `reach` (k,): their
    distances from the middle; `heights` (labels,) in mm, 0 for none; `centres` (sites, 2); the `level` they stand on.
    """

    corners: Array
    normals: Array
    reach: Array
    heights: Array
    centres: Array
    level: float

    @property
    def gap(self) -> float:
        """Half the distance between neighbours' sides."""
        apart = np.linalg.norm(self.centres[:, None] - self.centres, axis=2)
        return float(apart[apart > 0].min() / 2 - self.reach.min())


class Fit(NamedTuple):
    """How a label fits: a log likelihood, the block's shift (2,) and size (mm), the top's brightness (linear grey)."""

    score: float
    shift: Array
    size: float
    top: float


@dataclass
class Stand:
    """What is taken to stand: `label` (sites,), `shift` (sites, 2) in mm, brightness of the `top` (sites,); `size` (mm,
    by label): how much smaller blocks look on each side; brightness of the free `ground`.
    """

    label: Array
    shift: Array
    top: Array
    size: Array
    ground: float


Surface = tuple[Array, tuple[float, float]]
"""How much of each point shows a surface, and how bright it is expected to be: mean and spread."""


class Cover(NamedTuple):
    """Parts (0 to 1) of points that a block covers with its top and altogether, which face its side shows there, how
    far (mm) they are outside, which faces the camera sees; how top and all change with a shift (2, points) and size.
    """

    top: Array
    whole: Array
    face: Array
    outside: Array
    seen: Array
    top_by_shift: Array
    whole_by_shift: Array
    top_by_size: Array


@dataclass(frozen=True, slots=True)
class Nudged(Pose):
    """A pose where what stands on `level` (mm) shows the board to lie `offset` (2,) mm away, and the camera to be at
    `place` (3,) over that level, which itself stays where it is in the picture.
    """

    level: float = 0.0
    offset: tuple[float, float] = (0.0, 0.0)
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def camera(self) -> Array:
        """The camera's place (3,) in the board frame (mm)."""
        return np.add(self.place, (-self.offset[0], -self.offset[1], self.level))

    def project(self, points: Array) -> Array:
        """Pixels (n, 2) of points (n, 3) in the board frame (mm)."""
        over = np.subtract(self.place[2] + self.level, points[:, 2:])
        ground = self.place[:2] + (points[:, :2] + self.offset - self.place[:2]) * (self.place[2] / over)
        return Pose.project(self, np.column_stack([ground, np.full(len(ground), self.level)]))


class Relief:
    """The ground under one pose."""

    def __init__(self, solids: Solids, pose: Pose, board: Raster, paints: Paints) -> None:
        self.solids, self._pose = solids, pose
        camera = pose.camera - (0.0, 0.0, solids.level)
        self.camera, self.offset = camera, np.zeros(2)
        self.growth = camera[2] / (camera[2] - solids.heights)
        self.scale = pose.scale(np.array([*solids.centres.mean(axis=0), solids.level]))
        self.step = float(np.clip(DENSE / self.scale, 0.85, 1.3))
        far = camera[:2] + (solids.centres - camera[:2]) * self.growth.max()
        around = np.abs(solids.corners).max() * self.growth.max() + AROUND
        low = np.minimum(solids.centres, far) - around
        high = np.maximum(solids.centres, far) + around
        self.origin = low.min(axis=0)
        self.shape = tuple(np.ceil((high.max(axis=0) - self.origin) / self.step).astype(int)[::-1] + 1)
        y, x = np.mgrid[: self.shape[0], : self.shape[1]]
        self.places = np.column_stack([x.ravel(), y.ravel()]) * self.step + self.origin
        self.from_camera = (self.places - camera[:2]).astype(np.float32)
        at = np.column_stack([self.places, np.full(len(self.places), solids.level)])
        self.at = pose.project(at).astype(np.float32)
        self.order = np.argsort(-np.linalg.norm(solids.centres - camera[:2], axis=1))
        self.rank = np.argsort(self.order)
        self._paint(board, paints)
        self._divide(low, high)
        self.soften(0.7)

    def _paint(self, board: Raster, paints: Paints) -> None:
        seen = board.at(self.places)
        grey = linear(np.array(paints.colours, np.float64))[:, ::-1] @ GREY
        place = int(board.at(self.solids.centres[:1])[0])
        bright = np.zeros(256)
        bright[: len(grey)] = grey / grey[place]
        bright = np.where(seen < UNSURE, bright[np.minimum(seen, 255)], 0.0).reshape(self.shape)
        self._plain = ((seen == place).reshape(self.shape)).astype(np.float32)
        self.known = cv2.erode((bright > 0).astype(np.uint8), np.ones((3, 3))).ravel() > 0

    def _divide(self, low: Array, high: Array) -> None:
        """Which points belong to which site, and which are looked at with it."""
        solids, everything = self.solids, np.arange(len(self.places)).reshape(self.shape)
        nearest = np.full(len(self.places), -1)
        distance = np.full(len(self.places), np.inf)
        self.points = []
        for site in range(len(solids.centres)):
            first = np.floor((low[site] - self.origin) / self.step).astype(int)
            last = np.ceil((high[site] - self.origin) / self.step).astype(int) + 1
            box = everything[first[1] : last[1], first[0] : last[0]].ravel()
            away = ((self.places[box] - solids.centres[site]) @ solids.normals.T - solids.reach).max(axis=1)
            closer = away < distance[box]
            distance[box[closer]], nearest[box[closer]] = away[closer], site
            tallest = self.cover(site, int(self.growth.argmax()), np.zeros(2), 0.0, box, soft=1.0)
            self.points.append(box[tallest.outside < AROUND])
        self.nearest, self.in_cell = nearest, distance < solids.gap
        apart = np.linalg.norm(solids.centres[:, None] - solids.centres, axis=2)
        near = 4.5 * solids.reach.min()
        self.near = [[int(j) for j in self.order if 0 < apart[site, j] < near] for site in range(len(apart))]

    def adjust(self, offset: Array, camera: Array) -> None:
        """Takes the board to lie `offset` (2,) mm and the camera to be `camera` (3,) mm away from where they were."""
        self.offset = self.offset + offset
        self.camera = self.camera + camera
        self.growth = self.camera[2] / (self.camera[2] - self.solids.heights)
        self.from_camera = self.from_camera - camera[:2].astype(np.float32)

    @property
    def nudged(self) -> Nudged:
        """The pose as it was last adjusted."""
        pose = {field.name: getattr(self._pose, field.name) for field in fields(Pose)}
        x, y, z = self.camera.tolist()
        return Nudged(**pose, level=self.solids.level, offset=(self.offset[0], self.offset[1]), place=(x, y, z))

    def soften(self, pixels: float) -> None:
        """Sets how soft edges are: a standard deviation in pixels."""
        self.soft = float(pixels / self.scale * np.sqrt(12))
        plain = cv2.GaussianBlur(self._plain, (0, 0), max(0.3, pixels / self.scale / self.step)).ravel()
        self.plain = np.where(self.known, plain, 0.0).astype(np.float32)

    def see(self, image: Array) -> None:
        """Takes a picture in."""
        self.grey = linear(sample(image, self.at)).astype(np.float32) @ GREY
        self.seen = encoded(self.grey).astype(np.float32)
        picture = self.seen.reshape(self.shape)
        change = [cv2.Sobel(picture, cv2.CV_32F, dx, 1 - dx, scale=1 / 8) for dx in (0, 1)]
        rough = np.abs(picture - cv2.GaussianBlur(picture, (0, 0), 1.5)).ravel()
        noise = max(QUIET, 2.0 * float(np.median(rough[self.known])))
        height, width = image.shape[:2]
        inside = ((self.at >= 1) & (self.at <= (width - 2, height - 2))).all(axis=1)
        self.weight = np.where(inside & self.known, 1 / np.hypot(noise, EDGE * np.hypot(*change).ravel()), 0.0)
        self.weight = self.weight.astype(np.float32)

    def hide(self, feet: Sequence[tuple[float, float, float]], radius: float, height: float) -> Array:
        """Takes no notice of points before which things of that radius and height (mm) stand; the sites concerned."""
        hidden = np.zeros(len(self.places), bool)
        for x, y, z in feet:
            ends = []
            for top in (z, z + height):
                growth = self.camera[2] / (self.camera[2] - (top - self.solids.level))
                ends.append((np.array([x, y]) - self.camera[:2]) * growth)
            along = ends[1] - ends[0]
            part = np.clip((self.from_camera - ends[0]) @ along / max(float(along @ along), 1e-9), 0, 1)
            away = self.from_camera - ends[0] - part[:, None] * along
            hidden |= np.hypot(away[:, 0], away[:, 1]) < radius + BESIDE
        self.weight = np.where(hidden, np.float32(0), self.weight)
        return np.array([site for site, points in enumerate(self.points) if hidden[points].any()], np.intp)

    def cover(self, site: int, label: int, shift: Array, size: float, points: Array, soft: float = 0.0) -> Cover:
        """What a block covers of points (indices)."""
        solids, width = self.solids, np.float32(soft or self.soft)
        growth, normals = np.float32(self.growth[label]), solids.normals.astype(np.float32)
        xy = self.from_camera.take(points, axis=0).T
        middle = solids.centres[site] + self.offset + shift - self.camera[:2]
        base = solids.normals @ middle + solids.reach
        level = (base - size) * self.growth[label]
        along = normals @ xy
        beyond = along - level.astype(np.float32)[:, None]
        over_top, face = _farthest(beyond)
        over, edge = _farthest(along - np.maximum(base, level).astype(np.float32)[:, None])
        moves = (normals.T * np.where(base < 0, np.float32(1), growth)).take(edge, axis=1)
        if (base < 0).any():
            over, moves = self._silhouette(middle, xy, over, moves)
        top = np.clip(0.5 - over_top / width, 0, 1)
        whole = np.maximum(np.clip(0.5 - over / width, 0, 1), top)
        at_top = ((top > 0) & (top < 1)) / width
        at_edge = ((whole > 0) & (whole < 1)) / width
        seen = np.flatnonzero(solids.normals @ (solids.centres[site] - self.camera[:2]) + solids.reach < 0)
        side = seen.take(_farthest(beyond[seen])[1]) if len(seen) else np.zeros(len(points), np.intp)
        by_shift = (at_top * (normals.T * growth).take(face, axis=1), at_edge * moves)
        return Cover(top, whole, side, over, seen, *by_shift, -at_top * growth)

    def reaches(self, site: int, label: int, shift: Array, size: float, points: Array) -> bool:
        """Whether a block may cover some of the points (indices): the camera sees them within its upper edges, or
        between these and its foot.
        """
        solids, normals = self.solids, self.solids.normals.astype(np.float32)
        base = solids.normals @ (solids.centres[site] + self.offset + shift - self.camera[:2]) + solids.reach
        outer = np.maximum(base, (base - size) * self.growth[label]).astype(np.float32) + np.float32(self.soft / 2)
        return bool((normals @ self.from_camera.take(points, axis=0).T < outer[:, None]).all(axis=0).any())

    def _silhouette(self, middle: Array, xy: Array, over: Array, moves: Array) -> tuple[Array, Array]:
        """With the two edges of the silhouette that lead away from the camera."""
        corners = middle + self.solids.corners
        turn = np.arctan2(corners[:, 1] * middle[0] - corners[:, 0] * middle[1], corners @ middle)
        for corner, sign in ((corners[turn.argmax()], -1.0), (corners[turn.argmin()], 1.0)):
            far = np.hypot(*corner)
            normal = (sign * np.array([corner[1], -corner[0]]) / far).astype(np.float32)
            distance = normal @ xy
            farther = distance > over
            over = np.where(farther, distance, over)
            along = (corner / far**2).astype(np.float32) @ xy
            moves = np.where(farther, along * normal[:, None], moves)
        return over, moves

    def fits(self, site: int, labels: Array, stand: Stand) -> list[Fit]:
        """How well each of some labels fits the picture on that site, everything else standing as it does."""
        scene = _Scene(self, site, stand)
        results = [scene.fit(int(label)) for label in labels]
        best = np.min([np.square(residual) for _, residual in results], axis=0)
        weight = scene.each / (1 + best / TAILS)  # what nothing explains has no say
        return [
            fit._replace(score=fit.score - 0.5 * (TAILS + 1) * float(weight @ np.log1p(np.square(residual) / TAILS)))
            for fit, residual in results
        ]


class _Scene:
    """What is around one site: the surfaces behind it (columns, points) and before it, how much shows between."""

    def __init__(self, relief: Relief, site: int, stand: Stand) -> None:
        self.relief, self.site, self.stand = relief, site, stand
        self.points = relief.points[site]
        self.each = EACH * (relief.step * relief.scale) ** 2
        self.plain, self.grey, self.seen, self.weight = (
            values.take(self.points) for values in (relief.plain, relief.grey, relief.seen, relief.weight)
        )
        place = self.relief.places.take(self.points, axis=0) - relief.solids.centres[site]
        self.sector = (place @ relief.solids.normals.T).argmax(axis=1)
        self.through = np.ones(len(self.points), np.float32)
        self.behind = self._ground()
        self.before: list[Surface] = []
        self._others()
        ground = [column for column, (mean, _) in self.behind if mean != LINE[0] * stand.ground]
        self.bare = np.sum(ground, axis=0) if ground else np.zeros(len(self.points), np.float32)

    def _ground(self) -> list[Surface]:
        relief, stand, site = self.relief, self.stand, self.site
        owner, inside = relief.nearest[self.points], relief.in_cell[self.points]
        own = inside & (owner == site)
        faces = range(len(relief.solids.normals))
        columns = [(self.plain * (own & (self.sector == k)), _scaled(GAP, stand.ground)) for k in faces]
        for other in np.unique(owner):
            for within in (True, False):
                mask = (owner == other) & (inside == within) & ~own
                if mask.sum() > 3:
                    part = GAP if within and stand.label[other] else GROUND
                    columns.append((self.plain * mask, _scaled(part, stand.ground)))
        line = np.where(relief.known[self.points], 1 - self.plain, 0).astype(np.float32)
        columns += [(line * mask, _scaled(LINE, stand.ground)) for mask in (own, ~own)]
        return [(column.astype(np.float32), prior) for column, prior in columns]

    def _others(self) -> None:
        relief, stand = self.relief, self.stand
        for other in relief.near[self.site]:
            label = int(stand.label[other])
            where = (other, label, stand.shift[other], stand.size[label], self.points)
            if relief.solids.heights[label] <= 0 or not relief.reaches(*where):
                continue
            cover = relief.cover(*where)
            surfaces = _surfaces(cover, stand.top[other])
            hidden = 1 - cover.whole
            if relief.rank[other] < relief.rank[self.site]:
                self.behind = [(column * hidden, prior) for column, prior in self.behind] + surfaces
            else:
                self.before = [(column * hidden, prior) for column, prior in self.before] + surfaces
                self.through = self.through * hidden

    def fit(self, label: int) -> tuple[Fit, Array]:
        """The fit of a label (score without the picture's part), and what is left of the picture (points,), in units
        of what it may differ by.
        """
        relief, points = self.relief, self.points
        weight = self.weight
        shift, size = np.zeros(2), float(self.stand.size[label])
        mean = spread = x = np.empty(0)
        for tolerant in (*TOLERANT, 0.0):
            cover = relief.cover(self.site, label, shift, size, points)
            columns, priors, first = self._columns(cover)
            count = len(priors)
            if not len(x):
                mean, spread = (np.append(a, b) for a, b in zip(np.array(priors).T, ((0, 0, size), FREE), strict=True))
                x = mean.copy()
            shown = np.maximum(x[:count].astype(np.float32) @ columns, 0)
            residual = (self.seen - encoded(shown)) * weight
            if not tolerant:
                break
            columns = np.concatenate([columns, self._changes(cover, x, first)])
            slopes = columns * (slope(shown) * weight)
            trusted = slopes * (self.each / (1 + np.square(residual) / (TAILS * tolerant)))
            normal = trusted @ slopes.T + np.diag(1 / spread**2)
            x = x + np.linalg.solve(normal, trusted @ residual + (mean - x) / spread**2)
            x[:count] = np.where(mean[:count] > 0, np.maximum(x[:count], DARKEST), x[:count])
            x[count:] = np.clip(x[count:], -FARTHEST, FARTHEST)
            shift, size = x[count : count + 2], float(x[count + 2])
        score = -0.5 * float(np.square((x - mean) / spread).sum())
        score -= 0.5 * float(np.linalg.slogdet(normal * spread[:, None] * spread)[1])
        return Fit(score, shift, size, float(x[first])), residual

    def _columns(self, cover: Cover) -> tuple[Array, list[tuple[float, float]], int]:
        """All surfaces (columns, points) with what is expected of them, and the number of the block's top."""
        free = self.through * (1 - cover.whole)
        parts = [(column * free, prior) for column, prior in self.behind]
        first = len(parts)
        core = self.grey[(cover.top > 0.99) & (self.through > 0.99)]
        top = float(np.median(core)) if len(core) > 20 else float(self.stand.top[self.site])
        parts += [(column * self.through, prior) for column, prior in _surfaces(cover, top, every=True)]
        parts += self.before
        beside = np.clip(1 - cover.outside / BAND, 0, 1) * self.bare * free
        shade = _scaled(SHADE, self.stand.ground)
        parts += [(beside * (self.sector == k), shade) for k in range(len(self.relief.solids.normals))]
        return np.array([column for column, _ in parts], np.float32), [prior for _, prior in parts], first

    def _changes(self, cover: Cover, x: Array, first: int) -> Array:
        """How the picture changes with the shift each way, and with the size (3, points)."""
        lit = np.float32(x[first])
        side = np.zeros(len(self.points), np.float32)
        for k, face in enumerate(cover.seen):
            side += np.float32(x[first + 1 + k]) * (cover.face == face)
        behind = x[:first].astype(np.float32) @ np.array([column for column, _ in self.behind], np.float32)
        shifted = [
            cover.top_by_shift[a] * lit
            + side * (cover.whole_by_shift[a] - cover.top_by_shift[a])
            - cover.whole_by_shift[a] * behind
            for a in (0, 1)
        ]
        beside = np.where(cover.whole - cover.top > 0.02, side, behind)
        return np.array([*shifted, cover.top_by_size * (lit - beside)], np.float32) * self.through


def _farthest(beyond: Array) -> tuple[Array, Array]:
    """The largest of each column (k, n), and its row (n,)."""
    most, row = beyond[0], np.zeros(beyond.shape[1], np.intp)
    for k, other in enumerate(beyond[1:], start=1):
        np.copyto(row, k, where=other > most)
        most = np.maximum(most, other)
    return most, row


def _surfaces(cover: Cover, top: float, every: bool = False) -> list[Surface]:
    """The top and the sides of a block, with their brightness."""
    mean, spread = _scaled(TOP, top)
    parts = [(cover.top, (mean, spread + 0.01))]
    side = cover.whole - cover.top
    for face in cover.seen:
        part = side * (cover.face == face)
        if every or part.max() > 0.05:
            mean, spread = _scaled(SIDE, top)
            parts.append((part, (mean, spread + 0.01)))
    return parts


def _scaled(part: tuple[float, float], by: float) -> tuple[float, float]:
    return part[0] * by, part[1] * by


def encoded(grey: Array) -> Array:
    """Grey levels, about as a picture has them, of linear grey."""
    levels: Array = 255 * np.sqrt(np.maximum(grey, 0) + FLOOR)
    return levels


def slope(grey: Array) -> Array:
    """How many grey levels a unit of linear grey is, there."""
    change: Array = 127.5 / np.sqrt(np.maximum(grey, 0) + FLOOR)
    return change
