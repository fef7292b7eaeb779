"""The forms of things that stand on a level, and what they hide of it from the camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np

from companion.games.looks import Ball, Look, Prism, regular
from companion.vision.geometry.grid import beside_rim
from companion.vision.geometry.lens import Array
from companion.vision.geometry.points import in_picture
from companion.vision.geometry.pose import Pose
from companion.vision.geometry.raster import UNSURE, Paints, rasterise

STEP = 1.5
"""Millimetres between points of the lattice."""

INNER = 2.5
"""Millimetres from the edge of a thing's upper side to where it surely shows."""

DARK = (0.15, 0.4)
"""How often a thing's upper faces and its sides lie in deep shade."""

Window = tuple[slice, slice]


class Shape(NamedTuple):
    """Masks of what a thing covers with its upper faces and with its sides, and of the border around; their middle is
    its place. `pad`: half their size, in points.
    """

    upper: Array
    sides: Array
    border: Array
    pad: int


@dataclass(frozen=True, slots=True)
class Level:
    """The lattice: pixels `at` (rows, columns, 2) of its points, and which the picture holds; `low` (x, y) in mm is
    where the first one is. `camera` (3,) relative to the board frame, `z` the height of the level. `shapes` are kept
    here once they were drawn.
    """

    at: Array
    inside: Array
    low: Array
    camera: Array
    z: float
    shapes: dict[tuple[bytes, bytes], Shape] = field(default_factory=dict)

    @classmethod
    def over(cls, pose: Pose, low: Array, high: Array, z: float) -> Level:
        """The lattice from `low` to `high` (mm) at height `z`."""
        columns, rows = np.ceil((high - low) / STEP).astype(int) + 1
        x, y = np.meshgrid(low[0] + np.arange(columns) * STEP, low[1] + np.arange(rows) * STEP)
        at = pose.project(np.stack([x, y, np.full_like(x, z)], axis=-1).reshape(-1, 3)).reshape(rows, columns, 2)
        return cls(at, in_picture(at, pose.lens.size), np.asarray(low, np.float64), pose.camera, z)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.at.shape[0], self.at.shape[1]

    def window(self, centre: Array, reach: float) -> Window:
        """The part of the lattice within `reach` mm of a point (2,), along both axes."""
        first = np.maximum(np.rint((centre - reach - self.low) / STEP).astype(int), 0)
        last = np.rint((centre + reach - self.low) / STEP).astype(int) + 1
        return slice(int(first[1]), int(last[1])), slice(int(first[0]), int(last[0]))

    def part(self, windows: Sequence[Window]) -> Level:
        """The part of the lattice that holds some windows."""
        rows, columns = (
            slice(min(part.start for part in parts), max(part.stop for part in parts))
            for parts in zip(*windows, strict=True)
        )
        low = self.low + np.array([columns.start, rows.start]) * STEP
        return Level(self.at[rows, columns], self.inside[rows, columns], low, self.camera, self.z, self.shapes)

    def number(self, points: Array) -> Array:
        """The numbers (n,), counted along the rows, of the lattice's points nearest to points (n, 2) in mm."""
        columns, rows = np.rint((points - self.low) / STEP).astype(int).T
        numbers: Array = np.clip(rows, 0, self.shape[0] - 1) * self.shape[1] + np.clip(columns, 0, self.shape[1] - 1)
        return numbers

    def fill(self, mask: Array, outlines: Sequence[Array]) -> None:
        """Sets to 1 what convex outlines (n, 2), in mm, hold of a mask of the lattice (8 bits)."""
        for outline in outlines:
            cv2.fillConvexPoly(mask, np.rint((outline - self.low) / STEP * 16).astype(np.int32), 1, cv2.LINE_8, 4)

    def along(self, outlines: Sequence[Array], by: float) -> tuple[Array, Array]:
        """Pixels (n, 2) so many mm inside and outside the outline of all that convex outlines (n, 2), in mm, hold."""
        mask = np.zeros(self.shape, np.uint8)
        self.fill(mask, outlines)
        inside, outside = beside_rim(mask, by / STEP)
        return self._seen_at(inside), self._seen_at(outside)

    def _seen_at(self, places: Array) -> Array:
        """Pixels (n, 2) of places (n, 2) between the points: columns and rows."""
        at, (columns, rows) = self.at.astype(np.float32), np.hsplit(places.astype(np.float32), 2)
        return np.asarray(cv2.remap(at, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))[:, 0]

    def points(self, window: Window) -> Array:
        """Where the points of a window are (rows, columns, 2), in mm of the board frame."""
        y, x = (low + np.arange(part.start, part.stop) * STEP for low, part in zip(self.low[::-1], window, strict=True))
        points = np.empty((len(y), len(x), 2))
        points[..., 0], points[..., 1] = x, y[:, None]
        return points


