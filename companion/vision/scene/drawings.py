"""Telling faces apart that differ in little, by their whole drawings.

Colours at points say little where a picture is coarse and faces differ in some square millimetres only. So each face
is drawn as softly as the picture may be, laid over the piece, moved as it fits best, and its paints take whatever
colours fit best: no colour has to be known, and no light. What is left unexplained tells which face it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import cv2
import numpy as np

from companion.games.looks import Look
from companion.vision.evidence import PIXELS
from companion.vision.geometry.lens import Array
from companion.vision.geometry.raster import NOTHING, STEP, Paints, Raster, rasterise

FINE = 1.0
"""Millimetres between the points of a drawing."""

SHIFT = 2
"""Points by which a piece may lie off its place, along each axis."""

SOFT = (0.5, 1.0, 1.6)
"""How blurred (standard deviation, mm) a drawing may be seen."""

FAINT = 1.0
"""Grey levels by which a pixel differs anyway from what it shows."""

LEAST = 0.25
"""Part of a face that has to be in sight for its drawing to say anything."""


class Drawings:
    """The drawings of faces, on a square grid within all of them."""

    def __init__(self, looks: Sequence[Look], paints: Paints) -> None:
        """Of `looks` without a face nothing can be told."""
        rasters = [rasterise(look, paints) if look else None for look in looks]
        known = [raster for raster in rasters if raster is not None]
        ends = np.concatenate([_ends(raster) for raster in known])
        low, high = ends.min(axis=0), ends.max(axis=0)
        x, y = (np.arange(np.ceil(a), b, FINE) for a, b in zip(low, high, strict=True))
        self._shape = len(y), len(x)
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        whole = np.all([raster.at(grid) != NOTHING for raster in known], axis=0).reshape(self._shape).astype(np.uint8)
        kernel = np.ones((2 * SHIFT + 3, 2 * SHIFT + 3), np.uint8)
        inner = cv2.erode(whole, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
        rows, columns = np.nonzero(inner)
        self.points = grid
        """Where a picture is looked at (n, 2), mm from the middle of the face."""
        moves = product(range(-SHIFT, SHIFT + 1), repeat=2)
        self._moved = np.stack([(rows + dy) * len(x) + columns + dx for dy, dx in moves], axis=1)  # (points, moves)
        at = grid[rows * len(x) + columns]
        self._drawn = {
            k: np.stack([_soft(raster, at, soft) for soft in SOFT]) for k, raster in enumerate(rasters) if raster
        }

    def seen(self, shows: Array) -> Array:
        """Where (n,) the face is seen, from where its paints show: elsewhere something hides it, but for the thin lines
        where paints meet.
        """
        strange = np.logical_not(shows).astype(np.uint8).reshape(self._shape)
        wide = cv2.morphologyEx(strange, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        seen: Array = np.asarray(wide).ravel() == 0
        return seen

    def scores(self, pixels: Array, seen: Array, which: Sequence[int]) -> Array:
        """How much likelier (natural logarithms) the faces with the numbers `which` are than one another, from `pixels`
        (n, 3) at the points, of which those `seen` (n,) show the face.
        """
        weight = seen.astype(np.float32)
        values = (pixels * weight[:, None]).take(self._moved, axis=0)  # several times quicker than by an index
        weight = weight.take(self._moved)
        count = weight.sum(axis=0)
        if count.min() < LEAST * len(self._moved):
            return np.zeros(len(which))
        own = values.transpose(1, 2, 0) @ values.transpose(1, 0, 2)  # (moves, 3, 3)
        lacks = [_lack(self._drawn[k], values, weight, own) - 3 * np.log(count)[:, None] for k in which]
        return -PIXELS / 2 * np.array([lack.min() for lack in lacks])


def _ends(raster: Raster) -> Array:
    """The corners (2, 2) of a raster, mm."""
    height, width = raster.values.shape
    return np.array(raster.origin) + STEP * np.array([[0, 0], [width - 1, height - 1]])


def _soft(raster: Raster, at: Array, soft: float) -> Array:
    """How much of each paint (paints, points) shows at points `at` (points, 2)."""
    numbers = [k for k in np.unique(raster.values).tolist() if k < NOTHING]
    planes = [(raster.values == number).astype(np.float32) for number in numbers]
    columns, rows = np.rint((at - raster.origin) / STEP).astype(np.intp).T
    return np.stack([cv2.GaussianBlur(plane, (0, 0), soft / STEP)[rows, columns] for plane in planes])


def _lack(drawn: Array, values: Array, weight: Array, own: Array) -> Array:
    """What is left (moves, drawn) of `values` (points, moves, 3) once each paint of what is `drawn` (drawn, paints,
    points) has the colour that fits best: the logarithm of its determinant. `weight` (points, moves) is 0 where
    nothing is seen, `own` (moves, 3, 3) what there is to explain.
    """
    softs, paints, points = drawn.shape
    pairs = (drawn[:, :, None] * drawn[:, None]).reshape(-1, points)
    normal = (weight.T @ pairs.T).reshape(-1, softs, paints, paints) + FAINT * np.eye(paints)
    mixed = drawn.reshape(-1, points) @ values.reshape(points, -1)  # of all moves at once: several times quicker
    mixed = mixed.reshape(softs, paints, -1, 3).transpose(2, 0, 1, 3)
    left = own[:, None] - np.swapaxes(mixed, 2, 3) @ np.linalg.solve(normal, mixed)
    left += FAINT * weight.sum(axis=0)[:, None, None, None] * np.eye(3)
    lack: Array = np.linalg.slogdet(left)[1]
    return lack
