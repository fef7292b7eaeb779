"""Drawing on a supersampled part of a picture: polygons in space, seen through a lens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from hardware.simulated.colours import Light
from hardware.simulated.lens import Array, Lens

UNIT = 8192
"""White in full light, as the canvas keeps it: 16 bits leave room for shine above and dark tones below."""
SHIFT = 4


class Roi(NamedTuple):
    """A rectangle of the picture, pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """Its rows and columns."""
        return slice(self.y, self.y + self.height), slice(self.x, self.x + self.width)

    @classmethod
    def around(cls, pixels: NDArray[np.floating], lens: Lens, margin: float = 3.0) -> Roi:
        """The part of the picture that holds these pixels (n, 2); at least one pixel large."""
        low = np.floor(pixels.reshape(-1, 2).min(0) - margin)
        high = np.ceil(pixels.reshape(-1, 2).max(0) + margin) + 1
        x0, y0 = (int(v) for v in np.clip(low, 0, (lens.width - 1, lens.height - 1)))
        x1, y1 = (int(v) for v in np.clip(high, (x0 + 1, y0 + 1), (lens.width, lens.height)))
        return cls(x0, y0, x1 - x0, y1 - y0)


def union(rois: Sequence[Roi]) -> Roi:
    """The smallest rectangle that holds them all."""
    x, y = min(roi.x for roi in rois), min(roi.y for roi in rois)
    right, bottom = max(roi.x + roi.width for roi in rois), max(roi.y + roi.height for roi in rois)
    return Roi(x, y, right - x, bottom - y)


class Face(NamedTuple):
    """A flat painted outline in space: `contours` are (n, 3) mm, even-odd; `light` is linear, blue-green-red.

    `meets`: other faces meet it without a gap, which half a canvas pixel more all round closes.
    """

    contours: tuple[Array, ...]
    light: Light
    meets: bool = False


class Canvas:
    """Premultiplied linear light with coverage, drawn `samples` times finer than the picture."""

    def __init__(self, lens: Lens, roi: Roi, samples: int = 3) -> None:
        self.lens, self.roi, self.samples = lens, roi, samples
        size = (roi.height * samples, roi.width * samples)
        self.light = np.zeros((*size, 3), np.uint16)
        self.cover = np.zeros(size, np.uint8)

    def fill(self, faces: Sequence[Face]) -> None:
        """Paints the faces, one over the other."""
        outlines = [contour for face in faces for contour in face.contours]
        if not outlines:
            return
        lengths = np.array([len(outline) for outline in outlines])
        parts_of = [len(face.contours) for face in faces]
        first = np.repeat(np.cumsum([0, *parts_of[:-1]]), parts_of)
        by = np.repeat([0.0 if face.meets else 0.5 for face in faces], parts_of)
        places = _inset(self.places(np.concatenate(outlines)), lengths, first, by)
        fixed = np.round(np.clip(places, -20000, 20000) * (1 << SHIFT)).astype(np.int32)
        parts = iter(np.split(fixed, np.cumsum(lengths)[:-1]))
        for face in faces:
            polygon = [next(parts) for _ in face.contours]
            colour = tuple(float(v) for v in np.clip(face.light * UNIT, 0, 65535))
            cv2.fillPoly(self.light, polygon, colour, cv2.LINE_8, SHIFT)
            cv2.fillPoly(self.cover, polygon, 255, cv2.LINE_8, SHIFT)

    def places(self, points: ArrayLike) -> Array:
        """Where points (n, 3) lie on the canvas, in its own pixels."""
        return (self.lens.project(points) - (self.roi.x, self.roi.y) + 0.5) * self.samples - 0.5

    def flat(self) -> tuple[Light, Light]:
        """Light (h, w, 3), premultiplied, and coverage (h, w, 1), 0 to 1, at the picture's own resolution."""
        size = (self.roi.width, self.roi.height)
        light = cv2.resize(self.light, size, interpolation=cv2.INTER_AREA)
        cover = cv2.resize(self.cover, size, interpolation=cv2.INTER_AREA)
        return light.astype(np.float32) / UNIT, (cover.astype(np.float32) / 255)[..., None]


def subdivided(outline: ArrayLike, longest: float = 25.0) -> Array:
    """A closed outline (n, 2 or 3) with no side longer than that, so that a lens may bend it."""
    points = np.asarray(outline, float)
    following = np.roll(points, -1, 0)
    parts = np.maximum(np.ceil(np.linalg.norm(following - points, axis=1) / longest).astype(int), 1)
    if parts.max() == 1:
        return points
    return np.concatenate(
        [a + (b - a) * (np.arange(n) / n)[:, None] for a, b, n in zip(points, following, parts, strict=True)]
    )


def _inset(points: Array, lengths: NDArray[np.int64], first: NDArray[np.int64], by: Array) -> Array:
    """Closed outlines, one after the other, made smaller by so many pixels (holes larger).

    `fillPoly` paints the outline too, half a pixel more all round. `first` is the number of each outline's leading one,
    whose sense tells inside from outside.
    """
    ends = np.cumsum(lengths)
    starts = ends - lengths
    index = np.arange(len(points))
    after, before = index + 1, index - 1
    after[ends - 1], before[starts] = starts, ends - 1
    into, out = points - points[before], points[after] - points
    area = np.add.reduceat(points[:, 0] * points[after, 1] - points[after, 0] * points[:, 1], starts)
    sign = np.repeat(np.sign(area[first]), lengths)[:, None]
    into /= np.maximum(np.linalg.norm(into, axis=1, keepdims=True), 1e-9)
    out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
    normal = np.stack([-(into + out)[:, 1], (into + out)[:, 0]], 1)
    square = np.maximum((normal * normal).sum(1, keepdims=True) / 2, 0.5)  # no spikes at sharp corners
    result: Array = points + normal / square * np.repeat(by, lengths)[:, None] * sign
    return result