class Thing:
    """A label with its form, turned clockwise by `turn` degrees: `corners` (n, 3) of all its solids, mm,
    `form` the same as a key. `colour`, of
    its upper faces, and `sides`: its paints, one as likely as the other, and what they look like in deep shade.
    """

    def __init__(self, label: str, look: Look, paints: Paints, turn: float = 0.0) -> None:
        self.label, self.turn = label, turn
        self.solids = [_turned(_corners(solid), turn) for solid in look]
        self.corners = np.concatenate(self.solids)
        self.form = self.corners.tobytes()
        colours = [solid.colour for solid in look]
        colours += [mark.colour for solid in look if isinstance(solid, Prism) for mark in solid.marks]
        numbers = tuple(dict.fromkeys(paints.number(colour) for colour in colours))
        self._face = rasterise(look, paints)
        self.colour, self.sides = (
            (
                *((number, (1 - dark) / len(numbers)) for number in numbers),
                *((paints.shaded(number), dark / len(numbers)) for number in numbers),
            )
            for dark in DARK
        )

    @cached_property
    def radius(self) -> float:
        """Of the circle about its footprint, mm."""
        return float(np.linalg.norm(self.corners[:, :2], axis=1).max())

    @cached_property
    def area(self) -> float:
        """Of its footprint, square mm."""
        return float(cv2.contourArea(cv2.convexHull(self.corners[:, :2].astype(np.float32))))

    @cached_property
    def height(self) -> float:
        """Of its highest point, mm."""
        return float(self.corners[:, 2].max())

    def outlines(self, level: Level, place: Array) -> list[Array]:
        """What it hides of the level when it stands at `place` (2,): a convex outline (n, 2) for each of its solids, in
        mm of the board frame.
        """
        return [_hidden(level, corners, place) for corners in self.solids]

    def uppers(self, level: Level, place: Array) -> list[Array]:
        """The same for the upper faces of its solids alone."""
        return [_hidden(level, corners[len(corners) // 2 :], place) for corners in self.solids]

    def upper(self, pose: Pose, place: Array, z: float) -> tuple[Array, Array]:
        """Pixels (n, 2) in the middle of its upper side, when it stands at `place` (2,) on a level at height `z`, and
        the numbers (n,) of the paints that show there.
        """
        corners = _turned(self.corners, -self.turn)
        low, high = corners.min(axis=0) + INNER, corners.max(axis=0) - INNER
        x, y = np.meshgrid(np.arange(low[0], high[0], 1.0), np.arange(low[1], high[1], 1.0))
        points = np.column_stack([x.ravel(), y.ravel()])
        shown = self._face.at(points)
        points, shown = points[shown < UNSURE], shown[shown < UNSURE]
        seen = _turned(np.column_stack([points, np.full(len(points), z + 0.8 * self.height)]), self.turn)
        return pose.project(seen + np.array([*place, 0.0])), shown


def _turned(points: Array, turn: float) -> Array:
    """Points (n, 3) turned clockwise about the z axis, by degrees."""
    a = np.radians(turn)
    turned: Array = points @ np.array([[np.cos(a), -np.sin(a), 0.0], [np.sin(a), np.cos(a), 0.0], [0.0, 0.0, 1.0]])
    return turned


def _hidden(level: Level, corners: Array, place: Array) -> Array:
    """What the hull of `corners` (n, 3) hides of the level: a convex outline (n, 2) in mm of the board frame."""
    part = (level.camera[2] - level.z) / (level.camera[2] - level.z - corners[:, 2:])
    shadow = level.camera[:2] + (corners[:, :2] + place - level.camera[:2]) * part
    return np.asarray(cv2.convexHull(shadow.astype(np.float32))).reshape(-1, 2)


def _corners(solid: Prism | Ball) -> Array:
    if isinstance(solid, Ball):
        foot, low, high = np.array(regular(8, solid.diameter / 2, centre=solid.centre)), solid.z, solid.z
    else:
        foot, low, high = np.array(solid.footprint), solid.z0, solid.z1
    return np.concatenate([np.column_stack([foot, np.full(len(foot), z)]) for z in (low, high)])
