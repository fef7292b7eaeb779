"""Pictures of charts through a lens that is known."""

from __future__ import annotations

from math import radians

import cv2
import numpy as np

from calibration.charts import Chart
from companion.vision.geometry.lens import Array, Lens

DOTS = 6
"""Pixels of the drawn chart a millimetre."""


def drawn(chart: Chart, border: float = 12.0) -> Array:
    """The chart as a grey image, `DOTS` pixels a mm, with a white border."""
    edge = round(border * DOTS)
    if chart.marker is not None:
        size = (round(chart.columns * chart.square * DOTS), round(chart.rows * chart.square * DOTS))
        inner = chart.board.generateImage(size, marginSize=0)
    else:
        row, column = np.indices((chart.rows + 1, chart.columns + 1))
        cells = np.where((row + column) % 2, 255, 0).astype(np.uint8)
        inner = np.kron(cells, np.ones((round(chart.square * DOTS),) * 2, np.uint8))
    return cv2.copyMakeBorder(inner, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=255)


def taken(chart: Chart, lens: Lens, seed: int, tilt: float = 35.0, noise: float = 2.0) -> Array:
    """A grey picture of the chart, held somewhere in view by the seed, tilted by `tilt` degrees at most."""
    random = np.random.default_rng(seed)
    border, face = 12.0, drawn(chart)
    width, height = face.shape[1] / DOTS, face.shape[0] / DOTS
    turn = radians(random.uniform(-tilt, tilt)), radians(random.uniform(-tilt, tilt)), radians(random.uniform(-20, 20))
    rotation = cv2.Rodrigues(np.array(turn))[0]
    distance = random.uniform(0.9, 1.8) * width * lens.focal[0] / lens.size[0]
    x = random.uniform(-0.32, 0.32) * lens.size[0] / lens.focal[0] * distance
    y = random.uniform(-0.3, 0.3) * lens.size[1] / lens.focal[1] * distance
    middle = np.array([width / 2 - border, height / 2 - border, 0.0])
    origin = np.array([x, y, distance]) - rotation @ middle
    u, v = np.meshgrid(np.arange(lens.size[0] * 2), np.arange(lens.size[1] * 2))
    pixels = (np.column_stack([u.ravel(), v.ravel()]) - 0.5) / 2  # four samples a pixel
    rays = cv2.undistortPoints(pixels[:, None].astype(np.float64), lens.matrix, lens.coefficients)[:, 0]
    rays = np.column_stack([rays, np.ones(len(rays))])
    normal = rotation[:, 2]
    depth = (normal @ origin) / (rays @ normal)
    on_chart = (rays * depth[:, None] - origin) @ rotation
    at = ((on_chart[:, :2] + border) * DOTS - 0.5).astype(np.float32).reshape(*u.shape, 2)
    fine = cv2.remap(face, at[..., 0], at[..., 1], cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT, borderValue=120)
    image = cv2.resize(fine, lens.size, interpolation=cv2.INTER_AREA).astype(np.float64)
    image = cv2.GaussianBlur(image, (0, 0), 0.7) * 0.8 + 20 + random.normal(0, noise, image.shape)
    return np.clip(image, 0, 255).astype(np.uint8)
