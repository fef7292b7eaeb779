"""Finds a board by its lines: those between its fields, and its outline.

Two directions in space run through the lines of a grid; their vanishing points tell the board's plane up to scale and
shift along each. There the lines of each direction are numbers on an axis, among which as many as the grid has lie
equally far apart. What is found along both axes is judged by the picture's edges along all lines of the grid.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import NamedTuple

import cv2
import numpy as np

from companion.vision.anyboard.boardset import BoardSet
from companion.vision.anyboard.pose import CornersError, check_corners, pose_of
from companion.vision.anyboard.surface import field_pixels
from companion.vision.board import Pose
from companion.vision.lens import Array

SIZE = 900
"""The picture's longer side, in pixels, in which lines are looked for."""

LONGEST = 260
"""So many of the longest pieces of lines are used."""

CLOSE = 0.02
"""A line passes through a vanishing point if its direction is off by no more (radians)."""

TRIES = 1500
"""Pairs of lines tried for a vanishing point."""

KEPT = 12
"""So many gratings along each axis are judged together."""

POINTS = 6
"""So many vanishing points are looked for: the cloth under a board may have more lines than the board."""

NEAREST = 0.4
"""No vanishing point is nearer to the picture's middle, in parts of its longer side: that of a telephone which looks at
a board from 60 degrees off its vertical is 0.45 away.
"""

TRIED, RIVALS = 20, 6
"""So many of the best grids are laid more exactly, until so many different ones that are square are known."""

MOVES = (0.16, 0.08, 0.04)
"""How far, in fields, corners are moved to lay a grid more exactly."""

DIFFERENT = 0.35
"""Two grids are different that are farther apart, in fields, at a corner."""

CLEAR = 0.035
"""By how much more of its lines has to be seen than of any other's, or nobody knows which grid is the board's: one that
is found in a chequered cloth may as well lie a field farther.
"""

SQUARE = 0.3
"""How far off, in fields, the corners of a square grid may be."""

FOUND = 0.33
"""Least part of the grid's lines that has to be seen for a board to be found."""


class Outlined(NamedTuple):
    """Where a board's lines are, and where else they may be nearly as likely."""

    pose: Pose
    rivals: tuple[Pose, ...]


class _Grid(NamedTuple):
    """A grid that may be the board's: corners (4, 2) in pixels, how much of it is seen, and its pose."""

    corners: Array
    score: float
    pose: Pose


def find_outline(image: Array, board: BoardSet) -> Outlined | None:
    """Where the board is, its lower left corner the one nearest to the picture's; None where none is found."""
    scale = min(1.0, SIZE / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    ends = _lines(small)
    if len(ends) < 8:
        return None
    size = (small.shape[1], small.shape[0])
    edges = _edges(small)
    grids = [grid for pair in _directions(ends, size) for grid in _grids(ends, *pair, board, size)]
    scores = np.array([_score(corners, board, edges) for corners in grids])
    rivals: list[_Grid] = []
    tries = TRIED
    for k in np.argsort(-scores, kind="stable"):
        if not tries or len(rivals) == RIVALS:
            break
        if all(_apart(grids[k], other.corners, board) > DIFFERENT for other in rivals):
            tries -= 1
            exact, score = _laid(grids[k], float(scores[k]), board, edges)
            original = (_ordered(exact, board, size) + 0.5) / scale - 0.5
            pose = _square_pose(original, board, (image.shape[1], image.shape[0]))
            rivals += [] if pose is None else [_Grid(exact, score, pose)]
    rivals.sort(key=lambda grid: -grid.score)
    if not rivals or rivals[0].score < FOUND:
        return None
    first, *others = rivals
    near = [each for each in others if each.score > first.score - CLEAR]
    return Outlined(first.pose, tuple(e.pose for e in near if _apart(e.corners, first.corners, board) > DIFFERENT))


def _pitch(corners: Array, board: BoardSet) -> float:
    """How many pixels a field of a grid with these corners (4, 2) has across, by and large."""
    return float(np.sqrt(cv2.contourArea(corners.astype(np.float32)) / (board.grid.columns * board.grid.rows)))


def _apart(corners: Array, others: Array, board: BoardSet) -> float:
    """How far, in fields, the corner of a grid (4, 2) is from another's that is farthest from all of those."""
    away = np.linalg.norm(corners[:, None] - others, axis=2).min(1)
    return float(away.max() / max(_pitch(others, board), 1e-6))


def _laid(corners: Array, score: float, board: BoardSet, edges: tuple[Array, Array]) -> tuple[Array, float]:
    """The corners (4, 2), of whose lines so much is seen (`score`), moved to where most is, each by itself, and how
    much that is.
    """
    best, pitch = corners, _pitch(corners, board)
    for step, corner, direction in product(MOVES, range(4), ((1, 0), (-1, 0), (0, 1), (0, -1))):
        moved = best.copy()
        moved[corner] += step * pitch * np.array(direction)
        better = _score(moved, board, edges)
        if better > score:
            best, score = moved, better
    return best, score


def _square_pose(corners: Array, board: BoardSet, size: tuple[int, int]) -> Pose | None:
    """The pose that sees the grid's corners (4, 2) there; None where no usual camera sees a square grid so."""
    try:
        check_corners(corners, size)
        pose = pose_of(board.corners, corners, size)
    except CornersError:
        return None
    off = np.abs(pose.project(board.corners) - corners).max()
    return pose if off < SQUARE * field_pixels(pose, board) else None


def _lines(image: Array) -> Array:
    """Pieces of straight lines (n, 4): x, y of both ends; the longest ones."""
    found = []
    for channel in (*cv2.split(image), cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)):
        soft = cv2.GaussianBlur(channel, (0, 0), 1.0)
        level = float(np.percentile(np.abs(cv2.Sobel(soft, cv2.CV_32F, 1, 0)), 90)) + 15
        canny = cv2.Canny(soft, 0.6 * level, 1.6 * level)
        pieces = cv2.HoughLinesP(canny, 1, np.pi / 360, 28, minLineLength=0.035 * SIZE, maxLineGap=5)
        if pieces is not None:
            found.append(pieces.reshape(-1, 4).astype(float))
    if not found:
        return np.empty((0, 4))
    ends = np.concatenate(found)
    length = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    return ends[np.argsort(-length)[:LONGEST]]


