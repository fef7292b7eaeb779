"""Prints that stand out: something dark in the middle of something lighter, whatever the colours are."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.geometry.lens import Array

SECTORS = 6
"""So many parts of what is around a print are looked at."""


def print_kernels(printed: Sequence[float], around: Sequence[float], ring: float, step: float) -> list[Array]:
    """What averages over a print, of which circles of the radii `printed` show something, and over each sector of what
    is `around` it; none where either is missing. Circles stand for rings so wide as `ring`; all in mm, as `step`, from
    point to point.
    """
    if not printed or not around:
        return []
    end = int(np.ceil((max(around) + ring) / step))
    x, y = np.meshgrid(*[np.arange(-end, end + 1) * step] * 2)
    distance, sector = np.hypot(x, y), np.floor(np.arctan2(y, x) / (2 * np.pi / SECTORS)) % SECTORS
    beside = (distance > min(around) - ring) & (distance < max(around) + ring / 2)
    parts = [distance < max(printed) + ring / 2, *(beside & (sector == k) for k in range(SECTORS))]
    return [part.astype(np.float32) / np.count_nonzero(part) for part in parts]


def standing_out(light: Array, kernels: Sequence[Array]) -> Array:
    """How much darker a print in the middle of each point (rows, columns) would be than all that is around it, where
    `light` (rows, columns) is the logarithm of the light.
    """
    dark, *sectors = (cv2.filter2D(light.astype(np.float32), -1, kernel) for kernel in kernels)
    contrast: Array = np.min(sectors, axis=0) - dark
    return contrast
