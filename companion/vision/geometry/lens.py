"""The lens: how a direction seen by the camera becomes a pixel.

Camera frame: x to the right, y down, z forward. Pixel (0, 0) is the centre of the upper left pixel.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import radians, tan
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

NOMINAL_VIEW = 66.0
"""Field of view in degrees along the longer side where nothing was calibrated (Raspberry Pi Camera Module 3)."""


@dataclass(frozen=True, slots=True)
class Lens:
    """Pinhole with polynomial distortion, as OpenCV has it.

    `focal` (fx, fy) and `centre` (cx, cy) in pixels of a picture of `size` (width, height); `distortion` is k1, k2, p1,
    p2, k3. `is_nominal`: it was not calibrated; each camera differs a little.
    """

    size: tuple[int, int]
    focal: tuple[float, float]
    centre: tuple[float, float]
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    is_nominal: bool = False

    @classmethod
    def nominal(cls, size: tuple[int, int], view: float = NOMINAL_VIEW) -> Lens:
        """A lens without distortion for pictures of `size` (width, height), with a field of `view` in degrees along the
        longer side: a camera that stands on end is the same camera.
        """
        focal = max(size) / 2 / tan(radians(view / 2))
        return cls(size, (focal, focal), ((size[0] - 1) / 2, (size[1] - 1) / 2), is_nominal=True)

    def scaled(self, size: tuple[int, int]) -> Lens:
        """The same lens for pictures of another size, both showing the whole width of the sensor."""
        if size == self.size:
            return self
        scale = size[0] / self.size[0]
        middle = (self.centre[1] + 0.5 - self.size[1] / 2) * scale + size[1] / 2 - 0.5
        return Lens(
            size,
            (self.focal[0] * scale, self.focal[1] * scale),
            ((self.centre[0] + 0.5) * scale - 0.5, middle),
            self.distortion,
            self.is_nominal,
        )

    @property
    def matrix(self) -> Array:
        """The camera matrix (3, 3)."""
        (fx, fy), (cx, cy) = self.focal, self.centre
        return np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])

    @property
    def coefficients(self) -> Array:
        """The distortion (5,) in OpenCV's order."""
        return np.array(self.distortion)

    def project(self, points: Array) -> Array:
        """Pixels (n, 2) of points (n, 3) in the camera frame; those behind the camera become NaN."""
        depth = np.where(points[:, 2] > 1e-6, points[:, 2], np.nan)
        x, y = points[:, 0] / depth, points[:, 1] / depth
        k1, k2, p1, p2, k3 = self.distortion
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        (fx, fy), (cx, cy) = self.focal, self.centre
        u = fx * (x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)) + cx
        v = fy * (y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y) + cy
        return np.stack([u, v], axis=1)
