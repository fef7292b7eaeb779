"""Between sRGB triples of set files and linear light."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Light = NDArray[Any]  # what OpenCV gives back has no element type
"""Linear light, 32-bit floats, blue-green-red, 1.0 = a white surface in full light."""


def threefold(values: Light) -> Light:
    """One channel (h, w) or (h, w, 1) as three alike: NumPy spreads one over three at a tenth of the speed."""
    return cv2.merge([values, values, values])


def scaled(values: Light, factor: float, depth: int) -> NDArray[Any]:
    """So many times as much, as another of OpenCV's element types: rounded, and held within its range."""
    result: NDArray[Any] = cv2.multiply(values, np.full(4, factor), dtype=depth)
    return result.reshape(values.shape)


def linear(colour: ArrayLike) -> Light:
    """Linear blue-green-red of an sRGB triple (0 to 255)."""
    s = np.asarray(colour, np.float32)[::-1] / 255
    return np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4).astype(np.float32)


def srgb_curve(samples: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sRGB value (0 to 1) of linear light."""
    x = np.clip(samples, 0, None)
    return np.where(x <= 0.0031308, 12.92 * x, 1.055 * x ** (1 / 2.4) - 0.055)
