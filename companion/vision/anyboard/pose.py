"""The pose of a board's grid from the corners of the grid in the picture."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from companion.vision.geometry.lens import Array, Lens
from companion.vision.geometry.pose import Pose

FOCAL = 0.78
"""The focal length that cameras and telephones have, in longer sides of the picture."""

FOCAL_SPREAD, DISTORTION_SPREAD = 0.25, 0.04
"""How far the logarithm of the focal length, and the first distortion term, may be off."""

CLICKED = 0.25
"""How far off, in parts of a per cent of the picture's longer side, corners that somebody points at are."""


class CornersError(ValueError):
    """Corners that no grid in a picture can have; the message says what would be right."""


ORDER = "lower left, upper left, upper right, lower right of the grid"


def parse_corners(text: str) -> Array:
    """Corners (4, 2) from a text as `"12,610 40,35 700,20 760,600"`.

    Raises:
        CornersError: it is not four pairs of numbers.
    """
    try:
        corners = np.array([[float(value) for value in pair.split(",")] for pair in text.split()])
    except ValueError:
        corners = np.empty(0)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise CornersError(
            f'corners {text!r}: four pairs of pixels are needed, as in "12,610 40,35 700,20 760,600": {ORDER}'
        )
    return corners


def check_corners(corners: Array, size: tuple[int, int]) -> None:
    """Checks that a grid can have its corners (4, 2) there, in a picture of that size (width, height).

    Raises:
        CornersError: it cannot.
    """
    low, high = -0.25 * np.array(size), 1.25 * np.array(size)
    if (corners < low).any() or (corners > high).any():
        raise CornersError(f"corners: the picture is {size[0]} by {size[1]} pixels; a corner lies far outside of it")
    sides = np.roll(corners, -1, axis=0) - corners
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    smallest = 0.002 * size[0] * size[1]
    if (turns < 0).all():
        raise CornersError(f"corners: they go round the wrong way, as if in a mirror; the order is {ORDER}")
    if (turns <= 0).any():
        raise CornersError(f"corners: they are not the corners of a convex quadrangle in the order {ORDER}")
    if turns.min() < smallest / 10 or turns.sum() < smallest:
        raise CornersError("corners: the quadrangle is too small or too flat to read anything in it")


def pose_of(model: Array, seen: Array, size: tuple[int, int], start: Pose | None = None, spread: float = 0.0) -> Pose:
    """The pose that sees the points `model` (n, 3), mm, at the pixels `seen` (n, 2), through a likely lens.

    `spread` in pixels is how far off the pixels are; 0 for corners that somebody pointed at. With many points the lens
    is estimated too.
    """
    spread = spread or CLICKED / 100 * max(size)
    pose = start or _first(model, seen, size)

    def errors(candidate: Pose) -> Array:
        return ((candidate.project(model) - seen) / spread).ravel()

    return refined(pose, errors, distorted=len(model) > 12)


def _first(model: Array, seen: Array, size: tuple[int, int]) -> Pose:
    """The best pose with one of a few focal lengths."""
    best: tuple[float, Pose] | None = None
    for factor in (0.7, 1.0, 1.4):
        focal = FOCAL * factor * max(size)
        lens = Lens(size, (focal, focal), ((size[0] - 1) / 2, (size[1] - 1) / 2))
        _, turns, shifts, _ = cv2.solvePnPGeneric(
            model, seen.astype(np.float64), lens.matrix, lens.coefficients, flags=cv2.SOLVEPNP_IPPE
        )
        for turn, shift in zip(turns, shifts, strict=True):
            pose = Pose(cv2.Rodrigues(turn)[0], shift.ravel(), lens, (), 0.0, 0.0)
            error = float(np.nan_to_num(np.abs(pose.project(model) - seen), nan=1e6).mean())
            if pose.camera[2] > 0 and (best is None or error < best[0]):
                best = error, pose
    if best is None:
        raise CornersError(f"corners: no camera can see the grid so; the order is {ORDER}")
    return best[1]


def refined(pose: Pose, errors: Callable[[Pose], Array], distorted: bool, rounds: int = 12) -> Pose:
    """The pose near the given one with the least squares of `errors` (in standard deviations), Levenberg-Marquardt."""
    size = pose.lens.size
    values = np.array([0.0, 0, 0, 0, 0, 0, np.log(pose.lens.focal[0] / (FOCAL * max(size))), pose.lens.distortion[0]])
    free = np.arange(8 if distorted else 7)
    depth = abs(float(pose.translation[2]))
    steps = np.array([1e-4, 1e-4, 1e-4, 1e-4 * depth, 1e-4 * depth, 1e-4 * depth, 1e-3, 1e-3])

    def all_errors(v: Array) -> Array:
        return np.concatenate([errors(_moved(pose, v)), [v[6] / FOCAL_SPREAD, v[7] / DISTORTION_SPREAD]])

    damping, current = 1e-3, all_errors(values)
    for _ in range(rounds):
        slopes = np.stack([(all_errors(values + steps * (np.arange(8) == k)) - current) / steps[k] for k in free], 1)
        normal = slopes.T @ slopes
        move = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), -slopes.T @ current)
        tried = values.copy()
        tried[free] += move
        after = all_errors(tried)
        if not np.isfinite(after).all() or after @ after > current @ current:
            damping *= 10
            continue
        done = current @ current - after @ after < 1e-6 * (1 + after @ after)
        values, current, damping = tried, after, damping / 5
        if done:
            break
    return _moved(pose, values)


def _moved(pose: Pose, values: Array) -> Pose:
    lens = pose.lens
    focal = float(np.exp(values[6])) * FOCAL * max(lens.size)
    lens = Lens(lens.size, (focal, focal), lens.centre, (float(values[7]), *lens.distortion[1:]))
    turn = cv2.Rodrigues(values[:3].astype(np.float64))[0]
    return Pose(turn @ pose.rotation, pose.translation + values[3:6], lens, pose.markers, pose.residual, pose.support)
