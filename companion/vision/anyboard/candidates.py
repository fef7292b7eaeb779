"""Grids that a picture's lines may be those of.

Two directions in space run through the lines of a grid; their vanishing points tell the board's plane up to scale and
shift along each. There the lines of each direction are numbers on an axis, among which as many as the grid has lie
equally far apart. A board without lines is a quadrilateral of another colour than the table.
"""

from __future__ import annotations

from itertools import chain, combinations

import cv2
import numpy as np

from companion.vision.anyboard.boardset import BoardSet
from companion.vision.geometry.lens import Array

LONGEST = 800
"""So many of the longest pieces of lines are used."""

CLOSE = 0.02
"""A line passes through a vanishing point if its direction is off by no more (radians)."""

TRIES = 1500
"""Pairs of lines tried for a vanishing point."""

POINTS = 6
"""So many vanishing points are looked for: the cloth under a board may have more lines than the board."""

NEAREST = 0.4
"""No vanishing point is nearer to the picture's middle, in parts of its longer side: that of a telephone which looks at
a board from 60 degrees off its vertical is 0.45 away.
"""

LINES, GRATINGS, KEPT = 28, 60, 60
"""So many lines and gratings along each axis are judged together, and so many grids for each pair of directions."""

MERGED = 3.0
"""Pieces of lines nearer to each other, in pixels, are of one line."""

FAR = 0.15
"""What is farther away, as the inverse of how many times, than the middle of the picture cannot be told."""

SMALLEST, LARGEST = 0.1, 2.0
"""Of a grid's side, in parts of the picture's longer side, if it was in the middle."""

FOCAL = (0.5, 2.5)
"""Of usual cameras, in parts of the picture's longer side."""

ASKEW = 0.2
"""How far off a right angle the directions of a grid may seem (the cosine)."""

RATIO = 0.12
"""How far off fields may seem to be from squares (logarithm of the sides' ratio)."""

OUTER = 0.06
"""A board has an outline beside its outermost lines if it is so many fields away."""

SMALL, LEVELS = 0.02, 9
"""Least part of the picture that a board takes up, and so many levels at which its outline is looked for."""


def likely_grids(image: Array, board: BoardSet) -> list[Array]:
    """Corners (4, 2), in pixels, that the board's grid may have in a picture (height, width, 3)."""
    ends, size = _lines(image), (image.shape[1], image.shape[0])
    grids = [grid for pair in _directions(ends, size) for grid in _grids(ends, *pair, board, size)]
    return grids + [grid for corners in _quadrilaterals(image) for grid in _grids_on(corners, board)]


def _lines(image: Array) -> Array:
    """Pieces of straight lines (n, 4): x, y of both ends; the longest ones."""
    found = []
    for channel in (*cv2.split(image), cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)):
        soft = cv2.GaussianBlur(channel, (0, 0), 1.0)
        level = float(np.percentile(np.abs(cv2.Sobel(soft, cv2.CV_32F, 1, 0)), 90)) + 15
        canny = cv2.Canny(soft, 0.6 * level, 1.6 * level)
        pieces = cv2.HoughLinesP(canny, 1, np.pi / 360, 28, minLineLength=0.035 * max(image.shape), maxLineGap=5)
        if pieces is not None:
            found.append(pieces.reshape(-1, 4).astype(float))
    if not found:
        return np.empty((0, 4))
    ends = np.concatenate(found)
    return ends[np.argsort(-_length(ends))[:LONGEST]]


def _length(ends: Array) -> Array:
    """How long the pieces are (n,)."""
    length: Array = np.hypot(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1])
    return length