def _homogeneous(ends: Array) -> Array:
    """Lines (n, 3) through two points each."""
    ones = np.ones(len(ends))
    lines = np.cross(np.column_stack([ends[:, :2], ones]), np.column_stack([ends[:, 2:], ones]))
    normalised: Array = lines / np.linalg.norm(lines[:, :2], axis=1, keepdims=True)
    return normalised


def _passing(ends: Array, point: Array) -> Array:
    """By what angle (n,), radians, lines miss a vanishing point (3,)."""
    middle = (ends[:, :2] + ends[:, 2:]) / 2
    towards = point[:2] - middle * point[2]
    along = ends[:, 2:] - ends[:, :2]
    sine = np.abs(along[:, 0] * towards[:, 1] - along[:, 1] * towards[:, 0])
    angle: Array = sine / np.maximum(np.hypot(*along.T) * np.hypot(*towards.T), 1e-9)
    return angle


def _directions(ends: Array, size: tuple[int, int]) -> list[tuple[Array, Array]]:
    """Likely pairs of vanishing points (3,), of two directions that cross."""
    random = np.random.default_rng(1)
    length = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    lines = _homogeneous(ends)
    pairs = []
    left = np.ones(len(ends), bool)
    points: list[Array] = []
    for _ in range(POINTS):
        point = _vanishing(ends[left], lines[left], length[left], random, size) if left.sum() > 5 else None
        if point is None:
            break
        points.append(point)
        left &= _passing(ends, point) > 2.5 * CLOSE
    for k, second in enumerate(points):
        for first in points[:k]:
            middle = np.array([size[0] / 2, size[1] / 2])
            a, b = (p[:2] - middle * p[2] for p in (first, second))
            if abs(a @ b) < 0.86 * np.linalg.norm(a) * np.linalg.norm(b):
                pairs.append((first, second))
    return pairs


