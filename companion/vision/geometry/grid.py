"""The lattice of picture points that everything standing on the table is drawn on: whole pixels, some apart."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose

COARSE = 12
"""Lines of sight are computed exactly on every so manyth point, and in between them."""

NOISY, GRAINY = 3.0, 8.0
"""Grey values of noise from which a picture is smoothed a little, and more."""

AHEAD = 3
"""Along so many points before and after one of a rim its direction is measured."""

Window = tuple[slice, slice]


@dataclass(frozen=True, slots=True)
class Grid:
    """Points in `shape` (rows, columns); each stands for a square of `step` x `step` pixels, the first one from pixel
    `origin` (x, y) on. `ground` (rows, columns, 2): where the line of sight meets the plane of the board, in mm;
    `camera` (3,): where the camera is. `scale`: points per millimetre.
    """

    origin: tuple[int, int]
    step: int
    shape: tuple[int, int]
    ground: Array
    camera: Array
    scale: float

    @classmethod
    def over(cls, pose: Pose, corners: Array, spacing: float) -> Grid:
        """The grid over that part of the picture that shows points (n, 3) of the board frame; its points are about
        `spacing` mm apart, never less than a pixel.
        """
        at = pose.project(corners)
        at = at[np.isfinite(at).all(axis=1)]
        width, height = pose.lens.size
        scale = pose.scale(np.zeros(3))
        step = max(1, int(spacing * scale + 0.3))
        low = np.clip(np.floor(at.min(axis=0)) - 4, 0, (width - step, height - step)).astype(int)
        high = np.clip(np.ceil(at.max(axis=0)) + 4, low + step, (width, height)).astype(int)
        columns, rows = ((high - low) // step).tolist()
        ground = _ground(pose, low, step, (rows, columns))
        return cls((int(low[0]), int(low[1])), step, (rows, columns), ground, pose.camera, scale / step)

    def under(self, pose: Pose) -> Grid:
        """The same points of the picture, in the frame of another pose."""
        return replace(self, ground=_ground(pose, np.array(self.origin), self.step, self.shape), camera=pose.camera)

    def beside_rim(self, at: Array, by: float) -> tuple[Array, Array]:
        """Points (k,) so many mm inside and outside the rim of what covers the points `at` (n,)."""
        places = np.column_stack(np.divmod(at, self.shape[1])[::-1])
        low = places.min(axis=0)
        mask = np.zeros(places.max(axis=0)[::-1] - low[::-1] + 1, np.uint8)
        mask[tuple((places - low).T[::-1])] = 1
        most = np.array(self.shape[::-1]) - 1
        beside = (np.clip(np.rint(low + rim), 0, most).astype(np.intp) for rim in beside_rim(mask, by * self.scale))
        inside, outside = (rim @ (1, self.shape[1]) for rim in beside)
        return inside, outside

    def places(self, pixels: Array) -> Array:
        """Grid places (n, 2), column and row, of pixels (n, 2)."""
        places: Array = (pixels - self.origin + 0.5) / self.step - 0.5
        return places

    def view(self, image: Array, window: Window) -> Array:
        """What `image` shows in a window of the grid (rows, columns, 3)."""
        rows, columns = window
        (x, y), step = self.origin, self.step
        part = image[y + rows.start * step : y + rows.stop * step, x + columns.start * step : x + columns.stop * step]
        if step == 1:
            return part
        return cv2.resize(part, (columns.stop - columns.start, rows.stop - rows.start), interpolation=cv2.INTER_AREA)


class Shot:
    """One picture on a grid, with less noise than it has."""

    def __init__(self, grid: Grid, image: Array) -> None:
        self._grid, self._image = grid, image
        self._window = (slice(0, 0), slice(0, 0))
        self._view = np.empty((0, 0, 3), np.uint8)

    def pixels(self, at: Array) -> Array:
        """Pixels (n, 3) at points `at` (n,) of the flattened grid."""
        if not len(at):
            return np.empty((0, 3), np.uint8)
        rows, columns = np.divmod(at, self._grid.shape[1])
        window = (slice(int(rows.min()), int(rows.max()) + 1), slice(int(columns.min()), int(columns.max()) + 1))
        if any(own.start < seen.start or own.stop > seen.stop for own, seen in zip(window, self._window, strict=True)):
            self._window, self._view = window, _calmed(self._grid.view(self._image, window))
        down, across = self._window
        pixels: Array = self._view[rows - down.start, columns - across.start]
        return pixels


def beside_rim(mask: Array, by: float) -> tuple[Array, Array]:
    """Places (n, 2), column and row, so many points inside and outside the rim of what a mask (8 bits) shows."""
    rims, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rim = max(rims, key=len)[:, 0].astype(np.float32)
    ahead = np.roll(rim, -AHEAD, axis=0) - np.roll(rim, AHEAD, axis=0)
    across = by * np.column_stack([-ahead[:, 1], ahead[:, 0]])
    across /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-6)
    if ((rim - rim.mean(axis=0)) * across).sum() > 0:
        across = -across
    return rim + across, rim - across


def distinct(at: Array) -> Array:
    """Points `at` (n,) of a grid, each of them once, in order."""
    if not len(at):
        return at
    low = int(at.min())
    mask = np.zeros(int(at.max()) - low + 1, bool)
    mask[at - low] = True
    return np.flatnonzero(mask) + low


def _calmed(view: Array) -> Array:
    """A picture with less noise, if it has much: edges stay where they are."""
    smooth = cv2.medianBlur(view, 3)
    noise = 1.48 * float(np.median(cv2.absdiff(view[::3, ::3], smooth[::3, ::3]).max(axis=2)))
    if noise < NOISY:
        return view
    return smooth if noise < GRAINY else cv2.medianBlur(view, 5)


def _ground(pose: Pose, low: Array, step: int, shape: tuple[int, int]) -> Array:
    """Where the lines of sight of a grid meet the board's plane (rows, columns, 2), in mm."""
    rows, columns = (n // COARSE + 2 for n in shape)
    x, y = np.meshgrid(np.arange(columns) * COARSE * step, np.arange(rows) * COARSE * step)
    pixels = np.stack([x, y], axis=-1).reshape(-1, 1, 2) + low + (step - 1) / 2
    lens = pose.lens
    rays = cv2.undistortPoints(pixels.astype(np.float64), lens.matrix, lens.coefficients).reshape(-1, 2)
    rays = np.column_stack([rays, np.ones(len(rays))]) @ pose.rotation
    coarse = pose.camera[:2] - rays[:, :2] * (pose.camera[2] / rays[:, 2:])
    coarse = coarse.reshape(rows, columns, 2)
    down, across = _between(shape[0], rows), _between(shape[1], columns)
    return np.stack([down @ coarse[..., k] @ across.T for k in range(2)], axis=-1).astype(np.float32)


def _between(count: int, known: int) -> Array:
    """Weights (count, known) that give values in between those known on every `COARSE`th point."""
    place = np.arange(count) / COARSE
    weights: Array = np.maximum(0.0, 1 - np.abs(place[:, None] - np.arange(known)))
    return weights
