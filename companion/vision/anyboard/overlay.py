"""What was read from a board without rules, drawn over its picture."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.vision.anyboard.boardset import BoardSet
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose
from companion.vision.overlay import DOUBTFUL, SURE

WIDTH = 1600
"""Pixels across, about."""

GRID = (255, 200, 80)
"""The colour (blue, green, red) of the grid."""


def draw_fields(image: Array, board: BoardSet, pose: Pose, occupied: Array) -> Array:
    """A copy of `image` with the grid, its corners' names, and a ring at the foot of whatever stands on a field.

    `occupied` (n,): the probability for each field. Rings that are not sure are orange and tell the confidence.
    """
    zoom = max(1, round(WIDTH / image.shape[1]))
    canvas = cv2.resize(image, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC)
    pose = replace(pose, lens=pose.lens.scaled((canvas.shape[1], canvas.shape[0])))
    unit = canvas.shape[1] / WIDTH
    grid, (left, low, _), (right, high, _) = board.grid, board.corners[0], board.corners[2]
    for k in range(grid.columns + 1):
        _line(
            canvas, pose, np.array([(left + k * grid.pitch, low, 0.0), (left + k * grid.pitch, high, 0.0)]), GRID, unit
        )
    for k in range(grid.rows + 1):
        _line(
            canvas, pose, np.array([(left, low + k * grid.pitch, 0.0), (right, low + k * grid.pitch, 0.0)]), GRID, unit
        )
    angles = np.linspace(0, 2 * np.pi, 33)
    ring = 0.36 * grid.pitch * np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])
    for name, centre, probability in zip(board.fields, board.centres, occupied, strict=True):
        sure = max(probability, 1 - probability) > 0.9
        if probability > 0.5:
            _line(canvas, pose, centre + ring, SURE if sure else DOUBTFUL, 2 * unit)
        middle = pose.project(centre[None])[0]
        if not sure:
            _text(canvas, f"{max(probability, 1 - probability):.2f}", middle, DOUBTFUL, unit)
        elif name in (board.fields[0], board.fields[-1]):
            _text(canvas, name.partition(":")[2], middle, GRID, unit)
    return canvas


def _line(canvas: Array, pose: Pose, points: Array, colour: tuple[int, int, int], width: float) -> None:
    at = pose.project(points)
    if np.isfinite(at).all() and np.abs(at).max() < 1e5:
        fixed = np.rint(at * 16).astype(np.int32)
        cv2.polylines(canvas, [fixed], False, colour, max(1, round(1.2 * width)), cv2.LINE_AA, 4)


def _text(canvas: Array, text: str, at: Array, colour: tuple[int, int, int], unit: float) -> None:
    """Text around a point, with a dark rim so that it reads on any ground."""
    (width, up), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.5 * unit, 1)
    if not np.isfinite(at).all() or np.abs(at).max() > 1e5:
        return
    place = (round(float(at[0]) - width / 2), round(float(at[1]) + up / 2))
    for tone, thick in (((20, 20, 20), 4 * unit), (colour, unit)):
        cv2.putText(canvas, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.5 * unit, tone, max(1, round(thick)), cv2.LINE_AA)