def _vanishing(
    ends: Array, lines: Array, length: Array, random: np.random.Generator, size: tuple[int, int]
) -> Array | None:
    """The point (3,) through which the most length of lines passes, and that lies outside of the picture's middle."""
    best, most = None, 0.0
    chance = length / length.sum()
    for a, b in random.choice(len(lines), (TRIES // 4, 2), p=chance):
        point = np.cross(lines[a], lines[b])
        norm = np.linalg.norm(point)
        if norm < 1e-9:
            continue
        point = point / norm
        away = np.hypot(*(point[:2] - np.array(size) / 2 * point[2]))
        if away < NEAREST * max(size) * abs(point[2]):
            continue
        total = float(length[_passing(ends, point) < CLOSE].sum())
        if total > most:
            best, most = np.asarray(point), total
    if best is None:
        return None
    through = lines[_passing(ends, best) < CLOSE] * length[_passing(ends, best) < CLOSE][:, None]
    scaling = np.diag([1.0, 1.0, float(max(size))])
    refined = scaling @ np.linalg.svd(through @ scaling)[2][-1]  # the point that is nearest to all of the lines
    better: Array = refined if _passing(ends, refined).mean() <= _passing(ends, best).mean() * 1.2 else best
    return better


def _grids(ends: Array, first: Array, second: Array, board: BoardSet, size: tuple[int, int]) -> list[Array]:
    """Likely corners (4, 2) of the grid, in pixels, for two vanishing points."""
    middle = np.array([size[0] / 2, size[1] / 2, 1.0])
    flat = _rectifying(first, second, middle)
    if flat is None:
        return []
    grid, back, found = board.grid, np.linalg.inv(flat), []
    axes = []
    for point, axis in ((first, 1), (second, 0)):  # lines towards the first point run along x: they are numbers on y
        mine = ends[_passing(ends, point) < CLOSE]
        centres = np.column_stack([(mine[:, :2] + mine[:, 2:]) / 2, np.ones(len(mine))]) @ flat.T
        weight = np.hypot(mine[:, 2] - mine[:, 0], mine[:, 3] - mine[:, 1])
        axes.append((centres[:, axis] / centres[:, 2], weight))
    counts = {(grid.columns, grid.rows), (grid.rows, grid.columns)}
    for across, down in counts:
        xs = _gratings(*axes[1], across, board.board.side / grid.pitch)
        ys = _gratings(*axes[0], down, board.board.side / grid.pitch)
        for (x0, x1), (y0, y1) in product(xs, ys):
            upright = (across, down) == (grid.columns, grid.rows)
            upper = [(x0, y1, 1), (x1, y1, 1), (x1, y0, 1)] if upright else [(x1, y0, 1), (x1, y1, 1), (x0, y1, 1)]
            corners = np.array([(x0, y0, 1), *upper]) @ back.T
            found.append(corners[:, :2] / corners[:, 2:])
    return found


def _rectifying(first: Array, second: Array, middle: Array) -> Array | None:
    """The homography (3, 3) that sends the two points to infinity, along x and along y."""
    horizon = np.cross(first, second)
    if abs(horizon @ middle) < 1e-9:
        return None
    horizon = horizon / (horizon @ middle)
    flat = np.eye(3)
    flat[2] = horizon
    a, b = flat @ first, flat @ second
    axes = np.column_stack([a[:2] / np.linalg.norm(a[:2]), b[:2] / np.linalg.norm(b[:2])])
    if abs(np.linalg.det(axes)) < 0.15:
        return None
    turn = np.eye(3)
    turn[:2, :2] = np.linalg.inv(axes)
    flattening: Array = turn @ flat
    return flattening


def _gratings(at: Array, weight: Array, count: int, side: float) -> list[tuple[float, float]]:
    """Where along an axis (first and last line) `count` fields may lie, given lines at (n,) with weights (n,).

    `side`: the board's side in fields; its outline may be seen too.
    """
    order = np.argsort(at)
    at, weight = at[order], weight[order]
    if len(at) < 3:
        return []
    span = float(np.ptp(at))
    lines, sums = _merged(at, weight, 0.006 * span)
    near = np.minimum(sums, np.quantile(sums, 0.9))
    best: list[tuple[float, float, float]] = []
    margin = (side - count) / 2
    offsets = np.concatenate([np.arange(count + 1), [-margin, count + margin]])
    value = np.concatenate([np.ones(count + 1), [0.5, 0.5]])
    for i, j in combinations(range(len(lines)), 2):
        for steps in range(1, count + 1):
            pitch = (lines[j] - lines[i]) / steps
            if pitch * count > 1.4 * span or pitch * count < 0.25 * span:
                continue
            for start in range(count - steps + 1):
                origin = lines[i] - start * pitch
                away = np.abs(origin + offsets[:, None] * pitch - lines[None]) / pitch
                hit = (np.exp(-0.5 * np.square(away / 0.06)) * near).max(1)
                best.append((float((hit * value).sum()), origin, origin + count * pitch))
    best.sort(reverse=True)
    return _different(best)


def _merged(at: Array, weight: Array, close: float) -> tuple[Array, Array]:
    """Numbers (n,) in order with weights, neighbours that are close made one; the 20 heaviest."""
    groups = np.cumsum(np.concatenate([[0], np.diff(at) > close]))
    total = np.bincount(groups, weight)
    mean = np.bincount(groups, weight * at) / total
    heavy = np.sort(np.argsort(-total)[:20])
    return mean[heavy], total[heavy]


def _different(best: list[tuple[float, float, float]]) -> list[tuple[float, float]]:
    kept: list[tuple[float, float]] = []
    for _, start, end in best[:2000]:
        close = 0.03 * (end - start)
        if all(abs(start - a) > close or abs(end - b) > close for a, b in kept):
            kept.append((start, end))
        if len(kept) == KEPT:
            break
    return kept


def _edges(image: Array) -> tuple[Array, Array]:
    """Direction (height, width, 2) and strength (0 to 1) of the edges, whatever the light."""
    logs = np.log(image.astype(np.float32) + 14)
    slopes = [
        np.stack([cv2.Sobel(logs[..., k], cv2.CV_32F, 1, 0), cv2.Sobel(logs[..., k], cv2.CV_32F, 0, 1)], -1)
        for k in range(3)
    ]
    strongest = max(slopes, key=lambda s: float(np.abs(s).mean()))
    size = np.linalg.norm(strongest, axis=-1)
    usual = float(np.quantile(size, 0.7)) + 0.05
    return strongest / (size[..., None] + 1e-6), size / (size + 2 * usual)


def _score(corners: Array, board: BoardSet, edges: tuple[Array, Array]) -> float:
    """How much of the grid's lines is seen (0 to 1), less what is seen as much halfway between them."""
    columns, rows = board.grid.columns, board.grid.rows
    flat = np.array([(0, 0), (0, rows), (columns, rows), (columns, 0)], np.float32)
    to_picture = cv2.getPerspectiveTransform(flat, corners.astype(np.float32))
    height, width = edges[1].shape
    if (corners < -0.1 * max(width, height)).any() or (corners > 1.1 * np.array([width, height])).any():
        return 0.0
    on = _seen_along(to_picture, columns, rows, 0.0, edges)
    between = _seen_along(to_picture, columns, rows, 0.5, edges)
    outer = np.array([on[0][[0, -1]].mean(), on[1][[0, -1]].mean()]).mean()
    inner = np.array([_throughout(on[0][1:-1]), _throughout(on[1][1:-1])])
    halfway = np.array([between[0].mean(), between[1].mean()])
    return float(0.5 * (inner - 0.7 * halfway).sum() + 0.4 * outer)


def _throughout(lines: Array) -> float:
    """How much of lines (n,) is seen, and of the less well seen ones."""
    return float(lines.mean() + np.quantile(lines, 0.2)) / 2 if len(lines) else 0.0


def _seen_along(
    to_picture: Array, columns: int, rows: int, aside: float, edges: tuple[Array, Array]
) -> tuple[Array, Array]:
    """How much of each line of the grid is seen, upright ones and level ones; `aside` moves them all, in fields."""
    result = []
    for count, length, upright in ((columns, rows, True), (rows, columns, False)):
        position = np.arange(count + (0 if aside else 1)) + aside
        along = np.linspace(0.1, length - 0.1, 8 * length)
        p, q = np.meshgrid(position, along, indexing="ij")
        points = np.stack([p, q] if upright else [q, p], -1).reshape(1, -1, 2).astype(np.float32)
        step = np.array([0, 0.05] if upright else [0.05, 0], np.float32)
        at = cv2.perspectiveTransform(points, to_picture)[0]
        ahead = cv2.perspectiveTransform(points + step, to_picture)[0] - at
        normal = np.column_stack([-ahead[:, 1], ahead[:, 0]]) / np.maximum(np.hypot(*ahead.T), 1e-6)[:, None]
        result.append(_strength(at, normal, edges).reshape(p.shape).mean(1))
    return result[0], result[1]


def _strength(at: Array, normal: Array, edges: tuple[Array, Array]) -> Array:
    """The strength (n,) of edges across the normals at points (n, 2), within a pixel."""
    direction, size = edges
    height, width = size.shape
    best = np.zeros(len(at))
    for off in (-1.5, 0.0, 1.5):
        x, y = np.rint(at + off * normal).astype(int).T
        inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        x, y = np.where(inside, x, 0), np.where(inside, y, 0)
        along = np.abs((direction[y, x] * normal).sum(1))
        best = np.maximum(best, np.where(inside, size[y, x] * (along > 0.92), 0))
    return best


def _ordered(corners: Array, board: BoardSet, size: tuple[int, int]) -> Array:
    """Corners (4, 2) in the grid's order, clockwise; of those that can be first, the one nearest to the lower left."""
    sides = np.roll(corners, -1, 0) - corners
    if (sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)).sum() < 0:
        corners = corners[[1, 0, 3, 2]]
    distance = np.hypot(*(corners - np.array([0, size[1]])).T)
    if board.grid.columns != board.grid.rows:
        distance[1::2] = np.inf
    return np.roll(corners, -int(np.argmin(distance)), 0)
