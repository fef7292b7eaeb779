"""What looks show at points, seen from straight above."""

from __future__ import annotations

import cv2
import numpy as np

from companion.games.looks import Look, Prism
from companion.vision.geometry.lens import Array
from companion.vision.geometry.raster import NOTHING, STEP, UNSURE, Paints, rasterise
from companion.vision.light.palette import Blend


def height(look: Look) -> float:
    """Height in mm of the top of a look."""
    return max((solid.z1 if isinstance(solid, Prism) else solid.z + solid.diameter / 2 for solid in look), default=0.0)


def classes(look: Look, points: Array, paints: Paints, margin: float) -> Array:
    """What a look shows at points (n, 2) seen from above: numbers of paints, `UNSURE` within `margin` mm of a change of
    colour, `NOTHING` beside it.
    """
    if not look:
        return np.full(len(points), NOTHING)
    raster = rasterise(look, paints)
    sure = raster.eroded(margin).at(points)
    return np.where((raster.at(points) == NOTHING) & (sure != UNSURE), NOTHING, sure)


def blends(look: Look, points: Array, paints: Paints, blur: float) -> list[Blend | None]:
    """What a look shows at points (n, 2) seen from above through a blur of `blur` mm: the paints there, in quarters;
    None where something beside it may show.
    """
    if not look:
        return [None] * len(points)
    raster = rasterise(look, paints)
    numbers = np.unique(raster.values).tolist()
    planes = [(raster.values == number).astype(np.float32) for number in numbers]
    soft = [cv2.GaussianBlur(plane, (0, 0), blur / STEP, borderType=cv2.BORDER_REPLICATE) for plane in planes]
    columns, rows = np.rint((points - raster.origin) / STEP).astype(np.intp).T
    height, width = raster.values.shape
    inside = (columns >= 0) & (columns < width) & (rows >= 0) & (rows < height)
    parts = np.stack([plane[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)] for plane in soft], axis=1)
    quarters = np.rint(parts * 4).astype(int)
    shown = [
        tuple((number, q / sum(row)) for number, q in zip(numbers, row, strict=True) if q) for row in quarters.tolist()
    ]
    return [
        blend if here and all(number != NOTHING for number, _ in blend) else None
        for here, blend in zip(inside.tolist(), shown, strict=True)
    ]