def _directions(ends: Array, size: tuple[int, int]) -> list[tuple[Array, Array]]:
    """Likely pairs of vanishing points (3,), of two directions that cross."""
    random = np.random.default_rng(1)
    length, lines = _length(ends), _homogeneous(ends)
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
    first, second = random.choice(len(lines), (TRIES // 4, 2), p=chance).T
    for point in np.cross(lines[first], lines[second]):
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


def _grids(ends: Array, first: Array, second: Array, board: BoardSet, size: tuple[int, int]) -> list[Array]:
    """Likely corners (4, 2) of the grid, in pixels, for two vanishing points."""
    flat, stretches = _rectifying(first, second, size), _stretches(first, second, size)
    if stretches is None:
        return []
    grid, back, found = board.grid, np.linalg.inv(flat), list[tuple[float, Array]]()
    side = board.board.side / grid.pitch
    axes = []
    for point, axis in ((first, 1), (second, 0)):  # lines towards the first point run along x: they are numbers on y
        mine = ends[_passing(ends, point) < CLOSE]
        centres = np.column_stack([(mine[:, :2] + mine[:, 2:]) / 2, np.ones(len(mine))]) @ flat.T
        near = centres[:, 2] > FAR
        depth = centres[near, 2]
        axes.append(_lines_on(centres[near, axis] / depth, _length(mine[near]), depth))
    for across, down in {(grid.columns, grid.rows), (grid.rows, grid.columns)}:
        xs = _gratings(*axes[1], across, side, max(size))
        ys = _gratings(*axes[0], down, side, max(size))
        upright = (across, down) == (grid.columns, grid.rows)
        stretch = np.log(xs[:, None, 2] / ys[:, 2])
        square = (stretch > stretches[0] - RATIO) & (stretch < stretches[1] + RATIO)
        for i, j in np.argwhere(square):
            (_, x0, pitch), (_, y0, other) = xs[i], ys[j]
            x1, y1 = x0 + across * pitch, y0 + down * other
            upper = [(x0, y1, 1), (x1, y1, 1), (x1, y0, 1)] if upright else [(x1, y0, 1), (x1, y1, 1), (x0, y1, 1)]
            corners = np.array([(x0, y0, 1), *upper]) @ back.T
            if (corners[:, 2] > 0).all():
                found.append((xs[i, 0] + ys[j, 0], corners[:, :2] / corners[:, 2:]))
    found.sort(key=lambda each: -each[0])
    return [corners for _, corners in found[:KEPT]]


def _rectifying(first: Array, second: Array, size: tuple[int, int]) -> Array:
    """The homography (3, 3) that sends the two points to infinity, along x and along y; in the picture's middle it
    leaves lengths along both as they are.
    """
    middle = np.array([[1, 0, -size[0] / 2], [0, 1, -size[1] / 2], [0, 0, 1]])
    a, b = middle @ first, middle @ second
    horizon = np.cross(a, b)
    flat = np.eye(3)
    flat[2] = horizon / horizon[2]
    turn = np.eye(3)
    turn[:2, :2] = np.linalg.inv(np.column_stack([a[:2] / np.linalg.norm(a[:2]), b[:2] / np.linalg.norm(b[:2])]))
    flattening: Array = turn @ flat @ middle
    return flattening


def _stretches(first: Array, second: Array, size: tuple[int, int]) -> tuple[float, float] | None:
    """How much longer at least and at most, in logarithms, what is as long in space seems along x than along y once the
    two points are at infinity; None where no usual camera sees a right angle between the two directions.

    A direction whose vanishing point is u pixels from the middle seems shorter there by u / sqrt(u^2 + f^2), for a
    focal length f; two that are at right angles have u . v = -f^2 (Hartley and Zisserman, Multiple View Geometry, 8.8).
    """
    middle = np.array(size) / 2
    a, b = (np.append(point[:2] - middle * point[2], point[2]) for point in (first, second))
    a, b = a / np.linalg.norm(a[:2]), b / np.linalg.norm(b[:2])
    focal = np.geomspace(*FOCAL, 9) * max(size)
    lengths = [np.sqrt(1 + (each[2] * focal) ** 2) for each in (a, b)]
    cosines = (a[:2] @ b[:2] + a[2] * b[2] * focal**2) / (lengths[0] * lengths[1])
    if cosines.min() > ASKEW or cosines.max() < -ASKEW:
        return None
    stretches = np.log(lengths[1] / lengths[0])
    return float(stretches.min()), float(stretches.max())


def _lines_on(at: Array, length: Array, depth: Array) -> tuple[Array, Array]:
    """Where lines (n,) cross an axis and how much is seen of each, given pieces of them at (n,) on the axis, as long as
    that, and at depths (n,) that make the axis finer: neighbours that are close are one.
    """
    order = np.argsort(at)
    at, length, depth = at[order], length[order], depth[order]
    if not len(at):
        return at, length
    groups = np.cumsum(np.concatenate([[0], np.diff(at) * np.minimum(depth[1:], depth[:-1]) > MERGED]))
    total = np.bincount(groups, length)
    mean = np.bincount(groups, length * at) / total
    heavy = np.sort(np.argsort(-total)[:LINES])
    return mean[heavy], total[heavy]


def _gratings(lines: Array, seen: Array, count: int, side: float, longer: int) -> Array:
    """Where along an axis `count` fields may lie (n, 3): how well they fit lines at (n,) of which so much is `seen`,
    the first line, and the pitch.

    `side`: the board's side in fields; its outline may be seen too. `longer`: the picture's longer side.
    """
    if len(lines) < 2:
        return np.empty((0, 3))
    near = np.minimum(seen, np.quantile(seen, 0.9))
    margin = (side - count) / 2
    steps = [
        (float(start), float(start + step))
        for step in range((count + 1) // 2, count + 1)
        for start in range(count - step + 1)
    ]
    outline = [(-margin, count + margin)] if margin > OUTER else []
    steps += outline
    lower, upper = np.array(list(combinations(range(len(lines)), 2))).T
    pitch = np.concatenate([(lines[upper] - lines[lower]) / (end - start) for start, end in steps])
    origin = np.concatenate([lines[lower]] * len(steps)) - pitch * np.repeat([start for start, _ in steps], len(lower))
    fits = (pitch * count > SMALLEST * longer) & (pitch * count < LARGEST * longer)
    pitch, origin = pitch[fits], origin[fits]
    value = np.zeros(len(pitch))
    for offset in (*range(count + 1), *chain(*outline)):
        away = (origin + offset * pitch)[:, None] - lines
        value += (np.exp(-0.5 * np.square(away / (0.06 * pitch[:, None]))) * near).max(1)
    best = np.argsort(-value)[:2000]
    return _different(np.column_stack([value, origin, pitch])[best], count)


def _different(gratings: Array, count: int) -> Array:
    """Those (n, 3) of gratings, the best ones first, that differ from all before."""
    kept: list[Array] = []
    for each in gratings:
        close = 0.03 * count * each[2]
        if all(abs(each[1] - k[1]) > close or abs(each[1] - k[1] + count * (each[2] - k[2])) > close for k in kept):
            kept.append(each)
        if len(kept) == GRATINGS:
            break
    return np.array(kept).reshape(-1, 3)


def _contours(bright: Array) -> list[Array]:
    """The outlines (n, 1, 2) of all that is bright, and of the holes in it."""
    return list(cv2.findContours(bright.astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0])


def _quadrilaterals(image: Array) -> list[Array]:
    """Corners (4, 2), one after another, of what has four of them and is brighter or darker than what is around, or of
    another colour.
    """
    soft = cv2.medianBlur(image, 5)
    least, found = SMALL * image.shape[0] * image.shape[1], list[Array]()
    for channel in (*cv2.split(soft), *cv2.split(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB))):
        for level in np.unique(np.quantile(channel, np.linspace(0.08, 0.92, LEVELS))):
            for contour in _contours(channel > level):
                width, height = cv2.boundingRect(contour)[2:]
                if width * height < least:
                    continue
                hull = cv2.convexHull(contour)
                corners = cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True).reshape(-1, 2).astype(float)
                if len(corners) == 4 and cv2.contourArea(hull) > least:
                    found.append(corners)
    return found


def _grids_on(corners: Array, board: BoardSet) -> list[Array]:
    """The grids (4, 2) of a board that has these corners, in pixels, or whose grid has them."""
    half = board.board.side / 2
    plate = np.array([(-half, -half), (-half, half), (half, half), (half, -half)], np.float32)
    to_picture = cv2.getPerspectiveTransform(plate, corners.astype(np.float32))
    inner = board.corners[:, :2].astype(np.float32)
    turns = (cv2.perspectiveTransform(turn[None], to_picture)[0].astype(float) for turn in (inner, inner[:, ::-1]))
    return [corners, np.roll(corners, 1, 0), *turns]
