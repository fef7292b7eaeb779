"""The surfaces of things: a paint, and which way it faces; faces that look another way get other light."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

UP, ROUND = 0, 9
"""Facings: level, and turned bodies and balls, which face everywhere. From 1 to 8: sides, by the eighth of the circle
that their outward normal lies in."""

EIGHTHS = 8


def facing(normal: Iterable[float]) -> int:
    """The facing of an upright face with the outward normal (x, y), in the board frame."""
    x, y = normal
    return 1 + round(float(np.arctan2(x, y)) / (2 * np.pi) * EIGHTHS) % EIGHTHS


class Surface(NamedTuple):
    """A paint (number of a plain colour) with a facing; `marks` are paints of a print on it that may show as well."""

    paint: int
    facing: int = UP
    marks: tuple[int, ...] = ()
