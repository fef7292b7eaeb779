"""Finds a board by its lines: those between its fields, and its outline.

Of all grids that the picture's lines may be those of, the best ones are laid exactly, and judged by how much is seen of
them, by how alike their fields are, and by what goes on beyond them.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.anyboard.boardset import BoardSet
from companion.vision.anyboard.candidates import likely_grids
from companion.vision.anyboard.linework import Linework
from companion.vision.anyboard.pose import CornersError, check_corners, pose_of
from companion.vision.anyboard.surface import field_pixels
from companion.vision.geometry.lens import Array
from companion.vision.geometry.pose import Pose

SIZE = 900
"""The picture's longer side, in pixels, in which lines are looked for."""

TRIED, RIVALS = 20, 6
"""So many of the best grids are laid more exactly, until so many different ones that are square are known."""

MOVES = (0.16, 0.08, 0.04)
"""How far, in fields, corners are moved to lay a grid more exactly."""

DIFFERENT = 0.35
"""Two grids are different that are farther apart, in fields, at a corner."""

CLEAR = 0.06
"""By how much more of its lines has to be seen than of any other's, or nobody knows which grid is the board's: one that
is found in a chequered cloth may as well lie a field farther.
"""

SQUARE = 0.3
"""How far off, in fields, the corners of a square grid may be."""

FOUND, PLAIN = 0.3, 0.45
"""How well a board has to be seen to be found, and to be surely the board."""

ALIKE = 0.2
"""What the likeness of fields counts beside the lines that are seen."""


class Outlined(NamedTuple):
    """Where a board's lines are, whether they are `plain` to see there, and where else they may be nearly as likely."""

    pose: Pose
    plain: bool
    rivals: tuple[Pose, ...]


class _Grid(NamedTuple):
    """A grid that may be the board's: corners (4, 2) in pixels, how well it is seen, whether it ends where the board
    does, and its pose.
    """

    corners: Array
    score: float
    ends: bool
    pose: Pose


def find_outline(image: Array, board: BoardSet) -> Outlined | None:
    """Where the board is, its lower left corner the one nearest to the picture's; None where none is found."""
    scale = min(1.0, SIZE / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    first, *others = _best(small, board, (image.shape[1], image.shape[0])) or (None,)
    if first is None or first.score < FOUND:
        return None
    near = [each for each in others if each.score > first.score - CLEAR]
    elsewhere = tuple(each.pose for each in near if _apart(each.corners, first.corners, board) > DIFFERENT)
    return Outlined(first.pose, first.score >= PLAIN and first.ends, elsewhere)


def _best(small: Array, board: BoardSet, original: tuple[int, int]) -> list[_Grid]:
    """The best different grids in a picture that was made smaller than the `original` (width, height), best first."""
    linework, size = Linework(small, board), (small.shape[1], small.shape[0])
    enlarged = np.array(original) / size
    grids = likely_grids(small, board)
    scores = np.array([linework.seen(corners).score for corners in grids])
    found, tries = list[_Grid](), TRIED
    for k in np.argsort(-scores, kind="stable"):
        if not tries or len(found) == RIVALS:
            break
        if all(_apart(grids[k], other.corners, board) > DIFFERENT for other in found):
            tries -= 1
            corners = _laid(grids[k], board, linework)
            pose = _square_pose((_ordered(corners, board, size) + 0.5) * enlarged - 0.5, board, original)
            if pose is not None:
                seen = linework.seen(corners)
                found.append(_Grid(corners, seen.score + ALIKE * linework.alike(corners), seen.ends, pose))
    return sorted(found, key=lambda grid: -grid.score)


def _pitch(corners: Array, board: BoardSet) -> float:
    """How many pixels a field of a grid with these corners (4, 2) has across, by and large."""
    return float(np.sqrt(cv2.contourArea(corners.astype(np.float32)) / (board.grid.columns * board.grid.rows)))


def _apart(corners: Array, others: Array, board: BoardSet) -> float:
    """How far, in fields, the corner of a grid (4, 2) is from another's that is farthest from all of those."""
    away = np.linalg.norm(corners[:, None] - others, axis=2).min(1)
    return float(away.max() / max(_pitch(others, board), 1e-6))


def _laid(corners: Array, board: BoardSet, linework: Linework) -> Array:
    """The corners (4, 2) moved to where most of the grid is seen, each by itself."""
    best, fit, pitch = corners, linework.seen(corners).fit, _pitch(corners, board)
    for step, corner, direction in product(MOVES, range(4), ((1, 0), (-1, 0), (0, 1), (0, -1))):
        moved = best.copy()
        moved[corner] += step * pitch * np.array(direction)
        better = linework.seen(moved).fit
        if better > fit:
            best, fit = moved, better
    return best


def _square_pose(corners: Array, board: BoardSet, size: tuple[int, int]) -> Pose | None:
    """The pose that sees the grid's corners (4, 2) there; None where no usual camera sees a square grid so."""
    try:
        check_corners(corners, size)
        pose = pose_of(board.corners, corners, size)
    except CornersError:
        return None
    off = np.abs(pose.project(board.corners) - corners).max()
    return pose if off < SQUARE * field_pixels(pose, board) else None


def _ordered(corners: Array, board: BoardSet, size: tuple[int, int]) -> Array:
    """Corners (4, 2) in the grid's order, clockwise; of those that can be first, the one nearest to the lower left."""
    sides = np.roll(corners, -1, 0) - corners
    if (sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)).sum() < 0:
        corners = corners[[1, 0, 3, 2]]
    distance = np.hypot(*(corners - np.array([0, size[1]])).T)
    if board.grid.columns != board.grid.rows:
        distance[1::2] = np.inf
    return np.roll(corners, -int(np.argmin(distance)), 0)
