"""The camera's optics: pose, intrinsics and lens distortion, from millimetres to pixels and back.

Convention: X_cam = R X_table + t in mm; x right, y down, z forward; pixel (0, 0) is the centre of the upper left pixel;
distortion k1, k2 as OpenCV has them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import cos, radians, sin, tan
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class Lens:
    """A camera over the table.

    `focal`, `cx`, `cy` in pixels. It stands `above` mm over z = 0 and looks at `aim` (mm, on z = 0), `tilt` degrees
    off the vertical, displaced towards `azimuth`; `roll` is the direction of the table that is up in the picture (both
    in degrees, clockwise from +y).
    """

    width: int
    height: int
    focal: float
    cx: float
    cy: float
    k1: float
    k2: float
    aim: tuple[float, float]
    above: float
    tilt: float
    azimuth: float
    roll: float

    @cached_property
    def eye(self) -> Array:
        """Where the camera is, mm."""
        reach, azimuth = self.above * tan(radians(self.tilt)), radians(self.azimuth)
        return np.array([self.aim[0] + reach * sin(azimuth), self.aim[1] + reach * cos(azimuth), self.above])

    @cached_property
    def rotation(self) -> Array:
        """R, (3, 3)."""
        forward = np.array([*self.aim, 0.0]) - self.eye
        forward /= np.linalg.norm(forward)
        up = np.array([sin(radians(self.roll)), cos(radians(self.roll)), 0.0])
        right = np.cross(forward, up)
        right /= np.linalg.norm(right)
        return np.stack([right, np.cross(forward, right), forward])

    @cached_property
    def translation(self) -> Array:
        """t, (3,), mm."""
        return -self.rotation @ self.eye

    @property
    def matrix(self) -> Array:
        """K, (3, 3)."""
        return np.array([[self.focal, 0, self.cx], [0, self.focal, self.cy], [0, 0, 1.0]])

    def project(self, points: ArrayLike) -> Array:
        """Pixels (..., 2) of points (..., 3) in mm."""
        camera = np.asarray(points, float) @ self.rotation.T + self.translation
        depth = np.maximum(camera[..., 2:], 1.0)  # nothing that is drawn comes as near as a millimetre
        xy = camera[..., :2] / depth
        square = np.minimum((xy * xy).sum(-1, keepdims=True), 4.0)
        xy = xy * (1 + self.k1 * square + self.k2 * square * square)
        pixels: Array = xy * self.focal + (self.cx, self.cy)
        return pixels

    def unproject(self, pixels: ArrayLike, z: float = 0.0) -> Array:
        """Where (..., 2), mm, the plane at height `z` is seen at these pixels (..., 2)."""
        distorted = (np.asarray(pixels, float) - (self.cx, self.cy)) / self.focal
        xy = distorted
        for _ in range(5):
            square = (xy * xy).sum(-1, keepdims=True)
            xy = distorted / (1 + self.k1 * square + self.k2 * square * square)
        rays = np.concatenate([xy, np.ones_like(xy[..., :1])], -1) @ self.rotation
        places: Array = self.eye[:2] + rays[..., :2] * ((z - self.eye[2]) / np.minimum(rays[..., 2:], -1e-3))
        return places

    def scale(self, z: float = 0.0) -> float:
        """Pixels a millimetre at the middle of the picture."""
        return self.focal / float(np.linalg.norm([*self.aim, z] - self.eye))

    def bumped(self, shift: tuple[float, float, float]) -> Lens:
        """The camera after a knock: moved by (dx, dy) mm and turned by degrees."""
        dx, dy, turn = shift
        return replace(self, aim=(self.aim[0] + dx, self.aim[1] + dy), roll=self.roll + turn)
